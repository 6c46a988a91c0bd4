"""What is said of answers is kept, travels, is forgotten with its units, and tunes a bank."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay import BadInput, Memory, NotFound
from scrubjay.types.units import Unit

THINGS = (
    "kettle", "lantern", "saddle", "violin", "anchor", "carpet", "ladder", "mirror", "barrel",
    "candle", "shovel", "helmet", "basket", "curtain",
)  # fmt: skip


def ask(thing: str) -> str:
    return f"Which {thing} did I choose?"


@pytest.fixture
def judged(memory: Memory) -> dict[str, str]:
    """Of each thing, the id of what answers: here the assistant keeps what the user forgets."""
    answers: dict[str, str] = {}
    for thing in THINGS:
        told = [
            Unit(f"I did look at every {thing} in the shop.", speaker="user", type="fact"),
            Unit(f"You did choose a {thing} of oak.", speaker="assistant", type="fact"),
        ]
        answers[thing] = memory.retain(told).ids[1]
    return answers


def told_of(memory: Memory, path: Path) -> list[dict[str, object]]:
    memory.export(path)
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line["kind"] == "feedback"]


def test_feedback_tunes_a_bank_and_can_be_undone(memory: Memory, judged: dict[str, str]) -> None:
    for thing, unit in judged.items():
        recall = memory.recall(ask(thing))
        assert recall.items[0].id != unit
        memory.feedback(recall, used=[unit])
    tuned = memory.tune()
    assert tuned.questions == len(THINGS)
    assert tuned.changed
    assert tuned.after.first > tuned.before.first
    assert tuned.weights["assistant"] < 1 == tuned.weights["semantic"]
    assert memory.bank().settings.weights == tuned.weights
    right = sum(memory.recall(ask(thing)).items[0].id == unit for thing, unit in judged.items())
    assert right > len(THINGS) / 2

    memory.undo_tune()
    assert memory.bank().settings.weights == {}
    assert memory.recall(ask("kettle")).items[0].id != judged["kettle"]


def test_too_little_feedback_is_refused_and_changes_nothing(
    memory: Memory, judged: dict[str, str]
) -> None:
    for _ in range(20):
        memory.feedback(memory.recall(ask("kettle")), used=[judged["kettle"]])
    with pytest.raises(BadInput, match="at least 12"):
        memory.tune()
    assert memory.bank().settings.weights == {}


def test_feedback_travels_and_is_forgotten_with_its_units(
    memory: Memory, judged: dict[str, str], tmp_path: Path
) -> None:
    recall = memory.recall(ask("violin"))
    memory.feedback(recall, used=[judged["violin"]], missed=[judged["anchor"]])
    (line,) = told_of(memory, tmp_path / "bank.jsonl")
    assert line["question"] == ask("violin")
    assert line["used"] == [judged["violin"]]
    assert line["missed"] == [judged["anchor"]]
    memory.import_(tmp_path / "bank.jsonl", bank="copy")
    memory.import_(tmp_path / "bank.jsonl", bank="copy")
    memory.bank("copy").export(tmp_path / "copy.jsonl")
    assert json.dumps(line, ensure_ascii=False) in (tmp_path / "copy.jsonl").read_text("utf-8")

    memory.update(judged["violin"], text="The violin you did choose is from Cremona.")
    assert told_of(memory, tmp_path / "bank.jsonl") == [line]
    memory.forget(judged["kettle"])
    assert told_of(memory, tmp_path / "bank.jsonl") == [line]
    # The question may tell what was forgotten, so it does not stay for the sake of the other.
    memory.forget(judged["anchor"])
    assert told_of(memory, tmp_path / "bank.jsonl") == []


def test_feedback_of_nothing_or_of_what_is_not_there_is_refused(
    memory: Memory, judged: dict[str, str], tmp_path: Path
) -> None:
    recall = memory.recall(ask("mirror"))
    with pytest.raises(BadInput, match="without a unit"):
        memory.feedback(recall)
    with pytest.raises(BadInput, match="at once"):
        memory.feedback(recall, used=[judged["mirror"]], missed=[judged["mirror"]])
    with pytest.raises(NotFound, match="nobody"):
        memory.feedback(recall, used=[judged["mirror"], "nobody"])
    with pytest.raises(BadInput, match="question"):
        memory.feedback(7, used=[judged["mirror"]])  # type: ignore[arg-type]
    assert told_of(memory, tmp_path / "bank.jsonl") == []


@pytest.mark.parametrize("weights", [{"smell": 1.0}, {"lexical": -1}, {"lexical": 9}, [1], "x"])
def test_weights_that_cannot_be_are_refused(memory: Memory, weights: object) -> None:
    with pytest.raises(BadInput):
        memory.bank("other", weights=weights)


def test_a_bank_may_be_given_weights_by_hand(memory: Memory) -> None:
    bank = memory.bank("other", weights={"lexical": 2})
    assert bank.settings.weights == {"lexical": 2}
    (lexical,) = [one for one in bank.plan("Why?").retrievers if one.retriever == "lexical"]
    (usual,) = [one for one in memory.plan("Why?").retrievers if one.retriever == "lexical"]
    assert lexical.weight == 2 * usual.weight


def test_a_question_that_is_no_text_is_refused_and_not_kept(memory: Memory, tmp_path: Path) -> None:
    unit = memory.retain("The kettle is of oak.").ids[0]
    with pytest.raises(BadInput, match=r"question: '.ud800'"):
        memory.feedback("\ud800", used=[unit])
    assert told_of(memory, tmp_path / "bank.jsonl") == []
