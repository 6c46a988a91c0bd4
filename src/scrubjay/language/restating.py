"""Tells whether a text says of one thing what another said of it: the same again, or else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from scrubjay.language.contrast import adds, rough
from scrubjay.language.detection import detect_language
from scrubjay.language.stopwords import noise_words
from scrubjay.language.told_values import (
    day_names,
    differing,
    month_names,
    number_words,
    values_of,
)


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
# What stands before a thing, of which nothing depends.
_ARTICLES = frozenset(
    """
    the a an der die das den dem le la les un une el los las il lo o os as het de my our mein meine
    unser unsere mon ma mes notre nos mi mis nuestro nuestra mio mia nostro nostra meu minha onze
    mijn
    """.split()  # noqa: SIM905
)
_DENYING = frozenset(
    """
    not no never cannot nicht kein keine keinen nie niemals ne pas jamais non nunca ya jamás não mai
    """.split()  # noqa: SIM905
)
# Words for that it is so by now, or was told wrongly: they belong to neither frame nor value.
_BY_NOW = frozenset(
    """
    now currently nowadays jetzt nun neuerdings inzwischen mittlerweile désormais maintenant ahora
    adesso ora ormai agora remember note fyi sorry wait oops correction misread mistake typo
    entschuldigung pardon perdón
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
    things: frozenset[str]  # those, less their endings and what values are told with
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
    found = next((found for part in (new, *several) if (found := _restated(part, old))), None)
    return Restated.OTHER if found is None and _takes_up(new, old) else found


def _restated(new: str, old: str) -> Restated | None:
    ours, theirs = _read(new), _read(old)
    if _settles(ours, theirs, new, old):
        return Restated.SETTLED
    shared, denied = len(ours.content & theirs.content), ours.denials != theirs.denials
    fewer, more = sorted((len(ours.content), len(theirs.content)))
    alike = shared >= max(_SAME_WORDS_MIN, _SAME_SHARE * more)
    if alike and theirs.named <= ours.words and ours.named <= theirs.words:
        return Restated.OTHER if denied else Restated.SAME
    if denied or not shared or (shared < _FRAME_SHARE * fewer and not _have_one_key(new, old)):
        return None
    places = _differences(ours.tokens, theirs.tokens)
    if not places or not _is_of_one_thing(ours, places):
        return None
    if _are_of_two_days(new, old):
        return None
    return Restated.OTHER


# Verbs, days and units of measure that a value is told with, and colours, which are values.
_VALUE_WORDS = (
    frozenset(
        """
        go goes went gone come comes came get gets got take takes took make makes run runs start
        starts begin begins open opens close closes cost costs want wants need needs number code
        euro euros pound pounds dollar dollars minute minutes hour hours noon midnight uhr heure
        morning afternoon evening night kommt kommen kostet beginnt beginnen coûte cuesta costa
        """.split()  # noqa: SIM905
    )
    | day_names()
    | frozenset(number_words().split("|"))
    | frozenset(month_names().split("|"))
)
_COLOURS = frozenset(
    rough(word)
    for word in """
    black white grey gray red green blue yellow brown pink purple violet beige cream turquoise navy
    schwarz weiß grau rot grün blau gelb braun lila noir blanc gris rouge vert bleu jaune negro
    blanco rojo verde azul amarillo
    """.split()  # noqa: SIM905
)


def _takes_up(new: str, old: str) -> bool:
    """Whether the newer is about all that the older is about, and says something else of it.

    Two things of a kind are told apart by a word that either has and the other has not, so every
    word of the older must be there. One alone may be about anything: then a value has to differ.
    """
    ours, theirs = _read(new), _read(old)
    mine, things = ours.things, theirs.things
    coloured = _other_colour(ours, theirs)
    if coloured:
        mine, things = mine - _COLOURS, things - _COLOURS
    # Most pairs end here, before anything is looked up.
    if not mine or not things or not (things <= mine or mine <= things):
        return False
    if adds(new) or _names_two(ours.tokens, theirs.tokens):
        return False
    if _are_of_two_days(new, old) or _are_of_two_months(new, old):
        return False
    differ = bool(differing(values_of(_NOT_SO.sub("", new)), values_of(old)))
    differ = differ or _counts_otherwise(ours, theirs)
    if differ or coloured:
        return True
    # Of two thanks or goodbyes the later says nothing new.
    return len(things) >= _THINGS_MIN and things < mine and _TALK.search(old) is None


def _counts_otherwise(ours: _Read, theirs: _Read) -> bool:
    """Whether both name a number in a word, each another: "for six", "for nine"."""
    new, old = ours.words & _SPOKEN, theirs.words & _SPOKEN
    return bool(new and old) and new.isdisjoint(old)


_SPOKEN = frozenset(number_words().split("|")) - {"one"}


def _other_colour(ours: _Read, theirs: _Read) -> bool:
    new, old = ours.things & _COLOURS, theirs.things & _COLOURS
    return bool(new and old) and new.isdisjoint(old)


# "14, not 40": the one that it is not is no value of the newer.
_NOT_SO = re.compile(
    r"\b(?:not|instead of|rather than|nicht|statt|pas|non|no)\s+(?:the\s+)?[£$€]?\d\S*",
    re.IGNORECASE,
)
_OF_A_DAY = frozenset({"date", "weekday", "number"})
# Two words name a thing well enough to know it again, where no value is another.
_THINGS_MIN = 2


def _names_two(ours: Sequence[_Token], theirs: Sequence[_Token]) -> bool:
    """Whether both have a number behind the same word, each another: "flat 12", "flat 14"."""
    new, old = _numbered(ours), _numbered(theirs)
    return any(old.get(word, number) != number for word, number in new.items())


def _numbered(tokens: Sequence[_Token]) -> dict[str, str]:
    """Words with the number right behind them, of which more is said."""
    return {
        one.word: other.word
        for one, other in pairwise(tokens)
        if other.number
        and not (one.number or one.closes or other.closes)
        and one.word not in _HINGES
        and len(one.word) > _SHORT
    }


_SHORT = 3
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
    first = next((n for n, token in enumerate(found) if token.word not in _ARTICLES), 0)
    tokens = tuple(token for token in found[first:] if token.word not in _BY_NOW)
    if len(tokens) > _TOKENS_MAX or not may_be_restated(text):
        tokens = ()
    # A short text may be in any language, and mostly is English.
    noise = noise_words(detect_language(text)) | noise_words("en") if tokens else frozenset[str]()
    content = _content(tokens, noise)
    return _Read(
        tokens,
        frozenset(token.word for token in tokens),
        content,
        frozenset(rough(word) for word in content - _VALUE_WORDS),
        frozenset(token.word for token in tokens if token.number or token.named),
        sum(token.word in _DENYING or token.word.endswith("n't") for token in tokens),
        noise,
    )


def _are_of_two_days(new: str, old: str) -> bool:
    """Whether it happened twice: on another day, and the day is not all that is another."""
    kinds = {*differing(values_of(new), values_of(old))}
    return "date" in kinds and not kinds <= _OF_A_DAY


def _are_of_two_months(new: str, old: str) -> bool:
    """Whether each tells of a day of another month: what is put off seldom is by so much."""
    ours, theirs = (
        {date.split()[-1] for date in values_of(text).get("date", ()) if " " in date}
        for text in (new, old)
    )
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _content(tokens: Sequence[_Token], noise: frozenset[str]) -> frozenset[str]:
    return frozenset(
        t.word for t in tokens if not t.number and len(t.word) > 1 and t.word not in noise
    )


class _Difference(NamedTuple):
    start: int  # in the newer
    new: Sequence[_Token]
    old: Sequence[_Token]
    last: bool  # both texts end with it

    def values(self) -> tuple[Sequence[_Token], Sequence[_Token]]:
        """Both, without what one adds behind the value: a reason or a remark is no part of it."""
        length = min(len(self.new), len(self.old)) if self.last else _TOKENS_MAX
        return self.new[:length], self.old[:length]

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
    before = [t.word for t in ours.tokens[: first.start] if t.word not in _ARTICLES]
    hinge = before[-1]
    values = [place.values() for place in places]
    kinds = [_kind(new) for new, _ in values]
    if None not in kinds and kinds == [_kind(old) for _, old in values]:
        # "Flat 12" and "flat 14" are two flats: a number right behind a thing is its name, if more
        # is said of it; "trim 22, cut 35" is a list of prices.
        named = kinds[0] in _NAMING and not values[0][0][-1].closes
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
        ends = not last and new_to == len(middle[1]) and old_to == len(middle[0])
        found.append(_Difference(same + new_from, after, before, ends))
    return found


def _kind(tokens: Sequence[_Token]) -> str | None:
    """The kind of value that some words name; None if it is none, or more."""
    if not 0 < len(tokens) <= _VALUE_KIND_TOKENS_MAX:
        return None
    if all(t.number for t in tokens):
        return "number"
    kinds = values_of(" ".join(t.word for t in tokens)).keys() - {"number"}
    return next(iter(kinds)) if len(kinds) == 1 else None
