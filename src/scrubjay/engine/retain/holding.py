"""Says since and until when a relation holds that a text says."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from scrubjay.engine.retain.dating import context_of
from scrubjay.engine.retain.drafts import Draft
from scrubjay.language.dates import told_times
from scrubjay.language.relations import ReadRelation
from scrubjay.settings import BankSettings

_SENTENCE_END = re.compile(r"[.!?\n。？！…](?=\s|$)")


class Held(NamedTuple):
    """Since and until when; None where it is not said."""

    since: datetime | None
    until: datetime | None


def held(draft: Draft, read: ReadRelation, settings: BankSettings) -> Held:
    """When a relation of a draft holds: by what the caller gave, or its own sentence says.

    What is only to come, "is moving to Utrecht in May", holds from when it happens.
    """
    unit, occurred = draft.unit, draft.occurred
    given = Held(unit.valid_from, unit.valid_to)
    if draft.told_at is None or (given == (None, None) and occurred is None):
        return given
    text, context = unit.text, context_of(draft.told_at, settings)
    start, end = _sentence(text, read.at)
    happens = None if occurred is None else occurred.start
    if end - start < len(text.rstrip()):
        whole = told_times(text, context)
        if given != (whole.valid_from, whole.valid_to):
            return given
        said = told_times(text[start:end], context)
        given = Held(said.valid_from, said.valid_to)
        if said.occurred is not None:
            happens = said.occurred.window.start
    if not read.ahead or given.since is not None or happens is None or happens <= draft.told_at:
        return given
    return given._replace(since=happens)


def _sentence(text: str, at: int) -> tuple[int, int]:
    """Where the sentence around a place begins and ends."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    start = max((end for end in ends if end <= at), default=0)
    return start, min((end for end in ends if end > at), default=len(text))
