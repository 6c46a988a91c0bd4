"""What a run measured, as data and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.evaluation.bootstrap import Interval, macro_interval
from bench.evaluation.metrics import Scored, by_category, macro, means
from bench.evaluation.runner import Answer
from scrubjay.types import Json

# The metrics an interval is given for; the rest would double the file and nobody reads them.
WITH_INTERVAL = ("recall@10", "ndcg@10")
_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Summary:
    """One group of questions: how many, the mean of each metric, intervals of some."""

    n: int
    values: Mapping[str, float]
    intervals: Mapping[str, Interval]


@dataclass(frozen=True, slots=True)
class SetResult:
    """One set under one preset."""

    name: str
    macro: Summary
    categories: Mapping[str, Summary]
    apart: Mapping[str, Summary]  # labelled questions that are not part of the macro
    macro_with_apart: Mapping[str, float]
    units: int
    cpu_ms_per_retain: float
    cpu_ms_per_recall: float
    degraded: Mapping[str, int]  # reason -> questions
    recall_at_10: Mapping[str, float]  # by question, for paired comparisons


@dataclass(frozen=True, slots=True)
class RunResult:
    """One preset over all sets."""

    preset: str
    encoder: str | None
    reranker: str | None
    sets: Mapping[str, SetResult]


def summarise(name: str, answers: Sequence[Answer], *, units: int, retain_ms: float) -> SetResult:
    """A set's numbers from its answers."""
    scored = [answer.scored() for answer in answers]
    counted = by_category(one for one in scored if not one.apart)
    apart = by_category(one for one in scored if one.apart)
    categories = {category: _summary([group]) for category, group in counted.items()}
    apart_summaries = {category: _summary([group]) for category, group in apart.items()}
    both = {**_values(categories), **_values(apart_summaries)}
    reasons = [reason for answer in answers for reason in answer.degraded]
    return SetResult(
        name=name,
        macro=_summary(list(counted.values())),
        categories=categories,
        apart=apart_summaries,
        macro_with_apart=macro(both) if apart else {},
        units=units,
        cpu_ms_per_retain=retain_ms,
        cpu_ms_per_recall=sum(answer.cpu_ms for answer in answers) / max(len(answers), 1),
        degraded={reason: reasons.count(reason) for reason in sorted(set(reasons))},
        recall_at_10={one.query_id: one.values["recall@10"] for one in scored},
    )


def _summary(groups: Sequence[Sequence[Scored]]) -> Summary:
    averages = [means(group) for group in groups]
    intervals = {
        metric: macro_interval([[one.values[metric] for one in group] for group in groups])
        for metric in WITH_INTERVAL
        if groups
    }
    values = macro({str(n): average for n, average in enumerate(averages)})
    return Summary(sum(len(group) for group in groups), values, intervals)


def _values(summaries: Mapping[str, Summary]) -> dict[str, Mapping[str, float]]:
    return {name: summary.values for name, summary in summaries.items()}


def run_to_json(run: RunResult, *, questions: bool) -> dict[str, Json]:
    """A run as JSON: the preset, the models, and every set."""
    return {
        "preset": run.preset,
        "encoder": run.encoder,
        "reranker": run.reranker,
        "sets": {name: _set_to_json(result, questions) for name, result in run.sets.items()},
    }


def _set_to_json(result: SetResult, questions: bool) -> dict[str, Json]:
    apart: dict[str, Json] = {}
    if result.apart:
        apart = {
            "apart": {name: _summary_to_json(part) for name, part in result.apart.items()},
            "macro_with_apart": _rounded(result.macro_with_apart),
        }
    return {
        "macro": _summary_to_json(result.macro),
        "categories": {name: _summary_to_json(part) for name, part in result.categories.items()},
        **apart,
        "units": result.units,
        "cpu_ms_per_retain": round(result.cpu_ms_per_retain, 3),
        "cpu_ms_per_recall": round(result.cpu_ms_per_recall, 3),
        "degraded": dict(result.degraded),
        **({"questions": _rounded(result.recall_at_10)} if questions else {}),
    }


def _summary_to_json(summary: Summary) -> dict[str, Json]:
    intervals: dict[str, Json] = {
        f"{metric}_interval": [round(low, _DIGITS), round(high, _DIGITS)]
        for metric, (low, high) in summary.intervals.items()
    }
    return {"n": summary.n, **_rounded(summary.values), **intervals}


def _rounded(values: Mapping[str, float]) -> dict[str, Json]:
    return {name: round(value, _DIGITS) for name, value in values.items()}


def answer_to_json(set_name: str, preset: str, answer: Answer) -> dict[str, Json]:
    """One question as a line of the questions file: its ranking, and where its evidence went."""
    question = answer.question
    scored = answer.scored()
    return {
        "set": set_name,
        "preset": preset,
        "query_id": question.query_id,
        "bank_id": question.bank_id,
        "category": question.category,
        "apart": question.apart,
        "question": question.text,
        "now": question.now.isoformat(),
        "window": answer.window,
        "values": _rounded(scored.values),
        "units": list(answer.units),
        "gold": [
            {
                "unit_id": place.unit_id,
                "rank": place.rank,
                "fused_rank": place.fused_rank,
                "retrievers": dict(place.retrievers),
            }
            for place in answer.places
        ],
        "reranked": answer.reranked,
        "degraded": list(answer.degraded),
        "cpu_ms": round(answer.cpu_ms, 3),
    }


def runs_to_json(
    runs: Iterable[RunResult], facts: Mapping[str, Json], *, questions: bool = True
) -> dict[str, Json]:
    """A whole result file: the first run at the top level, every run under `runs`.

    With each question's recall, by which two files are compared, if `questions`.
    """
    rendered = [run_to_json(run, questions=questions) for run in runs]
    more: dict[str, Json] = {"runs": rendered} if len(rendered) > 1 else {}
    return {**rendered[0], **facts, **more}
