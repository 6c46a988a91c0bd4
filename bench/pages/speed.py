"""The tables of docs/benchmarks-speed.md and docs/postgres.md: what writing and reading cost."""

from __future__ import annotations

from bench.pages.reading import RESULTS, at, keys, number, share, shown, table, thousands

SIZES = ("10000", "100000")
_POINTS = ("p50", "p95", "p99")
_PAIR_UNITS = "3000"


def ingest() -> str:
    """What retaining costs."""
    rows = []
    for corpus in ("peer", "own"):
        one = (f"ingest-{corpus}-10k", "results")
        rows.append(
            (
                corpus,
                thousands(number(*one, "in_batches", "units_per_cpu_second")),
                thousands(round(number(*one, "singly", "units_per_cpu_second"))),
                thousands(number(*one, "bytes_per_unit")),
            )
        )
    head = ("corpus", "units per CPU second, by 100", "singly", "bytes per unit")
    return table(head, rows)


def ingest_stages() -> str:
    """Where a retained unit's CPU goes."""
    paths = [
        (f"ingest-{corpus}-10k", "results", "in_batches", "stage_shares")
        for corpus in ("peer", "own")
    ]
    rows = [
        (stage, *(f"{number(*path, stage):.2f}".removeprefix("0") for path in paths))
        for stage in keys(*paths[0])
    ]
    return table(("stage", "peer", "own"), rows)


def ingest_before() -> str:
    """The cost of a retained unit beside an earlier commit's, each batch told to both in turn."""
    rows = []
    for corpus in ("peer", "own"):
        path = (f"retain-pair-{corpus}", "results", _PAIR_UNITS, "cpu_ms_per_unit")
        mean = [shown(number(*path, tree, "mean")) for tree in ("before", "now")]
        rows.append((corpus, *mean, f"{number(*path, 'ratio'):.2f}"))
    old = str(at("retain-pair-peer", "parameters", "before"))[:7]
    new = str(at("retain-pair-peer", "commit"))[:7]
    return table(("corpus", f"ms a unit at {old}", f"at {new}", "to before"), rows)


def recall() -> str:
    """What a recall costs."""
    rows = [
        (
            corpus,
            thousands(units),
            *(shown(number(f"recall-{corpus}", "results", units, "cpu_ms", p)) for p in _POINTS),
            shown(number(f"recall-{corpus}", "results", units, "cpu_ms_ten_items", "p50")),
        )
        for corpus in ("peer", "own")
        for units in SIZES
    ]
    return table(("corpus", "units", *_POINTS, "p50, ten items"), rows)


def recall_before() -> str:
    """The cost of a recall beside an earlier commit's, each question asked of both in turn."""
    rows = []
    for units in SIZES:
        for kind, items in (("cpu_ms", "4,096 tokens"), ("cpu_ms_ten_items", "ten items")):
            path = ("recall-pair", "results", units, kind)
            p50 = [shown(number(*path, tree, "p50")) for tree in ("before", "now")]
            rows.append((thousands(units), items, *p50, f"{number(*path, 'ratio'):.2f}"))
    old = str(at("recall-pair", "parameters", "before"))[:7]
    new = str(at("recall-pair", "commit"))[:7]
    return table(("units", "answer", f"p50 at {old}", f"at {new}", "sum, to before"), rows)


def recall_stages() -> str:
    """Where a recall's CPU goes."""
    columns = [("peer", SIZES[0]), ("peer", SIZES[1]), ("own", SIZES[1])]
    paths = [(f"recall-{corpus}", "results", units, "stages") for corpus, units in columns]
    rows = [
        (stage, *(shown(number(*path, stage, "mean_ms")) for path in paths))
        for stage in keys(*paths[0])
    ]
    head = ("mean CPU ms of", *(f"{corpus} {thousands(units)}" for corpus, units in columns))
    return table(head, rows)


def fanout() -> str:
    """Threads against one after the other."""
    rows = []
    for corpus in ("peer", "own"):
        one = (f"fanout-{corpus}-100k", "results")
        walls = {mode: number(*one, mode, "wall_ms", "p50") for mode in _MODES}
        better = min(walls["inline"], walls["threads"])
        rows.append(
            (
                corpus,
                shown(walls["inline"]),
                shown(walls["threads"]),
                shown(walls["auto"]),
                f"{walls['auto'] / better:.2f}",
                shown(number(*one, "inline", "branch_sum_ms", "p50")),
                shown(number(*one, "inline", "slowest_branch_ms", "p50")),
            )
        )
    head = (
        "corpus", "inline", "threads", "plan's choice", "over the better", "branches' sum",
        "slowest branch",
    )  # fmt: skip
    return table(head, rows)


_MODES = ("inline", "threads", "auto")
_SECOND_MS = 1_000
_LOADS = {
    "recalls": "recalls",
    "with_10_percent_writes": "one write in ten",
    "overload": "{offered:.0f} offered a second",
    "recovered": "afterwards",
}


def server() -> str:
    """What a server answers under load."""
    rows = []
    for name, store in (("embedded", "embedded"), ("postgres", "PostgreSQL")):
        for load, called in _LOADS.items():
            one = (f"server-{name}-100k", "results", load)
            offered = number(*one, "offered_per_second") if load == "overload" else 0.0
            waited = [_time(number(*one, "ms", point)) for point in ("p50", "p99")]
            rows.append(
                (
                    store,
                    called.format(offered=offered),
                    f"{number(*one, 'per_second'):.0f}",
                    ", ".join(waited),
                    f"{number(*one, 'server_cpu_ms_per_answer'):.1f} ms",
                    thousands(number(*one, "refused")),
                    thousands(number(*one, "errors")),
                )
            )
    head = (
        "store", "load", "answers per second", "p50, p99", "CPU per answer", "refused", "errors",
    )  # fmt: skip
    return table(head, rows)


def _time(ms: float) -> str:
    return f"{ms:.0f} ms" if ms < _SECOND_MS else f"{ms / _SECOND_MS:.1f} s"


def postgres() -> str:
    """What a recall costs on PostgreSQL."""
    alone = ("postgres-100k", "results", "alone")
    pools = [("postgres-100k", "results", f"pool_{size}") for size in (4, 8, 16)]
    rates = sorted(number(*pool, "recalls_per_s") for pool in pools)
    tails = sorted(number(*pool, "wall_ms", "p99") / 1000 for pool in pools)
    units = thousands(number("postgres-100k", "parameters", "units"))
    callers = thousands(number("postgres-100k", "parameters", "callers"))
    return (
        f"With {units} units a recall takes {number(*alone, 'cpu_ms'):.0f} ms of CPU, "
        f"{number(*alone, 'server_cpu_ms'):.0f} on the server and "
        f"{number(*alone, 'client_cpu_ms'):.0f} in the client, in "
        f"{number(*alone, 'statements', 'mean'):.1f} statements on average and "
        f"{number(*alone, 'statements', 'max'):.0f} at\nmost, and one that was not asked before "
        f"{number(*alone, 'new_questions', 'cpu_ms'):.0f} ms; {callers} callers at once get\n"
        f"{rates[0]:.0f} to {rates[-1]:.0f} answers a second through pools of 4 to 16 connections, "
        f"p99 {tails[0]:.1f} to {tails[-1]:.1f} s, on two cores."
    )


def language() -> str:
    """What the rules get right on the rows they were written against, and what they cost."""
    right = ("language", "results", "accuracy")
    dates, phrases = (*right, "dates"), (*right, "dates_phrases")
    causes, merges = (*right, "causes"), (*right, "resolution")
    asked = number(*dates, "all", "n") - number(*dates, "with_a_time", "n")
    names = [number(*right, "entities", way, "all", "f1") for way in ("as_told", "as_asked")]
    negatives = number(*right, "dates_negatives", "false_alarms")
    merged = [number(*merges, f"{way}_merges", "right") for way in ("true", "false")]
    points = [_two(number(*phrases, kind, "right")) for kind in ("point", "interval")]
    rows = [
        ("dates in questions, exact window", _rows(*dates, "all"),
         f"{share(number(*dates, 'all', 'right'))}, false alarms "
         f"{number(*dates, 'false_alarms') * asked:.0f} of {asked:.0f}"),
        ("date phrases of public grammars, exact", _rows(*phrases, "all"),
         f"{share(number(*phrases, 'all', 'right'))} "
         f"(points {points[0]}, intervals {points[1]})"),
        ("sentences without a date", _rows(*right, "dates_negatives"),
         f"{_two(negatives)} false alarms"),
        ("names as told / as asked, F1", _rows(*right, "entities", "as_told", "all"),
         " / ".join(map(_two, names))),
        ("same entity, true merges / false merges",
         " / ".join(_rows(*merges, f"{way}_merges") for way in ("true", "false")),
         f"{_two(merged[0])} / {merged[1]:g}"),
        ("types", _rows(*right, "types", "all"), _two(number(*right, "types", "all", "right"))),
        ("causes, precision / recall", _rows(*causes),
         " / ".join(_two(number(*causes, part)) for part in ("precision", "recall"))),
        ("words alone, first hit right, ten languages", _rows(*right, "lexical", "hit_at_1"),
         _two(number(*right, "lexical", "hit_at_1", "right"))),
    ]  # fmt: skip
    return f"{table(('set', 'rows', 'result'), rows)}\n\n{_language_costs()}"


def _language_costs() -> str:
    per_text = ("language", "results", "cpu_us_per_text")
    costs = [
        f"`{name}` {number(*per_text, name, 'p50'):.0f} / {number(*per_text, name, 'mean'):.0f}"
        for name in keys(*per_text)
    ]
    parse = ("language", "results", "parse")
    kinds = {
        "without a name": "plain", "with a time": "time", "with a full name": "full_name",
        "with a given name that 2,000 of them share": "given_name",
    }  # fmt: skip
    parsed = [
        f"{said} " + " / ".join(shown(number(*parse, f"cpu_ms_{kind}", p)) for p in ("p50", "p95"))
        for said, kind in kinds.items()
    ]
    people = thousands(number(*parse, "entities"))
    return (
        f"CPU microseconds per text, p50 / mean: {', '.join(costs)}.\n\n"
        f"Parsing a question in a bank of {people} people, CPU ms p50 / p95: {', '.join(parsed)}."
    )


def _rows(*path: str) -> str:
    return f"{number(*path, 'n'):.0f}"


def _two(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def encoding() -> str:
    """What the encoders cost, and whether batches change vectors."""
    rows = [
        (
            f"`{name}`",
            *(
                shown(number("encoding", "results", name, "query_cpu_ms", p))
                for p in ("p50", "p95")
            ),
            shown(number("encoding", "results", name, "units_per_cpu_second")),
            shown(number("encoding", "results", name, "largest_difference_in_a_batch")),
        )
        for name in keys("encoding", "results")
    ]
    head = ("encoder", "question, p50", "p95", "units per CPU second", "difference in a batch")
    return table(head, rows)


_NOT_YET = "Not measured yet."


def processes() -> str:
    """What a server answers with one process and with readers beside it."""
    file = "server-processes-100k"
    runs = {"1": (file, "results")} | {
        count: (file, "results", "processes", count) for count in keys(file, "results", "processes")
    }
    rows = [
        (
            count,
            called,
            f"{number(*run, load, 'per_second'):.0f}",
            " / ".join(f"{number(*run, load, 'ms', point):.0f}" for point in ("p50", "p99")),
            f"{number(*run, load, 'server_cpu_ms_per_answer'):.1f} ms",
        )
        for count, run in runs.items()
        for load, called in (("recalls", "recalls"), ("with_10_percent_writes", "one write in ten"))
    ]
    head = ("processes", "load", "answers per second", "p50 / p99, ms", "CPU per answer")
    return table(head, rows)


def waiting() -> str:
    """What a user waits for a new question, in process and over HTTP."""
    if not (RESULTS / "waiting.json").exists():
        return _NOT_YET
    rows = []
    for size in keys("waiting", "results"):
        one = ("waiting", "results", size)
        inside = " / ".join(shown(number(*one, "in_process", "wall_ms", p)) for p in _POINTS)
        spent = shown(number(*one, "in_process", "cpu_ms", "p50"))
        rows.append((thousands(size), "in process", inside, spent, "-"))
        for how in (name for name in keys(*one) if name.startswith("http_")):
            for clients in keys(*one, how):
                load = (*one, how, clients)
                count = how.rpartition("_")[2]
                called = f"HTTP, {count} process{'es' if count != '1' else ''}, "
                waits = " / ".join(shown(number(*load, "ms", p)) for p in _POINTS)
                cpu = shown(number(*load, "server_cpu_ms_per_answer"))
                rate = f"{number(*load, 'per_second'):.0f}"
                name = called + clients.replace("_", " ")
                rows.append((thousands(size), name, waits, cpu, rate))
    head = ("units", "asked", "p50 / p95 / p99, ms", "CPU, ms", "answers per second")
    return table(head, rows)


def waiting_callers() -> str:
    """What several callers of one store get, in process."""
    if not (RESULTS / "waiting.json").exists():
        return _NOT_YET
    rows = []
    for size in keys("waiting", "results"):
        one = ("waiting", "results", size, "callers")
        for callers in keys(*one):
            cells = list[str]()
            for asked in ("new", "known"):
                found = (*one, callers, asked)
                cells += [
                    f"{number(*found, 'recalls_per_s'):.0f}",
                    " / ".join(shown(number(*found, "wall_ms", p)) for p in ("p50", "p99")),
                    shown(number(*found, "cpu_ms_per_recall")),
                ]
            rows.append((thousands(size), callers, *cells))
    head = (
        "units", "callers", "new questions per second", "p50 / p99, ms", "CPU, ms",
        "vector known, per second", "p50 / p99, ms", "CPU, ms",
    )  # fmt: skip
    return table(head, rows)


def hook() -> str:
    """What a prompt waits for its memories."""
    commit, processor = str(at("hook", "commit"))[:12], at("hook", "machine", "processor")
    units, prompts = (at("hook", "parameters", name) for name in ("units", "prompts"))
    p50, p95, p99 = (number("hook", "results", "wall_ms", p) for p in ("p50", "p95", "p99"))
    cpu = number("hook", "results", "hook_cpu_ms", "p50")
    return (
        f"A prompt waits {p50:.0f} ms for its memories, {p95:.0f} ms at the 95th and {p99:.0f} "
        f"ms at the 99th percentile; the hook itself takes {cpu:.0f} ms\n"
        f"of CPU (`python -m bench.hook`: {prompts} prompts, a repository's bank of "
        f"{units:,} memories, at commit {commit}\n"
        f"on two cores of an {processor}, load {number('hook', 'results', 'load'):.1f})."
    )
