"""Measures what reading a question costs in a bank that knows many names."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from bench import machine
from bench.corpus import generated
from bench.machine import rounded, summary
from bench.workload import batches
from scrubjay.backend import IN_MEMORY
from scrubjay.memory import Memory
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

_NAMES_PER_UNIT = 10
_UNITS_PER_CALL = 1_000


def measure(entities: int, questions: int) -> dict[str, Json]:
    """CPU of parsing questions, half of which name someone, against `entities` known names."""
    names = generated.names(entities)
    with Memory.open(IN_MEMORY, encoder=None, reranker=None) as memory:
        _, spent = machine.cpu_of(partial(_introduce, memory, names))
        known = memory.stats().entities
        asked = _questions(names, questions)
        for kind in asked:
            memory.parse(asked[kind][0], now=generated.NOW)
        cpu_ms = {
            kind: [
                1e3 * machine.cpu_of(partial(memory.parse, text, now=generated.NOW))[1]
                for text in texts
            ]
            for kind, texts in asked.items()
        }
    return {
        "entities": known,
        "filling_cpu_s": rounded(spent),
        "cpu_ms": summary([one for kind in cpu_ms.values() for one in kind]),
        **{f"cpu_ms_{kind}": summary(times) for kind, times in cpu_ms.items()},
    }


def _introduce(memory: Memory, names: Sequence[str]) -> None:
    progress, done = machine.Progress("names", len(names)), 0
    units = (
        Unit("they know each other", entities=tuple(names[start : start + _NAMES_PER_UNIT]))
        for start in range(0, len(names), _NAMES_PER_UNIT)
    )
    for batch in batches(units, _UNITS_PER_CALL):
        memory.retain(batch)
        done += sum(len(unit.entities) for unit in batch)
        progress(done)


def _questions(names: Sequence[str], count: int) -> dict[str, list[str]]:
    """A quarter each: a full name, a given name that many share, a time, and neither."""
    random_source = random.Random(5)
    plain = [question.text for question in generated.questions(count) if question.kind == "plain"]
    chosen = random_source.choices(names, k=len(plain))
    asked = [text.replace("we", name, 1) for text, name in zip(plain, chosen, strict=True)]
    return {
        "full_name": asked,
        "given_name": [
            text.replace(name, name.split()[0]) for text, name in zip(asked, chosen, strict=True)
        ],
        "time": [f"{text} in the second half of last month" for text in plain],
        "plain": plain,
    }
