"""Which way a sentence looks in time, read from its verbs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from scrubjay.language.dates.syntax.lexicon import Language
from scrubjay.language.dates.syntax.tokens import Token

_STOPS = frozenset(".!?;。！？；\n")


class Tense:
    """The marks of past and future in a text, asked for by position."""

    __slots__ = ("_intents", "_marks", "_moved", "_moving_to", "_sentences", "_words")

    def __init__(self, tokens: Sequence[Token], language: Language) -> None:
        sets = language.sets
        endings = tuple(sets["past_endings"])
        self._marks: dict[int, list[tuple[int, bool]]] = {}  # by sentence: position, forward
        self._intents: set[int] = set()  # sentences with a plan or a wish in them
        self._sentences: list[int] = []
        self._moved: set[int] = set()  # sentences that move something to another time
        self._moving_to = sets["moving_to"]
        self._words = [token.word for token in tokens]
        moving = sets["moving"]
        sentence = 0
        for position, token in enumerate(tokens):
            word = token.word
            self._sentences.append(sentence)
            if word in moving:
                self._moved.add(sentence)
            if word in _STOPS:
                sentence += 1
            elif word in sets["future"] and not (token.capital and position):
                self._marks.setdefault(sentence, []).append((position, True))
            elif word in sets["past"] or (endings and len(word) > 4 and word.endswith(endings)):
                self._marks.setdefault(sentence, []).append((position, False))
            elif word in sets["intent"]:
                self._intents.add(sentence)

    def forward_at(self, position: int) -> bool | None:
        """Whether the sentence looks ahead there: the mark before decides, else the first after.

        Plans and wishes count only where no verb does: "what did we plan" looks back. Whatever
        was moved to a time was moved ahead.
        """
        sentence = self._sentences[position]
        if position and sentence in self._moved and self._words[position - 1] in self._moving_to:
            return True
        marks = self._marks.get(sentence)
        if marks is None:
            return True if sentence in self._intents else None
        before = bisect_right(marks, (position, True))
        return marks[max(before - 1, 0)][1]
