"""A store is built once, and a build that was cut off ends up like one that was not."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict
from pathlib import Path

import pytest
from bench.corpus.clustered import BLOCK_UNITS, VERSION, Corpus
from bench.scale import churn
from bench.scale.building import NOTE, Built, built, open_bank
from bench.scale.encoder import PIN
from bench.scale.subject import Subject
from bench.scale.writing import UnitWriter, unit_id

from scrubjay.memory import Memory
from scrubjay.types.graph import LinkKind


def rows_of(store: Path) -> dict[str, list[tuple[object, ...]]]:
    (path,) = store.glob("banks/*/bank.db")
    connection = sqlite3.connect(path)
    try:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    finally:
        connection.close()


@pytest.mark.slow
def test_a_resumed_build_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    corpus = Corpus(BLOCK_UNITS + 150)
    whole, _ = built(corpus, tmp_path / "whole")
    cut = tmp_path / "cut" / "store"
    with open_bank(cut) as bank:
        bank.pin_encoder(PIN)
        UnitWriter(bank).write(list(corpus.block(0).units()))
    note = Built(VERSION, corpus.seed, corpus.units, starts=1)
    (cut.parent / NOTE).write_text(json.dumps(asdict(note)), encoding="utf-8")
    resumed, build = built(corpus, cut.parent)
    assert build.starts == 2
    assert rows_of(resumed) == rows_of(whole)


def test_a_built_store_is_kept_and_one_of_another_corpus_is_not(tmp_path: Path) -> None:
    store, build = built(Corpus(40), tmp_path)
    assert build.finished
    made = (store / "registry.db").stat().st_ino
    again, same = built(Corpus(40), tmp_path)
    assert (again, same) == (store, build)
    assert (store / "registry.db").stat().st_ino == made
    _, other = built(Corpus(40, seed=2), tmp_path)
    assert other.seed == 2


def test_units_are_linked_to_earlier_ones_of_their_topic_and_to_their_causes(
    tmp_path: Path,
) -> None:
    corpus = Corpus(600)
    store, _ = built(corpus, tmp_path)
    caused = next(unit for unit in corpus.units_from() if unit.causes is not None)
    with open_bank(store) as bank:
        assert bank.unit_count() == 600
        assert bank.encoder == PIN
        links = bank.links(unit_id(caused.number))
        kinds = {link.kind for unit in range(400, 500) for link in bank.links(unit_id(unit))}
    causes = [link.target for link in links if link.kind is LinkKind.CAUSED_BY]
    assert unit_id(caused.causes or 0) in causes
    assert LinkKind.SEMANTIC in kinds


def test_an_entity_of_many_units_is_one_entity(tmp_path: Path) -> None:
    corpus = Corpus(BLOCK_UNITS + 400)
    store, _ = built(corpus, tmp_path)
    names = [name.folded for unit in corpus.units_from() for name in unit.names]
    with open_bank(store) as bank:
        (most,) = bank.entities(limit=1, offset=0, containing=None)
        assert bank.stats().entities == len(set(names))
    assert most.mentions == max(names.count(name) for name in set(names[:200]))


@pytest.mark.parametrize("banks", [1, 7])
def test_bank_sizes_fall_and_add_up(banks: int) -> None:
    sizes = churn.bank_sizes(banks, 700)
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == banks
    assert min(sizes) >= 1
    assert sum(sizes) == pytest.approx(700, abs=banks)


def test_a_bank_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    subject = Subject(tmp_path, units=60, questions=5, banks=4)
    churn.build(subject)
    with Memory.open(subject.store, encoder=None, reranker=None) as memory:
        memory.delete_bank(churn.bank_name(3))
    assert churn.build(subject)["banks_built"] == 1
    assert churn.build(subject)["banks_built"] == 0
