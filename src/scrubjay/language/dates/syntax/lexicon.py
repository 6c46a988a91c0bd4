"""Loads the languages: one data file each, with its words, its patterns and its guards."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from scrubjay.language.dates.semantics.values import Value
from scrubjay.language.dates.syntax.patterns import Node, Opening, compile_rules, fits
from scrubjay.language.dates.syntax.tokens import (
    FITS_NOTHING,
    NO_ENTRIES,
    Entries,
    Token,
    fold,
    number_entries,
    pieces,
)
from scrubjay.language.dates.syntax.typos import misspellings
from scrubjay.language.names.lists import VERBS
from scrubjay.language.stopwords import irregular_pasts

_DATA = files("scrubjay.language") / "data" / "dates"

BUILTIN = frozenset(("NUM", "ORD", "NTH", "YEAR"))
# Words of these classes can carry a time; a text with none of them (and no number that looks like
# a date) is not read any further.
_ANCHORS = (
    "MONTH", "DOW", "DOWS", "UNIT", "SEASON", "HOLIDAY", "WEEKEND", "DAYPART", "DEICTIC",
    "TODAYPART", "RECENT", "CENTURY", "DECADE", "HALVES", "YEARWORD", "session", "talked",
)  # fmt: skip
_GUARDS = (
    "titles", "lasting", "asking", "planning", "bases", "having", "have", "sources",
    "rates", "releases", "streets", "extending",
    "weak", "names", "verbs", "firm", "prepositions", "determiners", "articles", "followers",
    "blockers", "of", "years", "owners", "counted", "habits", "routines", "partners",
    "others", "busy", "tending", "manner", "past", "past_endings", "unpast", "perfect",
    "future", "would",
    "present", "contracted", "pronouns", "subjects", "auxiliaries", "inverting", "modals",
    "be", "adverbs", "arranged", "arranged_for", "moving_to", "intent", "reports", "per",
    "money", "agenda", "events", "beings", "labels", "deadlines", "moving_final",
    "courtesy", "openers", "works", "how_many", "arriving", "indefinite", "going", "mentions",
    "infinitive", "denying", "denying_verbs", "falling", "third",
    "agreeing", "plural_articles", "arranged_to", "arranged_perfect", "durative",
    "identifiers", "identifier_endings", "roads", "reasons", "valid", "acts", "demanding",
    "habit_articles", "managing", "former", "dated", "results", "commands", "seeking", "objects",
    "creating", "naming", "suiting", "personal", "liking", "comparing", "persons", "participles",
    "plural_verbs", "holding", "authoring", "roles", "sizes", "helping", "tongues",
    "rewording", "generic", "into", "why", "sayings", "composed", "telling_of", "acting", "ours",
    "holders", "usually", "creators", "attributing", "seasonal", "goods", "given", "enabling",
    "doing", "impersonal", "honorifics", "postponing", "again", "standing", "calendar_questions",
    "causing", "wishing", "ranks", "ranking", "towns", "portraying", "teaching", "recipes",
    "anybody", "calling_in", "reflexive", "bearing", "asking_when",
    "together", "singing", "relocating", "first_endings",
    "unplaced", "elided", "weather", "opened", "old", "occasions", "inside", "counted_from",
    "clausal", "comparing_how", "several_seasons", "after_modal", "always", "persons_meant",
    "person_endings", "comparatives", "kind_verbs", "anyone", "plural_endings", "where",
    "feast_kinds", "states", "keeping", "to_now", "firms", "scores", "before_morning",
    "name_endings", "occupied", "underway", "nonpast", "open_states", "in_season", "giving",
    "closing", "numbered_things", "climate", "climate_verbs", "advising", "how_to", "advised",
    "calendar_days", "date_asking",
)  # fmt: skip

# Of a word that is both, the article before it tells: "mañana" and "por la mañana".
_MORNING = frozenset(("DAYPART", "DEICTIC"))
# What a question about words, works or the calendar holds at least one of.
_SPOKEN = ("mentions", "tongues", "naming", "sayings", "standing")
_USUAL = ("usually", "impersonal")
_WORDED = (
    *_SPOKEN,
    *_USUAL,
    "rewording",
    "why",
    "composed",
    "recipes",
    "anybody",
    "calendar_questions",
    "bearing",
)
_QUOTES = ('"', "“", "”", "„", "«", "»")
# What says of its sentence that something is arranged in it.
_NOTED = ("arranged_for", "planning", "arranged", "deadlines")
# What else opens a time and may be a part of the verb before it: "looks after", "fell through".
_LIMITING = ("through", "by", "up", "after")
# What may stand between "now" and the time that holds now.
_LINKING = ("pronouns", "articles", "prepositions")
# What may be a finite verb by itself, and what may make one of the word after it.
_VERBAL = ("future", "would", "having", "contracted", "participles", "plural_verbs")
_LEADING = ("subjects", "adverbs", "openers", "indefinite", "third", "asking")
# A participle may close its clause: "habe ich gestern auf dem Markt gekauft".
_PARTICIPLE_NEAR = 20

Phrase = tuple[tuple[str, ...], str, Value]


@dataclass(frozen=True, slots=True)
class Language:
    """One language, ready to parse with."""

    code: str
    cjk: bool  # written without spaces
    kana: bool
    day_first: bool
    lower_names: bool  # months and weekdays are written small
    plain_names: bool  # no noun takes a name before it: "Freitag beschlossen", not "Friday club"
    verb_second: bool  # the verb may stand before its subject in a plain sentence
    words: Mapping[str, Entries]
    phrases: Mapping[str, Mapping[str, tuple[Phrase, ...]]]  # by first and second word
    trees: Mapping[str, Node]
    fits: Mapping[str, frozenset[str]]  # by word: see Token
    fits_of_class: Mapping[str, frozenset[str]]  # the class itself, and the rules it can open
    joiners: frozenset[str]
    suffixes: frozenset[str]  # endings that make a number an ordinal
    abbreviations: frozenset[str]  # words whose full stop does not end a sentence
    sets: Mapping[str, frozenset[str]]  # the guards' word lists
    mornings: Mapping[str, tuple[Entries, frozenset[str]]]  # "mañana" where it is no tomorrow
    typos: Mapping[str, str]  # the word that a misspelling or an abbreviation stands for
    anchors: frozenset[str]
    hints: frozenset[str]  # frequent words that tell the language
    participle: re.Pattern[str] | None  # how the verb looks that makes "has" a past
    participle_near: int  # how many words after it that verb may stand


@cache
def languages() -> Mapping[str, Language]:
    """Every language there is a file for, by code; English first, then by code."""
    names = sorted(
        (path.name for path in _DATA.iterdir() if re.fullmatch(r"[a-z]{2}\.toml", path.name)),
        key=lambda name: (name != "en.toml", name),
    )
    return {name[:2]: _load(name) for name in names}


def tokenize(folded: str, text: str, language: Language) -> list[Token]:
    """The tokens of a text with what this language makes of them."""
    spans = _without_stops(pieces(folded), folded, language.abbreviations)
    words = [folded[start:end] for start, end in spans]
    if not language.typos.keys().isdisjoint(words):
        words = [language.typos.get(word, word) for word in words]
    mornings = language.mornings
    tokens: list[Token] = []
    plain = text.isascii()
    known, fitting, opening = language.words, language.fits, language.phrases
    for index, (word, span) in enumerate(zip(words, spans, strict=True)):
        entries = known.get(word, NO_ENTRIES)
        fits = fitting.get(word, FITS_NOTHING)
        capital = text[span[0]].isupper()
        if word in mornings and index and words[index - 1] in language.sets["before_morning"]:
            entries, fits = mornings[word]
        if word[0].isdecimal():
            entries, capital = number_entries(folded, *span), False
            fits |= _fits_of(entries, language.fits_of_class)
        if word in opening and index + 1 < len(words):
            # Many phrases open with "the", few go on with the word after it.
            phrases = opening[word].get(words[index + 1])
            if phrases is not None:
                entries = _with_phrases(entries, phrases, words, index)
                fits |= _fits_of(entries, language.fits_of_class)
        written = word if plain else text[span[0] : span[1]].lower()
        tokens.append(Token(word, span, capital, entries, fits, written))
    return tokens


def is_ordinal_stop(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """Whether a full stop belongs to the number before it: "am 20. März", "bis 20.3. gilt"."""
    if not at or "." not in language.suffixes or tokens[at].word != ".":
        return False
    before = tokens[at - 1]
    if before.end != tokens[at].start or at + 1 >= len(tokens):
        return False
    # After a day and its month a capital begins a sentence; after a day it may be the month's.
    goes_on = "DECIMAL" in before.entries and not tokens[at + 1].capital
    return goes_on or "INT" in before.entries


def _fits_of(classes: Iterable[str], by_class: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return FITS_NOTHING.union(*(by_class.get(name, FITS_NOTHING) for name in classes))


def _without_stops(
    spans: list[tuple[int, int]], folded: str, abbreviations: frozenset[str]
) -> list[tuple[int, int]]:
    """The spans without the full stops of abbreviations, which end no sentence."""
    if "." not in folded:
        return spans
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        short = folded[start] == "." and kept and folded[slice(*kept[-1])] in abbreviations
        # "That was the 21st." ends a sentence, "St. Patrick" does not.
        if short and not folded[kept[-1][0] - 1 : kept[-1][0]].isdecimal():
            continue
        kept.append((start, end))
    return kept


def _with_phrases(
    entries: Entries, phrases: Sequence[Phrase], words: Sequence[str], index: int
) -> Entries:
    found: dict[str, tuple[tuple[int, Value], ...]] = {}
    for rest, name, value in phrases:
        length = len(rest) + 1
        if tuple(words[index + 1 : index + length]) == rest:
            found[name] = (*found.get(name, ()), (length, value))
    return entries if not found else {**entries, **_merged(entries, found)}


def _merged(
    entries: Entries, found: Mapping[str, tuple[tuple[int, Value], ...]]
) -> dict[str, tuple[tuple[int, Value], ...]]:
    return {name: (*values, *entries.get(name, ())) for name, values in found.items()}


def _load(name: str) -> Language:
    data = tomllib.loads((_DATA / name).read_text(encoding="utf-8"))
    words: dict[str, dict[str, tuple[tuple[int, Value], ...]]] = {}
    phrases: dict[str, list[Phrase]] = {}
    anchors: set[str] = set(map(fold, data.get("anchors", ())))
    for class_name, written, value in _vocabulary(data):
        cut = _words_of(written)
        if len(cut) == 1:
            entry = words.setdefault(cut[0], {})
            entry[class_name] = (*entry.get(class_name, ()), (1, value))
        else:
            phrases.setdefault(cut[0], []).append((cut[1:], class_name, value))
        if class_name in _ANCHORS and anchors.isdisjoint(cut):
            anchors.add(max(cut, key=len))
    if data.get("compounds", False):
        for compound, day_and_part in _compounds(data["words"]):
            words[compound] = {"DOWPART": ((1, day_and_part),)}
            anchors.add(compound)
    # Of two "marches" nobody speaks, and of "matches" many do.
    misspelt = misspellings(
        word
        for word in words
        if not words[word].keys().isdisjoint(data.get("misspelt", ()))
        and word.removesuffix("es") not in words.keys() - {word}
    )
    # "Valentine" is no "valentines" with a letter missing: it opens "Valentine's Day".
    spelt_so = words.keys() | phrases.keys()
    typos = {typo: word for typo, word in misspelt.items() if typo not in spelt_so}
    typos |= {fold(short): fold(word) for short, word in data.get("aliases", {}).items()}
    trees = compile_rules(data["grammar"], BUILTIN)
    by_word, by_class = fits(trees, _builtin_openings())
    return Language(
        code=name[:2],
        cjk=data.get("cjk", False),
        kana=data.get("kana", False),
        day_first=data.get("day_first", True),
        lower_names=data.get("lower_names", False),
        plain_names=data.get("plain_names", False),
        verb_second=data.get("verb_second", False),
        words=words,
        phrases={first: _by_second(rest) for first, rest in phrases.items()},
        trees=trees,
        fits={
            word: by_word.get(word, FITS_NOTHING) | _fits_of(words.get(word, ()), by_class)
            for word in words.keys() | by_word.keys()
        },
        fits_of_class=by_class,
        joiners=frozenset(map(fold, data.get("joiners", ()))),
        suffixes=frozenset(data.get("suffixes", ())),
        abbreviations=frozenset(map(fold, data.get("abbreviations", ()))),
        sets=_guards(data["guard"], english=data.get("english", False)),
        mornings=_mornings(words, by_word, by_class),
        typos=typos,
        anchors=frozenset(anchors) | {typo for typo, word in typos.items() if word in anchors},
        hints=_hints(data.get("hints", ()), data.get("sets", {})),
        participle=_participle(data["guard"].get("participle")),
        participle_near=data["guard"].get("participle_near", _PARTICIPLE_NEAR),
    )


def _hints(hints: Sequence[str], sets: Mapping[str, Sequence[str]]) -> frozenset[str]:
    # "Esame spostato al 29": of what is moved in few words, the verb tells the language.
    return frozenset(map(fold, (*hints, *sets.get("moving", ()))))


def _mornings(
    words: Mapping[str, Entries],
    by_word: Mapping[str, frozenset[str]],
    by_class: Mapping[str, frozenset[str]],
) -> dict[str, tuple[Entries, frozenset[str]]]:
    """What words for morning and tomorrow mean, and may be taken for, where they are the former."""
    found: dict[str, tuple[Entries, frozenset[str]]] = {}
    for word, entries in words.items():
        if entries.keys() >= _MORNING:
            kept = {name: values for name, values in entries.items() if name != "DEICTIC"}
            fitting = by_word.get(word, FITS_NOTHING) | _fits_of(kept, by_class)
            found[word] = (kept, fitting)
    return found


def _compounds(words: Mapping[str, Mapping[str, Value]]) -> Iterator[tuple[str, str]]:
    """A weekday and a part of the day in one word, with the number and the name they stand for."""
    for day, number in words["DOW"].items():
        for part, name in words["DAYPART"].items():
            yield fold(day + part), f"{number} {name}"


def _participle(written: str | None) -> re.Pattern[str] | None:
    return None if written is None else re.compile(written)


def _guards(written: Mapping[str, Sequence[str]], *, english: bool) -> dict[str, frozenset[str]]:
    sets = {guard: frozenset(map(fold, written.get(guard, ()))) for guard in _GUARDS}
    linking = sets["be"].union("'", *(sets[name] for name in _LINKING))
    noted = frozenset(":").union(*(sets[name] for name in _NOTED))
    past = sets["past"].union(irregular_pasts() if english else ()) - sets["unpast"]
    commands = sets["commands"].union(VERBS if english else ()) - sets["seeking"]
    spelt = {name: _spelt(written.get(name, ())) for name in ("perfect", "present")}
    endings = frozenset(written.get("past_endings", ()))
    return {
        **sets,
        **spelt,
        "past": past,
        "commands": commands,
        "past_endings": endings,
        "linking": linking,
        "placing": sets["firm"].union(_LIMITING, sets["per"], sets["lasting"]),
        "asked_kindly": sets["courtesy"] & sets["demanding"],
        "bases_after": sets["modals"] | sets["helping"],
        "noted": noted,
        "spoken": frozenset[str]().union(*(sets[name] for name in _SPOKEN)),
        "usual": frozenset[str]().union(*(sets[name] for name in _USUAL)),
        "worded": frozenset(_QUOTES).union(*(sets[name] for name in _WORDED)),
        "verbal": past.union(*(sets[name] for name in _VERBAL), *spelt.values()),
        "leading": frozenset(",").union(*(sets[name] for name in _LEADING)),
    }


def _spelt(words: Iterable[str]) -> frozenset[str]:
    """Words as they are written: without accents, too, where that leaves more than a letter.

    "È" is a verb, and "e" is none.
    """
    return frozenset(words) | {fold(word) for word in words if len(word) > 1}


def _builtin_openings() -> dict[str, Opening]:
    no_words: frozenset[str] = frozenset()
    return {
        "NUM": Opening(no_words, frozenset(("INT", "NUMBER"))),
        "ORD": Opening(no_words, frozenset(("INT", "NUMBER", "ORDINAL"))),
        "NTH": Opening(no_words, frozenset(("INT",))),
        "YEAR": Opening(frozenset("'"), frozenset(("YEAR", "NUMBER"))),
    }


def _vocabulary(
    data: Mapping[str, Mapping[str, Mapping[str, Value]]],
) -> Iterator[tuple[str, str, Value]]:
    for class_name, entries in data["words"].items():
        for written, value in entries.items():
            yield class_name, written, value
    for set_name, members in data.get("sets", {}).items():
        for written in members:
            yield set_name, written, ""


def _words_of(written: str) -> tuple[str, ...]:
    folded = fold(written)
    return tuple(folded[start:end] for start, end in pieces(folded))


def _by_second(phrases: Sequence[Phrase]) -> dict[str, tuple[Phrase, ...]]:
    """The phrases that open with one word by the next, longest first."""
    found: dict[str, tuple[Phrase, ...]] = {}
    for phrase in sorted(phrases, key=_length):
        second = phrase[0][0]
        found[second] = (*found.get(second, ()), phrase)
    return found


def _length(phrase: Phrase) -> int:
    return -len(phrase[0])
