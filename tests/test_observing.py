"""Whoever opens a memory with an observer is told of every change, and of remembered vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.errors import BadInput
from scrubjay.memory import Memory
from scrubjay.trace import SPANS_MAX, Operation, Trace, observed


class Notes:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.hits = self.misses = 0

    def ended(self, operation: Operation) -> None:
        self.operations.append(operation)

    def looked_up(self, *, hits: int, misses: int) -> None:
        self.hits += hits
        self.misses += misses

    @property
    def names(self) -> list[str]:
        return [operation.name for operation in self.operations]


def test_every_change_is_told_once_with_its_stages_in_order(tmp_path: Path) -> None:
    notes = Notes()
    with Memory.open(":memory:", encoder="hash", reranker=None, observer=notes) as memory:
        first = memory.retain("The bell rings at noon.", bank="tower").id
        memory.update(first, text="The bell rings at one.", bank="tower")
        memory.supersede(first, "The bell is silent.", bank="tower")
        memory.export(tmp_path / "tower.jsonl", bank="tower")
        memory.import_(tmp_path / "tower.jsonl", bank="copy")
        memory.reembed("hash", bank="tower")
        memory.forget(first, bank="tower", compact=True)
    assert notes.names == [
        "retain", "update", "supersede", "export", "import", "reembed", "forget",
    ]  # fmt: skip
    stages = {one.name: [span.name for span in one.spans] for one in notes.operations}
    assert stages["retain"] == [
        "check", "recognise", "types", "times", "names", "words", "vectors", "entities", "links",
        "save",
    ]  # fmt: skip
    assert stages["supersede"][-2:] == ["links", "save"]
    assert stages["forget"] == ["match", "erase", "compact"]
    assert [one.bank for one in notes.operations][4] == "copy"
    for one in notes.operations:
        assert one.failure is None
        assert all(0 <= span.start_ms <= span.end_ms <= one.duration_ms for span in one.spans)


def test_a_change_that_fails_is_told_with_the_error_s_name() -> None:
    notes = Notes()
    with Memory.open(":memory:", encoder="hash", reranker=None, observer=notes) as memory:
        with pytest.raises(BadInput):
            memory.retain("A beacon.", type="beacon")
        assert [(one.name, one.failure) for one in notes.operations] == [("retain", "BadInput")]


def test_questions_asked_again_are_told_as_remembered() -> None:
    notes = Notes()
    with Memory.open(":memory:", encoder="hash", reranker=None, observer=notes) as memory:
        memory.retain("The bell rings at noon.")
        for question in ("bell?", "ringing?", "bell?"):
            memory.recall(question)
    assert (notes.hits, notes.misses) == (1, 2)


def test_a_trace_stays_small_however_long_the_work() -> None:
    notes = Notes()
    with observed("import", "tower", notes) as trace:
        for _ in range(SPANS_MAX + 10):
            with trace.stage("save"):
                pass
    assert isinstance(trace, Trace)
    assert len(notes.operations[0].spans) == SPANS_MAX
