"""Which units a filter is about: its keywords read, its words looked up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scrubjay.engine.retain.checking import check_filter
from scrubjay.engine.retain.inputs import listed, moment, window_of
from scrubjay.errors import BadInput
from scrubjay.language.analyzer import Analyzer
from scrubjay.store.base import BankStore
from scrubjay.types.arrays import RowArray
from scrubjay.types.filters import FilterFields, UnitFilter


def filter_of(where: UnitFilter | None, given: FilterFields) -> UnitFilter:
    """A filter with keywords laid over it; BadInput names the first that there is not."""
    base = UnitFilter() if where is None else where
    if not given:
        return base
    if not isinstance(base, UnitFilter):
        raise BadInput("filter", where, "Give a UnitFilter.")
    unknown = sorted(set(given) - set(FilterFields.__annotations__))
    if unknown:
        known = ", ".join(sorted(FilterFields.__annotations__))
        raise BadInput("unknown filter", unknown[0], f"Known: {known}.")
    changes: dict[str, object] = dict(given)
    for name, read in _FORMS.items():
        if changes.get(name) is not None:
            changes[name] = read(changes[name], name)
    return replace(base, **changes)  # type: ignore[arg-type]


# What may be given in another form than a UnitFilter has it.
_FORMS: dict[str, Callable[[object, str], object]] = {
    **dict.fromkeys(("as_of", "known_at"), moment),
    **dict.fromkeys(("ids", "types", "tags"), listed),
    **dict.fromkeys(("told", "occurred"), window_of),
}


def chosen_by(bank: BankStore, where: object) -> tuple[UnitFilter, RowArray | None]:
    """A filter that can be asked of a bank, and the rows that hold its words; None: any may."""
    wanted = check_filter(where, bank.settings)
    if wanted.text is None:
        return wanted, None
    words, beginning = Analyzer(bank.settings.analysis).typed_terms(wanted.text)
    if not words and beginning is None:
        return wanted, None  # only signs so far, which no index has
    return wanted, bank.holding(words, beginning)
