"""bench: modules of a folder outside the package."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.surface.cli.command_line import Cli

MODULE = '''"""Counts its arguments.

More words.
"""


def main(arguments: list[str]) -> int:
    print(arguments)
    return len(arguments)
'''


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A bench folder; its name differs between tests because imported modules stay."""
    folder = tmp_path / f"bench_{abs(hash(request.node.name))}"
    folder.mkdir()
    (folder / "count.py").write_text(MODULE, encoding="utf-8")
    (folder / "shared.py").write_text('"""Not a benchmark."""\n', encoding="utf-8")
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text(
        f'"""Counts too."""\n\nfrom {folder.name}.count import main as main\n', encoding="utf-8"
    )
    interrupted = "def main(arguments):\n    raise KeyboardInterrupt\n"
    (folder / "interrupted.py").write_text(interrupted, encoding="utf-8")
    return folder


def test_everything_behind_the_name_reaches_the_benchmark(cli: Cli, folder: Path) -> None:
    ran = cli("bench", "--bench-dir", folder, "count", "--help", "-x", "--", "--store=here", "y")
    assert ran.out.strip() == "['--help', '-x', '--', '--store=here', 'y']"
    assert ran.code == 5
    assert cli("bench", "--bench-dir", folder, "package", "one").code == 1


def test_alone_it_lists_benchmarks_with_what_they_do(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_BENCH", str(folder))
    listed = cli("bench")
    assert listed.code == 0
    assert "Counts its arguments." in listed.out
    assert "Counts too." in listed.out
    assert "More words" not in listed.out
    assert "shared" not in listed.out


def test_an_unknown_benchmark_or_folder_is_not_found(cli: Cli, folder: Path) -> None:
    unknown = cli("bench", "--bench-dir", folder, "nope")
    assert unknown.code == 3
    assert "count" in unknown.err
    nowhere = cli("bench", "--bench-dir", folder / "nowhere")
    assert nowhere.code == 3


def test_an_interruption_exits_with_130(cli: Cli, folder: Path) -> None:
    assert cli("bench", "--bench-dir", folder, "interrupted").code == 130
