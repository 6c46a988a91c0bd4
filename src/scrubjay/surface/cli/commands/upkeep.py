"""Commands that move and mend stores: import, export, copy, reembed, backup, restore, doctor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.errors import ImportFailed
from scrubjay.surface.cli.shared.exits import ExitCode, UsageProblem
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import BankOptions, JsonOption, StoreOption, StoreOptions
from scrubjay.surface.cli.shared.output import STDIN, STDOUT, emit, is_stdout, progress
from scrubjay.surface.cli.shared.waiting import open_waiting
from scrubjay.surface.cli.views.tables import view_of

if TYPE_CHECKING:
    from scrubjay.types.values import Json


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    command(app, "import")(import_file)
    for function in (export, copy, reembed, backup, restore, doctor):
        command(app)(function)


def import_file(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file, a zip or a folder; - reads stdin.")
    ],
    target: BankOptions,
    kind: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="KIND",
            help="scrubjay, claude-code, codex, chatgpt, claude, hindsight, slack, mcp-memory, "
            "mem0, markdown, csv or jsonl; guessed if left out.",
        ),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="For csv and jsonl; repeat."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be kept, and what not.")
    ] = False,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Keep the good lines when some are bad.")
    ] = False,
) -> None:
    """Bring a file along, ours or another program's; interrupted, run it again."""
    from scrubjay import importers  # brings numpy; see options.py
    from scrubjay.importers.kinds import OWN
    from scrubjay.importers.tables import columns_of

    path = STDIN if file == "-" else file
    mapped = columns_of(columns or [])
    trying = target.reading_if_there() if dry_run else target.writing()
    with trying as memory, progress("import") as tell:
        brought = None
        # A stream can be read once: it is ours, unless it is said to be another's.
        descriptor = path.startswith(("/dev/std", "/dev/fd/", "/proc/self/fd/"))
        lasting = not descriptor and (Path(path).is_file() or Path(path).is_dir())
        if kind != OWN and (kind is not None or lasting):
            brought = importers.import_file(
                memory.bank(target.bank) if not dry_run else None,
                path, kind, columns=mapped, dry_run=dry_run, keep_going=keep_going, progress=tell,
            )  # fmt: skip
        if brought is not None:
            found: dict[str, Json] = {
                name: value for name, value in asdict(brought).items() if value is not None
            }
            emit(found, view_of(found), as_json=target.as_json)
            return
        if dry_run:
            raise UsageProblem("--dry-run tells of other programs' files; ours are all or nothing.")
        with nullcontext() if lasting or kind else _naming_streams():
            imported = memory.import_(path, bank=target.bank, keep_going=keep_going, progress=tell)
    problems = [{"line": line, "reason": reason} for line, reason in imported.problems]
    shape = {**asdict(imported), "problems": problems}
    emit(shape, view_of(shape), as_json=target.as_json)


@contextmanager
def _naming_streams() -> Iterator[None]:
    """Say of a stream that cannot be read that its kind has to be said."""
    from scrubjay.importers.kinds import KINDS

    try:
        yield
    except ImportFailed as error:
        raise UsageProblem(
            f"{error} A stream is read as scrubjay's own lines, for it cannot be looked at first: "
            f"say what it is by --from KIND ({', '.join(KINDS)})."
        ) from error


def export(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Where to write it; - writes to stdout.")
    ],
    target: BankOptions,
    form: Annotated[
        str,
        typer.Option("--to", metavar="FORM", help="jsonl, or markdown: a folder of notes."),
    ] = "jsonl",
) -> None:
    """Write a bank to a file of JSON lines, or a folder of notes, that `import` reads."""
    if form not in ("jsonl", "markdown"):
        raise UsageProblem(f"--to {form!r}: use jsonl or markdown.")
    if form == "markdown":
        from scrubjay.importers import write_notes  # brings numpy; see options.py

        with target.reading() as memory:
            written = write_notes(memory.bank(target.bank), Path(file))
        emit(
            {"notes": written, "folder": file}, f"{written} notes in {file}", as_json=target.as_json
        )
        return
    path = STDOUT if file == "-" else file
    with target.reading() as memory, progress("export") as tell:
        lines = memory.export(path, bank=target.bank, progress=tell)
    emit(
        {"lines": lines, "file": file}, f"{lines} lines in {file}",
        as_json=target.as_json, aside=is_stdout(path),
    )  # fmt: skip


def copy(
    source: Annotated[str, typer.Argument(metavar="SRC", help="A directory or postgresql://.")],
    target: Annotated[str, typer.Argument(metavar="DST", help="A directory or postgresql://.")],
    banks: Annotated[
        list[str] | None,
        typer.Option("--bank", metavar="NAME", help="Only this bank; repeat for more."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Copy banks from one store into another, vectors and all, and compare them at the end."""
    from scrubjay.administration import copy_store  # brings numpy; see options.py

    with progress("copy") as tell:
        copied = copy_store(
            source, target, banks=banks or (), progress=lambda _bank, *steps: tell(*steps)
        )
    shape: list[Json] = [asdict(bank) for bank in copied]
    emit(shape, view_of(shape), as_json=as_json)


def reembed(target: BankOptions) -> None:
    """Give every unit the vector of --encoder, and switch the bank to it at the end."""
    from scrubjay.encoder import best_available  # brings numpy; see options.py
    from scrubjay.encoder.catalogue import ENCODERS
    from scrubjay.errors import ModelMissing
    from scrubjay.memory import Memory

    encoder = best_available() if target.encoder == "auto" else target.encoder
    if encoder is None:
        raise ModelMissing(f"No embedding model is on this machine. Run `{ENCODERS[0].remedy}`.")
    # Opened without an encoder: the bank is still pinned to the old one.
    opened = open_waiting(target.store, lambda: Memory.open(target.store, encoder=None))
    with opened as memory, progress("reembed") as tell:
        units = memory.reembed(encoder, bank=target.bank, progress=tell)
        now = memory.stats(bank=target.bank).encoder
    shape = {"bank": target.bank, "encoder": now, "units": units}
    emit(shape, f"{units} units embedded with {now}", as_json=target.as_json)


def backup(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="A new directory.")],
    target: StoreOptions,
) -> None:
    """Copy a store, consistent also while others write."""
    with target.reading() as memory:
        memory.backup(directory)
    emit({"backup": str(directory)}, f"backup in {directory}", as_json=target.as_json)


def restore(
    directory: Annotated[Path, typer.Argument(metavar="BACKUP", help="What `backup` wrote.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a store, new or empty, from a backup."""
    from scrubjay.backend import default_directory
    from scrubjay.memory import Memory  # see options.py

    path = Path(store) if store is not None else default_directory()
    Memory.restore(directory, path)
    emit({"store": str(path)}, f"store in {path}", as_json=as_json)


def doctor(
    target: BankOptions,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what is wrong.")] = False,
    every_bank: Annotated[bool, typer.Option("--all", help="Every bank of the store.")] = False,
) -> None:
    """Check a bank's indexes against its rows; exits with 4 if problems stay."""
    from scrubjay.codec.compiled import encode  # brings numpy; see options.py
    from scrubjay.surface.cli.views.reports import findings_view

    with target.writing() if fix else target.reading() as memory:
        names = [bank.name for bank in memory.banks()] if every_bank else [target.bank]
        found = {name: memory.doctor(bank=name, fix=fix) for name in names}
    healthy = all(finding.fixed for findings in found.values() for finding in findings)
    shape: dict[str, Json] = {
        "healthy": healthy,
        "banks": {name: encode(found[name]) for name in names},
    }
    emit(shape, findings_view(found), as_json=target.as_json)
    if not healthy:
        raise typer.Exit(ExitCode.PROBLEMS)
