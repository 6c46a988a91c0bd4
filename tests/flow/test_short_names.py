"""A short form of a name means whoever bears it, told before or after the full one."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.language.names import fold
from scrubjay.memory import Memory


def asked(memory: Memory, question: str) -> dict[str, float]:
    return {entity.name: entity.confidence for entity in memory.parse(question).entities}


def told(memory: Memory, text: str) -> tuple[str, ...]:
    return memory.get(memory.retain(text).id).entities


def entities_of(memory: Memory, *texts: str) -> list[tuple[str, ...]]:
    """Whom texts mention that are told in one batch."""
    return [memory.get(one).entities for one in memory.retain(list(texts)).ids]


@pytest.mark.parametrize("name", ["Hollis Marsh", "Orsolya Stone", "Kestrel Riding Centre"])
def test_a_full_name_with_an_everyday_word_is_known_by_its_other_end(
    memory: Memory, name: str
) -> None:
    memory.retain(f"We have heard from {name} again.")
    short = name.partition(" ")[0]
    assert told(memory, f"Nobody at the yard believes {short} about that.") == (name,)
    assert 0 < asked(memory, f"What did {short} say?")[name] < 1


def test_a_product_in_capitals_or_humps_does_not_take_its_makers_name(memory: Memory) -> None:
    memory.retain("The form runs on AWS Lambda and is built by GitHub Actions.")
    assert told(memory, "The invoice of AWS is late and so is GitHub.") == ("AWS", "GitHub")


def test_a_town_is_no_short_form_of_what_bears_its_name(memory: Memory) -> None:
    memory.retain("She ran the Ghent Marathon.")
    assert told(memory, "My aunt lives in Ghent.") == ("Ghent",)


def test_someone_called_like_a_city_is_meant_unless_the_sentence_says_the_city(
    memory: Memory,
) -> None:
    memory.retain("Sofia Marchetti has adopted a greyhound.")
    assert told(memory, "Sofia has to work on Monday.") == ("Sofia Marchetti",)
    assert told(memory, "We spent a week in Sofia.") == ("Sofia",)
    assert told(memory, "The flight to Sofia was late.") == ("Sofia",)
    assert told(memory, "I gave the lead to Sofia.") == ("Sofia Marchetti",)


@pytest.mark.parametrize(
    ("short", "full"),
    [("Amelia", "Amelia Stott"), ("Anouk", "Dr. Anouk Brandsma")],
)
def test_a_first_name_told_before_the_full_one_is_the_same_person(
    memory: Memory, short: str, full: str
) -> None:
    texts = f"Spoke to {short} about it.", f"The letter is from {full}.", f"Later {short} rang."
    assert set(entities_of(memory, *texts)) == {(full.removeprefix("Dr. "),)}
    assert asked(memory, f"What does {full.split()[-1]} want?")


def test_it_is_so_too_where_each_is_told_by_itself(memory: Memory) -> None:
    texts = "Spoke to Amelia.", "The letter is from Amelia Stott.", "Amelia rang.", "So did Stott."
    ids = [memory.retain(text).id for text in texts]
    assert {memory.get(one).entities for one in ids} == {("Amelia Stott",)}


def test_the_speaker_with_a_full_name_is_who_was_called_by_the_first(memory: Memory) -> None:
    memory.retain("Ruben and Anouk report to me.", speaker="Teodor Lindqvist")
    told_by = memory.retain("Read-only for all of us.", speaker="Anouk Brandsma")
    assert memory.get(told_by.id).entities == ("Anouk Brandsma",)


def test_a_second_full_name_of_one_first_name_is_someone_else(memory: Memory) -> None:
    memory.retain("Spoke to Chris about it.")
    memory.retain("Chris Valderrama rewrote the adapter.")
    assert told(memory, "Chris Hoang looks after the customers.") == ("Chris Hoang",)
    (chris,) = memory.parse("Where is Chris?").entities
    assert len(chris.candidates) == 2
    apart = entities_of(memory, "Ask Dana.", "Dana Wolff rang.", "Dana Pike rang.")
    assert apart == [("Dana Wolff",), ("Dana Wolff",), ("Dana Pike",)]


def test_in_one_text_the_first_name_means_whom_it_names_in_full(memory: Memory) -> None:
    memory.retain("Sofie Baert is our pharmacist.")
    said = told(memory, "Bart's Sofie, Sofie Lammens, asked if she may bake.")
    assert said == ("Bart", "Sofie Lammens")


def test_an_epithet_tells_two_of_one_name_apart(memory: Memory) -> None:
    memory.retain("We buy our hay from Old Tom Airey.")
    assert told(memory, "Young Tom carried the dog in.") == ("Young Tom",)
    assert told(memory, "Old Tom likes one bill a quarter.") == ("Old Tom Airey",)


def test_whose_friend_someone_is_makes_them_another_than_a_namesake(memory: Memory) -> None:
    memory.retain("A young man called Ruben Stalmans takes over the baton.")
    assert told(memory, "Wout's friend Ruben slept over, they ate pasta.") == ("Wout", "Ruben")
    assert told(memory, "Anna met Ruben Stalmans.") == ("Anna", "Ruben Stalmans")


def test_a_name_the_batch_knows_is_found_where_nothing_but_its_place_speaks_for_it(
    memory: Memory,
) -> None:
    texts = "Colin has a springer spaniel called Monty.", "Monty dental done today."
    assert entities_of(memory, *texts) == [("Colin", "Monty"), ("Monty",)]


def test_an_everyday_word_that_is_a_name_is_found_where_it_owns_something(memory: Memory) -> None:
    memory.retain("Our dog has gone to live with Greet.")
    assert told(memory, "Greet's new mobile drowned.") == ("Greet",)


def test_a_word_on_no_list_is_a_name_behind_what_it_is_called(memory: Memory) -> None:
    assert told(memory, "We dropped the library pydantic.") == ("pydantic",)
    assert told(memory, "The firmware lives in a repo called lockbridge.") == ("lockbridge",)
    assert told(memory, "Rust firmware is built from lockbridge.")[-1] == "lockbridge"
    assert told(memory, "The library closes at six, the service was slow.") == ()
    assert told(memory, "Le service clientèle et le module enfants ferment.") == ()


ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("told_names.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("half", "recall_min"), [("dev", 0.78), ("apart", 0.84)])
def test_names_are_found_in_what_is_told_and_hardly_anything_else(
    memory: Memory, half: str, recall_min: float
) -> None:
    missed = found = 0
    for _, bank, _, must, may, text in (row for row in ROWS if row[0] == half):
        units = memory.bank(bank)
        named = {fold(name) for name in units.get(units.retain(text).id).entities}
        for name in (fold(one.partition("=")[0]) for one in must.split(";") if one != "-"):
            bearers = {one for one in named if set(name.split()) & set(one.split())}
            found, missed = found + bool(bearers), missed + (not bearers)
            named -= bearers
        assert not [one for one in named if one not in fold(may.replace("`", ""))], text
    assert found / (found + missed) >= recall_min
