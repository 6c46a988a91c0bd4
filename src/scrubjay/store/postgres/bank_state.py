"""What a bank knows of itself, read in one statement when it is opened."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap

from scrubjay.settings import BankSettings
from scrubjay.store.base import AliasMatch, EncoderPin
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.index.graphs import Graphs
from scrubjay.store.postgres.index.kept import Past
from scrubjay.store.postgres.tables.asking import storable
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared.bm25 import Corpus
from scrubjay.store.shared.pins import read_pin

# Settings and encoders of so many banks are not read from their texts again.
_TEXTS_KEPT = 256


@dataclass(frozen=True, slots=True)
class BankState:
    """A bank's settings and counts at one moment."""

    settings: BankSettings
    encoder: EncoderPin | None
    next_row: int
    corpus: Corpus
    graphs: Graphs
    lost_graphs: frozenset[int]  # those that are gone; to be made again
    newest_told_at: int | None  # None: an empty bank
    any_ends: bool  # whether any unit has an end of validity; most banks skip the filter
    version: str  # another one whenever anything of this was changed
    past: Past
    # Who answered to the names that were asked for along with it, best alias first.
    named: Mapping[str, Sequence[AliasMatch]]


# They are read with each call, and are nearly always the same.
_settings = lru_cache(maxsize=_TEXTS_KEPT)(BankSettings.from_json)
_pin = lru_cache(maxsize=_TEXTS_KEPT)(read_pin)


def read_state(database: Database, bank: int, names: Sequence[str] = ()) -> BankState | None:
    """The state of a bank, and who answers to some names; None if there is no such bank."""
    asked = storable(names)
    found = database.rows(bank, SQL["bank_state"], bank, asked)
    if not found:
        return None
    (
        settings, encoder, next_row, changes, documents, length, graphs, lost, any_ends, newest,
        version, history, matches,
    ) = found[0]  # fmt: skip
    pin = _pin(encoder)
    named: dict[str, list[AliasMatch]] = {name: [] for name in asked}
    for match in starmap(AliasMatch, json.loads(matches or "[]")):
        named[match.alias].append(match)
    return BankState(
        _settings(settings),
        pin,
        next_row,
        Corpus(documents, length),
        Graphs(frozenset(graphs) - frozenset(lost)),
        frozenset(lost),
        newest,
        any_ends,
        version,
        (history, changes, pin),
        named,
    )
