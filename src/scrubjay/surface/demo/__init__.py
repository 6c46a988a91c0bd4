"""A short story and questions about it: what each way of searching is for, shown in a minute."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib import resources

from scrubjay.answers import Item, Recall
from scrubjay.memory import Memory

BANK = "demo"
PRESETS = ("dense_fts", "polyant", "tempr", "hindsight", "recall5", "default")
# An expected memory further down than this counts as missing.
PLACES = 5
# The way of searching that needs a model.
_MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the way of searching it needs, and the keys of the memories it should find."""

    question: str
    needs: str
    expects: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Script:
    """The questions, when they are asked, and in plain words what each retriever finds by."""

    now: datetime
    ways: Mapping[str, str]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its answer; `missing` are expected keys not among the first five."""

    asked: Question
    recall: Recall
    ways: Mapping[str, str]

    @property
    def missing(self) -> tuple[str, ...]:
        """Expected memories that are not near the top."""
        near = {item.key for item in self.recall.items[:PLACES]}
        return tuple(key for key in self.asked.expects if key not in near)

    @property
    def verdict(self) -> str:
        """`missing`, or `first` if an expected memory leads the answer, or `found`."""
        if self.missing:
            return "missing"
        return "first" if self.expected(self.recall.items[0]) else "found"

    @property
    def without_meaning(self) -> bool:
        """Whether the search by meaning could not run."""
        return any(self.ways.get(part.retriever) == _MEANING for part in self.recall.degraded)

    def expected(self, item: Item) -> bool:
        """Whether an item is one the question should find."""
        return item.key in self.asked.expects


def read_script() -> Script:
    """The questions that come with the story."""
    text = resources.files(__name__).joinpath("questions.json").read_text(encoding="utf-8")
    given = json.loads(text)
    return Script(
        datetime.fromisoformat(given["now"]),
        given["ways"],
        tuple(
            Question(one["question"], one["needs"], tuple(one["expects"]), one["why"])
            for one in given["questions"]
        ),
    )


def tell_story(memory: Memory, progress: Callable[[int, int], None]) -> int:
    """Retain the story in the demo bank; how many memories it has."""
    with resources.as_file(resources.files(__name__).joinpath("story.jsonl")) as path:
        return memory.import_(path, bank=BANK, progress=progress).lines


def ask(memory: Memory, script: Script, preset: str = "default") -> list[Answered]:
    """Ask every question at the story's end."""
    return [
        Answered(
            question,
            memory.recall(question.question, bank=BANK, now=script.now, preset=preset),
            script.ways,
        )
        for question in script.questions
    ]
