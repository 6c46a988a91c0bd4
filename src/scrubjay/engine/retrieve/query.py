"""What every retriever is given: the question, the bank, the scope and shared searches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.encoder.base import UNRELATED_SCORE, Calibration, calibration_of
from scrubjay.encoder.directions import without_language
from scrubjay.encoder.query_cache import CachedQueries
from scrubjay.encoder.side_calls import TooLate
from scrubjay.engine.retrieve.searches import Searches
from scrubjay.errors import EncoderError
from scrubjay.language.detection import detect_language
from scrubjay.preset import Preset, SemanticSwitches
from scrubjay.store.base import BankReader, Hits, Scope, WordQuery
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray, VectorArray

# With so many units the middle counts half of what it counts at most.
_MIDDLE_UNITS = 150

# In a bank of more units the places of an answer are taken by what is more alike.
_UNLIKE_UNITS_MAX = 2_000


@dataclass(frozen=True, slots=True)
class Walk:
    """How far a search along links came: where it started, and how many links it followed."""

    seeds: int
    edges: int


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What one retriever answers: rows best first, scores in [0, 1].

    `weights` scales single hits in fusion (None: all 1); `paths` says how rows were reached
    (None: this retriever follows no paths); `walked` how far it came (None: it followed nothing).
    Scores under `telling` are found all the same, and tell little.
    """

    rows: RowArray
    scores: ScoreArray
    weights: ScoreArray | None = None
    paths: Mapping[int, tuple[str, ...]] | None = None
    walked: Walk | None = None
    telling: float = 0.0


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A word or phrase that the question does not want, and the rows that say it."""

    said: str
    rows: RowArray


NOTHING = Retrieved(np.empty(0, np.int64), np.empty(0, np.float32))


# A head, by its name, and the weighed vectors that it makes of a question's tokens.
Tokens = tuple[str, VectorArray]


def _tokens(question: str, encoder: CachedQueries, head: str) -> Tokens:
    return head, encoder.encode_queries_late([question])[1][0]


# Away from what, and how far: the middle of a bank's vectors, and the share of it.
Away = tuple[VectorArray, float]


def away_from_middle(bank: BankReader, preset: Preset) -> Away | None:
    """Where questions to a bank are moved away from; None: nowhere.

    What lies near the middle of a bank, as one of a thousand lines of a log does, lies near every
    question to it, and says little by that. In a small bank the middle is where its few answers
    are, and counts less.
    """
    switches = preset.semantic
    if switches is None or not switches.background:
        return None
    middle, units = bank.middle(), bank.unit_count()
    share = switches.background * units / (units + _MIDDLE_UNITS)
    return None if middle is None else (middle, share)


class QueryVector:
    """The question's vector, made by the first retriever that needs it, tried once.

    It is the one that is searched with: the question's own, away from the middle of the bank.
    """

    def __init__(
        self,
        encode: Callable[[], VectorArray] | None,
        calibration: Calibration,
        tokens: Callable[[], Tokens] | None = None,
        away: Callable[[], Away | None] = lambda: None,
    ) -> None:
        self._encode = encode
        self._tokens = tokens
        self._away = away
        # A unit's cosine to what is searched with, times the one and plus the other, is its
        # cosine to the question less what it has of the middle beyond what all have.
        self._scale, self._shift = 1.0, 0.0
        self._vector: VectorArray | None = None
        self._failure: str | None = "There is no encoder to read the question with."
        self._tried = encode is None
        self._lock = threading.Lock()
        self.calibration = calibration

    @classmethod
    def of(
        cls,
        question: str,
        encoder: CachedQueries | None,
        timeout_s: float,
        away: Callable[[], Away | None],
    ) -> QueryVector:
        """The vector that an encoder makes of the question, within so many seconds."""
        if encoder is None:
            return cls(None, Calibration(UNRELATED_SCORE))

        def encode() -> VectorArray:
            vector: VectorArray = encoder.encode_within([question], timeout_s)[0]
            return without_language(vector, encoder.fingerprint, detect_language(question))

        head = encoder.head
        if head is None:
            return cls(encode, calibration_of(encoder), away=away)
        # Remembered with the vector, of which they are read.
        tokens = partial(_tokens, question, encoder, head)
        return cls(encode, calibration_of(encoder), tokens, away)

    def ready(self) -> bool:
        """Whether the vector can be had; those that can do without it ask first."""
        return self._try() is not None

    def get(self) -> VectorArray:
        """The vector; EncoderError without an encoder, or when the encoder failed."""
        vector = self._try()
        if vector is None:
            raise EncoderError(self._failure)
        return vector

    def scores(self, cosines: ScoreArray) -> ScoreArray:
        """The calibrated scores of units by their cosines to the vector."""
        if self._scale != 1.0:
            cosines = (self._scale * cosines + self._shift).astype(np.float32)
        return self.calibration.apply(cosines)

    def cosine_at(self, score: float) -> float:
        """The cosine to the vector at which a unit has a score."""
        return (self.calibration.cosine_at(score) - self._shift) / self._scale

    def tokens(self) -> Tokens | None:
        """The vectors of the question's tokens; None where they cannot be had."""
        return None if self._tokens is None or not self.ready() else self._tokens()

    def _try(self) -> VectorArray | None:
        with self._lock:
            if not self._tried and self._encode is not None:
                try:
                    vector = self._encode()
                except TooLate as late:
                    self._failure = f"the encoder {late}"
                # An encoder may be anyone's code, and three retrievers must not wait for it to
                # fail three times.
                except Exception as raised:  # noqa: BLE001
                    self._failure = f"the encoder failed: {type(raised).__name__}: {raised}"
                else:
                    self._vector = self._moved(vector)
                self._tried = True
            return self._vector

    def _moved(self, vector: VectorArray) -> VectorArray:
        away = self._away()
        if away is None or len(away[0]) != len(vector):
            return vector
        middle, share = away
        moved = vector - share * middle
        self._scale = float(np.linalg.norm(moved))
        self._shift = share * float(middle @ middle)
        unit: VectorArray = (moved / self._scale).astype(np.float32)
        return unit


@dataclass(frozen=True, slots=True)
class Query:
    """One recall as its retrievers see it."""

    parsed: Parsed
    preset: Preset
    bank: BankReader
    scope: Scope
    vector: QueryVector
    exclusions: tuple[Exclusion, ...] = ()  # their rows are out of scope
    # Of the question with the names of those it only describes; None: it describes nobody known.
    named: QueryVector | None = None
    searches: Searches = field(default_factory=Searches, compare=False)

    def likeness_floor(self, switches: SemanticSwitches) -> float:
        """The least score that the search by meaning looks for in this bank."""
        small = self.bank.unit_count() <= _UNLIKE_UNITS_MAX
        return switches.floor if small else max(switches.floor, switches.telling)

    def nearest(self, *, limit: int, floor: float, scope: Scope) -> Hits:
        """Units by calibrated similarity, at least `floor`."""
        vector, switches = self.vector, self.preset.semantic
        # Retrievers that want the nearest few ask for as many as the semantic one: all but the
        # first are then answered by the same search.
        deep, low = limit, floor
        if switches is not None:
            deep, low = max(limit, switches.at_least), min(floor, self.likeness_floor(switches))
        asked = vector.get()
        cosine = vector.cosine_at(low)
        hits = self.searches.best(
            (scope, low),
            deep,
            lambda: self.bank.nearest(asked, limit=deep, floor=cosine, scope=scope),
        )
        found = len(hits.rows)
        if floor > low:
            # Best first, so what reaches the floor stands in front.
            found = int(np.count_nonzero(hits.scores >= np.float32(vector.cosine_at(floor))))
        end = min(limit, found)
        return Hits(hits.rows[:end], vector.scores(hits.scores[:end]))

    def match_words(self, words: WordQuery, *, limit: int, scope: Scope) -> Hits:
        """Units that hold any of the words, by BM25."""
        switches = self.preset.lexical
        deep = limit if switches is None else max(limit, switches.at_least)
        hits = self.searches.best(
            (scope, words), deep, lambda: self.bank.match_words(words, limit=deep, scope=scope)
        )
        return hits.take(slice(limit))

    def similarity(self, rows: RowArray) -> ScoreArray:
        """The calibrated similarity of some rows, 0 where a row has no vector."""
        raw = self.bank.similarity(self.vector.get(), rows)
        return self.vector.scores(raw)

    def allowed(self, rows: RowArray) -> MaskArray:
        """Which of some rows the scope lets through."""
        return self.bank.filter_rows(rows, self.scope)

    def lets_through(self, row: int, scope: Scope) -> bool:
        """Whether a scope lets one row through."""
        return bool(self.bank.filter_rows(one_row(row), scope)[0])


def one_row(row: int) -> RowArray:
    """A row as the stores take rows."""
    return np.array([row], np.int64)
