"""Exit codes, and where errors go."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.surface.cli.command_line import Cli

import scrubjay
from scrubjay.errors import shorten
from scrubjay.memory import Memory
from scrubjay.surface.wording import REMEDIES, Remedy

MISSING = "0" * 20


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["get", MISSING], 3, "no such unit"),
        (["update", MISSING, "--text", "x"], 3, "no such unit"),
        (["list", "--bank", "nowhere"], 3, "no such bank"),
        (["banks", "delete", "nowhere", "--yes"], 3, "no such bank"),
        (["explain", "ferry", MISSING], 3, "no such unit"),
        (["retain", "   "], 2, "empty text"),
        (["retain", "x", "--metadata", "{broken"], 2, "--metadata"),
        (["retain", "x", "--metadata", "[1]"], 2, "--metadata"),
        (["retain", "x", "--type", "colour"], 2, "unknown type"),
        (["retain", "x", "--told-at", "yesterday"], 2, "--told-at"),
        (["list", "--told-from", "soon"], 2, "--told-from: 'soon'. Give an ISO time"),
        (["list", "--told-from", "soon"], 2, "or a day, such as '2026-03-02'"),
        (["list", "--occurred-to", "soon"], 2, "or a day, such as '2026-03-02'"),
        (["relate", "Ada", "knows", "Ida", "--valid-from", "x"], 2, "or a day, such as"),
        (["parse", "ferry", "--now", "soon"], 2, "or a day"),
        (["list", "--limit", "0"], 2, "limit"),
        (["list", "--limit", "many"], 2, "--limit"),
        (["recall", "x", "--preset", "magic"], 2, "magic"),
        (["recall", "  "], 2, "empty question"),
        (["recall", "x", "--now", "2026-03-02T09:30:00"], 2, "zone"),
        (["recall"], 2, "QUESTION"),
        (["recall", "x", "--nonsense"], 2, "--nonsense"),
        (["nonsense"], 2, "nonsense"),
        (["retain", "x", "--encoder", "no-such-model"], 2, "Unknown encoder"),
        (["entities", "alias", "1000", "Ada"], 3, "1000"),
    ],
)
@pytest.mark.usefixtures("harbour")
def test_an_error_is_one_line_on_stderr_with_its_exit_code(
    cli: Cli, arguments: list[str], code: int, said: str
) -> None:
    refused = cli(*arguments)
    assert (refused.code, refused.out) == (code, "")
    assert refused.err.startswith("error: ")
    assert said in refused.err
    assert "Traceback" not in refused.err

    told = cli(*arguments, "--json")
    assert (told.code, told.out) == (code, "")
    error = json.loads(told.err)["error"]
    assert said in error["message"]
    assert error["kind"]


@pytest.mark.usefixtures("harbour")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list", "--bank", "nowhere"], "scrubjay banks create"),
        (["approve", MISSING], "scrubjay pending"),
        (["recall", "x", "--now", "2026-03-02T09:30:00"], "such as Z"),
    ],
)
def test_a_remedy_names_commands_and_options(cli: Cli, arguments: list[str], said: str) -> None:
    refused = cli(*arguments)
    assert said in refused.err
    assert "()" not in refused.err
    assert "memory." not in refused.err
    assert "tzinfo" not in refused.err


@pytest.mark.parametrize("remedy", REMEDIES, ids=lambda remedy: remedy.python[:40])
def test_a_remedy_that_is_put_in_other_words_is_one_that_an_error_gives(remedy: Remedy) -> None:
    # As the sources have it: in one literal, or in several that follow each other.
    texts = [
        re.sub(r'"\s*f?"', "", path.read_text(encoding="utf-8"))
        for path in (Path(scrubjay.__file__).parent).rglob("*.py")
        if path.name != "wording.py"
    ]
    pattern = remedy.python.replace("('[^']*')", ".*?")
    assert any(re.search(pattern, text) for text in texts)


@pytest.mark.usefixtures("harbour")
def test_the_kind_names_the_error(hashed: Cli) -> None:
    told = hashed("get", MISSING, "--json")
    assert json.loads(told.err)["error"]["kind"] == "NotFound"


def test_a_store_that_is_not_there_is_not_made_by_reading(cli: Cli, tmp_path: Path) -> None:
    refused = cli("recall", "anything")
    assert refused.code == 3
    assert shorten(str(tmp_path / "store")) in refused.err
    assert not (tmp_path / "store").exists()


def test_a_store_held_by_another_writer_can_be_read_but_not_written(
    hashed: Cli, ferry: str, tmp_path: Path
) -> None:
    with Memory.open(tmp_path / "store", encoder="hash"):
        locked = hashed("retain", "The crane is blue.")
        assert locked.code == 1
        assert "open for writing by" in locked.err
        assert hashed("get", ferry).code == 0
        assert hashed("recall", "ferry launch", "--json").json["items"][0]["id"] == ferry


@pytest.mark.usefixtures("harbour")
def test_what_the_system_refuses_is_an_error_too(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    cli("backup", tmp_path / "backup")
    refused = cli("restore", tmp_path / "backup", "--store", tmp_path / "file" / "store")
    assert refused.code == 1
    assert refused.err.startswith("error: ")
    assert "Traceback" not in refused.err


@pytest.mark.parametrize("arguments", [["import"], ["parse", "--file"]])
def test_a_file_that_cannot_be_read_is_bad_input(
    hashed: Cli, tmp_path: Path, arguments: list[str]
) -> None:
    refused = hashed(*arguments, tmp_path / "nowhere.jsonl")
    assert refused.code == 2
    assert "nowhere.jsonl" in refused.err


def test_json_after_a_double_dash_is_a_text(hashed: Cli) -> None:
    refused = hashed("get", "--", "--json")
    assert refused.err.startswith("error: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["retain", "x", "--told-at", "yesterday"], "error: --told-at: 'yesterday'."),
        (["recall", "x", "--limit", "0"], "error: --limit: 0."),
        (["recall", "x", "--min-score=3"], "error: --min-score: 3.0."),
        (["recall", "x", "--deadline-ms", "-1"], "error: --deadline-ms: -1.0."),
        (["recall", "x", "--preset", "foo"], "error: unknown preset: 'foo'."),
        (["retain", "x", "--type", "beacon"], "error: unknown type: 'beacon'."),
        (["relate", "a", "b", "c", "--class", "foo"], "error: --class: 'foo'."),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_an_error_names_the_option_that_was_typed(
    cli: Cli, arguments: list[str], said: str
) -> None:
    cli("retain", "The lamp is lit.")
    ran = cli(*arguments)
    assert ran.code == 2
    assert ran.err.startswith(said)


def test_a_remedy_says_what_can_be_typed(cli: Cli, hashed: Cli) -> None:
    assert "scrubjay banks create NAME --set types=" in cli("retain", "x", "--type", "beacon").err
    hashed("retain", "The lamp is lit.")
    mismatch = cli("recall", "lamp", "--encoder", "scrubjay-small")
    assert "--encoder 'hash'" in mismatch.err
    assert "encoder='" not in mismatch.err


def test_an_import_that_fails_speaks_of_options_and_of_what_the_file_lacks(
    hashed: Cli, tmp_path: Path
) -> None:
    lines, wide, empty = (tmp_path / name for name in ("bad.jsonl", "wide.csv", "empty.csv"))
    lines.write_text('{"text": "The crane is blue."}\n{"text": 4}\n', encoding="utf-8")
    wide.write_text("text\nThe crane is blue.\n", encoding="utf-16")
    empty.touch()
    assert "or give --keep-going to keep the rest" in hashed("import", lines).err
    assert "line 1: not UTF-8 at byte 0; save it so" in hashed("import", wide).err
    assert "no header: 'the first line is empty'" in hashed("import", empty, "--from", "csv").err
    assert (
        "The first command that writes makes it."
        in hashed("list", "--store", wide.parent / "x").err
    )
