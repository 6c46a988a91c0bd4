"""Remembers up to where the units of a bank have their vectors, so that few rows are looked at."""

from __future__ import annotations

from scrubjay.store.base import BankReader


class Waiting:
    """Finds the units that were kept without a vector, in banks that do so."""

    def __init__(self) -> None:
        self._whole: dict[str, int] = {}  # by bank: no row up to this one lacks a vector

    def first(self, bank: BankReader) -> int | None:
        """The first row that waits for its vector; None if none does.

        What is told and what is changed get higher rows, so none is looked at twice: a process
        looks through a bank once, and then at what is new.
        """
        if not bank.settings.embed_later or bank.encoder is None:
            return None
        limit = bank.row_limit()
        whole = self._whole.get(bank.name, -1)
        # A bank that is shorter than it was is another one of its name.
        found = bank.first_without_vector(after_row=whole if whole < limit else -1)
        self._whole[bank.name] = (limit if found is None else found) - 1
        return found
