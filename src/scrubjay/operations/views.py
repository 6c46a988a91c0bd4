"""What is shown of a bank to who looks at it: its time, its neighbourhoods, its entities."""

from __future__ import annotations

from typing import Annotated

from scrubjay.engine.retain.choosing import chosen_by
from scrubjay.engine.shared.entities import the_entity
from scrubjay.engine.views import entity_cards
from scrubjay.engine.views.histogram import GRAINS
from scrubjay.engine.views.histogram import histogram as counted
from scrubjay.engine.views.neighbourhood import around_entity, around_unit
from scrubjay.errors import BadInput
from scrubjay.limits import NEIGHBOURHOOD_NODES_MAX
from scrubjay.marks import About, Between, OneOf
from scrubjay.operations.connections import ENTITIES, ENTITY, Dropped, NewName
from scrubjay.operations.operation import BANK, Address, Engine, KeyScope, operation
from scrubjay.types.filters import UnitFilter
from scrubjay.types.outcomes import EntityChange
from scrubjay.types.values import EntityRef, Identifier
from scrubjay.types.views import EntityCard, Histogram, Neighbourhood

TimeOf = Annotated[str, OneOf(("told", "occurred")), About("Which time counts.", "told")]
Grain = Annotated[str, OneOf(("auto", *GRAINS)), About("How long a span is.", "auto")]
Nodes = Annotated[int, Between(1, NEIGHBOURHOOD_NODES_MAX), About("At most so many nodes.")]


@operation(
    Address(
        "GET", f"{BANK}/histogram", KeyScope.READ, "How many memories were told, or happened, when."
    )
)
def histogram(
    engine: Engine, where: UnitFilter, by: TimeOf = "told", grain: Grain = "auto"
) -> Histogram:
    """How many units that pass a filter were told, or happened, when; by type."""
    with engine.using() as bank:
        wanted, among = chosen_by(bank, where)
        return counted(bank, wanted, among, by=by, grain=grain)


@operation(
    Address("GET", f"{BANK}/neighbourhood", KeyScope.READ,
            "What stands next to a memory or an entity.")
)  # fmt: skip
def neighbourhood(
    engine: Engine,
    unit: Annotated[Identifier | None, About("The memory in the centre.")] = None,
    entity: Annotated[EntityRef | None, About("Or the entity: its number, or a name.")] = None,
    limit: Nodes = 60,
) -> Neighbourhood:
    """What stands next to a unit or an entity, the strongest first."""
    with engine.using() as bank:
        if unit is not None and entity is None:
            return around_unit(bank, unit, limit)
        if entity is not None and unit is None:
            return around_entity(bank, the_entity(bank, entity), limit)
    given = [one for one in (unit, entity) if one is not None]
    raise BadInput("neighbourhood", given, "Give a unit or an entity.")


@operation(Address("GET", ENTITY, KeyScope.READ, "One entity, and what joins it to others."))
def entity(engine: Engine, entity: EntityRef) -> EntityCard:
    """One entity, how it stands to others, and who shares a name with it."""
    with engine.using() as bank:
        return entity_cards.card_of(bank, the_entity(bank, entity))


@operation(Address("POST", f"{ENTITIES}/merge/preview", KeyScope.READ, "What a merge would do."))
def preview_merge(engine: Engine, keep: EntityRef, drop: Dropped) -> EntityChange:
    """What `merge_entities` would do."""
    with engine.using() as bank:
        return entity_cards.merged(bank, the_entity(bank, keep), the_entity(bank, drop))


@operation(Address("POST", f"{ENTITY}/split/preview", KeyScope.READ, "What a split would do."))
def preview_split(
    engine: Engine, entity: EntityRef, name: NewName, units: tuple[Identifier, ...]
) -> EntityChange:
    """What `split_entity` would do."""
    with engine.using() as bank:
        return entity_cards.split(bank, the_entity(bank, entity), name, units)


@operation(Address("POST", f"{ENTITY}/alias/preview", KeyScope.READ, "What an alias would do."))
def preview_alias(engine: Engine, entity: EntityRef, alias: NewName) -> EntityChange:
    """What `alias_entity` would do."""
    with engine.using() as bank:
        return entity_cards.aliased(bank, the_entity(bank, entity), alias)
