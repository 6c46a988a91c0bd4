"""The tables of docs/scale.md: sizes, many banks, skipping, ten million, another engine."""

from __future__ import annotations

from collections.abc import Sequence

from bench.pages.reading import (
    at,
    keys,
    listed,
    number,
    percentiles,
    share,
    shown,
    table,
    thousands,
)

SIZES = ("10000", "100000", "1000000")


def sizes() -> str:
    """What one bank costs at three sizes: space and opening."""

    def row(units: str) -> Sequence[str]:
        one = ("scale-sizes", "results", "sizes", units)
        resident = [
            thousands(round(number(*one, "recalls", "resident", part)))
            for part in ("resident_mib", "own_mib", "mapped_files_mib")
        ]
        opened = [shown(number(*one, f"open_{how}", "open_wall_s")) for how in ("warm", "cold")]
        found = [share(number(*one, "nearest", f"recall@{k}")) for k in (10, 100)]
        return (
            thousands(units),
            thousands(round(number(*one, "disk_mib", "all"))),
            f"{resident[0]} ({resident[1]} + {resident[2]})",
            " / ".join(opened),
            " / ".join(found),
        )

    head = (
        "units",
        "disk MiB",
        "resident MiB (own + pages of mapped files)",
        "open warm / cold, s",
        "nearest found, of 10 / of 100",
    )
    return table(head, map(row, SIZES))


_STAGES = ("parse", "semantic", "lexical", "graph", "temporal")


def stages() -> str:
    """What a recall and its stages cost at three sizes."""

    def cells(*path: str) -> list[str]:
        return [
            percentiles("scale-sizes", "results", "sizes", units, "recalls", *path)
            for units in SIZES
        ]

    rows = [
        ["whole recall, 10 items", *cells("recall", "cpu_ms")],
        ["whole recall, 4,096 tokens", *cells("recall_100_items", "cpu_ms")],
        *([stage, *cells("stages", stage, "cpu_ms")] for stage in _STAGES),
        ["fan-out, all four", *cells("stages", "fan_out", "cpu_ms")],
        *([stage, *cells("stages", stage, "cpu_ms")] for stage in ("fuse", "hydrate")),
        ["fan-out in milliseconds of time", *cells("stages", "fan_out", "wall_ms")],
    ]
    small, large = (
        [number("scale-sizes", "results", "sizes", units, "recalls", "recall", "cpu_ms", point)
         for point in ("p50", "p99")]
        for units in (SIZES[0], SIZES[-1])
    )  # fmt: skip
    growth = [shown(after / before) for before, after in zip(small, large, strict=True)]
    said = (
        f"A hundred times more units ({thousands(SIZES[0])} to {thousands(SIZES[-1])}) cost "
        f"{growth[0]} times the CPU at the median, {growth[1]} times at p99."
    )
    return f"{table(['', *map(thousands, SIZES)], rows)}\n\n{said}"


def callers() -> str:
    """Several callers, and writing while reading."""
    million = ("scale-sizes", "results", "sizes", SIZES[-1])
    callers = [f"{number(*million, 'callers', n, 'recalls_per_s'):.0f}" for n in "1248"]
    sizes = [("scale-sizes", "results", "sizes", units, "ingest") for units in SIZES]
    kept = [f"{number(*size, 'units_per_s'):.0f}" for size in sizes]
    recalls = [shown(number(*size, "recall_wall_ms", "p50")) for size in sizes]
    build = [number(*million, "build", f"{part}_cpu_s") for part in ("rows", "indexes")]
    return (
        f"With 1, 2, 4 and 8 callers at once a million units answer {listed(callers)} recalls per "
        "second: the work between the\nnative calls holds the interpreter's lock, so threads gain "
        "little. While one thread retains ten units a call, all of the write path\nincluded, it "
        f"keeps {listed(kept)} units per second at the three sizes, and recalls take "
        f"{listed(recalls)} ms at the\nmedian. Building the million took "
        f"{thousands(round(sum(build)))} s of CPU: {thousands(round(build[0]))} for the rows, with "
        f"what the background did meanwhile, and {thousands(round(build[1]))} for the\nrest of the "
        "graphs, of which that over all types takes most."
    )


def banks() -> str:
    """What thousands of banks cost."""
    one = ("scale-banks", "results", "banks")
    visits = at(*one, "resident_mib_by_visits")
    assert isinstance(visits, Sequence)
    warm = thousands(number(*one, "warm", "n"))
    rows = [
        ("recall on a cold bank, CPU ms p50 / p95 / p99", percentiles(*one, "cold", "cpu_ms")),
        (f"recall on an open bank, the same ({warm} visits)", percentiles(*one, "warm", "cpu_ms")),
        (
            "resident, 64 largest open / most seen later, MiB",
            f"{number(*one, 'resident_largest_open', 'resident_mib'):.0f} / "
            f"{max(float(str(mib)) for mib in visits):.0f}",
        ),
        ("open at once, most seen", thousands(number(*one, "open_banks_seen"))),
        ("disk, MiB", thousands(round(number(*one, "disk", "all")))),
    ]
    return table(["", ""], rows)


def optimizer() -> str:
    """What skipping saves."""
    labelled = ("scale-optimizer", "results", "optimizer")

    def recalls(kind: str) -> str:
        return " / ".join(share(number(*labelled, kind, f"recall@10_{w}")) for w in _WITH)

    def both(kind: str, prefix: str = "") -> str:
        return _both(*labelled, kind, prefix=prefix)

    def asked(kind: str) -> str:
        return thousands(number(*labelled, kind, "questions"))

    rows = [
        ("pure time, labelled sets, asked for the first time", asked("pure_time"),
         both("pure_time", "fresh_"), recalls("pure_time")),
        ("pure time, labelled sets, its vector known", asked("pure_time"),
         both("pure_time"), recalls("pure_time")),
        ("pure entity, labelled sets", asked("pure_entity"), both("pure_entity"),
         recalls("pure_entity")),
        ("mixed, labelled sets", asked("mixed"), both("mixed"), recalls("mixed")),
    ]  # fmt: skip
    sizes = " / ".join(map(thousands, SIZES))
    for kind in ("identifier", "pure_time"):
        cells = [
            _both("scale-sizes", "results", "sizes", units, "optimizer", kind) for units in SIZES
        ]
        rows.append((f"{kind.replace('_', ' ')}, {sizes} units", "", ", ".join(cells), ""))
    head = ("class", "questions", "p99 with / without, CPU ms", "recall@10 with / without")
    return table(head, rows)


_WITH = ("with", "without")


def _both(name: str, *path: str, prefix: str = "") -> str:
    return " / ".join(f"{number(name, *path, f'{prefix}cpu_ms_{w}', 'p99'):.2f}" for w in _WITH)


def ten_million() -> str:
    """Ten million units."""
    one = ("scale-10m", "results", "sizes", "10000000")
    stages = (*one, "recalls", "stages")
    fan_out = number(*stages, "fan_out", "share")
    rows = []
    for stage in ("semantic", "lexical", "graph", "temporal", "fan_out", "hydrate"):
        part = (
            f"{number(*stages, stage, 'share') / fan_out * 100:.0f} %" if stage in _STAGES else ""
        )
        called = "fan-out, all four" if stage == "fan_out" else stage
        costs = [percentiles(*stages, stage, f"{kind}_ms") for kind in ("cpu", "wall")]
        rows.append([called, *costs, part])
    whole = [percentiles(*one, "recalls", "recall", f"{kind}_ms") for kind in ("cpu", "wall")]
    rows.append(["whole recall, 10 items", *whole, ""])
    head = (
        "",
        "CPU ms, p50 / p95 / p99",
        "ms of time, p50 / p95 / p99",
        "share of the fan-out's CPU",
    )
    kinds = sorted(
        keys(*one, "recalls", "recall_by_kind"),
        key=lambda kind: number(*one, "recalls", "recall_by_kind", kind, "wall_ms", "p50"),
    )
    by_kind = ", ".join(
        f"{kind} "
        + " / ".join(
            shown(number(*one, "recalls", "recall_by_kind", kind, "wall_ms", point))
            for point in ("p50", "p99")
        )
        for kind in kinds
    )
    callers = listed([shown(number(*one, "callers", n, "recalls_per_s")) for n in "1248"])
    found = listed([share(number(*one, "nearest", f"recall@{k}")) for k in (10, 100)])
    return (
        f"{table(head, rows)}\n\nIn milliseconds of time by kind of question, p50 / p99: "
        f"{by_kind}.\n1, 2, 4 and 8 callers get {callers} recalls per second. Of the 10 and 100 "
        f"nearest it finds {found}."
    )


def peer() -> str:
    """The comparison with the neighbouring engine."""
    results = ("peer", "results")

    def span(*path: str) -> str:
        low, high = (number(*results, *path, n) for n in (0, 1))
        return f"{low:g} to {high:g}"

    rows = [
        (
            f"recall at {thousands(units)} units, CPU ms",
            span("recall_cpu_ms", units, "ours"),
            f"{number(*results, 'recall_cpu_ms', units, 'other'):g}",
            f"{span('recall_cpu_ms', units, 'times_less')} times less",
        )
        for units in SIZES[:2]
    ]
    retained = number(*results, "retain_units_per_cpu_second", "other")
    more = number(*results, "retain_units_per_cpu_second", "times_more")
    size = number(*results, "kilobytes_per_unit", "other")
    less = number(*results, "kilobytes_per_unit", "times_less")
    rows += [
        ("retain, units per CPU second", f"about {round(retained * more, -2):,.0f}",
         f"{retained:g}", f"{more:g} times more"),
        ("disk, KB per unit", f"about {size / less:.1f}", f"{size:g}", f"{less:g} times less"),
        ("eight callers, CPU per recall", "", "",
         f"{span('eight_callers_times_less_cpu')} times less"),
    ]  # fmt: skip
    how = str(at("peer", "how"))
    state = str(at("peer", "machine", "state"))
    said = f"How: {how}. The machine: {state}."
    return f"{table(['', 'ours', 'the other', 'ratio'], rows)}\n\n{said}"


def verifying() -> str:
    """What reading index files whole costs."""
    one = ("index-files", "results")
    warm, cold = (shown(number(*one, way, "cpu_s")) for way in ("warm", "cold"))
    fast = {
        name: shown(number(*one, "gigabytes_per_cpu_s", name))
        for name in keys(*one, "gigabytes_per_cpu_s")
    }
    return (
        f"To read {number(*one, 'bytes') / 1e9:.1f} GB of them whole and compare their CRC-32 took "
        f"{warm} s of CPU from the system's cache and {cold} s cold. Of a second of CPU, CRC-32 "
        f"digests {fast['crc32']} GB, Adler-32 {fast['adler32']}, SHA-1 {fast['sha1']} and BLAKE2b "
        f"{fast['blake2b']}; a sum of words {fast['sum']}, but it misses what changed places."
    )


def ten_million_size() -> str:
    """What ten million units take."""
    one = ("scale-10m", "results", "sizes", "10000000")
    disk, held = (*one, "disk_mib"), (*one, "recalls", "resident")
    gib = [
        number(*disk, "all"), number(*disk, "by_kind", "rows"),
        number(*held, "resident_mib"), number(*held, "own_mib"),
    ]  # fmt: skip
    whole, rows, resident, own = (f"{mib / 1024:.1f}" for mib in gib)
    return (
        f"{whole} GiB on disk ({rows} of it rows), {resident} GiB resident after a thousand "
        f"questions ({own} of it the process's own, the rest pages of mapped files; the aim was "
        f"16 GB), {number(*one, 'open_warm', 'open_wall_s'):.0f} s to open with the files in the "
        "system's cache."
    )


_UNITS = ("10000000", "100000000", "1000000000", "10000000000")
_RATES = ("10", "100", "1000", "10000", "100000")


def capacity() -> str:
    """Nodes, and what bounds them, for how much is kept and how often it is asked."""

    def cell(units: str, rate: str) -> str:
        one = ("capacity", "results", "embedded", "needed", units, rate)
        broken = at(*one, "breaks")
        assert isinstance(broken, Sequence)
        mark = "*" if broken else ""
        return f"{thousands(number(*one, 'nodes'))} {at(*one, 'bounded_by')}{mark}"

    def row(units: str) -> Sequence[str]:
        one = ("capacity", "results", "embedded", "needed", units, "10")
        return (
            thousands(units),
            f"{thousands(round(number(*one, 'memory_gib')))} GiB",
            f"{thousands(round(number(*one, 'disk_gib')))} GiB",
            *(cell(units, rate) for rate in _RATES),
        )

    head = ("units", "memory", "disk", *(f"{thousands(rate)}/s" for rate in _RATES))
    return table(head, map(row, _UNITS))


def capacity_costs() -> str:
    """What of an answer goes where, and how many cores a thousand a second take."""
    costs = ("capacity", "results", "embedded", "costs")
    parts = [
        shown(number(*costs, f"{part}_cpu_ms"))
        for part in ("question", "request", "cold", "retain")
    ]
    cores = [
        thousands(number("capacity", "results", store, "needed", "100000000", "1000", "cores"))
        for store in ("embedded", "postgres")
    ]
    return (
        f"An answer takes {parts[0]} ms of CPU to embed the question, {parts[1]} for the request, "
        f"what the recall takes at the bank's size, and {parts[2]} more where the bank has to be\n"
        f"opened; a unit {parts[3]} to embed, keep and index. A thousand recalls a second over "
        f"10^8 units keep {cores[0]} cores half busy, and {cores[1]} with PostgreSQL,\n"
        "its own work included."
    )


def capacity_check() -> str:
    """The simulated queue beside the measured server."""

    def row(load: str, called: str) -> Sequence[str]:
        one = ("capacity", "results", "simulation", load)
        points = [
            " / ".join(
                f"{number(*one, f'{point}_ms{whose}') / 1e3:.2f}" for whose in ("", "_measured")
            )
            for point in ("p50", "p99")
        ]
        refused = "-"
        if load == "overload":
            refused = (
                f"{share(number(*one, 'refused'))} / {share(number(*one, 'refused_measured'))}"
            )
        return (called, *points, refused)

    rows = [row("recalls", "clients that wait"), row("overload", "twice its rate")]
    return table(("load", "p50, s", "p99, s", "refused"), rows)


def capacity_tail() -> str:
    """The tail of a node's answers as its cores fill."""
    node = ("capacity", "results", "embedded", "node")
    rows = [
        (
            f"{round(100 * float(busy))} %",
            thousands(round(number(*node, busy, "recalls_per_s"))),
            " / ".join(shown(number(*node, busy, f"{point}_ms")) for point in ("p50", "p99")),
        )
        for busy in keys(*node)
    ]
    return table(("cores busy", "recalls per second", "p50 / p99, ms"), rows)
