"""Folds a name to the one form under which its spellings are compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from scrubjay.language.names.lists import TITLES
from scrubjay.language.spelling import few_marks
from scrubjay.limits import NAME_CHARACTERS_MAX

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼʹ`´＇′", "'"))
_POSSESSIVE = re.compile(r"(?<=\w)'s(?!\w)")
# Turkish sets off what it appends to a name: "Ayşe'ye", "Bursa'da". Three letters stand before it,
# so that "d'un" is none.
APPENDED = (
    r"(?<=\w\w\w)['’](?:y?[aeıiuü]|n[aeıiuü]|n?[ıiuü]n|[dt][ae](?:n|ki)?|y?l[ae]|l[ae]r|l[ıiuü]|[cç][ae]|ki)"
    r"(?!\w)"
)
_APPENDED = re.compile(APPENDED)
# "C++" and "C#" are not "C"; a channel's "#" and a sum's "+" are punctuation.
_LOOSE_SIGNS = re.compile(r"(?<![\w+#])[+#]+|[+#]+(?=\w)")
_ASCII_SEPARATORS = re.compile(r"[^a-z0-9+#']+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
# Letters with a stroke or a ligature have no decomposition, yet are typed without it.
_STROKES = {
    ord(letter): plain
    for letter, plain in zip(
        "łøđðħıæœþ", ("l", "o", "d", "d", "h", "i", "ae", "oe", "th"), strict=True
    )
}
_COMBINING = range(0x300, 0x370)


class _Spelling(dict[int, str | None]):
    """A translation table that learns each character once: separators, accents, strokes."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        if code in _COMBINING:
            result: str | None = None
        elif character in "+#'" or unicodedata.category(character)[0] in "LMN":
            result = _STROKES.get(code, character)
        else:
            result = " "
        self[code] = result
        return result


_SPELLING = _Spelling()

# A bank names the same few again and again; half a kilobyte an entry, since the long are not kept.
_CACHED_NAMES_MAX = 16_384


def fold(name: str) -> str:
    """The form under which two spellings of a name are equal; folding twice changes nothing.

    Case, accents, possessives, leading titles, punctuation and spacing are gone; digits,
    word order and letters of every script stay. A text of punctuation only folds to itself.
    """
    return _cached_fold(name) if len(name) <= NAME_CHARACTERS_MAX else _fold(name)


def _fold(name: str) -> str:
    plain = _plain(name)
    if "'" in plain:
        plain = _APPENDED.sub("", _POSSESSIVE.sub("", plain)).replace("'", "")
    if "+" in plain or "#" in plain:
        plain = _LOOSE_SIGNS.sub(" ", plain)
    words = plain.split()
    first = 0
    while first + 1 < len(words) and words[first] in TITLES and len(words[first + 1]) > 1:
        first += 1
    return " ".join(join_initials(words[first:])) or " ".join(name.casefold().split())


_cached_fold = lru_cache(_CACHED_NAMES_MAX)(_fold)


def join_initials(words: list[str]) -> list[str]:
    """Words with neighbouring single letters made one: "J. K. Rowling" is "J.K. Rowling"."""
    if len(words) < 2 or all(len(word) > 1 for word in words):
        return words
    joined: list[str] = []
    after_letter = False
    for word in words:
        is_letter = len(word) == 1 and "a" <= word <= "z"
        if is_letter and after_letter:
            joined[-1] += word
        else:
            joined.append(word)
        after_letter = is_letter
    # "M. R. Smith" must not become Mr Smith.
    return words if joined[0] in TITLES else joined


def fold_transliterated(name: str) -> str:
    """`fold` with German umlauts written out: the other spelling of "Götz" is "goetz"."""
    return fold(unicodedata.normalize("NFC", few_marks(name)).translate(_UMLAUTS))


def title_of(name: str) -> str:
    """The folded title a name opens with, or an empty string."""
    first, _, rest = name.strip().partition(" ")
    title = first.rstrip(".").casefold()
    return title if rest and title in TITLES else ""


def _plain(name: str) -> str:
    """Lower-case words without accents, separated by spaces; apostrophes still in place."""
    if name.isascii():
        return _ASCII_SEPARATORS.sub(" ", name.lower().replace("`", "'"))
    # Case folding can compose and decomposing can uncover capitals, so each is done twice.
    text = unicodedata.normalize("NFKD", few_marks(name).translate(_APOSTROPHES)).casefold()
    text = unicodedata.normalize("NFKD", text).casefold().translate(_SPELLING)
    return unicodedata.normalize("NFC", text)
