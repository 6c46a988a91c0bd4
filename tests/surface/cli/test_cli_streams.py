"""Paths that are not plain files: pipes, devices, links, standard input and output."""

from __future__ import annotations

import json
import os
import pty
import shlex
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

SCRUBJAY = f"{shlex.quote(sys.executable)} -m scrubjay.surface.cli"
LINES = "\n".join(json.dumps({"text": f"Crate {n} holds rope."}) for n in range(3)) + "\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three units."""
    folder = tmp_path_factory.mktemp("streams")
    ran = shell('printf %s "$LINES" | scrubjay import -', folder / "own")
    assert ran.returncode == 0, ran.stderr
    return folder / "own"


def shell(
    command: str, store: Path, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """A line of bash, in which `scrubjay` is ours and works on `store`."""
    environment = {**os.environ, "SCRUBJAY_STORE": str(store), "LINES": LINES}
    script = f'scrubjay() {{ {SCRUBJAY} "$@" --encoder hash; }}\n{command}'
    return subprocess.run(
        ["bash", "-c", script], env=environment, cwd=folder, capture_output=True,
        encoding="utf-8", check=False, timeout=120,
    )  # fmt: skip


def texts(lines: str) -> list[str]:
    return [json.loads(line)["text"] for line in lines.splitlines() if '"text"' in line]


TOLD = ["Crate 0 holds rope.", "Crate 1 holds rope.", "Crate 2 holds rope."]


@pytest.mark.parametrize(
    ("given", "options"), [("-", ""), ("-", "--json"), ("/dev/stdout", ""), ("/dev/fd/1", "")]
)
def test_standard_output_gets_the_export_and_nothing_else(
    store: Path, tmp_path: Path, given: str, options: str
) -> None:
    ran = shell(f"scrubjay export {given} {options} | cat", store, tmp_path)
    assert texts(ran.stdout) == TOLD
    assert len(ran.stdout.splitlines()) == 3
    assert f"3 lines in {given}" in ran.stderr or json.loads(ran.stderr)["lines"] == 3
    assert list(tmp_path.iterdir()) == []


def test_standard_output_that_is_a_file_is_gone_on_with(store: Path, tmp_path: Path) -> None:
    ran = shell("echo first > log; scrubjay export /dev/stdout >> log", store, tmp_path)
    assert ran.returncode == 0, ran.stderr
    content = (tmp_path / "log").read_text(encoding="utf-8")
    assert content.startswith("first\n") and texts(content) == TOLD


def test_a_file_named_dash_can_still_be_written_and_read(store: Path, tmp_path: Path) -> None:
    ran = shell("scrubjay export ./- && scrubjay import ./- --json", store, tmp_path)
    assert json.loads(ran.stdout.splitlines()[-1])["duplicates"] == 3
    assert texts((tmp_path / "-").read_text(encoding="utf-8")) == TOLD


def test_a_closed_standard_output_is_an_error_and_no_other_file(store: Path) -> None:
    ran = shell("scrubjay export - >&-", store)
    assert (ran.returncode, "cannot write" in ran.stderr) == (2, True)
    assert shell("scrubjay doctor", store).returncode == 0


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(store: Path, tmp_path: Path) -> None:
    target, link = tmp_path / "deep" / "out.jsonl", tmp_path / "link"
    target.parent.mkdir()
    link.symlink_to("deep/out.jsonl")
    for _ in range(2):  # at first it leads nowhere
        ran = shell("scrubjay export link", store, tmp_path)
        assert ran.returncode == 0, ran.stderr
        assert link.is_symlink() and texts(target.read_text(encoding="utf-8")) == TOLD
    assert [path.name for path in target.parent.iterdir()] == ["out.jsonl"]


def test_a_replaced_file_keeps_its_permissions(store: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    shell("scrubjay export out.jsonl", store, tmp_path)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert texts(target.read_text(encoding="utf-8")) == TOLD


def test_a_new_file_of_memories_is_for_its_owner_alone(store: Path, tmp_path: Path) -> None:
    shell("umask 022; scrubjay export new.jsonl", store, tmp_path)
    assert stat.S_IMODE((tmp_path / "new.jsonl").stat().st_mode) == 0o600


def test_a_pipe_with_a_name_is_written_through(store: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ran = shell("cat pipe & scrubjay export pipe >&2; wait", store, tmp_path)
    assert texts(ran.stdout) == TOLD
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_is_written_to_and_stays(store: Path, tmp_path: Path) -> None:
    # A terminal of its own: a mistake would do no harm to a device that others use.
    ours, theirs = pty.openpty()
    device = os.ttyname(theirs)
    ran = shell(f"scrubjay export {device}", store, tmp_path)
    assert (ran.returncode, ran.stdout) == (0, f"3 lines in {device}\n")
    assert "Crate 0 holds rope." in os.read(ours, 65536).decode()
    assert stat.S_ISCHR(Path(device).stat().st_mode)
    os.close(theirs)
    os.close(ours)


def test_a_stream_without_room_is_an_error(store: Path) -> None:
    ran = shell("scrubjay export - > /dev/full", store)
    assert ran.returncode == 1 and "No space left" in ran.stderr


def test_a_directory_is_refused_and_stays(store: Path, tmp_path: Path) -> None:
    ran = shell(f"scrubjay export {tmp_path}", store)
    assert ran.returncode == 2 and "Is a directory" in ran.stderr
    assert shell(f"scrubjay import {tmp_path}", store).returncode == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [
        'printf %s "$LINES" | scrubjay import - --json',
        'printf %s "$LINES" | scrubjay import /dev/stdin --json',
        'scrubjay import <(printf %s "$LINES") --json',
        'printf %s "$LINES" > file; scrubjay import - --json < file',
        'mkfifo pipe; (printf %s "$LINES" > pipe &) ; scrubjay import pipe --json',
    ],
)
def test_a_stream_is_imported_whole(tmp_path: Path, command: str) -> None:
    ran = shell(command, tmp_path / "own", tmp_path)
    report = json.loads(ran.stdout)
    assert (ran.returncode, report["lines"], report["new"]) == (0, 3, 3)


@pytest.mark.slow
def test_a_stream_larger_than_is_held_in_memory_is_imported_whole(tmp_path: Path) -> None:
    blank = "head -c 40000000 /dev/zero | tr '\\0' '\\n'"
    ran = shell(f'({blank}; printf %s "$LINES") | scrubjay import - --json', tmp_path / "own")
    assert json.loads(ran.stdout)["new"] == 3


def test_an_empty_stream_imports_nothing_and_says_so(tmp_path: Path) -> None:
    ran = shell("scrubjay import - --json < /dev/null", tmp_path / "own")
    assert (ran.returncode, json.loads(ran.stdout)["lines"]) == (0, 0)


def test_a_bad_line_of_a_stream_keeps_nothing(tmp_path: Path) -> None:
    ran = shell('(printf %s "$LINES"; echo "{") | scrubjay import -', tmp_path / "own")
    assert ran.returncode == 2 and "line 4" in ran.stderr
    assert json.loads(shell("scrubjay stats --json", tmp_path / "own").stdout)["units"] == 0


def test_a_closed_standard_input_is_an_error(tmp_path: Path) -> None:
    ran = shell("scrubjay import - <&-", tmp_path / "own")
    assert ran.returncode == 2 and "cannot read" in ran.stderr


@pytest.mark.parametrize("command", ["export -", "list --json", "list"])
def test_a_reader_that_goes_away_is_no_news(tmp_path: Path, command: str) -> None:
    told = "\n".join(json.dumps({"text": f"Crate {n} " + "rope " * 300}) for n in range(400))
    (tmp_path / "told").write_text(told, encoding="utf-8")
    shell("scrubjay import told", tmp_path / "own", tmp_path)
    ran = shell(f"scrubjay {command} | head -c 1 > /dev/null", tmp_path / "own")
    assert ran.stderr == ""


def test_one_store_is_piped_into_another(store: Path, tmp_path: Path) -> None:
    ran = shell(f"scrubjay export - | scrubjay import - --store {tmp_path}/two --json", store)
    assert json.loads(ran.stdout)["new"] == 3


def test_questions_are_read_from_standard_input(store: Path) -> None:
    ran = shell("""echo '{"q": "What came in May 2024?"}' | scrubjay parse --file -""", store)
    assert json.loads(ran.stdout)["window"] is not None


def test_a_pipe_is_exported_to_by_the_library_as_well(store: Path, tmp_path: Path) -> None:
    from scrubjay import Memory

    os.mkfifo(tmp_path / "pipe")
    got: list[str] = []
    reader = threading.Thread(
        target=lambda: got.append((tmp_path / "pipe").read_text(encoding="utf-8"))
    )
    reader.start()
    with Memory.open(store, encoder="hash", reranker=None, read_only=True) as memory:
        assert memory.export(tmp_path / "pipe") == 3
    reader.join()
    assert texts(got[0]) == TOLD


@pytest.mark.parametrize("place", ["registry.db", "banks/00000001/bank.db", "banks/new.jsonl"])
def test_an_export_never_replaces_what_is_the_stores(
    store: Path, tmp_path: Path, place: str
) -> None:
    (tmp_path / "door").symlink_to(store)
    for target in (store / place, tmp_path / "door" / place):
        ran = shell(f"scrubjay export {target}", store, tmp_path)
        assert ran.returncode == 2
        assert "inside the store" in ran.stderr
    assert texts(shell("scrubjay export -", store, tmp_path).stdout) == TOLD


def test_a_mark_at_the_beginning_of_a_file_is_passed_over(tmp_path: Path) -> None:
    ran = shell(
        'printf "\\xef\\xbb\\xbf%s" "$LINES" | scrubjay import - --json', tmp_path / "marked"
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout or ran.stderr)["new"] == 3
