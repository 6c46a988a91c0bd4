"""Relevance is a probability: what is not in a bank is said not to be there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from scrubjay.engine.presets import PRESETS
from scrubjay.engine.relevance import fitted
from scrubjay.memory import Memory
from scrubjay.testing import FixedClock

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
TOLD = (
    "The kiln was fired to 1,240 degrees for the stoneware glaze.",
    "Ines keeps the wax resist on the top shelf, next to the sieves.",
    "The clay supplier in Stoke delivers on the first Tuesday of the month.",
    "Ravi's celadon bowls cracked because the bisque was still damp.",
    "The studio rent went up to 640 pounds in January.",
    "Evening classes are on Wednesdays, eight students at most.",
    "Ines is allergic to talc, so the casting slip must be talc-free.",
    "The big wheel squeaks; Ravi oils it every second week.",
    "Cobalt carbonate is almost used up, order 500 grams.",
    "The spring fair in Hebden gave us a table by the entrance.",
    "Glaze tests 14 to 22 are on the drying rack by the window.",
    "The raku burner was borrowed from Tom and has to go back.",
)
ANSWERED = {
    "How hot was the kiln for the glaze?": "1,240",
    "What is Ines allergic to?": "talc",
    "When does the clay supplier deliver?": "Tuesday",
    "How much is the studio rent?": "640",
    "Why did the celadon bowls crack?": "damp",
    "Who lent us the raku burner?": "Tom",
}
ABSENT = (
    "Which visa does the nanny need for Canada?",
    "What did the vet say about the horse's hoof?",
    "How many goals did Real Madrid score?",
)
# Absent, too, but .146 likely where the floor is .144: a raku burner that "has to go back" is, to
# the encoder, a little like what somebody signs off.
AT_THE_FLOOR = "Who signed off the Kubernetes migration?"


def opened() -> Memory:
    return Memory.open(":memory:", encoder="scrubjay-small", reranker=None, clock=FixedClock(NOW))


@pytest.fixture(scope="module")
def pottery() -> Iterator[Memory]:
    with opened() as memory:
        memory.retain(list(TOLD))
        yield memory


@pytest.mark.parametrize("question", ["Zzyzx qwv?", "How do I fix the dishwasher?"])
def test_of_two_memories_neither_is_relevant_for_being_the_only_ones(question: str) -> None:
    with opened() as memory:
        memory.retain(["My rabbit is called Clover.", "A fine name."])
        assert memory.recall(question).nothing_relevant
        assert not memory.recall("What is my rabbit called?").nothing_relevant


@pytest.mark.parametrize("question", ANSWERED)
def test_what_is_remembered_is_the_likeliest_and_is_shown(pottery: Memory, question: str) -> None:
    found = pottery.recall(question)
    assert not found.nothing_relevant
    assert ANSWERED[question] in found.items[0].text
    assert found.items[0].relevance == max(item.relevance for item in found)
    assert found.items[0].relevance > 0.3
    assert ANSWERED[question] in found.as_context()


@pytest.mark.parametrize("question", ABSENT)
def test_of_what_is_absent_nothing_is_relevant_and_no_text_shows_it(
    pottery: Memory, question: str
) -> None:
    found = pottery.recall(question)
    assert found.nothing_relevant
    assert found.relevant == ()
    assert all(item.relevance < 0.15 for item in found)
    assert found.as_context() == "<memories>\nNothing relevant is remembered.\n</memories>"


def test_what_is_absent_and_just_not_said_to_be_has_little_relevance(pottery: Memory) -> None:
    found = pottery.recall(AT_THE_FLOOR)
    assert all(item.relevance < 0.35 for item in found)
    assert sum(item.relevance for item in found) < 0.5


def test_the_caller_may_still_look_and_a_floor_that_is_given_decides(pottery: Memory) -> None:
    assert pottery.recall(ABSENT[-1]).items
    found = pottery.recall(ABSENT[-1], min_score=0.0)
    assert not found.nothing_relevant
    assert found.relevant == found.items
    assert "<memory " in found.as_context()
    assert pottery.recall(next(iter(ANSWERED)), min_score=0.99).nothing_relevant


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_the_same_scale(pottery: Memory, preset: str) -> None:
    for question in ANSWERED:
        usual = {item.id: item.relevance for item in pottery.recall(question)}
        best = max(pottery.recall(question, preset=preset), key=lambda item: item.relevance)
        assert best.relevance == pytest.approx(usual[best.id], abs=0.15)
    assert all(pottery.recall(one, preset=preset).nothing_relevant for one in ABSENT)


def test_without_an_encoder_words_alone_are_weighed() -> None:
    with Memory.open(":memory:", encoder=None, clock=FixedClock(NOW)) as memory:
        memory.retain(list(TOLD))
        (item, *_) = memory.recall("How hot was the kiln for the glaze?")
        assert "1,240" in item.text
        assert 0.2 < item.relevance < 1
        assert memory.recall("Which visa does the nanny need?").nothing_relevant


def test_an_encoder_nobody_looked_at_does_not_decide_that_nothing_is_relevant() -> None:
    model = fitted()
    assert model.other_encoder.floor == 0
    assert 0 < model.encoders["scrubjay-small"].floor < 0.2


def test_a_traced_answer_gives_the_signals_of_each_item(pottery: Memory) -> None:
    found = pottery.recall("How hot was the kiln for the glaze?", trace=True)
    assert found.trace is not None
    traced = found.trace["relevance"]
    assert isinstance(traced, dict)
    assert list(traced["signals"]) == ["words", "path", "window", "meaning"]
    assert all(len(values) == len(found) for values in traced["signals"].values())


def test_an_answer_says_which_value_is_asked_for_and_given_by_no_item(pottery: Memory) -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        memory.retain(["The kiln is rented from Tom.", "The kiln is by the door."])
        found = memory.recall("How much does the kiln cost?")
        assert found.missing == "a price"
        assert "\nNone of them gives a price.\n" in found.as_context()
        assert memory.recall("Where is the kiln?").missing is None
        memory.retain("The kiln costs 80 pounds a month.")
        assert memory.recall("How much does the kiln cost?").missing is None
    assert pottery.recall("How much is the studio rent?").missing is None


def test_an_answer_names_the_words_of_the_question_that_no_item_has(pottery: Memory) -> None:
    near = pottery.recall("What is the passport number of Ines?")
    assert near.items
    assert near.missing_words is not None
    assert "passport" in near.missing_words
    assert "ines" not in near.missing_words
    assert near.to_dict()["missing_words"] == [*near.missing_words]
    # An inflected word is the same word; a time is compared, not looked for.
    asked = pottery.recall("Who borrows the raku burners on Wednesdays?")
    assert asked.missing_words is None
    assert "missing_words" not in asked.to_dict()
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        memory.retain("Tom bought a sieve.")
        assert memory.recall("Did Tom buy a sieve?").missing_words is None
        assert memory.recall("Did Tom sell a sieve?").missing_words == ("sell",)


def test_of_several_banks_no_value_or_word_is_missing_that_any_of_them_gives() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        memory.retain("The kiln is rented from Tom.", bank="yard")
        memory.retain("The kiln costs 80 pounds a month.", bank="books")
        question = "How much does the kiln cost a month?"
        assert memory.recall(question, bank="yard").missing == "a price"
        assert memory.recall(question, bank="yard").missing_words == ("cost", "month")
        both = memory.recall_across(question, ["yard", "books"])
        assert both.missing is None
        assert both.missing_words is None


CODED = (
    "Ticket MX-24016 is about the printer on the second floor.",
    "The order 2025-180 ships on Friday.",
    "Part GR2291 fits the old pump.",
)


@pytest.fixture(scope="module")
def tickets() -> Iterator[Memory]:
    with opened() as memory:
        memory.retain(list(CODED))
        yield memory


@pytest.mark.parametrize(
    "question", ["What is MX-24017?", "What is 2025-181?", "GR2292", "Was ist RN-73704?"]
)
def test_a_code_that_was_never_told_is_not_taken_for_the_one_beside_it(
    tickets: Memory, question: str
) -> None:
    found = tickets.recall(question)
    assert found.nothing_relevant
    assert not any(item.relevance for item in found)
    assert found.parsed.unheard
    assert not tickets.recall(question, min_score=0).nothing_relevant, "all is asked for"


@pytest.mark.parametrize(
    "question",
    ["What is MX-24016?", "mx24016", "What is 2025-180?", "2025/180", "What about GR-2291?"],
)
def test_a_code_is_found_with_other_signs_between_its_parts(tickets: Memory, question: str) -> None:
    found = tickets.recall(question)
    assert not found.parsed.unheard
    assert not found.nothing_relevant


@pytest.mark.parametrize(
    "question",
    ["Which floor has the printer of MX-24017?", "What is on the 747?", "Anything about covid-19?"],
)
def test_what_is_said_beside_a_code_or_with_few_digits_is_searched_as_ever(
    tickets: Memory, question: str
) -> None:
    assert not tickets.recall(question).parsed.unheard


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("Seit Mai heizen wir mit Pellets.", "Welchen Brennstoff nehmen wir?"),
        ("Quarterly figures were discussed.", "Who called on 18 March?"),
        ("Never send a letter without a stamp.", "Draft a note to the zoo keeper."),
    ],
    ids=["not in English", "told in the window", "an instruction applies"],
)
def test_what_the_signals_cannot_tell_is_not_said_to_be_absent(told: str, question: str) -> None:
    when = datetime(2026, 3, 18, 9, tzinfo=UTC)
    with opened() as memory:
        memory.retain([told], told_at=when)
        assert not memory.recall(question).nothing_relevant
