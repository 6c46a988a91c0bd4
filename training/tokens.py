"""Texts as token ids, joined on the device into what a model reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from torch import Tensor

FIRST, SEPARATOR = 101, 102
QUERY_PREFIX, DOCUMENT_PREFIX = "query: ", "passage: "
# Attention kernels are fastest when rows end on such a boundary.
_ALIGNMENT = 8
_TEXTS_PER_CALL = 20_000
_CHARACTERS_PER_TOKEN_MAX = 16

IdArray = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class TokenTable:
    """Token ids, one row per text, filled with zeros; and how many of each row count."""

    ids: Tensor
    lengths: Tensor

    def __getitem__(self, rows: Tensor) -> TokenTable:
        return TokenTable(self.ids[rows], self.lengths[rows])

    def shortened(self, limit: int) -> TokenTable:
        """The same, no row longer than `limit`."""
        return TokenTable(self.ids[:, :limit], self.lengths.clamp_max(limit))

    def only_where(self, kept: Tensor) -> TokenTable:
        """The same, the rows that are not kept empty."""
        return TokenTable(self.ids, torch.where(kept, self.lengths, 0))


@dataclass(frozen=True, slots=True)
class Batch:
    """What a model reads, and where the part that was marked begins in each row."""

    ids: Tensor
    lengths: Tensor
    starts: Tensor

    def __len__(self) -> int:
        return int(self.lengths.shape[0])

    def rows(self, places: Tensor) -> Batch:
        """Some rows, cut to the longest of them."""
        lengths = self.lengths[places]
        width = min(_aligned(int(lengths.max())), self.ids.shape[1])
        return Batch(self.ids[places, :width], lengths, self.starts[places])

    @property
    def mask(self) -> Tensor:
        """True where there is a token."""
        places = torch.arange(self.ids.shape[1], device=self.ids.device)
        return places[None] < self.lengths[:, None]


def read_tokenizer(directory: Path) -> Tokenizer:
    """The tokenizer of a model directory, with nothing cut or filled."""
    tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def tokenize(tokenizer: Tokenizer, texts: Sequence[str], limit: int) -> tuple[IdArray, IdArray]:
    """Ids and lengths of `texts`, each cut at `limit` tokens."""
    ids = np.zeros((len(texts), limit), np.int32)
    lengths = np.zeros(len(texts), np.int32)
    for start in range(0, len(texts), _TEXTS_PER_CALL):
        cut = [
            text[: limit * _CHARACTERS_PER_TOKEN_MAX]
            for text in texts[start : start + _TEXTS_PER_CALL]
        ]
        for place, found in enumerate(tokenizer.encode_batch(cut, add_special_tokens=False), start):
            kept = found.ids[:limit]
            ids[place, : len(kept)] = kept
            lengths[place] = len(kept)
    return ids, lengths


def table_of(ids: npt.NDArray[np.generic], lengths: IdArray, device: str) -> TokenTable:
    """Arrays as a table on `device`."""
    return TokenTable(
        torch.from_numpy(ids.astype(np.int32)).to(device),
        torch.from_numpy(lengths.astype(np.int64)).to(device),
    )


def repeated(ids: Sequence[int], rows: int, device: str) -> TokenTable:
    """The same few tokens in every row."""
    one = torch.tensor(list(ids), dtype=torch.int32, device=device)
    return TokenTable(
        one[None].expand(rows, -1), torch.full((rows,), len(ids), dtype=torch.long, device=device)
    )


def joined(parts: Sequence[TokenTable], marked: int = 0) -> Batch:
    """The rows of `parts` side by side; `starts` is where the `marked` part begins."""
    lengths = torch.stack([part.lengths for part in parts])
    totals = lengths.sum(0)
    starts = lengths.cumsum(0) - lengths
    width = _aligned(int(totals.max()))
    rows = totals.shape[0]
    # One column more takes what lies beyond a part's length, and is cut off again.
    out = torch.zeros(rows, width + 1, dtype=torch.long, device=totals.device)
    for part, start in zip(parts, starts, strict=True):
        places = torch.arange(part.ids.shape[1], device=totals.device)[None]
        inside = places < part.lengths[:, None]
        out.scatter_(1, torch.where(inside, start[:, None] + places, width), part.ids.long())
    return Batch(out[:, :width], totals, starts[marked])


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The ids of what stands in front of questions and documents."""

    question: tuple[int, ...]
    document: tuple[int, ...]


def prefixes(tokenizer: Tokenizer) -> Prefixes:
    """The first token and the words e5 was trained to expect."""
    question, document = (
        tokenizer.encode(text, add_special_tokens=False).ids
        for text in (QUERY_PREFIX, DOCUMENT_PREFIX)
    )
    return Prefixes((FIRST, *question), (FIRST, *document))


def framed(prefix: Sequence[int], parts: Sequence[TokenTable], marked: int = 0) -> Batch:
    """`parts` between a prefix, which is part 0, and the separator."""
    rows, device = parts[0].lengths.shape[0], str(parts[0].lengths.device)
    framing = [repeated(prefix, rows, device), *parts, repeated([SEPARATOR], rows, device)]
    return joined(framing, marked)


def _aligned(width: int) -> int:
    return -(-width // _ALIGNMENT) * _ALIGNMENT
