"""Finds by the structure of a clause who stands before a predicate, and who or what behind it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from scrubjay.language.names import Mention
from scrubjay.language.names.lists import FUNCTION_WORDS, TITLES
from scrubjay.language.relations.forms import Predicate, Verb
from scrubjay.language.relations.lexicon import Lexicon


class End(NamedTuple):
    """One end of a relation: a mention, by its place; the speaker; a role; whom the turn before
    was about; something that is no name, in its words."""

    kind: str  # "name", "self", "role", "before", "thing"
    place: int = -1
    role: str = ""


SELF = End("self")
# Who is named before; the reader knows whom that is.
PRONOUN = End("pronoun")

_TOKEN = re.compile(
    "\x02\\d+\x03|['’](?:s|m|re|ve|ll|d)\\b"
    "|[^\\W_]+(?:(?!['’](?:s|m|re|ve|ll|d)\\b)[-_.'’/][^\\W_]+)*|[^\\w\\s]|\n"
)
_ENDS = frozenset(".!?\n。？！…")
_LIKE_A_NAME = re.compile(r"[a-z][^ ]*[\d_/.][^ ]*|[a-z]{2,}-[a-z]{2,}")

_CODE_NAME = re.compile(r"\b[a-z]{2,}(?:-[a-z]{2,}|_\w|\d)")
_OF_ONE = frozenset(("lives in", "from", "married to", "works for"))

# Bounds on how far each walk goes, in words.
_ADVERBS_MAX = 5
_ASIDE_MAX = 10
_CLAUSE_MAX = 14
_LIST_MAX = 5
_LED_MAX = 6
_THING_MAX = 3
_TOKENS_MAX = 2_000


class Said(NamedTuple):
    """A predicate between its ends; where it begins, for a pronoun that looks back from there."""

    subjects: Sequence[End]
    verb: Verb
    objects: Sequence[tuple[End, str]]  # each with its kind
    turned: bool
    start: int  # a character
    ahead: bool  # it begins later: "will report to", "is moving to"


class Clauses:
    """The words of one text whose names are numbered, and the predicates among them."""

    __slots__ = (
        "_asks", "_lexicon", "_low", "_mentions", "_names", "_sentence", "_starts", "_subject",
        "_text",
    )  # fmt: skip

    def __init__(self, text: str, mentions: Sequence[Mention], lexicon: Lexicon) -> None:
        self._mentions, self._lexicon = mentions, lexicon
        # A few letters are longer in lower case; so all places are those of this text.
        self._text = text.lower().replace("’", "'")
        self._low: list[str] = _TOKEN.findall(self._text)[:_TOKENS_MAX]
        # Few texts say anything: what only those need is found when it is asked for.
        self._names: list[int] = []
        self._starts: list[int] = []
        self._sentence: list[int] = []  # of each word, the number of its sentence
        self._asks = set[int]()  # the sentences that end in a question mark
        # Whom the last predicate was about, and where: "lives in Quito and works for the UN".
        self._subject: tuple[int, Sequence[End]] = (-1, ())

    def said(self) -> Iterator[Said]:
        """What the text says, in its order: neither asked, nor denied, nor supposed."""
        telling = self._lexicon.telling(self._low)
        for at in [at for at, word in enumerate(self._low) if word in telling] if telling else ():
            for predicate in self._lexicon.predicates_of(self._low[at]):
                found = self._read(at, predicate) if self._may_begin(at, predicate) else None
                if found is not None:
                    yield found
                    break
        for pattern, needed, verb in self._lexicon.between:
            if not any(map(self._text.__contains__, needed)):
                continue
            for match in pattern.finditer(self._text):
                self._look_closer()
                self._starts = self._starts or self._all_starts()
                begin = bisect_left(self._starts, match.start())
                found = self._joined(
                    begin, bisect_left(self._starts, match.end()), "as it is", verb, verb.turned
                )
                if found is not None:
                    yield found

    def _look_closer(self) -> None:
        """Finds which words are names, and which sentences ask."""
        if self._names:
            return
        sentence, count = 0, len(self._mentions)
        for word in self._low:
            named = int(word[1:-1]) if word[0] == "\x02" and len(word) > 2 else count
            self._names.append(named if named < count else -1)
            self._sentence.append(sentence)
            if word in _ENDS:
                if word in "?？":
                    self._asks.add(sentence)
                sentence += 1

    def _all_starts(self) -> list[int]:
        """Where each word begins in the text."""
        found = (match.start() for match in _TOKEN.finditer(self._text))
        return list(islice(found, len(self._low)))

    def _read(self, at: int, predicate: Predicate) -> Said | None:
        self._look_closer()
        for behind in self._behind(at + 1, predicate):
            found = self._joined(at, behind, predicate.form, predicate.verb, predicate.turned)
            if found is not None:
                return found
        return None

    def _may_begin(self, at: int, predicate: Predicate) -> bool:
        """Whether what stands around a word lets it be that predicate; cheap, since few are."""
        words, before = self._lexicon, self._low[at - 1] if at else ""
        if predicate.follows:
            reached = self._low[at + 1 : at + predicate.gap + 2]
            if not any(follows[0] in reached for follows in predicate.follows):
                return False
        if predicate.form == "ing":
            return before in words.be or before in words.also
        if predicate.form == "state" and self._low[at] in words.at:
            return before in words.be or before in words.also
        return before != "to"

    def _behind(self, at: int, predicate: Predicate) -> Iterator[int]:
        """Where the object of a predicate may begin: behind what must stand before it."""
        if not predicate.follows:
            yield at
            return
        words, low = self._lexicon, self._low
        for start in range(at, min(at + predicate.gap + 1, len(low))):
            for follows in predicate.follows:
                if tuple(low[start : start + len(follows)]) == follows:
                    yield start + len(follows)
            if self._names[start] >= 0:
                # "moved from Tashkent to Almaty", "moved Ledger to Postgres"
                carried = predicate.verb.carries and self._is_carried(at, start)
                if not carried and low[start - 1] not in words.at:
                    return
            elif not low[start][0].isalnum() or low[start] in words.self_object:
                return

    def _is_carried(self, first: int, last: int) -> bool:
        """Whether all that stands from a verb to a name leads to it: "moved our old Ledger"."""
        words = self._lexicon
        return all(
            self._low[at] in words.article or self._low[at] in words.self_owner or self._is_noun(at)
            for at in range(first, last)
        )

    def _joined(self, at: int, behind: int, form: str, verb: Verb, turned: bool) -> Said | None:
        objects = list(self._objects(behind, verb))
        if not objects:
            return None
        subjects = self._subjects(at, form, verb)
        if subjects and verb.carries:
            # Who moves Ledger to Postgres does not use it by that; Ledger does.
            carried = self._carried(at + 1)
            subjects = carried or (() if verb.only_carries else subjects)
        subjects = [end for end in subjects if self._may_be_subject(end, verb)]
        if form == "simple" and not self._low[at].endswith("s"):
            # "My team lead": of one thing its verb would be "leads".
            subjects = [end for end in subjects if end.kind != "thing" or end.role.endswith("s")]
        if not subjects or not self._holds(at, behind):
            return None
        # What "they" are part of may be anything, a plan, a journey; and what someone is handling
        # just now is no duty of theirs.
        passing = (form == "ing" and not verb.done) or self._low[at - 1] in self._lexicon.helping
        if passing or (PRONOUN in subjects and verb.relation == "part of"):
            objects = [(end, kind) for end, kind in objects if end.kind != "thing"]
            if not objects:
                return None
        self._subject = (at, subjects)
        telling = [*subjects, *(end for end, _ in objects)]
        # Between things of no name a relation is rarely worth keeping.
        named = any(_tells(end) for end in telling)
        start, ahead = self._starts[at], self._is_ahead(at, form, verb)
        return Said(subjects, verb, objects, turned, start, ahead) if named else None

    def _may_be_subject(self, end: End, verb: Verb) -> bool:
        kind = self._mentions[end.place].kind if end.kind == "name" else "thing"
        return kind not in verb.subject_not and (end.kind != "pronoun" or not verb.subject_not)

    def _is_ahead(self, at: int, form: str, verb: Verb) -> bool:
        """Whether what a predicate says may begin later: "will work for", "moves to", "starts"."""
        words, low = self._lexicon, self._low
        if verb.done and form in ("simple", "ing"):
            return True
        before = at - 1
        while before > 0 and (low[before] in words.also or low[before] in words.be):
            before -= 1
        if before >= 0 and low[before] in words.will:
            return True
        # "Has signed with Norda, he starts in May"
        behind = range(at + 1, min(at + _CLAUSE_MAX, len(low)))
        return verb.done and any(
            low[place] in words.begins and self._same_sentence(at, place) for place in behind
        )

    def _carried(self, at: int) -> Sequence[End]:
        for place in range(at, min(at + _THING_MAX, len(self._low))):
            if self._names[place] >= 0:
                return [End("name", self._names[place])]
            if _LIKE_A_NAME.fullmatch(self._low[place]):
                return [End("thing", role=self._low[place])]
            if self._low[place] in self._lexicon.at:
                break
        return ()

    def _holds(self, at: int, behind: int) -> bool:
        words, low = self._lexicon, self._low
        for before in range(at - 1, max(-1, at - _CLAUSE_MAX), -1):
            if low[before] in _ENDS or low[before] in words.clause:
                break
            if low[before] in words.no:
                return False
        if not words.no.isdisjoint(low[at + 1 : behind]):
            return False  # "wohnt nicht mehr in"
        self._starts = self._starts or self._all_starts()
        if behind < len(low) and words.ended.match(self._text, self._starts[behind]):
            return False
        return self._sentence[min(behind, len(low) - 1)] not in self._asks

    # -- who stands before ------------------------------------------------------------------

    def _subjects(self, at: int, form: str, verb: Verb) -> Sequence[End]:
        words, low = self._lexicon, self._low
        place, helping = at - 1, set[str]()
        skipped = words.also | words.be | words.have | words.helping
        if form == "state":
            skipped = skipped | words.article
            # "a senior support engineer at", but not "the guest from"
            if low[at] not in words.at:
                place = self._over_adjectives(place)
        while place >= 0 and at - place <= _ADVERBS_MAX + 1 and low[place] in skipped:
            # "Ana's" is hers, unless something may follow "is" or "has" there.
            helping.add(low[place])
            place -= 1
        if place < 0:
            return ()
        if form == "state" and low[place] in words.acting:
            # "Took over as manager at": whoever did is one.
            while place > 0 and low[place] in words.acting | words.have:
                place -= 1
            helping |= words.be
        is_, has = not words.be.isdisjoint(helping), not words.have.isdisjoint(helping)
        aside = low[place] in ",(–—-" or low[place] in words.who
        if not (
            (form == "simple" and not is_ and low[place] != "to")
            or (form == "ing" and is_)
            or (form == "past" and (has or verb.done) and not (is_ and not has))
            or (form == "state" and (is_ or aside))
            or form == "as it is"
        ):
            return ()
        aside = aside and not is_ and form == "state"
        # "Ana is 40, lives in Bergen"
        finite = form == "simple" and low[at].endswith("s")
        return self._of_phrase(place, verb, aside=aside, finite=finite)

    def _over_adjectives(self, place: int) -> int:
        """Over what stands before a noun that says what someone is: "a senior support engineer"."""
        words, low = self._lexicon, self._low
        stop = words.be | words.article | words.also | words.acting
        for back in range(place, max(-1, place - 4), -1):
            if low[back] in stop or not low[back][0].isalpha() or self._names[back] >= 0:
                return back
            # "is enjoying coffee at"
            if low[back] in FUNCTION_WORDS or low[back].endswith("ing"):
                return place
        return place

    def _told_to_be(self, place: int, verb: Verb) -> Sequence[End]:
        """Who is said to be the noun that ends at a place: "Ana is the caretaker (who)"."""
        words, low, start = self._lexicon, self._low, place
        while start > 1 and place - start < _THING_MAX and self._is_noun(start):
            start -= 1
        told = start > 1 and low[start] in words.article and low[start - 1] in words.be
        return self._of_phrase(start - 2, verb) if told and start < place else ()

    def _of_phrase(
        self, place: int, verb: Verb, *, aside: bool = False, finite: bool = False
    ) -> Sequence[End]:
        """The ends that the phrase before a place stands for."""
        words, low, names = self._lexicon, self._low, self._names
        if low[place] in words.who:
            place -= 2 if low[place - 1] == "," else 1
            if place < 0:
                return ()
            if names[place] >= 0:
                return self._names_before(place)
            return self._told_to_be(place, verb) or self._other_before(place, verb)
        if low[place] in ",)–—-":
            return self._before_aside(place, aside=aside, finite=finite)
        if low[place] in words.and_:
            return self._carried_on(place)
        if names[place] >= 0:
            found = self._names_before(place)
            return () if self._is_placed(place) else found
        if low[place] in words.self_subject:
            # Where "we" move to may be where an office does.
            several = low[place] in words.several and verb.relation in _OF_ONE
            return () if several else self._selves(place)
        if low[place] in words.them_subject:
            return [PRONOUN]
        return self._other_before(place, verb)

    def _selves(self, place: int) -> Sequence[End]:
        """Whoever speaks, and whom they name before: "Ana and I"."""
        joined = place > 1 and self._low[place - 1] in self._lexicon.and_
        named = joined and self._names[place - 2] >= 0
        return [SELF, *(self._names_before(place - 2) if named else ())]

    def _before_aside(self, place: int, *, aside: bool, finite: bool) -> Sequence[End]:
        """Whom an aside that ends at a place, or the clause behind it, is about."""
        low, names, called = self._low, self._names, self._lexicon.called
        opening = place if aside else self._opening(place)
        if opening == place - 2 and names[place - 1] >= 0:
            opening = place  # "My mother, Greta, lives in"
        if low[place] == "," and not opening:
            # As in "Flat 5: Ana Ortiz, works nights at", or else in "Ana is 40, lives in".
            named = finite and place > 1 and names[place - 1] >= 0
            if named and not self._is_placed(place - 1) and low[place - 2] not in called:
                return self._names_before(place - 1)
            return self._first(place) if finite else ()
        place = opening - 1
        if place > 1 and low[place].isdigit() and low[place - 1] == ",":
            place -= 2  # "Ines, 41, teacher at"
        told = place >= 0 and names[place] >= 0
        # "Mail from Ana, engineer at Nordlok" is about Ana; "the queue in Argo, ..., run" not.
        told = told and (aside or not self._is_placed(place))
        return self._names_before(place) if told else ()

    def _carried_on(self, place: int) -> Sequence[End]:
        """Whom a verb behind "and" is about: whom the one before was, or the sentence."""
        # "My sister is called Ana and lives in Bergen"
        naming = place > 1 and self._low[place - 2] in self._lexicon.naming
        if naming and self._names[place - 1] >= 0:
            return [End("name", self._names[place - 1])]
        before, subject = self._subject
        return subject if self._same_sentence(before, place) else self._first(place)

    def _opening(self, place: int) -> int:
        """Where an aside begins that ends at a place; 0 if it is none."""
        sign = "(" if self._low[place] == ")" else self._low[place]
        for back in range(place - 1, max(0, place - _ASIDE_MAX), -1):
            if self._low[back] == sign:
                return back
            if self._low[back] in _ENDS:
                return 0
        return 0

    def _names_before(self, place: int) -> list[End]:
        """A name and those joined to it: "Ana, Ben and his wife Cleo"."""
        words, low, names = self._lexicon, self._low, self._names
        found = [End("name", names[place])]
        at = self._over_relative(place - 1)
        joined = at >= 0 and low[at] in words.and_
        while joined and at > 0 and len(found) < _LIST_MAX:
            at -= 2 if low[at - 1] == "," else 1
            if names[at] < 0:
                break
            found.append(End("name", names[at]))
            at = self._over_relative(at - 1)
            joined = at > 0 and (low[at] == "," or low[at] in words.and_)
        return found

    def _over_relative(self, at: int) -> int:
        """Over "my brother" or "his wife" before a name."""
        words, low = self._lexicon, self._low
        if at > 0 and low[at] in words.kin:
            for back in (at - 1, at - 2):
                if back >= 0 and (low[back] in words.self_owner or low[back] in words.them):
                    return back - 1
        return at

    def _is_placed(self, place: int) -> bool:
        """Whether a name stands behind "in" or "with", and is not whom a clause is about."""
        at = self._over_relative(place - 1)
        while at >= 0 and (self._low[at] in self._lexicon.article or self._low[at] in TITLES):
            at -= 1
        words = self._lexicon
        return at >= 0 and (self._low[at] in words.at or self._low[at] in words.beside)

    def _same_sentence(self, first: int, last: int) -> bool:
        return first >= 0 and self._sentence[first] == self._sentence[last]

    def _first(self, place: int) -> Sequence[End]:
        """Whom a sentence begins with, for a verb behind "and"."""
        words, low = self._lexicon, self._low
        start = place
        while start > 0 and place - start < _CLAUSE_MAX and low[start - 1] not in _ENDS:
            start -= 1
        start += low[start] in TITLES
        # Behind a comma, whom it begins with may be spoken to, unless more is said of them:
        # "Ben, with one n, keeps ferrets and teaches".
        spoken_to = low[start + 1] == "," and low[start + 2] not in words.at | words.beside
        if self._names[start] >= 0 and low[start + 1] not in ("'s", "'") and not spoken_to:
            return [End("name", self._names[start])]
        return [SELF] if low[start] in words.self_subject else ()

    def _other_before(self, place: int, verb: Verb) -> Sequence[End]:
        """A role, "my wife", or a thing, "the billing service", that ends at a place."""
        words, low = self._lexicon, self._low
        start = place
        while start >= 0 and place - start < _THING_MAX and self._is_noun(start):
            start -= 1
        if start == place:
            return ()
        said = " ".join(low[start + 1 : place + 1])
        if start >= 0 and self._names[start] >= 0:
            of_it = low[start + 1] in words.groups or low[start + 1] in words.workplaces
            return [self._of_name(start)] if verb.things and of_it else ()
        owner = low[start] if start >= 0 else ""
        if low[place] in words.cues["kin"] and not (
            words.kin.get(low[place]) == "owned by" and owner in words.article
        ):
            whose = owner in words.self_owner
            return [End("role", role=f"{owner} {said}")] if whose else ()
        opens = start < 0 or low[start] in _ENDS or low[start] in (",", ":", "-")
        led = owner in words.article or owner in words.self_owner
        # "Man" behind "a" is anybody; what a sentence begins with, or "the" leads, is something.
        if not verb.things or not (led or opens) or owner in ("a", "an"):
            return ()
        if verb.code and not _LIKE_A_NAME.fullmatch(said) and low[place] not in words.software:
            return ()
        return [End("thing", role=said)]

    def _is_noun(self, at: int) -> bool:
        word = self._low[at]
        return (
            self._names[at] < 0
            and word[0].isalpha()
            and word not in FUNCTION_WORDS
            and not word.endswith("ly")
        )

    # -- who or what stands behind ----------------------------------------------------------

    def _objects(self, at: int, verb: Verb) -> Iterator[tuple[End, str]]:
        words, low = self._lexicon, self._low
        led = False
        while at < len(low) and (
            low[at] in words.also or low[at] in words.article or low[at] in words.self_owner
        ):
            led = led or low[at] not in words.also
            at += 1
        if at >= len(low):
            return
        spoken_of = None if led else self._pronoun(at)
        if spoken_of is not None:
            if verb.allows("person"):
                yield spoken_of, "person"
            return
        named = self._named_from(at, led)
        if named is None:
            # Who handles "a complaint" is not responsible for complaints; who runs "a shop" is.
            passing = verb.relation == "responsible for" and low[at - 1] in words.indefinite
            if led if verb.led else not passing:
                yield from self._thing(at, verb)
            return
        # "A piano tuner with a dog called Fugue"
        if verb.places and any(words.kin.get(word) == "owned by" for word in low[at:named]):
            return
        yield from self._named(named, verb)

    def _pronoun(self, at: int) -> End | None:
        """Whom a pronoun is that is no owner of what follows: "me", "her" but not "her boss"."""
        if self._low[at] in self._lexicon.self_object:
            return SELF
        alone = self._low[at] in self._lexicon.them_object and not self._goes_on(at + 1)
        return PRONOUN if alone else None

    def _named(self, named: int | None, verb: Verb) -> Iterator[tuple[End, str]]:
        """A name and those that follow it, up to one that owns something."""
        low, names, count = self._low, self._names, 0
        while named is not None and count < _LIST_MAX:
            kind = "group" if self._is_group(named) else self._mentions[names[named]].kind
            end = self._of_name(named) if verb.things else End("name", names[named])
            owned = (
                named + 2 < len(low) and low[named + 1] in ("'s", "'") and self._is_noun(named + 2)
            )
            if owned:
                return
            if verb.allows(kind):
                yield end, kind
            count += 1
            named = self._next_name(named + 1)

    def _named_from(self, at: int, led: bool) -> int | None:
        """The name an object is, or ends in: "a Finn called Aino", "Dr. Moens"."""
        low, names = self._low, self._names
        for place in range(at, min(at + (_LED_MAX if led else 2), len(low))):
            if names[place] >= 0:
                return place
            word = low[place]
            if word in TITLES or word == "." or word in self._lexicon.called:
                continue
            if word.isdigit() and low[place - 1] in self._lexicon.at:
                continue  # "at 9 Brewery Street"
            # "a flat in Ghent"
            lodged = low[place - 1] in self._lexicon.dwellings and word in self._lexicon.at
            if not led or not (lodged or self._is_noun(place)):
                return None
        return None

    def _next_name(self, at: int) -> int | None:
        """The next name of a list, if a comma or "and" leads to it."""
        words, low = self._lexicon, self._low
        joined = at
        while joined < len(low) and (low[joined] == "," or low[joined] in words.and_):
            joined += 1
        if joined == at:
            return None
        if joined < len(low) and low[joined] in words.article:
            joined += 1
        # Behind a comma alone another clause may begin: "works for Nordlok, Ana says".
        if joined >= len(low) or self._names[joined] < 0:
            return None
        follows = low[joined + 1] if joined + 1 < len(low) else "."
        listed = follows in words.and_ or follows == "," or not follows[0].isalnum()
        return joined if low[joined - 1] in words.and_ or listed else None

    def _of_name(self, place: int) -> End:
        """What a name stands for: "Warsaw office" is no city."""
        mention = self._mentions[self._names[place]]
        if mention.kind == "place" and self._low[place + 1 : place + 2]:
            noun = self._low[place + 1]
            if noun in self._lexicon.groups:
                return End("thing", role=f"{mention.text} {noun}")
        return End("name", self._names[place])

    def _is_group(self, place: int) -> bool:
        """Whether a noun behind a name says that it is a team, or part of a company."""
        after = self._low[place + 1 : place + 3]
        return any(word in self._lexicon.groups for word in after[:1]) or (
            len(after) > 1 and self._is_noun(place + 1) and after[1] in self._lexicon.groups
        )

    def _goes_on(self, at: int) -> bool:
        return at < len(self._low) and (
            self._low[at] in self._lexicon.article or self._names[at] >= 0 or self._is_noun(at)
        )

    def _thing(self, at: int, verb: Verb) -> Iterator[tuple[End, str]]:
        """Something that is no name: up to three nouns, before whatever is none."""
        low = self._low
        end = at
        while end < len(low) and end - at <= _THING_MAX and self._is_noun(end):
            if low[end].endswith("ing") and (end > at or self._goes_on(end + 1)):
                break  # "for updating the list"
            end += 1
        workplace = self._workplace(at, end) if verb.places else 0
        if workplace:
            yield End("thing", role=" ".join(low[at:workplace])), "workplace"
            return
        if not verb.things or not 0 < end - at <= _THING_MAX:
            return
        kind = "group" if low[end - 1] in self._lexicon.groups else "thing"
        said = " ".join(low[at:end])
        if verb.code and not _LIKE_A_NAME.fullmatch(said):
            return
        if verb.allows(kind):
            yield End("thing", role=said), kind

    def _workplace(self, at: int, end: int) -> int:
        """Where a workplace without a name ends, "the county hospital here"; 0: there is none."""
        low, known = self._low, self._lexicon.workplaces
        ends = (
            last
            for last in range(end, at, -1)
            if low[last - 1] in known or " ".join(low[max(at, last - 2) : last]) in known
        )
        return next(ends, 0)


def _tells(end: End) -> bool:
    return end.kind != "thing" or _LIKE_A_NAME.fullmatch(end.role) is not None


def has_code_names(text: str) -> bool:
    """Whether a text has words that are written as names of code and machines are."""
    return _CODE_NAME.search(text) is not None
