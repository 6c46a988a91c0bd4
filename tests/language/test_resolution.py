"""Which entity a name stands for: by rule alone, and by what speaks for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.names import AliasCandidate, resolve, same_entity
from scrubjay.types.values import EntityId


@pytest.mark.parametrize(
    ("mention", "canonical"),
    [
        ("Ingrid", "Ingrid Solberg"),
        ("ingrid solberg's", "Ingrid Solberg"),
        ("I. Solberg", "Ingrid Solberg"),
        ("Ingrid S.", "Ingrid Solberg"),
        ("Solberg, Ingrid", "Ingrid Solberg"),
        ("Mrs. Solberg", "Ingrid Solberg"),
        ("Dr. Ingrid Solberg", "Ingrid Solberg"),
        ("Ingrid Solberg", "Ingrid Maria Solberg"),
        ("Bill Okoro", "William Okoro"),
        ("Steve", "Stephen Haddad"),
        ("Anne Marie", "Anne-Marie Dubois"),
        ("van den Broek", "Pieter van den Broek"),
        ("our old friend Noor", "Noor"),
        ("T.S. Eliot", "T. S. Eliot"),
        ("Goetz", "Götz"),
        ("Nuñez", "Nunez"),
        ("D’Angelo", "D'Angelo"),
        ("Borealis", "Borealis GmbH"),
        ("Borealis Inc.", "Borealis"),
        ("WHO", "World Health Organization"),
        ("Heron", "Project Heron"),
        ("the Heron project", "Project Heron"),
        ("Grapes of Wrath", "The Grapes of Wrath"),
        ("ops 1204", "OPS-1204"),
        ("OPS1204", "OPS-1204"),
        ("UK", "United Kingdom"),
        ("k8s", "Kubernetes"),
    ],
)
def test_a_mention_that_a_rule_covers_is_the_same_entity(mention: str, canonical: str) -> None:
    assert same_entity(mention, canonical)


@pytest.mark.parametrize(
    ("mention", "canonical"),
    [
        ("John", "Jon"),
        ("Marta", "Martha"),
        ("Erik", "Erika"),
        ("Alex", "Alexandra"),
        ("Ingrid Solberg", "Ingrid Haddad"),
        ("Noor Solberg", "Ingrid Solberg"),
        ("Lin Yue", "Lin Hao"),
        ("Lin", "Lin Hao"),
        ("Mr. Solberg", "Mrs. Solberg"),
        ("Omar Haddad", "Omar Haddad Jr."),
        ("Haddad", "Omar Haddad"),
        ("Jordan", "Jordan Wells"),
        ("Ingrid", "Ingrid's sister"),
        ("Yoda", "Baby Yoda"),
        ("Omar Haddad", "Omar Haddad Ltd"),
        ("Borealis Inc", "Borealis Ltd"),
        ("Microsoft", "Microsoft Teams"),
        ("Type", "TypeScript"),
        ("New Orleans", "New Hampshire"),
        ("OPS-1204", "OPS-1240"),
        ("Pixel 7", "Pixel 8"),
        ("Pixel", "Pixel 7"),
        ("v2.1", "v21"),
        ("C", "C++"),
        ("prod-us-1", "prod-us-11"),
        ("Design team", "Sales team"),
        ("Grace", "Grace Hopper Conference"),
        ("", "Noor"),
        ("Noor", "  "),
    ],
)
def test_names_that_only_look_alike_are_different(mention: str, canonical: str) -> None:
    assert not same_entity(mention, canonical)


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    assert same_entity(one, other) in (True, False)
    if one.strip():
        assert same_entity(one, one)


def namesake(
    number: int,
    confidence: float = 0.8,
    mentions: int = 0,
    context: tuple[str, ...] = (),
    related: int = 0,
) -> AliasCandidate:
    return AliasCandidate(
        EntityId(number),
        f"Ingrid {number}",
        "person",
        "ingrid",
        confidence,
        mentions,
        frozenset(context),
        related,
    )


def belief(*candidates: AliasCandidate, context: tuple[str, ...] = ()) -> dict[int, float]:
    resolution = resolve("Ingrid", (4, 10), candidates, frozenset(context))
    assert resolution is not None
    assert (resolution.start, resolution.end) == (4, 10)
    assert resolution.candidates[0] == (resolution.entity_id, resolution.confidence)
    return {int(entity): confidence for entity, confidence in resolution.candidates}


def test_without_candidates_nobody_is_meant() -> None:
    assert resolve("Ingrid", (0, 6), (), frozenset()) is None


def test_the_only_bearer_of_a_full_name_is_certain() -> None:
    assert belief(namesake(1, confidence=1.0)) == {1: 1.0}


def test_the_only_bearer_of_a_short_form_is_as_sure_as_the_form() -> None:
    assert belief(namesake(1, confidence=0.8)) == {1: pytest.approx(0.8)}


def test_two_namesakes_are_not_told_apart_by_nothing() -> None:
    found = belief(namesake(1), namesake(2))
    assert found[1] == found[2] < 0.7


def test_being_mentioned_often_is_not_enough() -> None:
    found = belief(namesake(1, mentions=1_000_000), namesake(2, mentions=1))
    assert 0.7 > found[1] > found[2]


def test_context_tells_namesakes_apart() -> None:
    found = belief(
        namesake(1, context=("heron", "oslo")),
        namesake(2, context=("pottery",)),
        context=("heron", "deadline"),
    )
    assert found[1] > 0.7 > found[2]


def test_context_outweighs_use() -> None:
    found = belief(
        namesake(1, mentions=3, context=("heron",)),
        namesake(2, mentions=400, context=("pottery",)),
        context=("heron",),
    )
    assert found[1] > 0.7


def test_context_that_all_share_tells_nothing() -> None:
    found = belief(
        namesake(1, context=("heron",)), namesake(2, context=("heron",)), context=("heron",)
    )
    assert found[1] == found[2] < 0.7


def test_a_relation_to_someone_named_in_the_text_tells_namesakes_apart() -> None:
    assert belief(namesake(1), namesake(2, related=1))[2] > 0.7


def test_the_full_name_is_preferred_to_the_short_form() -> None:
    found = belief(namesake(1, confidence=0.8), namesake(2, confidence=1.0))
    assert found[2] > found[1]


def test_an_entity_found_by_two_aliases_counts_once_by_the_better() -> None:
    assert belief(namesake(1, confidence=0.5), namesake(1, confidence=1.0)) == {1: 1.0}


def test_equal_candidates_come_in_the_order_of_their_ids() -> None:
    resolution = resolve("Ingrid", (0, 6), (namesake(7), namesake(3)), frozenset())
    assert resolution is not None
    assert [entity for entity, _ in resolution.candidates] == [3, 7]


@given(
    st.lists(
        st.builds(
            namesake,
            st.integers(1, 5),
            st.floats(0.05, 1.0),
            st.integers(0, 10**6),
            st.lists(st.sampled_from(["a", "b", "c"])).map(tuple),
            st.integers(0, 9),
        ),
        min_size=1,
        max_size=6,
    ),
    st.frozensets(st.sampled_from(["a", "b", "c"])),
)
def test_belief_is_shared_and_ranked(
    candidates: list[AliasCandidate], context: frozenset[str]
) -> None:
    resolution = resolve("Ingrid", (0, 6), candidates, context)
    assert resolution is not None
    beliefs = [confidence for _, confidence in resolution.candidates]
    assert beliefs == sorted(beliefs, reverse=True)
    assert all(0 < confidence <= 1 for confidence in beliefs)
    assert sum(beliefs) <= 1 + 1e-9
    assert {entity for entity, _ in resolution.candidates} == {c.entity_id for c in candidates}
