"""What kind of memory a sentence is, by rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from scrubjay.language.alternatives import any_of
from scrubjay.language.detection import UNDECIDED, detect_language
from scrubjay.language.stances import HABIT, OPINION, STATED_PREFERENCE
from scrubjay.language.statements import CHARACTERS_READ, statements_of
from scrubjay.language.stopwords import WORDS_FOLDER, irregular_pasts, read_lists


@dataclass(frozen=True, slots=True)
class TypeGuess:
    """The type a text most likely is; `confidence` in (0, 1], `reason` names the rule."""

    type: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A text as the rules see it."""

    text: str
    lowered: str
    written: tuple[str, ...]  # its words
    words: tuple[str, ...]  # the same, lowered
    language: str
    speaker_is_agent: bool
    to_agent: bool  # a note, or said by the user: not one person to another


_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

# Words of which it is remembered whether they are past forms, at a hundred bytes each.
_CACHED_WORDS_MAX = 16_384

# Below this a guess is wrong too often (measured: every second time on texts that nobody had
# looked at), and the type is a fact's, with the guess as the reason.
SURE = 0.65


def guess_type(text: str, *, speaker: str | None = None) -> TypeGuess:
    """The type a told text most likely is: the first rule that applies decides.

    One of fact, preference, event, entity, opinion, experience, read from what the text states:
    questions and thanks say nothing of the kind. A text no rule is sure of is a fact with a
    confidence below `SURE`. `speaker` matters when it is the agent itself, whose deeds are
    experience.
    """
    opening = text.strip()[:CHARACTERS_READ].replace("’", "'")
    language = detect_language(opening)
    who = None if speaker is None else speaker.casefold()
    by_agent = who in type_words("agent")
    to_agent = who is None or who in type_words("user")
    guess = _UNKNOWN
    for stated in statements_of(opening):
        found = _guess_sentence(stated, language, by_agent, to_agent)
        # Behind what holds, a past form without a date only says more of it: "She has two Persians.
        # Both insured with Petgarde."
        more = found.confidence <= SURE and guess.confidence >= _HOLDS
        if found.confidence >= SURE and found.type != "fact" and not more:
            return found
        guess = max(guess, found, key=lambda one: one.confidence)
    if guess.confidence >= SURE or guess.type == "fact":
        return guess
    return TypeGuess("fact", _UNKNOWN.confidence, f"unsure whether {guess.type}: {guess.reason}")


_HOLDS = 0.8  # of what is told to be so now, or from a day on, or to be somebody's
_UNKNOWN = TypeGuess("fact", 0.5, "no rule applies")


def _guess_sentence(stated: str, language: str, by_agent: bool, to_agent: bool) -> TypeGuess:
    written = tuple(_WORD.findall(stated))
    words = tuple(word.lower() for word in written)
    sentence = _Sentence(stated, stated.lower(), written, words, language, by_agent, to_agent)
    for rule in _RULES:
        if guess := rule(sentence):
            return guess
    return _UNKNOWN


@cache
def type_words(name: str) -> frozenset[str]:
    """The words of a list in `unit_types.txt`."""
    return frozenset(read_lists(WORDS_FOLDER / "unit_types.txt")[name])


def _any_word(name: str) -> str:
    """A pattern for one word out of the named list."""
    return rf"\b{any_of(sorted(type_words(name)))}\b"


# ---------------------------------------------------------------- preference and opinion

_ORDERED = frozenset({"please", "kindly", "always", "never", "don't", "do", "only", "just"})
# "Whenever you name a sum, make it ...": not "when", which tells of what happened as often.
_BEFORE_ORDER = frozenset({"whenever", "if", "unless"})
# "No customer names in tests, ever", "..., and no attachments, please".
_REQUEST = re.compile(r"(?:^|: )(?:no|never an?) [^.?!]* ever$|, (?:and )?please\b|, please$")
_DEGREE = (
    r"(?:(?:just|really|so|very|pretty|quite|absolutely|simply|truly|not|the|an?|such|much|more|most"
    r"|far|way|a bit|rather|one of the|kind of|totally|completely|always|definitely|probably) )*"
)
_BEING = r"(?:is|are|was|were|looks?|looked|seems?|seemed|sounds?|isn't|wasn't|be)"


@cache
def _judgement() -> re.Pattern[str]:
    evaluative = _any_word("evaluative")
    so = rf"(?:{_DEGREE}{evaluative}|(?:way |far |much |just )?too \w+)"
    # What begins a word is looked for there and nowhere else, once for all that does.
    return re.compile(
        rf"\b(?:{_BEING} {so}"
        rf"|finds? (?:(?!out|the time|that time).+ {_DEGREE}{evaluative}"
        r"|(?:it|this|that|the|my|his|her|our|their|your)\b(?: \w+){0,3}"
        r" (?!(?:some|any|every|no)?thing\b|morning\b|evening\b|meeting\b|building\b)\w{3,}ing"
        rf"[.!]?$))|'(?:s|re) {so}"
    )


def _is_preference(sentence: _Sentence) -> TypeGuess | None:
    found = STATED_PREFERENCE.find(sentence.lowered)
    if found and not (found == "from now on" and _is_so_from_now(sentence.words)):
        return TypeGuess("preference", 0.9, f"says {found!r}")
    if found := HABIT.find(sentence.lowered):
        return TypeGuess("preference", 0.7, f"a habit of choice: {found!r}")
    return None


def _is_so_from_now(words: Sequence[str]) -> bool:
    """ "From now on the library closes at six": a thing, and what it does."""
    if words[:3] != ("from", "now", "on") or words[3:4] not in _ARTICLES:
        return False
    return not type_words("present").isdisjoint(words[5:8])


def _is_order(sentence: _Sentence) -> TypeGuess | None:
    if not sentence.to_agent:
        return None
    first, second = (*sentence.words[:2], "", "")[:2]
    if first in {"please", "kindly"} and second in type_words("announced"):
        return None  # "Please note that the lift is out of order"
    plain = first in type_words("order_verb") and second not in type_words("present")
    # "Call with Ada", "Schedule of May": a heading, not an order.
    plain = plain and not (first in type_words("order_noun") and second in type_words("after_noun"))
    if first in _BEFORE_ORDER and _orders_behind(sentence):
        return TypeGuess("preference", 0.75, "tells the agent what to do in a case")
    if _REQUEST.search(sentence.lowered):
        return TypeGuess("preference", 0.75, "asks the agent for something")
    ordered = first in _ORDERED and (second in type_words("order_verb") or second == "not")
    # "Always a pleasure" tells nobody what to do.
    told = second != "" and second not in type_words("before_adjective")
    polite = first in {"please", "kindly"} or (first in {"always", "don't"} and told)
    if ordered or polite or (plain and not _is_past(second)):
        return TypeGuess("preference", 0.75, "tells the agent what to do")
    return None


def _orders_behind(sentence: _Sentence) -> bool:
    """Whether an order follows a condition: "Whenever you name a sum, make it the full one"."""
    _, comma, rest = sentence.lowered.partition(", ")
    words = _WORD.findall(rest) if comma else []
    return words[:1] != [] and (words[0] in type_words("order_verb") or words[0] in _ORDERED)


def _is_opinion(sentence: _Sentence) -> TypeGuess | None:
    if phrase := OPINION.find(sentence.lowered):
        return TypeGuess("opinion", 0.85, f"says {phrase!r}")
    if verb := _verb_of_mind(sentence, "opinion_verb"):
        return TypeGuess("opinion", 0.85, f"someone {verb}")
    found = _judgement().search(sentence.lowered)
    # What somebody or something says is so is no judgement of the speaker's.
    if found and not _REPORTED.search(sentence.lowered, 0, found.start()):
        return TypeGuess("opinion", 0.7, f"judges: {found.group()!r}")
    return None


_REPORTED = re.compile(
    r"\w (?:because|if|whether|says|said|say"
    r"|that (?:the|it|its|he|she|they|we|i|this|my|our|his|her|their))\b"
)


def _is_liking(sentence: _Sentence) -> TypeGuess | None:
    if sentence.words and sentence.words[0] in type_words("like_verb") and len(sentence.words) > 1:
        return TypeGuess("preference", 0.75, f"opens with {sentence.words[0]!r}")
    if verb := _verb_of_mind(sentence, "like_verb"):
        return TypeGuess("preference", 0.85, f"someone {verb}")
    return None


def _verb_of_mind(sentence: _Sentence, verbs: str) -> str | None:
    """The first verb of a list whose subject is a person: not "looks like", not "two claims"."""
    for at, word in enumerate(sentence.words[1:]):
        if word in type_words(verbs) and _is_person(sentence.written[at]):
            after = sentence.words[at + 2 : at + 4]
            # "I want to make sure" is a plan, "something you love" is anyone's.
            acts = after[:1] == ("to",) and after != ("to", "be")
            plan = not after or (word in type_words("wish_verb") and acts)
            if plan or _is_relative(sentence, at):
                continue
            return word
    return None


def _is_relative(sentence: _Sentence, subject: int) -> bool:
    """Whether a subject opens a clause about something: "the colour you want", "if you like"."""
    who = sentence.words[subject]
    before = sentence.words[subject - 1] if subject else ""
    return who == "you" or before in {"if", "when", "whether", "unless"}


def _is_person(word: str) -> bool:
    named = word[0].isupper() and word.lower() not in type_words("not_name")
    return named or word.lower() in type_words("subject")


# ---------------------------------------------------------------- entity

_TITLE = r"(?:(?:Dr|Mr|Mrs|Ms|Prof|Sir|Aunt|Uncle)\.? )?"
_CAPITALISED = r"[A-Z][\w'&.-]*(?: (?:of|de|van|von|der|la|and|&) [A-Z][\w'-]*| [A-Z0-9][\w'&.-]*)*"
_IDENTIFIER = r"[A-Za-z]+(?:[-_.][A-Za-z0-9]+)+"


@cache
def _introduction() -> re.Pattern[str]:
    head, role = _any_word("head_noun"), _any_word("role")
    return re.compile(
        rf"(?P<subject>(?:The )?{_TITLE}(?:{_CAPITALISED}|{_IDENTIFIER})(?: {head})?)"
        r"(?:,[^,]+,| \([^)]*\))? (?:is|are|was|were)(?: also| actually| now| still)? "
        r"(?:(?:an?|the|my|our|his|her|their|your|one of|short for|responsible for|in charge of)\b"
        rf"|[A-Z][\w-]*'s? |(?i:{role}) (?:of|at|for)\b)"
    )


def _is_entity(sentence: _Sentence) -> TypeGuess | None:
    found = _introduction().match(sentence.text)
    if not found:
        return None
    subject = found["subject"].removeprefix("The ")
    if subject.split()[0].lower() in type_words("not_name"):
        return None
    return TypeGuess("entity", 0.8, f"says who or what {subject!r} is")


# ---------------------------------------------------------------- event and experience

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_WHEN = re.compile(
    r"\b(?:(?:yesterday|today|tonight|tomorrow|ago|earlier|just now|\d{4}-\d\d-\d\d)\b"
    r"|(?:last|next|this|past) (?:night|week|weekend|month|year|morning|afternoon|evening|spring"
    rf"|summer|autumn|fall|winter|quarter|{_DAY}|{_MONTH})\b"
    rf"|on (?:{_DAY}\b|the \d|{_MONTH}|\d)|(?:in|by|during|around) (?:early |late |mid-?)?"
    rf"(?:{_MONTH}\b|(?:19|20)\d\d\b)|{_MONTH} \d|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b"
    r"|at \d{1,2}(?::\d\d)? ?(?:am|pm)\b|at (?:noon|midnight)\b)"
)
_ON_A_DAY = re.compile(
    rf"\b(?:yesterday|today|tonight|tomorrow|\d{{4}}-\d\d-\d\d)\b|\bon (?:{_DAY}\b|the \d|\d)"
    rf"|(?<!by )\b{_MONTH} \d{{1,2}}\b|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b"
)
_PLANNED = re.compile(
    r"\bwill (?:be held|take place|happen|start|begin|launch|move|visit|meet|travel|attend|host)\b"
    r"|\b(?:scheduled|planned|booked) (?:for|on|at|in|to)\b|\bdue (?:for|on|at|in)\b"
    r"|\b(?:takes|taking|took) place\b"
)
_LESSON = re.compile(r"\b(?:me|my|us|our|i)\b|\b(?:was|has been|have been) (?:an?|one of)\b")
_ARTICLES = (("the",), ("our",), ("my",))
_OWNING = frozenset({"has", "have", "owns", "own"})
_FROM_DAY = re.compile(rf"\b(?:from|as of) (?:the )?(?:\d|{_DAY}|{_MONTH}|today|tomorrow|next)\b")
_FROM = re.compile(r"\b(?:from|as of|starting|effective)(?: the)? $")
_ADVERB = re.compile(
    r"\w+ly|also|just|once|never|then|even|always|ever|first|soon|still|already|so|too"
)


def _is_lived(sentence: _Sentence) -> TypeGuess | None:
    words = sentence.words[1:] if sentence.words[:1] in _ARTICLES else sentence.words
    if words and words[0] in type_words("agent") and _is_past(_verb_after(words, 0)):
        return TypeGuess("experience", 0.85, "the agent did something")
    if _is_lesson(sentence):
        return TypeGuess("experience", 0.75, "tells what doing something was like")
    return None


def _is_deed(sentence: _Sentence) -> TypeGuess | None:
    """What whoever says "I" did; with a date it is an event, unless the agent says it."""
    verb = _first_person_verb(sentence.words)
    perfect = verb in {"have", "i've"}
    # A date takes longer to find than all else here, and most sentences tell of no deed.
    if verb in type_words("no_deed") or not (perfect or _is_past(verb)):
        return None
    dated = _WHEN.search(sentence.lowered)
    if perfect and dated and not sentence.speaker_is_agent:
        return TypeGuess("event", 0.7, f"done, or planned, {dated.group()!r}")
    if perfect and not type_words("lasting") & set(sentence.words):
        return TypeGuess("experience", 0.7, "tells what I have been doing")
    if not _is_past(verb) or "born" in sentence.words:
        return None
    if dated and not sentence.speaker_is_agent and "user" not in sentence.words:
        return TypeGuess("event", 0.75, f"happened {dated.group()!r}")
    return TypeGuess("experience", 0.75, f"tells what I did: {verb!r}")


def _is_lesson(sentence: _Sentence) -> bool:
    first = sentence.words[0] if sentence.words else ""
    if not first.endswith("ing") or len(first) < 5 or first in type_words("not_gerund"):
        return False
    rest = sentence.words[1:]
    changed = any(word in type_words("changed_me") for word in rest)
    lived = "was" in rest or "been" in rest
    return (changed or lived) and bool(_LESSON.search(sentence.lowered))


def _first_person_verb(words: Sequence[str]) -> str:
    """The verb after the first "I"; "have" only where another verb's past follows it."""
    for at, word in enumerate(words):
        # "As I've said" tells of nothing.
        if word in {"i", "i've", "i'd"} and words[at - 1 : at] != ("as",):
            verb = _verb_after(words, at) if word == "i" else word
            if verb not in {"have", "i've", "i'd"}:
                return verb
            after = words[at + 1 + (word == "i") :]
            completed = next((other for other in after if not _ADVERB.fullmatch(other)), "")
            # "I've got a dog" has, and did nothing.
            done = completed == "been" or (completed != "got" and _is_past(completed))
            return verb if done else ""
    return ""


def _verb_after(words: Sequence[str], at: int) -> str:
    return next((word for word in words[at + 1 :] if not _ADVERB.fullmatch(word)), "")


def _is_event(sentence: _Sentence) -> TypeGuess | None:
    dated = _WHEN.search(sentence.lowered)
    past = _first_past(sentence.words)
    if past and "used to" not in sentence.lowered:
        if dated:
            return TypeGuess("event", 0.85, f"{past!r}, {dated.group()!r}")
        # "Was", "did" and the like need a verb of their own to tell of something that happened.
        lexical = past not in type_words("no_deed")
        return TypeGuess("event", 0.65 if lexical else 0.5, f"something that happened: {past!r}")
    if planned := _PLANNED.search(sentence.lowered):
        return TypeGuess("event", 0.7, f"something planned: {planned.group()!r}")
    lasting = type_words("repeating") | type_words("lasting")
    if dated and not (lasting & set(sentence.words) or _begins_there(sentence, dated.start())):
        sure = 0.7 if _ON_A_DAY.search(sentence.lowered) else 0.55
        return TypeGuess("event", sure, f"has a date: {dated.group()!r}")
    return None


def _begins_there(sentence: _Sentence, dated: int) -> bool:
    """Whether what is so is so from a date on: "From 1 June the surgery takes bookings online"."""
    from_then = _FROM.search(sentence.lowered, 0, dated) is not None
    return from_then and not type_words("present").isdisjoint(sentence.words)


def _first_past(words: Sequence[str]) -> str | None:
    """The past form the sentence is about; none when a present form comes first."""
    auxiliary = None
    present, no_deed = type_words("present"), type_words("no_deed")
    for at, word in enumerate(words):
        if word in present:
            perfect = word in {"has", "have"} and _is_past(_verb_after(words, at))
            if not perfect or type_words("lasting") & set(words):
                return auxiliary
            continue
        if _is_past(word) and not (at and words[at - 1] in type_words("before_adjective")):
            if word not in no_deed:
                return word
            auxiliary = auxiliary or word
    return auxiliary


@lru_cache(_CACHED_WORDS_MAX)
def _is_past(word: str) -> bool:
    if word in {"was", "were", "had", "did", "didn't", "wasn't", "weren't", "hadn't", "couldn't"}:
        return True
    if word in irregular_pasts() or word in type_words("same_past"):
        return word not in type_words("not_past")
    return len(word) > 3 and word.endswith("ed") and word not in type_words("not_past")


# ---------------------------------------------------------------- the rest


def _is_foreign(sentence: _Sentence) -> TypeGuess | None:
    """The few plainest words of other languages."""
    if sentence.language in {"en", UNDECIDED}:
        return None
    for kind in ("preference", "opinion", "event"):
        for word in type_words(f"foreign_{kind}"):
            # Chinese and Japanese words have no spaces around them.
            inside = not word.isascii() and word[0] > "\u2e80" and word in sentence.lowered
            if inside or word in sentence.words:
                return TypeGuess(kind, 0.65, f"says {word!r}")
    return None


def _is_fact(sentence: _Sentence) -> TypeGuess | None:
    words = sentence.words
    place = next((at for at, word in enumerate(words) if word in type_words("present")), None)
    if place is not None:
        after = _verb_after(words, place)
        has = words[place] in _OWNING and after != "been" and not _is_past(after)
        holds = has or "now" in words or _FROM_DAY.search(sentence.lowered) is not None
        sure = _HOLDS if holds else 0.75
        return TypeGuess("fact", sure, f"states what is so: {words[place]!r}")
    return None


_RULES: tuple[Callable[[_Sentence], TypeGuess | None], ...] = (
    _is_foreign,
    _is_preference,
    _is_order,
    _is_lived,
    _is_opinion,
    _is_liking,
    _is_entity,
    _is_deed,
    _is_event,
    _is_fact,
)
