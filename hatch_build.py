"""What the distributions have beside the source: the README with whole links, and the docs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

# A path in a link; an address or an anchor stays as it is.
_RELATIVE = re.compile(r"(\]\()(?![a-z]+:|#)([^)\s]+\))")


class Metadata(MetadataHookInterface):
    """The package index shows the README far from the files that its links lead to."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Lead relative links to the project's address, which stands in `[project.urls]` alone."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = metadata["urls"]["Source"].rstrip("/")
        whole = _RELATIVE.sub(rf"\g<1>{source}/\g<2>", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": whole}


class Docs(BuildHookInterface[Any]):
    """The pages of docs/ stand inside the package, for `scrubjay docs`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them to a wheel; an editable install reads those of the checkout."""
        if self.target_name != "wheel" or version == "editable":
            return
        docs = Path(self.root) / "docs"
        for page in sorted(docs.rglob("*.md")):
            inside = f"scrubjay/docs/{page.relative_to(docs).as_posix()}"
            build_data["force_include"][str(page)] = inside
