"""A memory that says something changed is linked to the one it changes, and comes before it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scrubjay import BadInput, Memory, NotFound
from scrubjay.testing import FixedClock
from scrubjay.types.graph import LinkKind
from scrubjay.types.units import Unit
from scrubjay.types.values import UnitId

DAY = timedelta(days=1)

# What was told first, what is told later, and a question about it; nothing of it is from a set.
PAIRS = {
    "a price": (
        "The yoga class costs 14 euros.", "The yoga class goes up to 16 euros from today.",
        "what does the yoga class cost?",
    ),
    "a tool": (
        "Invoices are written with Debitoor.", "We threw out Debitoor. Invoices come from Lexware.",
        "what do we write invoices with?",
    ),
    "a home": (
        "Tamsin lives at 4 Harbour Lane.", "Tamsin has moved to 19 Mill Road.",
        "where does Tamsin live?",
    ),
    "a time": (
        "Choir practice is at 19:30.", "Choir practice is at 18:45 now.",
        "when does choir practice begin?",
    ),
    "a host": (
        "Backups go to vault.example.org.", "vault.example.org was switched off. Use cold storage.",
        "where do backups go?",
    ),
    "a count": (
        "The dye works is staffed for two shifts.",
        "As of this week the dye works is staffed for three shifts.",
        "for how many shifts is the dye works staffed?",
    ),
    "a firm that closed": (
        "The kennel's straw is delivered by Heuer.",
        "Straw for the kennel comes from Lund since Heuer closed.",
        "who delivers the kennel's straw?",
    ),
    "a price in German": (
        "Der Tanzkurs kostet 14 Euro.", "Der Tanzkurs kostet ab sofort 16 Euro.",
        "was kostet der Tanzkurs?",
    ),
    "a job in Spanish": (
        "Trabajo en una ferretería en Cuenca.",
        "Ya no trabajo en la ferretería, ahora trabajo en un vivero.",
        "¿dónde trabajo?",
    ),
    "a delay": (
        "Release 7 of the trail map goes out on 15 May.",
        "Release 7 of the trail map slips to 9 June.",
        "when does release 7 of the trail map go out?",
    ),
    "a note without a verb": (
        "The lanyards are ordered from Osprey.",
        "Lanyards: Osprey cancelled, we take Linnet instead.",
        "who makes the lanyards?",
    ),
}  # fmt: skip


def tell(memory: Memory, clock: FixedClock, *texts: str) -> list[UnitId]:
    """Tell texts a day apart; their ids."""
    told = []
    for text in texts:
        clock.advance(DAY)
        told.append(memory.retain(text, told_at=clock.now).id)
    return told


def updates(memory: Memory, unit: str) -> list[UnitId]:
    """What a unit is linked to as updating it."""
    links = memory.links(unit)
    return [link.target for link in links if link.kind is LinkKind.UPDATES]


@pytest.mark.parametrize("name", PAIRS)
def test_what_a_memory_changes_is_linked_and_comes_behind_it(
    memory: Memory, clock: FixedClock, name: str
) -> None:
    old_text, new_text, question = PAIRS[name]
    tell(memory, clock, "The dentist is in Elm Street.", "Ravi collects stamps.")
    old, between, new = tell(memory, clock, old_text, "Ravi sold two stamps.", new_text)

    assert updates(memory, new) == [old]
    assert updates(memory, old) == updates(memory, between) == []
    found = [item.id for item in memory.recall(question)]
    assert found.index(new) < found.index(old)
    assert memory.get(old).valid_to is None
    assert memory.get(old).superseded_by is None


def test_what_there_is_no_more_of_is_named_by_its_last_word(
    memory: Memory, clock: FixedClock
) -> None:
    """Of "no more night shifts" the shifts, so what else is done at night goes on."""
    porter = "After nine ring for the night porter, the clinic door is shut."
    _, new = tell(memory, clock, porter, "Jo got the day job at the clinic. No more night shifts!")
    assert updates(memory, new) == []


@pytest.mark.parametrize("what", PAIRS)
def test_a_floor_that_keeps_what_changed_keeps_what_it_changed_to(
    memory: Memory, clock: FixedClock, what: str
) -> None:
    first, later, question = PAIRS[what]
    old, new = tell(memory, clock, first, later)
    chances = {item.id: item.relevance for item in memory.recall(question)}
    assert chances[new] >= chances[old]
    kept = memory.recall(question, min_score=0.99 * chances[old])  # which JSON rounds
    assert kept.items[0].id == new


def test_both_ends_show_the_link_and_the_item_says_what_updated_it(
    memory: Memory, clock: FixedClock
) -> None:
    old, new = tell(memory, clock, *PAIRS["a price"][:2])

    assert [link.kind for link in memory.links(old)] == [LinkKind.UPDATED_BY]
    by_id = {item.id: item for item in memory.recall(PAIRS["a price"][2])}
    assert by_id[old].why.updated_by == new
    assert by_id[new].why.updated_by is None


@pytest.mark.parametrize(
    ("first", "later", "changed"),
    [
        (
            "Hello all. I'm Tom Hale, friends say Tommy; my husband is Ravi Stone. "
            "Two girls and a cat, on Mill Street in Bath.",
            "My aunt is Nell Stone, the girls call her Nana. "
            "She lives on Park Street in Derby and doesn't drive any more.",
            False,
        ),
        ("The annex is on Mill Street.", "The depot is on Mill Street and no longer lit.", False),
        ("Nell drives the blue van.", "Nell is ill and doesn't drive the blue van any more.", True),
        ("The annex is lit at night.", "The annex is shut and no longer lit at night.", True),
    ],
)  # fmt: skip
def test_what_else_is_said_of_somebody_is_not_what_ended(
    memory: Memory, clock: FixedClock, first: str, later: str, changed: bool
) -> None:
    old, new = tell(memory, clock, first, later)
    assert updates(memory, new) == ([old] if changed else [])


def test_what_is_told_in_one_batch_is_linked_as_if_told_one_by_one(memory: Memory) -> None:
    old_text, new_text, _ = PAIRS["a tool"]
    others = [f"Parcel {number} went to Oslo." for number in range(5)]
    ids = memory.retain([*others, old_text, *(f"{text} Again." for text in others), new_text]).ids

    assert updates(memory, ids[-1]) == [ids[5]]


@pytest.mark.parametrize(
    "text",
    [
        "Should we move choir practice to 18:45?",
        "If choir practice moved to 18:45 I could come.",
        "Choir practice might be moved to 18:45.",
        "Choir practice was never moved to 18:45.",
        "The bakery opens at 18:45 now.",
    ],
)
def test_what_is_asked_supposed_denied_or_about_something_else_changes_nothing(
    memory: Memory, clock: FixedClock, text: str
) -> None:
    _, new = tell(memory, clock, PAIRS["a time"][0], text)

    assert updates(memory, new) == []


def test_a_chain_answers_the_present_with_its_last_and_the_past_with_what_was(
    memory: Memory, clock: FixedClock
) -> None:
    first, second, third = tell(
        memory, clock, "The yoga class costs 14 euros.",
        "The yoga class goes up to 16 euros from today.", "The yoga class is 18 euros now.",
    )  # fmt: skip

    def order(question: str) -> list[UnitId]:
        return [item.id for item in memory.recall(question)]

    assert order("what does the yoga class cost?") == [third, second, first]
    assert order("what was the yoga class before?") == [second, first, third]
    assert order("what did the yoga class cost originally?")[0] == first


def test_a_third_change_follows_the_second_where_it_names_the_first(
    memory: Memory, clock: FixedClock
) -> None:
    """Whether told one by one or at once, the three are one chain and not a fork."""
    texts = (
        "A large rye loaf is 4.20 euros from this week.",
        "From Monday the big rye goes to 4.50 euros.",
        "Rye loaf large is 4.80 euros from the first of April.",
    )
    at_once = memory.bank("at_once")
    one_by_one = tell(memory, clock, *texts)
    batch = at_once.retain(
        [Unit(text, told_at=clock.now + n * DAY) for n, text in enumerate(texts)]
    )

    for bank, ids in ((memory, one_by_one), (at_once, batch.ids)):
        third = [link.target for link in bank.links(ids[2]) if link.kind is LinkKind.UPDATES]
        assert ids[1] in third


def test_the_same_told_twice_gives_the_newer_and_right_behind_it_the_older(
    memory: Memory, clock: FixedClock
) -> None:
    old, _, new = tell(
        memory, clock, "The boiler was installed in 2019 by Henshaw Heating.",
        "Ravi collects stamps.", "Henshaw Heating installed the boiler in 2019.",
    )  # fmt: skip

    found = [item.id for item in memory.recall("who installed the boiler?")]
    assert found[:2] == [new, old]
    assert memory.conflicts() == []


def test_another_value_told_without_a_word_for_a_change_comes_first_and_is_no_conflict(
    memory: Memory, clock: FixedClock
) -> None:
    tell(memory, clock, "Ravi collects stamps.", "The dentist is in Elm Street.")
    old, new = tell(
        memory, clock, "Log retention is 14 days in the hot tier.",
        "Log retention is 30 days in the hot tier.",
    )  # fmt: skip

    answer = memory.recall("how long is log retention in the hot tier?")
    assert [item.id for item in answer][:2] == [new, old]
    # It may be of another log: an agent sees which is newer, and is not told that it replaced one.
    assert answer.items[1].why.updated_by is None
    assert "replaced_by" not in answer.as_context()
    past = [item.id for item in memory.recall("what did log retention use to be?")]
    assert past[:2] == [old, new]
    assert memory.conflicts() == []


def test_a_day_that_something_is_moved_from_finds_what_was_planned_for_it(
    memory: Memory, clock: FixedClock
) -> None:
    clock.now = datetime(2026, 10, 5, tzinfo=UTC)
    planned, _, moved = tell(
        memory, clock, "The boiler inspection is on 12 October.",
        "The roof inspection is on 14 October.",
        "The inspection on 12 October was moved to 26 October.",
    )  # fmt: skip

    assert updates(memory, moved) == [planned]


def test_a_stricter_bank_links_less(memory: Memory, clock: FixedClock) -> None:
    memory.bank("default", update_floor=1.0)
    _, new = tell(memory, clock, *PAIRS["a price"][:2])

    assert updates(memory, new) == []


def test_a_bank_that_links_every_guess_takes_a_change_of_what_it_was_never_told(
    memory: Memory, clock: FixedClock
) -> None:
    memory.bank("default", update_floor=0.0)
    _, new = tell(memory, clock, "Olives are green.", "We threw out Debitoor.")

    assert updates(memory, new) == []


def test_another_text_takes_back_what_only_the_old_one_said_had_changed(
    memory: Memory, clock: FixedClock
) -> None:
    old, new = tell(memory, clock, *PAIRS["a price"][:2])
    memory.update(new, text="The yoga class was fun today.")

    assert updates(memory, new) == []
    assert memory.links(old) == []


def test_a_change_of_something_else_keeps_the_link(memory: Memory, clock: FixedClock) -> None:
    old, new = tell(memory, clock, *PAIRS["a price"][:2])
    memory.update(new, tags=("sport",))
    memory.update(old, tags=("sport",))

    assert updates(memory, new) == [old]


def test_an_erased_memory_leaves_no_link_behind(memory: Memory, clock: FixedClock) -> None:
    old, new = tell(memory, clock, *PAIRS["a price"][:2])
    memory.forget(old)

    assert memory.links(new) == []
    (item,) = memory.recall(PAIRS["a price"][2])
    assert item.why.updated_by is None
    assert memory.doctor() == []


def test_links_travel_in_an_export(memory: Memory, clock: FixedClock, tmp_path: Path) -> None:
    old, new = tell(memory, clock, *PAIRS["a price"][:2])
    memory.export(tmp_path / "bank.jsonl")
    memory.import_(tmp_path / "bank.jsonl", bank="copy")

    copied = memory.bank("copy").links(new)
    assert [(link.target, link.kind) for link in copied] == [(old, LinkKind.UPDATES)]


def test_a_pair_is_listed_until_it_is_decided(memory: Memory, clock: FixedClock) -> None:
    pairs = {
        name: tell(memory, clock, *PAIRS[name][:2]) for name in ("a price", "a tool", "a home")
    }

    listed = memory.conflicts()
    assert [[pair.old.id, pair.new.id] for pair in listed] == [*pairs.values()][::-1]
    assert all(0.7 <= pair.confidence < 1 for pair in listed)
    assert memory.conflicts(limit=1, offset=1) == [listed[1]]

    taken = memory.accept_conflict(*pairs["a price"])
    memory.reject_conflict(*pairs["a tool"])
    memory.supersede(*pairs["a home"])
    assert memory.conflicts() == []
    assert taken.supersedes == memory.get(pairs["a price"][0]).id
    assert memory.get(pairs["a tool"][0]).superseded_by is None


def test_a_reason_says_what_kind_of_change_it_is_and_quotes_nothing(
    memory: Memory, clock: FixedClock
) -> None:
    for name in PAIRS:
        tell(memory, clock, *PAIRS[name][:2])

    reasons = {pair.new.text: pair.reason for pair in memory.conflicts()}
    assert len(reasons) == len(PAIRS)
    assert reasons[PAIRS["a price"][1]] == "the newer says that it changed to another money"
    assert "ended" in reasons[PAIRS["a tool"][1]]
    said = {
        word.strip(".,") for pair in PAIRS.values() for text in pair[:2] for word in text.split()
    }
    names = {word for word in said if word[:1].isupper() or any(map(str.isdigit, word))}
    assert not names & {word for reason in reasons.values() for word in reason.split()}


def test_what_was_kept_apart_stays_so_when_it_is_told_anew(
    memory: Memory, clock: FixedClock
) -> None:
    (old,) = tell(memory, clock, PAIRS["a price"][0])
    clock.advance(DAY)
    new = memory.retain(PAIRS["a price"][1], key="price").id
    memory.reject_conflict(old, new)
    clock.advance(DAY)
    memory.retain("The yoga class goes up to 17 euros from today.", key="price")

    assert memory.conflicts() == []
    assert [link.kind for link in memory.links(new)] == [LinkKind.DISTINCT]
    assert [link.kind for link in memory.links(old)] == [LinkKind.DISTINCT]
    items = memory.recall(PAIRS["a price"][2])
    assert all(item.why.updated_by is None for item in items)
    assert memory.doctor() == []


def test_keeping_two_apart_travels_and_goes_with_either(
    memory: Memory, clock: FixedClock, tmp_path: Path
) -> None:
    old, new = tell(memory, clock, *PAIRS["a price"][:2])
    memory.reject_conflict(old, new)
    memory.export(tmp_path / "bank.jsonl")
    memory.import_(tmp_path / "bank.jsonl", bank="copy")
    assert [link.kind for link in memory.bank("copy").links(old)] == [LinkKind.DISTINCT]
    assert memory.bank("copy").conflicts() == []

    memory.forget(new)
    assert memory.links(old) == []


def test_deciding_about_units_that_are_not_there_is_refused(
    memory: Memory, clock: FixedClock
) -> None:
    old, new = tell(memory, clock, *PAIRS["a price"][:2])
    missing = "0" * 20
    for decide in (memory.accept_conflict, memory.reject_conflict):
        with pytest.raises(NotFound):
            decide(old, missing)
        with pytest.raises(BadInput):
            decide(new, new)
    assert len(memory.conflicts()) == 1
