"""The TypeScript client: up to date with the routes, compiled strictly, used against a server."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.needed import lacking
from tests.surface.http.http_server import Running
from tools.derive_typescript import COMMAND, TARGET, derived

from scrubjay.surface.http.routes.table import ROUTES

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "packages" / "scrubjay-typescript"
COMPILER = ROOT / "build/typescript/node_modules/typescript/bin/tsc"


def test_the_client_is_up_to_date_with_the_routes() -> None:
    assert TARGET.read_text(encoding="utf-8") == derived(), f"run `{COMMAND}`"


def test_it_has_the_version_of_the_project() -> None:
    described = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))
    assert described["version"] == version("scrubjay")


def test_each_route_has_a_name_of_its_own() -> None:
    names = [route.kind for route in ROUTES]
    assert len({*names}) == len(names)


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None or not COMPILER.is_file():
        lacking("the TypeScript compiler", "`make typescript` installs it")
    return found


@pytest.mark.slow
def test_it_compiles_strictly_and_talks_to_a_server(
    node: str, keyed_server: Running, tmp_path: Path
) -> None:
    compiled = subprocess.run(
        [node, str(COMPILER), "-p", str(PACKAGE / "test"), "--outDir", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert compiled.returncode == 0, compiled.stdout
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    key = keyed_server.key(any="admin")["Authorization"].removeprefix("Bearer ")
    run = subprocess.run(
        [node, str(tmp_path / "test/use.js"), keyed_server.url, key],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    said = json.loads(run.stdout)
    assert len(said["ids"]) == 1
    assert said["duplicates"] == said["ids"]
    assert said["found"] == [["Nadia keeps the keys of the quay.", True]]
    assert (said["bank"], said["listed"], said["task"], said["entity"]) == (
        "notes", 1, "import", "Nadia",
    )  # fmt: skip
    assert said["lines"] >= 1
    assert said["refused"]["status"] == 422
    assert "limit" in said["refused"]["message"]
