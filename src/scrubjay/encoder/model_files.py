"""Where model files live on this machine, and whether they are the pinned ones."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from functools import cache
from pathlib import Path

import platformdirs

from scrubjay.encoder.catalogue import Distribution, Model, ModelFile
from scrubjay.errors import ExtraMissing, ModelMissing

RUNTIME_EXTRA = "onnx"
DIRECTORY_VARIABLE = "SCRUBJAY_MODELS"


def models_directory(given: Path | None = None) -> Path:
    """The directory of all models: `given`, else SCRUBJAY_MODELS, else the user's data directory.

    The directory need not exist.
    """
    if given is not None:
        return given
    from_environment = os.environ.get(DIRECTORY_VARIABLE)
    if from_environment:
        return Path(from_environment).expanduser()
    return platformdirs.user_data_path("scrubjay", appauthor=False) / "models"


def folder_of(model: Model, directory: Path) -> Path:
    """Where the files of `model` lie: in its distribution if that is installed, else here."""
    installed = None
    if isinstance(model.carrier, Distribution):
        installed = _package_folder(model.carrier.module)
    return (installed or directory) / model.name


def file_path(model: Model, file: ModelFile, directory: Path) -> Path:
    """Where `file` of `model` lies; `directory` is that of all models."""
    return folder_of(model, directory) / file.name


def is_present(model: Model, directory: Path) -> bool:
    """Whether every file is there with its pinned size; cheap, hashes are checked on reading."""
    return all(_size_of(file_path(model, file, directory)) == file.size for file in model.files)


def missing_runtime() -> str | None:
    """The package that models of the catalogue cannot run without; None: they can."""
    needed = ("onnxruntime", "tokenizers")
    return next((name for name in needed if importlib.util.find_spec(name) is None), None)


def require_usable(model: Model, directory: Path) -> None:
    """Raise ExtraMissing where no model can run, and ModelMissing unless this one is here."""
    require_present(model, directory)
    missing = missing_runtime()
    if missing is not None:
        raise ExtraMissing(RUNTIME_EXTRA, missing)


def require_present(model: Model, directory: Path) -> None:
    """Raise ModelMissing, naming the file and the remedy, unless `is_present`."""
    for file in model.files:
        path = file_path(model, file, directory)
        size = _size_of(path)
        if size is None:
            raise ModelMissing(
                f"Model {model.name!r} is not on this machine: there is no {path}. "
                f"Run `{model.remedy}`."
            )
        if size != file.size:
            raise _not_pinned(model, path, f"{size} bytes", f"{file.size}")


def read_verified(model: Model, file: ModelFile, directory: Path) -> bytes:
    """The bytes of `file`, proven to be the pinned ones; ModelMissing otherwise.

    Callers load these very bytes, so what was checked is what is used.
    """
    require_present(model, directory)
    path = file_path(model, file, directory)
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != file.sha256:
        raise _not_pinned(model, path, f"SHA-256 {found[:12]}", f"{file.sha256[:12]}")
    return content


def verify(model: Model, directory: Path) -> None:
    """Hash every file of `model`; ModelMissing names the first that is absent or not the pinned."""
    for file in model.files:
        read_verified(model, file, directory)


@cache
def _package_folder(module: str) -> Path | None:
    """The folder of an installed package, which is not imported; None if there is none."""
    found = importlib.util.find_spec(module)
    places = None if found is None else found.submodule_search_locations
    return Path(next(iter(places))) if places else None


def _size_of(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _not_pinned(model: Model, path: Path, found: str, pinned: str) -> ModelMissing:
    return ModelMissing(
        f"{path} is not the pinned file of {model.name!r}: it has {found}, not {pinned}. "
        f"Run `{model.remedy}` to replace it."
    )
