"""Makes smaller encoders that give nearly the vectors of the averaged one."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from training import losses
from training.average import AVERAGED, load_bert
from training.bert import Bert, cut_layers
from training.config import Config
from training.encoding import device_name, encode, working_type
from training.lists import Lists, load_arrays
from training.optimizer import MasterWeights, warmed_cosine
from training.progress import say
from training.tokens import prefixes, read_tokenizer
from training.train import ListSampler

# How sharply a list's cosines are compared, and how much that weighs beside the vectors.
LIST_SCALE = 50.0
LIST_WEIGHT = 0.5
_STEPS_PER_REPORT = 500


def student_name(layers: int) -> str:
    """What a student's weights are called."""
    return f"student-{layers}"


def kept_layers(layers: int, of: int) -> list[int]:
    """Which layers a student starts from: evenly spread, the last among them."""
    return [round((number + 1) * of / layers) - 1 for number in range(layers)]


def distil(config: Config, layers: int) -> Bert:
    """A student of `layers` layers, also written to the working directory."""
    device, numbers = device_name(), config.students
    seed = config.training.seeds[0]
    torch.manual_seed(seed)
    random = torch.Generator(device).manual_seed(seed)
    own = prefixes(read_tokenizer(config.paths.base))
    lists = Lists(load_arrays(config.paths.lists), config.lists, own, device)
    scores = torch.from_numpy(np.load(config.paths.scores).astype(np.float32)).to(device)
    averaged = load_bert(config.paths.weights(AVERAGED))
    student = cut_layers(averaged, kept_layers(layers, len(averaged.layers)))
    averaged.to(device, working_type(device)).eval()
    student.to(device, working_type(device))
    student.word.requires_grad_(False)
    sampler = ListSampler(lists, lists.targets(scores), config.training)
    optimizer = MasterWeights([(student, numbers.rate, config.training.weight_decay)])
    count = max(1, numbers.texts // (1 + config.training.documents))
    for step in range(numbers.steps):
        picked = sampler.draw(count, random)
        units = picked.units.flatten()
        after = torch.rand(len(units), generator=random, device=device)
        batch = lists.document_batch(
            units, picked.speakers.flatten(), after < config.training.previous_share
        )
        asked = lists.question_batch(picked.rows)
        with torch.no_grad():
            wanted = [encode(averaged, asked), encode(averaged, batch, config.training.chunks)]
        given = [encode(student, asked), encode(student, batch, config.training.chunks)]
        shape = picked.units.shape
        loss = _vector_loss(given, wanted) + LIST_WEIGHT * losses.kept_ties(
            _listed(given, shape), _listed(wanted, shape), LIST_SCALE
        )
        loss.backward()
        share = warmed_cosine(step, numbers.steps, config.training.warmup_share)
        optimizer.step(share, config.training.gradient_norm_max)
        if (step + 1) % _STEPS_PER_REPORT == 0 or step + 1 == numbers.steps:
            say(f"distil {layers}: step {step + 1}, 1 - cosine {_vector_loss(given, wanted):.4f}")
    torch.save(optimizer.state(student), config.paths.weights(student_name(layers)))
    return student


def _vector_loss(given: list[Tensor], wanted: list[Tensor]) -> Tensor:
    return sum(
        ((1 - (one * other).sum(1)).mean() for one, other in zip(given, wanted, strict=True)),
        torch.zeros((), device=given[0].device),
    )


def _listed(vectors: list[Tensor], shape: torch.Size) -> Tensor:
    questions, documents = vectors
    return torch.einsum("qd,qnd->qn", questions, documents.unflatten(0, shape))
