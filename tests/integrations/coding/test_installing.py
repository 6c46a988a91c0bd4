"""What `scrubjay install` writes into a client's configuration, and takes out again."""

from __future__ import annotations

import json
import py_compile
import tomllib
from pathlib import Path

import pytest

from scrubjay.errors import BadInput
from scrubjay.integrations.coding.installing import CLIENTS, Hooks, changes, write

# Where each client keeps hooks and servers that are not ours.
THEIRS = {
    ".codex/hooks.json": {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}},
    ".cursor/hooks.json": {"version": 1, "hooks": {"stop": [{"command": "beep"}]}},
    ".cursor/mcp.json": {"mcpServers": {"other": {"command": "other"}}, "kept": True},
}
CONFIG = '# mine\nmodel = "some-model"\n\n[mcp_servers.other]\ncommand = "other"\n'


def files_below(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in root.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A home where each client is used already."""
    for name, shape in THEIRS.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(shape, indent=2) + "\n", encoding="utf-8")
    (tmp_path / ".codex/config.toml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def install(client: str, root: Path, *, remove: bool = False, mcp: bool = True) -> None:
    write(changes(client, root, Hooks(Path("/a home/agents"), mcp), remove=remove))


@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_installed_is_taken_out_without_a_trace(client: str, root: Path) -> None:
    before = files_below(root)
    install(client, root)
    assert len(files_below(root)) > len(before)
    install(client, root, remove=True)
    assert files_below(root) == before


@pytest.mark.parametrize("client", CLIENTS)
def test_where_nothing_was_nothing_is_left(client: str, tmp_path: Path) -> None:
    install(client, tmp_path)
    install(client, tmp_path, remove=True)
    assert files_below(tmp_path) == {}


@pytest.mark.parametrize("client", CLIENTS)
def test_to_install_twice_is_to_install_once(client: str, root: Path) -> None:
    install(client, root)
    once = files_below(root)
    assert changes(client, root, Hooks(Path("/a home/agents"), True), remove=False) == []
    install(client, root)
    assert files_below(root) == once


def test_what_others_configured_stays(root: Path) -> None:
    for client in CLIENTS:
        install(client, root)
    hooks = json.loads((root / ".codex/hooks.json").read_text(encoding="utf-8"))["hooks"]
    assert hooks["Stop"][0] == THEIRS[".codex/hooks.json"]["hooks"]["Stop"][0]  # type: ignore[index]
    assert len(hooks["Stop"]) == 2
    servers = json.loads((root / ".cursor/mcp.json").read_text(encoding="utf-8"))
    assert servers["kept"] is True
    assert set(servers["mcpServers"]) == {"other", "scrubjay"}
    config = (root / ".codex/config.toml").read_text(encoding="utf-8")
    assert config.startswith(CONFIG)
    assert set(tomllib.loads(config)["mcp_servers"]) == {"other", "scrubjay"}


def test_a_path_with_a_space_is_one_argument(tmp_path: Path) -> None:
    install("claude-code", tmp_path)
    folder = tmp_path / ".claude/skills/scrubjay"
    hooks = json.loads((folder / "hooks/hooks.json").read_text(encoding="utf-8"))["hooks"]
    assert set(hooks) == {"SessionStart", "UserPromptSubmit", "Stop"}
    assert "'/a home/agents'" in hooks["Stop"][0]["hooks"][0]["command"]
    server = json.loads((folder / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]
    assert server["scrubjay"]["args"][-1] == "/a home/agents"


def test_without_mcp_no_server_is_configured(root: Path) -> None:
    for client in CLIENTS:
        install(client, root, mcp=False)
    assert not (root / ".claude/skills/scrubjay/.mcp.json").exists()
    assert (root / ".codex/config.toml").read_text(encoding="utf-8") == CONFIG
    servers = json.loads((root / ".cursor/mcp.json").read_text(encoding="utf-8"))["mcpServers"]
    assert set(servers) == {"other"}


def test_a_link_and_its_permissions_stay(root: Path) -> None:
    real = root / "dotfiles.toml"
    (root / ".codex/config.toml").rename(real)
    real.chmod(0o600)
    (root / ".codex/config.toml").symlink_to(real)
    install("codex", root)
    assert (root / ".codex/config.toml").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert "scrubjay" in real.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("client", "name", "broken"),
    [
        ("codex", ".codex/hooks.json", "{not json"),
        ("codex", ".codex/hooks.json", '{"hooks": {"Stop": 3}}'),
        ("codex", ".codex/config.toml", '[mcp_servers.scrubjay]\ncommand = "mine"\n'),
        ("cursor", ".cursor/mcp.json", "[]"),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": []}'),
    ],
)
def test_a_file_that_cannot_be_merged_is_named_and_nothing_changes(
    client: str, name: str, broken: str, root: Path
) -> None:
    (root / name).write_text(broken, encoding="utf-8")
    before = files_below(root)
    with pytest.raises(BadInput, match=name.rpartition("/")[2]):
        install(client, root)
    assert files_below(root) == before


def test_a_client_that_is_not_known_is_refused_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="claude-code, codex, cursor"):
        install("emacs", tmp_path)


def test_what_python_compiled_of_a_plugin_goes_with_it(tmp_path: Path) -> None:
    install("hermes", tmp_path)
    (plugin,) = tmp_path.rglob("scrubjay/__init__.py")
    py_compile.compile(str(plugin))
    install("hermes", tmp_path, remove=True)
    assert not plugin.parent.exists()
