"""Relations: read from what texts say of people and things, and asked for in questions."""

from scrubjay.language.relations.asking import (
    AskedRelation,
    asked_of_self,
    asked_relations,
    self_place,
)
from scrubjay.language.relations.clauses import End
from scrubjay.language.relations.kinds import is_same_relation, kind_of
from scrubjay.language.relations.kinship import Kin, kin_of
from scrubjay.language.relations.reading import ReadRelation, read_relations
from scrubjay.language.relations.roles import IS, role_phrases

__all__ = [
    "IS",
    "AskedRelation",
    "End",
    "Kin",
    "ReadRelation",
    "asked_of_self",
    "asked_relations",
    "is_same_relation",
    "kin_of",
    "kind_of",
    "read_relations",
    "role_phrases",
    "self_place",
]
