"""How many tokens a language model will count in a text: a cheap estimate, and the exact count."""

from __future__ import annotations

import re

# Each match stands for one token. A byte-pair vocabulary of 50-200 thousand holds nearly every
# English word of up to nine letters; rarer and longer ones come in pieces of about that size.
_SHARED = r"|\d{1,3}|\n+| {2,}|[^\w\s]{1,3}|_+"
# A lone space goes with the word behind it, which spares a search of its own.
_ENGLISH = re.compile(r" ?[A-Za-z]{1,9}|'(?:s|t|re|ve|m|ll|d)\b" + _SHARED)

# Other languages got a smaller share of the vocabulary, so their words break more often, and a
# sign of a dense script is about one token.
_DENSE = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_LATIN = r"A-Za-z\u00c0-\u024f\u1e00-\u1eff"
_OTHER = (
    rf"|[{_DENSE}]|[\u0e00-\u0eff\u0900-\u0dff]{{1,2}}|(?:(?![{_DENSE}{_LATIN}])[^\W\d_]){{1,3}}"
)
_MIXED = re.compile(rf"'(?:s|t|re|ve|m|ll|d)\b|[{_LATIN}]{{1,9}}{_OTHER}{_SHARED}")
_ACCENTED = re.compile(rf"[{_LATIN}]{{1,5}}{_OTHER}{_SHARED}")
_ACCENT = re.compile(r"[\u00c0-\u024f\u1e00-\u1eff]")

# A token of an English text lies within a word or is what stands between two, which is hardly ever
# one; and most texts are made of few words. A hundred bytes a word.
_BETWEEN_WORDS = re.compile(r"\n+| {2,}")
_COUNTED_WORDS_MAX = 32_768
_COUNTED_WORD_CHARACTERS_MAX = 40

# One accented letter in a hundred characters is a text in another language; fewer are names.
_CHARACTERS_PER_ACCENT = 100


class _Counts(dict[str, int]):
    """How many tokens each word of English texts is."""

    def __missing__(self, word: str) -> int:
        count = len(_ENGLISH.findall(word))
        if len(word) <= _COUNTED_WORD_CHARACTERS_MAX:
            if len(self) >= _COUNTED_WORDS_MAX:
                self.clear()
            self[word] = count
        return count


_COUNTS = _Counts()


def estimate_tokens(text: str) -> int:
    """About how many tokens a language model counts; 0 for an empty text, else at least 1.

    Within 10 % of a byte-pair tokenizer on English prose, within 20 % on most else.
    """
    if text.isascii():
        between = len(_BETWEEN_WORDS.findall(text)) if "\n" in text or "  " in text else 0
        return sum(map(_COUNTS.__getitem__, text.split())) + between or min(len(text), 1)
    if len(_ACCENT.findall(text)) * _CHARACTERS_PER_ACCENT > len(text):
        pattern = _ACCENTED
    else:
        pattern = _MIXED
    return len(pattern.findall(text)) or min(len(text), 1)
