"""Runs an encoder over many texts of unequal length."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training.bert import Bert
from training.tokens import Batch


def device_name() -> str:
    """The fastest device here."""
    # cuDNN's attention gave gradients that were not numbers for masked batches (torch 2.11).
    torch.backends.cuda.enable_cudnn_sdp(False)
    return "cuda" if torch.cuda.is_available() else "cpu"


def working_type(device: str) -> torch.dtype:
    """Half precision where there is hardware for it."""
    return torch.bfloat16 if device == "cuda" else torch.float32


def mean_vectors(layer: Tensor, mask: Tensor) -> Tensor:
    """The mean over tokens, of length 1, in full precision."""
    summed = (layer * mask[..., None]).sum(1, dtype=torch.float32)
    return F.normalize(summed, dim=-1)


def by_length(batch: Batch, chunks: int) -> list[Tensor]:
    """The rows in `chunks` groups of about equal length."""
    return list(batch.lengths.argsort(descending=True).chunk(chunks))


def encode(model: Bert, batch: Batch, chunks: int = 1) -> Tensor:
    """One vector of length 1 per row; a row's vector does not depend on the others."""
    groups = by_length(batch, chunks)
    vectors = []
    for places in groups:
        rows = batch.rows(places)
        vectors.append(mean_vectors(model(rows.ids, rows.mask), rows.mask))
    return torch.cat(vectors)[torch.cat(groups).argsort()]


def token_chunks(batch: Batch, tokens_max: int) -> int:
    """Into how many groups a batch falls if none may hold more than `tokens_max` tokens."""
    return max(1, -(-int(batch.lengths.sum()) // tokens_max))
