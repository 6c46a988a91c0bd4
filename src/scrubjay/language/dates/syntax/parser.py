"""Matches a language's patterns against tokens; every rule at every place is tried once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from scrubjay.language.dates.grammar import ACTIONS
from scrubjay.language.dates.semantics.calendar import OutOfCalendar
from scrubjay.language.dates.semantics.compose import compose
from scrubjay.language.dates.semantics.scene import Scene
from scrubjay.language.dates.semantics.values import Bare, Cycle, Interval, Value
from scrubjay.language.dates.syntax import numbers
from scrubjay.language.dates.syntax.lexicon import Language
from scrubjay.language.dates.syntax.numbers import Found
from scrubjay.language.dates.syntax.patterns import Node
from scrubjay.language.dates.syntax.tokens import Token
from scrubjay.limits import TIMES_PER_TEXT_MAX

# Speech nests at most four or five deep ("the day after the first Monday of last month").
_DEPTH_MAX: Final = 10
_JOINERS_MAX: Final = 3
# Ordinary text needs 5 to 30 steps per token; beyond this the text is not language.
STEPS_PER_TOKEN_MAX: Final = 400
_YEARS_JOINED: Final = range(1900, 2101)
_RANGE_MARKS: Final = frozenset("-/")
_TIME_CLASSES: Final = frozenset(("list", "MONTH", "DOW"))

# How a place was reached: the order and the name of the action that ends there, and its values.
_Way = tuple[int, str, tuple[Value, ...]]
_Ends = dict[int, list[_Way]]  # by the position after it

_BUILTIN = {
    "NUM": numbers.number,
    "ORD": numbers.ordinal,
    "NTH": numbers.numeral_ordinal,
    "YEAR": numbers.year,
}


class Parser:
    """One reading of one text in one language; `steps` counts the pattern elements tried."""

    __slots__ = (
        "_depth", "_language", "_memo", "_spans", "_tokens", "barred", "cues", "introduced",
        "refused", "scene", "steps", "steps_max",
    )  # fmt: skip

    def __init__(self, tokens: Sequence[Token], language: Language, scene: Scene) -> None:
        self._tokens = tokens
        self._language = language
        self._memo: dict[tuple[str, int], list[Found]] = {}
        self._depth = 0
        self._spans = 0  # places where something that may be a time begins
        self.barred = 0  # up to here nothing is a time, for it is a part of what is none
        self.refused = 0  # characters of the longest span that its words do not let stand
        self.introduced = 0  # of the longest that is said to be a name
        self.scene = scene
        self.cues: frozenset[str] = frozenset()  # words that say that the text may be about words
        self.steps = 0
        self.steps_max = STEPS_PER_TOKEN_MAX * max(len(tokens), 8)

    def parse(self, rule: str, at: int) -> list[Found]:
        """What `rule` matches from token `at` on: at most one value per end, longest first."""
        if at >= len(self._tokens) or rule not in self._tokens[at].fits:
            return []
        key = (rule, at)
        known = self._memo.get(key)
        if known is not None:
            return known
        if self._depth >= _DEPTH_MAX or self.steps > self.steps_max:
            return []
        builtin = _BUILTIN.get(rule)
        if builtin is not None:
            found = builtin(self._tokens, at, self._language)
        else:
            self._depth += 1
            found = self._match(rule, at)
            self._depth -= 1
        self._memo[key] = found
        return found

    @property
    def exhausted(self) -> bool:
        """Whether a bound is reached; what was found until then stands."""
        return self.steps > self.steps_max or self._spans >= TIMES_PER_TEXT_MAX

    def forget(self) -> None:
        """Drops remembered matches: the sentence now points the other way in time."""
        self._memo.clear()

    def spans(self, at: int) -> Iterator[Found]:
        """What SPAN matches from token `at` on, longest first; a value is built when asked for."""
        self._depth += 1
        ends = self._ways("SPAN", at)
        self._depth -= 1
        self._spans += bool(ends)
        for end, ways in sorted(ends.items(), reverse=True):
            value = self._value(ways)
            if value is not None:
                yield end, value

    def _match(self, rule: str, at: int) -> list[Found]:
        ends = self._ways(rule, at)
        if not ends:
            return []
        best = {end: value for end in ends if (value := self._value(ends[end])) is not None}
        if rule == "TIME" and best:
            self._grow(best)
        return sorted(best.items(), key=_by_length)

    def _ways(self, rule: str, at: int) -> _Ends:
        ends: _Ends = {}
        self._walk(self._language.trees[rule], at, (), ends)
        return ends

    def _value(self, ways: list[_Way]) -> Value | None:
        """The value of the way whose action was written first, of those that have one."""
        for _, action, captured in sorted(ways, key=_by_order) if len(ways) > 1 else ways:
            try:
                value = ACTIONS[action](self.scene, captured)
            except OutOfCalendar:
                continue
            if value is not None:
                return value
        return None

    def _walk(self, node: Node, at: int, captured: tuple[Value, ...], ends: _Ends) -> None:
        self.steps += 1
        for order, action in node.actions:
            ends.setdefault(at, []).append((order, action, captured))
        if at >= len(self._tokens) or self.steps > self.steps_max:
            return
        token = self._tokens[at]
        fits = not node.branches.isdisjoint(token.fits)
        if fits and token.word in node.words:
            self._walk(node.words[token.word], at + 1, captured, ends)
        if node.wildcard is not None and token.word.isalpha() and self._may_fill(token):
            self._walk(node.wildcard, at + 1, captured, ends)
        if fits:
            self._walk_classes(node, at, captured, ends)

    def _walk_classes(self, node: Node, at: int, captured: tuple[Value, ...], ends: _Ends) -> None:
        token = self._tokens[at]
        entries = token.entries
        if entries and node.sets:
            for name in _shared(node.sets, entries):
                for length, _ in entries[name]:
                    self._walk(node.sets[name], at + length, captured, ends)
        if entries and node.classes:
            for name in _shared(node.classes, entries):
                for length, value in entries[name]:
                    self._walk(node.classes[name], at + length, (*captured, value), ends)
        if node.rules:
            for name in _shared(node.rules, token.fits):
                for end, value in self.parse(name, at):
                    self._walk(node.rules[name], end, (*captured, value), ends)

    def _may_fill(self, token: Token) -> bool:
        """Whether any word may stand there: not the next of a list, "May and June this year".

        Nor a verb: "the first one after the summer is on Monday".
        """
        if token.entries and not token.entries.keys().isdisjoint(_TIME_CLASSES):
            return False
        return token.word not in self._language.sets["be"]

    def _grow(self, best: dict[int, Value]) -> None:
        """Joins what stands next to a time, so that the order of its parts does not matter."""
        waiting = list(best)
        while waiting:
            end = waiting.pop()
            left = best[end]
            if not isinstance(left, Interval | Cycle):
                continue
            for joined_end, joined in self._neighbours(left, end):
                if joined_end not in best:
                    best[joined_end] = joined
                    waiting.append(joined_end)

    def _neighbours(self, left: Interval | Cycle, end: int) -> list[Found]:
        found: list[Found] = []
        at = end
        for _ in range(_JOINERS_MAX + 1):
            for right_end, right in self.parse("TIME", at):
                if not isinstance(right, Interval | Cycle):
                    continue
                if not self._may_join(left, right, end, at):
                    continue
                try:
                    joined = compose(left, right)
                except OutOfCalendar:
                    continue
                if joined is not None:
                    found.append((right_end, joined))
            if found or at >= len(self._tokens):
                break
            token = self._tokens[at]
            if token.word not in self._language.joiners or "IDIOM" in token.entries:
                break
            at += 1
        return found

    def _may_join(self, left: Interval | Cycle, right: Interval | Cycle, end: int, at: int) -> bool:
        """Not a number and what follows it, "up to 1150 from July", nor the ends of a range."""
        if end == at:
            return True
        if left.bare is Bare.YEAR and isinstance(left, Interval) and left.start is not None:
            return left.start.year in _YEARS_JOINED
        return left.grain is not right.grain or self._tokens[end].word not in _RANGE_MARKS


def _shared(branches: Mapping[str, Node], names: Collection[str]) -> Sequence[str]:
    """The branches with one of these names, in their own order: of two equals the first counts."""
    if len(names) < len(branches):
        found = [name for name in names if name in branches]
        if len(found) < 2:
            return found
    return [name for name in branches if name in names]


def _by_order(way: _Way) -> int:
    return way[0]


def _by_length(found: Found) -> int:
    return -found[0]
