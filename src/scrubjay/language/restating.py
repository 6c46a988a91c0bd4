"""Tells whether a text says of one thing what another said of it: the same again, or else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from scrubjay.language.contrast import rough
from scrubjay.language.detection import detect_language
from scrubjay.language.stopwords import noise_words
from scrubjay.language.told_values import values_of


class Restated(StrEnum):
    """How a text stands to an earlier one about the same."""

    SAME = "same"  # in about the same words, with no value that differs
    OTHER = "other"  # of the same thing another value
    SETTLED = "settled"  # what was planned, open or needed is done or decided


# A longer text tells of many things, of which one may be the same.
_CHARACTERS_MAX = 220
_TOKENS_MAX = 40
# Of what both say at least this share of the words of the shorter is the same.
_SAME_SHARE = 0.8
_FRAME_SHARE = 0.5
_SAME_WORDS_MIN = 3
# A value is named in a few words; where more differ, something else is told.
_VALUE_TOKENS_MAX = 6
_PLACES_MAX = 2
# And a number or a day in one or two: "40", "9 June".
_VALUE_KIND_TOKENS_MAX = 2
_NAMING = ("number", "date")
_PARTS_MAX = 4
_PART_END = re.compile(r"[,;]\s+|(?<=[.!])\s+(?=[A-ZÄÖÜ])")

_TOKEN = re.compile(r"[:=](?=\s)|[£$€¥]|\d[\d.,:]*\d|\d+|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CLOSING = re.compile(r"\s*(?:[.,;)]|$)")
_ASIDE = re.compile(r"\([^()]*\)")
# What stands between a thing and what it is, in the languages that the words for a change are in.
_HINGES = frozenset(
    """
    : = is are isn't aren't at in to by with from uses costs ist sind heißt kostet bei in zu mit von
    est sont coûte à chez avec es son está están cuesta en con è sono costa é são custa em a
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_DENYING = frozenset(
    """
    not no never cannot nicht kein keine keinen nie niemals ne pas jamais non nunca ya jamás não mai
    """.split()  # noqa: SIM905
)
# Words for that it is so by now: they belong to neither frame nor value.
_BY_NOW = frozenset(
    """
    now currently nowadays jetzt nun neuerdings inzwischen mittlerweile désormais maintenant ahora
    adesso ora ormai agora remember note fyi
    """.split()  # noqa: SIM905
)


class _Token(NamedTuple):
    word: str
    named: bool  # with a capital, and not as the first word
    number: bool
    closes: bool  # a comma, a point or nothing stands behind it


class _Read(NamedTuple):
    """A text as it is compared; without tokens where it is too long, or asks."""

    tokens: tuple[_Token, ...]
    words: frozenset[str]
    content: frozenset[str]  # those that say what it is about
    named: frozenset[str]  # numbers and names
    denials: int
    noise: frozenset[str]


def may_be_restated(text: str) -> bool:
    """Whether a text is short enough to be about one thing, and asks nothing."""
    return len(text) <= _CHARACTERS_MAX and not text.rstrip().endswith(("?", "？"))


def restated(new: str, old: str) -> Restated | None:
    """What a text says of the thing that an earlier one is about; None where it is about another.

    Only where both are short and most of their words are the same, in the same order but for
    what they say of it. What comes first is the thing, so two that differ there are two things.
    Of a text that says more, one part may do so.
    """
    parts = [part for part in _PART_END.split(new) if len(part.split()) >= _SAME_WORDS_MIN]
    several = parts[:_PARTS_MAX] if len(parts) > 1 and may_be_restated(new) else ()
    return next((found for part in (new, *several) if (found := _restated(part, old))), None)


def _restated(new: str, old: str) -> Restated | None:
    ours, theirs = _read(new), _read(old)
    if _settles(ours, theirs, new, old):
        return Restated.SETTLED
    shared = len(ours.content & theirs.content)
    fewer, more = sorted((len(ours.content), len(theirs.content)))
    if not shared or (shared < _FRAME_SHARE * fewer and not _have_one_key(new, old)):
        return None
    denied = ours.denials != theirs.denials
    alike = shared >= max(_SAME_WORDS_MIN, _SAME_SHARE * more)
    if alike and theirs.named <= ours.words and ours.named <= theirs.words:
        return Restated.OTHER if denied else Restated.SAME
    if denied:
        return None
    places = _differences(ours.tokens, theirs.tokens)
    if not places or not _is_of_one_thing(ours, places):
        return None
    # What is told of two days happened twice, unless the day is all that is another.
    if len(places) > 1 and _days(new) != _days(old):
        return None
    return Restated.OTHER


# What is still to be done, to be decided or to be found; and that it is so no more.
_OPEN = re.compile(
    r"\b(?:will|'ll|’ll|going to|have to|has to|need(?:s|ed)?|must|should|shall|to-?do|still"
    r"|not yet|plan(?:s|ned|ning)?|open|pending|waiting|undecided|decided between|whether"
    r"|available|for rent|for sale|muss|müssen|soll|sollen|noch|offen|geplant|steht an|wollen"
    r"|werden|frei|il faut|doit|devons|encore|prévu|hay que|tengo que|tenemos que|todavía"
    r"|pendiente|deve|dobbiamo|ancora|ainda|precisa|temos de|moet|moeten|nog)\b",
    re.IGNORECASE,
)
_DONE = (
    r"(?:done|finished|ready|fixed|sent|paid|bought|built|made|sold|let|gone|booked|put|chosen|yes"
    r"|decided|agreed|settled|erledigt|fertig|entschieden|beschlossen|ja|oui|faite?|hech[oa]"
    r"|fatt[oa]|feit[oa]|klaar|gedaan|\w{3,20}(?:ed|iert)|ge\w{3,20}(?:t|en)"
    r"|(?:ver|be|er|ent|zer)\w{3,20}t|\w{2,20}ge\w{3,20}(?:t|en)|terminée?|réglée?|envoyée?|payée?)"
)
# "The deck is varnished", "passport renewed", "sent the form".
_CLOSED = re.compile(
    rf"\b(?:is|are|was|were|been|ist|sind|wurden?|est|sont|está|è|é) (?:\w+ )?{_DONE}\b"
    rf"|^\W*(?:\w+ ){{0,2}}{_DONE}\b",
    re.IGNORECASE,
)
# Talk between two, and what is told in more than a sentence, is about many things.
_TALK = re.compile(
    r"[.!?]\s|\b(?:you|your|you're|thanks?|let me|let's|du|dir|dein\w*|ihr|danke|tu|vous|merci|tú"
    r"|gracias|ti|grazie|você|obrigad[oa])\b",
    re.IGNORECASE,
)
# Of what is settled more is said than of what was open: the day, the price, who did it.
_SETTLED_SHARE = 0.5


def _settles(ours: _Read, theirs: _Read, new: str, old: str) -> bool:
    if not ours.tokens or not theirs.tokens or ours.denials > theirs.denials:
        return False
    if _OPEN.search(old) is None or _OPEN.search(new) or _CLOSED.search(new) is None:
        return False
    if _TALK.search(new) or _TALK.search(old.replace("? ", ", ")):
        return False
    stems = {rough(word) for word in theirs.content}
    known = sum(rough(word) in stems for word in ours.content)
    return bool(known) and known >= _SETTLED_SHARE * len(ours.content)


# A note under a heading of its own: "gym membership: ...", "dentist = ...". One word with a capital
# is rather who speaks.
_KEY = re.compile(r"\s*([^:=.,;]{1,40}?)\s*[:=]\s")


def _have_one_key(new: str, old: str) -> bool:
    ours, theirs = _KEY.match(new), _KEY.match(old)
    if ours is None or theirs is None or ours[1].lower() != theirs[1].lower():
        return False
    return " " in ours[1] or ours[1].islower()


# A text is compared with a few others, and then others with it.
@lru_cache(maxsize=1_024)
def _read(text: str) -> _Read:
    read = _ASIDE.sub("", text)
    found = [
        _Token(
            (word := match.group()).lower(),
            place > 0 and word[0].isupper(),
            word[0].isdigit(),
            _CLOSING.match(read, match.end()) is not None,
        )
        for place, match in enumerate(_TOKEN.finditer(read))
    ]
    tokens = tuple(token for token in found if token.word not in _BY_NOW)
    if len(tokens) > _TOKENS_MAX or not may_be_restated(text):
        tokens = ()
    noise = noise_words(detect_language(text)) if tokens else frozenset[str]()
    return _Read(
        tokens,
        frozenset(token.word for token in tokens),
        _content(tokens, noise),
        frozenset(token.word for token in tokens if token.number or token.named),
        sum(token.word in _DENYING or token.word.endswith("n't") for token in tokens),
        noise,
    )


@lru_cache(maxsize=1_024)
def _days(text: str) -> frozenset[str]:
    return values_of(text).get("date", frozenset())


def _content(tokens: Sequence[_Token], noise: frozenset[str]) -> frozenset[str]:
    return frozenset(
        t.word for t in tokens if not t.number and len(t.word) > 1 and t.word not in noise
    )


class _Difference(NamedTuple):
    start: int  # in the newer
    new: Sequence[_Token]
    old: Sequence[_Token]

    def names_on_both_sides(self) -> bool:
        """Whether both are short and name somebody or something."""
        sides = (self.new, self.old)
        return all(
            0 < len(side) <= _VALUE_TOKENS_MAX and any(t.named for t in side[:3]) for side in sides
        )


def _is_of_one_thing(ours: _Read, places: Sequence[_Difference]) -> bool:
    """Whether what differs are values of what both texts say first."""
    first = places[0]
    if not first.start or not _content(ours.tokens[: first.start], ours.noise):
        return False
    hinge = ours.tokens[first.start - 1].word
    kinds = [_kind(place.new) for place in places]
    if None not in kinds and kinds == [_kind(place.old) for place in places]:
        # "Flat 12" and "flat 14" are two flats: a number right behind a thing is its name, if more
        # is said of it; "trim 22, cut 35" is a list of prices.
        named = kinds[0] in _NAMING and not first.new[-1].closes
        return not named or hinge in _HINGES or hinge in ours.noise
    return len(places) == 1 and hinge in _HINGES and first.names_on_both_sides()


def _differences(ours: Sequence[_Token], theirs: Sequence[_Token]) -> list[_Difference]:
    """Where two texts differ, if in a place or two; else nothing."""
    new, old = [token.word for token in ours], [token.word for token in theirs]
    # Most of both is the same: what is so from either end need not be looked for.
    same = next((n for n, pair in enumerate(zip(new, old, strict=False)) if len({*pair}) > 1), None)
    same = min(len(new), len(old)) if same is None else same
    most = min(len(new), len(old)) - same
    last = next((n for n in range(most) if new[-1 - n] != old[-1 - n]), most)
    middle = old[same : len(old) - last], new[same : len(new) - last]
    matcher = SequenceMatcher(None, *middle, autojunk=False)
    places = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    # In a list every number may be another.
    listed = all(
        old_to - old_from == new_to - new_from == 1
        and theirs[same + old_from].number
        and ours[same + new_from].number
        for _, old_from, old_to, new_from, new_to in places
    )
    if len(places) > _PLACES_MAX and not listed:
        return []
    found = []
    for _, old_from, old_to, new_from, new_to in places:
        after = ours[same + new_from : same + new_to]
        before = theirs[same + old_from : same + old_to]
        if after and before and not last and new_to == len(middle[1]) and old_to == len(middle[0]):
            # What one of them adds behind the value, a reason or a remark, is no part of it.
            length = min(len(after), len(before))
            after, before = after[:length], before[:length]
        found.append(_Difference(same + new_from, after, before))
    return found


def _kind(tokens: Sequence[_Token]) -> str | None:
    """The kind of value that some words name; None if it is none, or more."""
    if not 0 < len(tokens) <= _VALUE_KIND_TOKENS_MAX:
        return None
    if all(t.number for t in tokens):
        return "number"
    kinds = values_of(" ".join(t.word for t in tokens)).keys() - {"number"}
    return next(iter(kinds)) if len(kinds) == 1 else None
