"""Which bank a directory uses: that of its repository, or the user's."""

from __future__ import annotations

from pathlib import Path

from scrubjay.engine.retain.checking import check_bank_name
from scrubjay.integrations.coding.places import USER_BANK, bank_of


def repository(at: Path) -> Path:
    (at / ".git" / "worktrees" / "other").mkdir(parents=True)
    return at


def test_every_directory_of_a_repository_has_its_bank(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    (root / "src" / "deep").mkdir(parents=True)
    assert bank_of(root / "src" / "deep") == bank_of(root)
    assert bank_of(root).startswith("repo-shop-")


def test_two_repositories_of_one_name_have_two_banks(tmp_path: Path) -> None:
    assert bank_of(repository(tmp_path / "a/shop")) != bank_of(repository(tmp_path / "b/shop"))


def test_outside_of_any_repository_it_is_the_users(tmp_path: Path) -> None:
    assert bank_of(tmp_path) == USER_BANK
    assert bank_of(tmp_path / "not" / "there") == USER_BANK


def test_another_work_tree_of_a_repository_has_the_same_bank(tmp_path: Path) -> None:
    root, tree = repository(tmp_path / "shop"), tmp_path / "shop-fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {root}/.git/worktrees/other\n", encoding="utf-8")
    assert bank_of(tree) == bank_of(root)


def test_a_submodule_is_its_own_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    inner = root / "vendor"
    inner.mkdir()
    (inner / ".git").write_text("gitdir: ../.git/modules/vendor\n", encoding="utf-8")
    assert bank_of(inner) not in (bank_of(root), USER_BANK)


def test_the_name_of_a_bank_is_one_whatever_the_directory_is_called(tmp_path: Path) -> None:
    for name in ("..x..", "ä b$c", "-.-", "x" * 200, "日本語"):
        assert check_bank_name(bank_of(repository(tmp_path / name)))
