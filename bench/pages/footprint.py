"""The table of the README that says what an installation takes, beside a peer's."""

from __future__ import annotations

from bench.pages.reading import at, keys, number, shown, table

OURS = ("scrubjay", "scrubjay[model]")
INSTALLED, RESOLVED = "mem0ai", "hindsight-api"
_UNKNOWN = "not measured"
_BUSY = "10000"


def footprint() -> str:
    """What installing, importing and asking take."""
    columns = (*OURS, INSTALLED, RESOLVED)
    rows = [
        ("wheel, MB", *_wheels(), _UNKNOWN, _UNKNOWN),
        ("packages", *(_cell(one, "packages", whole=True) for one in columns)),
        ("installed, MB", *(_cell(one, "megabytes", whole=True) for one in columns)),
        ("install, s", *(_cell(one, "install_s", whole=True) for one in columns)),
        ("import, CPU ms", *(_cell(one, "import_cpu_ms", whole=True) for one in columns)),
        ("first recall of a process, CPU ms / wall ms", *map(_first, columns)),
        ("recall from 10,000 units, CPU ms", "", _in_one_sitting(), _UNKNOWN, f"{_peer():.0f}"),
        ("the same, another day, wall ms", "", _recall("wall_ms"), _UNKNOWN, _UNKNOWN),
    ]
    heads = [f"`{one}`" for one in OURS]
    peers = [f"`{one}` {_version(one)}" for one in (INSTALLED, RESOLVED)]
    return table(("", *heads, *peers), rows)


def _wheels() -> tuple[str, str]:
    sizes = {n: number("footprint", "results", "wheels", n) / 1e6 for n in _names()}
    return f"{sizes['scrubjay']:.1f}", f"{sum(sizes.values()):.1f}"


def _names() -> list[str]:
    return keys("footprint", "results", "wheels")


def _cell(one: str, measure: str, *, whole: bool = False) -> str:
    if measure not in keys("footprint", "results", one):
        return _UNKNOWN
    value = number("footprint", "results", one, measure)
    return f"{value:,.0f}" if whole else shown(value)


def _first(one: str) -> str:
    if one == OURS[0]:
        return ""
    cells = [_cell(one, f"first_recall_{kind}_ms", whole=True) for kind in ("cpu", "wall")]
    return _UNKNOWN if _UNKNOWN in cells else " / ".join(cells)


def _in_one_sitting() -> str:
    low, high = (number("peer", "results", "recall_cpu_ms", _BUSY, "ours", n) for n in (0, 1))
    return f"{low:.1f} to {high:.1f}"


def _recall(measure: str) -> str:
    return shown(number("recall-peer", "results", _BUSY, measure, "p50"))


def _peer() -> float:
    return number("peer", "results", "recall_cpu_ms", _BUSY, "other")


def _version(one: str) -> str:
    return str(at("footprint", "results", one, "versions", one))
