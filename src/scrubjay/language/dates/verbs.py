"""Tells the finite verbs of a text, and whether each looks back or ahead."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.language.dates.semantics.values import Pointing
from scrubjay.language.dates.syntax.lexicon import Language, is_ordinal_stop
from scrubjay.language.dates.syntax.tokens import Token

STOPS = frozenset(".!?;。！？；\n")
_TIMED = frozenset(("DOW", "MONTH", "DEICTIC"))
_ADVERBS_MAX = 3
_FIRST_MIN, _FIRST_REACH = 4, 3
_NO_FIRST = ("openers", "past", "reports", "prepositions", "events", "perfect", "be", "asking")
# "Passé" is a verb behind "est", and "last" behind "mois".
_PASSING = frozenset(("SHIFT", "SHIFTED", "moving"))
# Between "how'd" and the verb of a wish: "how'd you like".
_DID_REACH = 3
# Between "having" and what is done for one: "having the loft insulated".
_CAUSED_REACH = 4
# Between "has" and its participle: "has the new parcel come".
_PERFECT_REACH = 5
_CAUSERS = ("contracted", "be", "infinitive", "modals")
# Longer than "this" and "does".
_PLURAL_MIN = 4
_OPENING = frozenset((",", ".", "!", "?", ":", ";", "-", "und", "aber", "oder", "denn"))
_PRETERITE = frozenset("éóí")


class Verbs:
    """Tells the finite verbs of a language by its lists and endings."""

    __slots__ = ("_endings", "_first_endings", "_language", "_sets", "_tokens", "_words")

    def __init__(self, tokens: Sequence[Token], language: Language) -> None:
        self._tokens = tokens
        self._words = [token.word for token in tokens]
        self._language = language
        self._sets = language.sets
        self._endings = tuple(language.sets["past_endings"])
        self._first_endings = tuple(language.sets["first_endings"])

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
            return self._opening(word) if position == 0 and self._first_endings else None
        if word in sets["future"] and not self._has_won(position):
            return None if self._is_no_future(position) else Pointing.AHEAD
        if word in sets["would"]:
            if "MONTH" in self._tokens[position].entries and not self._has_subject(position):
                return None  # "may" is a month, too
            past = self._is_past(position + 1) or self._is_did(position)
            return Pointing.BACK if past else Pointing.AHEAD
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

    def _opening(self, word: str) -> Pointing | None:
        """ "Empiezo el lunes", "comincio lunedì": a verb of one's own, right before its time."""
        tokens, sets = self._tokens[:_FIRST_REACH], self._sets
        own = word.endswith(self._first_endings) and len(word) >= _FIRST_MIN and len(tokens) > 1
        if not own or tokens[0].entries or any(word in sets[name] for name in _NO_FIRST):
            return None
        linked = tokens[1].word in sets["prepositions"] or tokens[1].word in sets["articles"]
        timed = tokens[1 + linked].entries if len(tokens) > 1 + linked else ()
        return None if _TIMED.isdisjoint(timed) else Pointing.PRESENT

    def _has_subject(self, position: int) -> bool:
        before = self._words[position - 1] if position else ""
        return before in self._sets["subjects"] or before in self._sets["third"]

    def _has_won(self, position: int) -> bool:
        """ "Who won on Tuesday" is a past, "won't" a future."""
        if self._words[position] not in self._sets["past"]:
            return False
        return self._words[position + 1 : position + 2] != ["'"]

    def _is_no_future(self, position: int) -> bool:
        """Whether it is a name, or the morning of "el lunes por la mañana"."""
        token = self._tokens[position]
        morning = "DAYPART" in token.entries and "DEICTIC" not in token.entries
        return morning or (position > 0 and token.capital)

    def _is_did(self, position: int) -> bool:
        """ "How'd it go on Friday": did; "how'd you like to go on Friday": would."""
        asked = self._words[max(0, position - 2) : position]
        if len(asked) < 2 or asked[1] != "'" or asked[0] not in self._sets["openers"]:
            return False
        following = self._words[position + 1 : position + 1 + _DID_REACH]
        if asked[0] in self._sets["roles"] and self._sets["subjects"].isdisjoint(following[:1]):
            return False  # "who'd come on Friday"
        return self._sets["wishing"].isdisjoint(following)

    def _is_perfect(self, position: int) -> bool:
        """ "Has the post come": but not "have people to come"."""
        before = self._words[max(0, position - _PERFECT_REACH) : position]
        return not self._sets["have"].isdisjoint(before) and not self._is_infinitive(position)

    def _beside(self, position: int) -> Pointing | None:
        """What a word is as a verb by the word before it alone."""
        word, before, sets = self._words[position], self._words[position - 1], self._sets
        if before == "," and word in sets["intent"] and word.endswith("ing"):
            return Pointing.PRESENT  # "rang the plumber, coming on Friday"
        if before in sets["indefinite"] and word in sets["agenda"]:
            return Pointing.PRESENT  # "stuff happening in December"
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
        described = self._words[position - 1] if position else ""
        if word not in sets["past"] and (described in sets["articles"] or described in sets["per"]):
            return None  # "a detailed plan"
        if self._is_caused(position):
            return None  # "having the loft insulated on Friday"
        base = word in sets["bases"] and self._is_infinitive(position, "bases_after")
        return None if base else Pointing.BACK

    def _is_caused(self, position: int) -> bool:
        """ "Having the loft insulated", "get my teeth cleaned": what is done for one, by others."""
        sets = self._sets
        for at in range(position - 2, max(-1, position - 2 - _CAUSED_REACH), -1):
            if self._words[at] in sets["causing"]:
                subject = any(
                    self._words[at - 1] in sets[name] for name in ("subjects", *_CAUSERS) if at
                )  # "has the courier arrived" has none
                return subject and self._words[at + 1] in sets["articles"] | sets["owners"]
        return False

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
            if token.word in STOPS and not is_ordinal_stop(self._tokens, at, language):
                return False
            passing = at == position + 1 and _PASSING.issuperset(token.entries)
            if (token.entries and not passing) or token.word in self._sets["unpast"]:
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
        # "Kaufte", but not "porte" or "fate".
        german = self._language.verb_second and token.word.endswith(("te", "ten"))
        past = german or token.written[-1] in _PRETERITE
        return Pointing.BACK if past else Pointing.PRESENT

    def _is_contraction(self, position: int) -> bool:
        """Whether "'s" is a verb, and not a possessive; "its" where a possessive cannot stand."""
        words, sets = self._words, self._sets
        if words[position] in sets["elided"]:
            plain = sets["articles"] | sets["prepositions"] | sets["adverbs"]
            return not plain.isdisjoint(words[position + 1 : position + 2])
        if position < 2 or words[position - 1] != "'":
            return False
        if words[position] != "s" or words[position - 2] in sets["pronouns"]:
            return True
        following = words[position + 1] if position + 1 < len(words) else ""
        if following in self._sets["denying_verbs"]:
            return True  # "the delivery's not coming"
        timed = not _TIMED.isdisjoint(self._tokens[position - 2].entries)
        if timed and following in self._sets["events"]:
            return False  # "Monday's meeting"
        return following.endswith("ing") or following in sets["arranged"]
