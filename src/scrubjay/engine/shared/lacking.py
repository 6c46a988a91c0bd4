"""What a question asks for that none of the items of its answer has: a kind of value, and words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from scrubjay.answers import Item, Parsed
from scrubjay.language.analyzer import Analyzer
from scrubjay.language.asked_values import asked_value, gives_value
from scrubjay.language.stopwords import irregular_forms

# A name that is resolved with less may be another's.
_SURE = 0.7
# Who asks for more items than this reads for everything, and nobody for single words.
_READ_MAX = 50


def missing_value(parsed: Parsed, items: Sequence[Item]) -> str | None:
    """The kind of value that is asked for and that no item gives."""
    asked = asked_value(parsed.question) if items else None
    # When something happened is known without being said.
    known = asked == "a day" and any(item.occurred_start is not None for item in items)
    if asked is None or known or any(gives_value(asked, item.text) for item in items):
        return None
    return asked


def missing_words(parsed: Parsed, items: Sequence[Item]) -> tuple[str, ...] | None:
    """The words of the question that stand in no item, nor does a word of their stem.

    None for none, and for a long answer, which is not read for it. Words of a time, and of names
    that are known by others, are not looked for.
    """
    if not 0 < len(items) <= _READ_MAX:
        return None
    sure = (one.mention for one in parsed.entities if one.confidence >= _SURE)
    meant = " ".join([parsed.window_text or "", *sure]).casefold()
    words = Analyzer().query_terms(parsed.question).words
    wanted = [word for word in words if word[0] not in meant]
    # In one text, which is searched natively; no word goes over a line's end.
    told = "\n".join(map(_told, items)).casefold() if wanted else ""
    # A stem is found in the midst of longer words, too: what is said to be missing is missing.
    lacking = [word for word in wanted if not any(map(told.__contains__, word))]
    return (
        tuple(word[0] for word in lacking if not any(map(told.__contains__, _other_forms(word))))
        or None
    )


def _other_forms(word: tuple[str, ...]) -> list[str]:
    """The forms that no suffix joins to a word and its stems: "bought" of "buy"."""
    irregular = _irregular()
    return [other for form in word for other in irregular.get(form, ())]


@cache
def _irregular() -> dict[str, tuple[str, ...]]:
    others = dict[str, tuple[str, ...]]()
    for form, base in irregular_forms().items():
        others[base] = (*others.get(base, ()), form)
    return others


def _told(item: Item) -> str:
    said = (item.text, item.predicate, item.context, item.speaker, *item.entities)
    return " ".join(filter(None, said))
