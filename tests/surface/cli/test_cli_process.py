"""The command line as its own process: streams, startup, interruption."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

from scrubjay import Memory

SCRIPT = (sys.executable, "-m", "scrubjay.surface.cli")
HASH = ("--encoder", "hash")


def test_a_process_tells_and_asks(tmp_path: Path) -> None:
    environment = {**os.environ, "SCRUBJAY_STORE": str(tmp_path / "own")}
    subprocess.run(
        [*SCRIPT, "retain", "Привет, причал закрыт. 码头关闭。", *HASH], env=environment, check=True
    )
    asked = subprocess.run(
        [*SCRIPT, "recall", "причал", "--json", *HASH], env=environment, check=True,
        capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert json.loads(asked.stdout)["items"][0]["text"] == "Привет, причал закрыт. 码头关闭。"
    assert asked.stderr == ""
    missing = subprocess.run(
        [*SCRIPT, "get", "nowhere"], env=environment, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert (missing.returncode, missing.stdout) == (3, "")
    assert missing.stderr.startswith("error: ")


def test_commands_side_by_side_take_turns(tmp_path: Path) -> None:
    environment = {
        **os.environ, "SCRUBJAY_STORE": str(tmp_path / "own"), "SCRUBJAY_WAIT_SECONDS": "300",
    }  # fmt: skip
    with Memory.open(tmp_path / "own", encoder="hash", reranker=None):
        commands = [
            subprocess.Popen(
                [*SCRIPT, "retain", f"Crate {number} holds rope.", *HASH], env=environment,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
            )
            for number in range(3)
        ]  # fmt: skip
        for command in commands:
            assert command.stderr is not None
            said = command.stderr.readline()
            assert said.startswith("Waiting up to 300 s") and str(os.getpid()) in said
    assert [command.wait(300) for command in commands] == [0, 0, 0]
    for command in commands:
        assert command.stderr is not None and command.stderr.read() == ""
        command.stderr.close()
    with Memory.open(tmp_path / "own", encoder="hash", read_only=True) as memory:
        assert len(memory.list().units) == 3


def test_help_does_not_load_the_inference_library() -> None:
    program = (
        "import sys; from scrubjay.surface.cli import run; run(['--help']);"
        "sys.exit('onnxruntime' in sys.modules or 'tokenizers' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL).returncode == 0
    )


def test_progress_is_drawn_on_stderr_where_that_is_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    lines = [json.dumps({"text": f"Crate {n} holds rope."}) for n in range(250)]
    file.write_text("\n".join(lines), encoding="utf-8")
    ours, theirs = pty.openpty()
    ran = subprocess.run(
        [*SCRIPT, "import", str(file), "--store", str(tmp_path / "own"), "--json", *HASH],
        stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm"}, check=True,
    )  # fmt: skip
    os.close(theirs)
    drawn = os.read(ours, 65536).decode("utf-8", "replace")
    os.close(ours)
    assert json.loads(ran.stdout)["new"] == 250
    assert "import" in drawn


def test_a_table_that_is_piped_is_as_wide_as_it_needs(tmp_path: Path) -> None:
    environment = {**os.environ, "SCRUBJAY_STORE": str(tmp_path / "own"), "NO_COLOR": "1"}
    environment.pop("COLUMNS", None)
    text = "The crate by the east door holds rope, tar, lamp oil and forty-two brass fittings. " * 3
    subprocess.run([*SCRIPT, "retain", text, *HASH], env=environment, check=True)
    listed = subprocess.run(
        [*SCRIPT, "list", *HASH], env=environment, check=True, capture_output=True, encoding="utf-8"
    )
    assert any(text.strip() in line for line in listed.stdout.splitlines())


def test_the_shell_completes_commands(tmp_path: Path) -> None:
    completing = {
        "_SCRUBJAY_COMPLETE": "complete_bash",
        "COMP_WORDS": "scrubjay ret",
        "COMP_CWORD": "1",
    }
    environment = {**os.environ, "HOME": str(tmp_path), **completing}
    ran = subprocess.run(
        SCRIPT, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert ran.stdout.split() == ["retain"]
