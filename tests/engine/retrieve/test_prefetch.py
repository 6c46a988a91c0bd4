"""What a store is told before the searches come: the question, its words, and whom it names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np
import pytest

from scrubjay.answers import RetrieverPlan
from scrubjay.backend import open_store
from scrubjay.encoder.base import Calibration
from scrubjay.engine.parse.question import ParseOptions, parse
from scrubjay.engine.presets import PRESETS
from scrubjay.engine.retrieve.fanout import Job, prefetch_of
from scrubjay.engine.retrieve.query import Query, QueryVector
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.memory import Memory
from scrubjay.store.base import BankStore, Scope

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
VECTOR = np.full(4, 0.5, np.float32)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BankStore]:
    path = str(tmp_path_factory.mktemp("wanted") / "store")
    with Memory.open(path, encoder=None, reranker=None) as memory:
        memory.retain("Jorun Falk mended the sail.", bank="loft")
    store = open_store(path, read_only=True)
    with store.using("loft") as found:
        assert found is not None
        yield found
    store.close()


def job(bank: BankStore, retriever: str, method: str, preset: str = "default") -> Job:
    options = ParseOptions(NOW, True, None, None, "standard")
    parsed = parse("which sail did Jorun Falk mend", bank, options)
    vector = QueryVector(lambda: VECTOR, Calibration(0.2))
    step = RetrieverPlan(retriever, True, method, 70, 1.0, 10_000.0, "a test")
    query = Query(parsed, PRESETS[preset], bank, Scope(types=("fact",)), vector)
    return Job(RETRIEVERS[retriever], query, step)


def test_every_search_says_what_it_will_ask_for(bank: BankStore) -> None:
    wanted = prefetch_of(
        [
            job(bank, "semantic", "nearest"),
            job(bank, "lexical", "bm25"),
            job(bank, "graph", "entity_walk+asked_causes"),
        ]
    )
    assert wanted.vector is VECTOR and wanted.limit == 70
    assert wanted.scope == Scope(types=("fact",))
    assert "sail" in wanted.terms and wanted.neighbours
    assert len(wanted.entities) == 1 and wanted.mentions_max > 0
    assert not wanted.linked_entities


def test_what_does_not_run_is_not_announced(bank: BankStore) -> None:
    wanted = prefetch_of([job(bank, "graph", "link_expansion", "hindsight")])
    assert wanted.linked_entities
    assert wanted.vector is None and wanted.terms == () and wanted.entities == ()


def test_a_search_type_by_type_is_announced_as_one(bank: BankStore) -> None:
    wanted = prefetch_of([job(bank, "semantic", "nearest", "dense_fts")])
    assert wanted.vector is VECTOR and wanted.limit == 70 and wanted.per_type
    assert not prefetch_of([job(bank, "semantic", "nearest")]).per_type


def test_a_window_is_searched_by_words_and_by_events_only_where_the_preset_does(
    bank: BankStore,
) -> None:
    assert "sail" in prefetch_of([job(bank, "temporal", "window")]).terms
    assert prefetch_of([job(bank, "temporal", "events", "recall5")]).terms == ()
