"""Reads what a text says has changed: what ended, what is now another, and about what."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from typing import NamedTuple

from scrubjay.language.alternatives import any_said
from scrubjay.language.analyzer import Analysis, Analyzer
from scrubjay.language.detection import UNDECIDED, detect_language
from scrubjay.language.foreign_changes import ForeignWords, foreign_words
from scrubjay.language.stopwords import noise_words
from scrubjay.language.told_values import (
    ANY,
    Values,
    day_names,
    month_names,
    number_words,
    values_of,
    written,
)


class ChangeKind(StrEnum):
    """How a text says that something is no longer as it was."""

    ENDED = "ended"  # "the old login is gone", "we threw out the printer"
    CHANGED = "changed"  # "stand-up moved to 9:15", "she takes over the accounts"
    HOLDS_NOW = "holds now"  # "the limit is 90 a minute now", "this year we sleep in tents instead"
    NEW = "new"  # "the new limit is 90", "a new key for the shed"


@dataclass(frozen=True, slots=True)
class Change:
    """One change that a text tells of; words are terms of the index, without those that say little.

    `about` are the words right at the change, which say what changed; `sentence` all of its
    sentence's, `around` those of the sentences beside it too; `values` are what its own names.
    """

    kind: ChangeKind
    about: frozenset[str]
    sentence: frozenset[str]
    phrase: str  # what ended, as it is written, lowered; empty where that is not plain
    around: frozenset[str]
    values: Values
    first_person: bool
    sure: bool  # the words leave little doubt that something changed
    # About what a pronoun stands for: all that was said just before, of which only a part is meant.
    by_pronoun: bool = False
    third_person: bool = False  # its sentence speaks of somebody or something by a pronoun
    moves_house: bool = False
    called_off: bool = False  # something planned: it was still to come
    mends: bool = False  # it was broken, and is so no more
    corrects: bool = False  # it says outright that what was told before is not so

    def is_explicit(self) -> bool:
        """Whether the text leaves no doubt that something was moved, changed to or called off."""
        return self.called_off or (self.kind is ChangeKind.CHANGED and self.sure)


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory as a change is compared with it: its words, and its sentences with theirs."""

    lowered: str
    words: frozenset[str]
    sentences: tuple[tuple[frozenset[str], str], ...]
    comparable: bool  # False: a question, or too long to be about one thing

    # Read when they are asked for: most statements are not, and each takes a look at every word.
    @property
    def first_person(self) -> bool:
        """Whether who tells it speaks of themselves."""
        return _FIRST_PERSON.search(self.lowered) is not None

    @property
    def lives(self) -> bool:
        """Whether it says where someone lives."""
        return _LIVES.search(self.lowered) is not None

    @property
    def troubled(self) -> bool:
        """Whether it says that something does not work."""
        return _TROUBLED.search(self.lowered) is not None

    def says_over(self, about: frozenset[str]) -> bool:
        """Whether a sentence about some of this says itself that it is not so, or has ended."""
        return any(
            _OVER.search(sentence.lower()) is not None
            for words, sentence in self.sentences
            if not words.isdisjoint(about)
        )


# A longer text tells of many things, and one sentence of it that something changed does not say
# which other memory it is about.
_CHARACTERS_MAX = 260
# Behind the point of "18. März" none ends.
_SENTENCE_END = re.compile(rf"(?<=[.!?;。！？；])\s+(?!(?:{month_names()})\b)|\n+", re.IGNORECASE)
# A search skips to the signs; without one that is followed so there is no end.
_MAY_END = re.compile(r"[.!?;。！？；\n](?:\s|(?<=\n))")
_CLAUSE_END = re.compile(
    r"[,;:()]\s+|\s[-–—]+\s|\s+(?:(?:but|so|although|while|whereas)\s+|(?=because\s))",
    re.IGNORECASE,
)
_BACKGROUND = re.compile(r"\b(?:because|since|after|when|before)\s")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine)\b", re.IGNORECASE)
_THIRD_PERSON = re.compile(r"\b(?:he|she|it|they|him|her|them|this|that|its|his|their)\b")
_LIVES = re.compile(
    r"\b(?:lives?|living|lived|address|home|flat|apartment|moved? (?:in)?to|based in|street)\b"
)
_TROUBLED = re.compile(
    r"\b(?:broke|broken|breaks?|down|stuck|fail(?:s|ed|ing|ures?)?|crash\w*|errors?|bugs?|leak\w*"
    r"|drip\w*|jam(?:s|med)?|cracked|blocked|clogged|dead|flat|slow|noisy|hurts?|ach(?:es|ing)|sick"
    r"|ill|injured|lost|missing|wrong|trouble|problems?|issues?|faulty|out of order|power cut"
    r"|(?:does|do|did|is|are|was|were)(?:n't| not) (?:work|start|open|close|turn|load|running)\w*"
    r"|kaputt|defekt|tropft|undicht|klemmt|geht nicht|en panne|cassée?|fuit|roto|rota|averiad[oa]"
    r"|no funciona|rott[oa]|guast[oa]|quebrad[oa]|stuk|lekt)\b"
)
# What is said to be over of this was over before.
_OVER = re.compile(
    r"\b(?:not|no longer|never|gone|over|cured|healed|ended|cancelled|removed)\b|n't\b"
)
# What may be, is wished for or is only thought of has not changed anything.
_SUPPOSING = (
    "if", "might", "may(?<=(?-i:may))", "could", "would", "should", "maybe", "perhaps", "probably",
    "thinking (?:of|about)", r"wonder\w*", r"consider\w*", "hop(?:e|es|ing)", "want(?:s|ed)? to",
    r"wish\w*", "unless", "whether", r"propos\w+", r"suggest\w*", "let's", "plan(?:s|ning)? to",
    "needs? to", "try(?:ing)? to", "going to try", "vielleicht", "könnten?", "würden?",
    "sollt?en?", "falls", "eventuell", "möchten?", "überlegen", "peut-être", "quizás", "tal vez",
    "forse", "talvez", "misschien",
)  # fmt: skip
_SUPPOSED = re.compile(rf"\b{any_said(_SUPPOSING)}\b", re.IGNORECASE)
_JOINED = re.compile(r"\s(?:for|of|in|at|on|with|from|by|under|behind|about)\s", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot|nor|without|nobody|nothing)\b|n't\b)[^,;.]{0,18}$", re.IGNORECASE
)
_ANY_ONE = re.compile(r"\b(?:an?|some|another|every|each)\s+\S+\s*$", re.IGNORECASE)
_PLAINLY_OVER = (
    "retired|abolished|cancell?ed|called off|scrapped|discontinued|shut down|closed down"
    "|switched off|revoked|withdrawn|deprecated|decommissioned|disconnected|axed"
)
_ENDS_BEFORE = re.compile(
    rf"(?:\b(?:is|are|gets|got)|'s|\b(?:has|have) been|\b(?:was|were)(?= (?:{_PLAINLY_OVER})))"
    rf" (?:now |finally |already |officially |all )?(?:gone|dead|dropped|history(?=$|[.!])"
    rf"|off(?=$|[.!]| (?:because|since|this|after)\b)|{_PLAINLY_OVER})"
    r"\b(?! (?:of|to|for|with|there|here|from|in|and about|loud)\b)",
    re.IGNORECASE,
)
# Notes leave out the verb: "badges - Osprey cancelled".
_NOTED_OVER = re.compile(
    rf"^((?:[\w.'&-]+ ){{1,3}}?)(?:now )?(?:{_PLAINLY_OVER})[.!]?$", re.IGNORECASE
)
# "The tap is fixed", "search works again": what was wrong with it is over.
_MENDED = re.compile(
    r"(?:(?:\b(?:is|are|got|was|were)|'s|\b(?:has|have) been) (?:now |finally |all |being )?"
    r"(?:fixed|repaired|mended|solved|sorted|resolved|healed|unblocked|back up|(?:up|found) again)"
    r"|\b(?:works?|runs?|starts?|opens?|closes?|loads?|goes up|working|running)(?: [^\s,;.]+){0,2}?"
    r" again)\b",
    re.IGNORECASE,
)
# With an article it is rather published: "the report is out".
_IS_OUT = re.compile(r"^(?:(?:and|so) )?[\w.-]{2,40} is out\b(?! of)", re.IGNORECASE)
_NO_LONGER = re.compile(r"\bno longer\b|(?:n't|\bnot)\b[^.;,]{1,40}?\bany ?more\b", re.IGNORECASE)
# Where a clause goes on to say what its subject does not do: "and doesn't", "but no longer".
_AND_NOT = re.compile(
    r"\s+(?:and|but|or)\s+(?=(?:\w+n't|(?:\w+\s)?(?:not|no longer))\b)", re.IGNORECASE
)
# Who or what a clause is about stands at its beginning.
_SUBJECT_WORDS = 3
# What there is no more of is named right behind: of "no more night shifts" the shifts.
_NO_MORE = re.compile(
    r"^no more ((?:(?!(?:for|of|in|at|on|with|from|by|is|are|now|this|that|and|or|since|than)\b)"
    r"[\w'-]+\s?){1,3})",
    re.IGNORECASE,
)
_ENDS_AFTER = re.compile(
    r"\b(?:(?P<plainly>threw out|thrown out|got rid of|ditched|scrapped|forget(?: about)?)"
    r"|(?:gave|given|giving) up|called off|abandoned|retired|abolished|resigned from|cancell?ed"
    r"|(?:'s|is|are|'m|am|'re) (?:done|finished|through) with"
    r"|moved away from|stopped (?:using|taking|going to|working (?:at|for|with))"
    r"|instead of(?! \w+ing\b)"
    r"|(?:we|i|they|he|she)(?: have| has|'ve|'s)? left|replac(?:ed|es)"
    r"|(?:sold|deleted|dropped)(?= (?:the|my|our|his|her|their)\b))\s+",
    re.IGNORECASE,
)
# "Not Porto after all": what is named was only thought of, or is so no more.
_NOT_AFTER_ALL = re.compile(r"\bnot ((?:[\w'&-]+ ){1,4}?)after all\b", re.IGNORECASE)
# Who stopped, by what they did themselves: "our tuner retired", "the insurer dropped us". A door
# closes every day: that it did ends something only as the reason for something else.
_WHO = r"(?P<{}>(?:[\w.'&-]+ ){{1,4}}?)(?:has |have |had |is |are )?"
_STOPPED = re.compile(
    rf"(?:^{_WHO.format('who')}(?:retire[ds]|resign(?:ed|s)|retiring|leaving|steps down"
    r"|stepped down|went bust|gone bust|moved on|moved away"
    r"|(?:left|leaves|quit)(?= (?-i:[A-Z])|$|[.!])"
    r"|clos(?:ed|ing) down|(?:cancelled|dropped|left|terminated) us)"
    rf"|\b(?:since|because|now that) {_WHO.format('whose')}(?:retired|resigned|quit|folded|closed"
    r"|left|went bust|stepped down))"
    r"(?=$|[.!]| (?:on|in|at|last|this|next|yesterday|today|after|because|now)\b| (?-i:[A-Z]))",
    re.IGNORECASE,
)
_CALLED_OFF = re.compile(
    r"cancel|called off|postpon|reschedul|scrapped|\b(?:is|are) off\b|fällt aus|fallen aus|abgesagt"
    r"|annul|afgelast",
    re.IGNORECASE,
)
_ANY_VALUE = (
    "(?<=[esm] )(?:moving|switching|changing)"
    "|mov(?:es|ed)|switch(?:ed|es)(?! o(?:ff|n)\\b)|chang(?:ed|es)|shift(?:ed|s)"
    "|slip(?:s|ped)|postponed|rescheduled|relocated|migrated|renamed|upgraded|downgraded|converted"
    "|swapped|rolled back|(?:has|have) been (?:taken|brought|sent)(?: over| across| up| down)?"
)
_BY_NUMBER = (
    "rais(?:ed|es)|upp(?:ed|s)|lower(?:ed|s)|cut|bumped|doubled|halved|tripled|increas(?:ed|es)|reduc(?:ed|es)"
    "|brought|pushed|extended|shortened|put (?:back|off|up)|go(?:es|ing)|went|gone|comes|came|is up"
    "|is down|are up|are down|dropped|rose|fell|updated|set|put"
)
_CHANGES_TO = re.compile(
    rf"\b(?P<verb>(?P<any>{_ANY_VALUE})|{_BY_NUMBER}|back)\b(?P<between>(?: [^\s,;.]+){{0,6}}?)"
    r" (?P<joint>to|into|until|till|onto|on)\s+",
    re.IGNORECASE,
)
_TAKES_OVER = re.compile(
    r"\b(?:takes?|took|taken|taking) (?:over|on)\b(?! to\b)|\bsucceed(?:s|ed)\b", re.IGNORECASE
)
# All read lowered texts, which takes a third of the time.
_THEN = (
    "as of",
    r"from (?:today|tonight|tomorrow|now on|next \w+|this \w+|the (?:\d|first\b)"
    r"|\d+ [a-z]{3}|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)",
    r"since (?:yesterday|today|last \w+|this \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|the (?:\w+ )?\w+(?=[.,;!]|$))",
)
# One for each, which begins with a word that the engine skips to.
_FROM_THEN = tuple(
    re.compile(rf"{cue}(?<=\b{cue}){said.removeprefix(cue)}\b")
    for said in _THEN
    for cue in said.split(" ")[:1]
)
# Every alternative begins with a letter, by which the engine passes over most at once.
_IS_NOW = re.compile(
    # "For years now", "for a while now" and "for now" say nothing of what was before.
    r"\b(?:now(?<!while now)(?<!years now)(?<!months now)(?<!weeks now)(?<!for now)|nowadays"
    r"|these days|instead|effective|correction|actually|i meant|turns out|changed"
    r"|change of plans?|scratch that|new (?:plan|arrangement)|on second thoughts?|after all"
    r"|this time|for the time being|got (?:that|it|this) wrong|my mistake|decided"
    rf"|(?=[aot\d])(?:an?|one|two|three|\d+) (?:hour|day|week|month|year)s? (?:later|earlier)"
    rf"|{'|'.join(_THEN)})\b"
)
_CORRECTS = re.compile(
    r"\b(?:change of plans?|correction|scratch that|new (?:plan|arrangement)|instead|after all"
    r"|on second thoughts?|my mistake|got (?:that|it|this) wrong|i meant)\b"
)
_IS_NEW = re.compile(r"\bnew\s+(?=[a-z])(?!year|moon\b)")
_HOME = re.compile(r"(?:place|flat|house|home|address|apartment)\b", re.IGNORECASE)
# What is new is named by the words behind it, up to a verb or the value.
_NEW_ENDS = re.compile(
    r"[:,;.]|\s(?:is|are|was|will|has|since|from|and|that|which)\b", re.IGNORECASE
)
# Words without which a text says nothing of a kind; most texts have none. They are as they stand in
# a text, whose terms are at hand.
_CUES = {
    ChangeKind.ENDED: frozenset(
        """
        gone dead dropped retired abolished cancelled canceled called scrapped discontinued shut
        closed switched revoked withdrawn deprecated decommissioned disconnected axed out longer
        anymore more threw thrown rid gave given giving ditched abandoned resigned away stopped
        forget instead after left sold deleted replaced replaces quit folded bust stepped closing
        retiring terminated history off done finished through retires resigns leaving leaves steps
        fixed repaired mended solved sorted resolved healed unblocked again
        """.split()  # noqa: SIM905 - a list of words reads best as one
    ),
    ChangeKind.CHANGED: frozenset(
        {"to", "into", "until", "till", "onto", "on", "back", "over", "succeeded"}
    ),
    ChangeKind.HOLDS_NOW: frozenset(
        """
        now nowadays these instead effective correction actually meant turns changed later earlier
        from since as change scratch arrangement plan thought thoughts after being wrong mistake
        decided time
        """.split()  # noqa: SIM905
    ),
    ChangeKind.NEW: frozenset({"new"}),
}
# Of the commonest of them more has to be there: "after all", "instead of", "from Monday".
_ENDING = _CUES[ChangeKind.ENDED] - {"after", "instead"}
_BY_NOW = _CUES[ChangeKind.HOLDS_NOW] - {"from", "since", "as"}
# "Moved on" and "back up" say so of a clause only beside another of them.
_ENDING_CLAUSE = _CUES[ChangeKind.ENDED] | {"moved", "back"}
_MENDING = frozenset(
    {"fixed", "repaired", "mended", "solved", "sorted", "resolved", "healed", "unblocked", "back",
     "again"}
)  # fmt: skip
# What leads to the value of now, or says that somebody takes over.
_CHANGING_CLAUSE = _CUES[ChangeKind.CHANGED] | {"succeed", "succeeds"}
_CHANGING = frozenset(
    """
    moved moves moving switched switches switching changed changes changing shifted shifts postponed
    slips slipped rescheduled relocated migrated renamed upgraded downgraded converted swapped back
    took takes taken taking succeeds succeeded raised raises upped ups lowered lowers cut bumped
    doubled halved tripled increased increases reduced reduces brought pushed extended shortened put
    goes going went gone comes came up down dropped rose fell updated set rolled brought sent
    """.split()  # noqa: SIM905
)
_CUE_WORDS = _CHANGING.union(*_CUES.values())
# A name, a number, or one word with which the clause ends.
_ENDS_IN_VALUE = re.compile(
    rf"(?:the |an? |our |my |her |his |their )?(?:[`'\"]?[A-Z\d£$€¥]|half\b|noon\b|midnight\b"
    rf"|(?:{number_words()})\b|[a-z]+ \d"
    r"|[\w.-]+(?=\s*(?:$|[.,;:!?)]|last|this|yesterday|today|and|from|in|on|since|next|two|three)))"
)
_BARE_NUMBER = re.compile(
    rf"(?:\d[\d,.]{{0,12}}|(?:{number_words()})(?:-(?:{number_words()}))?)(?=[.,;:!?)]*(?:\s+(?:from|in|on|as|since|and|for|with|after)\b|\s*$))",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    rf"(?:the |an? |about |around |only )?(?:[£$€¥]?\d|(?:{number_words()})\b)|[A-Z]\S* \d"
)
# Words that are in too many memories to say what one is about.
_LIGHT_WORDS = """
    today tonight yesterday tomorrow now till until still also just realli got get one new back time
    day like go come
    make good thing want week month year say said tell told know think start need much lot sinc
    alreadi bit way let keep take put use first last next two three don doesn isn ll ve re im well
    thank great hey hi oh yeah ok okay love feel look thought never alway everi everyon everyth
    anyth someth nice sure peopl right left end set old call ask give ago done even ever move
    switch chang instead longer anymor updat see morn half goe went came bring gone out over more
    brought kept monday tuesday wednesday thursday friday saturday sunday januari februari march
    april may june juli august septemb octob novemb decemb jan feb mar apr jun jul aug sep sept oct
    nov dec percent cent minut hour second euro dollar pound number code mg kg km ml cm gb mb am pm
    i'm it' don't didn't can't won't that' he' she' there' what' ani correct actual
    becaus
"""
_LIGHT = frozenset(_LIGHT_WORDS.split())


def calls_off(text: str) -> bool:
    """Whether a text says that something planned does not take place, or not then."""
    return _CALLED_OFF.search(text) is not None


class Cues(NamedTuple):
    """How a text may say that something changed."""

    kinds: tuple[ChangeKind, ...]
    foreign: ForeignWords | None  # in another language than English; then there are no kinds


def cues_in(text: str, terms: Collection[str]) -> Cues | None:
    """How a text may say that something changed; None for most, as a look at their words tells.

    `terms` are the words of the text as the index has them.
    """
    if len(text) > _CHARACTERS_MAX:
        return None
    foreign = foreign_words(text, terms)
    kinds = _kinds(text, terms) if foreign is None else ()
    return None if foreign is None and not kinds else Cues(kinds, foreign)


def reader_of(analysis: str, text: str, terms: Collection[str]) -> Analyzer:
    """How the words of a text are compared with others in a bank that reads words in some way.

    One without a word for a change in another language is taken for English: of a short text the
    language is hard to tell, and the index took it for English, too.
    """
    if analysis != Analysis.STANDARD:
        return Analyzer(analysis)
    told = foreign_words(text, terms) is not None and detect_language(text) != UNDECIDED
    return Analyzer(detect_language(text) if told else "en")


def changes_in(text: str, terms: Collection[str], analyzer: Analyzer) -> tuple[Change, ...]:
    """The changes that a text tells of, none for most; questions and suppositions tell of none.

    `terms` are the words of the text as the index has them.
    """
    cues = cues_in(text, terms)
    return () if cues is None else changes_by(cues, text, analyzer)


def changes_by(cues: Cues, text: str, analyzer: Analyzer) -> tuple[Change, ...]:
    """The same, of a text whose cues are known."""
    if cues.foreign is not None:
        return tuple(_changes(_sentences(text), partial(_in_foreign, cues.foreign), analyzer))
    return tuple(_changes(_sentences(text), partial(_in_sentence, cues.kinds), analyzer))


def _kinds(text: str, terms: Collection[str]) -> tuple[ChangeKind, ...]:
    """The kinds of change that a text may tell of, by its words: none for most."""
    said = _CUE_WORDS.intersection(terms)
    if not said:
        return ()
    lowered = text.lower()
    return tuple(
        kind
        for kind, cues in _CUES.items()
        if not cues.isdisjoint(said) and _may_be(kind, said, lowered)
    )


def _may_be(kind: ChangeKind, said: frozenset[str], lowered: str) -> bool:
    """Whether a text with a cue of some kind has what else its commonest cues need."""
    if kind is ChangeKind.ENDED:
        return not _ENDING.isdisjoint(said) or "after all" in lowered or "instead of" in lowered
    if kind is ChangeKind.CHANGED:
        return not _CHANGING.isdisjoint(said)
    if kind is ChangeKind.HOLDS_NOW:
        cues = _FROM_THEN if _BY_NOW.isdisjoint(said) else (_IS_NOW,)
        return any(cue.search(lowered) is not None for cue in cues)
    return True


def statement_of(text: str, analyzer: Analyzer) -> Statement:
    """A stored memory, ready to be compared."""
    sentences = _sentences(text)
    read = tuple((_words(each, analyzer), each) for each in sentences)
    lowered = " ".join(sentences).lower()
    return Statement(
        lowered=lowered,
        words=frozenset[str]().union(*(words for words, _ in read)),
        sentences=read,
        comparable=len(text) <= _CHARACTERS_MAX and not text.rstrip().endswith(("?", "？")),
    )


def _sentences(text: str) -> list[str]:
    read = text[:_CHARACTERS_MAX].replace("’", "'")
    if _MAY_END.search(read) is None:  # as in most texts, which are one sentence
        return [read] if read.strip() else []
    return [part for part in _SENTENCE_END.split(read) if part.strip()]


@cache
def _noise(analysis: str) -> frozenset[str]:
    names = frozenset([*day_names(), *month_names().split("|")])
    reader, foreign = (
        Analyzer(analysis),
        (noise_words(analysis) | names if analysis != "en" else ()),
    )
    terms = frozenset(term for word in foreign for term in reader.key_terms(word))
    return noise_words("en") | noise_words(analysis) | _LIGHT | terms


_COUNT = re.compile(r"[\d.]+(?:st|nd|rd|th)?")  # a number, or a day of the month


def _words(text: str, analyzer: Analyzer) -> frozenset[str]:
    """The words of a part of a text that say what it is about."""
    noise = _noise(analyzer.analysis)
    return frozenset(
        term
        for term in analyzer.key_terms(text)
        if term not in noise
        and len(term) > 1
        and (term[0].isalpha() or _COUNT.fullmatch(term) is None)
    )


def _changes(
    sentences: list[str], reading: Callable[[str], Iterator[_Found]], analyzer: Analyzer
) -> Iterator[Change]:
    for place, sentence in enumerate(sentences):
        if sentence.rstrip().endswith(("?", "？")):
            continue
        found = list(reading(sentence))
        if not found or _SUPPOSED.search(sentence):
            continue
        near = sentences[max(0, place - 1) : place + 2]
        own = _words(sentence, analyzer)
        around = own if len(near) == 1 else _words(" ".join(near), analyzer)
        values, lowered = values_of(sentence), sentence.lower()
        for each in found:
            about = _words(each.said, analyzer)
            # "Brought him down to 75 mg": who that is was said just before.
            by_pronoun = each.kind in _MAY_BE_OF_A_PRONOUN and (
                not about or _NOW_IT_IS.match(each.said) is not None
            )
            if by_pronoun:
                about = _words(" ".join(sentences[max(0, place - 1) : place + 1]), analyzer)
            yield Change(
                each.kind,
                about,
                own,
                each.phrase,
                around,
                {**values, ANY: each.target} if each.target else values,
                _FIRST_PERSON.search(sentence) is not None,
                each.sure,
                by_pronoun,
                # Of what is moved "from" somewhere the place it was is told.
                moves_house=each.home and " from " not in lowered,
                # Of what takes another's place the other need not have been still to come.
                called_off=_CALLED_OFF.search(sentence) is not None and "instead" not in lowered,
                mends=each.mends,
                third_person=_THIRD_PERSON.search(lowered) is not None,
                corrects=_CORRECTS.search(lowered) is not None,
            )


# "Now it's Marcus": of what was just spoken of.
_NOW_IT_IS = re.compile(
    r"(?:now )?(?:it's|that's|it is|that is) (?:now )?(?-i:[A-Z\d])", re.IGNORECASE
)
_MAY_BE_OF_A_PRONOUN = (ChangeKind.CHANGED, ChangeKind.HOLDS_NOW)


class _Found(NamedTuple):
    kind: ChangeKind
    said: str
    phrase: str = ""
    sure: bool = True
    target: frozenset[str] = frozenset()  # the bare number that something is changed to
    mends: bool = False
    home: bool = False  # it is where someone lives that is another


def _in_foreign(words: ForeignWords, sentence: str) -> Iterator[_Found]:
    """What a sentence in another language says has changed, clause by clause."""
    by_now = words.now.search(sentence.lower()) is not None
    for clause in _CLAUSE_END.split(sentence):
        lowered = clause.lower()
        said = " ".join(word for word in lowered.split() if word.strip(".!") not in words.cues)
        if words.ended.search(lowered):
            yield _Found(ChangeKind.ENDED, said, sure=False)
        elif words.changed.search(lowered):
            yield _Found(ChangeKind.CHANGED, said)
        elif by_now and (words.now.search(lowered) or values_of(clause)):
            yield _Found(ChangeKind.HOLDS_NOW, said)


def _in_sentence(kinds: Collection[ChangeKind], sentence: str) -> Iterator[_Found]:
    holds_now = ChangeKind.HOLDS_NOW in kinds and _IS_NOW.search(sentence.lower()) is not None
    for clause in _CLAUSE_END.split(sentence):
        said = _words_as_written(clause)
        if ChangeKind.ENDED in kinds and not _ENDING_CLAUSE.isdisjoint(said):
            yield from _ended(clause)
            if not _MENDING.isdisjoint(said):
                yield from _mended(clause)
        if ChangeKind.CHANGED in kinds and not _CHANGING_CLAUSE.isdisjoint(said):
            yield from _changed(clause)
        if holds_now and (_is_news(clause, _IS_NOW) or values_of(clause)):
            yield _Found(ChangeKind.HOLDS_NOW, clause)
        if ChangeKind.NEW in kinds and _is_news(clause, _IS_NEW):
            yield from _new(clause)


def _words_as_written(clause: str) -> list[str]:
    return _LETTERS.findall(clause.lower())


_LETTERS = re.compile(r"[^\W\d_]+")


def _is_news(clause: str, cue: re.Pattern[str]) -> bool:
    """Whether a clause has a cue, and not only as the reason or the time of something else."""
    lowered = clause.lower()
    found = cue.search(lowered)
    return found is not None and _BACKGROUND.search(lowered, 0, found.start()) is None


def _ended(clause: str) -> Iterator[_Found]:
    for match in _ENDS_BEFORE.finditer(clause):
        before = clause[: match.start()]
        # "A dependency was dropped": nobody knows which, so no memory is about it.
        if _DENIED.search(before) is None and _ANY_ONE.search(before) is None:
            # "The login for partners": what ended is the login.
            words = _JOINED.split(" ".join(before.split()[-6:]))[0].split()
            phrase = " ".join(words[-2:]).lower()
            yield _Found(ChangeKind.ENDED, " ".join(words[-3:]), phrase)
    yield from _put_briefly(clause)
    out = _IS_OUT.match(clause)
    if out is not None:
        yield _Found(ChangeKind.ENDED, out.group().split()[-3])
    if _NO_LONGER.search(clause):
        yield _Found(ChangeKind.ENDED, _said_to_end(clause), sure=False)
    more = _NO_MORE.match(clause)
    if more is not None:
        yield _Found(ChangeKind.ENDED, more[1], more[1].strip().lower(), sure=False)
    stopped = _STOPPED.search(clause)
    if stopped is not None and _DENIED.search(stopped.group()) is None:
        who = _JOINED.split((stopped["who"] or stopped["whose"]).strip())[0]
        yield _Found(ChangeKind.ENDED, who, who.split()[-1].lower(), sure=False)
    for match in _ENDS_AFTER.finditer(clause):
        if _DENIED.search(clause[: match.start()]) is None:
            said = " ".join(clause[match.end() :].split()[:4])
            yield _Found(ChangeKind.ENDED, said, sure=match["plainly"] is not None)


def _mended(clause: str) -> Iterator[_Found]:
    for match in _MENDED.finditer(clause):
        before = clause[: match.start()]
        if _DENIED.search(before) is None:
            said = " ".join(before.split()[-_SUBJECT_WORDS:])
            yield _Found(ChangeKind.ENDED, said, sure=False, mends=True)


def _said_to_end(clause: str) -> str:
    """The part of a clause that says what is no longer so, with who or what that is said of.

    Of "she lives on Park Street and doesn't drive any more" the street is not what ended.
    """
    subject, *others = _AND_NOT.split(clause)
    ended = [each for each in others if _NO_LONGER.search(each)]
    if not ended or _NO_LONGER.search(subject):
        return clause
    return " ".join([*subject.split()[:_SUBJECT_WORDS], *ended])


def _put_briefly(clause: str) -> Iterator[_Found]:
    """What ended, where no verb says so."""
    undone = _NOT_AFTER_ALL.search(clause)
    if undone is not None:
        yield _Found(ChangeKind.ENDED, undone[1], sure=False)
    noted = _NOTED_OVER.match(clause)
    if noted is not None and _FIRST_PERSON.search(noted[1]) is None:
        yield _Found(ChangeKind.ENDED, noted[1], noted[1].split()[-1].lower(), sure=False)


def _new(clause: str) -> Iterator[_Found]:
    for match in _IS_NEW.finditer(clause.lower()):
        named = _NEW_ENDS.split(clause[match.end() :], 1)[0]
        whose = clause[: match.start()].strip()
        if _HOME.match(named) and whose:
            yield _Found(ChangeKind.CHANGED, whose, sure=False, home=True)
            continue
        yield _Found(ChangeKind.NEW, " ".join(named.split()[:5]), sure=False)


_MOVES = re.compile(r"mov(?:es|ed|ing)$", re.IGNORECASE)
_MOVES_ITSELF = re.compile(r"(?: (?:house|home|in|out|back|over|down|up|away|together))*$")


def _is_home(between: str, value: str) -> bool:
    """Whether who moves goes to live elsewhere: nothing else is moved, and to no day or hour."""
    first = " ".join(value.split()[:3])
    return _MOVES_ITSELF.match(between) is not None and not _WHEN & values_of(first).keys()


_WHEN = frozenset({"weekday", "date", "clock"})


def _changed(clause: str) -> Iterator[_Found]:
    for match in _CHANGES_TO.finditer(clause):
        before, value = clause[: match.start()], clause[match.end() :]
        if _DENIED.search(before) is not None:
            continue
        sure = match["any"] is not None
        returns = match["verb"].lower() == "back" and match["joint"].lower() == "on"
        # "Put me on 88 mg" is the one other change that "on" leads to.
        if (match["joint"].lower() == "on") is not (returns or match["verb"].lower() == "put"):
            continue
        if returns and match["between"]:
            continue  # "my back hurt on Monday"
        fits = _ENDS_IN_VALUE if sure or returns else _NUMBER
        if fits.match(value):
            said = f"{' '.join(before.split()[-6:])} {match['between']}"
            said = value.split()[0] if returns else said
            bare = _BARE_NUMBER.match(value)
            target = frozenset() if bare is None else frozenset({written(bare.group())})
            home = _MOVES.match(match["verb"]) is not None and _is_home(match["between"], value)
            yield _Found(ChangeKind.CHANGED, said, sure=sure, target=target, home=home)
    taken = _TAKES_OVER.search(clause)
    if taken is not None and _DENIED.search(clause[: taken.start()]) is None:
        yield _Found(ChangeKind.CHANGED, clause[taken.end() :])
