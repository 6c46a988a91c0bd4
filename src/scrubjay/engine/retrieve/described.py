"""From what the first hits name to the units that only name it, where the question names nobody.

"On which days can the plumber come?" says what someone is; one unit says that with the name, and
the answer stands in another that has the name alone.
"""

from __future__ import annotations

import numpy as np

from scrubjay.answers import Parsed, RetrieverPlan
from scrubjay.engine.retrieve.entity_walk import SURE
from scrubjay.engine.retrieve.query import NOTHING, Query, Retrieved, Walk
from scrubjay.engine.shared.describing import is_described
from scrubjay.engine.shared.entities import USER
from scrubjay.store.shared.ranked_rows import distinct

# The unit that says who is meant comes first, if it is there: with three starts nothing more was
# found, neither in the banks to choose by nor in those held apart.
STARTS_MAX = 1
START_FLOOR = 0.4
# A name in more units than this says little of what they are about.
UNITS_PER_NAME_MAX = 12
# Of whoever is known to be meant, the newest; and how much surer that is than a guess: what is
# gained by the name counts about as much as likeness does.
UNITS_PER_PERSON_MAX = 50
_KNOWN = 2.0
# One word for who is meant, and one for what is asked of them.
_WORDS_MIN = 2
# From what is unrelated to what is alike, how far a unit has come itself: of all that is said of
# the plumber, the question asks for one thing.
_UNRELATED, _ALIKE = 0.2, 0.4


def describes(parsed: Parsed) -> bool:
    """Whether a question says what is meant, and what of it, and names nothing but who asks."""
    named = any(one.name != USER and one.confidence >= SURE for one in parsed.entities)
    return not named and parsed.content_words >= _WORDS_MIN


def described(query: Query, step: RetrieverPlan) -> Retrieved:
    """The units that only name whom the question describes; none where nobody knows who that is."""
    known = _known(query, step)
    if known is not None or not describes(query.parsed):
        return NOTHING if known is None else known
    return _guessed(query, step)


def _known(query: Query, step: RetrieverPlan) -> Retrieved | None:
    """The units about those whom the bank knows by what the question says they are; None: nobody.

    Asked by name they would be nearer: score = by how much. So what says who that is, in the
    question's own words, stays where it is, and what only names them comes up to it.
    """
    switches = query.preset.graph
    assert switches is not None, "the plan runs only what the preset has"
    if query.named is None or not query.vector.ready() or not query.named.ready():
        return None
    meant = [one for one in query.parsed.entities if is_described(one)]
    found = query.bank.mentions_of([one.entity for one in meant], limit=UNITS_PER_PERSON_MAX)
    rows = distinct(found.rows)
    rows = rows[query.allowed(rows)]
    if not len(rows):
        return None
    by_name = query.named.scores(query.bank.similarity(query.named.get(), rows))
    gained = np.clip(by_name - query.similarity(rows), 0.0, 1.0)
    order = np.lexsort((rows, -gained))[: step.depth]
    return Retrieved(
        rows[order],
        gained[order].astype(np.float32),
        np.full(len(order), _KNOWN * switches.described_weight, np.float32),
        dict.fromkeys(rows[order].tolist(), (meant[0].mention, "-is->", meant[0].name)),
        Walk(len(meant), len(rows)),
    )


def _guessed(query: Query, step: RetrieverPlan) -> Retrieved:
    """The units that share a rare name with a nearer one; score = what they lack to its likeness.

    So none comes before where its way began by this alone, and the less the more it is itself
    about something else.
    """
    switches = query.preset.graph
    assert switches is not None, "the plan runs only what the preset has"
    if not query.vector.ready():
        return NOTHING
    starts = query.nearest(limit=STARTS_MAX, floor=START_FLOOR, scope=query.scope)
    named = query.bank.entities_of(starts.rows)
    names = distinct(named.entities).tolist()
    if not names:
        return NOTHING
    found = query.bank.mentions_of(names, limit=UNITS_PER_NAME_MAX)
    likeness = dict(zip(starts.rows.tolist(), starts.scores.tolist(), strict=True))
    by_name: dict[int, list[int]] = {}
    for name, row in zip(found.entities.tolist(), found.rows.tolist(), strict=True):
        if found.totals[name] <= UNITS_PER_NAME_MAX:
            by_name.setdefault(name, []).append(row)
    best: dict[int, tuple[float, int]] = {}
    followed = 0
    for name, start in zip(named.entities.tolist(), named.rows.tolist(), strict=True):
        for row in by_name.get(name, ()):
            # What is nearer than where the way begins needs no way.
            if likeness.get(row, 0.0) < likeness[start]:
                followed += 1
                best[row] = max(best.get(row, (0.0, 0)), (likeness[start], -start))
    rows = np.array(sorted(best), np.int64)
    rows = rows[query.allowed(rows)]
    if not len(rows):
        return NOTHING
    own = query.similarity(rows).astype(np.float64)
    asked = np.minimum(np.maximum((own - _UNRELATED) / (_ALIKE - _UNRELATED), 0.0), 1.0)
    lacking = np.array([best[row][0] for row in rows.tolist()]) - own
    scores = np.maximum(lacking, 0.0) * asked
    order = np.lexsort((rows, -scores))[: step.depth]
    ids = query.bank.ids_of(starts.rows)
    return Retrieved(
        rows[order],
        scores[order].astype(np.float32),
        np.full(len(order), switches.described_weight, np.float32),
        {row: (ids[-best[row][1]], "-names->") for row in rows[order].tolist()},
        Walk(len(starts.rows), followed),
    )
