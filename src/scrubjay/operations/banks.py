"""What is done with whole banks: list, make, look at, change, check, move, delete."""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from scrubjay.encoder.base import Encoder
from scrubjay.encoder.opening import open_encoder
from scrubjay.engine import transfer
from scrubjay.engine.retain.checking import check_analysis
from scrubjay.engine.tuning import check_kinds
from scrubjay.engine.upkeep import doctoring, reembedding
from scrubjay.engine.upkeep.filling import fill_in
from scrubjay.errors import EncoderError, NotFound
from scrubjay.operations.looking import look_after
from scrubjay.operations.operation import (
    BANK,
    BANKS,
    Address,
    Engine,
    KeyScope,
    Transfer,
    operation,
)
from scrubjay.settings import BankSettings
from scrubjay.store.base import BankStore
from scrubjay.trace import Trace
from scrubjay.types.reports import BankInfo, Finding, Stats


@operation(Address("GET", BANKS, KeyScope.READ, "List the banks this key may read.", "banks"))
def banks(engine: Engine) -> list[BankInfo]:
    """All banks, by name."""
    cards = []
    for name in engine.store.bank_names():
        with contextlib.suppress(NotFound):  # deleted meanwhile
            cards.append(info.function(replace(engine, name=name)))
    return cards


# Over HTTP a bank is made when something is told; to make it at once takes an admin's key.
@operation(
    Address("PUT", BANK, KeyScope.ADMIN, "Make a bank, or change its settings.", optional=True)
)
def make_bank(engine: Engine, settings: Mapping[str, object]) -> None:
    """Make a bank if it is new; settings given are stored with it."""
    made = BankSettings().changed(settings)
    check_analysis(made.analysis, made.analysis, units=0)
    check_kinds(made.weights)
    engine.toolbox.meter.forget(engine.name)
    if not engine.store.create_bank(engine.name, made) and settings:
        configure.function(engine, settings)


@operation(Address("DELETE", BANK, KeyScope.ADMIN, "Erase a bank and its files."))
def delete_bank(engine: Engine) -> None:
    """Erase a bank and its files."""
    engine.toolbox.meter.forget(engine.name)
    if not engine.store.delete_bank(engine.name):
        raise NotFound("no such bank", engine.name, "List them with banks().")


@operation(Address("GET", BANK, KeyScope.READ, "A bank's identity card and settings."))
def info(engine: Engine) -> BankInfo:
    """The bank's identity card."""
    with engine.using() as bank:
        return bank.info()


@operation(Address("GET", BANK, KeyScope.READ, "A bank's identity card and settings.", "settings"))
def settings(engine: Engine) -> BankSettings:
    """The bank's settings."""
    with engine.using() as bank:
        return bank.settings


@operation(Address("PUT", BANK, KeyScope.ADMIN, "Make a bank, or change its settings.", "settings"))
def configure(engine: Engine, changes: Mapping[str, object]) -> BankSettings:
    """Change the bank's settings."""
    with engine.using() as bank, bank.writing():
        changed = bank.settings.changed(changes)
        check_analysis(changed.analysis, bank.settings.analysis, bank.unit_count())
        check_kinds(changed.weights)
        if changed != bank.settings:
            bank.change_settings(changed)
            engine.toolbox.meter.learn(bank)
        return changed


@operation(Address("GET", f"{BANK}/stats", KeyScope.READ, "Counts and sizes of a bank."))
def stats(engine: Engine) -> Stats:
    """Counts and sizes."""
    with engine.using() as bank:
        return bank.stats()


@operation(
    Address("POST", f"{BANK}/doctor", KeyScope.ADMIN,
            "Check a bank's indexes, and mend them with `fix`.", "findings")
)  # fmt: skip
def doctor(engine: Engine, fix: bool = False) -> builtins.list[Finding]:
    """Check words against texts, and every index against the rows."""
    with engine.using() as bank:
        filled = _fill_in(engine, bank) if fix and bank.settings.embed_later else 0
        wanted = bank.settings.late and bank.encoder is not None
        encoder = engine.toolbox.encoder_for(bank.name, bank.encoder) if wanted else None
        found = doctoring.examine(bank, encoder, fix=fix)
        if fix:
            # What a look found before is mended, or among what is said here.
            bank.keep_look(None)
    mended = f"{filled} unit(s) had no vector, since the encoder failed when they were told"
    return [Finding("vectors", mended, fixed=True), *found] if filled else found


def _fill_in(engine: Engine, bank: BankStore) -> int:
    """Make every vector that a bank waits for; how many."""
    filled = 0
    # What the encoder fails at still is found to be missing.
    with contextlib.suppress(EncoderError):
        encoder = engine.toolbox.writing(bank, Trace()).encoder
        while encoder is not None and (some := fill_in(bank, encoder, engine.toolbox.waiting)):
            filled += some
    return filled


@operation(
    Address("POST", f"{BANK}/compact", KeyScope.ADMIN,
            "Rewrite a bank's files without what was erased.", "pending")
)  # fmt: skip
def compact(engine: Engine) -> str | None:
    """Rewrite the bank's files without what was erased; what is still pending, else None."""
    with engine.doing("compact") as (bank, _):
        return bank.compact()


@operation(
    Address("POST", f"{BANK}/reembed", KeyScope.ADMIN,
            "Give every unit the vector of another encoder.", "units", Transfer.TASK)
)  # fmt: skip
def reembed(engine: Engine, encoder: str | Encoder, progress: transfer.Progress) -> int:
    """Give every unit the vector of another encoder, then switch to it at once; how many."""
    with engine.doing("reembed") as (bank, _):
        opened = open_encoder(encoder)
        # Before the switch: whoever asks at that moment needs it.
        engine.toolbox.adopt(opened)
        return reembedding.reembed(bank, opened, progress)


@operation(
    Address("GET", f"{BANK}/export", KeyScope.READ, "Write a bank as JSON lines.",
            transfer=Transfer.DOWNLOAD)
)  # fmt: skip
def export(engine: Engine, path: Path, progress: transfer.Progress) -> int:
    """Write the bank to a file of JSON lines; how many."""
    with engine.doing("export") as (bank, _):
        target = transfer.outside(path, engine.store.location)
        return transfer.export_file(bank, target, progress)


@operation(
    Address("POST", f"{BANK}/import", KeyScope.WRITE, "Read a file of JSON lines into a bank.",
            transfer=Transfer.UPLOAD),
    makes_bank=True,
)  # fmt: skip
def import_(
    engine: Engine, path: Path, keep_going: bool, progress: transfer.Progress
) -> transfer.Imported:
    """Read a file of JSON lines; interrupted, run it again and it goes on."""
    with engine.writing("import") as (bank, tools):
        done = transfer.import_file(bank, path, tools, keep_going=keep_going, progress=progress)
    look_after(engine, done.new + done.updated)
    return done


@operation(Address("", "", KeyScope.ADMIN, "", transfer=Transfer.NONE))
def backup(engine: Engine, target: Path) -> None:
    """Copy the store, consistent while others write, into a new directory."""
    engine.store.backup(str(target))
