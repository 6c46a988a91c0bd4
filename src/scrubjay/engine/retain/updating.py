"""Joins each draft that says something changed to the units it changes; nothing is closed by it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.earlier import Earlier
from scrubjay.engine.retain.linking import Rows, kept_apart
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.changes import (
    Change,
    ChangeKind,
    Statement,
    changes_by,
    changes_in,
    cues_in,
    reader_of,
    statement_of,
)
from scrubjay.language.contrast import adds, are_two_things
from scrubjay.language.standing import standing_of, standing_told
from scrubjay.language.told_values import ANY, Values, differing, values_of, written
from scrubjay.store.base import LINK_KINDS, BankStore, NewLink, Scope, WordQuery
from scrubjay.store.shared.bm25 import Corpus
from scrubjay.types.graph import LinkKind
from scrubjay.types.units import StoredUnit, Unit

# Units a draft is compared with: the best few by its words, and those that are most like it.
_COMPARED_MAX = 8
_NEAREST_MAX = 2
# The calibrated similarity from which two units may be about the same.
LIKE = 0.5
# Of the units that a draft may change and does not surely, so many are kept in mind.
_POSSIBLE_MAX = 1
# So many drafts are compared with units that are read at once.
_READ_AT_ONCE = 64
# The words that they are looked for by: of what changed first, and the rarest of the others.
_ASKED_MAX = 6
# Roles that report and summarise; what they say has changed was told by others before.
_AGENTS = frozenset({"assistant", "system", "ai", "agent", "bot", "tool"})

# How much shared words must say, a word that one unit holds being 1. Chosen by reading what each
# bound lets through in two of four banks of assistants' memories, in chats, and in a phone's log.
_HUB_WORD = 0.2
_ONE_RARE_WORD = 0.5
_SAME_VALUE_OF = 0.7
_SURELY_ABOUT = 0.75
_SAME_TOPIC = 1.2
# Of what a change is said to be about, at least this share is known from the other unit.
_COVERED_MIN = 0.5
_COVERED_LEAST = 0.4
# And of all words of the one that has fewer.
_SHARED_MIN = 0.25
# And of its whole sentence, where only a value tells that something changed.
_KNOWN_MIN = 0.55
# In a bank of three units every word is in a third of them, and common for all that is known.
_UNITS_MIN = 100
# Rare words count the more: two that a hundred units hold do not make one that two hold.
_RARITY_POWER = 1.5
# Kinds of value that two sentences about one thing do not both have by chance.
_TELLING = ("money", "share", "clock", "phone", "measure", ANY)
# How likely a change of a unit is one of what changed that before.
_SINCE = 0.9
# And where that something was moved or called off is said outright, of this most likely.
_SAID_OUTRIGHT = 0.95
# Of a longer text, in characters, which tells of several things, nothing is sure.
_OF_ONE_THING = 220
# What the score of a pair is divided by before it saturates towards a confidence of 1.
_SCALE = 1.5
# Of two that say where somebody lives or works the newer most likely holds.
_STANDING = 0.75
# A text that says which day something is moved from, and a unit of that day.
_WAS_CONFIDENCE = 0.95
# Who left what: the same two names say what is meant where no other word does.
_NAMES_MIN = 2
# A word of so many letters may be a part of another ("Zahnarzt", "Zahnarzttermin"), and says this.
_PART_MIN = 5
_PART_WEIGHT = 0.6
# What comes on top leaves what was as it is.
_BESIDE = (ChangeKind.HOLDS_NOW, ChangeKind.NEW)
# Confidences this close are alike.
_ALIKE = 0.02
# "At Siemens", "with Norda".
_PLACED = re.compile(r"\b(at|for|in|with)\s+(?:the\s+)?([A-Z][\w'-]+)")
_AMOUNT = re.compile(r"\d+(?:\.\d+)?")
# Of two amounts for one thing neither is so many times the other: "20,064 a year", "24 each".
_TIMES_MAX = 50
# Only what was planned is called off: for a day no more than this before it was told.
_STILL_TO_COME = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Told:
    """A unit that may be changed, stored or earlier in the batch."""

    row: int
    text: str
    statement: Statement
    speaker: str | None
    told_at: datetime
    happened: datetime | None


class _Asked(NamedTuple):
    """The rows that a draft is compared with."""

    nearest: Sequence[int]  # the most like it
    drafts: Sequence[int]  # before it in the batch
    stored: Sequence[int]


class Updates:
    """Finds what the drafts of one batch change, in the bank and before them in the batch.

    `like` is the cosine from which two units are about the same, by the encoder's measure.
    """

    def __init__(
        self, bank: BankStore, drafts: Sequence[Draft], rows: Rows, earlier: Earlier, like: float
    ) -> None:
        self._bank = bank
        self._drafts = drafts
        self._rows = rows
        self._earlier = earlier
        self._like = like

    def found(self) -> list[list[NewLink]]:
        """For each draft, links to the units that it says are no longer so; mostly none."""
        links: list[list[NewLink]] = [[] for _ in self._drafts]
        if self._bank.settings.update_floor == 1:
            return links
        telling = {
            place: comparison
            for place, draft in enumerate(self._drafts)
            if (comparison := self._comparison(place, draft)) is not None
        }
        places = list(telling)
        nearest = self._nearest(places)
        for start in range(0, len(places), _READ_AT_ONCE):
            asked = {
                place: self._asked(place, telling[place], nearest.get(place, ()))
                for place in places[start : start + _READ_AT_ONCE]
            }
            # Of all of them at once: to ask for one unit takes as long as to read twenty.
            rows = sorted({row for each in asked.values() for row in each.stored})
            units = self._bank.hydrate_rows(np.array(rows, np.int64)) if rows else {}
            for place, each in asked.items():
                told = self._candidates(place, telling[place], each, units)
                links[place] = self._of(telling[place], told, each.nearest, links[:place])
        return links

    def _comparison(self, place: int, draft: Draft) -> _Comparison | None:
        """A draft, ready to be compared; None where it tells of no change that could be found."""
        if draft.as_stored or (draft.unit.speaker or "").casefold() in _AGENTS:
            return None
        text, words = draft.unit.text, draft.words.terms
        # What somebody has one of is told in any words: only what is most like it is compared.
        standing = frozenset[tuple[str, str]]()
        if draft.vector is not None:
            standing = standing_told(text, words)
        if standing and adds(text):
            standing = frozenset()
        cues = cues_in(text, words)
        if not standing and cues is None:
            return None
        reader = reader_of(self._bank.settings.analysis, text, words)
        changes = () if cues is None else changes_by(cues, text, reader)
        terms = frozenset[str]().union(*(change.around | change.about for change in changes))
        if not terms and not standing:
            return None
        weights = self._weights(terms, place) if terms else {}
        named = [frozenset(reader.key_terms(mention.text)) for mention in draft.mentions]
        names = frozenset[str]().union(*named)
        changes = tuple(_of_a_pronoun(change, weights, names) for change in changes)
        comparison = _Comparison(draft, changes, weights, named, names, reader, standing)
        # What its words do not find may still be most like it.
        return comparison if draft.vector is not None or comparison.may_find() else None

    def _of(
        self,
        comparison: _Comparison,
        candidates: Iterable[_Told],
        nearest: Sequence[int],
        before: Sequence[Sequence[NewLink]],
    ) -> list[NewLink]:
        floor = self._bank.settings.update_floor
        surely, possibly = dict[int, float](), dict[int, float]()
        for told in candidates:
            near = told.row in nearest
            surely[told.row], possibly[told.row] = comparison.held_against(told, near=near)
        # What it surely changes is one unit. Of those that it changes about as surely, that is the
        # one most like it, or else the latest: that one changed the others.
        most = max(surely.values(), default=0.0)
        alike = [row for row, sure in surely.items() if sure > most - _ALIKE]
        links = []
        if most and most >= floor:
            liked = [row for row in nearest if row in alike]
            row = liked[0] if liked else max(alike)
            links.append(NewLink(row, LinkKind.UPDATES, surely[row]))
            possibly.pop(row)
            # What may have changed it since is what this one changes: else a chain would fork.
            since = self._last_of_chain(row, before)
            if since is not None:
                possibly = {since: _SINCE}
        best = sorted(possibly.items(), key=lambda each: (-each[1], -each[0]))[:_POSSIBLE_MAX]
        return links + [NewLink(row, LinkKind.UPDATES, sure * floor) for row, sure in best if sure]

    def _last_of_chain(self, row: int, before: Sequence[Sequence[NewLink]]) -> int | None:
        """The latest unit that may have changed one, in the batch so far or stored; if any did."""
        first = self._rows.first
        newer = [first + n for n, links in enumerate(before) if any(e.row == row for e in links)]
        if not newer and row < first:
            edges = self._bank.neighbours(np.array([row], np.int64))
            stored = edges.targets[edges.kinds == LINK_KINDS.index(LinkKind.UPDATED_BY)].tolist()
            newer = [each for each in stored if not self._rows.leaving(each)]
        return max(newer, default=None)

    def _nearest(self, places: Sequence[int]) -> dict[int, list[int]]:
        """The rows that are most like each of some drafts, stored or before them in the batch."""
        if not places or self._drafts[0].vector is None:
            return {}
        whole = np.stack([v for draft in self._drafts if (v := draft.vector) is not None])
        asked = whole[list(places)]
        stored = self._bank.nearest_many(asked, limit=_NEAREST_MAX, floor=self._like)
        # Not `@`: after a product of this size the threads of a BLAS spin for 50 ms of CPU.
        cosines = np.einsum("ij,kj->ik", asked, whole)
        found: dict[int, list[int]] = {}
        for place, hits, likeness in zip(places, stored, cosines, strict=True):
            before = likeness[:place]
            best = np.flatnonzero(before >= self._like)
            scored = [*zip(hits.scores.tolist(), hits.rows.tolist(), strict=True)]
            scored += zip(before[best].tolist(), (best + self._rows.first).tolist(), strict=True)
            scored.sort(reverse=True)
            found[place] = [row for _, row in scored[:_NEAREST_MAX]]
        return found

    def _weights(self, terms: frozenset[str], place: int) -> Mapping[str, float]:
        """How much each word says of what a unit is about: 1 if one unit holds it, 0 if all do."""
        holders, before = self._bank.holders(sorted(terms)), self._rows.first + place
        corpus = Corpus(max(self._bank.unit_count() + place, _UNITS_MIN))
        most = corpus.weight(1)
        counts = {
            term: holders.get(term, 0) + self._earlier.count(term, before=before) for term in terms
        }
        # A word that nobody told before says nothing of what was.
        return {
            term: min(1.0, corpus.weight(count) / most) ** _RARITY_POWER
            for term, count in counts.items()
            if count
        }

    def _asked(self, place: int, comparison: _Comparison, nearest: Sequence[int]) -> _Asked:
        """The rows that a draft is compared with: the best by its words, and the most like it."""
        draft, changes, weights = comparison.draft, comparison.changes, comparison.weights
        first = self._rows.first
        about = frozenset[str]().union(*(change.about for change in changes))
        rare = [term for term, weight in weights.items() if weight >= _HUB_WORD]
        rare.sort(key=lambda term: (term not in about, -weights[term], term))
        rarest = rare[:_ASKED_MAX]
        # A short text may have been taken for another language, and its words not stemmed.
        asked = [t for t in draft.words.terms if any(t.startswith(stem) for stem in rarest)]
        if not comparison.may_find():
            asked = []
        worded = self._earlier.best_with(asked, before=first + place, limit=_COMPARED_MAX)
        drafts = dict.fromkeys([*worded, *(row for row in nearest if row >= first)])
        found = [row for row in nearest if row < first]
        if asked:
            query = WordQuery(tuple(asked))
            hits = self._bank.match_words(query, limit=_COMPARED_MAX, scope=Scope())
            found = [*dict.fromkeys([*hits.rows.tolist(), *found])]
        return _Asked(nearest, [*drafts], found)

    def _candidates(
        self, place: int, comparison: _Comparison, asked: _Asked, units: Mapping[int, StoredUnit]
    ) -> Iterator[_Told]:
        rows, nearest, told_at = self._rows, asked.nearest, comparison.draft.told_at
        assert told_at is not None, "the dating stage sets it"
        apart = kept_apart(self._bank, rows, rows.first + place)
        for row in asked.drafts:
            other = self._drafts[row - rows.first]
            assert other.told_at is not None, "the dating stage sets it"
            happened = None if other.occurred is None else other.occurred.start
            if row not in apart and (row in nearest or comparison.may_be_about(other.unit.text)):
                yield comparison.told(row, other.unit, other.told_at, happened)
        for row in asked.stored:
            unit = units.get(row)
            if unit is None or unit.superseded_by is not None or unit.told_at > told_at:
                continue  # gone, settled, or told since
            if row in apart or rows.leaving(row):
                continue
            if row in nearest or comparison.may_be_about(unit.text):
                yield comparison.told(row, unit, unit.told_at, unit.occurred_start)


def _of_a_pronoun(change: Change, weights: Mapping[str, float], names: frozenset[str]) -> Change:
    """A change with what a pronoun in it stands for: who is named beside it, or just before."""
    if change.by_pronoun:
        named = change.sentence & names
        return replace(change, about=change.sentence) if named else change
    unknown = not any(word in weights for word in change.about)
    # "Had lunch with Ruth. She's at the bank now": nobody told of a bank before.
    if change.kind is ChangeKind.HOLDS_NOW and change.third_person and unknown:
        return replace(change, about=change.around, by_pronoun=True)
    return change


def _other_kinds(new: Values, old: Values) -> Iterable[str]:
    """The kinds of which two texts name other values, which may be of one thing."""
    kinds = differing(new, old)
    if "money" not in kinds or _are_of_one_size(new, old):
        return kinds
    return (kind for kind in kinds if kind not in ("money", "number"))


def _are_of_one_size(new: Values, old: Values) -> bool:
    """Whether two amounts of money may be of one thing."""
    amounts = [_amounts(values.get("money", ())) for values in (new, old)]
    return not all(amounts) or any(
        max(one, other) <= _TIMES_MAX * min(one, other)
        for one in amounts[0]
        for other in amounts[1]
    )


def _amounts(values: Iterable[str]) -> list[float]:
    """The numbers among some values; what is written otherwise is none."""
    return [float(value) for value in values if _AMOUNT.fullmatch(value)]


def reason_of(new: str, old: str, analysis: str) -> str:
    """Why one text is taken to change another, in words of ours: it quotes neither."""
    terms = frozenset(Analyzer(analysis).document_terms(new))
    reader = reader_of(analysis, new, terms)
    changes = changes_in(new, terms, reader)
    statement = statement_of(old, reader)
    shared = [change for change in changes if change.about & statement.words]
    best = max(
        shared or changes, key=lambda change: len(change.about & statement.words), default=None
    )
    if best is None:
        return "the newer names another for what there is one of"
    named = (differing(best.values, values_of(sentence)) for _, sentence in statement.sentences)
    # A kind may name what is counted, which is a word of the texts.
    kinds = sorted({kind.partition(" of ")[0] for each in named for kind in each} - {ANY, "number"})
    if best.kind is ChangeKind.ENDED:
        return "the newer says that something the older tells of has ended"
    other = f"another {kinds[0]}" if kinds else "something else"
    verb = "changed to" if best.kind is ChangeKind.CHANGED else "is now"
    return f"the newer says that it {verb} {other}"


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A draft's changes, held against one unit after the other."""

    draft: Draft
    changes: Sequence[Change]
    weights: Mapping[str, float]
    named: Sequence[frozenset[str]]  # the words of each name in the draft
    names: frozenset[str]  # all of them
    reader: Analyzer
    standing: frozenset[tuple[str, str]]  # what it says somebody has one of

    def told(
        self, row: int, unit: Unit | StoredUnit, told_at: datetime, happened: datetime | None
    ) -> _Told:
        """A unit as it is compared."""
        statement = statement_of(unit.text, self.reader)
        return _Told(row, unit.text, statement, unit.speaker, told_at, happened)

    def may_find(self) -> bool:
        """Whether what changed is said in words rare enough to tell which unit is meant."""
        return any(
            " " in change.phrase
            or (about := self._weigh(change.about)) >= _ONE_RARE_WORD
            or (about >= _HUB_WORD and change.values and change.kind is not ChangeKind.ENDED)
            for change in self.changes
        )

    def may_be_about(self, text: str) -> bool:
        """Whether a text may hold enough of what changed; reading most shows that they do not."""
        lowered = text.lower()
        for change in self.changes:
            if change.by_pronoun or change.moves_house or self.draft.was is not None:
                return True
            # A stem may end in another letter than its word.
            held = frozenset(
                word for word in change.about if word[: max(3, len(word) - 1)] in lowered
            )
            if held and self._weigh(held) >= _COVERED_LEAST * self._weigh(change.about):
                return True
        return False

    def held_against(self, told: _Told, *, near: bool) -> tuple[float, float]:
        """How sure it is that the draft changes what a unit says, and how likely where not sure."""
        changes = self._changes_of(told)
        likely = _STANDING if near and self._is_another(told) else 0.0
        if not changes and not likely:
            return 0.0, 0.0
        sure = self._confidence(told, changes)
        likely = max(likely, self._likely(told, changes, near=near))
        # Of most pairs nothing speaks for a change; only the others are told apart word by word.
        if (sure or likely) and are_two_things(self.draft.unit.text, told.text):
            return 0.0, 0.0
        return sure, likely

    def _is_another(self, told: _Told) -> bool:
        """Whether a unit said before who has what the draft says of the same: a home, a job."""
        if not self.standing or told.told_at > self._told_at() or not told.statement.comparable:
            return False
        same = self.standing & standing_of(told.text)
        # "I" is the same one only if the speaker is.
        return any(who or told.speaker == self.draft.unit.speaker for _, who in same)

    def _told_at(self) -> datetime:
        assert self.draft.told_at is not None, "the dating stage sets it"
        return self.draft.told_at

    def _confidence(self, told: _Told, changes: Sequence[Change]) -> float:
        """How sure it is that the draft changes what a unit says, in [0, 1); 0 for not at all."""
        draft, statement = self.draft, told.statement
        if max(len(draft.unit.text), len(told.text)) > _OF_ONE_THING:
            return 0.0
        scores = [
            score
            for change in changes
            if (score := self._score(change, statement)) and self._may_be_sure(change, told)
        ]
        scores.sort(reverse=True)
        sure = 1 - math.exp(-(scores[0] + sum(scores[1:3]) / 2) / _SCALE) if scores else 0.0
        if draft.was is None or told.happened is None:
            return sure
        about = max(self._weigh(change.around & statement.words) for change in self.changes)
        return max(sure, _WAS_CONFIDENCE if about >= _ONE_RARE_WORD else 0.0)

    def _may_be_sure(self, change: Change, told: _Told) -> bool:
        """Whether who told a unit says that it changed, or names another value of it.

        What another says was changed may be something else, and a number may count anything.
        """
        speakers = {told.speaker, self.draft.unit.speaker}
        if None in speakers or len(speakers) == 1 or change.kind is ChangeKind.ENDED:
            return True
        return bool(self._other_values(change, told.statement) - {"number"})

    def _likely(self, told: _Told, changes: Sequence[Change], *, near: bool) -> float:
        """How likely it is that the draft changes what a unit says, where that is not sure."""
        if told.speaker != self.draft.unit.speaker:
            # Whoever takes up what another said ("good luck with the new team") changes nothing.
            changes = [
                change
                for change in changes
                if change.kind is not ChangeKind.NEW or self._other_values(change, told.statement)
            ]
        scores = [self._possible(change, told.statement, near=near) for change in changes]
        if not any(scores):
            return 0.0
        # That it was moved, called off or is over is said outright: only of what is not quite sure.
        if any(
            score and (change.is_explicit() or self._is_over(change, told.statement))
            for change, score in zip(changes, scores, strict=True)
        ):
            return _SAID_OUTRIGHT
        return min(1 - math.exp(-max(scores) / _SCALE), _SINCE)

    def _changes_of(self, told: _Told) -> Sequence[Change]:
        """The changes that may be of a unit, by who says so and when."""
        draft, statement, told_at = self.draft, told.statement, self._told_at()
        if told.told_at > told_at or not statement.comparable:
            return ()
        if draft.was is not None and told.happened not in (None, draft.was.start):
            return ()  # it was moved from another day
        added = adds(draft.unit.text)
        over = told.happened is None or told.happened < told_at - _STILL_TO_COME
        other_speaker = draft.unit.speaker != told.speaker and statement.first_person
        return [
            change
            for change in self.changes
            if not (change.first_person and other_speaker)
            and not (change.called_off and over)
            and not (added and change.kind in _BESIDE)
        ]

    def _possible(self, change: Change, statement: Statement, *, near: bool) -> float:
        named = not change.phrase or change.phrase.split()[-1] in statement.lowered
        if (not named and not change.called_off) or (change.mends and not statement.troubled):
            return 0.0
        known = self._known(change.around, statement) if near else change.around & statement.words
        names = sum(not known.isdisjoint(name) for name in self.named)
        other = bool(self._other_values(change, statement))
        over = self._is_over(change, statement)
        topic, about = self._weigh_known(known), self._weigh_known(change.about & known)
        if min(about, topic) < _ONE_RARE_WORD:
            return 0.0
        covered = about / (self._weigh(change.about) or 1.0)
        # Where a text says what is over, or of just this another value, the rest of it may be new.
        least = _SHARED_MIN * min(len(change.around), len(statement.words))
        if len(known) < least and not (over or (near and other and covered >= _SURELY_ABOUT)):
            return 0.0
        left = change.kind is ChangeKind.ENDED or change.by_pronoun
        spoken_of = near and change.by_pronoun and change.third_person
        spoken_of = spoken_of and self._is_elsewhere(statement)
        meant = other or over or change.called_off or spoken_of or (left and names >= _NAMES_MIN)
        if all(written(word) != word for word in known):
            return 0.0  # "at eight" and "eight panels"
        moved = change.moves_house and not statement.lives
        if not known - self.names and (moved or not meant):
            return 0.0  # the same people, or the same firm, and nothing else
        if near:
            # Of what is said in most words anew, at least what it is about was told before.
            told = change.by_pronoun or len(change.about & known) >= min(2, len(change.about) / 2)
            least = 0.0 if change.by_pronoun else _COVERED_LEAST
            enough = (other and covered >= least) or (told and covered >= _COVERED_MIN)
        else:
            enough = (over or (other and topic >= _SAME_TOPIC)) and covered >= _SURELY_ABOUT
        return topic + near if enough else 0.0

    def _is_elsewhere(self, statement: Statement) -> bool:
        """Whether both say where or with whom somebody is: at one firm, and at another."""
        told = " ".join(sentence for _, sentence in statement.sentences)
        ours, theirs = dict(_PLACED.findall(self.draft.unit.text)), dict(_PLACED.findall(told))
        return any(theirs.get(joint, name) != name for joint, name in ours.items())

    def _is_over(self, change: Change, statement: Statement) -> bool:
        """Whether what a change says has ended is what a statement tells of, beyond a name in it.

        "No Thursdays any more" and the Thursdays, "not Porto after all" and Porto, "the tap is
        fixed" and that it drips.
        """
        if change.kind is not ChangeKind.ENDED:
            return False
        named = bool(change.about) and change.about <= statement.words & self.names
        if change.mends or (change.corrects and named):
            return True
        told = values_of(statement.lowered) if change.values else {}
        return any(values & told.get(kind, frozenset()) for kind, values in change.values.items())

    def _known(self, words: frozenset[str], statement: Statement) -> frozenset[str]:
        """Those of some words that a statement has, if only as a part of a longer one."""
        rest = words - statement.words
        parts = [word for word in rest if len(word) >= _PART_MIN]
        wholes = [word for word in statement.words if len(word) >= _PART_MIN]
        return (words & statement.words) | {
            part for part in parts if any(part in whole or whole in part for whole in wholes)
        }

    def _weigh_known(self, words: frozenset[str]) -> float:
        return sum(self.weights.get(word, _PART_WEIGHT) for word in words)

    def _score(self, change: Change, statement: Statement) -> float:
        """How much speaks for a change being one of a statement; 0 where too little does."""
        if change.kind is ChangeKind.NEW or change.mends:
            return 0.0  # a new colleague does not take the place of the others
        weigh, shared = self._weigh, change.around & statement.words
        topic, about = weigh(shared), weigh(change.about & statement.words)
        covered = about / (weigh(change.about) or 1.0)
        moves = change.moves_house and not (change.about & statement.words) - self.names
        if covered < _COVERED_MIN and not (change.by_pronoun or moves):
            return 0.0
        if moves:
            # Of someone who moves nothing changes but where they live.
            return 1.2 + about + topic if statement.lives and about else 0.0
        on_topic = topic >= _SAME_TOPIC and weigh(shared - self.names) >= _ONE_RARE_WORD
        if change.kind is ChangeKind.ENDED:
            # What ended is the last word of its name: of "the flag v2" not the flag.
            if change.phrase and change.phrase.split()[-1] not in statement.lowered:
                return 0.0
            if not change.sure and covered < _SURELY_ABOUT:
                return 0.0
            named = " " in change.phrase and change.phrase in statement.lowered
            enough = named or about >= _SURELY_ABOUT if change.sure else False
            enough = enough or (on_topic and about >= _ONE_RARE_WORD)
            # What is told to be over does not end once more.
            enough = enough and not statement.says_over(change.about)
            return topic + about + named if enough else 0.0
        other = self._other_values(change, statement)
        telling = any(kind.startswith(_TELLING) for kind in other)
        # A price or a day stands in many memories: the rest of the sentence has to be known too.
        known = weigh(change.sentence & statement.words) >= _KNOWN_MIN * weigh(change.sentence)
        telling = telling and (change.by_pronoun or (known and covered >= _SURELY_ABOUT))
        if change.kind is ChangeKind.CHANGED:
            if telling and about >= _HUB_WORD:
                return topic + about + 1.1
            enough = (on_topic and change.sure) or (
                bool(other) and known and topic >= _SAME_VALUE_OF
            )
            enough = enough and about >= _ONE_RARE_WORD and not change.by_pronoun
            return topic + about + 0.7 * bool(other) if enough else 0.0
        enough = about >= (_HUB_WORD if telling else _SAME_VALUE_OF) and not change.by_pronoun
        enough = enough and known and bool(other) and (telling or topic >= _SAME_TOPIC)
        return topic + 0.5 * about + 0.5 + 0.6 * telling if enough else 0.0

    def _weigh(self, words: frozenset[str]) -> float:
        return sum(self.weights.get(word, 0.0) for word in words)

    def _other_values(self, change: Change, statement: Statement) -> frozenset[str]:
        """The kinds of which a sentence that is about the same names another value."""
        if not change.values:
            return frozenset()
        near = change.about | change.around
        kinds = frozenset(
            kind
            for words, sentence in statement.sentences
            # "It's 3094 now" is of what was said just before it.
            if not words or self._weigh(words & near) >= _HUB_WORD
            for kind in _other_kinds(change.values, values_of(sentence))
        )
        # A number alone may count anything.
        return kinds if kinds == {"number"} else kinds - {"number"}
