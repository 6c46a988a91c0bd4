"""Who answers to which name: those the bank has, and those that its batch has made so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scrubjay.engine.retain.bearers import BEARERS, TOLD, answering, first_name, is_introduced
from scrubjay.engine.shared.entities import USER
from scrubjay.language.names import derived_aliases, fold
from scrubjay.store.base import AliasMatch, NewMention
from scrubjay.types.values import EntityId

# Someone a draft names: folded, text, kind.
Said = tuple[str, str, str]

Aliases = Iterable[tuple[str, float]]

# In place of the number of an entity that is yet to be made.
_UNNUMBERED = EntityId(0)

# What a name in one of its cases must at least be to somebody.
_INFLECTED_MIN = 0.5
# And a short form that its own text has the full one of.
_SHORT_MIN = 0.5


@dataclass(slots=True)
class KnownNames:
    """The names of one batch: looked up in the bank, or made by it."""

    _known: dict[str, list[AliasMatch]] = field(default_factory=dict)
    # By alias, then by the folded name of who answers to it.
    _new: dict[str, dict[str, NewMention]] = field(default_factory=dict)
    # First names of those whose full one this batch told.
    _grown: set[str] = field(default_factory=set)

    def know(self, match: AliasMatch) -> None:
        """Keeps what the bank has; roles and the user are asked for elsewhere."""
        if match.kind != "role" and match.alias != USER:
            self._known.setdefault(match.alias, []).append(match)

    def known(self, alias: str) -> Sequence[AliasMatch]:
        """Those of the bank that answer to a name."""
        return self._known.get(alias, ())

    def among(self, words: Iterable[str]) -> list[str]:
        """Those of many words that anybody answers to."""
        known, new = self._known, self._new
        return [word for word in words if word in known or word in new]

    def made_alone(self, alias: str) -> NewMention | None:
        """The one of this batch that answers to a name; None where several do, or nobody."""
        made = self._new.get(alias, {})
        return next(iter(made.values())) if len(made) == 1 else None

    def make(self, folded: str, text: str, kind: str) -> NewMention:
        """Someone new, or whom the batch made under this very name."""
        aliases = derived_aliases(text, kind)
        mention = NewMention(text, folded, kind, None, aliases, explicit=False)
        for alias, _ in aliases:
            self._new.setdefault(alias, {}).setdefault(folded, mention)
        return mention

    def tell(self, bearer: NewMention, aliases: Aliases) -> None:
        """Lets somebody answer to names that a text gave them."""
        for alias, trust in aliases:
            if bearer.entity is None:
                self._new[alias] = {bearer.folded: bearer}
            else:
                self.know(AliasMatch(alias, bearer.entity, bearer.name, bearer.kind, trust, 0))

    def has_made(self, folded: str, text: str, said: str) -> bool:
        """Whether this batch made the one who alone can be meant."""
        one = self.made_alone(folded)
        if one is None or one.folded == folded:
            return one is not None
        trust = dict(one.aliases).get(folded, 1.0)  # 1 where a text gave that name
        match = AliasMatch(folded, _UNNUMBERED, one.name, one.kind, trust, 0)
        return bool(answering(text, [match], said)) and not is_introduced(text, said)

    def as_stored(self, mention: NewMention) -> NewMention:
        """A mention under the name that its entity is made by, which may be a fuller one."""
        made = self._new.get(mention.folded)
        if mention.entity is not None or not made:
            return mention
        own = made.get(mention.folded)
        if own is None:
            whole = next(iter(made))
        elif own is mention and next(iter(made)) == mention.folded and len(made) == 2:
            # Made before the full form that the same text has.
            whole = next(name for name in made if name != mention.folded)
            if dict(made[whole].aliases).get(mention.folded, 1.0) < _SHORT_MIN:
                return mention
        else:
            return mention
        return mention._replace(folded=whole, aliases=made[whole].aliases)

    def first_name_alone(self, folded: str, kind: str) -> str:
        """The first name by which alone somebody was called so far, and whose full one this is.

        Empty where there is nobody, where others bear that name, or where its full form is known.
        """
        first = first_name(folded, kind)
        if not first or first in self._grown:
            return ""
        known, made = self.known(first), self._new.get(first, {})
        if len(known) + len(made) != 1:
            return ""
        name, whose = (known[0].name, known[0].kind) if known else ("", "")
        for one in made.values():
            name, whose = one.folded, one.kind
        return first if whose in BEARERS and fold(name) == first else ""

    def grown(self, first: str, folded: str, text: str, kind: str) -> NewMention:
        """The one who was called by a first name alone, now under the full one."""
        self._grown.add(first)
        aliases = (*derived_aliases(text, "person"), (folded.rpartition(" ")[2], TOLD))
        told = NewMention(text, folded, kind, None, (), False, aliases, text)
        if known := self.known(first):
            told = told._replace(entity=known[0].entity)
            self.tell(told, aliases)
            return told
        one = self._new[first][first]
        for alias, _ in aliases:
            self._new.setdefault(alias, {})[first] = one
        return told._replace(folded=first, aliases=one.aliases)

    def inflected(
        self, bases: Sequence[str], folded: str, text: str, kind: str
    ) -> NewMention | None:
        """The one who alone is meant by a case of these names; None where several, or nobody."""
        matches = [match for base in bases for match in self.known(base)]
        known = {m.entity: m for m in matches if m.confidence >= _INFLECTED_MIN}
        made = {one.folded: one for base in bases for one in self._new.get(base, {}).values()}
        if len(known) + len(made) != 1:
            return None
        for match in known.values():
            return NewMention(text, folded, match.kind, match.entity, (), explicit=False)
        (one,) = made.values()
        return NewMention(text, one.folded, kind, None, one.aliases, explicit=False)
