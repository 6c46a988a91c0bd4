"""What both stores do to find the units that hold words as they are typed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrubjay.errors import BadInput
from scrubjay.limits import TYPED_WORDS_MAX
from scrubjay.types.arrays import RowArray

# One more than may be, to tell that there are too many.
LOOKED_UP_MAX = TYPED_WORDS_MAX + 1


def check_typed(beginning: str, begun: int) -> None:
    """BadInput when so much begins so that it is not gone through.

    To leave some out would show too few units, and to leave the beginning out too many, which a
    `forget` by the same filter would erase.
    """
    if begun > TYPED_WORDS_MAX:
        remedy = (
            f"More than {TYPED_WORDS_MAX:,} words of the bank begin so; type more of it, or a "
            "space behind it if the word is whole."
        )
        raise BadInput("text", beginning, remedy)


def rows_in_all(found: Sequence[RowArray]) -> RowArray:
    """The rows that are in each of some ascending arrays, of which there is one at least."""
    common = min(found, key=len)
    for rows in found:
        common = np.intersect1d(common, rows, assume_unique=True)
    return common
