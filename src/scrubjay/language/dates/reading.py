"""Reads a text: picks its language, and collects the matches that stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from scrubjay.language.dates.general import is_general
from scrubjay.language.dates.guard import stands
from scrubjay.language.dates.namesakes import is_introduced
from scrubjay.language.dates.place import LIST_REACH, Match, Place
from scrubjay.language.dates.semantics.calendar import OutOfCalendar
from scrubjay.language.dates.semantics.model import TimeContext
from scrubjay.language.dates.semantics.scene import Scene, make_scene, resolve
from scrubjay.language.dates.semantics.values import Bare, Cycle, Interval, Pointing
from scrubjay.language.dates.syntax.lexicon import Language, languages, tokenize
from scrubjay.language.dates.syntax.parser import Parser
from scrubjay.language.dates.syntax.tokens import Token, fold
from scrubjay.language.dates.tense import Tense
from scrubjay.language.dates.wholes import is_part
from scrubjay.language.stopwords import language_words
from scrubjay.limits import QUESTION_CHARACTERS_MAX

_WORDS = re.compile(r"[^\W\d_]+")
# Numbers that may be a date or a time; anything less is not worth reading further for.
_DATE_LIKE = re.compile(
    r"\d[-/.:]\d|(?<!\d)(?:1[5-9]|20)\d\d(?!\d)|\d(?:st|nd|rd|th|er|[ap]m|\s?s|[hdwy]|mo)\b"
    r"|\b\d?[qhts][1-4]\b|\b[1-4]t\b|\d0ern?\b"
    r"|\b(?:am|le|el|los|il|au|al|du|del|dal|dia|dias) \d\d?\b"
    r"|\b(?:den|dem|der|vom|zum|bis) \d\d?\.|\b\d[qh]'?\d\d|'\d\d|\bich \d\d? war"
    r"|\bi was (?:a |little|small|young|\d|[a-z]+t(?:y|een)\b)"
    r"|\bi was (?:five|six|seven|eight|nine|ten|eleven|twelve)\b"
    r"|\bam (?:mo|di|mi|do|fr|sa|so|we)\b|\d\d\d\d\d\d\d\d|\bfy\s?\d|\bcy\s?\d|\d\s?[ap]\.?\s?m\b"
)
# "Zahnarzt 12.3.": no word tells the language, but the second point does.
_STOPPED = re.compile(r"\d\.\d\d?\.(?!\d)")
# "From 28/9 to 2/10": whoever writes one day first does so with the other.
_DAY_FIRST = re.compile(r"(?<![\d/.])(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])(?![\d.])")
# 'See you': an apostrophe that opens a quotation.
_QUOTED = re.compile(r"(?:^|[\s:])'(?=[^\W\d_])")
_DIGIT = re.compile(r"\d")
# Of an age and of a German weekday of two letters, the words around them tell.
_AGE, _ON = "i was ", "am "
_HALF_DAYS = ("this am", "this pm")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
# Words shared by kindred languages leave a tie; the reading that explains more then wins.
_LANGUAGES_TRIED_MAX = 3
# Names of several words, of which no part is a time of its own.
_WHOLE = frozenset(("HOLIDAY", "DEICTIC"))
_POINTED = {"back": Pointing.BACK, "forward": Pointing.AHEAD}


@dataclass(frozen=True, slots=True)
class Reading:
    """One language's reading of a text."""

    matches: tuple[Match, ...]
    tokens: Sequence[Token]
    language: Language
    scene: Scene
    tense: Tense
    steps: int
    refused: int  # characters of the longest words that look like a time and are none
    introduced: int  # those of the longest that are said to be somebody's name


def read(text: str, context: TimeContext, *, telling: bool) -> Reading | None:
    """The reading of the language that explains most of the text as times; None if none does."""
    text = text[:QUESTION_CHARACTERS_MAX]
    folded = fold(text)
    best: Reading | None = None
    covered = introduced = 0
    for language in _candidates(folded, context):
        reading = _read_in(language, folded, text, context, telling)
        characters = _characters(reading)
        if characters > covered:
            best, covered = reading, characters
        # What one language knows for no time, another must see more in to make it one.
        covered = max(covered, reading.refused)
        introduced = max(introduced, reading.introduced)
    # A name in one language is none of another's times, whichever was read first.
    return None if introduced and best and _characters(best) <= introduced else best


def _characters(reading: Reading) -> int:
    tokens = reading.tokens
    return sum(tokens[match.end - 1].end - tokens[match.start].start for match in reading.matches)


@cache
def _anchors(codes: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """For every word that can carry a time, the languages it belongs to."""
    found: dict[str, tuple[str, ...]] = {}
    known = languages()
    spelt = frozenset().union(*(known[code].anchors - known[code].typos.keys() for code in codes))
    for code in codes:
        # A word of one language is no misspelling of another's: "novembre" is no "november".
        for word in known[code].anchors - (known[code].typos.keys() & spelt):
            found[word] = (*found.get(word, ()), code)
    return found


@cache
def _plain_words(code: str) -> frozenset[str]:
    """The commonest words of a language, none of which is a time in it."""
    common = frozenset(map(fold, language_words()[code].noise))
    return common - languages()[code].anchors


@cache
def _homographs(codes: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """For every word that is a time in one language, those of which it is a plain word.

    What a language lists among its hints is counted as one.
    """
    known, found = languages(), {}
    for word in _anchor_words(codes):
        plain = (code for code in codes if word in _plain_words(code) - known[code].hints)
        if owners := tuple(plain):
            found[word] = owners
    return found


@cache
def _anchor_words(codes: tuple[str, ...]) -> frozenset[str]:
    return frozenset(_anchors(codes))


@cache
def _codes(asked: tuple[str, ...], cjk: bool) -> tuple[str, ...]:
    known = languages()
    return tuple(code for code in known if known[code].cjk is cjk and (not asked or code in asked))


def _candidates(folded: str, context: TimeContext) -> Sequence[Language]:
    """The languages whose words the text uses, likeliest first; none for most texts."""
    codes = _codes(context.languages, False)
    if not folded.isascii() and _CJK.search(folded):
        return _cjk_candidates(folded, context)
    found = _WORDS.findall(folded)
    anchored = _anchor_words(codes).intersection(found)
    if not anchored and not _is_date_like(folded):
        return ()
    anchors = _anchors(codes)
    hits = [code for word in anchored for code in anchors[word]]
    words = set(found)
    known = languages()
    plain = _homographs(codes)
    hits += [code for word in anchored & plain.keys() for code in plain[word]]
    likeness = {code: hits.count(code) + len(words & known[code].hints) for code in codes}
    # A name of one language is often a plain word of another, so the text's language decides.
    likest = max(likeness.values(), default=0)
    ranked = [known[code] for code in codes if likeness[code] == likest]
    if len(ranked) > 1 and anchored and not plain.keys().isdisjoint(anchored):
        # "Hier gibts kein Netz": the rarer words of a sentence tell whose "hier" it is.
        common = [
            len(words & (_plain_words(language.code) | language.hints | language.anchors))
            for language in ranked
        ]
        ranked = [each for each, count in zip(ranked, common, strict=True) if count == max(common)]
    if len(ranked) > 1 and _STOPPED.search(folded):
        ranked.sort(key=_is_without_stops)
    return ranked[: _LANGUAGES_TRIED_MAX if anchored else 1]


def _is_without_stops(language: Language) -> bool:
    return "." not in language.suffixes


def _is_date_like(folded: str) -> bool:
    # Most texts have neither, and that is quickly seen.
    if _DIGIT.search(folded) is None and _AGE not in folded and _ON not in folded:
        return any(half in folded for half in _HALF_DAYS)
    return _DATE_LIKE.search(folded) is not None or any(half in folded for half in _HALF_DAYS)


def _cjk_candidates(folded: str, context: TimeContext) -> Sequence[Language]:
    """Kana tells Japanese; Chinese characters alone may be either."""
    known = [languages()[code] for code in _codes(context.languages, True)[::-1]]
    if _KANA.search(folded) is None:
        return known
    return [language for language in known if language.kana]


def _read_in(
    language: Language, folded: str, text: str, context: TimeContext, telling: bool
) -> Reading:
    tokens = tokenize(folded, text, language)
    day_first = language.day_first or ("/" in folded and _DAY_FIRST.search(folded) is not None)
    scene = make_scene(context, day_first=day_first, telling=telling)
    tense = Tense(tokens, language)
    parser = Parser(tokens, language, scene)
    parser.cues = _cues(tokens, folded, language)
    matches = tuple(_matches(parser, tokens, language, tense))
    return Reading(
        matches, tokens, language, scene, tense, parser.steps, parser.refused, parser.introduced
    )


def _cues(tokens: Sequence[Token], folded: str, language: Language) -> frozenset[str]:
    """The words of a text that say that it may be about words: "spell", "haiku", a quotation."""
    cues = language.sets["worded"].intersection([token.word for token in tokens])
    return cues | {"'"} if "'" in folded and _QUOTED.search(folded) else cues


def _matches(
    parser: Parser, tokens: Sequence[Token], language: Language, tense: Tense
) -> Iterator[Match]:
    at, last_end = 0, -1
    while at < len(tokens):
        token = tokens[at]
        idiom = _length(token, "IDIOM") if token.entries else 0
        match = None
        if "SPAN" in token.fits:
            if parser.exhausted:
                return
            _point(parser, tense, at)
            match = _match_at(parser, tokens, language, at, _listed(tokens, last_end, at))
            if match is None and parser.barred > at:
                at = parser.barred
                continue
        if match is None or match.end - at <= idiom:
            # Of a holiday that is not meant as a time, no part is either: "what is Cyber Monday".
            at += max(_whole(token), idiom, 1) if token.entries else 1
            continue
        word = token.word
        if word in language.sets["prepositions"] or word in language.sets["articles"]:
            match = _longer(parser, tokens, language, match)
        apart = match.start - last_end if last_end >= 0 else 0
        if 1 < apart <= LIST_REACH and _goes_on(tokens, last_end, match.start, language, tense):
            match = replace(match, listed=True)
        yield match
        at = last_end = match.end


def _whole(token: Token) -> int:
    """How many tokens a feast or "the day after tomorrow" spans, 0 if there is none."""
    if _WHOLE.isdisjoint(token.entries):
        return 0
    return max(_length(token, name) for name in _WHOLE)


def _length(token: Token, name: str) -> int:
    """How many tokens the longest entry of a class spans, 0 if there is none."""
    entries = token.entries.get(name)
    return 0 if entries is None else max(length for length, _ in entries)


def _longer(parser: Parser, tokens: Sequence[Token], language: Language, match: Match) -> Match:
    """The match that begins after the preposition or article, where it reaches further.

    "In the last week" is a time, but in "in the last week of April" only its beginning.
    """
    barred = parser.barred
    inner = _match_at(parser, tokens, language, match.start + 1, match.listed)
    parser.barred = barred
    return inner if inner is not None and inner.end > match.end else match


def _point(parser: Parser, tense: Tense, at: int) -> None:
    scene = parser.scene
    pointing = _POINTED.get(scene.context.looking) or tense.at(at)
    if pointing is not scene.pointing:
        scene.pointing = pointing
        parser.forget()


def _listed(tokens: Sequence[Token], last_end: int, at: int) -> bool:
    """Whether only commas and conjunctions lie between the last match and this place."""
    between = tokens[last_end:at] if last_end >= 0 else ()
    return 0 < len(between) <= 2 and all("list" in token.entries for token in between)


def _goes_on(
    tokens: Sequence[Token], last_end: int, at: int, language: Language, tense: Tense
) -> bool:
    """ "In July and again in September", "12k on Saturday and 5k on Sunday": both are meant.

    That is no evidence that the second is a time, as a list of bare names is.
    """
    between = tokens[last_end:at]
    if (
        "list" not in between[0].entries
        or between[0].word == ","
        or tense.acts_between(last_end, at)
    ):
        return False
    plain = language.sets["prepositions"] | language.sets["articles"] | language.sets["again"]
    return between[-1].word in plain and all(token.word not in ",:;()" for token in between)


def _is_empty(interval: Interval) -> bool:
    """Whether words that contradict each other left no time: "yesterday" that is Friday night."""
    start, end = interval.start, interval.end
    return start is not None and end is not None and end <= start


def _match_at(
    parser: Parser, tokens: Sequence[Token], language: Language, at: int, listed: bool
) -> Match | None:
    """The longest match from here that the words around it allow."""
    for end, value in parser.spans(at):
        if not isinstance(value, Interval | Cycle):
            continue
        try:
            interval = resolve(value, parser.scene)
        except OutOfCalendar:
            continue
        if interval is None or _is_empty(interval):
            continue
        match = Match(interval, at, end, listed)
        scene = parser.scene
        place = Place(
            match, tokens, language, scene.now.year, scene.telling, parser.cues, scene.pointing
        )
        standing = stands(place)
        if standing and not is_part(place) and (scene.telling or not is_general(place)):
            return match
        parser.refused = max(parser.refused, tokens[end - 1].end - tokens[at].start)
        if standing:
            parser.barred = end  # nor is any part of it one: "the last year Tom rowed"
            return None
        if interval.bare is Bare.NAME and is_introduced(place):
            parser.introduced = max(parser.introduced, tokens[end - 1].end - tokens[at].start)
        if _closes_feast(tokens, at, end):
            return None  # no weekday either: "o que é a Quarta-feira de Cinzas"
    return None


def _closes_feast(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Whether a match is a feast of several words, or ends with one."""
    return any(
        _length(token, "HOLIDAY") == end - start > 1
        for start, token in enumerate(tokens[at : at + 2], start=at)
    )
