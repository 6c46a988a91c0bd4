"""Makes one answer of several banks' answers to the same question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scrubjay.answers import Item, Recall, RecallOptions
from scrubjay.engine.shared.lacking import missing_value, missing_words
from scrubjay.types.outcomes import Degraded


def merged(answers: Mapping[str, Recall], options: RecallOptions) -> Recall:
    """One ranking of what the banks answered, each item with its bank, within one limit and budget.

    Relevance is a probability on one scale, so the bank whose next item is the likeliest goes on;
    the order that a bank gave its own is kept. Plan, window and timings are the first bank's.
    """
    first, *_ = answers.values()
    relevant = [one for one in answers.values() if not one.nothing_relevant]
    # A bank that holds nothing relevant adds nothing to others that do.
    asked = {name: one for name, one in answers.items() if not relevant or not one.nothing_relevant}
    items = _cut(_interleaved(asked), options)
    return replace(
        first,
        items=tuple(items),
        widened=any(one.widened for one in answers.values()),
        degraded=tuple(
            Degraded(part.retriever, f"{part.reason} (bank {name})")
            for name, one in answers.items()
            for part in one.degraded
        ),
        nothing_relevant=not relevant and all(one.nothing_relevant for one in answers.values()),
        tokens=sum(item.tokens for item in items),
        max_wait_ms=max(one.max_wait_ms for one in answers.values()),
        reranked=sum(one.reranked for one in answers.values()),
        missing=missing_value(first.parsed, items),
        missing_words=missing_words(first.parsed, items),
    )


def _interleaved(answers: Mapping[str, Recall]) -> list[Item]:
    waiting = {name: [*one.items] for name, one in answers.items() if one.items}
    items: list[Item] = []
    while waiting:
        # Of equals the bank that was named first.
        name = max(waiting, key=lambda bank: waiting[bank][0].relevance)
        items.append(replace(waiting[name].pop(0), bank=name))
        if not waiting[name]:
            del waiting[name]
    return items


def _cut(items: list[Item], options: RecallOptions) -> list[Item]:
    kept: list[Item] = []
    left = options.max_tokens
    for item in items:
        if len(kept) == options.limit:
            break
        if item.tokens <= left:
            kept.append(item)
            left -= item.tokens
    return kept
