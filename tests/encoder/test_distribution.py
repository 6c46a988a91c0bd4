"""A model that comes as data of an installed package."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from tests.encoder.tiny_model import Parcel

from scrubjay.encoder.carrier import pull_models
from scrubjay.encoder.catalogue import Distribution, Model
from scrubjay.encoder.model_files import folder_of, is_present, read_verified, verify
from scrubjay.errors import ModelMissing


def packed(parcel: Parcel, folder: Path, module: str) -> Model:
    """The parcel's model inside a package called `module`."""
    place = folder / module / parcel.model.name
    place.mkdir(parents=True)
    (folder / module / "__init__.py").write_text("raise AssertionError('imported')\n", "utf-8")
    for name, content in parcel.content.items():
        (place / name).write_bytes(content)
    return replace(parcel.model, carrier=Distribution("tiny-model", "1.0", module, "tiny"))


def test_a_models_files_are_found_in_its_package_which_is_not_imported(
    parcel: Parcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = packed(parcel, tmp_path / "site", "tiny_package_found")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    nowhere = tmp_path / "models"
    assert is_present(model, nowhere)
    assert pull_models([model], directory=nowhere) == (folder_of(model, nowhere),)
    found = read_verified(model, model.weights, nowhere)
    assert hashlib.sha256(found).hexdigest() == model.weights.sha256
    assert not nowhere.exists()


def test_a_package_that_is_not_installed_names_the_command(parcel: Parcel, tmp_path: Path) -> None:
    absent = Distribution("tiny-model", "1.0", "tiny_package_absent", "tiny")
    model = replace(parcel.model, carrier=absent)
    for attempt in (verify, lambda given, home: pull_models([given], directory=home)):
        with pytest.raises(ModelMissing, match=r"`pip install 'scrubjay\[tiny\]'`"):
            attempt(model, tmp_path)


def test_a_file_of_another_version_of_the_package_is_refused(
    parcel: Parcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = packed(parcel, tmp_path / "site", "tiny_package_changed")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    path = folder_of(model, tmp_path) / model.weights.name
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with pytest.raises(ModelMissing, match=r"not the pinned file.*scrubjay\[tiny\]"):
        verify(model, tmp_path)
