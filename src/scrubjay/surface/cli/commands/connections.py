"""Commands about what joins memories: entities, relations, relate, link, conflicts."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.entity_names import number_or_name
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import BankOptions
from scrubjay.surface.cli.shared.output import emit, show
from scrubjay.surface.cli.shared.values import moment_or_none

EntityArgument = Annotated[
    str, typer.Argument(metavar="ENTITY", help="The entity's number, or a name.")
]
LimitOption = Annotated[int, typer.Option("--limit", help="How many to show.")]
OffsetOption = Annotated[int, typer.Option("--offset", help="How many to pass over.")]


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    entities = typer.Typer(no_args_is_help=True, help="People, places and things units name.")
    command(entities, "list")(list_entities)
    command(entities)(alias)
    command(entities)(merge)
    command(entities)(split)
    app.add_typer(entities, name="entities")
    conflicts = typer.Typer(no_args_is_help=True, help="Units that seem to change each other.")
    command(conflicts, "list")(list_conflicts)
    command(conflicts)(accept)
    command(conflicts)(reject)
    app.add_typer(conflicts, name="conflicts")
    for function in (relations, relate, link):
        command(app)(function)


def list_entities(
    target: BankOptions,
    containing: Annotated[
        str | None, typer.Option("--containing", help="Only names that contain this.")
    ] = None,
    limit: LimitOption = 100,
    offset: OffsetOption = 0,
) -> None:
    """List entities, most mentioned first."""
    with target.reading() as memory:
        found = memory.entities(containing=containing, limit=limit, offset=offset, bank=target.bank)
    show(found, as_json=target.as_json)


def alias(
    entity: EntityArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The other name.")],
    target: BankOptions,
) -> None:
    """Let an entity answer to another name."""
    with target.writing() as memory:
        changed = memory.alias_entity(number_or_name(entity), name, bank=target.bank)
    show(changed, as_json=target.as_json)


def merge(
    keep: Annotated[str, typer.Argument(metavar="KEEP", help="The entity that stays.")],
    drop: Annotated[str, typer.Argument(metavar="DROP", help="The entity that goes into it.")],
    target: BankOptions,
) -> None:
    """Make two entities one; the second's names become aliases of the first."""
    with target.writing() as memory:
        merged = memory.merge_entities(number_or_name(keep), number_or_name(drop), bank=target.bank)
    show(merged, as_json=target.as_json)


def split(
    entity: EntityArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new entity's name.")],
    units: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Units whose mentions it takes over.")
    ],
    target: BankOptions,
) -> None:
    """Give the mentions in some units to a new entity."""
    with target.writing() as memory:
        new = memory.split_entity(number_or_name(entity), name, units, bank=target.bank)
    show(new, as_json=target.as_json)


def relations(target: BankOptions, limit: LimitOption = 100, offset: OffsetOption = 0) -> None:
    """List relations between entities, in the order they were told."""
    with target.reading() as memory:
        found = memory.relations(limit=limit, offset=offset, bank=target.bank)
    show(found, as_json=target.as_json)


def relate(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="Who, as 'Ada Byron'.")],
    relation: Annotated[str, typer.Argument(metavar="RELATION", help="How, as reports-to.")],
    object_name: Annotated[str, typer.Argument(metavar="OBJECT", help="To whom or what.")],
    target: BankOptions,
    relation_class: Annotated[
        str, typer.Option("--class", help="structural, semantic or lifecycle.")
    ] = "semantic",
    confidence: Annotated[float, typer.Option("--confidence", help="Above 0, up to 1.")] = 1.0,
    valid_from: Annotated[str | None, typer.Option("--valid-from", help="Holds since.")] = None,
    valid_to: Annotated[str | None, typer.Option("--valid-to", help="Held until.")] = None,
) -> None:
    """Say how two entities stand to each other; both are made if new."""
    from scrubjay.codec.compiled import decode  # brings numpy; see options.py
    from scrubjay.types.graph import Relation

    told = decode(
        Relation,
        {
            "subject": subject,
            "relation": relation,
            "object": object_name,
            "relation_class": relation_class,
            "confidence": confidence,
        },
        "relation",
    )
    with target.writing() as memory:
        number = memory.relate(
            told.subject,
            told.relation,
            told.object,
            bank=target.bank,
            relation_class=told.relation_class,
            confidence=told.confidence,
            valid_from=moment_or_none("--valid-from", valid_from, "first"),
            valid_to=moment_or_none("--valid-to", valid_to, "last"),
        )
    emit({"id": number}, f"relation {number}", as_json=target.as_json)


def list_conflicts(target: BankOptions, limit: LimitOption = 100, offset: OffsetOption = 0) -> None:
    """List pairs of units of which one seems to change the other, newest first."""
    with target.reading() as memory:
        found = memory.conflicts(limit=limit, offset=offset, bank=target.bank)
    show(found, as_json=target.as_json)


OldArgument = Annotated[str, typer.Argument(metavar="OLD", help="The older unit.")]
NewArgument = Annotated[str, typer.Argument(metavar="NEW", help="The newer unit.")]


def accept(old: OldArgument, new: NewArgument, target: BankOptions) -> None:
    """Decide that the newer unit replaces the older, as supersede does."""
    with target.writing() as memory:
        unit = memory.accept_conflict(old, new, bank=target.bank)
    show(unit, as_json=target.as_json)


def reject(old: OldArgument, new: NewArgument, target: BankOptions) -> None:
    """Decide that both units hold; the pair is not proposed again."""
    with target.writing() as memory:
        memory.reject_conflict(old, new, bank=target.bank)
    emit({"done": True}, "both are kept", as_json=target.as_json)


def link(
    cause: Annotated[str, typer.Argument(metavar="CAUSE", help="The unit that acts.")],
    effect: Annotated[str, typer.Argument(metavar="EFFECT", help="The unit it acts on.")],
    target: BankOptions,
    kind: Annotated[
        str, typer.Option("--kind", help="causes, caused_by, enables or prevents.")
    ] = "causes",
    weight: Annotated[float, typer.Option("--weight", help="Above 0, up to 1.")] = 1.0,
) -> None:
    """Say that one unit causes, enables or prevents another."""
    with target.writing() as memory:
        memory.link(cause, effect, kind, weight, bank=target.bank)
        links = memory.links(cause, bank=target.bank)
    show(links, as_json=target.as_json)
