"""The data files hold together, and mentions say where, how and how surely."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import TimeContext, TimeKind, find_times, question_window
from scrubjay.language.dates.grammar import ACTIONS
from scrubjay.language.dates.semantics.holidays import holidays
from scrubjay.language.dates.semantics.values import Value
from scrubjay.language.dates.syntax.lexicon import languages, tokenize
from scrubjay.language.dates.syntax.patterns import Node, compile_rules, fits

NOW = datetime(2024, 6, 19, 14, 30, tzinfo=UTC)
CONTEXT = TimeContext(now=NOW, zone=UTC)
CODES = sorted(languages())


def nodes(node: Node) -> Iterator[Node]:
    yield node
    children = [*node.words.values(), *node.sets.values(), *node.classes.values()]
    children += node.rules.values()
    if node.wildcard is not None:
        children.append(node.wildcard)
    for child in children:
        yield from nodes(child)


def values_of(code: str, class_name: str) -> set[Value]:
    language = languages()[code]
    single = {
        value for entries in language.words.values() for _, value in entries.get(class_name, ())
    }
    several = {
        value
        for by_second in language.phrases.values()
        for phrases in by_second.values()
        for _, name, value in phrases
        if name == class_name
    }
    return single | several


@pytest.mark.parametrize("code", CODES)
def test_every_pattern_names_an_action_that_exists(code: str) -> None:
    named = {
        action
        for tree in languages()[code].trees.values()
        for node in nodes(tree)
        for _, action in node.actions
    }
    assert named and named <= set(ACTIONS)


@pytest.mark.parametrize("code", CODES)
def test_every_class_and_set_in_a_pattern_has_words(code: str) -> None:
    language = languages()[code]
    from_shape = {"INT", "YEAR", "HHMM", "STAMP", "HOURS", "HOURS.", "DATE", "DASHED", "PAIR"}
    from_shape |= {"DECIMAL"}
    known = {name for entries in language.words.values() for name in entries}
    known |= {
        name
        for by_second in language.phrases.values()
        for phrases in by_second.values()
        for _, name, _ in phrases
    }
    used = {
        name
        for tree in language.trees.values()
        for node in nodes(tree)
        for name in (*node.sets, *node.classes)
    }
    assert used - from_shape <= known


@pytest.mark.parametrize("code", CODES)
def test_every_holiday_named_is_defined(code: str) -> None:
    assert values_of(code, "HOLIDAY") <= set(holidays())


@pytest.mark.parametrize("code", CODES)
def test_every_language_knows_seven_weekdays_and_the_units(code: str) -> None:
    assert values_of(code, "DOW") == set(range(7))
    assert {"day", "week", "month", "year", "hour"} <= values_of(code, "UNIT")


def test_a_rule_that_opens_with_itself_is_refused() -> None:
    trees = compile_rules({"TIME": {"between": ["TIME to TIME"]}}, frozenset())
    with pytest.raises(ValueError, match="TIME can open with itself"):
        fits(trees, {})


@pytest.mark.parametrize(
    ("word", "fitting", "others"),
    [
        ("august", {"MONTH", "CYCLE", "TIME", "SPAN"}, {"DURATION", "CLOCK", "NUM"}),
        ("7", {"INT", "NUM", "DURATION", "TIME", "SPAN"}, {"MONTH"}),
        ("between", {"between", "TIME", "SPAN"}, {"CYCLE"}),
        ("ladder", set(), {"TIME", "SPAN"}),
    ],
)
def test_a_word_fits_itself_its_classes_and_the_rules_they_open(
    word: str, fitting: set[str], others: set[str]
) -> None:
    (token,) = tokenize(word, word, languages()["en"])
    assert fitting <= token.fits
    assert others.isdisjoint(token.fits)


@pytest.mark.parametrize("code", CODES)
def test_what_a_node_branches_by_is_all_it_can_go_on_with(code: str) -> None:
    for node in (inner for root in languages()[code].trees.values() for inner in nodes(root)):
        assert node.branches == {*node.words, *node.sets, *node.classes, *node.rules}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("on March 15th", TimeKind.ABSOLUTE),
        ("in June", TimeKind.ABSOLUTE),
        ("last spring", TimeKind.ABSOLUTE),
        ("last year", TimeKind.ABSOLUTE),
        ("2024-03-15", TimeKind.ABSOLUTE),
        ("last week", TimeKind.RELATIVE),
        ("yesterday", TimeKind.RELATIVE),
        ("three days ago", TimeKind.RELATIVE),
        ("recently", TimeKind.FUZZY),
        ("a few months ago", TimeKind.FUZZY),
        ("since January", TimeKind.OPEN),
        ("before 2020", TimeKind.OPEN),
    ],
)
def test_the_kind_says_how_a_window_is_fixed(text: str, kind: TimeKind) -> None:
    mention = question_window(text, CONTEXT)
    assert mention is not None and mention.kind is kind


def test_fuzzy_windows_are_less_sure_than_exact_ones() -> None:
    fuzzy, exact = question_window("lately", CONTEXT), question_window("yesterday", CONTEXT)
    assert fuzzy is not None and exact is not None
    assert fuzzy.confidence < exact.confidence <= 1


def test_all_mentions_are_found_in_order_with_their_spans() -> None:
    text = "I saw Ann on Friday, Bob two weeks ago, and will see Cy on July 4th."
    found = find_times(text, CONTEXT)
    assert [mention.text for mention in found] == ["Friday", "two weeks ago", "July 4th"]
    assert all(text[mention.start : mention.end] == mention.text for mention in found)


def test_a_list_of_times_gives_the_window_that_holds_them_all() -> None:
    mention = question_window("What did I read in May and June?", CONTEXT)
    assert mention is not None and mention.text == "May and June"
    assert mention.window.start == datetime(2024, 5, 1, tzinfo=UTC)


def test_of_nested_times_the_smaller_is_asked_about() -> None:
    mention = question_window("In 2023, what did I do on March 3rd 2023?", CONTEXT)
    assert mention is not None and mention.text == "March 3rd 2023"


def test_a_date_outweighs_a_vague_word() -> None:
    mention = question_window("What did I bake recently, in May 2022?", CONTEXT)
    assert mention is not None and mention.text == "May 2022"


def test_a_text_is_read_only_up_to_its_bound() -> None:
    assert question_window("word " * 10_000 + "yesterday", CONTEXT) is None


@pytest.mark.parametrize("text", ["9999999 days ago", "5000 years ago", "in 900000 weeks"])
def test_times_beyond_the_calendar_give_none(text: str) -> None:
    assert question_window(text, CONTEXT) is None
