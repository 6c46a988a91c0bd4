"""Gives every draft a type: the caller's, or the rules' guess; and tags standing instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrubjay.engine.retain.drafts import Draft
from scrubjay.language.orders.instructions import standing_instruction
from scrubjay.language.unit_types import SURE, guess_type
from scrubjay.limits import TAGS_MAX
from scrubjay.settings import BankSettings
from scrubjay.types.units import INSTRUCTION, StoredUnit, Unit

# What a unit is when the rules' guess is a type this bank does not have.
_FALLBACK = "fact"


def classify(drafts: Sequence[Draft], settings: BankSettings) -> list[Draft]:
    """The drafts with their types, a caller's type always wins; instructions with their tag."""
    return [_tagged(_classified(draft, settings)) for draft in drafts]


def _classified(draft: Draft, settings: BankSettings) -> Draft:
    unit = draft.unit
    if unit.type is not None:
        return draft
    guess = guess_type(unit.text, speaker=unit.speaker)
    known = guess.type if guess.type in settings.types else _FALLBACK
    return draft._replace(type=known, unsure=guess.confidence < SURE)


def _tagged(draft: Draft) -> Draft:
    unit = draft.unit
    if draft.as_stored or INSTRUCTION in unit.tags or len(unit.tags) == TAGS_MAX:
        return draft
    if standing_instruction(unit.text, speaker=unit.speaker) is None:
        return draft
    return draft._replace(unit=replace(unit, tags=(*unit.tags, INSTRUCTION)))


def without_tag(unit: Unit, before: StoredUnit) -> Unit:
    """A unit whose text is new, without the tag that only its text before had earned."""
    if INSTRUCTION not in before.tags:
        return unit
    if standing_instruction(before.text, speaker=before.speaker) is None:
        return unit
    return replace(unit, tags=tuple(tag for tag in unit.tags if tag != INSTRUCTION))
