"""Names: found in text, folded to one form, called by short forms, resolved to entities."""

from scrubjay.language.names.aliases import alias_candidates, derived_aliases
from scrubjay.language.names.called import OtherName, other_names
from scrubjay.language.names.folding import fold
from scrubjay.language.names.mention import Mention
from scrubjay.language.names.mentions import find_mentions
from scrubjay.language.names.resolution import AliasCandidate, Resolution, resolve, same_entity

__all__ = [
    "AliasCandidate",
    "Mention",
    "OtherName",
    "Resolution",
    "alias_candidates",
    "derived_aliases",
    "find_mentions",
    "fold",
    "other_names",
    "resolve",
    "same_entity",
]
