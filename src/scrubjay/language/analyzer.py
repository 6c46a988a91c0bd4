"""The words a text is found by: one analysis for writing and for reading, in both stores."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain, islice

import Stemmer

from scrubjay.errors import BadInput
from scrubjay.language.compounds import MARKS, surfaces, unique, wholes, words_of
from scrubjay.language.detection import UNDECIDED, detect_language
from scrubjay.language.spelling import few_marks, unaccented
from scrubjay.language.stopwords import irregular_forms, noise_words
from scrubjay.limits import PHRASES_PER_QUESTION_MAX, QUESTION_CHARACTERS_MAX

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
# The terms of stored texts are kept by the language of their stems: 8 MB a language at most.
_CACHED_STEMMERS_MAX = 4
_CHUNKS_OF_STEMMER_MAX = 16_384
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
    words: tuple[tuple[str, ...], ...] = ()  # `any_of` by word: as it is written, then its stems


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
        terms_of = _terms_with(self._document_stemmer(text)).__getitem__
        return [*chain.from_iterable(map(terms_of, _normalised(text).split()))]

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
        # One character may stand for a phrase, which normalising spells out.
        read = _normalised(text)[:QUESTION_CHARACTERS_MAX]
        plain, quoted, excluded = _split_question(read)
        unsaid = [words_of(chunk) for chunk in excluded if len(chunk.split()) > 1]
        words = [surface for chunk in plain for surface in surfaces(chunk)]
        single = (chunk for chunk in excluded if len(chunk.split()) == 1)
        none_of = unique(whole for chunk in single for whole in wholes(chunk))
        noise = self._noise(own)
        asked = [surface for surface in words if surface not in noise] or words
        stemmers = [_STEMMERS[code] for code in stems_from]
        forms = tuple(dict.fromkeys(_forms(surface, stemmers) for surface in asked))
        any_of = unique(term for word in forms for term in word)
        forbidden = frozenset(none_of)
        phrases = (phrase for phrase in map(words_of, unique(quoted)) if len(phrase) > 1)
        return QueryTerms(
            any_of=tuple(term for term in any_of if term not in forbidden),
            phrases=tuple(islice(phrases, PHRASES_PER_QUESTION_MAX)),
            none_of=none_of,
            none_of_phrases=tuple(dict.fromkeys(phrase for phrase in unsaid if phrase)),
            languages=stems_from,
            words=forms,
        )

    def surface_terms(self, text: str) -> list[str]:
        """One term per word, in order: what a phrase of `QueryTerms` is compared with."""
        return list(words_of(_normalised(text)))

    def typed_terms(self, text: str) -> tuple[tuple[str, ...], str | None]:
        """The words of a text that is being typed, and the beginning of the one not yet done."""
        normal = _normalised(text)
        words = words_of(normal)
        if not words or normal[-1].isspace():
            return unique(words), None
        return unique(words[:-1]), words[-1]

    def key_terms(self, text: str) -> list[str]:
        """One term per word, in order, as the index has it: its stem, of a compound the whole."""
        stemmer = self._document_stemmer(text)
        return [key for chunk in _normalised(text).split() for key in _chunk_keys(chunk, stemmer)]

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
        return own, unique(code for code in (first, *banks) if code in _STEMMERS)

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
    return unicodedata.normalize("NFKC", few_marks(text.translate(_TIDIED))).translate(_TIDIED)


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


# ---------------------------------------------------------------- from a word to its terms


def _chunk_terms(chunk: str, stemmer: str) -> tuple[str, ...]:
    stemmers = (stemmer,) if stemmer else ()
    return tuple(term for surface in surfaces(chunk) for term in _forms(surface, stemmers))


class _ChunkTerms(dict[str, tuple[str, ...]]):
    """The terms of chunks with the stems of one language; a cache of calls takes twice the time."""

    def __init__(self, stemmer: str) -> None:
        super().__init__()
        self._stemmer = stemmer

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        terms = _chunk_terms(chunk, self._stemmer)
        if len(chunk) <= _CACHED_CHUNK_CHARACTERS_MAX:
            if len(self) >= _CHUNKS_OF_STEMMER_MAX:
                self.clear()
            self[chunk] = terms
        return terms


_terms_with = lru_cache(_CACHED_STEMMERS_MAX)(_ChunkTerms)


@lru_cache(_CACHED_CHUNKS_MAX)
def _chunk_keys(chunk: str, stemmer: str) -> tuple[str, ...]:
    stemmers = (stemmer,) if stemmer else ()
    return tuple(_forms(whole, stemmers)[-1] for whole in wholes(chunk))


def _forms(surface: str, stemmers: Iterable[str]) -> tuple[str, ...]:
    """A word as it is written, without accents, and its stems without accents, each once."""
    forms = [surface, unaccented(surface)]
    if 2 < len(surface) <= _STEMMED_CHARACTERS_MAX and _STEMMABLE.fullmatch(surface):
        forms += [unaccented(_stem(surface, stemmer)) for stemmer in stemmers]
    return unique(forms)


_STEMMABLE = re.compile(rf"(?:[^\W\d_]|[{MARKS}])+")
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
