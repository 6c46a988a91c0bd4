"""Relations are read from what is told, found by every search, and forgotten with their units."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.answers import Recall
from scrubjay.engine.presets import PRESETS
from scrubjay.limits import RELATIONS_PER_ENTITY_MAX
from scrubjay.memory import Memory
from scrubjay.types.graph import Relation
from scrubjay.types.units import Unit

PLAIN = ("The printer jams.", "Ilse Korhonen has plants.", "Tomas Rask was late.", "We left.")


def people(memory: Memory) -> None:
    memory.retain(PLAIN)
    memory.relate("Tomas Rask", "manages", "Ilse Korhonen")
    memory.relate("Ada Brandt", "manages", "Tomas Rask")


def told(memory: Memory) -> set[tuple[str, str, str]]:
    return {(r.subject.name, r.relation, r.object.name) for r in memory.relations()}


def first(recall: Recall) -> tuple[str, tuple[str, ...] | None]:
    item = recall.items[0]
    evidence = item.why.retrievers.get("graph")
    return item.text, None if evidence is None else evidence.path


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Who manages Ilse?", ("Ilse Korhonen", "<-manages-", "Tomas Rask")),
        ("Who is Ilse's boss?", ("Ilse Korhonen", "<-manages-", "Tomas Rask")),
        ("Who does Tomas manage?", ("Tomas Rask", "-manages->", "Ilse Korhonen")),
        ("Who reports to Tomas?", ("Tomas Rask", "-manages->", "Ilse Korhonen")),
    ],
)
def test_a_told_relation_answers_from_either_end(
    memory: Memory, question: str, path: tuple[str, ...]
) -> None:
    people(memory)
    assert first(memory.recall(question)) == ("Tomas Rask manages Ilse Korhonen.", path)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_told_relation_is_found_by_every_preset(memory: Memory, preset: str) -> None:
    people(memory)
    found = [item.text for item in memory.recall("Who manages Ilse Korhonen?", preset=preset)]
    assert "Tomas Rask manages Ilse Korhonen." in found


def test_a_relation_told_again_changes_the_unit_that_says_it(memory: Memory) -> None:
    people(memory)
    before = memory.stats().units
    memory.relate("tomas rask", "manages", "Ilse", confidence=0.5)
    assert memory.stats().units == before
    assert {r.confidence for r in memory.relations() if r.object.name == "Ilse Korhonen"} == {0.5}


def test_all_that_is_told_of_the_user_is_told_of_one(memory: Memory) -> None:
    memory.retain("I work for Nordlys.", speaker="user")
    numbers = [memory.relate("user", "drinks", drink) for drink in ("Tea", "Milk", "Tea")]
    assert numbers[0] == numbers[2] != numbers[1]
    assert len({r.subject.id for r in memory.relations()}) == 1


def test_a_relation_is_told_of_one_of_several_namesakes(memory: Memory) -> None:
    units = memory.retain(["Ada Brandt rang.", "Ada Brandt left."]).ids
    (ada,) = memory.entities()
    memory.split_entity(ada.id, "Ada Brandt", [units[1]])
    numbers = [memory.relate("Ada Brandt", "knows", other) for other in ("Oda", "Ada Brandt")]
    assert [r.id for r in memory.relations()] == numbers
    (subject,) = {r.subject.id for r in memory.relations()}
    assert len([entity for entity in memory.entities() if entity.name == "Ada Brandt"]) == 2
    assert memory.relations()[1].object.id == subject


def test_the_oldest_of_many_relations_is_told_again_under_its_number(memory: Memory) -> None:
    others = [f"Harbour {number:04}" for number in range(RELATIONS_PER_ENTITY_MAX + 2)]
    oldest, *_ = [memory.relate("Ada Brandt", "knows", other) for other in others]
    assert memory.relate("Ada Brandt", "knows", others[0], confidence=0.5) == oldest


@given(*[st.text("aA-_ .0É", min_size=1, max_size=4).filter(str.strip)] * 3)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_told_has_a_number_and_is_listed_under_it(
    memory: Memory, subject: str, relation: str, other: str
) -> None:
    number = memory.relate(subject, relation, other)
    stored = {r.id: r for r in memory.relations(limit=1_000)}
    assert stored[number].relation == relation
    assert stored[number].told


def test_a_read_relation_leads_on_where_it_is_asked_for(memory: Memory) -> None:
    memory.retain(PLAIN)
    memory.retain("Katrin lives in Bergen with her husband Pieter.")
    memory.retain("Pieter works for Nordlys.")
    text, path = first(memory.recall("Who does Katrin's husband work for?"))
    assert text == "Pieter works for Nordlys."
    assert path == ("Katrin", "<-married to-", "Pieter", "-works for->", "Nordlys")


def test_a_read_relation_leads_nowhere_it_is_not_asked_for(memory: Memory) -> None:
    memory.retain("Katrin lives in Bergen with her husband Pieter.")
    memory.retain("Pieter mends clocks.")
    found = memory.recall("What does Katrin like?")
    clocks = [item for item in found if item.text == "Pieter mends clocks."]
    assert all("graph" not in item.why.retrievers for item in clocks)
    assert found.items[0] not in clocks


def test_what_is_said_of_a_role_is_said_of_who_bears_it(memory: Memory) -> None:
    memory.retain("My sister Katrin paints.")
    memory.retain("My sister works for Nordlys.")
    assert ("Katrin", "works for", "Nordlys") in told(memory)


def test_a_relative_by_law_is_found_over_those_between(memory: Memory) -> None:
    memory.retain(
        [*PLAIN, "My brother Karel is married to Ines.", "Ines teaches at Atlas College."]
    )
    found = memory.recall("Where does my sister-in-law work?")
    evidence = {item.text: item.why.retrievers["graph"].path for item in found.items[:2]}
    assert evidence["Ines teaches at Atlas College."] == (
        "user", "<-sibling of-", "Karel", "-married to->", "Ines", "-works for->", "Atlas College"
    )  # fmt: skip


def test_a_relative_by_law_is_not_whom_one_is_married_to(memory: Memory) -> None:
    memory.retain(["My partner is Samir.", "Samir works for Nordlok.", "My sister is Katrin."])
    memory.retain(["Katrin married Pieter.", "Pieter works for Hubrecht."])
    found = memory.recall("Where does my brother-in-law work?")
    paths = [
        item.why.retrievers["graph"].path or () for item in found if "graph" in item.why.retrievers
    ]
    assert not any("Samir" in path for path in paths)
    assert "Pieter works for Hubrecht." in [item.text for item in found][:2]


def test_something_without_a_name_can_be_asked_for_and_links_nothing(memory: Memory) -> None:
    memory.retain(PLAIN)
    memory.retain(["Marek handles payroll.", "Marek lives in Bergen."])
    late = memory.retain("The payroll run was late again.").id
    text, path = first(memory.recall("Who handles payroll?"))
    assert text == "Marek handles payroll."
    assert path == ("payroll", "<-responsible for-", "Marek")
    assert memory.get(late).entities == ()
    assert memory.parse("When was payroll late?").entities == ()


def test_what_i_say_of_myself_is_said_of_the_user(memory: Memory) -> None:
    memory.retain(PLAIN)
    memory.retain("I work for Nordlys.", speaker="user")
    memory.retain("I work for Equinor.", speaker="Jonas Ferreira")
    memory.retain("I work for you.", speaker="assistant")
    assert ("user", "works for", "Nordlys") in told(memory)
    assert ("Jonas Ferreira", "works for", "Equinor") in told(memory)
    assert first(memory.recall("Who do I work for?"))[0] == "I work for Nordlys."


def test_a_role_links_when_writing_and_when_asking(memory: Memory) -> None:
    memory.retain(["My sister Katrin paints.", "Ana Ortiz, our CTO, is from Bergen."])
    sister, cto = memory.retain(["My sister rang.", "The CTO signed it."]).ids
    assert memory.get(sister).entities == ("Katrin",)
    assert memory.get(cto).entities == ("Ana Ortiz",)
    for question, name in (("What does my sister do?", "Katrin"), ("Is our CTO in?", "Ana Ortiz")):
        assert [entity.name for entity in memory.parse(question).entities] == [name]


def test_a_role_is_learnt_within_one_batch_too(memory: Memory) -> None:
    _, rang = memory.retain(["My mum Greta bakes.", "Mum rang."]).ids
    assert memory.get(rang).entities == ("Greta",)


def test_another_speakers_sister_is_not_mine(memory: Memory) -> None:
    memory.retain("My sister Katrin paints.", speaker="Jonas Ferreira")
    assert told(memory) == {("Katrin", "sibling of", "Jonas Ferreira")}
    assert memory.get(memory.retain("My sister rang.").id).entities == ()


def test_what_was_read_is_forgotten_with_its_unit_and_stays_with_another(memory: Memory) -> None:
    one = memory.retain("My sister Katrin lives in Bergen.").id
    two = memory.retain("Katrin lives in Bergen, still.").id
    memory.forget(one)
    assert told(memory) == {("Katrin", "lives in", "Bergen")}
    memory.forget(two)
    assert (memory.relations(), memory.entities()) == ([], [])


def test_another_text_says_other_relations_and_keeps_those_told(memory: Memory) -> None:
    unit = memory.retain(
        "Katrin lives in Bergen.",
        relations=[Relation("Katrin", "knows", "Oda")],
    ).id
    memory.update(unit, tags=["family"])
    assert told(memory) == {("Katrin", "lives in", "Bergen"), ("Katrin", "knows", "Oda")}
    memory.update(unit, text="Katrin lives in Leuven.")
    assert told(memory) == {("Katrin", "lives in", "Leuven"), ("Katrin", "knows", "Oda")}


def test_relations_travel_with_an_export(memory: Memory, tmp_path: Path) -> None:
    people(memory)
    memory.retain("My sister Katrin lives in Bergen.")
    memory.export(tmp_path / "bank.jsonl")
    with Memory.open(":memory:", encoder="hash", reranker=None) as copy:
        copy.import_(tmp_path / "bank.jsonl")
        assert told(copy) == told(memory)
        assert copy.stats().units == memory.stats().units
        (unit,) = (r.unit for r in copy.relations() if r.relation == "lives in")
        assert unit is not None
        copy.forget(unit)
        assert all(r.told for r in copy.relations())


def test_what_is_said_of_the_user_is_found_by_the_users_name(memory: Memory) -> None:
    memory.retain(PLAIN)
    memory.retain(["I'm Nuala Prentice.", "I work for Nordlys."], speaker="user")
    memory.retain("Nuala Prentice likes tea.")
    found = {item.text: item for item in memory.recall("Who does Nuala Prentice work for?")}
    path = found["I work for Nordlys."].why.retrievers["graph"].path
    assert path == ("Nuala Prentice", "-is->", "user", "-works for->", "Nordlys")
    assert "Nuala Prentice likes tea." not in [
        item.text for item in memory.recall("Which programs do I use?")
    ]


def test_a_role_may_be_another_things_name(memory: Memory) -> None:
    memory.retain("We watched The Executor twice.", entities=["The Executor"])
    assert memory.recall("Did the executor call?").items


def test_a_pronoun_means_whom_a_turn_shortly_before_was_about() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        turns = ("I had lunch with Anna Berg.", "Nice!", "She works for Nordlys now.")
        for turn in turns:
            memory.retain(turn, session="monday", speaker="user")
        memory.retain("Her brother is Tom Berg.", session="monday", speaker="user")
        memory.retain(
            [
                Unit("Mira Holt called.", session="tuesday", speaker="user"),
                Unit("She is married to Jon Holt.", session="tuesday", speaker="user"),
            ]
        )

        assert told(memory) == {
            ("Anna Berg", "works for", "Nordlys"),
            ("Tom Berg", "sibling of", "Anna Berg"),
            ("Mira Holt", "married to", "Jon Holt"),
        }
        assert all(relation.confidence < 0.6 for relation in memory.relations())
        assert first(memory.recall("Who does Anna Berg work for?"))[0] == turns[2]


def test_a_pronoun_means_nobody_where_several_were_spoken_of_or_nobody_was() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        memory.retain("Rui Costa and Kim Aalto came over.", session="one", speaker="user")
        memory.retain("He lives in Oslo.", session="one", speaker="user")
        memory.retain("She lives in Turku.", session="two", speaker="user")
        memory.retain("She lives in Lund.", speaker="user")

        assert told(memory) == set()


def by_relations(memory: Memory) -> None:
    memory.relate("Ilse Korhonen", "manages", "Anna Berg", valid_to="2025-05-01")
    memory.relate("Rui Costa", "manages", "Anna Berg", valid_from="2025-05-01")


def by_reports(memory: Memory) -> None:
    memory.retain("Anna Berg reports to Ilse Korhonen.")
    memory.retain("Anna Berg reports to Rui Costa since Monday.")


def in_one_batch(memory: Memory) -> None:
    memory.retain(["Ilse Korhonen manages Anna Berg.", "Rui Costa manages Anna Berg now."])


@pytest.mark.parametrize("tell", [by_relations, by_reports, in_one_batch])
def test_who_stood_so_before_is_found_before_who_does_now(
    tell: Callable[[Memory], None],
) -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        tell(memory)
        memory.retain(["Rui Costa likes tea.", "Anna Berg was promoted."])

        assert "Ilse" in first(memory.recall("Who was Anna's boss before Rui?"))[0]
        assert "Rui" in first(memory.recall("Who is Anna's boss?"))[0]


def test_two_that_one_may_have_at_once_are_no_succession() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        memory.retain("Tom Berg is the brother of Anna Berg.")
        new = memory.retain("Kim Berg is the brother of Anna Berg.")

        assert [link for link in memory.links(new.id) if link.kind == "updates"] == []


@pytest.mark.parametrize(
    "text",
    [
        "Anna Berg lives in Porto. From June Anna Berg lives in Braga now.",
        "Anna Berg reports to Rui Costa now. Anna Berg reports to Ben Holm.",
    ],
)
def test_a_text_that_names_two_homes_or_bosses_does_not_follow_itself(text: str) -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        told = [memory.retain("Anna Berg lives in Faro, and reports to Mira Holt.").id]
        told += memory.retain([text, "Anna Berg lives in Lund. Anna Berg reports to Kim Berg."]).ids
        links = [link for unit in told for link in memory.links(unit) if link.kind == "updates"]

        assert [link for link in links if link.source == link.target] == []
        assert {link.target for link in links} == {told[0], told[1]}
        assert all(pair.old.id != pair.new.id for pair in memory.conflicts())


TOLD_IN_MARCH = datetime(2024, 3, 6, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("I got it. From the first of September Anna Berg teaches at Norda.", (2024, 9, 1)),
        ("Anna Berg is moving to Lisbon in May.", (2024, 5, 1)),
        ("Anna Berg joins Norda on 1 June.", (2024, 6, 1)),
        ("Anna Berg has signed with Norda, she starts in June.", (2024, 6, 1)),
        ("Rui begins on 1 July. Anna Berg will report to Rui.", (2024, 7, 1)),
        ("Anna Berg works for Norda. The fair is in May.", None),
        ("Anna Berg, who works for Norda, is coming in May.", None),
        ("We've had rain since May. Anna Berg lives in Lisbon.", None),
        ("Anna Berg moved to Lisbon in February.", None),
    ],
)
def test_what_is_still_to_come_holds_from_when_it_begins(
    memory: Memory, text: str, since: tuple[int, int, int] | None
) -> None:
    memory.retain(text, told_at=TOLD_IN_MARCH)
    (relation,) = (each for each in memory.relations() if each.relation != "is")
    assert relation.valid_from == (since and datetime(*since, tzinfo=UTC))


def test_a_relation_holds_since_when_a_caller_says(memory: Memory) -> None:
    began = datetime(2023, 1, 1, tzinfo=UTC)
    text = "It is May. Anna Berg works for Norda."
    memory.retain(text, told_at=TOLD_IN_MARCH, valid_from=began)
    assert [relation.valid_from for relation in memory.relations()] == [began]


def test_what_has_not_begun_weighs_less_until_it_has(memory: Memory) -> None:
    memory.retain("Anna Berg lives in Porto.", told_at=TOLD_IN_MARCH)
    new = memory.retain("Anna Berg is moving to Lisbon in May.", told_at=TOLD_IN_MARCH).id
    fused = []
    for now in (TOLD_IN_MARCH, datetime(2024, 6, 6, tzinfo=UTC)):
        found = memory.recall("Where does Anna Berg live?", now=now)
        fused += [item.why.fused for item in found if item.id == new]
    assert fused[0] < fused[1]


def test_who_has_ended_is_no_conflict_to_decide() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        by_relations(memory)
        assert memory.conflicts() == []
        memory.retain("Mira Holt manages Anna Berg now.")
        assert [pair.reason for pair in memory.conflicts()] != []


@pytest.mark.parametrize(
    ("told_of", "question", "meant"),
    [
        (["Mum's name is Loretta.", "Loretta has a brother, Ambrose."], "my uncle", "Ambrose"),
        (["Dad's sister Philippa rang."], "my aunt", "Philippa"),
        (["My sister is Ingrid.", "Ingrid married Tobias."], "my sister's husband", "Tobias"),
        (
            ["Yusuf's wife is Mariam.", "Mariam's mother Zahra rang."],
            "Yusuf's mother-in-law",
            "Zahra",
        ),
    ],
)
def test_kin_over_several_steps_is_composed_of_what_was_told(
    memory: Memory, told_of: list[str], question: str, meant: str
) -> None:
    memory.retain(told_of)
    parsed = memory.parse(f"What does {question} take in tea?")
    assert [entity.name for entity in parsed.entities if entity.mention == question] == [meant]


@pytest.mark.parametrize(
    ("told_of", "question", "meant"),
    [
        (
            "Meine Schwester Katrin ist mit Pieter verheiratet.",
            "Was trinkt mein Schwager?",
            "Pieter",
        ),
        ("Der Bruder meiner Mutter heißt Pieter.", "Was trinkt mein Onkel?", "Pieter"),
        ("Mon frère Maxime a épousé Greta.", "Que boit la femme de mon frère ?", "Greta"),
        ("Mi hermana Lucía está casada con Pablo.", "¿Qué bebe mi cuñado?", "Pablo"),
    ],
)
def test_kin_is_composed_in_other_languages(
    memory: Memory, told_of: str, question: str, meant: str
) -> None:
    memory.retain(told_of)
    assert meant in [entity.name for entity in memory.parse(question).entities]


def test_kin_that_was_never_told_is_nobody(memory: Memory) -> None:
    memory.retain(["My sister is Ingrid.", "Tobias has a brother, Karel."])
    assert "Karel" not in [e.name for e in memory.parse("Where is my uncle?").entities]


def test_whom_a_question_describes_is_looked_for_by_name(memory: Memory) -> None:
    memory.retain(["Our cat Momo hides.", "The vet is closed.", "Momo eats tuna at noon."])
    found = memory.recall("What does the cat eat?")
    ways = {item.text: item.why.retrievers.get("graph") for item in found}
    eats = ways["Momo eats tuna at noon."]
    assert eats is not None and eats.path is not None
    assert eats.path[-1] == "Momo"


def test_what_is_told_of_the_cat_may_be_of_another_than_ours(memory: Memory) -> None:
    memory.retain("Our cat Momo hides.")
    other = memory.retain("The cat in kennel four bit the nurse.").id
    assert "Momo" not in memory.get(other).entities


FAMILY = (
    "Ingrid is my sister.",
    "Ingrid's husband Tobias teaches maths.",
    "Karel is my brother.",
    "Karel's girlfriend Vera is a vegetarian.",
    "Tobias is allergic to peanuts.",
    "Vera cycles to work.",
)


@pytest.mark.parametrize(
    ("question", "meant"),
    [("my sister's husband", "Tobias"), ("my brother's girlfriend", "Vera")],
)
def test_a_sisters_husband_is_not_a_brothers_girlfriend(
    memory: Memory, question: str, meant: str
) -> None:
    memory.retain(FAMILY)
    parsed = memory.parse(f"What may {question} eat?")
    described = next(one for one in parsed.entities if one.mention == question)
    assert described.name == meant
    assert described.confidence > 0.7


def test_what_is_asked_of_someone_described_comes_before_what_says_who_that_is() -> None:
    with Memory.open(":memory:", encoder="scrubjay-small", reranker=None) as memory:
        memory.retain(FAMILY)
        allergic = memory.recall("What is my sister's husband allergic to?").items[0]
        assert allergic.text == "Tobias is allergic to peanuts."
        who = memory.recall("Who is my sister's husband?").items[0]
        assert who.text == "Ingrid's husband Tobias teaches maths."


def test_a_relation_that_is_asked_twice_is_followed_twice(memory: Memory) -> None:
    memory.retain(
        ["Ines reports to Bram.", "Bram reports to Carla.", "Carla lives in Faro.", "Bram swims."]
    )
    text, path = first(memory.recall("Where does Ines's boss's boss live?"))
    assert text == "Carla lives in Faro."
    assert path is not None and path[0] == "Ines" and path.count("-reports to->") == 2
    _, once = first(memory.recall("Who is Ines's boss?"))
    assert once == ("Ines", "-reports to->", "Bram")
