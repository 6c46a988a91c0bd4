"""A match among the words around it, as the guard looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.values import Interval, Pointing
from scrubjay.language.dates.syntax.lexicon import Language
from scrubjay.language.dates.syntax.tokens import Token

ENDS = frozenset(".,;:!?)]}…—\"“”»'")
# Between two times of a list: "and again in", "and 5k on".
LIST_REACH = 4
# How far after "May's" the thing stands that it owns: "May's utility bill".
_OWNED_REACH = 3
# Between "did" and "fall": "did the sales figures fall".
_HELPER_REACH = 5


@dataclass(frozen=True, slots=True)
class Match:
    """An interval and the tokens it was read from; `listed` when it continues a list of times."""

    interval: Interval
    start: int
    end: int
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A match among the words around it."""

    match: Match
    tokens: Sequence[Token]
    language: Language
    year_now: int
    telling: bool  # in a statement, and not in a question
    cues: frozenset[str]  # the words of the text that say it may be about words: see `wording`
    pointing: Pointing = Pointing.NOWHERE  # where the sentence looks

    def word(self, at: int) -> str:
        """The word at a position, empty outside the text."""
        return self.tokens[at].word if 0 <= at < len(self.tokens) else ""

    @property
    def before(self) -> str:
        """The word before the match."""
        # These four are asked two dozen times of every match: no call inside a call.
        start = self.match.start
        return self.tokens[start - 1].word if start else ""

    @property
    def after(self) -> str:
        """The word after the match."""
        end = self.match.end
        return self.tokens[end].word if end < len(self.tokens) else ""

    def before_in(self, name: str) -> bool:
        """Whether the word before is in one of the language's lists."""
        start = self.match.start
        return (self.tokens[start - 1].word if start else "") in self.language.sets[name]

    def after_in(self, name: str) -> bool:
        """Whether the word after is in one of the language's lists."""
        end = self.match.end
        after = self.tokens[end].word if end < len(self.tokens) else ""
        return after in self.language.sets[name]

    @property
    def ends(self) -> bool:
        """Whether the clause ends with the match, but for a "please"."""
        after = self.after
        if after == "'":
            return self.word(self.match.end + 1) != "s"  # not "the New Year's punch"
        if not after or after in ENDS or after in self.language.sets["courtesy"]:
            return True
        return after == "-" and self._dashed

    @property
    def _dashed(self) -> bool:
        """Whether a dash with a space before it follows: "friday - who rang"."""
        return self.tokens[self.match.end].start > self.tokens[self.match.end - 1].end

    @property
    def changes(self) -> bool:
        """Whether "now" follows: "it'll be Thursday now"."""
        following = self.tokens[self.match.end : self.match.end + 1]
        return any("CHANGED" in token.entries for token in following)

    @property
    def topical(self) -> bool:
        """Whether it dates the record or event after it: "jan invoices", "May's power bill"."""
        at = self.match.end
        if self.word(at) == "'":
            at += 1 + (self.word(at + 1) == "s")
        sets = self.language.sets
        # "The tuesday spin class".
        articled = self.before_in("articles") and "DOW" in self.tokens[self.match.start].entries
        reach = at + (_OWNED_REACH if at > self.match.end else 1 + articled)
        # "Did May call": some events are verbs, and some months are people.
        known = self.tokens[self.match.start].word in sets["names"]
        words = [token.word for token in self.tokens[at:reach]]
        if not sets["reports"].isdisjoint(words):
            return True
        return not known and not sets["events"].isdisjoint(words)

    @property
    def topic_before(self) -> bool:
        """Whether it closes what is said of a record: "expenses jan", "gym sessions aug"."""
        if not self.ends or self.before_in("labels"):
            return False
        # "Who will visit April": some events are verbs, and some months are people.
        if self._is_verb_behind_helper:
            return False
        events = self.before_in("events") and self.before.endswith("s")
        return self.before_in("reports") or (events and not self._is_named)

    @property
    def _is_verb_behind_helper(self) -> bool:
        """ "How much did turnover fall": the verb that "did" asks of the record."""
        start, sets = self.match.start, self.language.sets
        if self.word(start) not in sets["falling"]:
            return False
        helpers = sets["inverting"] | sets["modals"]
        return any(self.word(at) in helpers for at in range(start - _HELPER_REACH, start - 1))

    @property
    def _is_named(self) -> bool:
        return self.tokens[self.match.start].word in self.language.sets["names"]

    @property
    def heads(self) -> bool:
        """Whether it opens the text, and the question itself comes after it."""
        return not self.match.start and (self.ends or self.after_in("openers"))

    @property
    def opened(self) -> bool:
        """Whether the match brings its own preposition: an open end, or a range."""
        first = self.tokens[self.match.start]
        return self.match.interval.kind is TimeKind.OPEN or "range" in first.entries

    @property
    def goes_on_plainly(self) -> bool:
        """ "Was haben wir Freitag beschlossen": a small word that the name cannot belong to."""
        at = self.match.end
        return self.language.plain_names and at < len(self.tokens) and not self.tokens[at].capital
