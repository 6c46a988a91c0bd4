"""Gives every draft a type: the caller's, or the rules' guess."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.engine.retain.drafts import Draft
from scrubjay.language.unit_types import guess_type
from scrubjay.settings import BankSettings

# What a unit is when the rules' guess is a type this bank does not have.
_FALLBACK = "fact"


def classify(drafts: Sequence[Draft], settings: BankSettings) -> list[Draft]:
    """The drafts with their types; a caller's type always wins."""
    return [_classified(draft, settings) for draft in drafts]


def _classified(draft: Draft, settings: BankSettings) -> Draft:
    unit = draft.unit
    if unit.type is not None:
        return draft
    guess = guess_type(unit.text, speaker=unit.speaker).type
    return draft._replace(type=guess if guess in settings.types else _FALLBACK)
