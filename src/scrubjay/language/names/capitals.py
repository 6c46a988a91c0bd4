"""Reads runs of capitalised words: which of them are names, and of what."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from scrubjay.language.detection import UNDECIDED, detect_language
from scrubjay.language.names.everyday import looks_everyday, names_nothing
from scrubjay.language.names.folding import fold
from scrubjay.language.names.lists import (
    CALENDAR_WORDS,
    DEMONYMS,
    FOREIGN_FUNCTION_WORDS,
    FUNCTION_WORDS,
    GIVEN_NAMES,
    KIN,
    LEGAL_FORMS,
    NOUNS,
    ORGANISATION_WORDS,
    PLACE_WORDS,
    PLACES,
    PLAIN_ACRONYMS,
    PLURALS,
    PROJECT_WORDS,
    SUBJECT_VERBS,
    SYNONYMS,
    THIRD_PERSONS,
    VERBS,
)
from scrubjay.language.names.mention import Mention
from scrubjay.language.names.runs import (
    CACHED_RUNS_MAX,
    RunPart,
    RunWord,
    Spot,
    parts_of,
    runs_in,
)
from scrubjay.limits import NAME_CHARACTERS_MAX

CONFIDENCE_MIN = 0.5  # a name less likely than this is left out


_NEXT_WORD = re.compile(r"(?:['’]s?)? ([a-z]+(?:['’]t)?)(?: ([a-z']+))?")
_COUNTED = re.compile(r" (?:[a-z]+s|people|percent|per|more|of|year|day|week|month|hour|minute)\b")
_HEADING = re.compile(
    r"^[ \t]*#+ .*$|\*\*[^*\n]+\*\*|^[ \t]*(?:[-*•]|\d+[.)]) [^:\n]{1,60}:", re.MULTILINE
)
_GERMAN = re.compile(r"\b(?:und|nicht|ist|ich|das|der|die|mit|eine?|für|auf|wir|hat|sind)\b")
# In German, where compounds are one word, a noun right behind one of these is no part of the name
# that follows it: "unsere Nachbarin Minna"; "die Deutsche Bahn" is one name, by its adjective.
_WHOSE = frozenset(
    f"{whose}{ending}"
    for whose in ("mein", "dein", "sein", "kein", "ein", "unser", "euer", "ihr")
    for ending in ("", "e", "em", "en", "er", "es")
)
_BEFORE_NOUN = _WHOSE.union(
    ("der", "die", "das", "dem", "den", "des", "vom", "im", "am", "zum", "zur", "beim")
)
_ADJECTIVE = re.compile(r"e[mns]?$")
# And these say that what follows is a name, or where someone lives or works.
_NAMING = re.compile(
    r"\b(?:(?:hei(?:ß|ss)(?:t|en)|namens|nenn(?:t|en)(?: (?:ihn|sie|es))?|Familie)"
    r"|(?:wohn|leb|arbeit|komm|stamm|zieh|zog|fahr|fähr|flieg|reis|gebor|studier)\w*"
    r"(?: \w+){0,2} (?:in|nach|aus|bei)) $"
)
_WORD_MAX = 10
_LOOKED_BACK = 40  # characters before a name in which those stand
# Behind whoever is told to be somebody: "Odalys, our baker, starts at four".
_APPOSED = re.compile(
    r", (?:our|my|his|her|their|the|unsere?|meine?|notre|mon|ma|nuestr[oa]|mi) (?:[\w-]+ ){0,2}?"
    r"(?P<head>[^\W\d_]+)(?=,| who\b| \()"
)
_OF_PERSONS = re.compile(r"(?:er|or|ist|ian|ant|man|woman|lord|lady|rin|tin|eur|euse|teur|trice)$")
_ROMANCE = ("fr", "es", "it", "pt", "ca")
_ROMANCE_VERB = re.compile(
    r" (?:n['’]?e? ?|no |s['’]|se )?(?:est|a|va|vit|vient|habite|travaille|aime|veut|occupe|part"
    r"|es|está|tiene|fue|vive|viene|trabaja|quiere|va|dirige|encarga|nació|ha|è|abita|lavora|viene"
    r"|é|tem|mora|vem|trabalha|quer|mange|come|contesta|cherche|prend|toma|hace|fait)\b"
)
# Adverbs and pronouns that open sentences without being names.
_NO_ROMANCE_NAMES = frozenset(
    ("hoy", "manana", "ayer", "aqui", "ahi", "alli", "esto", "eso", "todo", "nada", "quien", "hier",
     "demain", "ici", "tout", "rien", "cela", "oggi", "domani", "ieri", "tutto", "hoje", "amanha",
     "ontem", "isso", "isto", "tudo", "ahora", "luego", "siempre", "nunca", "personne", "quelqu",
     "mama", "papa", "maman", "mamma", "chacun", "alguien", "nadie", "aujourdhui", "maintenant")
)  # fmt: skip
# Behind a plural, not behind a verb: "boards are", "reports and".
# "Glaze tests 14 to 22 are": things that are numbered, whatever else the word for them may be.
_NUMBERED = re.compile(r"(?: (?:to|and|or|through)|,)?(?: ?[-–&] ?| )\d+")
_BEHIND_PLURAL = frozenset(
    ("are", "were", "and", "or", "of", "have", "had", "do", "did", "can", "could", "will", "would",
     "should", "may", "might", "must", "aren't", "weren't")
)  # fmt: skip
_SEVERAL = re.compile(
    r"(?:\b(?:two|three|four|five|six|both|many|several|all)|\d) $", re.IGNORECASE
)
_BEFORE_SENTENCE = " \t\"'“”„‘’«»([{*_>#-–—•~"
_SENTENCE_ENDS = ".!?:;\n…。！？|)]"
_QUOTES = '"“”„«»'
_PARTS_OF_NAMES = PLACE_WORDS | ORGANISATION_WORDS | PROJECT_WORDS
_NEVER_ALONE = DEMONYMS | KIN | LEGAL_FORMS
_OWNER = re.compile(r"['’]s?\b")
_NONE: frozenset[str] = frozenset()


def read_capitals(text: str, known: frozenset[str], whole: str) -> list[Mention]:
    """The names shown by their capitals, in no order; `known` words are believed to be names.

    `whole` is the text with what is blanked in it: the one whose language others ask for, too.

    A doubtful one, such as a plain word at the start of a sentence, counts only if it recurs
    where nobody doubts it.
    """
    if text.isupper():
        return []
    reader = _Reader(text, whole)
    found: list[Mention] = []
    doubtful: list[Mention] = []
    for run in runs_in(text):
        start, end = run.span()
        if end - start > NAME_CHARACTERS_MAX:  # a headline, or junk
            continue
        counts = run.lastindex is not None and _COUNTED.match(text, end) is not None
        written = run.group()
        foreign = _foreign_in(written)
        named = _named_here(foreign, whole) if foreign else _NONE
        for part in parts_of(written, reader.spot(start, end), counts, named):
            name = reader.read(part, start)
            if name is not None:
                (found if name.confidence >= CONFIDENCE_MIN else doubtful).append(name)
    if doubtful:
        seen = known.union(*(name.folded.split() for name in found))
        found += [name._replace(confidence=0.7) for name in doubtful if name.folded in seen]
    return found


def _named_here(foreign: frozenset[str], text: str) -> frozenset[str]:
    """Of the function words of other languages in a run those that its text's has not."""
    return frozenset(word for word in foreign if not names_nothing(word, text))


@lru_cache(CACHED_RUNS_MAX)
def _foreign_in(run: str) -> frozenset[str]:
    return FOREIGN_FUNCTION_WORDS.intersection(_OWNER.sub("", run.lower()).split())


class _Reader:
    """Reads runs of capitalised words in the light of the text around them."""

    __slots__ = ("_german", "_heading_ends", "_heading_starts", "_text", "_whole")

    def __init__(self, text: str, whole: str) -> None:
        self._text = text
        self._whole = whole
        self._german: bool | None = None  # None: not looked at yet
        self._heading_starts: list[int] = []
        self._heading_ends: list[int] = []
        if "#" in text or "*" in text or "\n" in text:
            for heading in _HEADING.finditer(text):
                self._heading_starts.append(heading.start())
                self._heading_ends.append(heading.end())

    def spot(self, start: int, end: int) -> Spot:
        """Whether a capital is due here anyway."""
        text = self._text
        if self._heading_starts and self._in_heading(start):
            return "heading"
        # Most stand behind a word and a space, which decides what the rest looks for.
        if start > 1 and text[start - 1] == " " and text[start - 2].isalnum():
            return "inside"
        before = text[max(0, start - 24) : start].rstrip(_BEFORE_SENTENCE)
        if not before or before[-1] in _SENTENCE_ENDS:
            return "start"
        if text[start - 1] in _QUOTES:  # a sentence, or a title if the run is all of it
            return "aside" if text[end : end + 1] in _QUOTES else "start"
        if text[start - 1] in "([{【" or text[max(0, start - 2) : start] in ("- ", "– ", "— "):
            return "aside"
        return "inside"

    def read(self, part: RunPart, start: int) -> Mention | None:
        """The name a part of the run at `start` makes; a doubtful one is below the minimum."""
        words, spot = part.words, part.spot
        end = start + words[-1].end
        if part.title:
            confidence = 0.95
        elif len(words) == 1:
            confidence = self._single(words[0], part, end)
        else:
            inside = part.shifted and spot == "start"
            confidence = self._several(words, "inside" if inside else spot, end)
        if confidence <= 0:
            return None
        first = start + words[0].start
        led = self._led(words, first, spot) if len(words) > 1 and not part.title else 0
        if led == 0:
            written = self._whole[first:end]
            return Mention(written, part.folded, part.kind, first, end, confidence, part.title)
        if led == len(words):
            return None
        first = start + words[led].start
        kind = "person" if words[led].folded in GIVEN_NAMES else "name"
        written = self._whole[first:end]
        return Mention(written, fold(written), kind, first, end, confidence)

    def _led(self, words: Sequence[RunWord], start: int, spot: Spot) -> int:
        """How many words of a run that no English one tells from a name stand before the name."""
        if words[0].folded in GIVEN_NAMES or words[0].folded in _PARTS_OF_NAMES:
            return 0
        # "Unsere Nachbarin Minna", and "Anahtarı Zeynep'e", where a sentence begins.
        if spot == "start" and words[0].folded in _BEFORE_NOUN and self._is_german():
            return 2
        if spot == "start" and words[1].folded in GIVEN_NAMES:
            language = detect_language(self._whole)
            plain = language == UNDECIDED and words[0].surface.isascii()
            return 0 if language == "en" or plain else 1
        before = self._text[max(0, start - _WORD_MAX) : start].lower().rstrip().rpartition(" ")[2]
        if before not in _BEFORE_NOUN:
            return 0
        adjective = _ADJECTIVE.search(words[0].folded) and before not in _WHOSE
        return 1 if not adjective and self._is_german() else 0

    def _in_heading(self, start: int) -> bool:
        before = bisect_right(self._heading_starts, start)
        return before > 0 and start < self._heading_ends[before - 1]

    def _single(self, word: RunWord, part: RunPart, end: int) -> float:
        """How sure one capitalised word, up to `end`, is a name; 0: certainly not."""
        folded, spot, shifted = word.folded, part.spot, part.shifted
        if len(folded) < 2 or folded in _NEVER_ALONE:
            return 0.0
        if word.surface[1:2] == "-" and word.surface[2:].islower():
            return 0.0  # X-rays, T-shirt
        if folded in PLACES:
            return 0.9
        if folded[-1] == "s" and self._are_several(folded, end - len(word.surface)):
            return 0.0
        if len(word.surface) > 1 and word.surface.isupper():
            return _acronym(folded)
        if spot in ("start", "heading") and not shifted:
            return self._at_sentence_start(word, end)
        if folded in GIVEN_NAMES:
            return 0.95
        if self._is_german():
            start = end - len(word.surface)
            before = self._text[max(0, start - _LOOKED_BACK) : start]
            named = _NAMING.search(before) or self._text.startswith(" genannt", end)
            return 0.85 if named else 0.0
        if looks_everyday(folded):
            return 0.6 if spot == "inside" and not shifted else 0.1
        return 0.8

    def _are_several(self, folded: str, start: int) -> bool:
        """Whether a word up to which so many are counted is a given name's plural: "two Toms"."""
        if folded in GIVEN_NAMES or GIVEN_NAMES.isdisjoint((folded[:-1], folded[:-2])):
            return False
        return _SEVERAL.search(self._text, max(0, start - _WORD_MAX), start) is not None

    def _at_sentence_start(self, word: RunWord, end: int) -> float:
        """The same where a capital proves nothing; below the minimum: only if it recurs."""
        folded = word.folded
        everyday = looks_everyday(folded)
        if folded in GIVEN_NAMES and not everyday:
            return 0.9
        if not word.surface[1:].islower():  # GitHub, PS5
            return 0.85
        if word.owns or self._is_subject(1, end):
            return 0.7 if not everyday else 0.6 if folded in GIVEN_NAMES else 0.1
        named = self._is_apposed(end) or self._opens_romance(folded, end)
        return 0.7 if named and not everyday else 0.1

    def _opens_romance(self, word: str, end: int) -> bool:
        """Whether a verb follows in a language whose nouns would have an article before them."""
        follows = _ROMANCE_VERB.match(self._text, end)
        return (
            follows is not None
            and word not in _NO_ROMANCE_NAMES
            and word not in FOREIGN_FUNCTION_WORDS
            and detect_language(self._text) in _ROMANCE
        )

    def _is_apposed(self, end: int) -> bool:
        """Whether it is told right behind a word who that is: "Odalys, our baker,"."""
        apposed = _APPOSED.match(self._text, end)
        if apposed is None:
            return False
        head = apposed["head"].lower()
        return head in KIN or _OF_PERSONS.search(head) is not None

    def _several(self, words: Sequence[RunWord], spot: Spot, end: int) -> float:
        """How sure a run of several capitalised words is one name."""
        if words[0].folded in GIVEN_NAMES:
            return 0.95
        if any(word.surface.islower() for word in words) and self._is_german():
            return 0.0
        everyday = sum(looks_everyday(word.folded) for word in words)
        if everyday and all(word.surface.isupper() for word in words):
            return 0.0  # shouting
        if everyday == len(words):
            titled = spot in ("inside", "aside") or (
                spot == "start" and self._is_subject(len(words), end)
            )
            return 0.65 if titled else 0.3
        if spot == "heading" and everyday:
            return 0.4
        return 0.0 if all(word.folded in DEMONYMS for word in words) else 0.85

    def _is_subject(self, words: int, end: int) -> bool:
        """Whether a verb that people and things are the subject of comes next."""
        if words > 2:
            return True
        return is_subject(self._text, end)

    def _is_german(self) -> bool:
        """German writes every noun with a capital, so there a capital alone says nothing."""
        if self._german is None:
            language = detect_language(self._whole)
            self._german = language == "de" or (
                language == UNDECIDED and _GERMAN.search(self._text) is not None
            )
        return self._german


def is_subject(text: str, end: int) -> bool:
    """Whether the word behind a place is a verb that a name before it is the subject of."""
    follows = _NEXT_WORD.match(text, end)
    if follows is None:
        return False
    verb, behind = follows.groups()
    if len(verb) > 3 and verb[-2] in "'’":
        verb = f"{verb[:-2]}t"
    if verb in SUBJECT_VERBS or (len(verb) > 4 and verb.endswith("ed")):
        return True
    # "Northmoor say their": where many are one, and no plural.
    many = verb in VERBS and verb not in NOUNS and text[end - 1] != "s"
    if many and behind in FUNCTION_WORDS and behind not in _BEHIND_PLURAL:
        return True
    if verb not in THIRD_PERSONS or _are_numbered(text, follows.end(1)):
        return False
    # "Jarek looks after" and "Kanban boards are"
    small = behind in FUNCTION_WORDS and behind not in _BEHIND_PLURAL
    return small or verb not in PLURALS


def _are_numbered(text: str, end: int) -> bool:
    """Whether numbers follow a place, and what several do or are."""
    place = end
    while (number := _NUMBERED.match(text, place)) is not None:
        place = number.end()
    follows = _NEXT_WORD.match(text, place) if place > end else None
    return follows is not None and follows[1] in _BEHIND_PLURAL


def _acronym(folded: str) -> float:
    """How sure a word in capitals is a name: not when it is an everyday word, shouted."""
    if folded in PLAIN_ACRONYMS or folded in CALENDAR_WORDS:
        return 0.0
    if folded in SYNONYMS:
        return 0.8
    return 0.0 if looks_everyday(folded) else 0.8
