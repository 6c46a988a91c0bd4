"""The pages of the docs: those that came with the package, or those of the checkout."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from scrubjay.errors import NotFound


@dataclass(frozen=True, slots=True)
class ManualPage:
    """One page: its name (`guides/agent`), its title, and the first sentence below it."""

    name: str
    title: str
    about: str
    text: str


def manual_directory() -> Path:
    """Where the pages are; a wheel has them inside the package."""
    package = Path(__file__).resolve().parents[3]
    inside = package / "docs"
    return inside if inside.is_dir() else package.parents[1] / "docs"


def manual_pages(directory: Path | None = None) -> list[ManualPage]:
    """Every page, in the order of their names."""
    home = directory or manual_directory()
    found = []
    for path in sorted(home.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        title = next(line for line in text.splitlines() if line.startswith("# ")).removeprefix("# ")
        name = path.relative_to(home).with_suffix("").as_posix()
        found.append(ManualPage(name, title, first_sentence(text), text))
    return found


def find_page(name: str) -> ManualPage:
    """The page of that name, or the one whose name ends so; NotFound lists what there is."""
    wanted = name.removeprefix("docs/").removesuffix(".md").strip("/").lower()
    pages = manual_pages()
    found = [page for page in pages if page.name == wanted]
    found += [page for page in pages if page.name.endswith(f"/{wanted}")]
    if not found:
        known = ", ".join(page.name for page in pages)
        raise NotFound("no such page", name, f"There are: {known}.")
    return found[0]


def first_sentence(text: str) -> str:
    """What a page says first below its title, without markup."""
    prose = re.sub(r"<!--.*?-->", "", text.partition("\n")[2], flags=re.DOTALL)
    paragraphs = [one.lstrip("\n") for one in prose.split("\n\n")]
    said = next((one for one in paragraphs if one.strip() and one[0] not in " !#|`<-"), "")
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(said.split()))
    return re.split(r"(?<=[.:?])\s", plain, maxsplit=1)[0].rstrip(":").replace("*", "")


def whole_manual(directory: Path | None = None) -> str:
    """Every page after the other, each under its name, as agents read it."""
    pages = manual_pages(directory)
    return "\n".join(f"<!-- {page.name}.md -->\n\n{page.text.strip()}\n" for page in pages)
