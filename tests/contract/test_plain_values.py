"""Plain days for times, names for entities, and an answer that is a sequence: in every backend."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest

from scrubjay import BadInput, Memory, NotFound, RecallOptions, Unit, Window, bank_for

DAY = date(2026, 3, 2)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
FIRST = datetime(2026, 3, 2, tzinfo=UTC)
LAST = datetime(2026, 3, 2, 23, 59, 59, 999999, tzinfo=UTC)


@pytest.mark.parametrize("day", [DAY, "2026-03-02"], ids=["date", "text"])
def test_a_plain_day_is_told_at_noon_and_holds_for_the_whole_of_it(
    memory: Memory, day: date | str
) -> None:
    kept = memory.retain("The ferry is late.", told_at=day, valid_from=day, valid_to=day)
    unit = memory.get(kept.id)
    assert (unit.told_at, unit.valid_from, unit.valid_to) == (NOON, FIRST, LAST)


def test_a_unit_may_have_plain_days_too(memory: Memory) -> None:
    unit = memory.get(memory.retain(Unit("The crane broke.", told_at=DAY)).id)  # type: ignore[arg-type]
    assert unit.told_at == NOON


@pytest.mark.parametrize(
    "window", [DAY, "2026-03-02", (DAY, DAY), ("2026-03-02", None), Window(DAY, DAY)]  # type: ignore[arg-type]
)  # fmt: skip
def test_a_window_of_one_day_is_the_whole_of_it(memory: Memory, window: Window | str) -> None:
    memory.retain("Said late that day.", told_at=LAST)
    memory.retain("Said the day before.", told_at=datetime(2026, 3, 1, 23, 59, tzinfo=UTC))
    found = memory.recall("said day", window=window)
    assert [item.text for item in found] == ["Said late that day."]


@pytest.mark.parametrize("as_of", [DAY, "2026-03-02"])
def test_as_of_a_day_is_what_held_at_noon(memory: Memory, as_of: date | str) -> None:
    memory.retain("Tea costs two euros.", valid_from="2026-03-02", valid_to="2026-03-02")
    memory.retain("Tea costs three euros.", valid_from="2026-03-03")
    assert [item.text for item in memory.recall("tea costs", as_of=as_of)] == [
        "Tea costs two euros."
    ]


def test_what_is_neither_day_nor_time_is_named_with_both_forms(memory: Memory) -> None:
    with pytest.raises(BadInput, match=r"as_of: 'soon'.*or a day, such as '2026-03-02'"):
        memory.recall("tea", as_of="soon")
    with pytest.raises(BadInput, match="told_at"):
        memory.retain("Tea.", told_at="2026-13-02")


def test_relations_and_sessions_take_plain_days(memory: Memory) -> None:
    memory.relate("Nadia", "works-at", "the quay", valid_from=DAY, valid_to="2026-03-05")
    (relation,) = memory.relations()
    assert relation.valid_from == FIRST
    assert relation.valid_to is not None
    assert relation.valid_to.date() == date(2026, 3, 5)
    assert memory.start_session("walk", at="2026-03-02").started_at == NOON


def test_an_entity_is_named_by_its_number_or_its_name(memory: Memory) -> None:
    memory.retain("Nadia Brandt met Jonas Weber.", entities=["Nadia Brandt", "Jonas Weber"])
    memory.retain("N. Brandt came late.", entities=["Nadja Brand"])
    assert "nadi" in memory.alias_entity("Nadia Brandt", "Nadi").aliases
    merged = memory.merge_entities("nadia brandt", "Nadja Brand")
    assert merged.name == "Nadia Brandt"
    assert merged == memory.alias_entity(merged.id, "Nadi")
    with pytest.raises(NotFound, match="'Nobody'"):
        memory.alias_entity("Nobody", "No one")
    with pytest.raises(BadInput, match="itself"):
        memory.merge_entities("Nadi", merged.id)


def test_an_answer_is_a_sequence_of_its_items(memory: Memory) -> None:
    for place in ("quay", "pier", "dock"):
        memory.retain(f"The {place} is closed today.")
    found = memory.recall("what is closed today?")
    assert len(found) == 3
    assert found[0] == found.items[0]
    assert found[-1] == found.items[-1]
    assert found[:2] == found.items[:2]
    assert found.index(found.items[1]) == 1
    assert found.items[2] in found
    assert list(reversed(found)) == [*found.items[::-1]]


def test_an_answer_as_plain_values_is_what_a_server_sends(memory: Memory) -> None:
    memory.retain("The quay is closed.")
    found = memory.recall("quay", RecallOptions(limit=1))
    plain = found.to_dict()
    assert json.loads(found.to_json()) == plain
    items = plain["items"]
    assert isinstance(items, list)
    assert [item["text"] for item in items if isinstance(item, dict)] == ["The quay is closed."]


def test_every_user_has_a_bank_whatever_the_id(memory: Memory) -> None:
    users = ["jo@example.com", "JO@example.com", "../etc", "пользователь", "a" * 500, "jo example"]
    names = [bank_for(user) for user in users]
    assert len(set(names)) == len(users)
    assert bank_for("jo", "quay") != bank_for("quay", "jo")
    for user, name in zip(users, names, strict=True):
        memory.retain(f"I am number {users.index(user)}.", bank=name)
    assert [memory.stats(bank=name).units for name in names] == [1] * len(users)
    with pytest.raises(BadInput, match="id"):
        bank_for("")
