"""Causes: what a text claims, in which direction, and what it does not claim."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.causes import CLAIMS_MAX, asks_for_causes, find_causes, gives_cause
from scrubjay.types.graph import LinkKind


def claims(text: str) -> list[tuple[str, str]]:
    return [(claim.cause, claim.effect) for claim in find_causes(text)]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The picnic was cancelled because it rained.", "it rained", "The picnic was cancelled"),
        ("Because it rained, the picnic was cancelled.", "it rained", "the picnic was cancelled"),
        ("Omar missed the train due to a flat tyre.", "a flat tyre", "Omar missed the train"),
        ("Thanks to Noor, the demo went well.", "Noor", "the demo went well"),
        ("The bridge closed as a result of the storm.", "the storm", "The bridge closed"),
        ("The fire was caused by a candle.", "a candle", "The fire"),
        ("The storm led to a power cut.", "The storm", "a power cut"),
        ("The strike, which resulted in delays, is over.", "The strike", "delays, is over"),
        ("The oven broke, so we ordered soup.", "The oven broke", "we ordered soup"),
        ("The oven broke, that's why we ordered soup.", "The oven broke", "we ordered soup"),
        ("The oven broke. As a result, we ordered soup.", "The oven broke", "we ordered soup"),
        ("The oven broke. Therefore we ordered soup.", "The oven broke", "we ordered soup"),
        ("The reason we left is that the oven broke.", "the oven broke", "we left"),
        ("This week, due to the strike, nobody flew.", "the strike", "nobody flew"),
        ("Yeah, Omar, I quit because the pay was low.", "the pay was low", "I quit"),
        ("Dr. Haddad left because the lab closed.", "the lab closed", "Dr. Haddad left"),
        ("Il est parti parce que le four était cassé.", "le four était cassé", "Il est parti"),
        ("Wir blieben, weil es regnete.", "es regnete", "Wir blieben"),
        ("Nos quedamos porque llovía.", "llovía", "Nos quedamos"),
        ("Siamo rimasti a causa della pioggia.", "pioggia", "Siamo rimasti"),
        ("Ficamos em casa por causa da chuva.", "chuva", "Ficamos em casa"),
        ("烤箱坏了，所以我们点了外卖。", "烤箱坏了", "我们点了外卖"),
    ],
)
def test_cause_and_effect_are_told_apart(text: str, cause: str, effect: str) -> None:
    assert claims(text) == [(cause, effect)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The storm caused a flood.", LinkKind.CAUSES),
        ("The loan enabled Noor to open a bakery.", LinkKind.ENABLES),
        ("Her notes helped Omar pass the exam.", LinkKind.ENABLES),
        ("The new lift allows my aunt to visit us.", LinkKind.ENABLES),
        ("The fence prevented the goats from leaving.", LinkKind.PREVENTS),
        ("Loud music kept the baby from sleeping.", LinkKind.PREVENTS),
    ],
)
def test_the_kind_of_the_claim_follows_the_verb(text: str, kind: LinkKind) -> None:
    (claim,) = find_causes(text)
    assert gives_cause(text)
    assert claim.kind is kind


@pytest.mark.parametrize(
    "text",
    [
        "Did the bridge close because of the storm?",
        "What inspired Noor to bake?",
        "I'll let you know what caused it.",
        "We stayed, but not because of the rain.",
        "Hopefully it leads to a raise.",
        "I'm sure it will lead to trouble.",
        "If it rains because of the front, we stay.",
        "The bus is due to arrive at noon.",
        "They raise money for good causes like this.",
        "Thanks to everyone who came!",
        "I agree, so I will try.",
        "So far, so good.",
        "He smiled because",
        "Nothing joins these clauses and nothing should be found here.",
        "",
    ],
)
def test_questions_wishes_denials_and_lookalikes_claim_nothing(text: str) -> None:
    assert find_causes(text) == ()
    assert not gives_cause(text)


def test_a_clause_ends_where_the_sentence_turns() -> None:
    assert claims("I was late because of traffic, but nobody minded.") == [
        ("traffic", "I was late")
    ]


def test_a_chain_of_causes_gives_one_claim_a_link() -> None:
    text = "The outage was caused by an old certificate, which led to a long review."
    assert claims(text) == [
        ("an old certificate", "The outage"),
        ("an old certificate", "a long review"),
    ]


def test_verbs_share_their_subject() -> None:
    text = "The course made Noor proud and helped Omar find work."
    assert [cause for cause, _ in claims("The course inspired Noor to bake.")] == ["The course"]
    assert {cause for cause, _ in claims(text)} == {"The course"}


def test_a_pronoun_for_a_cause_is_trusted_less() -> None:
    (named,) = find_causes("The storm caused a flood.")
    (pronoun,) = find_causes("It caused a flood.")
    assert pronoun.confidence < named.confidence


def test_a_previous_question_is_no_cause() -> None:
    assert find_causes("Did the oven break? As a result, we ordered soup.") == ()


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert len(find_causes(text)) <= CLAIMS_MAX
    assert asks_for_causes(text) in ("cause", "effect", None)


@given(
    st.lists(
        st.sampled_from(
            ["because", "the storm", "led to", ", so I", "due to", "It", "As a result,", "that",
             "and", "prevented us from going", ".", "!", ", but", "Omar,", "a flood", "really"]
        ),
        max_size=25,
    )
)  # fmt: skip
def test_spans_hold_cause_and_effect_and_do_not_overlap(parts: list[str]) -> None:
    text = " ".join(parts)
    for claim in find_causes(text):
        (cause_start, cause_end), (effect_start, effect_end) = claim.cause_span, claim.effect_span
        assert text[cause_start:cause_end] == claim.cause != ""
        assert text[effect_start:effect_end] == claim.effect != ""
        assert cause_end <= effect_start or effect_end <= cause_start
        assert 0 < claim.confidence <= 1


def test_a_long_list_of_reasons_is_bounded() -> None:
    assert len(find_causes("The lid fell because it was loose. " * 200)) == CLAIMS_MAX
    assert len(find_causes(", so I left" * 5_000)) <= CLAIMS_MAX


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Why did Omar quit?", "cause"),
        ("What led to the outage?", "cause"),
        ("How come the shop closed?", "cause"),
        ("What was the reason for the delay?", "cause"),
        ("What inspired Noor's bakery?", "cause"),
        ("Warum schloss der Laden?", "cause"),
        ("¿Por qué cerró la tienda?", "cause"),
        ("为什么商店关门了？", "cause"),
        ("What happened after the outage?", "effect"),
        ("What came of the talks?", "effect"),
        ("What lay behind the strike?", "cause"),
        ("How did the merger come about?", "cause"),
        ("Which and what costs did the storm bring about?", "effect"),
        ("What did the new bridge make possible?", "effect"),
        ("What did the noise drive Noor to do?", "effect"),
        ("What changed as a result of the audit?", "effect"),
        ("What did the storm lead to?", "effect"),
        ("How did the move affect Noor?", "effect"),
        ("What were the consequences of the strike?", "effect"),
        ("Why don't we have lunch?", None),
        ("When did the shop close?", None),
        ("What happened on Friday?", None),
        ("Who is Noor?", None),
    ],
)
def test_questions_ask_for_a_cause_an_effect_or_neither(question: str, wanted: str | None) -> None:
    assert asks_for_causes(question) == wanted
