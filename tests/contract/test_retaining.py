"""What `retain` keeps, derives and reports."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.contract.looking import all_units, found_by, texts

from scrubjay import BadInput, Cause, Memory, Relation, Unit, UnitFilter
from scrubjay.testing import FixedClock


def test_what_was_told_comes_back_word_for_word(memory: Memory) -> None:
    told = "  Grüße an 北京 — the kettle's  broken?\n\tYes. 🫖 "
    kept = memory.retain(told)

    assert memory.get(kept.id).text == told
    assert kept.new == kept.ids == (kept.id,)
    assert kept.duplicates == kept.updated == ()


def test_a_unit_is_found_by_its_words_and_its_meaning_at_once(memory: Memory) -> None:
    memory.retain(["The gate code is 7391.", "Lunch is at noon."])
    unit = memory.retain("Wilma parks the cargo bike behind the bakery").id

    assert found_by(memory, "cargo bike bakery", "lexical")[0] == unit
    assert found_by(memory, "Wilma parks cargo bike behind bakery", "semantic")[0] == unit


def test_the_same_telling_twice_is_stored_once_and_reported(memory: Memory) -> None:
    first = memory.retain("The boiler was serviced.", tags=["house"], metadata={"by": "Ola"})
    again = memory.retain("The boiler was serviced.", tags=["house"], metadata={"by": "Ola"})

    assert again.duplicates == again.ids == first.ids
    assert again.new == ()
    assert memory.stats().units == 1


def test_the_same_text_told_with_other_facts_is_another_unit(memory: Memory) -> None:
    memory.retain("The boiler was serviced.", speaker="Ola")
    memory.retain("The boiler was serviced.", speaker="Ida")

    assert memory.stats().units == 2


def test_a_repetition_within_one_call_is_stored_once(memory: Memory) -> None:
    kept = memory.retain(["Tea at four.", "Cake at five.", "Tea at four."])

    assert kept.ids[0] == kept.ids[2] != kept.ids[1]
    assert kept.duplicates == (kept.ids[0],)
    assert texts(memory) == ["Tea at four.", "Cake at five."]


def test_a_known_key_updates_its_unit_which_keeps_its_id(memory: Memory) -> None:
    first = memory.retain("Rent is 900.", key="rent")
    second = memory.retain("Rent is 950.", key="rent")

    assert second.updated == second.ids == first.ids
    assert second.new == second.duplicates == ()
    assert texts(memory) == ["Rent is 950."]
    assert found_by(memory, "900", "lexical") == []
    assert found_by(memory, "950", "lexical") == [first.id]
    assert memory.stats().vectors == 1


def test_a_key_told_again_with_the_same_content_is_a_duplicate(memory: Memory) -> None:
    first = memory.retain("Rent is 900.", key="rent")

    assert memory.retain("Rent is 900.", key="rent").duplicates == first.ids


def test_the_last_of_several_units_with_one_key_wins(memory: Memory) -> None:
    kept = memory.retain([Unit("Rent is 900.", key="rent"), Unit("Rent is 950.", key="rent")])

    assert kept.ids[0] == kept.ids[1]
    assert texts(memory) == ["Rent is 950."]


def test_type_dates_and_entities_are_derived_and_counted(memory: Memory) -> None:
    kept = memory.retain("Marta Lindqvist moved to Oslo on 3 February 2026.")
    unit = memory.get(kept.id)

    assert unit.type == "event"
    assert unit.occurred_start == datetime(2026, 2, 3, tzinfo=UTC)
    assert unit.occurred_end is not None and unit.occurred_end.date() == datetime(2026, 2, 3).date()
    assert {"Marta Lindqvist", "Oslo"} <= set(unit.entities)
    assert (kept.derived.typed, kept.derived.dated) == (1, 1)
    assert kept.derived.entities == len(unit.entities)


def test_a_relative_date_is_read_from_when_it_was_told(memory: Memory) -> None:
    told_at = datetime(2024, 5, 10, 12, tzinfo=UTC)
    unit = memory.get(memory.retain("I broke my arm yesterday.", told_at=told_at).id)

    assert unit.occurred_start is not None
    assert unit.occurred_start.date() == datetime(2024, 5, 9).date()


def test_what_the_caller_says_wins_over_what_the_text_says(memory: Memory) -> None:
    unit = memory.get(
        memory.retain(
            "Marta moved to Oslo on 3 February 2026.",
            type="opinion",
            occurred=("2026-01-01", "2026-01-02"),
            entities=["The Lindqvists"],
        ).id
    )

    assert unit.type == "opinion"
    assert unit.occurred_start == datetime(2026, 1, 1, tzinfo=UTC)
    assert unit.occurred_end is not None and unit.occurred_end.day == 2
    assert "The Lindqvists" in unit.entities


def test_every_field_told_is_kept(memory: Memory, clock: FixedClock) -> None:
    told = Unit(
        "Badge access was granted.",
        type="fact",
        predicate="badge ID is 47821",
        context="onboarding",
        occurred_start=datetime(2026, 1, 5, 9, tzinfo=UTC),
        occurred_end=datetime(2026, 1, 5, 10, tzinfo=UTC),
        told_at=datetime(2026, 1, 6, tzinfo=UTC),
        valid_from=datetime(2026, 1, 7, tzinfo=UTC),
        valid_to=datetime(2027, 1, 7, tzinfo=UTC),
        tags=("badge", "ünïcode"),
        metadata={"level": 3, "nested": {"ok": True, "none": None}, 'quo"te': [1, 2.5, "x"]},
        session="monday",
        speaker="Priya",
        key="badge",
    )
    unit = memory.get(memory.retain(told).id)

    for name in (
        "text", "type", "predicate", "context", "occurred_start", "occurred_end", "told_at",
        "valid_from", "valid_to", "tags", "metadata", "session", "speaker", "key",
    ):  # fmt: skip
        assert getattr(unit, name) == getattr(told, name), name
    assert unit.created_at == clock.now
    assert unit.tokens > 0
    assert "Priya" in unit.entities


def test_a_chat_message_keeps_who_said_it_and_when(memory: Memory) -> None:
    kept = memory.retain(
        [
            {"role": "user", "content": "Book the ferry.", "at": "2026-03-01T10:00:00+00:00"},
            {"role": "assistant", "content": "Booked for Friday."},
        ],
        session="trip",
    )
    first, second = (memory.get(unit) for unit in kept.ids)

    assert (first.type, first.speaker, first.session) == ("message", "user", "trip")
    assert first.told_at == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert second.speaker == "assistant"
    assert "user" not in {name.casefold() for name in first.entities}


def test_a_standing_instruction_is_tagged_and_found_by_its_tag(memory: Memory) -> None:
    told = memory.retain(
        ["The lamp is lit.", "Never book a flight without asking me."], tags=["home"]
    )
    assert memory.get(told.ids[1]).tags == ("home", "instruction")
    found = memory.list(UnitFilter(tags=("instruction",))).units
    assert [unit.id for unit in found] == [told.ids[1]]
    again = memory.retain("Never book a flight without asking me.", tags=["home"])
    assert again.duplicates == (told.ids[1],)
    changed = memory.update(told.ids[1], text="The flights are booked.")
    assert changed.tags == ("home",)


def test_a_type_that_no_rule_is_sure_of_is_counted(memory: Memory) -> None:
    told = memory.retain(["zzz", "I prefer tea over coffee.", Unit("yyy", type="event")])
    assert (told.derived.typed, told.derived.unsure) == (2, 1)
    assert memory.get(told.id).type == "fact"


def test_a_bank_takes_types_of_its_own(memory: Memory) -> None:
    from scrubjay.types.values import DEFAULT_TYPES

    bank = memory.bank("lab", types=[*DEFAULT_TYPES, "measurement"])

    assert bank.get(bank.retain("pH 6.8", type="measurement").id).type == "measurement"


LONG = "".join(
    f"Chapter {n} tells how the heron number {n} crossed the marsh; nobody watched. Was it late? "
    + ("\n\n" if n % 7 == 0 else "")
    for n in range(120)
)


def test_a_long_text_is_cut_at_sentences_and_its_pieces_tile_it(memory: Memory) -> None:
    kept = memory.retain(LONG, tags=["marsh"], key="heron")
    pieces = [memory.get(unit) for unit in kept.ids]

    assert len(pieces) > 3
    assert "".join(piece.text for piece in pieces) == LONG
    assert len({piece.source.document for piece in pieces if piece.source}) == 1
    for piece in pieces:
        assert piece.source is not None
        assert LONG[piece.source.start : piece.source.end] == piece.text
        assert len(piece.text) <= 2000
        assert piece.text.rstrip()[-1] in ".?"
        assert piece.tags == ("marsh",)
    assert found_by(memory, "heron number 93", "lexical")[0] in kept.ids


def test_a_long_text_told_twice_is_stored_once(memory: Memory) -> None:
    first = memory.retain(LONG)

    assert memory.retain(LONG).duplicates == first.ids


def test_a_shorter_text_under_a_key_leaves_no_piece_of_the_longer(memory: Memory) -> None:
    long = memory.retain(LONG, key="heron")
    memory.retain("A unit of another kind.", key="heron#99")
    medium = memory.retain(LONG[: len(LONG) // 2], key="heron")
    assert set(medium.ids) < set(long.ids)
    assert "".join(texts(memory)[1:]) == LONG[: len(LONG) // 2]

    short = memory.retain("The heron is back.", key="heron")

    assert short.updated == long.ids[:1]
    assert sorted(texts(memory)) == ["A unit of another kind.", "The heron is back."]
    assert found_by(memory, "Chapter 93 marsh nobody", "lexical") == []


def test_two_keys_with_the_same_long_text_do_not_share_pieces(memory: Memory) -> None:
    one, two = memory.retain(LONG, key="one"), memory.retain(LONG, key="two")

    assert not set(one.ids) & set(two.ids)
    memory.retain("short", key="one")
    assert "".join(unit.text for unit in all_units(memory) if unit.id in two.ids) == LONG


def test_nothing_told_is_nothing_kept(memory: Memory) -> None:
    assert memory.retain([]).ids == ()
    assert memory.stats().units == 0


def test_relations_of_a_unit_join_its_entities_however_they_are_spelled(memory: Memory) -> None:
    memory.retain(
        "Quarterly notes.",
        relations=[Relation("Acme", "owns", "Beta"), Relation("ACME", "buys", "beta")],
    )
    (owns, buys) = memory.relations()

    assert (owns.relation, buys.relation) == ("owns", "buys")
    assert owns.subject.id == buys.subject.id
    assert owns.object.id == buys.object.id


def test_a_bad_unit_in_a_batch_keeps_the_whole_batch_out(memory: Memory) -> None:
    with pytest.raises(BadInput, match="nowhere"):
        memory.retain(["Good.", Unit("Bad.", causes=(Cause("nowhere"),)), "Also good."])

    assert memory.stats().units == 0


def test_a_failed_call_leaves_the_bank_open_for_the_next(memory: Memory) -> None:
    for _ in range(3):
        with pytest.raises(BadInput):
            memory.retain("Bad.", causes=["nowhere"])

    assert memory.retain("Good.").new
