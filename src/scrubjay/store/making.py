"""Makes a bank when it is used and is not there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from scrubjay.settings import BankSettings
from scrubjay.store.base import BankStore, Store


@dataclass(frozen=True, slots=True)
class MadeWhenUsed:
    """A store's banks, of which each is there when it is used."""

    store: Store

    @property
    def location(self) -> str:
        """Where the store is."""
        return self.store.location

    @contextmanager
    def using(self, name: str, names: Sequence[str] = ()) -> Iterator[BankStore | None]:
        """The bank of that name; None only if it was deleted while it was being made."""
        # Looked for first: it is nearly always there, and to make it is to write.
        with self.store.using(name, names) as bank:
            if bank is not None:
                yield bank
                return
        self.store.create_bank(name, BankSettings())
        with self.store.using(name) as bank:
            yield bank
