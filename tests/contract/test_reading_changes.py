"""A change told in wholly other words: what the encoder reads of two memories orders them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from tests.contract.looking import Opening

from scrubjay import Memory
from scrubjay.testing import FixedClock
from scrubjay.types.graph import LinkKind
from scrubjay.types.values import UnitId

CHOIR, MOVED = "The choir meets on Tuesdays in the parish hall.", "Choir: Thursdays, in the school."
POTS = "Bought three more blue pots for the terrace."


@pytest.fixture
def own(opened: Opening) -> Iterator[Memory]:
    with opened("scrubjay-small") as memory:
        yield memory


def tell(memory: Memory, clock: FixedClock, *texts: str) -> list[UnitId]:
    told = []
    for text in texts:
        clock.advance(timedelta(days=1))
        told.append(memory.retain(text, told_at=clock.now).id)
    return told


def updates(memory: Memory, unit: str) -> list[UnitId]:
    return [link.target for link in memory.links(unit) if link.kind is LinkKind.UPDATES]


def test_what_takes_the_place_of_another_comes_first_now_and_last_of_before(
    own: Memory, clock: FixedClock
) -> None:
    old, between, new = tell(own, clock, CHOIR, "Ravi collects stamps.", MOVED)
    assert updates(own, new) == [old]
    assert updates(own, old) == updates(own, between) == []
    assert own.conflicts() == []
    now = own.recall("Where does the choir meet now?").items
    assert [item.id for item in now][:2] == [new, old]
    assert now[1].why.updated_by == new
    assert own.recall("Where did the choir meet before?").items[0].id == old


def test_what_only_shares_its_words_does_not(own: Memory, clock: FixedClock) -> None:
    _, pots = tell(own, clock, "The spare key is under the blue pot.", POTS)
    assert updates(own, pots) == []


def test_a_batch_gives_the_same_links_as_one_after_the_other(
    own: Memory, clock: FixedClock
) -> None:
    texts = [CHOIR, POTS, "Nadia looks after the bees.", MOVED, "The bees: Piet does the hives."]
    apart = tell(own, clock, *texts)
    together = own.bank("batch").retain(texts).ids
    linked = [[apart.index(each) for each in updates(own, unit)] for unit in apart]
    other = own.bank("batch")
    again = [
        [together.index(link.target) for link in other.links(unit) if link.kind is LinkKind.UPDATES]
        for unit in together
    ]
    assert linked == again
    assert linked[3] == [0]


def test_a_floor_of_1_switches_it_off(own: Memory, clock: FixedClock) -> None:
    own.bank("default", update_floor=1)
    _, new = tell(own, clock, CHOIR, MOVED)
    assert updates(own, new) == []
