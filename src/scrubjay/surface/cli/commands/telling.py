"""Commands that change what is remembered: retain, update, supersede, forget, approve, reject."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from scrubjay.surface.cli.shared.exits import UsageProblem
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import BankOptions, FilterOptions, UnitOptions
from scrubjay.surface.cli.shared.output import show
from scrubjay.surface.cli.shared.values import read_messages


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    for function in (retain, update, supersede, forget, approve, reject):
        command(app)(function)


def retain(
    unit: UnitOptions,
    target: BankOptions,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="What to keep; - reads stdin, one memory a line."),
    ] = None,
    messages: Annotated[
        str | None,
        typer.Option(
            "--messages",
            metavar="FILE",
            help="A conversation in JSON, as chat APIs have it, or JSON lines; - reads stdin.",
        ),
    ] = None,
    pending: Annotated[
        bool, typer.Option("--pending", help="Leave it out of everything until it is approved.")
    ] = False,
) -> None:
    """Keep a memory. Telling the same twice stores it once; a known --key updates."""
    if (text is None) == (messages is None):
        raise UsageProblem("Give a text or --messages, one of the two.")
    told: str | list[str] | list[dict[str, object]] = text or ""
    if messages is not None:
        told = read_messages(messages)
    elif text == "-":
        told = [line for line in map(str.strip, sys.stdin) if line]
    with target.writing() as memory:
        retained = memory.retain(told, pending=pending, bank=target.bank, **unit.given())
    show(retained, as_json=target.as_json)


def update(
    unit_id: Annotated[str, typer.Argument(metavar="ID", help="The unit.")],
    unit: UnitOptions,
    target: BankOptions,
    text: Annotated[str | None, typer.Option("--text", help="Another text.")] = None,
    clear: Annotated[
        list[str] | None,
        typer.Option(
            "--clear", metavar="FIELD", help="Take away: speaker, tags, valid-to; repeat."
        ),
    ] = None,
) -> None:
    """Change a unit in place; what is not given stays."""
    changes = unit.given(cleared=clear or ())
    with target.writing() as memory:
        if text is None:
            changed = memory.update(unit_id, bank=target.bank, **changes)
        else:
            changed = memory.update(unit_id, bank=target.bank, text=text, **changes)
    show(changed, as_json=target.as_json)


def supersede(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The unit that is no longer true.")],
    target: BankOptions,
    new: Annotated[
        str | None, typer.Argument(metavar="[NEW]", help="A unit's id, or a text to keep.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", help="When the old one ended; by default when the new one began."),
    ] = None,
    undo: Annotated[
        bool, typer.Option("--undo", help="Let OLD hold again; what replaced it stays.")
    ] = False,
) -> None:
    """Replace a unit by another; the old one stays, with its validity closed."""
    if undo and (new is not None or at is not None):
        raise UsageProblem("With --undo give OLD alone.")
    if not undo and new is None:
        raise UsageProblem("Give NEW, which replaces OLD, or --undo.")
    with target.writing() as memory:
        if new is None:
            unit = memory.undo_supersede(old, bank=target.bank)
        else:
            unit = memory.supersede(old, new, at=at, bank=target.bank)
    show(unit, as_json=target.as_json)


def forget(
    where: FilterOptions,
    target: BankOptions,
    unit_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Units to erase.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Erase all that a filter matches.")] = False,
    compact: Annotated[
        bool, typer.Option("--compact", help="Rewrite the files too: no byte is left on disk.")
    ] = False,
) -> None:
    """Erase units from every table and index, and report what went."""
    from scrubjay.types.filters import UnitFilter

    what = where.given()
    if unit_ids and what != UnitFilter():
        raise UsageProblem("Give ids or a filter, not both.")
    if not unit_ids and what == UnitFilter():
        raise UsageProblem("Give ids or a filter; `scrubjay banks delete` erases a whole bank.")
    if not unit_ids and not yes:
        raise UsageProblem(
            "Erasing by filter needs --yes; `scrubjay list` with the same options shows what goes."
        )
    with target.writing() as memory:
        erased = memory.forget(unit_ids or what, bank=target.bank, compact=compact)
    show(erased, as_json=target.as_json)


PendingArgument = Annotated[
    list[str], typer.Argument(metavar="ID...", help="Units that `scrubjay pending` lists.")
]


def approve(unit_ids: PendingArgument, target: BankOptions) -> None:
    """Keep units that waited, under their ids, as if they were told now; all, or none."""
    with target.writing() as memory:
        kept = memory.approve(unit_ids, bank=target.bank)
    show(kept, as_json=target.as_json)


def reject(unit_ids: PendingArgument, target: BankOptions) -> None:
    """Erase units that waited, and report what went; all, or none."""
    with target.writing() as memory:
        erased = memory.reject(unit_ids, bank=target.bank)
    show(erased, as_json=target.as_json)
