"""Which way a sentence looks in time, read from its verbs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from scrubjay.language.dates.semantics.values import Pointing
from scrubjay.language.dates.syntax.lexicon import Language, is_ordinal_stop
from scrubjay.language.dates.syntax.tokens import Token

_STOPS = frozenset(".!?;。！？；\n")
# Between a verb and the time it arranges: "booked with Kiwa: 15 March".
_COLON = ":"
_ADVERBS_MAX = 3
_CHANGES = frozenset((",", "but", "and", "so"))
_DAYS = frozenset(("INT", "PAIR", "DATE", "DOW", "MONTH", "ORDINAL", "DEICTIC", "SHIFT"))
_NAMES = frozenset(("MONTH", "SEASON", "UNIT"))
_LINKING_MAX = 5
_NOW_NEAR = 3
_PERFECT_NEAR = 2
# Between "has" and its participle: "has the new parcel come".
_PERFECT_REACH = 5
# Longer than "this" and "does".
_PLURAL_MIN = 4
_OPENING = frozenset((",", ".", "!", "?", ":", ";", "-", "und", "aber", "oder", "denn"))
_PRETERITE = frozenset("éóí")


class Tense:
    """The verbs of a text, asked for by position."""

    __slots__ = (
        "_arranged", "_bridging", "_commanded", "_due", "_extending", "_final", "_for", "_marks",
        "_moved", "_nouns", "_planned", "_sentences", "_sets", "_suffixes", "_to", "_tokens",
    )  # fmt: skip

    def __init__(self, tokens: Sequence[Token], language: Language) -> None:
        sets = language.sets
        self._sets = sets
        self._suffixes = language.suffixes
        self._tokens = tokens
        self._for: list[int] = []  # where something is said to be for a time
        self._to = sets["moving_to"]
        self._extending = sets["extending"]
        self._marks: dict[int, list[tuple[int, Pointing]]] = {}  # by sentence
        self._nouns: dict[int, Pointing] = {}  # sentences that name a plan or a report
        self._arranged: dict[int, int] = {}  # sentence: where it arranges something
        self._moved: dict[int, int] = {}  # sentence: where it moves something to another time
        self._sentences: list[int] = []
        self._planned: set[int] = set()  # sentences about a plan or a calendar
        self._due: set[int] = set()  # sentences about something to be done in time
        self._commanded: dict[int, Pointing] = {}  # sentences that open with an order or offer
        self._final = sets["moving_final"]  # stand before a time whose verb comes after it
        self._bridging = sets["linking"] | {_COLON}
        intent, reports, noted = sets["intent"], sets["reports"], sets["noted"]
        verbs = _Verbs(tokens, language)
        sentence, opens, commanded_at = 0, True, -1
        for position, token in enumerate(tokens):
            word = token.word
            self._sentences.append(sentence)
            if word in _STOPS:
                ends = not is_ordinal_stop(tokens, position, language)
                sentence += ends
                opens = opens or ends
                continue
            if word in sets["asked_kindly"]:
                self._commanded.setdefault(sentence, Pointing.AHEAD)  # "no calls on Friday please"
            if opens and word not in sets["courtesy"] and word != ",":
                opens = False
                commanded = _commanded(tokens, position, sets)
                if commanded is not None:
                    self._commanded[sentence] = commanded
                    commanded_at = position
            if token.entries or word in noted:
                self._note(token, position, sentence, sets)
            ordered = commanded_at == position and word in sets["bases"]
            pointing = None if ordered else verbs.pointing(position)
            if pointing is not None:
                self._marks.setdefault(sentence, []).append((position, pointing))
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
        if "moving" in token.entries or ("CHANGED" in token.entries and self._is_changed(position)):
            self._moved.setdefault(sentence, position)
        if word in sets["planning"] or "plans" in token.entries:
            self._planned.add(sentence)
        if word in sets["arranged"]:
            self._arranged.setdefault(sentence, position)
        if word in sets["deadlines"]:
            self._due.add(sentence)

    def at(self, position: int) -> Pointing:
        """Where a time points: the verb before decides, else the first after it.

        Whatever was arranged for a time, or moved to one, lies ahead. Nouns count only where no
        verb does: "what did we plan" looks back.
        """
        sentence = self._sentences[position]
        moved = self._moved.get(sentence)
        if moved is not None:
            if self.is_moved_to(position):
                return Pointing.AHEAD
            if position < moved:
                return Pointing.NOWHERE
        marks = self._marks.get(sentence, ())
        before = bisect_right(marks, position, key=_position)
        arranged = self._arranged.get(sentence)
        if arranged is not None and self._is_arranged_for(arranged, position):
            asked = marks[0][1] is Pointing.BACK and marks[0][0] < arranged if marks else False
            return Pointing.ARRANGED if asked else Pointing.AHEAD
        if not marks:
            if arranged is not None and arranged < position:
                return Pointing.PRESENT  # "report due Friday"
            if sentence in self._due:
                return Pointing.PRESENT  # "den Bericht bis Freitag abgeben"
            named = self._nouns.get(sentence, Pointing.NOWHERE)
            # "Send me the file from Thursday": what is asked for now may be of any time.
            if named is Pointing.BACK or self._is_of(position):
                return named
            return self._commanded.get(sentence, named)
        found = marks[max(before - 1, 0)][1]
        planned = found is Pointing.PRESENT and sentence in self._planned
        return Pointing.AHEAD if planned else found

    def _is_of(self, position: int) -> bool:
        return position > 0 and self._tokens[position - 1].word in self._sets["sources"]

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
        if moved < position and before in self._to:
            return True
        if self.is_put_off(position):
            return True
        near = self._tokens[max(moved + 1, position - _NOW_NEAR) : position]
        if any("CHANGED" in token.entries for token in near):
            return True  # "flight changed: now leaving 4 May"
        return moved < position and self._is_changed(moved) and position <= self._linked(moved)

    def is_put_off(self, position: int) -> bool:
        """Whether the "until" that stands there says to which time something is moved."""
        moved = self._moved.get(self._sentences[position], position)
        if moved >= position or "until" not in self._tokens[position].entries:
            return False
        return self._tokens[moved].word not in self._extending

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
        if self._is_agreed_to_do(arranged, position):
            return True
        following = bisect_right(self._for, arranged)
        # The time may bring its own word: "promised the draft by Friday".
        linked = following < len(self._for) and self._for[following] <= position
        return linked or self._tokens[position - 1].word == ","

    def _is_agreed_to_do(self, arranged: int, position: int) -> bool:
        """ "Agreed to meet in May", "have booked flights in May": the time is that of the plan.

        Where the perfect tells what holds now, it dates nothing in the past.
        """
        word, sets = self._tokens[arranged].word, self._sets
        if word in sets["agreeing"] and arranged + 2 < position:
            link, done = self._tokens[arranged + 1 : arranged + 3]
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


class _Verbs:
    """Tells the finite verbs of a language by its lists and endings."""

    __slots__ = ("_endings", "_language", "_sets", "_tokens", "_words")

    def __init__(self, tokens: Sequence[Token], language: Language) -> None:
        self._tokens = tokens
        self._words = [token.word for token in tokens]
        self._language = language
        self._sets = language.sets
        self._endings = tuple(language.sets["past_endings"])

    def pointing(self, position: int) -> Pointing | None:
        """What the word there says as a verb; None if it is none."""
        word, written, sets = self._words[position], self._tokens[position].written, self._sets
        # Whether the word, the word before or its ending leaves it open: most words say no.
        if (
            word not in sets["verbal"]
            and written not in sets["verbal"]
            and not (position and self._words[position - 1] in sets["leading"])
            and not (self._endings and written.endswith(self._endings))
        ):
            return None
        if word in sets["future"]:
            return None if position and self._tokens[position].capital else Pointing.AHEAD
        if word in sets["would"]:
            if "MONTH" in self._tokens[position].entries and not self._has_subject(position):
                return None  # "may" is a month, too
            return Pointing.BACK if self._is_past(position + 1) else Pointing.AHEAD
        if written in sets["perfect"]:
            return Pointing.BACK if self._has_participle(position) else Pointing.PRESENT
        if word in sets["having"]:
            return Pointing.PRESENT if self._is_having(position) else Pointing.BACK
        if self._is_past(position):
            return self._as_past(position)
        if written in sets["present"]:
            return Pointing.PRESENT if self._is_present(position) else None
        if position and (word in sets["contracted"] or self._before(position) in sets["subjects"]):
            return self._after_subject(position)
        return self._beside(position) if position else None

    def _has_subject(self, position: int) -> bool:
        before = self._words[position - 1] if position else ""
        return before in self._sets["subjects"] or before in self._sets["third"]

    def _is_perfect(self, position: int) -> bool:
        """ "Has the post come": but not "have people to come"."""
        before = self._words[max(0, position - _PERFECT_REACH) : position]
        return not self._sets["have"].isdisjoint(before) and not self._is_infinitive(position)

    def _beside(self, position: int) -> Pointing | None:
        """What a word is as a verb by the word before it alone."""
        word, before, sets = self._words[position], self._words[position - 1], self._sets
        if before == "," and word in sets["intent"] and word.endswith("ing"):
            return Pointing.PRESENT  # "rang the plumber, coming on Friday"
        if word in sets["plural_verbs"] and len(before) > _PLURAL_MIN and before.endswith("s"):
            return Pointing.PRESENT  # "results come out"
        if word in sets["infinitive"] and before in sets["openers"] | sets["indefinite"]:
            return Pointing.PRESENT  # "what to pack for Friday"
        if before in sets["third"] and word.endswith("s"):
            return Pointing.PRESENT  # "it stops on Friday"
        if before in sets["asking"] and word.isalpha() and word not in sets["articles"]:
            return self._after_asking(position)
        return None

    def _as_past(self, position: int) -> Pointing | None:
        """What a word in the past says: "is booked" leaves it to the verb before."""
        word, sets, before = self._words[position], self._sets, self._before(position)
        if before in sets["be"]:
            return None
        if before in sets["indefinite"] and word in sets["arranged"]:
            return Pointing.PRESENT  # "anything planned on Friday"
        base = word in sets["bases"] and self._is_infinitive(position, "bases_after")
        return None if base else Pointing.BACK

    def _is_having(self, position: int) -> bool:
        """ "What have I got on Friday", "got anything on Friday": what there is, not what came."""
        before = self._words[max(0, position - 3) : position]
        if not before:
            following = self._words[position + 1 : position + 2]
            return not self._sets["indefinite"].isdisjoint(following)
        return not self._sets["have"].isdisjoint(before)

    def _is_present(self, position: int) -> bool:
        """Whether a verb is one here: not in "to have", nor the "am" of "friday am"."""
        if self._is_infinitive(position):
            return False
        if "HALFDAY" not in self._tokens[position].entries:
            return True
        beside = self._words[max(0, position - 1) : position + 2]
        return not self._sets["subjects"].isdisjoint(beside)

    def _is_past(self, position: int) -> bool:
        if position >= len(self._words):
            return False
        word = self._words[position]
        if word in self._sets["past"]:
            return True
        if word in self._sets["participles"] and self._is_perfect(position):
            return True
        if (
            not self._endings
            or len(word) <= 4
            or not self._tokens[position].written.endswith(self._endings)
        ):
            return False
        return word not in self._sets["unpast"]

    def _has_participle(self, position: int) -> bool:
        """Whether "has" is followed by what was done, before the sentence ends."""
        language = self._language
        if language.participle is None:
            return False
        last = min(len(self._tokens), position + 1 + language.participle_near)
        for at in range(position + 1, last):
            token = self._tokens[at]
            if token.word in _STOPS and not is_ordinal_stop(self._tokens, at, language):
                return False
            if token.entries or token.word in self._sets["unpast"]:
                continue
            if language.participle.search(token.written):
                # "Ist geplant" is a state, "habe geplant" a deed.
                state = self._words[position] in self._sets["be"]
                return not (state and token.word in self._sets["arranged"])
        return False

    def _before(self, position: int) -> str:
        """The word before, without an adverb or two in between: "is now booked"."""
        for before in reversed(self._words[max(0, position - _ADVERBS_MAX - 1) : position]):
            if before not in self._sets["adverbs"]:
                return before
        return ""

    def _is_infinitive(self, position: int, leading: str = "modals") -> bool:
        """ "Did Ann have", "to have"."""
        before = self._words[max(0, position - 3) : position]
        return not self._sets[leading].isdisjoint(before)

    def _after_subject(self, position: int) -> Pointing | None:
        """ "We move", "he's starting": present, unless an auxiliary stood before the subject."""
        words, sets = self._words, self._sets
        word = words[position]
        if word in sets["contracted"]:
            return Pointing.PRESENT if self._is_contraction(position) else None
        if word in sets["auxiliaries"] or not word.isalpha() or self._is_past(position + 1):
            return None
        inverted = position > 1 and words[position - 2] in sets["inverting"]
        if self._language.verb_second and position > 1 and words[position - 2] not in _OPENING:
            return None  # "im Juni heiraten wir": the verb came before its subject
        if not inverted and sets["asking"] and word not in sets["unpast"]:
            return self._after_asking(position)
        return None if inverted else Pointing.PRESENT

    def _after_asking(self, position: int) -> Pointing:
        """ "Was kaufte", "qué compró": the verb, in the past by its ending."""
        token = self._tokens[position]
        past = token.word.endswith(("te", "ten")) or token.written[-1] in _PRETERITE
        return Pointing.BACK if past else Pointing.PRESENT

    def _is_contraction(self, position: int) -> bool:
        """Whether "'s" is a verb, and not a possessive."""
        words, sets = self._words, self._sets
        if position < 2 or words[position - 1] != "'":
            return False
        if words[position] != "s" or words[position - 2] in sets["pronouns"]:
            return True
        following = words[position + 1] if position + 1 < len(words) else ""
        return following.endswith("ing") or following in sets["arranged"]
