"""Matches a language's patterns against tokens; every rule at every place is tried once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrubjay.language.dates.calendar import OutOfCalendar
from scrubjay.language.dates.compose import compose
from scrubjay.language.dates.grammar import ACTIONS
from scrubjay.language.dates.scene import Scene
from scrubjay.language.dates.syntax import numbers
from scrubjay.language.dates.syntax.lexicon import Language
from scrubjay.language.dates.syntax.numbers import Found
from scrubjay.language.dates.syntax.patterns import Node
from scrubjay.language.dates.syntax.tokens import Token
from scrubjay.language.dates.values import Cycle, Interval, Value

# Speech nests at most four or five deep ("the day after the first Monday of last month").
_DEPTH_MAX: Final = 10
_JOINERS_MAX: Final = 3
# Ordinary text needs 5 to 30 steps per token; beyond this the text is not language.
STEPS_PER_TOKEN_MAX: Final = 400

_BUILTIN = {
    "NUM": numbers.number,
    "ORD": numbers.ordinal,
    "NTH": numbers.numeral_ordinal,
    "YEAR": numbers.year,
}


class Parser:
    """One reading of one text in one language; `steps` counts the pattern elements tried."""

    __slots__ = ("_depth", "_language", "_memo", "_tokens", "scene", "steps", "steps_max")

    def __init__(self, tokens: Sequence[Token], language: Language, scene: Scene) -> None:
        self._tokens = tokens
        self._language = language
        self._memo: dict[tuple[str, int], list[Found]] = {}
        self._depth = 0
        self.scene = scene
        self.steps = 0
        self.steps_max = STEPS_PER_TOKEN_MAX * max(len(tokens), 8)

    def parse(self, rule: str, at: int) -> list[Found]:
        """What `rule` matches from token `at` on: at most one value per end, longest first."""
        key = (rule, at)
        known = self._memo.get(key)
        if known is not None:
            return known
        if not self.may_open(rule, at) or self._depth >= _DEPTH_MAX or self.exhausted:
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
        """Whether the step bound is reached; what was found until then stands."""
        return self.steps > self.steps_max

    def forget(self) -> None:
        """Drops remembered matches: the sentence now points the other way in time."""
        self._memo.clear()

    def may_open(self, rule: str, at: int) -> bool:
        """Whether the token could begin a match of `rule`; a no is certain, a yes is not."""
        if at >= len(self._tokens):
            return False
        token = self._tokens[at]
        opening = self._language.openings[rule]
        return token.word in opening.words or not opening.classes.isdisjoint(token.entries)

    def _match(self, rule: str, at: int) -> list[Found]:
        best: dict[int, tuple[int, Value]] = {}
        self._walk(self._language.trees[rule], at, (), best)
        if rule == "TIME":
            self._grow(best)
        return sorted(((end, value) for end, (_, value) in best.items()), key=_by_length)

    def _walk(
        self, node: Node, at: int, captured: tuple[Value, ...], best: dict[int, tuple[int, Value]]
    ) -> None:
        self.steps += 1
        if node.actions:
            self._finish(node, at, captured, best)
        if at >= len(self._tokens) or self.exhausted:
            return
        token = self._tokens[at]
        following = node.words.get(token.word)
        if following is not None:
            self._walk(following, at + 1, captured, best)
        if node.wildcard is not None and token.word.isalpha():
            self._walk(node.wildcard, at + 1, captured, best)
        if token.entries:
            self._walk_entries(node, at, captured, best)
        for name, child in node.rules.items():
            for end, value in self.parse(name, at):
                self._walk(child, end, (*captured, value), best)

    def _walk_entries(
        self, node: Node, at: int, captured: tuple[Value, ...], best: dict[int, tuple[int, Value]]
    ) -> None:
        entries = self._tokens[at].entries
        for name, child in node.sets.items():
            for length, _ in entries.get(name, ()):
                self._walk(child, at + length, captured, best)
        for name, child in node.classes.items():
            for length, value in entries.get(name, ()):
                self._walk(child, at + length, (*captured, value), best)

    def _finish(
        self, node: Node, at: int, captured: tuple[Value, ...], best: dict[int, tuple[int, Value]]
    ) -> None:
        for order, action in node.actions:
            known = best.get(at)
            if known is not None and known[0] <= order:
                continue
            try:
                value = ACTIONS[action](self.scene, captured)
            except OutOfCalendar:
                continue
            if value is not None:
                best[at] = (order, value)

    def _grow(self, best: dict[int, tuple[int, Value]]) -> None:
        """Joins what stands next to a time, so that the order of its parts does not matter."""
        waiting = list(best)
        while waiting:
            end = waiting.pop()
            left = best[end][1]
            if not isinstance(left, Interval | Cycle):
                continue
            for joined_end, joined in self._neighbours(left, end):
                if joined_end not in best:
                    best[joined_end] = (1_000, joined)
                    waiting.append(joined_end)

    def _neighbours(self, left: Interval | Cycle, end: int) -> list[Found]:
        found: list[Found] = []
        at = end
        for _ in range(_JOINERS_MAX + 1):
            for right_end, right in self.parse("TIME", at):
                if not isinstance(right, Interval | Cycle):
                    continue
                try:
                    joined = compose(left, right)
                except OutOfCalendar:
                    continue
                if joined is not None:
                    found.append((right_end, joined))
            if found or at >= len(self._tokens):
                break
            if self._tokens[at].word not in self._language.joiners:
                break
            at += 1
        return found


def _by_length(found: Found) -> int:
    return -found[0]
