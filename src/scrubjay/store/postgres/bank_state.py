"""What a bank knows of itself, read in one statement when it is opened."""

from __future__ import annotations

import json
from dataclasses import dataclass

from scrubjay.settings import BankSettings
from scrubjay.store.base import EncoderPin
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.scoping import SQL
from scrubjay.store.postgres.terms import BankWords


@dataclass(frozen=True, slots=True)
class BankState:
    """A bank's settings and counts at one moment."""

    settings: BankSettings
    encoder: EncoderPin | None
    next_row: int
    words: BankWords
    graphs: frozenset[int]  # the types whose vectors have a graph
    newest_told_at: int | None  # None: an empty bank
    any_ends: bool  # whether any unit has an end of validity; most banks skip the filter


def read_state(database: Database, bank: int) -> BankState | None:
    """The state of a bank, None if there is no such bank."""
    found = database.rows(bank, SQL["bank_state"], bank)
    if not found:
        return None
    settings, encoder, next_row, documents, total_length, graphs, any_ends, newest = found[0]
    return BankState(
        BankSettings.from_json(settings),
        read_pin(encoder),
        next_row,
        BankWords(documents, total_length),
        frozenset(graphs),
        newest,
        any_ends,
    )


def read_pin(stored: str | None) -> EncoderPin | None:
    """The encoder pin a bank stored."""
    if stored is None:
        return None
    pin = json.loads(stored)
    return EncoderPin(pin["fingerprint"], pin["dimension"])


def write_pin(pin: EncoderPin) -> str:
    """The encoder pin as a bank stores it."""
    return json.dumps({"fingerprint": pin.fingerprint, "dimension": pin.dimension})
