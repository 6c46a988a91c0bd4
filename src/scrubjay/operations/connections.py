"""What joins memories: entities, relations, links, sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from scrubjay.engine import write_path
from scrubjay.engine.retain.naming import explicit_mention
from scrubjay.engine.retain.stored import read, refuse_pending
from scrubjay.engine.shared.entities import the_entity
from scrubjay.engine.upkeep.settling import open_conflicts
from scrubjay.errors import BadInput
from scrubjay.language.names import fold
from scrubjay.marks import About, Called, Day, OneOf
from scrubjay.operations.operation import BANK, Address, Engine, KeyScope, operation
from scrubjay.types.filters import Offset, PageSize
from scrubjay.types.graph import CAUSAL_KINDS, Entity, LinkKind, Relation, StoredRelation
from scrubjay.types.units import Session, StoredUnit
from scrubjay.types.values import EntityRef, Identifier, Name, Share
from scrubjay.types.views import Conflict

ENTITIES = f"{BANK}/entities"
ENTITY = f"{ENTITIES}/{{entity}}"

NewName = Annotated[Name, About("A name.", "Nadia Brandt")]
Dropped = Annotated[EntityRef, About("Whose names the other takes.", 2)]
SessionName = Annotated[Name, Called("session"), About("The conversation.", "monday-call")]
When = Annotated[datetime | None, Day("noon"), About("Now, if left out.")]


@operation(Address("GET", ENTITIES, KeyScope.READ, "Entities, most mentioned first.", "entities"))
def entities(
    engine: Engine,
    containing: Annotated[str | None, About("With a name that contains this.")] = None,
    limit: PageSize = 100,
    offset: Offset = 0,
) -> list[Entity]:
    """Entities, most mentioned first, optionally those with a name that contains a word."""
    with engine.using() as bank:
        wanted = None if containing is None else fold(containing)
        return bank.entities(limit=limit, offset=offset, containing=wanted)


@operation(Address("POST", f"{ENTITY}/alias", KeyScope.WRITE, "Give an entity another name."))
def alias_entity(engine: Engine, entity: EntityRef, alias: NewName) -> Entity:
    """Let an entity answer to another name."""
    with engine.using() as bank:
        known = the_entity(bank, entity)
        bank.add_alias(known, fold(alias), 1.0)
        found = bank.entity(known)
        assert found is not None, "an entity that just took an alias exists"
        return found


@operation(Address("POST", f"{ENTITIES}/merge", KeyScope.WRITE, "Make two entities one."))
def merge_entities(engine: Engine, keep: EntityRef, drop: Dropped) -> Entity:
    """Make two entities one; the first keeps its name, the second's names become aliases."""
    with engine.using() as bank:
        kept, dropped = the_entity(bank, keep), the_entity(bank, drop)
        if kept == dropped:
            raise BadInput("an entity cannot be merged with itself", keep, "Give two entities.")
        return bank.merge_entities(kept, dropped)


@operation(
    Address("POST", f"{ENTITY}/split", KeyScope.WRITE, "Give some mentions to a new entity.")
)
def split_entity(
    engine: Engine, entity: EntityRef, name: NewName, units: tuple[Identifier, ...]
) -> Entity:
    """Give the mentions in `units` to a new entity called `name`."""
    with engine.using() as bank, bank.writing():
        refuse_pending(bank, units)
        new = explicit_mention(bank, name)._replace(entity=None, name=name, folded=fold(name))
        new = new._replace(aliases=((fold(name), 1.0), *new.aliases))
        return bank.split_entity(the_entity(bank, entity), new, units)


@operation(
    Address("POST", f"{BANK}/relations", KeyScope.WRITE,
            "Say how two entities stand to each other.", "id"),
    makes_bank=True,
)  # fmt: skip
def relate(engine: Engine, told: Relation) -> int:
    """Say how two entities stand to each other; both are made if new. Its number.

    A memory that says so is kept with it, found by every search, and forgotten with it.
    """
    with engine.writing("relate") as (bank, tools):
        return write_path.relate(bank, told, tools)


@operation(
    Address("GET", f"{BANK}/relations", KeyScope.READ,
            "Relations, in the order they were told.", "relations")
)  # fmt: skip
def relations(engine: Engine, limit: PageSize = 100, offset: Offset = 0) -> list[StoredRelation]:
    """Relations in the order they were told."""
    with engine.using() as bank:
        return bank.relations(limit=limit, offset=offset)


@operation(
    Address("POST", f"{BANK}/links", KeyScope.WRITE,
            "Say that one memory causes, enables or prevents another.")
)  # fmt: skip
def link(
    engine: Engine,
    cause: Identifier,
    effect: Identifier,
    kind: Annotated[LinkKind, OneOf(CAUSAL_KINDS), Called("link kind")] = LinkKind.CAUSES,
    weight: Annotated[Share, Called("link weight")] = 1.0,
) -> None:
    """Say that one unit causes, enables or prevents another."""
    if cause == effect:
        raise BadInput("a unit cannot cause itself", cause, "Give two units.")
    with engine.using() as bank:
        refuse_pending(bank, (cause, effect))
        bank.link(cause, effect, kind, weight)


@operation(
    Address("GET", f"{BANK}/conflicts", KeyScope.READ,
            "Pairs of which one seems to change the other, newest first.", "conflicts")
)  # fmt: skip
def conflicts(engine: Engine, limit: PageSize = 100, offset: Offset = 0) -> list[Conflict]:
    """Pairs of units of which one seems to change the other, and nobody decided; newest first."""
    with engine.using() as bank:
        return open_conflicts(bank, limit=limit, offset=offset)


@operation(
    Address("POST", f"{BANK}/conflicts/accept", KeyScope.WRITE,
            "Decide that the newer of two memories replaces the older.")
)  # fmt: skip
def accept_conflict(engine: Engine, old: Identifier, new: Identifier) -> StoredUnit:
    """Decide that `new` replaces `old`, as `supersede` does; the new unit."""
    with engine.writing("supersede") as (bank, tools):
        return write_path.supersede(bank, old, read(bank, new).id, None, tools)


@operation(
    Address("POST", f"{BANK}/conflicts/reject", KeyScope.WRITE,
            "Decide that both of two memories hold.")
)  # fmt: skip
def reject_conflict(engine: Engine, old: Identifier, new: Identifier) -> None:
    """Decide that both units hold; the pair is not proposed again."""
    if old == new:
        raise BadInput("a unit is no conflict with itself", old, "Give two units.")
    with engine.using() as bank:
        refuse_pending(bank, (old, new))
        bank.link(new, old, LinkKind.DISTINCT, 1.0)


@operation(
    Address("GET", f"{BANK}/sessions", KeyScope.READ, "The log of conversations.", "sessions")
)
def sessions(
    engine: Engine,
    limit: Annotated[PageSize | None, About("At most this many; all, if left out.")] = None,
    offset: Offset = 0,
    newest: Annotated[bool, About("Whether the newest come first.")] = False,
) -> list[Session]:
    """The session log, oldest first, or newest first."""
    with engine.using() as bank:
        return bank.sessions(limit=limit, offset=offset, newest=newest)


@operation(
    Address("POST", f"{BANK}/sessions", KeyScope.WRITE, "Log that a conversation began."),
    makes_bank=True,
)
def start_session(engine: Engine, name: SessionName, at: When = None) -> Session:
    """Log that a conversation began (now, unless told otherwise)."""
    with engine.using() as bank:
        return bank.start_session(name, engine.toolbox.moment(at))


@operation(
    Address("POST", f"{BANK}/sessions/end", KeyScope.WRITE, "Log that a conversation ended.")
)
def end_session(engine: Engine, name: SessionName, at: When = None) -> Session:
    """Log that a conversation ended."""
    with engine.using() as bank:
        return bank.end_session(name, engine.toolbox.moment(at))
