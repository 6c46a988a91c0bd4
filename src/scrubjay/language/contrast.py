"""Tells two things of one kind apart: what differs between two texts that are alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from scrubjay.language.detection import detect_language
from scrubjay.language.stopwords import noise_words
from scrubjay.language.told_values import (
    day_names,
    differing,
    month_names,
    number_words,
    values_of,
)

# What changed is one thing said of another. Where two or more differ, two things are told of:
# another person and another day, another month and another sum.
_APART = 2
_TOKENS_MAX = 40
# Of two texts in other words altogether nothing stands in the same place.
_ALIKE_MIN = 0.5
# A name, a colour, a part: what tells two of a kind apart is said in a word or two.
_NAME_TOKENS_MAX = 2

_TOKEN = re.compile(r"\d[\d.,:]*\d|\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[.!?;,:](?=\s)")
_ASIDE = re.compile(r"\([^()]*\)")
# Words that tell of a change, of time or of nothing: what stands beside one may still be alike.
_PASSING = frozenset(
    """
    now nowadays new instead moved moves moving changed changes switched since from until till also
    still again just only currently today tomorrow yesterday this next last first time week month
    year day days rang said told note fyi update correction actually sorry dr mr mrs ms prof herr
    frau up down euro euros eur usd jetzt nun neu neue neuer neues neuen inzwischen mittlerweile
    künftig ab seit bis noch wieder nur heute morgen gestern woche monat jahr tag uhr désormais
    maintenant ahora adesso ora agora nu niet ma mon
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
# Verbs that say little by themselves. What stands before one is what the text is about.
_VERBS = frozenset(
    """
    has have had having is are was were been be get got gets will would can does did do go goes went
    cost costs run runs start starts begin begins meet meets open opens close closes held take takes
    took place booked planned scheduled set due ist sind war waren wird wurde wurden hat haben hatte
    kostet kosten beträgt findet beginnt kommt est sont coûte es está cuesta è costa é custa
    put puts raised raises upped bumped lowered lowers cut cuts dropped drops doubled halved tripled
    increased increases reduced reduces brought pushed extended shortened gave gives
    """.split()  # noqa: SIM905
)
_SAME = {"big": "large", "huge": "large", "little": "small", "tiny": "small"}
_ADDED = re.compile(
    r"\b(?:also|too|as well|in addition|additionally|besides|another|an extra|a second|a third"
    r"|auch|zusätzlich|außerdem|ebenfalls|noch ein\w*|aussi|également|en plus|también|además|anche"
    r"|inoltre|também|além disso|ook|bovendien)\b",
    re.IGNORECASE,
)
_MONTH_ALONE = re.compile(
    rf"(?<!\d )(?<!\d\. )(?<!\d de )\b(?P<month>(?!may\b)(?:{month_names()})|(?-i:May))\b(?! \d)",
    re.IGNORECASE,
)
_EFFECTIVE = re.compile(
    r"\b(?:from|since|as of|until|till|by|before|after|starting|effective|ab|seit|bis|zum|dès"
    r"|depuis|partir de|desde|hasta|dal|dalla|da|vanaf|sinds)\s+(?:\S+\s+){0,3}$",
    re.IGNORECASE,
)
# A word and three more that stand before a month have fewer characters.
_EFFECTIVE_MAX = 120


class _Token(NamedTuple):
    stem: str
    number: bool
    joined: bool  # it stands right behind the one before, without so much as an "in" between
    ends: bool = False  # a sentence or a part of one ends behind it
    before_verb: bool = False


class _Read(NamedTuple):
    tokens: tuple[_Token, ...]
    stems: frozenset[str]
    said: frozenset[str]  # those, and the verbs
    months: frozenset[str]


def adds(text: str) -> bool:
    """Whether a text says that what it tells comes on top of what is so already."""
    return _ADDED.search(text) is not None


def stems_of(text: str) -> frozenset[str]:
    """The words that say what a text is about, without their endings; no values."""
    return _read(text).stems


# A pair is asked about for what changed, and for what is told again.
@lru_cache(maxsize=256)
def are_two_things(new: str, old: str) -> bool:
    """Whether two texts in like words tell of two things of one kind, not of one that changed.

    Only what stands between the same words counts, and every kind of value at most once.
    """
    ours, theirs = _read(new), _read(old)
    if len(ours.said & theirs.said) < _ALIKE_MIN * min(len(ours.said), len(theirs.said)):
        return False
    differ = _values_differ(new, old)
    if differ and ours.months and theirs.months and ours.months.isdisjoint(theirs.months):
        return True
    naming, valued = 0, 0
    matcher = SequenceMatcher(
        None, [t.stem for t in theirs.tokens], [t.stem for t in ours.tokens], autojunk=False
    )
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag != "replace":
            continue
        one, other = ours.tokens[new_from:new_to], theirs.tokens[old_from:old_to]
        apart = _tells_apart(one, other, ours, theirs)
        # What stands before the verb, or in between, says of what; what comes last says what of it.
        between = new_to < len(ours.tokens) and old_to < len(theirs.tokens)
        if between or (one[-1].before_verb and other[-1].before_verb):
            naming += apart
        else:
            valued += apart
    return naming > 0 and naming + bool(valued or differ) >= _APART


def _values_differ(new: str, old: str) -> bool:
    return bool(differing(values_of(new), values_of(old)))


def _tells_apart(new: Sequence[_Token], old: Sequence[_Token], ours: _Read, theirs: _Read) -> int:
    """Whether what stands in one place names another thing; a number in a name by itself does."""
    if new[0].number and old[0].number and not (new[0].ends or old[0].ends):
        return _APART if new[0].stem not in theirs.stems else 0
    known = any(t.stem in theirs.stems for t in new) or any(t.stem in ours.stems for t in old)
    if known or max(len(new), len(old)) > _NAME_TOKENS_MAX or len(new) != len(old):
        return 0
    if any(t.number for t in (*new, *old)) or new[-1].ends is not old[-1].ends:
        return 0
    return len(new) if not any(t.joined for t in (*new[1:], *old[1:])) else 1


# A text is compared with a few others, and then others with it.
@lru_cache(maxsize=1_024)
def _read(text: str) -> _Read:
    noise = noise_words(detect_language(text)) | noise_words("en") | _PASSING | _NOT_NAMES
    found, verbs, joined, before_verb = list[_Token](), set[str](), False, 0
    for match in _TOKEN.finditer(_ASIDE.sub("", text)):
        word = match.group().lower()
        if not word[0].isalnum():
            found[-1:] = [last._replace(ends=True) for last in found[-1:]]
        elif word in _VERBS:
            verbs.add(word)
            if found and not found[-1].ends:
                before_verb = len(found)
        elif word[0].isdigit():
            found.append(_Token(word, True, joined))
        elif word not in noise and word.removesuffix("s") not in _NOT_NAMES and len(word) > 1:
            found.append(_Token(rough(_SAME.get(word, word)), False, joined))
            joined = True
            continue
        joined = False
    first = found[:_TOKENS_MAX]
    first[:before_verb] = [token._replace(before_verb=True) for token in first[:before_verb]]
    tokens = tuple(_without_values(first, text))
    stems = frozenset(token.stem for token in tokens)
    return _Read(tokens, stems, stems | verbs, _months(text))


# Values, which are compared by themselves.
_NOT_NAMES = frozenset([*day_names(), *month_names().split("|"), *number_words().split("|")])


def _without_values(tokens: Sequence[_Token], text: str) -> list[_Token]:
    """Tokens less the numbers that are values: all but one that belongs to the first name."""
    return [
        token
        for place, token in enumerate(tokens)
        if not token.number
        or (
            place == 1
            and token.joined
            and not token.ends
            and re.search(rf"[^\W\d_] {token.stem} [^\W\d_]", text)
        )
    ]


def _months(text: str) -> frozenset[str]:
    """The months that a text is about, without those from or until which something is so."""
    return frozenset(
        match["month"].lower()
        for match in _MONTH_ALONE.finditer(text)
        if _EFFECTIVE.search(text, max(0, match.start() - _EFFECTIVE_MAX), match.start()) is None
    )


def rough(word: str) -> str:
    """A word without the endings that most languages here put to it."""
    bare = word.removesuffix("'s").removesuffix("’s")
    for ending in ("ing", "ed", "es", "en", "er", "s", "t", "e", "n"):
        if bare.endswith(ending) and len(bare) - len(ending) >= _STEM_MIN:
            stem = bare[: -len(ending)]
            # "Pinned" is of "pin".
            doubled = ending in _DOUBLING and stem[-1] == stem[-2] and stem[-1] not in "aeiouls"
            return stem[:-1] if doubled else stem
    return bare


_STEM_MIN = 3
_DOUBLING = ("ing", "ed", "er")
