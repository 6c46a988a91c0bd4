"""The options that several commands share, as dataclasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.entity_names import number_or_name
from scrubjay.errors import BadInput, NotFound
from scrubjay.surface.cli.shared.values import day_bound, json_object, span
from scrubjay.surface.cli.shared.waiting import open_waiting

# The engine, with numpy and its native libraries, takes 300 ms to import; `--help` and mistakes in
# the options do not need it. So it is imported in bodies here, and nowhere else in the options.
if TYPE_CHECKING:
    from scrubjay.memory import Memory
    from scrubjay.types.filters import UnitFilter
    from scrubjay.types.units import UnitFields
    from scrubjay.types.values import Window

_EVERYWHERE = "Everywhere"

JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print one line of JSON instead.", rich_help_panel=_EVERYWHERE),
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PATH",
        envvar="SCRUBJAY_STORE",
        show_default="your data directory",
        help="The store's directory.",
        rich_help_panel=_EVERYWHERE,
    ),
]
EncoderOption = Annotated[
    str,
    typer.Option(
        "--encoder",
        metavar="NAME",
        help="auto, fast, none, hash, a name from `scrubjay models list`, or an address.",
        rich_help_panel=_EVERYWHERE,
    ),
]
BankOption = Annotated[
    str,
    typer.Option(
        "--bank",
        metavar="NAME",
        envvar="SCRUBJAY_BANK",
        help="The bank to use.",
        rich_help_panel=_EVERYWHERE,
    ),
]


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """Which store, read by which encoder, printed how."""

    store: StoreOption = None
    encoder: EncoderOption = "auto"
    as_json: JsonOption = False

    def writing(self) -> Memory:
        """The store, held for writing and made if new; waits a little for another command."""
        return open_waiting(self.store, lambda: self._opened(read_only=False))

    def reading(self) -> Memory:
        """The store for reading only, also while another process writes it."""
        return self._opened(read_only=True)

    def reading_if_there(self) -> Memory:
        """The store for reading, or an empty one in memory where there is none."""
        from scrubjay.backend import IN_MEMORY
        from scrubjay.memory import Memory

        try:
            return self._opened(read_only=True)
        except NotFound:
            return Memory.open(IN_MEMORY, encoder=self.encoder)

    def _opened(self, *, read_only: bool) -> Memory:
        from scrubjay.memory import Memory

        return Memory.open(self.store, encoder=self.encoder, read_only=read_only)


@dataclass(frozen=True, slots=True)
class BankOptions(StoreOptions):
    """Which bank of which store."""

    bank: BankOption = "default"


_TIME = "ISO time with its zone"


@dataclass(frozen=True, slots=True)
class UnitOptions:
    """Everything that can be said of a unit beside its text."""

    type: Annotated[str | None, typer.Option("--type", help="Its type; by rule if left out.")] = (
        None
    )
    predicate: Annotated[
        str | None, typer.Option("--predicate", help="A short phrase that says the most.")
    ] = None
    context: Annotated[str | None, typer.Option("--context", help="What it was about.")] = None
    occurred: Annotated[
        str | None,
        typer.Option(
            "--occurred", help=f"When it happened: a day, an {_TIME}, or START/END of these."
        ),
    ] = None
    told_at: Annotated[str | None, typer.Option("--told-at", help=f"When: {_TIME}; now.")] = None
    valid_from: Annotated[
        str | None, typer.Option("--valid-from", help=f"True since: {_TIME}.")
    ] = None
    valid_to: Annotated[
        str | None, typer.Option("--valid-to", help=f"No longer true after: {_TIME}.")
    ] = None
    tags: Annotated[list[str] | None, typer.Option("--tag", help="A tag; repeat for more.")] = None
    entities: Annotated[
        list[str] | None, typer.Option("--entity", help="Who or what it names; repeat for more.")
    ] = None
    metadata: Annotated[
        str | None,
        typer.Option("--metadata", metavar="JSON", help="A JSON object to keep with it."),
    ] = None
    session: Annotated[str | None, typer.Option("--session", help="Its conversation.")] = None
    speaker: Annotated[str | None, typer.Option("--speaker", help="Who said it.")] = None
    key: Annotated[
        str | None, typer.Option("--key", help="Your own name for it; a known key updates.")
    ] = None
    author: Annotated[str | None, typer.Option("--author", help="Who told it.")] = None
    origin: Annotated[str | None, typer.Option("--origin", help="From where it was told.")] = None

    def given(self, cleared: Sequence[str] = ()) -> UnitFields:
        """What was given, and nothing else; None for what is taken away."""
        names = [field.name for field in fields(self)]
        changes: UnitFields = {}
        for option in cleared:
            name = option.replace("-", "_")
            if name not in names:
                known = ", ".join(names).replace("_", "-")
                raise BadInput("--clear", option, f"Known: {known}.")
            changes[name] = None  # type: ignore[literal-required]
        for name in names:
            if getattr(self, name) not in (None, []):
                changes[name] = getattr(self, name)  # type: ignore[literal-required]
        if self.occurred is not None:
            changes["occurred"] = span(self.occurred)
        if self.metadata is not None:
            changes["metadata"] = json_object("--metadata", self.metadata)
        return changes


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """Which units a command is about."""

    type: Annotated[list[str] | None, typer.Option("--type", help="Of this type; repeat.")] = None
    tag: Annotated[
        list[str] | None, typer.Option("--tag", help="With this tag; repeated: with all.")
    ] = None
    metadata: Annotated[
        str | None, typer.Option("--metadata", metavar="JSON", help="With these metadata values.")
    ] = None
    session: Annotated[str | None, typer.Option("--session", help="Of this conversation.")] = None
    speaker: Annotated[str | None, typer.Option("--speaker", help="Said by.")] = None
    author: Annotated[str | None, typer.Option("--author", help="Told by.")] = None
    origin: Annotated[str | None, typer.Option("--origin", help="Told from there.")] = None
    key: Annotated[str | None, typer.Option("--key", help="With this key.")] = None
    entity: Annotated[
        str | None, typer.Option("--entity", help="That name this entity, or its number.")
    ] = None
    told_from: Annotated[
        str | None, typer.Option("--told-from", help="Told at or after this time or day.")
    ] = None
    told_to: Annotated[
        str | None, typer.Option("--told-to", help="Told at or before this time or day.")
    ] = None
    occurred_from: Annotated[
        str | None, typer.Option("--occurred-from", help="Happened at or after this time or day.")
    ] = None
    occurred_to: Annotated[
        str | None, typer.Option("--occurred-to", help="Happened at or before this time or day.")
    ] = None

    text: Annotated[
        str | None, typer.Option("--text", help="With these words, the last by its beginning.")
    ] = None

    def given(self) -> UnitFilter:
        """The filter; empty if nothing was given."""
        from scrubjay.types.filters import UnitFilter
        from scrubjay.types.values import EntityId

        named = None if self.entity is None else number_or_name(self.entity)
        entity = EntityId(named) if isinstance(named, int) else named
        return UnitFilter(
            types=tuple(self.type or ()),
            tags=tuple(self.tag or ()),
            metadata={} if self.metadata is None else json_object("--metadata", self.metadata),
            session=self.session,
            speaker=self.speaker,
            author=self.author,
            origin=self.origin,
            key=self.key,
            entity=entity,
            text=self.text,
            told=window("--told-from", self.told_from, "--told-to", self.told_to),
            occurred=window(
                "--occurred-from", self.occurred_from, "--occurred-to", self.occurred_to
            ),
        )


def window(from_name: str, start: str | None, to_name: str, end: str | None) -> Window | None:
    """The closed interval between two times or days, None if neither was given."""
    from scrubjay.types.values import Window

    if start is None and end is None:
        return None
    return Window(
        None if start is None else day_bound(from_name, start, last=False),
        None if end is None else day_bound(to_name, end, last=True),
    )
