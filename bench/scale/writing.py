"""Hands made units to a bank's own save, as the write path would: names looked up, links made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bench.corpus.clustered import Corpus, MadeUnit
from bench.corpus.lexicon import Name
from bench.corpus.vector_space import TOPICS
from scrubjay.store.base import NewLink, NewMention, PreparedUnit
from scrubjay.store.embedded.bank import EmbeddedBank
from scrubjay.types.graph import LinkKind
from scrubjay.types.units import Unit
from scrubjay.types.values import EntityId, UnitId, Window

_LINKS_PER_UNIT = 4
# Weights of semantic links; nothing is told apart by them here.
_WEIGHT_FIRST, _WEIGHT_STEP = 0.9, 0.05
_ENTITIES_REMEMBERED_MAX = 500_000
_TOKENS_PER_WORD = 1.4
_MIXER = 0x9E3779B97F4A7C15


class UnitWriter:
    """Saves the units of one bank in order, some at a time; remembers what later ones link to.

    Rows of the bank count from 1, and `first` is the number of the unit in row 1.
    """

    def __init__(self, bank: EmbeddedBank, *, first: int = 0) -> None:
        self._bank = bank
        self._first = first
        self._entities: dict[str, EntityId] = {}
        self._latest = np.zeros((TOPICS, _LINKS_PER_UNIT), np.int64)

    def skip(self, corpus: Corpus, blocks: int) -> None:
        """Take in what earlier blocks left behind, which an earlier start has saved."""
        for number in range(blocks):
            block = corpus.block(number)
            for place, topic in enumerate(block.topics.tolist()):
                self._push(topic, self._row(block.first + place))

    def write(self, units: Sequence[MadeUnit]) -> None:
        """Save some units in one transaction."""
        known = self._known([name for unit in units for name in unit.names])
        self._bank.save([self._prepared(unit, known) for unit in units])
        if len(self._entities) > _ENTITIES_REMEMBERED_MAX:
            self._entities.clear()

    def _row(self, number: int) -> int:
        return number - self._first + 1

    def _known(self, names: Sequence[Name]) -> dict[str, EntityId]:
        """The entities of these names that the bank has."""
        folded = {name.folded for name in names}
        unsure = sorted(folded - self._entities.keys())
        for match in self._bank.lookup_aliases(unsure):
            if match.confidence >= 1:
                self._entities[match.alias] = match.entity
        return {name: self._entities[name] for name in folded if name in self._entities}

    def _prepared(self, unit: MadeUnit, known: dict[str, EntityId]) -> PreparedUnit:
        happened = unit.happened_at
        return PreparedUnit(
            unit=Unit(unit.text, session=unit.session, id=unit_id(unit.number)),
            type=unit.type,
            told_at=unit.told_at,
            occurred=None if happened is None else Window(happened, happened),
            identity=_identity(unit.number),
            tokens=int(_TOKENS_PER_WORD * unit.length),
            terms=unit.terms,
            length=unit.length,
            mentions=tuple(_mention(name, known) for name in unit.names),
            links=self._links(unit),
            vector=unit.vector.astype(np.float16),
            source=None,
            replaces=None,
        )

    def _links(self, unit: MadeUnit) -> tuple[NewLink, ...]:
        """To the latest units of its topic, and to its cause."""
        rows = [row for row in self._latest[unit.topic].tolist() if row]
        links = [
            NewLink(row, LinkKind.SEMANTIC, _WEIGHT_FIRST - _WEIGHT_STEP * place)
            for place, row in enumerate(rows)
        ]
        if unit.causes is not None and unit.causes >= self._first:
            links.append(NewLink(self._row(unit.causes), LinkKind.CAUSED_BY, 1.0))
        self._push(unit.topic, self._row(unit.number))
        return tuple(links)

    def _push(self, topic: int, row: int) -> None:
        latest = self._latest[topic]
        latest[1:] = latest[:-1]
        latest[0] = row


def unit_id(number: int) -> UnitId:
    """The id of a unit: short, and in the order told."""
    return UnitId(f"scale-{number:012d}")


def _mention(name: Name, known: dict[str, EntityId]) -> NewMention:
    entity = known.get(name.folded)
    aliases = name.aliases if entity is None else ()
    return NewMention(name.text, name.folded, name.kind, entity, aliases, explicit=False)


def _identity(number: int) -> int:
    mixed = number * _MIXER & (1 << 64) - 1
    return mixed - (1 << 63)
