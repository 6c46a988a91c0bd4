"""Each way of asking finds what it should, and says which search found it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from tests.flow.conftest import NOW

from scrubjay.answers import Item, Recall
from scrubjay.encoder.base import Encoder
from scrubjay.memory import Memory
from scrubjay.testing import FixedClock
from scrubjay.types.graph import RelationClass
from scrubjay.types.units import Unit
from scrubjay.types.values import Window

HOUSEHOLD = (
    "The printer on the third floor jams when it is humid.",
    "Dinner with the neighbours is on the first Friday of the month.",
    "The new server room has two cooling units.",
    "Our cat sleeps on the radiator.",
    "Invoices are paid within thirty days.",
    "The train to the coast leaves at nine.",
    "The garden needs water twice a week.",
    "The old laptop was given to the school.",
    "Coffee is bought from the roaster on the corner.",
    "The meeting room on the left has no window.",
)


@pytest.fixture(params=["words", "model"])
def either(request: pytest.FixtureRequest, memory: Memory) -> Memory:
    """The same story must hold with an encoder that knows words only and with the real one."""
    if request.param == "words":
        return memory
    opened: Memory = request.getfixturevalue("understanding")
    return opened


def texts(recall: Recall) -> list[str]:
    return [item.text for item in recall]


def item(recall: Recall, text: str) -> Item:
    return next(item for item in recall if item.text == text)


# --- words and meaning -------------------------------------------------------------------------


def test_recall5_the_badge_number_is_found_by_words_where_meaning_misses_it(
    understanding: Memory,
) -> None:
    alike = ("47812", "48721", "47281", "41782", "47182", "48217", "47218", "42781", "48271")
    understanding.retain([f"Visitor {n} was given badge {b}." for n, b in enumerate(alike)])
    hook = (
        "The hook behind the boiler room door, second from the left, next to the torch and the "
        "spare fuses, has the one marked 47821."
    )
    understanding.retain(hook)
    found = understanding.recall("badge ID 47821", preset="recall5")
    nearest = min(
        (i for i in found if "semantic" in i.why.retrievers),
        key=lambda i: i.why.retrievers["semantic"].rank,
    )
    assert nearest.text != hook, "to the model, one number is much like another"
    assert texts(found)[0] == hook
    assert found.items[0].why.retrievers["lexical"].rank == 1


def test_what_is_unlike_the_question_is_found_where_nothing_better_is(memory: Memory) -> None:
    memory.retain(HOUSEHOLD)
    found = memory.recall("the printer on the third floor", limit=10)
    assert found.items[0].text == HOUSEHOLD[0]
    unlike = [item for item in found if item.why.retrievers["semantic"].score < 0.3]
    assert unlike == list(found)[-len(unlike) :]
    assert len(unlike) > 1
    assert all(item.relevance < 0.1 for item in unlike)
    assert memory.recall("submarine warranty").nothing_relevant


def test_an_identifier_is_found_though_its_vector_is_unlike_the_question(memory: Memory) -> None:
    memory.retain(HOUSEHOLD)
    note = "Reissued in spring together with the parking permit for bay nine near the gate, 47821."
    memory.retain(note)
    found = memory.recall("badge 47821")
    assert texts(found)[0] == note
    assert found.items[0].why.retrievers["semantic"].score < 0.3
    assert found.items[0].why.retrievers["lexical"].rank == 1


def test_a_question_that_is_one_known_identifier_is_answered_by_words_alone(
    memory: Memory,
) -> None:
    memory.retain([*HOUSEHOLD, "Ticket JIRA-9921 waits for the printer."])
    found = memory.recall("JIRA-9921?", preset="recall5")
    assert texts(found) == ["Ticket JIRA-9921 waits for the printer."]
    assert [step.retriever for step in found.plan.retrievers if step.run] == ["lexical"]
    misspelt = memory.recall("JIRA-9912?", preset="recall5")
    assert "semantic" in [step.retriever for step in misspelt.plan.retrievers if step.run]


def test_a_predicate_counts_more_than_the_same_word_in_the_text(memory: Memory) -> None:
    memory.retain("Someone asked about a badge at the front desk.")
    memory.retain("Someone asked about a card at the front desk.", predicate="badge ID is 47821")
    found = memory.recall("badge", preset="polyant")
    card = item(found, "Someone asked about a card at the front desk.")
    assert card.why.retrievers["lexical"].rank == 1


def test_a_paraphrase_is_found_by_meaning_where_words_miss_it(understanding: Memory) -> None:
    understanding.retain(HOUSEHOLD)
    opinion = "I always push to refactor messy code before adding features."
    understanding.retain(opinion)
    found = understanding.recall("what's my stance on technical debt?")
    assert texts(found)[0] == opinion
    assert "lexical" not in found.items[0].why.retrievers
    assert found.items[0].why.retrievers["semantic"].rank == 1


def test_a_quotation_must_stand_as_it_is(memory: Memory) -> None:
    memory.retain(["The door of the blue boat sticks.", "The blue door sticks.", "A door."])
    found = memory.recall('who mended the "blue door"?', preset="dense_fts")
    assert [i.text for i in found if "lexical" in i.why.retrievers] == ["The blue door sticks."]


def test_a_quotation_may_stand_in_the_predicate(memory: Memory) -> None:
    memory.retain("It was painted over.", predicate="blue door gone")
    found = memory.recall('"blue door"', preset="dense_fts")
    assert "lexical" in item(found, "It was painted over.").why.retrievers


def test_a_quotation_that_stands_nowhere_is_searched_as_words(memory: Memory) -> None:
    memory.retain(["The door is blue.", "The hedge is green."])
    found = memory.recall('"blue door"', preset="dense_fts")
    assert "lexical" in item(found, "The door is blue.").why.retrievers


def test_a_word_with_a_minus_keeps_units_out_of_the_word_search(memory: Memory) -> None:
    memory.retain(["The kettle is red.", "The kettle is green."])
    found = memory.recall("kettle -red", preset="polyant")
    assert [i.text for i in found if "lexical" in i.why.retrievers] == ["The kettle is green."]


# --- connections -------------------------------------------------------------------------------


def test_who_reports_to_sarah_is_answered_by_the_entity_walk_with_its_path(either: Memory) -> None:
    either.retain(HOUSEHOLD)
    either.retain("Sarah Whitfield runs the Bergen depot.")
    either.retain("On weekdays Tomás draws coastlines.", entities=["Tomás"])
    either.relate(
        "Tomás",
        "reports to",
        "Sarah Whitfield",
        relation_class=RelationClass.STRUCTURAL,
        confidence=0.95,
    )
    found = either.recall("Who reports to Sarah?")
    graph = item(found, "On weekdays Tomás draws coastlines.").why.retrievers["graph"]
    assert graph.path == ("Sarah Whitfield", "<-reports to-", "Tomás")
    assert graph.score == pytest.approx(0.57)
    assert texts(found)[0] == "Tomás reports to Sarah Whitfield."
    assert texts(found).index("On weekdays Tomás draws coastlines.") <= 2


def pricing(memory: Memory) -> None:
    memory.retain(HOUSEHOLD)
    change = memory.retain("We changed the pricing model to per-seat billing.").id
    effect = memory.retain("Eleven small customers left within a month.").id
    memory.retain("Pricing pages get more visits on Mondays.")
    memory.link(change, effect)


def test_what_happened_after_is_answered_by_the_effect(either: Memory) -> None:
    pricing(either)
    found = either.recall("what happened after we changed the pricing model?")
    assert texts(found)[0] == "Eleven small customers left within a month."
    assert (found.items[0].why.retrievers["graph"].path or ())[-1] == "-causes->"
    assert texts(found)[1] == "We changed the pricing model to per-seat billing."


def test_why_is_answered_by_the_cause(either: Memory) -> None:
    pricing(either)
    found = either.recall("why did the small customers leave?")
    assert texts(found)[0] == "We changed the pricing model to per-seat billing."
    assert (found.items[0].why.retrievers["graph"].path or ())[-1] == "-caused_by->"


def test_what_came_of_an_effect_is_an_effect_too_and_says_its_way(memory: Memory) -> None:
    ids = [
        memory.retain(text).id
        for text in (
            "The tram line to the harbour was closed.",
            "Rosa took to cycling.",
            "Her knees got better.",
            "She gave up on the operation.",
            "She now climbs in the Alps.",
        )
    ]
    for cause, effect in pairwise(ids):
        memory.link(cause, effect)
    found = memory.recall("What did closing the tram line to the harbour lead to?")
    path = item(found, "She gave up on the operation.").why.retrievers["graph"].path
    assert path == (ids[0], "-causes->", ids[1], "-causes->", ids[2], "-causes->")
    far = [i for i in found if i.text == "She now climbs in the Alps."]
    assert not far or "graph" not in far[0].why.retrievers, "three links are followed, no more"


def test_a_cause_is_not_pulled_up_when_nobody_asks_for_it(either: Memory) -> None:
    pricing(either)
    found = either.recall("which pages get more visits on Mondays?")
    assert texts(found)[0] == "Pricing pages get more visits on Mondays."


@pytest.mark.parametrize("kind", ["enables", "prevents"])
def test_what_was_enabled_or_prevented_is_an_effect_too(memory: Memory, kind: str) -> None:
    memory.retain(HOUSEHOLD)
    dam = memory.retain("The beavers built a dam.").id
    memory.link(dam, memory.retain("Herons nest late.").id, kind)
    found = memory.recall("what happened after the beavers built a dam?")
    assert texts(found)[0] == "Herons nest late."


@pytest.mark.parametrize("preset", ["hindsight", "tempr"])
def test_the_designs_find_the_effect_by_their_own_graphs(either: Memory, preset: str) -> None:
    pricing(either)
    found = either.recall("what happened after we changed the pricing model?", preset=preset)
    assert "graph" in item(found, "Eleven small customers left within a month.").why.retrievers


# --- time --------------------------------------------------------------------------------------


def test_last_spring_finds_what_happened_then(either: Memory) -> None:
    either.retain(HOUSEHOLD, told_at=datetime(2025, 11, 1, tzinfo=UTC))
    for text, month in (("We repainted the boathouse.", 4), ("We repainted the attic.", 1)):
        either.retain(text, occurred=datetime(2026, month, 12, tzinfo=UTC), type="event")
    found = either.recall("what did we do last spring?")
    assert found.window == Window(
        datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 5, 31, 23, 59, 59, 999999, tzinfo=UTC)
    )
    assert texts(found)[0] == "We repainted the boathouse."
    assert found.items[0].why.retrievers["temporal"].rank == 1
    assert "We repainted the attic." not in [
        i.text for i in found if "temporal" in i.why.retrievers
    ]


def test_a_pure_time_question_is_answered_by_time_alone(memory: Memory) -> None:
    memory.retain(HOUSEHOLD, told_at=datetime(2025, 11, 1, tzinfo=UTC))
    memory.retain("The chimney was swept.", occurred=NOW - timedelta(days=1))
    found = memory.recall("what happened yesterday?")
    assert texts(found)[0] == "The chimney was swept."
    lexical = next(step for step in found.plan.retrievers if step.retriever == "lexical")
    assert not lexical.run


@pytest.mark.parametrize(
    "question",
    [
        "what did we discuss yesterday?",
        f"Which topics did we talk about on {NOW - timedelta(days=1):%B %d, %Y}?",
    ],
)
def test_words_that_only_ask_are_not_looked_for_beside_a_time(
    memory: Memory, question: str
) -> None:
    memory.retain(HOUSEHOLD, told_at=datetime(2025, 11, 1, tzinfo=UTC))
    memory.retain("The chimney was swept.", told_at=NOW - timedelta(days=1))
    found = memory.recall(question)
    assert texts(found) == ["The chimney was swept."]
    assert [step.retriever for step in found.plan.retrievers if step.run] == ["temporal"]


def test_a_time_in_which_nothing_was_told_is_answered_by_the_other_retrievers(
    memory: Memory,
) -> None:
    memory.retain("We discuss the boathouse too often.", told_at=datetime(2025, 11, 1, tzinfo=UTC))
    found = memory.recall("what did we discuss yesterday?")
    assert found.widened
    assert texts(found) == ["We discuss the boathouse too often."]


def test_a_window_with_very_many_units_still_yields_the_best_of_them(memory: Memory) -> None:
    memory.retain([Unit(f"Reading {n} was normal.", type="message") for n in range(2_100)])
    memory.retain("The gauge on the boiler froze.")
    memory.retain([Unit(f"Value {n} was normal.", type="message") for n in range(150)])
    found = memory.recall("what did the boiler gauge do this month?")
    best = item(found, "The gauge on the boiler froze.")
    assert best.why.retrievers["temporal"].rank == 1


def test_latest_brings_the_newest_at_half_weight(memory: Memory) -> None:
    for day, text in enumerate(["Draft one is out.", "Draft two is out.", "Draft three is out."]):
        memory.retain(text, told_at=NOW - timedelta(days=10 - day))
    found = memory.recall("which draft is the latest?", preset="recall5")
    assert found.window is None
    temporal = item(found, "Draft three is out.").why.retrievers["temporal"]
    assert temporal.rank == 1
    assert texts(found)[0] == "Draft three is out."


def test_since_we_last_talked_begins_where_the_last_session_ended(memory: Memory) -> None:
    memory.start_session("june", at=datetime(2026, 6, 1, 9, tzinfo=UTC))
    memory.end_session("june", at=datetime(2026, 6, 1, 10, tzinfo=UTC))
    memory.retain("The roof was mended.", told_at=datetime(2026, 5, 2, tzinfo=UTC))
    memory.retain("The fence was painted.", told_at=datetime(2026, 7, 2, tzinfo=UTC))
    memory.start_session("july", at=NOW)
    found = memory.recall("what changed since we last talked?", session="july")
    assert found.window is not None
    assert found.window.start == datetime(2026, 6, 1, 10, tzinfo=UTC)
    timely = [i.text for i in found if "temporal" in i.why.retrievers]
    assert timely == ["The fence was painted."]


@pytest.mark.parametrize("minutes", [0, 29])
def test_a_session_that_was_just_active_is_the_present_one_without_being_named(
    memory: Memory, minutes: int
) -> None:
    memory.retain("The roof was mended.", session="may", told_at=NOW - timedelta(days=50))
    memory.retain("The fence was painted.", session="june", told_at=NOW - timedelta(days=20))
    memory.retain("Good morning.", session="today", told_at=NOW - timedelta(minutes=minutes))
    found = memory.recall("what changed since we last talked?")
    assert found.window is not None
    assert found.window.start == NOW - timedelta(days=20)
    now = memory.recall("what did I say earlier in this conversation?")
    assert now.window is not None
    assert now.window.start == NOW - timedelta(minutes=minutes)


def test_a_session_that_began_earlier_but_is_active_now_is_the_present_one(memory: Memory) -> None:
    memory.retain("Let us begin.", session="long", told_at=NOW - timedelta(days=3))
    memory.start_session("short", at=NOW - timedelta(days=2))
    memory.end_session("short", at=NOW - timedelta(days=1))
    memory.retain("Let us go on.", session="long", told_at=NOW - timedelta(minutes=5))
    found = memory.recall("what changed since we last talked?")
    assert found.window is not None and found.window.start == NOW - timedelta(days=1)


@pytest.mark.parametrize("closed", [True, False])
def test_a_session_that_is_over_is_the_last_one(memory: Memory, closed: bool) -> None:
    memory.retain("The roof was mended.", session="may", told_at=NOW - timedelta(days=50))
    ended = NOW - timedelta(minutes=5 if closed else 31)
    memory.retain("The fence was painted.", session="now", told_at=ended)
    if closed:
        memory.end_session("now", at=ended)
    found = memory.recall("what changed since we last talked?")
    assert found.window is not None and found.window.start == ended


def test_since_we_last_talked_without_a_session_log_gives_no_window(memory: Memory) -> None:
    memory.retain("The fence was painted.")
    found = memory.recall("what changed since we last talked?")
    assert found.window is None
    temporal = next(step for step in found.plan.retrievers if step.retriever == "temporal")
    assert not temporal.run


# --- types -------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["recall5", "default"])
def test_a_setting_stored_as_a_fact_is_found_whatever_its_type(either: Memory, preset: str) -> None:
    either.retain(HOUSEHOLD)
    either.retain("The Kestrel timeout is 30 seconds.", type="fact")
    found = either.recall("what is my setting for the Kestrel timeout?", preset=preset)
    assert found.plan.type_hints == ("preference",)
    # Where a filter hides it, the search widens; the default hides nothing.
    assert found.widened == (preset == "recall5")
    assert texts(found)[0] == "The Kestrel timeout is 30 seconds."


def test_enough_of_the_hinted_type_makes_widening_needless(memory: Memory) -> None:
    for drink in ("tea", "coffee", "cocoa", "water", "juice"):
        memory.retain(f"I like {drink} with my breakfast.", type="preference")
    memory.retain("The breakfast room is upstairs.", type="fact")
    found = memory.recall("what do I like for breakfast?", preset="recall5")
    assert not found.widened
    assert {i.type for i in found} == {"preference"}


def test_many_of_the_hinted_type_that_answer_nothing_do_not_keep_the_search_narrow(
    memory: Memory,
) -> None:
    for person in ("Ada", "Bo", "Cleo", "Dov", "Elif", "Finn"):
        memory.retain(f"{person} prefers window seats on long flights.", type="preference")
    memory.retain("The Kestrel timeout is 30 seconds.", type="fact")
    found = memory.recall("what is my setting for the Kestrel timeout?", preset="recall5")
    assert found.widened
    assert texts(found)[0] == "The Kestrel timeout is 30 seconds."


def test_a_bank_that_widens_below_none_keeps_to_the_types(memory: Memory) -> None:
    memory.bank("default", widen_below=0)
    memory.retain("Ada prefers window seats on long flights.", type="preference")
    memory.retain("The Kestrel timeout is 30 seconds.", type="fact")
    assert not memory.recall(
        "what is my setting for the Kestrel timeout?", preset="recall5"
    ).widened


def test_the_bank_decides_below_which_count_it_widens(memory: Memory) -> None:
    memory.bank("default", widen_below=1)
    memory.retain("I like tea with my breakfast.", type="preference")
    memory.retain("The breakfast room is upstairs.", type="fact")
    assert not memory.recall("what do I like for breakfast?", preset="recall5").widened


def test_connections_and_time_are_not_filtered_by_the_type_hint(memory: Memory) -> None:
    for drink in ("tea", "coffee", "cocoa", "water", "juice"):
        memory.retain(f"I like {drink} with my breakfast.", type="preference")
    memory.retain("Breakfast moved to the terrace.", type="event", occurred=NOW - timedelta(days=2))
    found = memory.recall("what breakfast did I like last week?", preset="recall5")
    assert not found.widened
    assert "temporal" in item(found, "Breakfast moved to the terrace.").why.retrievers


# --- names -------------------------------------------------------------------------------------


def two_sarahs(memory: Memory) -> None:
    memory.retain(
        [
            Unit("Sarah Whitfield runs the depot in Bergen.", entities=("Sarah Whitfield",)),
            Unit("Sarah Whitfield counts pallets.", entities=("Sarah Whitfield",)),
            Unit("Sarah Okafor teaches the violin.", entities=("Sarah Okafor",)),
            Unit("Sarah Okafor rents a studio.", entities=("Sarah Okafor",)),
        ]
    )


def test_below_0_7_every_sarah_is_walked_weighed_by_confidence(memory: Memory) -> None:
    two_sarahs(memory)
    found = memory.recall("anything new with Sarah?", preset="recall5")
    (sarah,) = found.parsed.entities
    assert sarah.confidence < 0.7
    assert len(sarah.candidates) == 2
    scores = {i.text: i.why.retrievers["graph"].score for i in found}
    assert len(scores) == 4
    beliefs = [belief for _, belief in sarah.candidates]
    assert sorted(set(scores.values())) == pytest.approx(sorted(set(beliefs)))


def test_context_tells_which_sarah_is_meant(memory: Memory) -> None:
    two_sarahs(memory)
    found = memory.recall("does Sarah still teach the violin?", preset="recall5")
    (sarah,) = found.parsed.entities
    assert sarah.name == "Sarah Okafor"
    assert sarah.confidence >= 0.7
    walked = {i.text for i in found if "graph" in i.why.retrievers}
    assert walked == {"Sarah Okafor teaches the violin.", "Sarah Okafor rents a studio."}


def test_stop_words_tell_nobody_apart(memory: Memory) -> None:
    two_sarahs(memory)
    (sarah,) = memory.parse("is the Sarah in there?").entities
    assert sarah.confidence < 0.7


def test_a_relation_to_someone_named_beside_her_tells_which_sarah(memory: Memory) -> None:
    two_sarahs(memory)
    memory.relate("Bohumil", "reports to", "Sarah Whitfield")
    memory.relate("Sarah Okafor", "knows", "Philippa")
    memory.relate("Sarah Okafor", "knows", "Cosima")
    named = {e.name: e for e in memory.parse("did Bohumil call Sarah?").entities}
    assert named["Sarah Whitfield"].confidence >= 0.7
    (alone,) = memory.parse("did anybody call Sarah?").entities
    assert alone.confidence < 0.7, "relations to people nobody mentioned prove nothing"


def test_she_is_the_person_the_session_spoke_of_last(memory: Memory) -> None:
    memory.retain(HOUSEHOLD)
    memory.retain("Sarah Okafor rents a studio.", session="today")
    memory.retain("Ticket OPS-2291 is still open.", session="today")
    memory.retain("Sarah Okafor teaches the violin.", session="last year")
    found = memory.recall("what does she teach?", session="today", preset="recall5")
    (she,) = found.parsed.entities
    assert she.by_pronoun
    assert she.name == "Sarah Okafor", "a ticket is newer, but not a she"
    assert she.confidence < 0.7
    assert "graph" in item(found, "Sarah Okafor teaches the violin.").why.retrievers


def test_it_is_the_thing_the_session_spoke_of_last(memory: Memory) -> None:
    memory.retain("Ticket OPS-2291 is still open.", session="today")
    memory.retain("Sarah Okafor rents a studio.", session="today")
    (it,) = memory.parse("who fixed it?", session="today").entities
    assert it.name == "OPS-2291"


def test_a_pronoun_without_a_session_stands_for_nobody(memory: Memory) -> None:
    memory.retain("Sarah Okafor rents a studio.", session="today")
    assert memory.parse("what does she teach?").entities == ()


def test_a_name_beside_the_pronoun_needs_no_guess(memory: Memory) -> None:
    memory.retain("Sarah Okafor rents a studio.", session="today")
    memory.retain("Bohumil Novak fishes.", session="today", entities=["Bohumil Novak"])
    (named,) = memory.parse("does Sarah like her studio?", session="today").entities
    assert not named.by_pronoun


# --- asking many at once -----------------------------------------------------------------------


def test_a_batch_answers_as_single_recalls_do(model: Encoder) -> None:
    with Memory.open(":memory:", encoder=model, reranker=None, clock=FixedClock(NOW)) as opened:
        opened.retain(HOUSEHOLD)
        questions = ["where does the cat sleep?", "when does the train leave?", "who waters what?"]
        batch = opened.recall_batch(questions, limit=3)
        single = [opened.recall(question, limit=3) for question in questions]
    assert [[(i.id, i.score) for i in r] for r in batch] == [
        [(i.id, i.score) for i in r] for r in single
    ]
    assert [r.question for r in batch] == questions
