"""Which way a sentence looks in time, read from its verbs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from scrubjay.language.dates.place import ENDS
from scrubjay.language.dates.semantics.values import Pointing
from scrubjay.language.dates.syntax.lexicon import Language, is_ordinal_stop
from scrubjay.language.dates.syntax.tokens import Token
from scrubjay.language.dates.verbs import STOPS, Verbs

# Between a verb and the time it arranges: "booked with Kiwa: 15 March".
_COLON = ":"
_CHANGES = frozenset((",", "but", "and", "so"))
_DAYS = frozenset(("INT", "PAIR", "DATE", "DASHED", "DOW", "MONTH", "ORDINAL", "DEICTIC", "SHIFT"))
_NAMES = frozenset(("MONTH", "SEASON", "UNIT"))
_LINKING_MAX = 5
_NOW_NEAR = 3
# Between "is" and "now": "it's the 10th of May now".
_NOW_REACH = 6
_PERFECT_NEAR = 2
_ASKED = "?？"
# Between "from" and "to": "from 27 to", "from the 27th of May to".
_RANGE_REACH = 5


class Tense:
    """The verbs of a text, asked for by position."""

    __slots__ = (
        "_arranged", "_bridging", "_commanded", "_due", "_extending", "_final", "_for", "_marks",
        "_moved", "_nouns", "_now", "_planned", "_sentences", "_sets", "_sources",
        "_suffixes", "_to", "_tokens",
    )  # fmt: skip

    def __init__(self, tokens: Sequence[Token], language: Language) -> None:
        sets = language.sets
        self._sets = sets
        self._sources = sets["sources"]
        self._suffixes = language.suffixes
        self._tokens = tokens
        self._for: list[int] = []  # where something is said to be for a time
        self._to = sets["moving_to"]
        self._extending = sets["extending"]
        self._marks: dict[int, list[tuple[int, Pointing]]] = {}  # by sentence
        self._nouns: dict[int, Pointing] = {}  # sentences that name a plan or a report
        self._arranged: dict[int, int] = {}  # sentence: where it arranges something
        self._moved: dict[int, int] = {}  # sentence: where it moves something to another time
        self._now: set[int] = set()  # sentences that close with what is so now
        self._sentences: list[int] = []
        self._planned: set[int] = set()  # sentences about a plan or a calendar
        self._due: set[int] = set()  # sentences about something to be done in time
        self._commanded: dict[int, Pointing] = {}  # sentences that open with an order or offer
        self._final = sets["moving_final"]  # stand before a time whose verb comes after it
        self._bridging = sets["linking"] | {_COLON}
        intent, reports, noted = sets["intent"], sets["reports"], sets["noted"]
        verbs = Verbs(tokens, language)
        kindly, courtesy, bases = sets["asked_kindly"], sets["courtesy"], sets["bases"]
        sentence, opens, commanded_at = 0, True, -1
        for position, token in enumerate(tokens):
            word = token.word
            self._sentences.append(sentence)
            if word in STOPS:
                ends = not is_ordinal_stop(tokens, position, language)
                sentence += ends
                opens = opens or ends
                continue
            if word in kindly:
                self._commanded.setdefault(sentence, Pointing.AHEAD)  # "no calls on Friday please"
            if opens and word not in courtesy and word != ",":
                opens = False
                commanded = _commanded(tokens, position, sets)
                if commanded is not None:
                    self._commanded[sentence] = commanded
                    commanded_at = position
            if token.entries or word in noted:
                self._note(token, position, sentence, sets)
            ordered = commanded_at == position and word in bases
            pointing = None if ordered else verbs.pointing(position)
            if pointing is not None:
                self._mark(position, sentence, pointing)
            elif word in intent or "plans" in token.entries:
                self._nouns.setdefault(sentence, Pointing.PRESENT)
            elif word in reports:
                self._nouns[sentence] = Pointing.BACK

    def _note(
        self, token: Token, position: int, sentence: int, sets: Mapping[str, frozenset[str]]
    ) -> None:
        """Keeps what a word says of its sentence beside its tense: that something is arranged."""
        word = token.word
        if word in sets["arranged_for"] or word == _COLON:
            self._for.append(position)
        moving = "moving" in token.entries and self._next(position) not in sets["relocating"]
        if moving or ("CHANGED" in token.entries and self._is_changed(position)):
            self._moved.setdefault(sentence, position)
        elif "CHANGED" in token.entries and (being := self._was_changed(position)):
            self._moved.setdefault(sentence, being)
            self._now.add(sentence)
        if word in sets["planning"] or "plans" in token.entries:
            self._planned.add(sentence)
        if word in sets["arranged"]:
            self._arranged.setdefault(sentence, position)
        if word in sets["deadlines"]:
            self._due.add(sentence)

    def _mark(self, position: int, sentence: int, pointing: Pointing) -> None:
        """Keeps what a verb says, but not in "will open a studio called Quay": that is a name."""
        if self._tokens[position].word in self._sets["titles"] and sentence in self._marks:
            following = self._tokens[position + 1 : position + 2]
            if following and following[0].capital:
                return
        self._marks.setdefault(sentence, []).append((position, pointing))

    def _next(self, position: int) -> str:
        following = self._tokens[position + 1 : position + 2]
        return following[0].word if following else ""

    def at(self, position: int) -> Pointing:
        """Where a time points: the verb before decides, else the first after it.

        Whatever was arranged for a time, or moved to one, lies ahead. Nouns count only where no
        verb does: "what did we plan" looks back.
        """
        sentence = self._sentences[position]
        if self._tokens[position - 1].word in self._sources and self._is_of_paper(position):
            return Pointing.BACK
        moved = self._moved.get(sentence)
        marks = self._marks.get(sentence, ())
        before = bisect_right(marks, position, key=_position)
        if moved is not None:
            if self.is_moved_to(position) or self._is_extended_to(moved, position):
                return Pointing.AHEAD
            told = bool(before) and marks[before - 1][1] is Pointing.BACK
            if position < moved and not (told and self._is_joined(position, moved)):
                return Pointing.NOWHERE
        arranged = self._arranged.get(sentence)
        if arranged is not None and self._is_arranged_for(arranged, position):
            asked = marks[0][1] is Pointing.BACK and marks[0][0] < arranged if marks else False
            return Pointing.ARRANGED if asked else Pointing.AHEAD
        if not marks:
            return self._by_nouns(position, arranged)
        verb, found = marks[max(before - 1, 0)]
        if found is not Pointing.PRESENT:
            return found
        if sentence in self._planned:
            return Pointing.AHEAD
        return Pointing.UNDERWAY if self._is_underway(verb, position) else found

    def _is_underway(self, verb: int, position: int) -> bool:
        """ "Where are we staying in June": what somebody is doing at a time is still to come.

        What is done since a time is not, and of things it may be told of what was: "why are sales
        falling in June".
        """
        endings, sets = tuple(self._sets["underway"]), self._sets
        tokens = self._tokens[verb + 1 : min(position, verb + 3)]
        if not endings or not tokens or "since" in self._tokens[position].entries:
            return False
        by_whom = tokens[0].word in sets["subjects"] or tokens[0].word in sets["third"]
        by_whom = by_whom or (tokens[0].capital and not tokens[0].entries)
        doing = tokens[-1]
        return by_whom and len(tokens) > 1 and doing.word.endswith(endings) and not doing.entries

    def _is_joined(self, position: int, moved: int) -> bool:
        """ "Came on Friday and swapped the valve": what is moved is not what came."""
        between = self._tokens[position:moved]
        return any("list" in token.entries and token.word != "," for token in between)

    def _by_nouns(self, position: int, arranged: int | None) -> Pointing:
        """Where a time points in a sentence without a verb."""
        sentence = self._sentences[position]
        if arranged is not None and arranged < position:
            return Pointing.PRESENT  # "report due Friday"
        if sentence in self._due:
            return Pointing.PRESENT  # "den Bericht bis Freitag abgeben"
        named = self._nouns.get(sentence, Pointing.NOWHERE)
        if named is Pointing.BACK and "by" in self._tokens[position].entries:
            return Pointing.PRESENT  # "report for the trustees by Tuesday"
        # "Send me the file from Thursday": what is asked for now may be of any time.
        if named is Pointing.BACK or self._is_of(position):
            return named
        if self._sets["nonpast"] and named is Pointing.NOWHERE and self._is_asked_ahead(sentence):
            return Pointing.PRESENT
        return self._commanded.get(sentence, named)

    def _is_asked_ahead(self, sentence: int) -> bool:
        """ "土曜日に誰が来る", "星期五谁来": no word of the past, and the end of a present."""
        first = bisect_left(self._sentences, sentence)
        last = bisect_right(self._sentences, sentence)
        words = [token.word for token in self._tokens[first:last]]
        asked = "".join(words).rstrip(_ASKED)
        return asked.endswith(tuple(self._sets["nonpast"])) and any(
            map(asked.count, self._sets["openers"])
        )

    def _is_of(self, position: int) -> bool:
        return position > 0 and self._tokens[position - 1].word in self._sets["sources"]

    def _is_of_paper(self, position: int) -> bool:
        """ "The letter of 12 June says": what is written bears the day that it was written on."""
        if position < 2:
            return False
        paper = self._tokens[position - 2].word
        return paper in self._sets["dated"] and paper not in self._sets["events"]

    def is_moved_to(self, position: int) -> bool:
        """Whether something is moved to the time that stands there: "moved to", "is now"."""
        if not position:
            return False
        moved = self._moved.get(self._sentences[position], position)
        before = self._tokens[position - 1].word
        if moved > position:
            # "Auf 27.10. verlegt", "auf den 27.10. verlegt".
            linked = position - 1 - (before in self._sets["articles"])
            return linked >= 0 and self._tokens[linked].word in self._final
        if moved < position and (before in self._to or self._opens_with_to(position)):
            return True
        if self.is_put_off(position):
            return True
        near = self._tokens[max(moved + 1, position - _NOW_NEAR) : position]
        if any("CHANGED" in token.entries for token in near):
            return True  # "flight changed: now leaving 4 May"
        if moved < position and self._sentences[position] in self._now:
            return True
        return moved < position and self._is_changed(moved) and position <= self._linked(moved)

    def _opens_with_to(self, position: int) -> bool:
        """ "Se pasa al 29": where the word for "to" is a part of the time."""
        following = self._tokens[position + 1 : position + 2]
        day = any("INT" in token.entries for token in following)
        return day and self._tokens[position].word in self._to - self._sets["articles"]

    def is_extended_to(self, position: int) -> bool:
        """ "Got extended to the end of May": what holds until then."""
        moved = self._moved.get(self._sentences[position], position)
        if moved >= position or self._tokens[moved].word not in self._extending:
            return False
        return self._tokens[position - 1].word in self._to

    def is_put_off(self, position: int) -> bool:
        """Whether the "until" that stands there says to which time something is moved."""
        moved = self._moved.get(self._sentences[position], position)
        if moved >= position or "until" not in self._tokens[position].entries:
            return False
        return self._tokens[moved].word not in self._extending

    def _is_extended_to(self, moved: int, position: int) -> bool:
        """ "Got extended until March": whenever that was, what it holds until is to come."""
        extended = self._tokens[moved].word in self._extending
        return extended and moved < position and "until" in self._tokens[position].entries

    def is_due(self, position: int) -> bool:
        """Whether the sentence is about something to be done in time."""
        return self._sentences[position] in self._due

    def _is_changed(self, position: int) -> bool:
        """ "Was on the 20th, now it's the 24th": what holds now after what did."""
        token = self._tokens[position]
        if "CHANGED" not in token.entries:
            return False
        before = self._tokens[position - 1].word if position else ""
        at = self._linked(position)
        if at >= len(self._tokens) or _DAYS.isdisjoint(self._tokens[at].entries):
            return False
        if before in _CHANGES or max(length for length, _ in token.entries["CHANGED"]) > 1:
            return True  # "now", only after another time; "the new date", wherever it stands
        return before in self._sets["be"] and self._is_day(at)

    def _was_changed(self, position: int) -> int:
        """ "Was on the 3rd, it's the 10th now": where the verb before that time stands, or 0."""
        if position + 1 < len(self._tokens) and self._tokens[position + 1].word not in ENDS:
            return 0
        if not position or _DAYS.isdisjoint(self._tokens[position - 1].entries):
            return 0
        for at in range(position - 2, max(0, position - 2 - _NOW_REACH), -1):
            if self._tokens[at].word in self._sets["be"]:
                return at if self.is_told_back(at) else 0
        return 0

    def _is_day(self, position: int) -> bool:
        """Whether a number is that of a day: "is now the 10th", not "is now 910"."""
        entries = self._tokens[position].entries
        if "INT" not in entries and "DECIMAL" not in entries:
            return True
        following = self._tokens[position + 1 : position + 2]
        return any("MONTH" in token.entries or token.word in self._suffixes for token in following)

    def _linked(self, position: int) -> int:
        """The first place after one that is not a linking word."""
        lengths = [length for length, _ in self._tokens[position].entries.get("CHANGED", ())]
        at = position + max(lengths, default=1)
        last = min(len(self._tokens), at + _LINKING_MAX)
        while at < last and self._tokens[at].word in self._bridging:
            at += 1
        return at

    def sentence_start(self, position: int) -> int:
        """Where the sentence of a position begins."""
        return bisect_left(self._sentences, self._sentences[position])

    def is_told_back(self, position: int) -> bool:
        """Whether a verb of the past stands in the sentence, before a position or after it."""
        marks = self._marks.get(self._sentences[position], ())
        return any(pointing is Pointing.BACK for _, pointing in marks)

    def acts_between(self, first: int, second: int) -> bool:
        """Whether a verb stands between two positions of one sentence."""
        marks = self._marks.get(self._sentences[first], ())
        return any(first <= position < second for position, _ in marks)

    def same_sentence(self, first: int, second: int) -> bool:
        """Whether two positions lie in one sentence."""
        return self._sentences[first] == self._sentences[second]

    def _is_arranged_for(self, arranged: int, position: int) -> bool:
        if arranged > position and self._final:
            # "Für den 14. Januar reserviert": the verb stands last.
            place = bisect_left(self._for, position - 1)
            return place < len(self._for) and self._for[place] == position - 1
        if arranged >= position:
            return False
        if position == arranged + 1 and "DOW" in self._tokens[position].entries:
            return True  # "cancelled Friday's lesson"
        if self._is_agreed_to_do(arranged, position) or self._opens_range(position):
            return True
        following = bisect_right(self._for, arranged)
        # The time may bring its own word: "promised the draft by Friday".
        linked = following < len(self._for) and self._for[following] <= position
        return linked or self._tokens[position - 1].word == ","

    def _opens_range(self, position: int) -> bool:
        """ "Reserved two rooms from 27 to 30 December": how long, and not when it was reserved."""
        if "range" not in self._tokens[position].entries:
            return False
        following = self._tokens[position + 1 : position + 1 + _RANGE_REACH]
        return any("to" in token.entries or "dash" in token.entries for token in following)

    def _is_agreed_to_do(self, arranged: int, position: int) -> bool:
        """ "Agreed to meet in May", "have booked flights in May": the time is that of the plan.

        Where the perfect tells what holds now, it dates nothing in the past.
        """
        word, sets = self._tokens[arranged].word, self._sets
        if word in sets["agreeing"] and arranged + 2 < position:
            person = self._tokens[arranged + 1].capital and arranged + 3 < position
            link, done = self._tokens[arranged + 1 + person : arranged + 3 + person]
            if link.word == "," and self._final:
                return True  # "haben vereinbart, uns im Mai zu treffen"
            thing = done.word in sets["articles"] | sets["determiners"] | sets["owners"]
            return link.word in sets["arranged_to"] and not thing  # "agreed to the price in May"
        if word not in sets["planning"]:
            return False
        before = self._tokens[max(0, arranged - _PERFECT_NEAR) : arranged]
        return any(token.word in sets["arranged_perfect"] for token in before)


def _position(mark: tuple[int, Pointing]) -> int:
    return mark[0]


def _commanded(
    tokens: Sequence[Token], position: int, sets: Mapping[str, frozenset[str]]
) -> Pointing | None:
    """ "Ring Ana", "book me a table", "find us a slot": an order that is still to be done.

    A verb is one by what follows it, or "call" and "run" would be no nouns. Who is told to find or
    show something may look for what was: only what is new, "a slot", is looked for ahead.
    """
    word = tokens[position].word
    following = tokens[position + 1 : position + 3]
    if not following:
        return None
    if following[0].word == "about" and word in sets["openers"]:
        return Pointing.PRESENT  # "how about Monday"
    if word in sets["infinitive"] and following[0].word in sets["helping"]:
        return Pointing.AHEAD  # "to do before Thursday"
    if word in sets["seeking"]:
        made = following[following[0].word in sets["subjects"] | sets["objects"] :]
        new = any(token.word in sets["creating"] for token in (*following[:1], *made[:1]))
        return Pointing.AHEAD if new else None
    if word not in sets["commands"] or not _NAMES.isdisjoint(tokens[position].entries):
        return None  # "March the 3rd"
    # "Put me down for Friday"; "put the tree up on Friday" may as well be a report.
    objects = sets["persons" if word in sets["bases"] else "objects"]
    done = not objects or following[0].word in objects or following[0].capital
    return Pointing.AHEAD if done else None
