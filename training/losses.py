"""What training minimises: the teacher's order, the right answer, absolute scores, old ties."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor


def ranking(scores: Tensor, targets: Tensor, temperature: float) -> Tensor:
    """How far the order of each list is from the teacher's."""
    wanted = F.softmax(targets / temperature, 1)
    return F.kl_div(F.log_softmax(scores, 1), wanted, reduction="batchmean")


def contrastive(scores: Tensor, own: Tensor, excused: Tensor, counted: Tensor) -> Tensor:
    """How often another document of the batch beats a question's own.

    `own` is each question's column; `excused` are columns that are the same unit; questions that
    are not `counted` have no answer in their list.
    """
    kept = scores.masked_fill(excused.scatter(1, own[:, None], False), -1e4)
    losses = F.cross_entropy(kept, own, reduction="none")
    return (losses * counted).sum() / counted.sum().clamp_min(1)


def absolute(listed: Tensor, targets: Tensor, strangers: Tensor) -> Tensor:
    """How wrong the scores are as log-odds that a document answers.

    `listed` were judged; `strangers` are documents of other questions, which answer nothing.
    Without this only order is learnt, and a best hit says nothing about whether it is one.
    """
    judged = F.binary_cross_entropy_with_logits(listed, torch.sigmoid(targets))
    return judged + F.binary_cross_entropy_with_logits(strangers, torch.zeros_like(strangers))


def kept_ties(now: Tensor, before: Tensor, scale: float) -> Tensor:
    """How far cosines among other languages moved from the base encoder's, up to a shift.

    Softmax does not see a shift, so unrelated texts may move apart everywhere alike.
    """
    wanted = F.softmax(scale * before, 1)
    return F.kl_div(F.log_softmax(scale * now, 1), wanted, reduction="batchmean")
