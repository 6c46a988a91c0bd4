"""Which words of a text may be names that the bank knows, though nothing shows that they are."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.known_names import Said
from scrubjay.language.detection import UNDECIDED, detect_language
from scrubjay.language.names import fold
from scrubjay.language.names.capitals import is_subject
from scrubjay.language.names.everyday import looks_everyday, names_nothing
from scrubjay.language.names.lists import FUNCTION_WORDS, TECHNICAL_CUES
from scrubjay.language.names.uncased import uncased_words
from scrubjay.language.word_memory import WordMemory

# The capital first, behind which a search skips; it begins a word.
_CAPITALISED = re.compile(r"[^\W\d_a-z](?<!\w.)[\w'-]{0,50}+(?: [^\W\d_a-z][\w'-]{0,50}+){0,3}")

# A word in lower case of a length that names have; so many unusual ones of a unit are looked up.
_PLAIN = re.compile(r"(?<![\w.@/#-])[a-z]{3,20}(?![\w@/]|\.\w)")
_PLAIN_MAX = 32


# Among the unusual words of a text, one behind which stands what a thing is called.
_CUE = ""


def _unusual_in(written: str) -> tuple[str, ...]:
    if written in TECHNICAL_CUES:
        return (_CUE,)
    return tuple(word for word in _PLAIN.findall(written) if not looks_everyday(word))


_UNUSUAL = WordMemory(_unusual_in)

# How far back a word is looked for that says what an unusual one is the name of.
_CUE_CHARACTERS = 40
_CALLED = frozenset(("called", "named"))
_ENGLISH = frozenset(("en", UNDECIDED))


def unusual_words(draft: Draft) -> list[str]:
    """The words in lower case that are in no list of everyday words, and the cues between them."""
    return [] if draft.as_stored else [w for ws in _UNUSUAL.said(draft.unit.text) for w in ws]


def called_things(draft: Draft, unusual: Sequence[str]) -> Sequence[Said]:
    """The unusual words right behind what they are the name of: "the library polars"."""
    return list(_called(draft, unusual)) if _CUE in unusual else ()


def _called(draft: Draft, unusual: Sequence[str]) -> Iterator[Said]:
    text = draft.unit.text
    for word in filter(None, unusual):
        at = text.find(word)
        before = text[max(0, at - _CUE_CHARACTERS) : at].split()
        if before and before[-1] in _CALLED:
            before.pop()
        if before and before[-1] in TECHNICAL_CUES and detect_language(text) in _ENGLISH:
            yield word, word, "identifier"


def perhaps_named(draft: Draft, named: Sequence[Said], unusual: Sequence[str]) -> dict[str, str]:
    """Words that may be names we know, folded and as told: first in a sentence, or lower case."""
    if draft.as_stored:
        return {}
    text = draft.unit.text
    # "Young" of "Young Tom" is no name beside it.
    names = [folded for folded, _, _ in named]
    taken = {*names, *" ".join(names).split()}
    plain = {word: word for word in unusual if word}
    found = dict(islice(plain.items(), _PLAIN_MAX)) | _capitalised(text, taken)
    found |= {fold(word): word for word in uncased_words(text)}
    return {
        folded: said
        for folded, said in found.items()
        if folded not in taken and not names_nothing(folded, text)
    }


def _capitalised(text: str, taken: Collection[str]) -> dict[str, str]:
    """Runs of capitalised words, folded, and as told, but those that are taken."""
    runs: dict[str, int] = {run.group(): run.end() for run in _CAPITALISED.finditer(text)}
    # "Yesterday Sarah" is a run; its rest may be the name.
    rests = [run.partition(" ")[2] for run in runs if " " in run]
    return {
        folded: said
        for said in (*rests, *runs)
        # A lone everyday word at the start of a sentence is that word, whoever bears it, unless
        # it does something: "Biscuit needs a tablet".
        if (folded := fold(said))
        and folded not in taken
        and (
            " " in said
            or not looks_everyday(folded)
            or (
                said in runs
                and folded not in FUNCTION_WORDS
                and (said.endswith("'s") or is_subject(text, runs[said]))
            )
        )
    }
