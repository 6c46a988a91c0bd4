"""Scores every candidate with the cross-encoder, whose order the encoder then learns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from training.bert import CrossEncoder, cross_encoder_from
from training.config import Config
from training.encoding import by_length, device_name, token_chunks, working_type
from training.lists import Lists, load_arrays
from training.onnx_weights import read_weights
from training.progress import say
from training.tokens import Batch, prefixes, read_tokenizer

_QUESTIONS_PER_PASS = 2_048


def teach(config: Config) -> npt.NDArray[np.float16]:
    """The teacher's logits for all lists, also written; 0 where it is not trusted at all."""
    device = device_name()
    arrays = load_arrays(config.paths.lists)
    own = prefixes(read_tokenizer(config.paths.base))
    lists = Lists(arrays, config.lists, own, device)
    weights = read_weights(config.paths.teacher / "model.onnx")
    teacher = cross_encoder_from(weights, config.training.layers)
    teacher.to(device, working_type(device)).eval()
    scores = torch.zeros(lists.candidates.shape, device=device)
    asked = (lists.trust > 0).nonzero()[:, 0]
    with torch.inference_mode():
        for rows in asked.split(_QUESTIONS_PER_PASS):
            units = lists.candidates[rows]
            batch = lists.pair_batch(
                rows.repeat_interleave(units.shape[1]),
                units.flatten(),
                lists.candidate_speakers[rows].flatten(),
            )
            scores[rows] = score(teacher, batch, config.lists.batch_tokens).view(units.shape)
    found: npt.NDArray[np.float16] = scores.half().cpu().numpy()
    np.save(config.paths.scores, found)
    best = scores[asked].argmax(1, keepdim=True)
    agrees = (lists.labels[asked].gather(1, best) > 0).float().mean()
    say(f"teach: {len(asked) * found.shape[1]} pairs, gold first in {agrees:.3f}")
    return found


def score(teacher: CrossEncoder, batch: Batch, batch_tokens: int) -> Tensor:
    """One logit per row."""
    groups = by_length(batch, token_chunks(batch, batch_tokens))
    logits = []
    for places in groups:
        rows = batch.rows(places)
        columns = torch.arange(rows.ids.shape[1], device=rows.ids.device)
        kinds = (columns[None] >= rows.starts[:, None]).long()
        logits.append(teacher(rows.ids, rows.mask, kinds).float())
    return torch.cat(logits)[torch.cat(groups).argsort()]
