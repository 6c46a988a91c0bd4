"""What is told of somebody or something is linked to what was told of the same before."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from scrubjay.memory import Memory
from scrubjay.testing import FixedClock
from scrubjay.types.graph import LinkKind

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as opened:
        yield opened


def changed(memory: Memory, bank: str, *texts: str, speakers: tuple[str | None, ...] = ()) -> bool:
    """Whether the last of some texts, told a day apart, is linked to the first."""
    told, begun = memory.bank(bank), NOW - timedelta(days=len(texts))
    who = speakers or (None,) * len(texts)
    ids = [
        told.retain(text, speaker=speaker, told_at=begun + timedelta(days=day)).id
        for day, (text, speaker) in enumerate(zip(texts, who, strict=True))
    ]
    links = told.links(ids[-1])
    return any(link.kind is LinkKind.UPDATES and link.target == ids[0] for link in links)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "The gardener is Jadwiga, every Monday and Thursday from ten to one.",
            "Jadwiga can't do Thursdays any more, she comes on Mondays and Fridays.",
        ),
        ("Aunt Odile lives at 14 Fuller Street.", "Aunt Odile's new place is 3 Quay Terrace."),
        ("The scullery tap drips all night.", "The scullery tap is fixed, it was a washer."),
        ("Upload fails with a blank page.", "Upload works again."),
        (
            "The ingest service runs on 3.10.",
            "The ingest service is on 3.13 since the deploy.",
        ),
        ("Dr. Lindqvist put me on 50 mg of sertraline.", "Dr. Lindqvist raised it to 75 mg."),
        ("Dr. Lindqvist put me on 50 mg of sertraline.", "Lindqvist upped it to 75."),
    ],
)
def test_what_changed_is_found_by_who_or_what_is_named(memory: Memory, old: str, new: str) -> None:
    between = ("Ravi collects stamps.", "The dentist is in Elm Street.")
    assert changed(memory, f"changed-{abs(hash(new))}", old, *between, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The scullery tap is brass.", "The scullery tap is fixed."),
        ("Heating came on at 09:19 on 27 February.", "Heating came on at 09:24 on 1 March."),
        ("The light in the cellar is broken.", "The light in the attic is repaired."),
        ("Dr. Lindqvist put me on 50 mg.", "The Lindqvist gala was raised to 75 euros a seat."),
    ],
)
def test_what_only_looks_like_a_change_is_left_alone(memory: Memory, old: str, new: str) -> None:
    assert not changed(memory, f"alike-{abs(hash(new))}", old, new)


def test_the_same_people_or_a_number_and_nothing_else_are_no_change(memory: Memory) -> None:
    vet = "Agnes Wolska's dog Borys had a fit on Saturday, so I started him on 60 mg."
    assert not changed(
        memory, "vet", vet, "Agnes and Borys have moved to 27 Queen Street, Aspatria."
    )
    choir = "Choir is Tuesday evening at eight in the parish hall."
    assert not changed(
        memory, "choir", choir, "Eight panels are on the roof since Thursday the 6th."
    )


def test_another_home_of_the_same_one_is_linked_in_whatever_words_it_is_told(
    memory: Memory,
) -> None:
    old, new = "Ana lives in Ghent by the old canal.", "Ana settled in Bruges by the old canal."
    assert changed(memory, "home", old, "Ravi collects stamps.", new)
    assert not changed(memory, "homes", old, "Omar settled in Bruges by the old canal.")


def test_whoever_takes_up_what_another_said_changes_nothing(memory: Memory) -> None:
    said = "I signed with a new rowing team on the river."
    echo = "Congratulations on the new rowing team on the river!"
    assert not changed(memory, "echo", said, echo, speakers=("Ana", "Omar"))


@pytest.mark.parametrize(
    ("old", "new", "speakers"),
    [
        # Told again that it is over.
        (
            "My interests have shifted, and I'm not as keen on new stamps as before.",
            "My interests have shifted a bit, I'm not that keen on new stamps anymore.",
            (None, None),
        ),
        ("The rash is completely cured, says Dr. Moss.", "The rash is gone!", (None, None)),
        # Another's words, and no other value.
        (
            "You have read 22 minutes in the Atlas of Moss today, three days in a row.",
            "Your reading progress in the Atlas of Moss was updated to chapter 5.",
            ("reader", "library"),
        ),
        # A change, but not of whose wife she is.
        (
            "Bruno Falk's wife Ilka has to stay at home with the boy this week.",
            "Lea Holm: His wife Ilka was laid off in May and is now out of work.",
            ("Lea Holm", "Lea Holm"),
        ),
        # An amount of another size is of something else.
        (
            "Norbeck isn't paying the yearly advance of €20,064 until we explain ourselves.",
            "New customers pay €24 from now on. Norbeck stays on the old rate until then.",
            (None, None),
        ),
    ],
)
def test_what_does_not_say_that_just_this_changed_is_not_sure(
    memory: Memory, old: str, new: str, speakers: tuple[str | None, ...]
) -> None:
    bank = memory.bank(f"unsure-{len(old)}-{len(new)}")
    bank.retain([f"Parcel {number} went to Oslo." for number in range(60)])
    for text, speaker in zip((old, new), speakers, strict=True):
        bank.retain(text, speaker=speaker)
    assert bank.conflicts() == []
