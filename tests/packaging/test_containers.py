"""The files of the containers name what is there, and run it safely, as far as can be read."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import scrubjay
from scrubjay.surface.cli import app

ROOT = Path(__file__).parents[2]
INSTRUCTION = re.compile(r"([A-Z]+)\s+(.*)", re.DOTALL)


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in order, each with what follows its name."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    found = [INSTRUCTION.fullmatch(line) for line in joined.splitlines()]
    assert all(found), "every line is an instruction"
    return [(match[1], " ".join(match[2].split())) for match in found if match is not None]


def last(name: str) -> str:
    return [value for instruction, value in instructions() if instruction == name][-1]


def parsed_by_the_command_line(arguments: list[str]) -> bool:
    """Whether the command line has such a command with such options."""
    return CliRunner().invoke(app, [*arguments, "--help"]).exit_code == 0


def documents(name: str) -> list[dict[str, Any]]:
    with (ROOT / name).open(encoding="utf-8") as file:
        return list(yaml.safe_load_all(file))


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [
        source
        for instruction, value in instructions()
        if instruction == "COPY" and not value.startswith("--from")
        for source in shlex.split(value)[:-1]
    ]
    assert copied
    for source in copied:
        assert (ROOT / source).exists(), source
        assert f"!{source}" in ignored, source


def test_the_image_installs_extras_that_exist_and_the_model() -> None:
    (installing,) = (value for name, value in instructions() if "pip install" in value)
    match = re.search(r"\.\[([a-z,]+)\]", installing)
    assert match is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(match[1].split(",")) <= set(project["optional-dependencies"])
    assert "./packages/scrubjay-model" in installing


def test_the_image_runs_a_command_that_exists_as_somebody_without_rights() -> None:
    assert last("USER").isdecimal() and last("USER") != "0"
    command = json.loads(last("ENTRYPOINT")) + json.loads(last("CMD"))
    assert command[0] == "scrubjay"
    assert parsed_by_the_command_line(command[1:])
    assert last("EXPOSE") in last("HEALTHCHECK")
    assert "/ready" in last("HEALTHCHECK")


def test_compose_keeps_the_root_read_only_and_waits_for_the_database() -> None:
    (compose,) = documents("compose.yaml")
    server = compose["services"]["scrubjay"]
    assert server["read_only"] and server["cap_drop"] == ["ALL"]
    assert server["depends_on"]["database"]["condition"] == "service_healthy"
    assert "healthcheck" in compose["services"]["database"]
    assert all(port.startswith("127.0.0.1:") for port in server["ports"])
    named = {volume.split(":")[0] for s in compose["services"].values() for volume in s["volumes"]}
    assert named == set(compose["volumes"])


@pytest.mark.parametrize("kind", ["PersistentVolumeClaim", "Deployment", "Service"])
def test_kubernetes_has_one_of_each(kind: str) -> None:
    found = [each for each in documents("deploy/kubernetes/scrubjay.yaml") if each["kind"] == kind]
    assert len(found) == 1


def test_kubernetes_asks_routes_that_exist_and_lets_nobody_be_root() -> None:
    by_kind = {each["kind"]: each for each in documents("deploy/kubernetes/scrubjay.yaml")}
    pod = by_kind["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert str(pod["securityContext"]["runAsUser"]) == last("USER")
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert parsed_by_the_command_line(container["args"])
    routes = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    for probe in ("livenessProbe", "readinessProbe"):
        assert f"| `GET` | `{container[probe]['httpGet']['path']}` |" in routes
    labels = by_kind["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert by_kind["Service"]["spec"]["selector"] == labels


def test_versions_agree_with_the_package() -> None:
    (citation,) = documents("CITATION.cff")
    assert citation["version"] == scrubjay.__version__
    assert f"scrubjay:{scrubjay.__version__}" in (
        ROOT / "deploy" / "kubernetes" / "scrubjay.yaml"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(p.name for p in (ROOT / ".github/workflows").iterdir()))
def test_workflows_run_targets_that_exist(name: str) -> None:
    (workflow,) = documents(f".github/workflows/{name}")
    targets = (ROOT / "Makefile").read_text(encoding="utf-8")
    steps = [step for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    assert steps
    for step in steps:
        words = shlex.split(step["run"])
        if words[0] == "make":
            assert re.search(rf"^{words[1]}:", targets, re.MULTILINE), step["run"]
        else:
            assert (ROOT / words[-1]).is_file(), step["run"]
