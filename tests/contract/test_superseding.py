"""One unit takes over from another: when, in which order, and what is left when one is erased."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scrubjay import BadInput, Memory, NotFound, Unit
from scrubjay.testing import FixedClock

DAY = timedelta(days=1)
RENT = "what is the rent?"


def shown(memory: Memory, **asked: datetime) -> list[str]:
    """The rents that a question finds, in order."""
    found = memory.recall(RENT, **asked)  # type: ignore[arg-type]
    return sorted(item.text for item in found)


def test_superseding_closes_validity_and_names_both_ways(memory: Memory, clock: FixedClock) -> None:
    old = memory.retain("The rent is 900.").id
    clock.advance(30 * DAY)
    new = memory.supersede(old, Unit("The rent is 950.", tags=("rent",)))

    assert new.supersedes == old
    assert memory.get(old).superseded_by == new.id
    assert memory.get(old).valid_to == new.told_at == new.valid_from == clock.now
    assert memory.get(old).closed_at == clock.now
    assert new.tags == ("rent",)


def test_superseding_by_a_known_unit_stores_nothing_new(memory: Memory, clock: FixedClock) -> None:
    old, new = memory.retain("The rent is 900.").id, memory.retain("The rent is 950.").id
    at = datetime(2026, 5, 1, tzinfo=UTC)
    clock.advance(DAY)

    taken = memory.supersede(old, new, at=at)
    assert (taken.id, taken.valid_from) == (new, at)
    assert (memory.get(old).valid_to, memory.get(old).closed_at) == (at, clock.now)
    assert memory.stats().units == 2


@pytest.mark.parametrize("at", [None, datetime(2026, 2, 1, tzinfo=UTC)])
@pytest.mark.parametrize("known", [False, True])
def test_at_every_moment_one_of_the_two_is_true(
    memory: Memory, clock: FixedClock, *, known: bool, at: datetime | None
) -> None:
    old = memory.retain("The rent is 900.", told_at=clock.now - 60 * DAY).id
    clock.advance(DAY)
    new = memory.retain("The rent is 950.").id if known else "The rent is 950."
    memory.supersede(old, new, at=at)
    clock.advance(DAY)

    moment = memory.get(old).valid_to
    assert moment is not None
    tick = timedelta(microseconds=1)
    for asked, rent in (
        (moment - 30 * DAY, "900"), (moment - tick, "900"), (moment, "950"), (moment + tick, "950"),
        (clock.now, "950"),
    ):  # fmt: skip
        assert shown(memory, as_of=asked) == [f"The rent is {rent}."], asked
    assert shown(memory) == ["The rent is 950."]


def test_all_pieces_of_a_long_text_begin_when_it_takes_over(
    memory: Memory, clock: FixedClock
) -> None:
    at = clock.now - 10 * DAY
    old = memory.retain("The rent is 900.").id
    memory.supersede(old, Unit("The rent is 950 for us. " * 150), at=at)

    assert memory.stats().units > 2
    assert shown(memory, as_of=at - DAY) == ["The rent is 900."]
    assert {unit.valid_from for unit in memory.list().units if unit.id != old} == {at}


def test_a_key_told_again_holds_again_and_can_supersede_what_had_replaced_it(
    memory: Memory, clock: FixedClock
) -> None:
    keyed = memory.retain("The rent is 900.", key="rent").id
    clock.advance(DAY)
    second = memory.supersede(keyed, "The rent is 950.").id
    clock.advance(DAY)
    memory.retain("The rent is 970.", key="rent")
    assert (memory.get(keyed).superseded_by, memory.get(second).supersedes) == (None, None)
    assert shown(memory) == ["The rent is 950.", "The rent is 970."]

    memory.supersede(second, keyed)
    assert shown(memory) == ["The rent is 970."]


def test_before_a_closing_was_told_nobody_knew_of_it(memory: Memory, clock: FixedClock) -> None:
    begun = clock.now
    by_unit = memory.retain("The rent is 900.").id
    by_update = memory.retain("The rent of the shed is 50.").id
    memory.retain("The rent of the barn is 70.", valid_to=begun + 2 * DAY)
    told = clock.advance(40 * DAY)
    memory.supersede(by_unit, "The rent is 950.", at=begun + 10 * DAY)
    memory.update(by_update, valid_to=begun + 10 * DAY)
    clock.advance(DAY)

    flat, shed, barn, new = (
        "The rent is 900.", "The rent of the shed is 50.", "The rent of the barn is 70.",
        "The rent is 950.",
    )  # fmt: skip
    tick = timedelta(microseconds=1)
    assert shown(memory, known_at=begun + DAY) == sorted([flat, shed, barn])
    assert shown(memory, known_at=begun + 20 * DAY) == sorted([flat, shed])
    assert shown(memory, known_at=told - tick) == sorted([flat, shed])
    assert shown(memory, known_at=told) == [new]
    # What was true on a day, as it was known before and after the closing was told.
    then = begun + 15 * DAY
    assert shown(memory, as_of=then, known_at=told - tick) == sorted([flat, shed])
    assert shown(memory, as_of=then, known_at=told) == [new]
    assert shown(memory, as_of=begun + 5 * DAY, known_at=told) == sorted([flat, shed])


def test_a_reopened_unit_is_true_again_and_superseded_no_longer(memory: Memory) -> None:
    old = memory.retain("The rent is 900.").id
    new = memory.supersede(old, "The rent is 950.").id
    opened = memory.update(old, valid_to=None)

    assert (opened.valid_to, opened.closed_at, opened.superseded_by) == (None, None, None)
    assert memory.get(new).supersedes is None
    assert shown(memory) == ["The rent is 900.", "The rent is 950."]


def test_a_change_of_something_else_leaves_the_closing_as_it_was(
    memory: Memory, clock: FixedClock
) -> None:
    old = memory.retain("The rent is 900.").id
    new = memory.supersede(old, "The rent is 950.").id
    closed = memory.get(old)
    clock.advance(DAY)
    changed = memory.update(old, tags=["rent"])

    for name in ("valid_to", "closed_at", "superseded_by"):
        assert getattr(changed, name) == getattr(closed, name)
    assert memory.get(new).supersedes == old


def test_a_superseded_unit_names_who_stands_now(memory: Memory) -> None:
    first = memory.retain("The rent is 900.").id
    second = memory.supersede(first, "The rent is 950.").id
    third = memory.supersede(second, "The rent is 990.").id

    for new in ("The rent is 1000.", Unit("The rent is 1000."), third):
        with pytest.raises(BadInput, match=f"{third} stands now"):
            memory.supersede(first, new)
    assert memory.stats().units == 3
    assert memory.get(first).superseded_by == second


def test_the_same_call_twice_changes_nothing(memory: Memory, clock: FixedClock) -> None:
    old = memory.retain("The rent is 900.").id
    for new in ("The rent is 950.", Unit("The rent is 950.")):
        taken = memory.supersede(old, new)
        before = memory.get(old)
        clock.advance(DAY)
        assert memory.supersede(old, new) == memory.supersede(old, taken.id) == taken
        assert memory.get(old) == before
    assert memory.stats().units == 2
    with pytest.raises(BadInput, match="another time"):
        memory.supersede(old, taken.id, at=clock.now)


def test_units_cannot_supersede_themselves_or_each_other(memory: Memory) -> None:
    first = memory.retain("The rent is 900.", key="rent").id
    second = memory.supersede(first, "The rent is 950.").id
    third = memory.supersede(second, "The rent is 990.").id

    for old, new in (
        (first, first), (first, "The rent is 900."), (third, first), (second, first),
        (third, third), (third, Unit("The rent is 990.")), (third, Unit("Less.", key="rent")),
    ):  # fmt: skip
        with pytest.raises(BadInput):
            memory.supersede(old, new)
    assert memory.stats().units == 3
    assert memory.get(first).text == "The rent is 900."
    assert memory.get(third).superseded_by is None


def test_a_unit_that_would_take_over_from_itself_by_key_is_left_as_it_was(memory: Memory) -> None:
    old = memory.retain("The rent is 900.", key="rent").id
    with pytest.raises(BadInput, match="itself"):
        memory.supersede(old, Unit("The rent is 950.", key="rent"))
    assert (memory.get(old).text, memory.get(old).valid_to) == ("The rent is 900.", None)


@pytest.mark.parametrize("typo", ["06gy1vg8ywrkh6284449", "06gy1vg8ywrkh628444", "rent-2026", "x"])
def test_a_mistyped_id_is_not_kept_as_a_memory(memory: Memory, typo: str) -> None:
    old = memory.retain("The rent is 900.").id
    with pytest.raises(NotFound, match="Unit\\(text="):
        memory.supersede(old, typo)
    assert memory.stats().units == 1
    assert memory.get(old).valid_to is None

    assert memory.supersede(old, Unit(typo)).text == typo


def test_a_sentence_without_spaces_is_told(memory: Memory) -> None:
    old = memory.retain("房租是九百。").id
    assert memory.supersede(old, "房租是九百五十。").supersedes == old


def test_a_new_unit_that_ends_before_it_would_begin_is_refused(memory: Memory) -> None:
    old = memory.retain("The rent is 900.").id
    with pytest.raises(BadInput, match="valid_to before valid_from"):
        memory.supersede(old, Unit("The rent is 950.", valid_to=datetime(2025, 1, 1, tzinfo=UTC)))
    assert memory.stats().units == 1


def test_erasing_a_successor_leaves_what_it_replaced_closed_and_says_so(memory: Memory) -> None:
    first = memory.retain("The rent is 900.").id
    second = memory.supersede(first, "The rent is 950.").id
    report = memory.forget(second)

    assert report.left_closed == (first,)
    assert memory.get(first).superseded_by is None
    assert memory.get(first).valid_to is not None
    assert shown(memory) == []
    assert memory.update(first, valid_to=None).valid_to is None
    assert shown(memory) == ["The rent is 900."]


def test_erasing_the_middle_of_a_line_joins_its_ends(memory: Memory) -> None:
    first = memory.retain("The rent is 900.").id
    line = [first]
    for rent in (950, 990, 1010, 1050):
        line.append(memory.supersede(line[-1], f"The rent is {rent}.").id)
    one, *middle, last = line

    assert memory.forget(middle).left_closed == ()
    assert memory.get(one).superseded_by == last
    assert memory.get(last).supersedes == one
    assert memory.forget([one, last]).left_closed == ()
    assert memory.stats().units == 0


def test_a_long_text_takes_over_as_a_whole(memory: Memory) -> None:
    old = memory.retain("The rent is 900.").id
    new = memory.supersede(old, "The rent is 950 now. " * 200)
    assert new.supersedes == old
    assert memory.get(old).superseded_by == new.id
    assert all("950" in text for text in shown(memory))


def test_a_supersession_can_be_undone_and_a_forgetting_says_that_it_cannot(
    memory: Memory,
) -> None:
    first = memory.retain("The key is under the mat.")
    second = memory.supersede(first.id, Unit("The key is with Nadia."))
    assert [unit.id for unit in memory.history(second.id)] == [first.id, second.id]

    again = memory.undo_supersede(first.id)

    assert (again.valid_to, again.superseded_by) == (None, None)
    assert memory.get(second.id).supersedes is None
    assert [unit.id for unit in memory.history(first.id)] == [first.id]
    with pytest.raises(BadInput, match="not superseded"):
        memory.undo_supersede(second.id)
    memory.forget(first.id)
    with pytest.raises(NotFound, match="erased for good"):
        memory.undo_supersede(first.id)


@pytest.mark.parametrize(
    "question",
    [
        "Who was our old vet?",
        "Who did we use to have as vet?",
        "Which vet did we replace?",
        "Who had been our vet?",
        "Have we ever had another vet?",
        "Who was our vet?",
        "Who was our vet before Silva?",
    ],
)
def test_a_question_about_the_past_finds_what_was_superseded(
    memory: Memory, clock: FixedClock, question: str
) -> None:
    old = memory.retain("Our vet is Dr. Okafor.").id
    clock.advance(30 * DAY)
    new = memory.supersede(old, "Our vet is Dr. Silva.").id
    clock.advance(30 * DAY)

    assert {item.id for item in memory.recall(question)} == {old, new}
    for now in ("Who is our vet?", "Remind me, who was our vet again?"):
        assert [item.id for item in memory.recall(now)] == [new]


def test_whether_something_is_valid_asks_about_now(memory: Memory, clock: FixedClock) -> None:
    memory.retain("Ravi's passport is valid.", valid_to=clock.now + DAY)
    clock.advance(30 * DAY)

    assert not memory.recall("Is Ravi's passport valid?").items
    assert memory.recall("Until when was Ravi's passport valid?").items


@pytest.mark.parametrize(
    ("old_text", "new_text", "question"),
    [
        (
            "We deploy with Jenkins.",
            "We deploy with Buildkite.",
            "what did we use before Buildkite?",
        ),
        ("Jo prefers the window seat.", "Jo prefers the aisle.", "what did Jo prefer before?"),
        ("The CRM is Contactly.", "We moved to Pipemate.", "which CRM was there before Pipemate?"),
    ],
)
def test_what_a_caller_said_was_superseded_comes_first_where_that_is_asked_for(
    memory: Memory, clock: FixedClock, old_text: str, new_text: str, question: str
) -> None:
    """Whichever of them was told first."""
    new = memory.retain(new_text, told_at=clock.now - 9 * DAY).id
    old = memory.retain(old_text, told_at=clock.now - 8 * DAY).id
    memory.retain("Buildkite, Jo and Pipemate were in the news.", told_at=clock.now - DAY)
    memory.supersede(old, new)
    clock.advance(DAY)

    assert memory.recall(question).items[0].id == old


def test_what_supersedes_another_from_a_day_to_come_follows_it_until_then(
    memory: Memory, clock: FixedClock
) -> None:
    old = memory.retain("The alarm company is Securo.").id
    new = memory.retain("The alarm company is Bastion.").id
    memory.supersede(old, new, at=clock.now + 30 * DAY)
    clock.advance(DAY)
    asked = "which alarm company do we have?"

    assert [item.id for item in memory.recall(asked)] == [old, new]
    assert memory.recall("which alarm company will we have?").items[0].id == new
    clock.advance(60 * DAY)
    assert [item.id for item in memory.recall(asked)] == [new]


def test_a_past_that_a_filter_leaves_out_stays_out_of_its_chain(
    memory: Memory, clock: FixedClock
) -> None:
    old = memory.retain("We deploy with Jenkins.").id
    new = memory.retain("We deploy with Buildkite.", tags=("kept",)).id
    memory.supersede(old, new)
    clock.advance(DAY)
    found = memory.recall("what did we use to deploy with before?", tags=["kept"])
    assert [item.id for item in found] == [new]
