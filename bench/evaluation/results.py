"""What a run measured, as data and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.evaluation.abstention import ALL, Abstention, abstention
from bench.evaluation.bootstrap import Interval, interval_of_banks, interval_of_questions
from bench.evaluation.comparing import compare
from bench.evaluation.metrics import PAIRED, Scored, by_category, macro, means
from bench.evaluation.runner import Answer
from scrubjay.types.values import Json

# The metrics an interval is given for; the rest would double the file and nobody reads them.
WITH_INTERVAL = ("recall@10", "ndcg@10")
# A set of more banks than this is one of many small ones, of which none says much alone.
BANKS_MAX = 20
_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Summary:
    """One group of questions: how many, the macro mean of each metric, intervals of some.

    `intervals` are for other questions to the same banks, `bank_intervals` for other banks too.
    """

    n: int
    values: Mapping[str, float]
    intervals: Mapping[str, Interval]
    bank_intervals: Mapping[str, Interval]


@dataclass(frozen=True, slots=True)
class SetResult:
    """One set under one preset."""

    name: str
    macro: Summary
    categories: Mapping[str, Summary]
    apart: Mapping[str, Summary]  # labelled questions that are not part of the macro
    macro_with_apart: Mapping[str, float]
    banks: Mapping[str, Summary]  # empty for a single bank, or more than BANKS_MAX
    # By kind of absence, and all together; of each bank all together. Empty without such questions.
    abstention: Mapping[str, Abstention]
    bank_abstention: Mapping[str, Abstention]
    units: int
    cpu_ms_per_retain: float
    cpu_ms_per_recall: float
    degraded: Mapping[str, int]  # reason -> questions
    reranked: int  # candidates that a cross-encoder read, over all questions
    questions: Mapping[str, Mapping[str, float]]  # values by question, for paired comparisons


@dataclass(frozen=True, slots=True)
class RunResult:
    """One preset over all sets."""

    preset: str
    encoder: str | None
    reranker: str | None
    sets: Mapping[str, SetResult]


def summarise(name: str, answers: Sequence[Answer], *, units: int, retain_ms: float) -> SetResult:
    """A set's numbers from its answers."""
    scored = [answer.scored() for answer in answers if answer.question.gold]
    counted = [one for one in scored if not one.apart]
    apart = by_category(one for one in scored if one.apart)
    categories = {category: _summary(group) for category, group in by_category(counted).items()}
    apart_summaries = {category: _summary(group) for category, group in apart.items()}
    both = {**_values(categories), **_values(apart_summaries)}
    banks = _by_bank(answers)
    reasons = [reason for answer in answers for reason in answer.degraded]
    return SetResult(
        name=name,
        macro=_summary(counted),
        categories=categories,
        apart=apart_summaries,
        macro_with_apart=macro(both) if apart else {},
        banks={bank: _summary([one for one in counted if one.bank_id == bank]) for bank in banks},
        abstention=_abstention(answers),
        bank_abstention={
            bank: found[ALL] for bank, group in banks.items() if (found := _abstention(group))
        },
        units=units,
        cpu_ms_per_retain=retain_ms,
        cpu_ms_per_recall=sum(answer.cpu_ms for answer in answers) / max(len(answers), 1),
        degraded={reason: reasons.count(reason) for reason in sorted(set(reasons))},
        reranked=sum(answer.reranked for answer in answers),
        questions={
            one.query_id: {name: one.values[name] for name in PAIRED if name in one.values}
            for one in scored
        },
    )


def _by_bank(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    groups: dict[str, list[Answer]] = {}
    for answer in answers:
        groups.setdefault(answer.question.bank_id, []).append(answer)
    return groups if 1 < len(groups) <= BANKS_MAX else {}


def _abstention(answers: Sequence[Answer]) -> dict[str, Abstention]:
    answerable: list[float] = []
    unanswerable: dict[str, list[float]] = {}
    for answer in answers:
        if answer.question.answerable:
            answerable.append(answer.relevance)
        else:
            unanswerable.setdefault(answer.question.absence or "", []).append(answer.relevance)
    return abstention(answerable, unanswerable)


def _summary(scored: Sequence[Scored]) -> Summary:
    groups = by_category(scored)
    values = macro({category: means(group) for category, group in groups.items()})
    given = WITH_INTERVAL if scored else ()
    over_banks = {metric: interval_of_banks(scored, metric) for metric in given}
    return Summary(
        len(scored),
        values,
        {metric: interval_of_questions(scored, metric) for metric in given},
        {metric: interval for metric, interval in over_banks.items() if interval is not None},
    )


def _values(summaries: Mapping[str, Summary]) -> dict[str, Mapping[str, float]]:
    return {name: summary.values for name, summary in summaries.items()}


def run_to_json(run: RunResult, *, questions: bool, categories: bool) -> dict[str, Json]:
    """A run as JSON: the preset, the models, and every set."""
    sets = {name: _set_to_json(result, categories) for name, result in run.sets.items()}
    if questions:
        sets = {name: {**sets[name], **_questions_to_json(run.sets[name])} for name in sets}
    return {
        "preset": run.preset,
        "encoder": run.encoder,
        "reranker": run.reranker,
        "sets": sets,
    }


def _set_to_json(result: SetResult, categories: bool) -> dict[str, Json]:
    apart: dict[str, Json] = {}
    if result.apart:
        apart = {
            "apart": {name: _summary_to_json(part) for name, part in result.apart.items()},
            "macro_with_apart": _rounded(result.macro_with_apart),
        }
    each = {name: _summary_to_json(part) for name, part in result.categories.items()}
    return {
        "macro": _summary_to_json(result.macro),
        **({"categories": each} if categories else {}),
        **apart,
        **_banks_to_json(result),
        **_abstention_to_json(result.abstention),
        "units": result.units,
        "cpu_ms_per_retain": round(result.cpu_ms_per_retain, 3),
        "cpu_ms_per_recall": round(result.cpu_ms_per_recall, 3),
        "degraded": dict(result.degraded),
    }


def _banks_to_json(result: SetResult) -> dict[str, Json]:
    if not result.banks:
        return {}
    banks: dict[str, Json] = {}
    for bank, summary in result.banks.items():
        apart = result.bank_abstention.get(bank)
        banks[bank] = {
            **_summary_to_json(summary),
            **({} if apart is None else {"abstention": _separation_to_json(apart)}),
        }
    return {"banks": banks}


def _abstention_to_json(found: Mapping[str, Abstention]) -> dict[str, Json]:
    if not found:
        return {}
    return {"abstention": {kind: _separation_to_json(one) for kind, one in found.items()}}


def _separation_to_json(one: Abstention) -> dict[str, Json]:
    return {
        "answerable": one.answerable,
        "unanswerable": one.unanswerable,
        **_rounded({"auroc": one.auroc, "false_alarms": one.false_alarms}),
    }


def _questions_to_json(result: SetResult) -> dict[str, Json]:
    """Each question's values in the order of `question_metrics`; null where it has none."""
    rows: dict[str, Json] = {
        query: [round(values[name], _DIGITS) if name in values else None for name in PAIRED]
        for query, values in result.questions.items()
    }
    return {"question_metrics": list(PAIRED), "questions": rows}


def _summary_to_json(summary: Summary) -> dict[str, Json]:
    intervals: dict[str, Json] = {
        f"{metric}_{name}": [round(low, _DIGITS), round(high, _DIGITS)]
        for name, found in (
            ("interval", summary.intervals),
            ("interval_of_banks", summary.bank_intervals),
        )
        for metric, (low, high) in found.items()
    }
    return {"n": summary.n, **_rounded(summary.values), **intervals}


def _rounded(values: Mapping[str, float]) -> dict[str, Json]:
    return {name: round(value, _DIGITS) for name, value in values.items()}


def answer_to_json(set_name: str, preset: str, answer: Answer) -> dict[str, Json]:
    """One question as a line of the questions file: its ranking, and where its evidence went."""
    question = answer.question
    values = _rounded(answer.scored().values) if question.gold else {}
    return {
        "set": set_name,
        "preset": preset,
        "query_id": question.query_id,
        "bank_id": question.bank_id,
        "category": question.category,
        "apart": not question.answerable,
        "question": question.text,
        "now": question.now.isoformat(),
        "window": answer.window,
        "values": values,
        "relevance": round(answer.relevance, _DIGITS),
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
    runs: Sequence[RunResult],
    facts: Mapping[str, Json],
    *,
    questions: bool,
    categories: bool = True,
) -> dict[str, Json]:
    """A whole result file: the first run at the top level, every run under `runs`.

    With each question's values, by which two files are compared, if `questions`. Of several runs
    the first is `paired` with every other, by the recall@10 of each question.
    """
    rendered = [run_to_json(run, questions=questions, categories=categories) for run in runs]
    if len(rendered) == 1:
        return {**rendered[0], **facts}
    whole = [run_to_json(run, questions=True, categories=False) for run in runs]
    paired = {str(run["preset"]): paired_with(run, whole[0]) for run in whole[1:]}
    return {**rendered[0], **facts, "runs": rendered, "paired": paired}


def paired_with(before: Mapping[str, Json], after: Mapping[str, Json]) -> dict[str, Json]:
    """By how much the second of two runs finds more, set by set, and the p of that."""
    return {
        one.name: {"change": one.after - one.before, "p": one.p} for one in compare(before, after)
    }
