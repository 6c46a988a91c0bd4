"""Where links of the docs lead: in a checkout, on the site, on the package index, in the package.

A page is written for the checkout: its links are paths to files beside it. Elsewhere those that
lead out of `docs/` go to the same file at the project's address, which is in pyproject.toml alone.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from scrubjay.surface.cli.shared.manual import manual_pages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

# Files of the root that are pages of the site too.
OF_THE_PROJECT = ("ARCHITECTURE", "CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "SECURITY")

PLOTS = "bench/results/plots/"

_LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def source_address() -> str:
    """Where files of the source can be read: `[project.urls]` of pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        urls = tomllib.load(file)["project"]["urls"]
    return str(urls["Source"]).rstrip("/")


def with_links(text: str, lead: Callable[[str], str]) -> str:
    """The text with the path of every relative link as `lead` makes it; anchors are kept."""

    def led(link: re.Match[str]) -> str:
        path, hash_, anchor = link[2].partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return link[0]
        return f"{link[1]}{lead(path)}{hash_}{anchor}{link[3]}"

    return _LINK.sub(led, text)


def on_the_site(text: str, page: str) -> str:
    """A page, by its path in the checkout, as it stands on the site."""
    here = site_path(page)
    folder = posixpath.dirname(page)
    base = posixpath.dirname(here or "")
    source = source_address()

    def lead(path: str) -> str:
        target = posixpath.normpath(posixpath.join(folder, path))
        found = site_path(target)
        if found is None:
            return f"{source}/{target}"
        return posixpath.relpath(found, base or ".")

    return with_links(text, lead)


def site_path(path: str) -> str | None:
    """Where a file of the checkout stands on the site; None if it does not."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path.startswith(PLOTS):
        return "plots/" + path.removeprefix(PLOTS)
    if path == "README.md":
        return "index.md"
    name = path.removesuffix(".md")
    return f"project/{name.lower()}.md" if name in OF_THE_PROJECT else None


def llms_index() -> str:
    """`llms.txt`: what there is to read, for agents."""
    lines = [
        "# scrubjay",
        "",
        "> Memory for AI agents: four searches, one ranked answer. All in one file: llms-full.txt.",
        "",
        "## Pages",
        "",
    ]
    lines += [f"- [{page.title}]({page.name}.md): {page.about}" for page in manual_pages(DOCS)]
    return "\n".join(lines) + "\n"
