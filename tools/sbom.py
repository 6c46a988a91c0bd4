"""The bill of materials of scrubjay and what it is installed with, as CycloneDX 1.6 JSON.

    python -m tools.sbom > sbom.json

Only what the environment has of the package and its extras for running is listed: not what tests
need. Names, versions and licences are those of the installed metadata.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution

RUNNING = ("model", "server", "client", "mcp", "postgres", "otel")
_NAME = re.compile(r"^([A-Za-z0-9._-]+)(?:\[([^\]]*)\])?")


def needed(name: str, extras: tuple[str, ...], found: dict[str, Distribution]) -> None:
    """Add a distribution, and what it asks for with these extras, if it is installed."""
    folded = re.sub(r"[-_.]+", "-", name).lower()
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return
    if folded in found and not extras:
        return
    found[folded] = package
    for requirement in package.requires or ():
        said, _, marker = requirement.partition(";")
        wanted = re.findall(r"extra\s*==\s*['\"]([\w-]+)['\"]", marker)
        if wanted and not set(wanted) & set(extras):
            continue
        match = _NAME.match(said.strip())
        assert match is not None, requirement
        inner = tuple(filter(None, (match[2] or "").split(",")))
        if folded != re.sub(r"[-_.]+", "-", match[1]).lower():
            needed(match[1], inner, found)


def bill() -> dict[str, object]:
    """The document."""
    found: dict[str, Distribution] = {}
    needed("scrubjay", RUNNING, found)
    own = found.pop("scrubjay")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component("scrubjay", own, "application")},
        "components": [component(name, found[name], "library") for name in sorted(found)],
    }


def component(name: str, package: Distribution, kind: str) -> dict[str, object]:
    """One distribution."""
    metadata = package.metadata
    said = [metadata[field] for field in ("License-Expression", "License") if field in metadata]
    licence = next(filter(None, said), "unknown")
    return {
        "type": kind,
        "bom-ref": f"pkg:pypi/{name}@{package.version}",
        "name": name,
        "version": package.version,
        "purl": f"pkg:pypi/{name}@{package.version}",
        "licenses": [{"license": {"name": licence.splitlines()[0][:80]}}],
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1)
    sys.stdout.write("\n")
