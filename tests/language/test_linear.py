"""Whatever a text holds, reading it costs in proportion to its length, and so does what is kept.

Steps are calls, of Python and of native functions, counted by a profile hook: exact, and the same
on every machine. What happens inside one native call, such as a search by an expression, has no
steps; there the CPU time of a text is compared with that of a text four times as long, and only
where it is long enough to matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from tests.language.adversarial import PATTERNS, Pattern
from tests.language.counting import forget_texts, steps
from tests.thoroughness import some_of

from scrubjay.language.analyzer import Analyzer
from scrubjay.language.asked_change import asked_version
from scrubjay.language.asked_types import type_hints
from scrubjay.language.asked_values import asked_value, kind_sought, value_sought
from scrubjay.language.beginnings import begins_then
from scrubjay.language.causes import CLAIMS_MAX, asks_for_causes, find_causes
from scrubjay.language.changed_part import says_of_asked
from scrubjay.language.changes import statement_of
from scrubjay.language.contrast import are_two_things, stems_of
from scrubjay.language.dates import TimeContext, find_times, question_window, told_window
from scrubjay.language.detection import detect_language
from scrubjay.language.endings import asks_for_endings
from scrubjay.language.names import (
    alias_candidates,
    derived_aliases,
    find_mentions,
    fold,
    same_entity,
)
from scrubjay.language.names.aliases import ALIAS_CANDIDATES_MAX
from scrubjay.language.orders.instructions import standing_instruction
from scrubjay.language.orders.requests import asks_to_do
from scrubjay.language.questions import only_asks
from scrubjay.language.relations import asked_relations, read_relations, role_phrases
from scrubjay.language.relations.asking import asked_of_self
from scrubjay.language.relations.kinship import kin_of
from scrubjay.language.sentences import cut_text
from scrubjay.language.standing import standing_of
from scrubjay.language.states import asks_what_held
from scrubjay.language.tokens import estimate_tokens
from scrubjay.language.told_values import values_of
from scrubjay.language.turn_causes import cause_across_turns
from scrubjay.language.unit_types import guess_type
from scrubjay.limits import (
    ENTITIES_PER_UNIT_MAX,
    PHRASES_PER_QUESTION_MAX,
    QUESTION_CHARACTERS_MAX,
    TERM_CHARACTERS_MAX,
    TIMES_PER_TEXT_MAX,
    UNIT_CHARACTERS_MAX,
)

ANALYZER = Analyzer()
CONTEXT = TimeContext(now=datetime(2024, 5, 1, tzinfo=UTC), zone=UTC)
SEEK = [value_sought("When was it?"), value_sought("How much was it?")]

READERS: dict[str, Callable[[str], object]] = {
    "document terms": ANALYZER.document_terms,
    "question terms": ANALYZER.query_terms,
    "surface terms": ANALYZER.surface_terms,
    "names": find_mentions,
    "alias candidates": alias_candidates,
    "aliases": lambda text: derived_aliases(text, "name"),
    "folding": fold,
    "likeness": lambda text: same_entity(text, text[1:]),
    "times": lambda text: find_times(text, CONTEXT),
    "a question's time": lambda text: question_window(text, CONTEXT),
    "a memory's time": lambda text: told_window(text, CONTEXT),
    "relations": lambda text: read_relations(text, find_mentions(text)),
    "roles": role_phrases,
    "asked relations": asked_relations,
    "types": guess_type,
    "instructions": standing_instruction,
    "requests": asks_to_do,
    "turns": lambda text: cause_across_turns(text, text, own=True, asked=lambda: True),
    "asked types": type_hints,
    "causes": find_causes,
    "asked causes": asks_for_causes,
    "sentences": lambda text: cut_text(text, characters_max=200),
    "tokens": estimate_tokens,
    "language": detect_language,
    "what held": asks_what_held,
    "what is asked of a change": asked_version,
    "endings": asks_for_endings,
    "what begins": begins_then,
    "what a change is of": lambda text: says_of_asked(text, text[1:], text),
    "what it is about": stems_of,
    "two things": lambda text: are_two_things(text, text[1:]),
    "values": values_of,
    "what stands": standing_of,
    "an asked value": asked_value,
    "a value sought": value_sought,
    "the kind that is sought": kind_sought,
    "a time or an amount": lambda text: [seeks and seeks(text) for seeks in SEEK],
    "turns that ask": only_asks,
    "kin": kin_of,
    "asked of oneself": asked_of_self,
    "a statement": lambda text: statement_of(text, ANALYZER),
}

# Of a text four times as long: a little more than four times the steps, and what any text costs.
# The square would be sixteen times.
STEPS_RATIO_MAX = 6
STEPS_ALWAYS = 3_000
LENGTHS = (500, 2_000)
# A text that is cut in the wrong place tells nothing and is put down at once; not in both.
SHORT_TOO = 600

CPU_RATIO_MAX = 8
CPU_LENGTHS = (4_000, 16_000)
# What takes less than this at four times the length of the longest unit is harmless anyway.
CPU_FLOOR_S = 0.06
CPU_TRIES = 6

SOME = some_of(PATTERNS)
each_pattern = pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS.keys())
some_patterns = pytest.mark.parametrize("pattern", SOME.values(), ids=SOME.keys())


def cpu_seconds(read: Callable[[str], object], text: str) -> float:
    forget_texts()
    started = time.thread_time()
    read(text)
    return time.thread_time() - started


def grows_in_proportion(read: Callable[[str], object], pattern: Pattern) -> bool:
    """Whether CPU time follows length; noise is tried away, growth is not."""
    short, long = (pattern(length) for length in CPU_LENGTHS)
    longest = cpu_seconds(read, long)
    shortest = 0.0
    for _ in range(CPU_TRIES):
        if longest < CPU_FLOOR_S or longest < CPU_RATIO_MAX * shortest:
            return True
        shortest = max(shortest, cpu_seconds(read, short))
        longest = min(longest, cpu_seconds(read, long))
    return False


def test_there_are_more_than_a_hundred_patterns_and_each_is_as_long_as_asked() -> None:
    assert len(PATTERNS) > 200
    for name, pattern in PATTERNS.items():
        assert 0.9 * 2_000 <= len(pattern(2_000)) <= 2_000, name


@some_patterns
def test_steps_follow_the_length_of_the_text(pattern: Pattern) -> None:
    short, long = (pattern(length) for length in LENGTHS)
    for name, read in READERS.items():
        for first in ("Ana met Bob at 5 last Friday because of José", "昨日王先生", short):
            read(first)  # for the word lists, which are loaded on first use
        few = max(steps(read, short), steps(read, pattern(SHORT_TOO)))
        many = steps(read, long)
        assert many <= STEPS_RATIO_MAX * few + STEPS_ALWAYS, (name, few, many)


@pytest.mark.slow
@some_patterns
def test_native_work_follows_the_length_of_the_text(pattern: Pattern) -> None:
    for name, read in READERS.items():
        assert grows_in_proportion(read, pattern), name


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("what held", "spaces"),
        ("what it is about", "months"),
        ("what it is about", "is too"),
        ("values", "counted by spaces"),
        ("what stands", "capitals joined"),
    ],
)
def test_what_once_took_the_square_of_the_length_follows_it(name: str, pattern: str) -> None:
    read, text = READERS[name], PATTERNS[pattern]
    few, many = (steps(read, text(length)) for length in LENGTHS)
    assert many <= STEPS_RATIO_MAX * few + STEPS_ALWAYS
    assert grows_in_proportion(read, text)


@each_pattern
def test_what_is_found_is_bounded_by_the_text(pattern: Pattern) -> None:
    text = pattern(UNIT_CHARACTERS_MAX)
    terms = ANALYZER.document_terms(text)
    assert max(map(len, terms), default=0) <= 2 * TERM_CHARACTERS_MAX  # letters may be spelled out
    # One character may stand for eighteen; a word is kept whole, in parts, and as their stems.
    assert len(terms) <= 6 * len(text)
    assert sum(map(len, set(terms))) <= 20 * len(text)
    asked = ANALYZER.query_terms(pattern(QUESTION_CHARACTERS_MAX))
    assert len(asked.phrases) <= PHRASES_PER_QUESTION_MAX
    names = find_mentions(text)
    assert len(names) <= ENTITIES_PER_UNIT_MAX
    aliases = [derived_aliases(name.text, name.kind) for name in names]
    assert sum(len(alias) for found in aliases for alias, _ in found) <= 40 * len(text)
    assert len(alias_candidates(text)) <= ALIAS_CANDIDATES_MAX
    assert len(find_times(text, CONTEXT)) <= TIMES_PER_TEXT_MAX
    assert len(find_causes(text)) <= CLAIMS_MAX
    spans = cut_text(text, characters_max=200)
    assert sum(end - start for start, end in spans) == len(text)


@pytest.mark.slow
@some_patterns
def test_cutting_the_longest_texts_follows_their_length(pattern: Pattern) -> None:
    def cut(text: str) -> object:
        return cut_text(text, characters_max=UNIT_CHARACTERS_MAX)

    short, long = pattern(50_000), pattern(200_000)
    assert steps(cut, long) <= STEPS_RATIO_MAX * steps(cut, short) + STEPS_ALWAYS
    assert grows_in_proportion(cut, lambda length: pattern(20 * length))


def test_a_question_of_nested_possessives_is_read() -> None:
    assert ANALYZER.query_terms("a" + "'s" * 4_990).any_of == ("a",)
    assert ANALYZER.query_terms("qu'" * 3_300 + "hôtel").any_of[0] == "hôtel"


def test_a_long_version_is_found_by_its_beginning() -> None:
    version = ".".join(str(number) for number in range(10, 500))
    terms = ANALYZER.document_terms(version)
    assert "10.11.12" in terms and "10" in terms
    assert version[:TERM_CHARACTERS_MAX] in terms
    assert len(terms) < 12
    asked = ANALYZER.query_terms(version).any_of
    assert version[:TERM_CHARACTERS_MAX] in asked
