"""The tables of docs/benchmarks.md and the README: what is found, preset by preset."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bench.pages.reading import at, keys, number, share, table

DESIGNS = ("dense_fts", "polyant", "tempr", "hindsight", "recall5")
SETS = ("locomo", "tmd", "beam_100k", "lifebench", "qmsum", "memdaily_zh")


def _runs(result: str = "quality") -> dict[str, tuple[str, str, int]]:
    listed = at(result, "runs")
    assert isinstance(listed, Sequence)
    names = [str(at(result, "runs", n, "preset")) for n in range(len(listed))]
    return {name: (result, "runs", n) for n, name in enumerate(names)}


def _macro(preset: str, chosen: str, metric: str) -> float:
    return number(*_runs()[preset], "sets", chosen, "macro", metric)


def made() -> str:
    """With what command, commit, machine and encoder the tables of the public sets were made."""
    commit, cores = str(at("quality", "commit"))[:12], at("quality", "machine", "cores")
    processor, memory = (at("quality", "machine", name) for name in ("processor", "memory_gib"))
    encoder = str(at("quality", "encoder")).split("@")[0]
    return (
        f"`make quality` at commit {commit} on {cores} cores of an {processor} with {memory} GiB, "
        f"encoder {encoder}, no cross-encoder\n(`bench/results/quality.json`). The sets lie beside "
        "the checkout and are not part of the repository."
    )


def presets() -> str:
    """Every preset on every set."""
    rows = [
        [f"`{preset}`"]
        + [
            " / ".join(f"{_macro(preset, chosen, m):.3f}" for m in ("recall@10", "ndcg@10"))
            for chosen in SETS
        ]
        for preset in _runs()
    ]
    return table(("preset", *SETS), rows)


def paired() -> str:
    """`default` against every other run, question by question."""

    def cell(preset: str, chosen: str) -> str:
        change, p = (number("quality", "paired", preset, chosen, part) for part in ("change", "p"))
        return f"{change:+.3f} (p {p:.3f})"

    rows = [
        (f"`{preset}`", *(cell(preset, chosen) for chosen in SETS))
        for preset in (*DESIGNS, "only_semantic", "only_lexical")
    ]
    return table(("against", *SETS), rows)


def of_banks(name: str, chosen: str) -> Callable[[], str]:
    """Every run of a result file on one set of banks, with what is stale and what is absent."""

    def made() -> str:
        runs = _runs(name)
        rows = [(f"`{run}`", *_cells(path, chosen)) for run, path in runs.items()]
        kinds = "near", "absent"
        head = ("run", "R@10", "nDCG@10", "hit@1", "MRR", "stale@1", *map("AUROC {}".format, kinds))
        return table(head, rows)

    return made


def _cells(path: tuple[str, str, int], chosen: str) -> list[str]:
    metrics = ("recall@10", "ndcg@10", "hit@1", "mrr", "stale@1")
    found = [share(number(*path, "sets", chosen, "macro", metric)) for metric in metrics]
    told = ("sets", chosen, "abstention")
    return found + [share(number(*path, *told, kind, "auroc")) for kind in ("near", "absent")]


def each_bank(name: str, chosen: str, shown: Sequence[str]) -> Callable[[], str]:
    """Some runs of a result file on each bank of a set: recall@10 / nDCG@10, and stale@1."""

    def cell(run: str, bank: str) -> str:
        path = (*_runs(name)[run], "sets", chosen, "banks", bank)
        found = [share(number(*path, metric)) for metric in ("recall@10", "ndcg@10", "stale@1")]
        return " / ".join(found)

    def made() -> str:
        banks = keys(*_runs(name)[shown[0]], "sets", chosen, "banks")
        rows = [(f"`{bank}`", *(cell(run, bank) for run in shown)) for bank in banks]
        return table(("bank", *(f"`{run}`" for run in shown)), rows)

    return made


_README_SETS = {
    "locomo": ("LoCoMo, conversations", "recall@10"),
    "tmd": ("TMD, questions of time (nDCG)", "ndcg@10"),
    "beam_100k": ("BEAM, chats with an assistant", "recall@10"),
    "lifebench": ("LifeBench, a year of phone logs", "recall@10"),
    "qmsum": ("QMSum, meetings", "recall@10"),
    "memdaily_zh": ("MemDaily, Chinese", "recall@10"),
}


def in_short() -> str:
    """The sets in one line each."""
    rows = []
    for chosen, (called, metric) in _README_SETS.items():
        measured = {preset: _macro(preset, chosen, metric) for preset in _runs()}
        best = max(measured[preset] for preset in DESIGNS)
        cells = [measured["default"], best, measured["only_semantic"], measured["only_lexical"]]
        rows.append((called, *map(share, cells)))
    head = ("set", "default", "best of the five designs", "meaning alone", "words alone")
    encoder = str(at("quality", "encoder")).split("@")[0]
    commit = str(at("quality", "commit"))[:12]
    return f"{table(head, rows)}\n\nEncoder `{encoder}`, commit {commit}."
