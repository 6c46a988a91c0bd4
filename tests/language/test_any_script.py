"""No text of any script makes reading fail: names, relations, dates, types, changes and causes.

Some hundred texts always; 100,000 by `python -m pytest tests/language/test_any_script.py -m bench`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest
from tests.language.test_linear import READERS, cpu_seconds

from scrubjay.language.analyzer import Analyzer
from scrubjay.language.changes import changes_in, statement_of
from scrubjay.language.told_values import values_of

TEXTS, MANY = 300, 100_000
# The slowest text may take so many times what most take for each character of its own length.
SLOWEST_RATIO_MAX = 60
SLOW = 20  # of so many it is looked at what they take
SETTLED_CHARACTERS = 200  # below which what any text costs counts for more than its length

SCRIPTS = {
    "Latin": "abcdefghijklmnopqrstuvwxyzÄÖÜéèñçøłšžőığß",
    "Cyrillic": "абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВҐЇ",
    "Greek": "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔάέή",
    "Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهويىءة٠١٢٣٩",
    "Hebrew": "אבגדהוזחטיכלמנסעפצקרשתךםןףץ",
    "Devanagari": "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह०१२९ािीुूे्",
    "Han": "我你他她的是在有人王李张刘陈先生名字叫今天明天昨年月日三五十二〇",
    "Kana": "あいうえおかきくけこさしすせそたちつてとなにぬねのアイウエオカサタナさん様昨日",
    "Hangul": "가나다라마바사아자차카타파하김이박최씨님오늘내일어제년월일",
    "Thai": "กขคงจฉชซญดตถทธนบปผพมยรลวศสหอะาิีึืุู่้๑๒๙",
}
# What the rules look for, so that their branches are entered from any script.
CUES = (
    "my sister ", "Ana ", "Ana's ", "Ben Holm", " works for ", " is managed by ", " and ", ", who ",
    "moved from ", " to ", "I'm ", "lives in ", "is on the ", " team", "handles ", "auth-service ",
    "no longer ", "instead ", "because ", "so we ", "on 3 May ", "31/02/2024 ", "next Friday ",
    "since ", "until March 2029", "at 25:61 ", "99999 BC", "never ", "always ", "from now on ",
    "$1,200.50 ", "-0 ", "1e309 ", "OPS-1204 ", "http://", "@", "#1", "?", "!", ". ", "\n", "\n\n",
    "```", "**", "(", ")", "“", "”", "'", "’s ", "\x00", "\x02", "\x021\x03", "\x03", "\ufeff",
    "\u200d", "\u202e", "\U0001f600", "İ", "ǅ", "ﬁ", "meine Schwester ", "vive en ", "habite à ",
    "昨日", "先生", "씨 ", "в мае ", "τον Μάιο ", "अगले ",
)  # fmt: skip


def texts(count: int, seed: int) -> Iterator[str]:
    """Texts of up to some forty pieces: words of one script or two, cues, any character at all."""
    chance = random.Random(seed)
    alphabets = list(SCRIPTS.values())
    for _ in range(count):
        letters = chance.sample(alphabets, chance.choice((1, 1, 2)))
        pieces = list[str]()
        for _ in range(chance.randint(1, chance.choice((3, 12, 40)))):
            kind = chance.random()
            if kind < 0.5:
                word = "".join(chance.choices(chance.choice(letters), k=chance.randint(1, 9)))
                pieces.append(chance.choice((word, word.capitalize())) + " ")
            elif kind < 0.95:
                pieces.append(chance.choice(CUES))
            else:
                code = chance.choice((chance.randrange(0xD800), chance.randrange(0xE000, 0x110000)))
                pieces.append(chr(code))
        yield "".join(pieces)


ANALYZER = Analyzer()


def read(text: str) -> None:
    for reader in READERS.values():
        reader(text)
    changes_in(text, ANALYZER.document_terms(text), ANALYZER)
    statement_of(text, ANALYZER)
    values_of(text)


def test_no_text_of_any_script_makes_reading_fail() -> None:
    for text in texts(TEXTS, seed=11):
        try:
            read(text)
        except Exception as error:
            raise AssertionError(ascii(text)) from error


@pytest.mark.bench
@pytest.mark.timeout(3_600)
def test_a_hundred_thousand_texts_are_read_in_time_that_follows_their_length() -> None:
    per_character = list[tuple[float, str]]()
    for text in texts(TEXTS, seed=11):
        read(text)  # what is read first loads the lists of words
    for text in texts(MANY, seed=7):
        begun = time.thread_time()
        try:
            read(text)
        except Exception as error:
            raise AssertionError(ascii(text)) from error
        spent = time.thread_time() - begun
        per_character.append((spent / max(len(text), SETTLED_CHARACTERS), text))
    ordered = sorted(per_character)
    middle = ordered[len(ordered) // 2][0]
    for spent, text in ordered[-SLOW:]:
        # The collector comes by where it will: what is slow is slow again.
        again = cpu_seconds(read, text) / max(len(text), SETTLED_CHARACTERS)
        assert min(spent, again) <= SLOWEST_RATIO_MAX * middle, (middle, again, ascii(text))
