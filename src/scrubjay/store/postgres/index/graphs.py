"""Which graphs a bank has: of all its vectors, and of its types."""

from __future__ import annotations

from dataclasses import dataclass

# What stands among the types of a bank's graphs for that of all its vectors.
WHOLE = -1


@dataclass(frozen=True, slots=True)
class Graphs:
    """The graphs of a bank's vectors, as numbers: -1 that of all, a type's code its own.

    A type that is most of the bank has none, and stands as -2 less its code.
    """

    codes: frozenset[int] = frozenset()

    @property
    def whole(self) -> bool:
        """Whether there is one of all vectors."""
        return WHOLE in self.codes

    @property
    def own(self) -> frozenset[int]:
        """The types that have their own."""
        return frozenset(code for code in self.codes if code >= 0)

    def hold(self, code: int) -> bool:
        """Whether the vectors of a type are searched in a graph."""
        return code in self.codes or (self.whole and in_whole(code) in self.codes)


def in_whole(code: int) -> int:
    """What stands for a type that is searched in the graph of all."""
    return WHOLE - 1 - code
