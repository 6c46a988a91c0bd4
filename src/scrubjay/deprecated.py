"""Other names of what a Memory does; they warn now, and the next release does not have them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Protocol, TypeVar, Unpack

from scrubjay.defaults import DEFAULT_BANK

if TYPE_CHECKING:
    from scrubjay.answers import RecallKeywords
    from scrubjay.engine.retain.inputs import Told
    from scrubjay.types.units import UnitFields

T_co = TypeVar("T_co", covariant=True)


class _Retains(Protocol[T_co]):
    def retain(
        self, told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> T_co: ...


class _Recalls(Protocol[T_co]):
    def recall(
        self, question: str, *, bank: str = DEFAULT_BANK, **given: Unpack[RecallKeywords]
    ) -> T_co: ...


class Synonyms:
    """`add` and `remember` are `retain`, and `search` is `recall`; awaitable where those are."""

    def add(
        self: _Retains[T_co], told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> T_co:
        """Deprecated: use retain."""
        _warn("add", "retain")
        return self.retain(told, bank=bank, **given)

    def remember(
        self: _Retains[T_co], told: Told, *, bank: str = DEFAULT_BANK, **given: Unpack[UnitFields]
    ) -> T_co:
        """Deprecated: use retain."""
        _warn("remember", "retain")
        return self.retain(told, bank=bank, **given)

    def search(
        self: _Recalls[T_co],
        question: str,
        *,
        bank: str = DEFAULT_BANK,
        **given: Unpack[RecallKeywords],
    ) -> T_co:
        """Deprecated: use recall."""
        _warn("search", "recall")
        return self.recall(question, bank=bank, **given)


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{old}() is deprecated; use {new}().", DeprecationWarning, stacklevel=3)
