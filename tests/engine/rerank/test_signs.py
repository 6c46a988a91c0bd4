from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from scrubjay.engine.rerank.window_fit import CountedTimes, fit
from scrubjay.memory import Memory
from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.testing import FixedClock
from scrubjay.types.units import Unit
from scrubjay.types.values import Window

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
IN_PART = CountedTimes(happened=0.4)


def columns(told: list[int], happened: list[int | None]) -> Columns:
    def micros(day: int | None) -> int:
        return NO_TIME if day is None else to_micros(NOW + timedelta(days=day))

    size = len(told)
    start = np.array([micros(day) for day in happened], np.int64)
    return Columns(
        rows=np.arange(size),
        types=np.zeros(size, np.uint8),
        told_at=np.array([micros(day) for day in told], np.int64),
        occurred_start=start,
        occurred_end=start,
        valid_from=np.full(size, NO_TIME),
        valid_to=np.full(size, NO_TIME),
        sessions=np.full(size, -1, np.int32),
        tokens=np.ones(size, np.int32),
    )


def test_what_was_told_in_the_window_fits_whole_and_what_only_happened_in_it_in_part() -> None:
    window = Window(NOW - timedelta(days=1), NOW + timedelta(days=1))
    found = fit(columns([0, 9, 9], [None, 0, 5]), window, IN_PART)
    assert found.tolist() == [1.0, 0.4, 0.0]


def test_what_is_told_soon_after_the_window_may_tell_of_it_and_fades_over_a_week() -> None:
    window = Window(NOW - timedelta(days=1), NOW)
    found = fit(columns([-2, 0, 1, 7, 70], [None] * 5), window, CountedTimes(afterwards=0.5))
    assert found.tolist() == pytest.approx([0.0, 1.0, 0.5 * 6 / 7, 0.0, 0.0])


def test_what_was_told_before_a_window_may_have_held_in_it_and_what_came_since_did_not() -> None:
    window = Window(NOW - timedelta(days=10), NOW - timedelta(days=5))
    found = fit(columns([-30, -7, -1], [None] * 3), window, CountedTimes(before=0.8))
    assert found.tolist() == [0.8, 1.0, 0.0]


def test_a_question_for_what_held_is_answered_by_what_was_told_before_and_not_since() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    for days, text in (
        (90, "A week at the quay berth is 40."),
        (40, "Lunch at the quay, then rope was scrubbed."),
        (20, "A week at the quay berth is 55."),
    ):
        memory.retain(text, told_at=NOW - timedelta(days=days))
    # Between the two prices only the lunch was told.
    then = memory.recall("How much was a week at the quay berth in January?")
    assert "40" in then.items[0].text
    assert "55" in memory.recall("How much is a week at the quay berth?").items[0].text
    assert "scrubbed" in memory.recall("What happened at the quay in January?").items[0].text


def test_an_open_window_fits_everything_on_its_side() -> None:
    found = fit(columns([-9, 9], [None, None]), Window(NOW, None), IN_PART)
    assert found.tolist() == [0.0, 1.0]


def test_where_units_are_of_the_type_asked_for_the_words_of_who_is_named_count_half() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    note = Unit("Ada wants her tar thick, and warm.", type="preference")
    said = Unit("Rope and tar came up.", speaker="Ada", session="one", type="message")
    memory.retain([note, said])
    asked = "How does Ada like her tar?"
    signs = {item.speaker: item.why.signs for item in memory.recall(asked)}
    alone = {item.speaker: item.why.signs for item in memory.recall(asked, types=["message"])}
    assert signs[None]["type"] > 0
    assert signs["Ada"]["speaker"] == pytest.approx(0.5 * alone["Ada"]["speaker"])


def test_what_happens_this_month_comes_before_what_was_said_this_month_of_a_later_one() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    memory.retain("The fair is in the harbour on 20 March.", told_at=NOW - timedelta(days=30))
    memory.retain("The fair is in the harbour on 20 July.", told_at=NOW - timedelta(days=1))
    ahead = memory.recall("What is on at the harbour fair this month?")
    assert "March" in ahead.items[0].text
    signs = [item.why.signs["window"] for item in ahead]
    assert signs[0] > signs[1] > 0
    told = memory.recall("What was said of the harbour fair this month?")
    assert "July" in told.items[0].text


@pytest.fixture
def talk() -> Memory:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    memory.retain(
        [
            Unit("Rope and tar came up in the harbour.", speaker="Ada", session="one"),
            Unit("Rope and tar came up in the harbour too.", speaker="Bo", session="one"),
        ],
        type="message",
    )
    return memory


def test_the_words_of_the_one_person_named_come_first_and_say_so(talk: Memory) -> None:
    for name in ("Ada", "Bo"):
        found = talk.recall(f"What did {name} say about rope in the harbour?")
        assert found.items[0].speaker == name
        assert found.items[0].why.signs["speaker"] > 0
        assert "speaker" not in found.items[1].why.signs


def test_two_people_named_favour_neither(talk: Memory) -> None:
    found = talk.recall("What did Ada and Bo say about rope?")
    assert all("speaker" not in item.why.signs for item in found)


def test_a_stated_day_puts_what_was_told_on_it_before_better_matches() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    memory.retain("The picnic basket, the picnic blanket and the picnic table.", told_at=NOW)
    memory.retain("We had a picnic.", told_at=NOW - timedelta(days=3))
    found = memory.recall("What about the picnic three days ago?")
    assert found.items[0].text == "We had a picnic."
    assert found.items[0].why.signs["window"] > 0


def test_a_type_the_question_implies_counts_and_hides_nothing_of_other_types() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    memory.retain("Tea and reports and tea again.", type="fact")
    memory.retain("Reports on one side of paper.", type="preference")
    found = memory.recall("How do I like my reports?")
    assert [item.type for item in found] == ["preference", "fact"]
    assert found.items[0].why.signs["type"] > 0
    assert "type" not in found.items[1].why.signs


def test_the_assistants_own_words_count_less_when_users_ask_of_themselves() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    said = "The ferry to the island leaves from pier nine"
    memory.retain([Unit(f"{said}.", speaker="assistant"), Unit(f"{said}!", speaker="user")])
    mine = memory.recall("When does my ferry to the island leave?")
    assert mine.items[0].speaker == "user"
    assert mine.items[1].why.signs["assistant"] < 0
    yours = memory.recall("What did you tell me about the ferry to the island?")
    assert all("assistant" not in item.why.signs for item in yours)
    politely = memory.recall("Can you tell me when my ferry to the island leaves?")
    assert politely.items[0].speaker == "user"
    assert politely.items[1].why.signs["assistant"] == mine.items[1].why.signs["assistant"]
    for question in ("When does the ferry leave?", "Could you please tell me when it leaves?"):
        impersonal = memory.recall(f"{question} The ferry to the island.")
        taken = next(item.why.signs["assistant"] for item in impersonal if "." in item.text)
        assert mine.items[1].why.signs["assistant"] < taken < 0


def test_what_an_assistant_found_out_loses_nothing_by_who_said_it() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    found = "The import of my ledger failed because the header row was empty."
    offered = "I can look at the import of my ledger again if you want."
    told = "Noted: the import of my ledger."
    memory.retain([Unit(text, speaker="assistant") for text in (found, offered, told)])
    recalled = memory.recall("Why did the import of my ledger fail?")
    signs = {item.text: item.why.signs for item in recalled}
    assert "assistant" not in signs[found]
    assert signs[offered]["assistant"] == signs[told]["assistant"] < 0


def test_a_long_unit_gains_less_by_its_neighbours_than_a_short_one() -> None:
    short = "The harbour was not big enough for ships."
    with Memory.open(":memory:", encoder=None, reranker=None, clock=FixedClock(NOW)) as memory:
        memory.retain(
            [Unit(f"Nothing of note on page {n}.", session=f"log {n}") for n in range(100)]
            + [
                Unit(text, session=name)
                for name, said in (("short", short), ("long", " ".join([short] * 20)))
                for text in (f"The harbour wanted a crane, said the {name} council.", said)
            ],
            type="message",
        )
        found = [item for item in memory.recall("harbour crane council") if short in item.text]
        brief, lengthy = sorted(found, key=lambda item: item.tokens)
        gained = {item.tokens: item.why.signs["neighbours"] for item in found}
        assert gained[lengthy.tokens] == pytest.approx(
            gained[brief.tokens] * 100 / lengthy.tokens, rel=0.2
        )


def test_a_turn_of_hardly_any_words_loses_by_it_and_one_that_says_something_does_not() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    memory.retain(["The ferry?", "The ferry leaves from pier nine at a quarter past six."])
    signs = {len(item.text): item.why.signs for item in memory.recall("ferry")}
    assert signs[min(signs)]["brief"] < 0
    assert "brief" not in signs[max(signs)]


def test_of_two_alike_the_newer_comes_first() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    memory.retain("Bo keeps the ferry book.", told_at=NOW - timedelta(days=40))
    memory.retain("Bo keeps the ferry book!", told_at=NOW - timedelta(days=400))
    assert memory.recall("Who keeps the ferry book?").items[0].text.endswith(".")


@pytest.mark.parametrize(
    ("question", "says_now"),
    [
        ("Which tea does the crew drink these days?", True),
        ("Which tea does the crew still drink?", True),
        ("Welchen Tee trinkt die crew jetzt?", True),
        ("Which tea does the crew drink?", False),
        ("Which tea did the crew drink before the one of now?", False),
    ],
)
def test_who_says_now_gets_what_was_told_of_late(question: str, says_now: bool) -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    for days, text in ((400, "The crew drink mint tea, which."), (20, "For the crew rooibos tea.")):
        memory.retain(text, told_at=NOW - timedelta(days=days))
    older = next(i for i in memory.recall(question).items if "mint" in i.text)
    lost = -older.why.signs["age"]
    assert lost == pytest.approx((0.1 if says_now else 0.012) * 400 / 365, rel=1e-3)


def test_a_turn_gains_by_what_its_neighbours_score_and_one_that_stands_alone_does_not() -> None:
    with Memory.open(":memory:", encoder=None, reranker=None, clock=FixedClock(NOW)) as memory:
        memory.retain(
            [Unit(f"Nothing of note on page {n}.", session=f"log {n}") for n in range(100)]
            + [
                Unit("The harbour got a crane.", session="alone"),
                Unit("The harbour wanted a crane, said the council.", session="council"),
                Unit("The harbour was not big enough.", session="council"),
                Unit("A crane needs a pier in the harbour.", session="council"),
            ],
            type="message",
        )
        found = memory.recall("harbour crane council pier")
        between = next(item for item in found if "big enough" in item.text)
        alone = next(item for item in found if "got a crane" in item.text)
        assert between.why.signs["neighbours"] > 0
        assert alone.why.signs.get("neighbours", 0) == 0


def test_a_question_how_gets_what_tells_the_steps_before_what_only_mentions_it() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    memory.retain("The boiler was drained on Monday.")
    steps = "Boiler: close the red tap, open the valve below, wait, then shut it again."
    memory.retain(steps)
    found = memory.recall("How do I drain the boiler?")
    assert found.items[0].text == steps
    assert found.items[0].why.signs["form"] > 0
    assert "form" not in memory.recall("When was the boiler drained?").items[0].why.signs


def test_a_question_why_counts_it_for_a_unit_that_it_gives_a_reason() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    reason = "The bridge was closed because the bearings had rusted."
    memory.retain([reason, "The bridge was closed to all traffic in the spring."])
    found = memory.recall("Why was the bridge closed?")
    assert found.items[0].text == reason
    signs = {item.text: item.why.signs.get("form", 0.0) for item in found}
    assert signs[reason] > 0
    assert sum(map(bool, signs.values())) == 1


def test_when_something_is_to_be_done_says_little_of_what_there_is_to_know_for_it() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    memory.retain("The crane stands in the yard.", told_at=NOW - timedelta(hours=1))
    asked = memory.recall("What is in the yard today?")
    ordered = memory.recall("Move the crane out of the yard today.")
    assert asked.items[0].why.signs["window"] > 0
    assert "window" not in ordered.items[0].why.signs or ordered.items[0].why.signs["window"] == 0


def test_what_should_be_on_a_day_ahead_was_told_on_any_other() -> None:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    memory.retain("The crane stands in the yard.", told_at=NOW - timedelta(hours=1))
    due = memory.recall("What should the crane lift in the yard today?")
    held = memory.recall("What does the crane lift in the yard today?")
    assert due.items[0].why.signs.get("window", 0.0) < held.items[0].why.signs["window"]


def chat(*turns: str) -> Memory:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW))
    speakers = ("user", "assistant")
    memory.retain(
        [Unit(text, speaker=speakers[n % 2], session="chat") for n, text in enumerate(turns)],
        type="message",
    )
    return memory


def test_who_asks_the_same_again_gets_what_was_said_to_it_and_not_the_question() -> None:
    rest = [f"We take boat {n} to the pier of the island." for n in range(6)]
    with chat(
        "Which boat should we take to the island?", "The blue boat, it has a cabin.", *rest
    ) as memory:
        found = memory.recall("Which boat do we take to the island?")
        signs = {item.text: item.why.signs for item in found}
        assert signs["Which boat should we take to the island?"]["question"] < 0
        assert signs["The blue boat, it has a cabin."]["reply"] > 0
        assert all("reply" not in signs[text] for text in rest)
        asked = memory.recall("What did I ask about the boat to the island?")
        assert all("question" not in item.why.signs for item in asked)


def test_a_turn_that_says_no_time_loses_where_one_asks_when() -> None:
    opening, told = "Help me plan the party of Ida.", "She says the party of Ida is on the 26th."
    with chat(opening, "Sure.", told) as memory:
        when = {i.text: i.why.signs for i in memory.recall("When is the party of Ida?")}
        assert when[opening]["lacking"] < 0
        assert "lacking" not in when[told]
        who = {i.text: i.why.signs for i in memory.recall("Who plans the party of Ida?")}
        assert all("lacking" not in signs for signs in who.values())


def test_a_note_is_not_held_to_what_a_turn_is() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        memory.retain(["Which boat should we take?", "The boat is blue."])
        for item in memory.recall("When does the boat leave?"):
            assert {"question", "reply", "lacking"}.isdisjoint(item.why.signs)
