"""What speaks for or against a unit beside its own score: time, speaker, type, form, neighbours."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from scrubjay.answers import Parsed
from scrubjay.engine.rerank.neighbourhood import neighbourhood
from scrubjay.engine.rerank.window_fit import counted_times, fit, window_weight
from scrubjay.engine.shared.asking import asked_of
from scrubjay.engine.shared.entities import USER
from scrubjay.engine.shared.findings import finding_share
from scrubjay.language.asked_change import Asked
from scrubjay.language.asked_values import value_sought
from scrubjay.language.causes import gives_cause
from scrubjay.language.names import fold
from scrubjay.language.orders.steps import asks_how_to, steps_share
from scrubjay.language.questions import is_of_questions, only_asks
from scrubjay.language.states import says_now
from scrubjay.preset import SignSwitches
from scrubjay.store.base import NO_TIME, BankReader, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import FloatArray, MaskArray, RowArray

# Who asks of "I" and "my" is whom the agent serves: they know what they said themselves, not what
# the assistant made of it, unless they ask the assistant for its own words.
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|me|my|mine|myself|we|us|ours?)\b", re.IGNORECASE)
_SECOND_PERSON = re.compile(r"\byour?s?\b", re.IGNORECASE)
# "Can you tell me ..." is how one asks, and says nothing of whom.
_REQUEST = re.compile(
    r"(?:\b(?:can|could|would|will) you(?: please)?\b|^(?:please\b)?)"
    r"\s*(?:(?:tell|show|give|remind|help) (?:me|us)\b)?",
    re.IGNORECASE,
)
# What went wrong, why, and how it was mended an agent finds out itself, and tells. Of all else it
# knows what it was told: on chats a finding was no answer, whatever it said. English.
_OF_FINDINGS = re.compile(
    r"\b(?:why|cause[ds]?|reason|fix(?:e[ds])?|solved?|mended|wrong|broke|broken|bugs?"
    r"|crash(?:e[ds])?|fail(?:s|ed|ure)?|errors?|leak(?:s|ed)?|regression|root|found"
    r"|turned out|results?|measured)\b",
    re.IGNORECASE,
)
_ASSISTANTS = frozenset({"assistant", "ai", "bot", "agent", "model"})
# A unit of so many tokens, or more, says enough to be an answer.
_BRIEF_TOKENS = 8
# One of more than so many says by itself what it is about, and not by what stands around it.
_LONG_TOKENS = 100
# A turn of more tokens says much, whatever it asks.
_TURN_TOKENS_MAX = 60
_YEAR_MICROS = 365 * 86_400_000_000
_YEARS_MAX = 10.0
# So many candidates are read: those behind come into no short answer.
_READ_MAX = 20
# Of what steps count for a question how to do something, what a reason counts for a question why:
# every other text gives some reason, and often for something else.
_REASON_SHARE = 0.5
# Where there are units of the type that is asked for, such as what somebody likes, they tell of
# people, whoever said it: to be said by the one who is named counts so much less.
_TYPED_SPEAKER_SHARE = 0.5
# The place of whoever is not known.
NOBODY = -1
# A name taken for another person would favour the wrong one's words.
_SURE = 0.7


def signs_of(
    parsed: Parsed,
    switches: SignSwitches | None,
    bank: BankReader,
    columns: Columns,
    scores: FloatArray,
    hints: Sequence[str] = (),
    untold: int = 0,
) -> dict[str, FloatArray]:
    """What is added for each sign, by unit; signs the question does not give are left out.

    `scores` are those of fusion, best first; of `untold` among them there is nothing but a
    poor likeness.
    """
    if switches is None or not len(columns.rows):
        return {}
    signs: dict[str, FloatArray] = {}
    if switches.hinted and hints:
        codes = [bank.settings.type_code(name) for name in hints]
        signs["type"] = switches.hinted * _one_of(columns.types, codes)
    weight = window_weight(parsed, switches)
    if weight and parsed.window is not None:
        counted = counted_times(parsed, parsed.window, switches)
        signs["window"] = weight * fit(columns, parsed.window, counted)
    signs |= _spoken(parsed, switches, bank, columns.rows)
    if "speaker" in signs and "type" in signs and np.count_nonzero(signs["type"]):
        signs["speaker"] *= _TYPED_SPEAKER_SHARE
    if switches.form and (told := _form(parsed)) is not None:
        first = np.arange(len(columns.rows)) < _READ_MAX
        signs["form"] = switches.form * _shares(bank, columns.rows, first, told)
    if switches.brief and np.count_nonzero(lacking := brevity(columns)):
        signs["brief"] = -switches.brief * lacking
    a_year = _weight_of_a_year(parsed, switches)
    if a_year and np.count_nonzero(years := age(columns, parsed)):
        signs["age"] = -a_year * years
    # Of what every candidate scores nobody's neighbours are proof.
    unusual: FloatArray = np.maximum(scores - _middle(scores[: len(scores) - untold]), 0.0)
    signs |= _in_conversation(parsed, switches, bank, columns, unusual)
    if switches.neighbours:
        beside = neighbourhood(bank, columns, unusual)
        if np.count_nonzero(beside):
            alone = np.minimum(_LONG_TOKENS / np.maximum(columns.tokens, 1), 1.0)
            signs["neighbours"] = switches.neighbours * alone * beside
    return signs


def _one_of(values: npt.NDArray[np.integer], few: Sequence[int]) -> FloatArray:
    """1 where a value is one of a few, else 0; `np.isin`, made for many, takes far longer."""
    return sum((values == one for one in few), np.zeros(len(values)))


def _middle(scores: FloatArray) -> float:
    """The median of scores that descend, which need not be sorted for it; 0 of none."""
    half = len(scores) // 2
    return float(scores[half] + scores[-1 - half]) / 2 if len(scores) else 0.0


def brevity(columns: Columns) -> FloatArray:
    """How much of a short sentence units lack; 0 for most."""
    lacking: FloatArray = np.maximum(1.0 - columns.tokens / _BRIEF_TOKENS, 0.0)
    return lacking


def _spoken(
    parsed: Parsed, switches: SignSwitches, bank: BankReader, rows: RowArray
) -> dict[str, FloatArray]:
    """What speaks for and against units by who said them."""
    signs: dict[str, FloatArray] = {}
    named = named_speaker(parsed) if switches.speaker else None
    if not (named or switches.assistant):
        return signs
    speakers = bank.speakers_of(rows)
    # A bank may have any number of speakers; of candidates there are few.
    said = set(speakers.places[speakers.places != NOBODY].tolist())
    if not said:
        return signs
    folded = {place: fold(speakers.names[place]) for place in said}
    # Where none of them said anything, it does not matter what the question says of them.
    heard = not _ASSISTANTS.isdisjoint(folded.values())
    against = _against_assistants(parsed.question, switches) if heard else 0.0
    for name, weight, names in (
        ("speaker", switches.speaker, named or ()),
        ("assistant", -against, _ASSISTANTS),
    ):
        places = [place for place, other in folded.items() if weight and other in names]
        if places:
            signs[name] = weight * _one_of(speakers.places, places)
    if "assistant" in signs and _OF_FINDINGS.search(parsed.question):
        # What it found out nobody else told; what it offers or repeats is the user's to say.
        theirs = signs["assistant"] != 0
        signs["assistant"] *= 1.0 - _shares(bank, rows, theirs, finding_share)
    return signs


def _in_conversation(
    parsed: Parsed, switches: SignSwitches, bank: BankReader, columns: Columns, unusual: FloatArray
) -> dict[str, FloatArray]:
    """What speaks for and against turns of a conversation by what they do in it.

    A turn that only asks has the words and no answer: who asks the same again is answered by what
    was said to it. One that says no time, or no amount, does not answer who asks for one.
    """
    signs: dict[str, FloatArray] = {}
    read = (columns.sessions >= 0) & (columns.tokens <= _TURN_TOKENS_MAX)
    read[_READ_MAX:] = False
    if not (switches.question or switches.reply or switches.lacking) or not read.any():
        return signs
    places = np.flatnonzero(read)
    texts = bank.texts_of(columns.rows[places])
    told = [texts.get(row, "") for row in columns.rows[places].tolist()]
    asks = np.zeros(len(read), np.bool_)
    if not is_of_questions(parsed.question):
        asks[places] = [only_asks(text) for text in told]
    if asks.any():
        signs["question"] = -switches.question * asks.astype(np.float64)
        signs["reply"] = switches.reply * _replies(columns, asks, unusual)
    if switches.lacking and (gives := value_sought(parsed.question)) is not None:
        lacks = np.zeros(len(read))
        lacks[places] = [not gives(text) for text in told]
        signs["lacking"] = -switches.lacking * lacks
    return {name: values for name, values in signs.items() if values.any()}


def _replies(columns: Columns, asks: MaskArray, unusual: FloatArray) -> FloatArray:
    """What those score that asked, for the turn right after each."""
    replies: FloatArray = np.zeros(len(asks))
    for place in np.flatnonzero(asks).tolist():
        after = columns.rows == columns.rows[place] + 1
        after &= (columns.sessions == columns.sessions[place]) & ~asks
        replies[after] = unusual[place]
    return replies


def _form(parsed: Parsed) -> Callable[[str], float] | None:
    """How far a text has the form that the question asks for; None where it asks for none.

    A question how something is done is answered by the text that says what to do, and not by one
    that tells that it was done; a question why by one that gives a reason.
    """
    if parsed.asks_for == "cause":
        return lambda text: _REASON_SHARE if gives_cause(text) else 0.0
    return steps_share if asks_how_to(parsed.question) else None


def _shares(
    bank: BankReader, rows: RowArray, wanted: MaskArray, share: Callable[[str], float]
) -> FloatArray:
    """What a reading of their texts gives the wanted among the first candidates."""
    shares = np.zeros(len(rows))
    places = np.flatnonzero(wanted[:_READ_MAX])
    texts = bank.texts_of(rows[places]) if len(places) else {}
    for place, row in zip(places.tolist(), rows[places].tolist(), strict=True):
        shares[place] = share(texts[row]) if row in texts else 0.0
    return shares


def _against_assistants(question: str, switches: SignSwitches) -> float:
    """What is taken from an assistant's words, by whom a question speaks of."""
    asked = _REQUEST.sub("", question)
    if _SECOND_PERSON.search(asked):
        return 0.0
    own = bool(_FIRST_PERSON.search(asked))
    return switches.assistant * (1.0 if own else switches.impersonal_share)


def _weight_of_a_year(parsed: Parsed, switches: SignSwitches) -> float:
    """What is taken for each year since a unit was told."""
    about_now = says_now(parsed.question) and asked_of(parsed) is Asked.NOW
    return switches.per_year_now if about_now and parsed.window is None else switches.per_year


def age(columns: Columns, parsed: Parsed) -> FloatArray:
    """Years since each unit was told; 0 for what has no time, or is told of as to come."""
    years = (to_micros(parsed.now) - columns.told_at.astype(np.float64)) / _YEAR_MICROS
    # np.clip takes three times as long.
    bounded = np.minimum(np.maximum(years, 0.0), _YEARS_MAX)
    return np.where(columns.told_at == NO_TIME, 0.0, bounded)


def named_speaker(parsed: Parsed) -> frozenset[str] | None:
    """The folded names of the one entity the question names; None for none or several."""
    # What the user said has a sign of its own.
    named = (entity for entity in parsed.entities if entity.name != USER)
    sure = [entity for entity in named if entity.confidence >= _SURE]
    if len(sure) != 1:
        return None
    return frozenset({fold(sure[0].name), fold(sure[0].mention)})
