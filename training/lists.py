"""The training lists: each question with the units it is to rank, as arrays on the device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from training.config import ListNumbers
from training.tokens import (
    FIRST,
    SEPARATOR,
    Batch,
    IdArray,
    Prefixes,
    TokenTable,
    framed,
    repeated,
    table_of,
)

NOBODY = -1
NOTHING = -1


@dataclass(frozen=True, slots=True)
class ListArrays:
    """Lists as `mine` writes them; rows of `candidates` and its like are questions."""

    units: IdArray
    unit_lengths: IdArray
    previous: IdArray  # the unit before each unit, or NOTHING
    speakers: IdArray
    speaker_lengths: IdArray
    questions: IdArray
    question_lengths: IdArray
    candidates: IdArray  # places in `units`
    candidate_speakers: IdArray  # places in `speakers`, or NOBODY
    labels: npt.NDArray[np.float32]  # 1 gold, -1 rejected, 0 not known
    worth: npt.NDArray[np.float32]  # of a label, in logits
    trust: npt.NDArray[np.float32]  # in the teacher
    validation: npt.NDArray[np.bool_]
    kinds: IdArray  # of fact, for memories written by rule, or the bank; NOTHING for pairs
    banked: npt.NDArray[np.bool_]  # asked of a bank
    foreign: npt.NDArray[np.bool_]  # told or asked in another language than English

    def save(self, path: Path) -> None:
        """Write all arrays to one file."""
        np.savez(path, **{name: getattr(self, name) for name in self.__slots__})


def load_arrays(path: Path) -> ListArrays:
    """What `ListArrays.save` wrote."""
    with np.load(path) as stored:
        return ListArrays(**{name: stored[name] for name in ListArrays.__slots__})


class Lists:
    """The arrays on a device, and the batches made of them."""

    def __init__(
        self, arrays: ListArrays, numbers: ListNumbers, prefixes: Prefixes, device: str
    ) -> None:
        self.units = table_of(arrays.units, arrays.unit_lengths, device)
        self.device = device
        self._numbers = numbers
        self._prefixes = prefixes
        self.questions = table_of(arrays.questions, arrays.question_lengths, device)
        self.speakers = table_of(arrays.speakers, arrays.speaker_lengths, device)
        self._previous = torch.from_numpy(arrays.previous.astype(np.int64)).to(device)
        self.candidates = torch.from_numpy(arrays.candidates.astype(np.int64)).to(device)
        self.candidate_speakers = torch.from_numpy(arrays.candidate_speakers.astype(np.int64)).to(
            device
        )
        self.labels = torch.from_numpy(arrays.labels).to(device)
        self.worth = torch.from_numpy(arrays.worth).to(device)
        self.trust = torch.from_numpy(arrays.trust).to(device)
        self.validation = torch.from_numpy(arrays.validation).to(device)
        self.banked = torch.from_numpy(arrays.banked).to(device)
        self.kinds = torch.from_numpy(arrays.kinds.astype(np.int64)).to(device)
        self.foreign = torch.from_numpy(arrays.foreign).to(device)

    def targets(self, scores: Tensor) -> Tensor:
        """What each candidate should score, in logits: the teacher's word and the label's."""
        return self.trust[:, None] * scores + self.worth[:, None] * self.labels

    def question_batch(self, rows: Tensor) -> Batch:
        """Questions as the encoder reads them."""
        return self.asked_batch([self.questions[rows]])

    def asked_batch(self, parts: Sequence[TokenTable]) -> Batch:
        """Texts as the encoder reads questions, each row the parts of one side by side."""
        return framed(self._prefixes.question, parts)

    def unit_batch(self, units: Tensor) -> Batch:
        """Units as the encoder reads them, without a speaker."""
        return framed(self._prefixes.document, [self.units[units]])

    def document_batch(self, units: Tensor, speakers: Tensor, after: Tensor) -> Batch:
        """Units with their speakers, and `after` the unit before them; speakers are marked."""
        previous = self._previous[units]
        before = self.units[previous.clamp_min(0)].shortened(self._numbers.previous_tokens)
        told = before.only_where(after & (previous != NOTHING))
        parts = [told, self._speaker(speakers), self.units[units]]
        return framed(self._prefixes.document, parts, marked=2)

    def pair_batch(self, questions: Tensor, units: Tensor, speakers: Tensor) -> Batch:
        """Question and unit together, as a cross-encoder reads them; the second text is marked."""
        between = repeated([SEPARATOR], len(units), self.device)
        parts = [self.questions[questions], between, self._speaker(speakers), self.units[units]]
        return framed([FIRST], parts, marked=3)

    def _speaker(self, speakers: Tensor) -> TokenTable:
        return self.speakers[speakers.clamp_min(0)].only_where(speakers != NOBODY)
