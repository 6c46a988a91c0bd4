"""No text raises, overlaps its own mentions, or costs more than a bounded number of steps."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thoroughness import tries

from scrubjay.language.dates import TimeContext, find_times, question_window, told_window
from scrubjay.language.dates.reading import read
from scrubjay.language.dates.syntax.lexicon import languages
from scrubjay.language.dates.syntax.parser import STEPS_PER_TOKEN_MAX
from scrubjay.language.dates.syntax.tokens import TOKENS_MAX

CONTEXT = TimeContext(
    now=datetime(2024, 6, 19, 14, 30, tzinfo=UTC), zone=ZoneInfo("Pacific/Auckland")
)
# Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Thai, Hangul, kana and Han.
SCRIPTS = [
    ("a", "ÿ"),
    ("Α", "ω"),
    ("А", "я"),
    ("ء", "ي"),
    ("א", "ת"),
    ("ऀ", "ॿ"),
    ("ก", "๛"),
    ("가", "힣"),
    ("ぁ", "ヿ"),
    ("一", "鿿"),
]
NUMBERS = [
    "0", "3", "31", "1999", "2024", "99999", "20240131", "3rd", "5pm", "10:30", "24:61", "3/4",
    "2024-01-05", "2024-13-45", "31.2.2024", "12.5.", "'09", "1.5", "2019-2021", "24/7", "90s",
    "2024-01-05T10:00:00Z", "0001-01-01T00:00+14:00",
]  # fmt: skip
MARKS = list(",.;:!?-/()'\"~–年月日")

letters = st.one_of(
    *(st.characters(min_codepoint=ord(first), max_codepoint=ord(last)) for first, last in SCRIPTS)
)
texts = st.text(st.one_of(letters, st.sampled_from(" \n\t0123456789.,-/:'\"")), max_size=200)


def words_of(code: str) -> list[str]:
    language = languages()[code]
    return [*language.words, *language.phrases]


def jumble(chance: random.Random) -> str:
    """Time words of one language in random order, with numbers and broken pieces among them."""
    code = chance.choice(sorted(languages()))
    vocabulary = words_of(code)
    tokens = []
    for _ in range(chance.randint(1, 12)):
        word = chance.choice((vocabulary, vocabulary, NUMBERS, MARKS))
        token = chance.choice(word)
        if chance.random() < 0.1:
            cut = chance.randrange(len(token))
            token = token[:cut] + chance.choice(MARKS) + token[cut:]
        tokens.append(token)
    return ("" if languages()[code].cjk else " ").join(tokens)


def check(text: str) -> None:
    end = 0
    for mention in find_times(text, CONTEXT):
        assert end <= mention.start < mention.end <= len(text)
        assert mention.text == text[mention.start : mention.end]
        assert 0 < mention.confidence <= 1
        window = mention.window
        assert window.start is not None or window.end is not None
        assert window.start is None or window.end is None or window.start <= window.end
        end = mention.end
    question_window(text, CONTEXT)
    told_window(text, CONTEXT)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_any_text_in_any_script_is_read_without_harm(text: str) -> None:
    check(text)


@settings(max_examples=200, deadline=None)
@given(st.randoms(use_true_random=False))
def test_jumbled_time_words_are_read_without_harm(chance: random.Random) -> None:
    check(jumble(chance))


@pytest.mark.slow
@settings(max_examples=tries(usual=15, soak=100), deadline=None)
@given(st.integers(0, 2**32))
def test_jumbles_by_the_thousand_are_read_without_harm(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(1_000):
        text = jumble(chance)
        assert all(mention.text in text for mention in find_times(text, CONTEXT))


@pytest.mark.parametrize(
    "piece",
    [
        "1 day after ",
        "the first week of ",
        "from monday to ",
        "3 march - ",
        "day before ",
        "may ",
        "last two ",
        "1/",
        "2024-",
        "since before after until ",
        "a year and a half ",
        "年前",
        "twenty ",
    ],
)
def test_steps_grow_with_the_tokens_and_no_faster(piece: str) -> None:
    for times in (10, 100, 1_000):
        reading = read(piece * times + " yesterday", CONTEXT, telling=False)
        if reading is None:
            continue
        assert len(reading.tokens) <= TOKENS_MAX
        assert reading.steps <= 40 * max(len(reading.tokens), 8)


def test_the_parser_stops_at_its_bound() -> None:
    assert STEPS_PER_TOKEN_MAX >= 40
    reading = read("the first week of " * 5_000, CONTEXT, telling=False)
    assert reading is None or len(reading.tokens) <= TOKENS_MAX
