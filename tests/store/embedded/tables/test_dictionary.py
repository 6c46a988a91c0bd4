"""What the dictionary keeps between questions, and when it lets go of it."""

import sqlite3
from collections.abc import Iterator

import pytest

from scrubjay.store.embedded.tables.dictionary import Dictionary
from scrubjay.store.shared.statements import read_sql


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(":memory:")
    opened.executescript(read_sql("scrubjay.store.embedded", "schema.sql"))
    yield opened
    opened.close()


def read_by(dictionary: Dictionary, connection: sqlite3.Connection, *words: str) -> list[str]:
    """The statements that looking the words up takes."""
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    dictionary.look_up(connection, words)
    connection.set_trace_callback(None)
    return statements


def test_a_word_is_read_once_also_when_the_bank_does_not_know_it(
    connection: sqlite3.Connection,
) -> None:
    dictionary = Dictionary()
    dictionary.remember(dictionary.assign(connection, {"heron": 1}))
    assert dictionary.look_up(connection, ["heron", "osprey"]) == {"heron": 1}
    assert read_by(dictionary, connection, "heron", "osprey") == []
    assert len(read_by(dictionary, connection, "heron", "osprey", "kite")) == 1


def test_a_word_asked_for_before_it_was_told_is_found_afterwards(
    connection: sqlite3.Connection,
) -> None:
    dictionary = Dictionary()
    assert dictionary.look_up(connection, ["osprey"]) == {}
    told = dictionary.assign(connection, {"osprey": 1})
    dictionary.remember(told)
    assert dictionary.look_up(connection, ["osprey"]) == told.ids == {"osprey": 1}


def test_after_forgetting_words_are_read_again(connection: sqlite3.Connection) -> None:
    dictionary = Dictionary()
    dictionary.look_up(connection, ["osprey"])
    connection.execute("INSERT INTO terms VALUES (7, 'osprey', 1)")
    dictionary.forget_all()
    assert dictionary.look_up(connection, ["osprey"]) == {"osprey": 7}
