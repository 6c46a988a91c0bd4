"""The words a text is found by: one analysis for writing and for reading, in both stores."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import Stemmer

from scrubjay.errors import BadInput
from scrubjay.language.detection import UNDECIDED, detect_language
from scrubjay.language.stopwords import irregular_forms, noise_words

# ISO 639-1 to Snowball. Only what the installed Snowball has is used, so that an older one
# loses stems and nothing else.
_STEMMERS = {
    code: name
    for code, name in {
        "ar": "arabic",
        "ca": "catalan",
        "cs": "czech",
        "da": "danish",
        "de": "german",
        "el": "greek",
        "en": "english",
        "es": "spanish",
        "et": "estonian",
        "eu": "basque",
        "fa": "persian",
        "fi": "finnish",
        "fr": "french",
        "ga": "irish",
        "hi": "hindi",
        "hu": "hungarian",
        "hy": "armenian",
        "id": "indonesian",
        "it": "italian",
        "lt": "lithuanian",
        "ne": "nepali",
        "nl": "dutch",
        "no": "norwegian",
        "pl": "polish",
        "pt": "portuguese",
        "ro": "romanian",
        "ru": "russian",
        "sr": "serbian",
        "sv": "swedish",
        "ta": "tamil",
        "tr": "turkish",
    }.items()
    if name in Stemmer.algorithms()
}
_CODES = {name: code for code, name in _STEMMERS.items()}

# Chunks (text between spaces) repeat as words do; longer ones are prose without spaces, or
# junk, and would only push words out of the cache. Half a kilobyte an entry: 16 MB at most.
_CACHED_CHUNKS_MAX = 32_768
_CACHED_CHUNK_CHARACTERS_MAX = 40
_CACHED_QUESTION_CHARACTERS_MAX = 500
_STEMMED_CHARACTERS_MAX = 64

# Short notes often hold no stop word at all; most such notes, and most foreign words inside
# Chinese or Japanese, are English.
_FALLBACK_LANGUAGE = "en"
_FALLBACK_STEMMER = "english"


class Analysis(StrEnum):
    """How a bank reads words; a Snowball language ("english") or its ISO code may stand instead."""

    STANDARD = "standard"  # surface form and stem, in the language of each text
    SIMPLE = "simple"  # surface forms only, and no word is too common to ask for


_ANALYSES = frozenset((*Analysis, *_STEMMERS, *_CODES))


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """What a question asks the word index for."""

    any_of: tuple[str, ...]  # unique; a unit with any of them matches, more and rarer is better
    phrases: tuple[tuple[str, ...], ...]  # words of each quotation, as `surface_terms` gives them
    none_of: tuple[str, ...]  # a unit with one of them does not match
    none_of_phrases: tuple[tuple[str, ...], ...]  # nor does one that says one of these
    languages: tuple[str, ...]  # ISO codes of the languages the stems are from


@dataclass(frozen=True, slots=True)
class Analyzer:
    """Turns texts and questions into terms; the same text always gives the same terms.

    `analysis` is "standard", "simple", or one language by Snowball name or ISO code, whose stems
    are then used for every text. Any other value raises `BadInput`.
    """

    analysis: str = Analysis.STANDARD

    def __post_init__(self) -> None:
        if self.analysis not in _ANALYSES:
            raise BadInput(
                "No such analysis",
                self.analysis,
                f"Use 'standard', 'simple', or a language: {', '.join(sorted(_CODES))}.",
            )

    def document_terms(self, text: str) -> list[str]:
        """The terms of a stored text, in order and with repetition, so that they can be counted."""
        stemmer = self._document_stemmer(text)
        terms: list[str] = []
        for chunk in _normalised(text).split():
            short = len(chunk) <= _CACHED_CHUNK_CHARACTERS_MAX
            terms += _cached_chunk_terms(chunk, stemmer) if short else _chunk_terms(chunk, stemmer)
        return terms

    def query_terms(self, text: str, *, languages: Sequence[str] = ()) -> QueryTerms:
        """The terms of a question, stemmed in its own language and in the bank's `languages`.

        Stop words and question words are dropped as long as another word remains. A word with a
        minus in front excludes, and so does a quotation.
        """
        if len(text) > _CACHED_QUESTION_CHARACTERS_MAX:
            return self._read_question(text, tuple(languages))
        return _cached_question(self, text, tuple(languages))

    def _read_question(self, text: str, languages: tuple[str, ...]) -> QueryTerms:
        own, stems_from = self._query_languages(text, languages)
        plain, quoted, excluded = _split_question(_normalised(text))
        unsaid = [_words_of(chunk) for chunk in excluded if len(chunk.split()) > 1]
        surfaces = [surface for chunk in plain for surface in _surfaces(chunk)]
        single = (chunk for chunk in excluded if len(chunk.split()) == 1)
        none_of = _unique(whole for chunk in single for whole in _wholes(chunk))
        noise = self._noise(own)
        asked = [surface for surface in surfaces if surface not in noise] or surfaces
        stemmers = [_STEMMERS[code] for code in stems_from]
        any_of = _unique(term for surface in asked for term in _forms(surface, stemmers))
        return QueryTerms(
            any_of=tuple(term for term in any_of if term not in none_of),
            phrases=tuple(phrase for phrase in map(_words_of, quoted) if len(phrase) > 1),
            none_of=none_of,
            none_of_phrases=tuple(dict.fromkeys(words for words in unsaid if words)),
            languages=stems_from,
        )

    def surface_terms(self, text: str) -> list[str]:
        """One term per word, in order: what a phrase of `QueryTerms` is compared with."""
        return list(_words_of(_normalised(text)))

    def _document_stemmer(self, text: str) -> str:
        """The Snowball name of the stems to index a text with; empty for none."""
        if self.analysis == Analysis.SIMPLE:
            return ""
        if self.analysis == Analysis.STANDARD:
            return _STEMMERS.get(detect_language(text), _FALLBACK_STEMMER)
        return _STEMMERS.get(self.analysis, self.analysis)

    def _query_languages(
        self, text: str, languages: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The languages whose stop words to drop, and those to stem in."""
        if self.analysis == Analysis.SIMPLE:
            return (), ()
        if self.analysis != Analysis.STANDARD:
            code = _CODES.get(self.analysis, self.analysis)
            return (code,), (code,)
        banks = [_CODES.get(language, language) for language in languages]
        detected = detect_language(text)
        own = (detected,) if detected != UNDECIDED else tuple(banks) or (_FALLBACK_LANGUAGE,)
        # A text whose language is not told was indexed with the fallback's stems.
        first = detected if detected in _STEMMERS else _FALLBACK_LANGUAGE
        return own, _unique(code for code in (first, *banks) if code in _STEMMERS)

    @staticmethod
    def _noise(languages: Iterable[str]) -> frozenset[str]:
        return frozenset[str]().union(*map(noise_words, languages))


# ---------------------------------------------------------------- from a text to its chunks

_TIDIED = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ`´", "'"),
        **dict.fromkeys("‐‑", "-"),
        **dict.fromkeys("“”„«»「」『』", '"'),
        # Invisible characters change how a word looks or breaks, never what it is.
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"),
    }
)


# One question is cut several times on its way: for its words, its weight and its namesakes.
@lru_cache(maxsize=512)
def _cached_question(analyzer: Analyzer, text: str, languages: tuple[str, ...]) -> QueryTerms:
    return analyzer._read_question(text, languages)


def _normalised(text: str) -> str:
    """NFKC, with one kind of quote, apostrophe and hyphen; case is kept, for camelCase."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_TIDIED)).translate(_TIDIED)


_EXCLUDED = r'(?<!\S)-(?=["\w])'
_QUESTION_PART = re.compile(rf'({_EXCLUDED})?(?:"([^"]*)"|([^\s"]+))')


def _split_question(text: str) -> tuple[list[str], list[str], list[str]]:
    """The chunks that are asked for, the quotations among them, and the chunks excluded."""
    plain: list[str] = []
    quoted: list[str] = []
    excluded: list[str] = []
    for minus, quotation, chunk in _QUESTION_PART.findall(text):
        # "-5" is a temperature and "-f" a flag of some command; losing either costs an answer.
        excludes = minus and (quotation or (len(chunk) > 1 and not chunk[0].isdigit()))
        if not excludes:
            plain += (chunk or quotation).split()
            quoted += [quotation] if quotation and not minus else []
        else:
            excluded.append(chunk or quotation)
    return plain, quoted, excluded


# ---------------------------------------------------------------- from a chunk to its words

# Scripts written without spaces, and Korean, whose particles cling to the noun.
_UNSEGMENTED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0f40-\u0fbc\u1000-\u1049\u1100-\u11ff\u1780-\u17d3"
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# `\w` leaves out combining marks, which are the vowels of half the world's scripts.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0"
    "\u0900-\u0963\u0966-\u0df3\u135d-\u135f\u1dc0-\u1dff"
)
_LETTERS = rf"(?![{_UNSEGMENTED}])\w(?:(?![{_UNSEGMENTED}])[\w{_MARKS}])*"
_PIECE = re.compile(
    rf"(?P<run>[{_UNSEGMENTED}]+)"
    r"|(?P<symbol>(?<!\w)[A-Za-z](?:\+\+|\#)(?!\w))"  # C++, F#
    r"|(?P<number>(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!,?\w))"  # 1,450.50
    rf"|(?P<compound>{_LETTERS}(?:(?:://|[-.'@/\\:+&]){_LETTERS})*)"
)
_JOINTS = "_-.'@/\\:+&"
_STRONG_JOINT = re.compile(r"[@/\\:+&]+")
_WEAK_JOINT = re.compile(r"[-._']+")
_VERSION = re.compile(r"v?(\d+(?:[.:]\d+)+)")
_ABBREVIATION = re.compile(r"[^\W\d_æœþ](?:\.[^\W\d_æœþ])+")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_HUMPED = re.compile(r"[A-Za-z\d]*(?:[a-z][A-Z]|[A-Z]{2}[a-z])[A-Za-z\d]*")
_CONTRACTION = re.compile(r"[^\W\d_]+'(?:t|re|ve|ll|m|d)")
_POSSESSIVE = re.compile(r"(.+)'s")
# The articles and pronouns that lose their vowel before another word: l'hôtel, dell'acqua.
_ELISION = re.compile(
    r"(?:l|d|j|m|n|s|t|c|qu|jusqu|lorsqu|puisqu|un|dell|all|nell|sull|dall|quell|quest)'(\w\w.*)"
)


def _words_of(text: str) -> tuple[str, ...]:
    return tuple(whole for chunk in text.split() for whole in _wholes(chunk))


def _wholes(chunk: str) -> Iterator[str]:
    return (group[0] for group in _groups(chunk))


def _surfaces(chunk: str) -> Iterator[str]:
    return (surface for group in _groups(chunk) for surface in group)


def _groups(chunk: str) -> Iterator[tuple[str, ...]]:
    """The words of a chunk, each with its parts behind it; casefolded, never stemmed."""
    for piece in _PIECE.finditer(chunk):
        word = piece.group()
        if piece.lastgroup == "run":
            yield from ((pair,) for pair in _pairs(word))
        elif piece.lastgroup == "symbol":
            yield (word.casefold(),)
        elif word := word.replace(",", "").strip(_JOINTS):
            yield _compound(word)


def _pairs(run: str) -> Iterator[str]:
    return (run[at : at + 2] for at in range(max(1, len(run) - 1)))


def _compound(word: str) -> tuple[str, ...]:
    """A word whole, and behind it the parts it may be asked by: JIRA-9921, JIRA, 9921."""
    whole = _casefolded(word)
    if word.isalnum():
        return (whole, *_humps(word))
    if "'" in whole and (base := _POSSESSIVE.fullmatch(whole) or _ELISION.fullmatch(whole)):
        return _compound(word[base.start(1) : base.end(1)])
    if _CONTRACTION.fullmatch(whole):
        return (whole,)
    if _ABBREVIATION.fullmatch(whole):
        return (whole, whole.replace(".", ""))
    if version := _VERSION.fullmatch(whole):
        return _unique((whole, *_shorter_versions(version[1])))
    joint = _STRONG_JOINT if _STRONG_JOINT.search(word) else _WEAK_JOINT
    parts = [part.strip(_JOINTS) for part in joint.split(word) if part != word]
    parts = [part for part in parts if not _is_letter(part)]
    return _unique((whole, *(surface for part in parts for surface in _compound(part))))


def _is_letter(part: str) -> bool:
    """Whether a part is a lone sign, which would find too much, in every spelling of it."""
    return len(part) < 2 and len(_unaccented(_casefolded(part))) < 2


def _humps(word: str) -> tuple[str, ...]:
    """The parts of camelCase; none for names such as iPhone, LeBron or OpenAI."""
    if not _HUMPED.fullmatch(word):
        return ()
    humps = _HUMP.findall(word)
    shortest = 2 if word[0].islower() else 3
    return tuple(hump.lower() for hump in humps) if min(map(len, humps)) >= shortest else ()


def _shorter_versions(version: str) -> Iterator[str]:
    """A version and what it is a part of: 16.2.1, 16.2, 16; a lone digit would find too much."""
    while len(version) > 1:
        yield version
        version = re.split(r"[.:](?=\d+$)", version)[0] if not version.isdigit() else ""


# ---------------------------------------------------------------- from a word to its terms


def _chunk_terms(chunk: str, stemmer: str) -> tuple[str, ...]:
    stemmers = (stemmer,) if stemmer else ()
    return tuple(term for surface in _surfaces(chunk) for term in _forms(surface, stemmers))


_cached_chunk_terms = lru_cache(_CACHED_CHUNKS_MAX)(_chunk_terms)


def _forms(surface: str, stemmers: Iterable[str]) -> tuple[str, ...]:
    """A word as it is written, without accents, and its stems without accents, each once."""
    forms = [surface, _unaccented(surface)]
    if 2 < len(surface) <= _STEMMED_CHARACTERS_MAX and _STEMMABLE.fullmatch(surface):
        forms += [_unaccented(_stem(surface, stemmer)) for stemmer in stemmers]
    return _unique(forms)


_STEMMABLE = re.compile(rf"(?:[^\W\d_]|[{_MARKS}])+")
_stemmers_of_thread = threading.local()


def _stem(word: str, stemmer: str) -> str:
    # A Stemmer keeps state between calls and must not be shared between threads.
    stemmers: dict[str, Stemmer.Stemmer] = _stemmers_of_thread.__dict__
    if stemmer not in stemmers:
        stemmers[stemmer] = Stemmer.Stemmer(stemmer)
    # Questions ask "did she buy" of a text that says "bought", which no suffix rule joins.
    base = irregular_forms().get(word, word) if stemmer == "english" else word
    stem: str = stemmers[stemmer].stemWord(base)
    return stem


def _casefolded(word: str) -> str:
    if word.isascii():
        return word.lower()
    # Casefolding may undo the composition, and leaves a dot on the Turkish capital İ.
    return unicodedata.normalize("NFKC", word.casefold()).replace("i\u0307", "i")


_ACCENT = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0670]")
_LETTERS_WITHOUT_ACCENT = {
    **{"ё": "е", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "ð": "d"},
    **{"æ": "ae", "œ": "oe", "þ": "th"},
}


def _unaccented(word: str) -> str:
    return word if word.isascii() else "".join(map(_unaccented_letter, word)) or word


@lru_cache(4_096)
def _unaccented_letter(letter: str) -> str:
    if _ACCENT.match(letter):
        return ""
    base = unicodedata.normalize("NFD", letter)[0]
    # Elsewhere the mark is part of the letter: й is not и, and が is not か.
    plain = base if base < "\u0400" or "\u0600" <= base < "\u0700" else letter
    return _LETTERS_WITHOUT_ACCENT.get(plain, plain)


def _unique(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms))
