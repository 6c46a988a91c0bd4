"""Hooks of MkDocs: adds the pages that are made, and leads links out of docs/ to where they go."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

# MkDocs imports hooks by their path.
sys.path.insert(0, str(Path(__file__).parents[1]))

from scrubjay.surface.cli.shared.manual import whole_manual
from tools import pages, reference

_FETCHED = re.compile(
    r"""<(?:script|img|iframe|link\b(?=[^>]*stylesheet))[^>]*(?:https?:)?//[^>]*>"""
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the references, the files of the root, and what agents read."""
    made = {
        "reference/python.md": reference.python_reference(),
        "reference/commands.md": reference.command_reference(),
        "reference/http.md": reference.http_reference(),
        "llms.txt": pages.llms_index(),
        "llms-full.txt": whole_manual(pages.DOCS),
    }
    for name in pages.OF_THE_PROJECT:
        text = (pages.ROOT / f"{name}.md").read_text(encoding="utf-8")
        made[f"project/{name.lower()}.md"] = pages.on_the_site(text, f"{name}.md")
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    for plot in (pages.ROOT / pages.PLOTS).glob("*.png"):
        files.append(File.generated(config, f"plots/{plot.name}", abs_src_path=str(plot)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead the links of a page of docs/ to where they go on the site."""
    del config, files
    if page.file.generated_by:
        return markdown
    return pages.on_the_site(markdown, f"docs/{page.file.src_uri}")


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Refuse a page that would fetch from elsewhere: who reads the docs is nobody's business."""
    del config
    if fetched := _FETCHED.findall(output):
        raise PluginError(f"{page.file.src_uri} fetches from elsewhere: {fetched}")
    return output
