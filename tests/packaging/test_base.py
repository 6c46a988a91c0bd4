"""A base install, without what runs models and what searches vectors natively."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRA = ("onnxruntime", "tokenizers", "huggingface_hub", "numkong", "usearch")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of this environment but those that only an extra brings."""
    folder = tmp_path_factory.mktemp("base")
    for installed in Path(sysconfig.get_path("purelib")).iterdir():
        if not installed.name.startswith(EXTRA) and installed.suffix != ".pth":
            (folder / installed.name).symlink_to(installed)
    return folder


def ran(base: Path, *program: str, models: bool = True) -> str:
    """What a program prints there; the encoder's files are there if `models`."""
    path = [base, ROOT / "src", *([ROOT / "packages" / "scrubjay-model" / "src"] if models else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    for name in ("SCRUBJAY_ENCODER", "SCRUBJAY_MODELS"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-S", *program], env={**environment, "HOME": str(base)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


RECALLED = """
from scrubjay import Memory
with Memory.open(":memory:"{given}) as memory:
    memory.retain(["Mara's badge ID is 47821.", "Ola prefers tea."])
    answer = memory.recall("Mara's badge")
    assert answer[0].text.startswith("Mara")
    print(*(one.reason for one in answer.degraded))
"""


def test_words_names_and_times_answer_and_say_what_brings_meaning(base: Path) -> None:
    for models in (True, False):
        assert "pip install 'scrubjay[model]'" in ran(
            base, "-c", RECALLED.format(given=""), models=models
        )


def test_vectors_of_another_encoder_are_searched_without_native_parts(base: Path) -> None:
    assert ran(base, "-c", RECALLED.format(given=", encoder='hash', reranker=None")) == "\n"


def test_a_model_that_cannot_run_is_an_error_that_names_the_extra(base: Path) -> None:
    program = """
from scrubjay import ExtraMissing, Memory
try:
    Memory.open(":memory:", encoder="scrubjay-small")
except ExtraMissing as error:
    print(error)
"""
    said = ran(base, "-c", program)
    assert said == "onnxruntime is not installed. Run `pip install 'scrubjay[onnx]'`.\n"


def test_a_bank_with_vectors_is_read_without_what_runs_its_model(
    base: Path, tmp_path: Path
) -> None:
    tell = f"""
from scrubjay import Memory
Memory.open({str(tmp_path)!r}, encoder="scrubjay-small").retain("The lamp is lit.")
"""
    subprocess.run([sys.executable, "-c", tell], check=True)
    ask = f"""
from scrubjay import Memory
with Memory.open({str(tmp_path)!r}) as memory:
    answer = memory.recall("Is the lamp lit?")
    assert answer[0].text == "The lamp is lit."
    print(*(one.reason for one in answer.degraded))
    memory.retain("The gate is shut.")
"""
    assert "cannot run on this machine; run `pip install 'scrubjay[onnx]'`" in ran(base, "-c", ask)
