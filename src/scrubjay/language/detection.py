"""A cheap local guess of the language a text is written in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from scrubjay.language.stopwords import language_words

UNDECIDED = "und"

# Stop words come every few words, so the opening of a text is as telling as the whole of it.
_SAMPLE_CHARACTERS = 1_000
_CACHED_SAMPLES_MAX = 1_024

# Letters to a word, to weigh scripts against each other.
_DENSE_SCRIPTS = frozenset({"han", "kana", "hangul"})
_DENSE_LETTERS = 2
_ALPHABET_LETTERS = 5

# Chinese borrows a stray kana; Japanese prose has one for every two or three other signs.
_KANA_SHARE_MIN = 0.1

_ENDING_WORD_MIN = 5
_TIE = 1e-9

# Scripts that several languages with word lists share, and what a text without a sign is.
_SHARED_SCRIPTS = {
    "cyrillic": frozenset({"ru", "uk", "bg", "sr", "be"}),
    "arabic": frozenset({"ar", "fa", "ur"}),
}
_DEFAULT_LANGUAGES = {"cyrillic": "ru", "arabic": "ar", "han": "zh", "kana": "ja", "hangul": "ko"}

_SCRIPT_STARTS: tuple[tuple[int, str], ...] = (
    (0x0000, "latin"),
    (0x0370, "el"),
    (0x0400, "cyrillic"),
    (0x0530, "hy"),
    (0x0590, "he"),
    (0x0600, "arabic"),
    (0x0700, ""),
    (0x0750, "arabic"),
    (0x0780, ""),
    (0x08A0, "arabic"),
    (0x0900, "hi"),
    (0x0980, "bn"),
    (0x0A00, "pa"),
    (0x0A80, "gu"),
    (0x0B00, "or"),
    (0x0B80, "ta"),
    (0x0C00, "te"),
    (0x0C80, "kn"),
    (0x0D00, "ml"),
    (0x0D80, "si"),
    (0x0E00, "th"),
    (0x0E80, "lo"),
    (0x0F00, "bo"),
    (0x1000, "my"),
    (0x10A0, "ka"),
    (0x1100, "hangul"),
    (0x1200, "am"),
    (0x1400, ""),
    (0x1780, "km"),
    (0x1800, ""),
    (0x1E00, "latin"),
    (0x1F00, "el"),
    (0x2000, ""),
    (0x2E80, "han"),
    (0x3040, "kana"),
    (0x3100, "han"),
    (0x3130, "hangul"),
    (0x3190, "han"),
    (0x31F0, "kana"),
    (0x3200, ""),
    (0x3400, "han"),
    (0xA000, ""),
    (0xAC00, "hangul"),
    (0xD7B0, ""),
    (0xF900, "han"),
    (0xFB00, "latin"),
    (0xFB1D, "he"),
    (0xFB50, "arabic"),
    (0xFE00, ""),
    (0xFE70, "arabic"),
    (0xFF00, ""),
    (0xFF21, "latin"),
    (0xFF66, "kana"),
    (0xFFA0, "hangul"),
    (0xFFE0, ""),
    (0x20000, "han"),
    (0x32000, ""),
)
_STARTS = tuple(start for start, _ in _SCRIPT_STARTS)
_SCRIPTS = tuple(script for _, script in _SCRIPT_STARTS)

_WORD = re.compile(r"[^\W\d_]+")
_ASCII_WORD = re.compile(r"[a-z]+")  # the same in a lowered ASCII text, in half the time
# An address or a path counts as one word, however many it is made of.
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff][-.@/:\w]*")
_FOREIGN_LETTER = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")


def detect_language(text: str) -> str:
    """The ISO 639-1 code of the text's main language, `und` when nothing decides.

    The same text always gives the same answer; only the first thousand characters are read.
    """
    return _language_of(text[:_SAMPLE_CHARACTERS])


# A text that is told is asked about twice, for its type and for its words: a megabyte at most.
@lru_cache(_CACHED_SAMPLES_MAX)
def _language_of(sample: str) -> str:
    if not sample.isascii() and _FOREIGN_LETTER.search(sample):
        script = _main_script(sample)
        if script != "latin":
            return _language_of_script(script, sample)
    return _latin_language(sample.lower())


def _main_script(sample: str) -> str:
    """The script that writes the most words, `latin` when even."""
    letters = Counter(
        _SCRIPTS[bisect_right(_STARTS, ord(letter)) - 1]
        for letter in _FOREIGN_LETTER.findall(sample)
    )
    kana, han = letters["kana"], letters["han"]
    if kana and kana >= _KANA_SHARE_MIN * (kana + han):
        letters["kana"], letters["han"] = kana + han, 0
    words = {
        script: count / (_DENSE_LETTERS if script in _DENSE_SCRIPTS else _ALPHABET_LETTERS)
        for script, count in letters.items()
        if script
    }
    best = max(sorted(words), key=words.__getitem__, default="latin")
    return best if words.get(best, 0) > len(_LATIN_WORD.findall(sample)) else "latin"


def _language_of_script(script: str, sample: str) -> str:
    default = _DEFAULT_LANGUAGES.get(script, script)
    if script not in _SHARED_SCRIPTS:
        return default
    lowered = sample.lower()
    votes = _counted(_ballots(lowered, _words_in(lowered)))
    return (
        _winner({code: votes[code] for code in _SHARED_SCRIPTS[script] & votes.keys()}) or default
    )


def _latin_language(sample: str) -> str:
    said = _words_in(sample)
    if sample.isascii() and _is_plain_english(said):
        return "en"
    ballots = _ballots(sample, said)
    winner = _winner(_counted(ballots))
    if not winner or not _is_sure(winner, ballots):
        ballots += _ending_ballots(sample)
        winner = _winner(_counted(ballots))
    return winner if winner and _is_sure(winner, ballots) else UNDECIDED


def _is_plain_english(said: Iterable[str]) -> bool:
    """Whether English wins even if all other languages were one; mostly it does, or none wins."""
    lead = _english_lead()
    return sum(map(lead.__getitem__, lead.keys() & said)) > _TIE


def _is_sure(winner: str, ballots: Sequence[tuple[str, ...]]) -> bool:
    # Names are words of some language, such as Ada in Indonesian, and most texts with no other
    # sign are English.
    return winner == "en" or sum(winner in languages for languages in ballots) > 1


def _words_in(sample: str) -> list[str]:
    return (_ASCII_WORD if sample.isascii() else _WORD).findall(sample)


def _ballots(sample: str, said: Iterable[str]) -> list[tuple[str, ...]]:
    """The languages that each common word and each rare letter of a lowered sample speaks for."""
    words = _word_voters()
    ballots = [words[word] for word in words.keys() & said]
    if not sample.isascii():
        letters = _letter_voters()
        ballots += [letters[letter] for letter in letters.keys() & set(sample)]
    return ballots


def _ending_ballots(sample: str) -> list[tuple[str, ...]]:
    ballots = []
    for word in set(_WORD.findall(sample)):
        if len(word) >= _ENDING_WORD_MIN:
            endings = ((code, words.endings) for code, words in language_words().items())
            ballots.append(tuple(code for code, ends in endings if word.endswith(ends)))
    return ballots


def _counted(ballots: Iterable[tuple[str, ...]]) -> dict[str, float]:
    votes: dict[str, float] = {}
    for languages in ballots:
        # A sign that five languages share says a fifth as much about each.
        share = 1.0 / max(len(languages), 1)
        for language in languages:
            votes[language] = votes.get(language, 0.0) + share
    return votes


def _winner(votes: Mapping[str, float]) -> str | None:
    """The language with the most votes; none when two languages are level."""
    most = max(votes.values(), default=0.0)
    # Sums of shares are not exact; languages this close have the same words in the text.
    close = [language for language, count in votes.items() if count > most - _TIE]
    return close[0] if len(close) == 1 else None


@cache
def _word_voters() -> Mapping[str, tuple[str, ...]]:
    return _voters(
        (language, frozenset(word for word in words.noise | words.common if _tells(word)))
        for language, words in language_words().items()
    )


@cache
def _english_lead() -> Mapping[str, float]:
    """By how much each common word speaks more for English than for any other language."""
    return {
        word: (("en" in languages) - (languages != ("en",))) / len(languages)
        for word, languages in _word_voters().items()
        if languages == ("en",) or "en" not in languages
    }


def _tells(word: str) -> bool:
    # Lone consonants are what apostrophes and initials leave behind in every language.
    return len(word) > 1 or word in "aeioy" or not word.isascii()


@cache
def _letter_voters() -> Mapping[str, tuple[str, ...]]:
    return _voters((language, words.letters) for language, words in language_words().items())


def _voters(signs: Iterable[tuple[str, frozenset[str]]]) -> Mapping[str, tuple[str, ...]]:
    voters: dict[str, tuple[str, ...]] = {}
    for language, owned in signs:
        for sign in owned:
            voters[sign] = (*voters.get(sign, ()), language)
    return voters
