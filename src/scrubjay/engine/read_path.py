"""The way out: parse -> plan -> retrieve -> fuse -> rerank -> boost -> budget -> answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from itertools import permutations, takewhile

import numpy as np

from scrubjay.answers import Parsed, Plan, Recall, RecallOptions
from scrubjay.encoder.base import Reranker, calibration_of
from scrubjay.encoder.query_cache import CachedQueries
from scrubjay.encoder.side_calls import SideCalls
from scrubjay.engine import answer, budget
from scrubjay.engine.fuse import Candidates, fuse
from scrubjay.engine.parse.question import ParseOptions, parse
from scrubjay.engine.plan.optimizer import choose
from scrubjay.engine.presets import DEFAULT, preset_of, rerank_on_request
from scrubjay.engine.relevance import (
    Placing,
    can_tell_absence,
    fitted,
    in_window,
    signals_of,
)
from scrubjay.engine.rerank.boost import factor, recency
from scrubjay.engine.rerank.holding import holding_first
from scrubjay.engine.rerank.late import LATE_CANDIDATES, lacking_head, late_sign
from scrubjay.engine.rerank.pairs import above, blended, pairs_within, score_within, shown
from scrubjay.engine.rerank.signs import signs_of
from scrubjay.engine.rerank.succession import succession_of
from scrubjay.engine.retrieve.fanout import Branch, fan_out
from scrubjay.engine.retrieve.instructions import instructions_for
from scrubjay.engine.retrieve.neighbours import turns_before
from scrubjay.engine.retrieve.proximity import proximity
from scrubjay.engine.retrieve.query import Query, QueryVector, away_from_middle
from scrubjay.engine.retrieve.retriever import Retriever
from scrubjay.engine.retrieve.scope import scope_of
from scrubjay.engine.retrieve.widening import in_order, left_out, retrieve
from scrubjay.engine.retrieve.words import exclusions, said_share
from scrubjay.engine.run import INSTRUCTION_SIGN, Ranking, Run, ranked_lists, rest_of
from scrubjay.engine.shared.describing import as_named
from scrubjay.engine.shared.waiting import Waiting
from scrubjay.engine.tuning import weighed
from scrubjay.errors import EncoderError, RecallFailed
from scrubjay.planning import MEANING, WORDS, Circumstances
from scrubjay.preset import Preset, RerankSwitches
from scrubjay.settings import zone_of
from scrubjay.store.base import BankReader, Columns
from scrubjay.trace import Trace
from scrubjay.turns import TURNS
from scrubjay.types.arrays import FloatArray, RowArray
from scrubjay.types.outcomes import Degraded

# Of the deadline, what the encoder may take; the rest is for the searches that do without it.
_ENCODER_SHARE = 0.9

# What is relevant at all is more relevant than this.
_SOME = 1e-6

# What a request is about comes first, and the instructions that may apply to it follow; the nearest
# comes before, where it is about as near to the request as anything: so large a share of the best.
_BEFORE_INSTRUCTIONS = 2
_APPLIES = 0.8

# Of so many candidates the language is looked at before it is said that nothing is relevant.
_READ_FOR_LANGUAGE = 3

# How a question is cut into words where no retriever minds.
_ANALYSIS = "standard"


@dataclass(frozen=True, slots=True)
class ReadTools:
    """What the read path is given from outside."""

    encoder: CachedQueries | None
    missing_encoder: str  # why there is none, and the remedy
    waiting: Waiting
    reranker: Callable[[], Reranker | None]
    reranker_wanted: bool  # False: opened with reranker=None
    reranking: SideCalls  # where rerankers work that are not instant
    clock: Callable[[], datetime]
    threads: Mapping[str, SideCalls]  # where each retriever works, by its name
    retrievers: Mapping[str, Retriever]  # by name, in the order of plans and answers
    foreign_retrievers: bool


def recall(bank: BankReader, question: str, options: RecallOptions, tools: ReadTools) -> Recall:
    """What the bank remembers that the question needs, ranked, explained, cut to the budget."""
    # What a bank on a server waits for is no work of ours.
    with nullcontext() if bank.remote else TURNS.taken():
        return answer.render(bank, run(bank, question, options, tools))


def recall_batch(
    bank: BankReader, questions: Sequence[str], options: RecallOptions, tools: ReadTools
) -> list[Recall]:
    """One recall per question, in order; the questions are embedded together, and remembered."""
    encoder = tools.encoder
    if encoder is not None and questions:
        _load(encoder)
        timeout_s = len(questions) * _encoder_timeout_s(_preset(bank, options))
        together = QueryVector(
            lambda: encoder.encode_within(questions, timeout_s), calibration_of(encoder)
        )
        try:
            together.get()
        except EncoderError as error:
            # What failed for all is not asked again for each.
            tools = replace(tools, encoder=None, missing_encoder=f"EncoderError: {error}")
    return [recall(bank, question, options, tools) for question in questions]


def run(bank: BankReader, question: str, options: RecallOptions, tools: ReadTools) -> Run:
    """Every stage once, in order."""
    trace, preset = Trace(), _preset(bank, options)
    with trace.stage("parse"):
        parsed = parse(question, bank, _parse_options(options, preset, tools))
    with trace.stage("plan"):
        around = _circumstances(bank, options, tools)
        plan = _plan(parsed, preset, around, tools)
    unwanted = exclusions(bank, parsed)
    scope = scope_of(parsed, preset, options, unwanted)
    away = cache(partial(away_from_middle, bank, preset))
    vector = QueryVector.of(question, tools.encoder, _encoder_timeout_s(preset), away)
    called = as_named(parsed.question, parsed.entities)
    named = (
        None
        if called == parsed.question
        else QueryVector.of(called, tools.encoder, _encoder_timeout_s(preset), away)
    )
    query = Query(parsed, preset, bank, scope, vector, unwanted, named)
    if tools.encoder is not None and any(
        step.run and tools.retrievers[step.retriever].embeds for step in plan.retrievers
    ):
        _load(tools.encoder)
    threads = tools.threads if plan.mode == "threads" else None
    search = partial(fan_out, trace=trace, threads=threads, begun=trace.elapsed_ms())
    with trace.stage("retrieve"):
        branches, widened = retrieve(
            query, plan, tools.retrievers, search, partial(_likeliest, query, tools)
        )
        hinted = preset.type_filter and bool(plan.type_hints) and not widened
        if preset.optimizer and not any(branch.hits for branch in branches):
            whole = _plan(parsed, replace(preset, optimizer=False), around, tools)
            rest = search(left_out(query, plan, whole, tools.retrievers))
            branches, widened = in_order(branches + rest, plan), widened or bool(rest)
    degraded = [branch.failure for branch in branches if branch.failure is not None]
    _check_strict(options, branches, degraded)
    # In an empty bank nobody lacks anything.
    if around.units:
        degraded += [*_lacking(preset, around, tools), *lacking_head(bank, tools.encoder)]
        degraded += _waiting(bank, tools)
    with trace.stage("fuse"):
        fused = fuse(
            ranked_lists(branches), method=preset.fusion, rank_constant=preset.rank_constant
        )
    with trace.stage("rerank"):
        switches = _rerank_switches(preset, options)
        ranking, failed = _rank(query, fused, plan.type_hints, switches, branches, tools)
        ranking = _with_instructions(query, ranking)
        ranking = _in_succession(query, ranking)
        ranking = _as_it_holds(query, ranking).placed()
    with trace.stage("budget"):
        passing, budgeted = _cut(ranking, options)
    return Run(
        options, parsed, plan, query, tuple(branches), hinted, widened, ranking,
        passing, budgeted, tuple(degraded + failed), trace,
    )  # fmt: skip


def understand(
    bank: BankReader,
    question: str,
    options: RecallOptions,
    tools: ReadTools,
    *,
    timezone: str | None = None,
) -> tuple[Parsed, Plan]:
    """The first two stages alone."""
    preset = _preset(bank, options)
    zone = None if timezone is None else zone_of(timezone)
    given = replace(_parse_options(options, preset, tools), zone=zone)
    parsed = parse(question, bank, given)
    return parsed, _plan(parsed, preset, _circumstances(bank, options, tools), tools)


def _plan(parsed: Parsed, preset: Preset, around: Circumstances, tools: ReadTools) -> Plan:
    planners = {name: retriever.plan for name, retriever in tools.retrievers.items()}
    return choose(parsed, preset, around, planners)


def _lacking(preset: Preset, around: Circumstances, tools: ReadTools) -> Iterator[Degraded]:
    """The retrievers that the preset has and that cannot work, whatever is asked."""
    for name, retriever in tools.retrievers.items():
        lacking = retriever.lacks(preset, around)
        if lacking is not None:
            yield Degraded(name, lacking)


def _waiting(bank: BankReader, tools: ReadTools) -> Iterator[Degraded]:
    """That units are not found by meaning yet."""
    if tools.encoder is not None and tools.waiting.first(bank) is not None:
        told = "the encoder failed when some units were told, and they wait for their vectors"
        remedy = "the next retain makes them, or `scrubjay doctor --fix`"
        yield Degraded("vectors", f"{told}; {remedy}")


def _parse_options(options: RecallOptions, preset: Preset, tools: ReadTools) -> ParseOptions:
    wanted = (retriever.analysis(preset) for retriever in tools.retrievers.values())
    return ParseOptions(
        now=options.now or tools.clock(),
        now_given=options.now is not None,
        window=options.window,
        session=options.session,
        analysis=next((analysis for analysis in wanted if analysis is not None), _ANALYSIS),
    )


def _circumstances(bank: BankReader, options: RecallOptions, tools: ReadTools) -> Circumstances:
    return Circumstances(
        units=bank.unit_count(),
        types=bank.settings.types,
        limit=options.limit,
        has_vectors=tools.encoder is not None,
        lacking=tools.missing_encoder,
        types_given=options.types is not None,
        deadline_ms=options.deadline_ms,
        foreign_retrievers=tools.foreign_retrievers,
        thinking_budget=options.thinking_budget,
    )


def _preset(bank: BankReader, options: RecallOptions) -> Preset:
    """The preset and the deadline asked for; the default with the bank's own weights."""
    preset, deadline_ms = preset_of(options.preset), options.deadline_ms
    if options.preset == DEFAULT.name and bank.settings.weights:
        preset = weighed(preset, bank.settings.weights)
    return preset if deadline_ms is None else replace(preset, deadline_ms=deadline_ms)


def _encoder_timeout_s(preset: Preset) -> float:
    return _ENCODER_SHARE * preset.deadline_ms / 1e3


def _load(encoder: CachedQueries) -> None:
    """Have a model loaded before a deadline counts; if it cannot be, the search will say so."""
    # It may be anyone's code.
    with suppress(Exception):
        encoder.load()


def _rerank_switches(preset: Preset, options: RecallOptions) -> RerankSwitches | None:
    if options.rerank is False:
        return None
    if options.rerank is True:
        return preset.rerank or rerank_on_request(preset)
    return preset.rerank


def _rank(
    query: Query,
    fused: Candidates,
    hints: Sequence[str],
    switches: RerankSwitches | None,
    branches: Sequence[Branch],
    tools: ReadTools,
) -> tuple[Ranking, list[Degraded]]:
    preset, parsed = query.preset, query.parsed
    columns = query.bank.columns(fused.rows)
    found = [branch.found for branch in branches if branch.found and branch.found.telling]
    untold = sum(int(np.count_nonzero(each.scores < each.telling)) for each in found)
    signs = signs_of(parsed, preset.signs, query.bank, columns, fused.scores, hints, untold)
    bonus = sum(signs.values(), np.zeros(len(fused.rows)))
    first = (-(fused.scores + bonus)).argsort(kind="stable")[: preset.candidates_max]
    read = first[:LATE_CANDIDATES]
    late = late_sign(preset.signs, query.bank, query.vector.tokens, fused.rows[read])
    if late is not None:
        signs["late"] = np.zeros(len(fused.rows))
        signs["late"][read] = late
        bonus = bonus + signs["late"]
    before, bonus = fused.scores[first], bonus[first]
    reranked: dict[int, float] = {}
    degraded: list[Degraded] = []
    if switches is not None and len(first):
        try:
            reranked = _read_again(query, fused.rows[first[: switches.top]], switches, tools)
        except EncoderError as error:
            degraded.append(Degraded("rerank", str(error)))
    fresh, fit = _time_factors(query, columns, first)
    scores = before * fresh * fit + bonus
    if reranked and switches is not None:
        count = len(reranked)
        better = blended(before[:count], np.array(list(reranked.values())), switches.blend)
        scores = above(better * (fresh * fit)[:count] + bonus[:count], scores[count:])
    # Equal scores keep the order of fusion, which breaks its own ties by row.
    order = (-scores).argsort(kind="stable")
    places, scores = first[order], scores[order]
    kept = fused.take(places)
    signals = _signals(query, kept, in_window(parsed, columns)[places], branches)
    relevance, floor, placing = _relevance(query, kept, signals, reranked, tools)
    ranking = Ranking(
        kept,
        scores,
        scores,
        reranked,
        fresh[order],
        fit[order],
        relevance,
        floor,
        placing,
        signals,
        columns.tokens[places],
        {name: values[places] for name, values in signs.items()},
        fused,
        signs,
    )
    return ranking, degraded


def _signals(
    query: Query, kept: Candidates, window: FloatArray, branches: Sequence[Branch]
) -> dict[str, FloatArray]:
    """What is known of each candidate by which its relevance is estimated."""
    found = {b.step.retriever: (b.retriever, b.found) for b in branches if b.found is not None}
    signals = signals_of(
        kept,
        {name: retriever.signal for name, (retriever, _) in found.items()},
        {name: rest_of(retriever, given.scores) for name, (retriever, given) in found.items()},
        {name: given.paths for name, (_, given) in found.items()},
        window,
    )
    return signals | {WORDS: np.minimum(signals[WORDS] / said_share(query), 1.0)}


def _likeliest(query: Query, tools: ReadTools, branches: Sequence[Branch]) -> float:
    """How likely the best of what some branches found is about the question."""
    preset = query.preset
    found = fuse(ranked_lists(branches), method=preset.fusion, rank_constant=preset.rank_constant)
    window = in_window(query.parsed, query.bank.columns(found.rows))
    signals = _signals(query, found, window, branches)
    relevance, _, _ = _relevance(query, found, signals, {}, tools)
    return float(relevance.max(initial=0.0))


def _relevance(
    query: Query,
    kept: Candidates,
    signals: Mapping[str, FloatArray],
    reranked: Mapping[int, float],
    tools: ReadTools,
) -> tuple[FloatArray, float, Placing | None]:
    """How likely each candidate is about the question, what the best must reach, and places."""
    reader, read = None, None
    if reranked:
        reader = tools.reranker()
        read = np.array([reranked.get(row, np.nan) for row in kept.rows.tolist()], np.float64)
    relevance, floor, placing = fitted().estimate(
        signals,
        None if tools.encoder is None else tools.encoder.name,
        None if reader is None else reader.name,
        read,
    )
    if query.parsed.unheard:
        # What is near to a code that nobody told is about another one.
        relevance, floor = np.zeros(len(kept.rows)), max(floor, _SOME)
    else:
        floor = _floor(query, kept, signals, relevance, floor)
    for name, hits in kept.hits.items():
        if tools.retrievers[name].signal is None:
            # A retriever from outside is taken at its word, which is as good as its author's.
            sure = tools.retrievers[name].certainty(hits.astype(np.float64))
            relevance, placing = np.maximum(relevance, np.minimum(np.maximum(sure, 0), 1)), None
    return relevance, floor, placing


def _floor(
    query: Query,
    kept: Candidates,
    signals: Mapping[str, FloatArray],
    relevance: FloatArray,
    floor: float,
) -> float:
    """What the best candidate must reach here; 0 where weak signals do not tell absence."""
    # What reaches it needs no closer look.
    if relevance.max(initial=0.0) >= floor:
        return floor
    texts = query.bank.texts_of(kept.rows[:_READ_FOR_LANGUAGE])
    return floor if can_tell_absence([query.parsed.question, *texts.values()], signals) else 0.0


def _with_instructions(query: Query, ranking: Ranking) -> Ranking:
    """The ranking with what is to be kept to in doing what is asked, behind what it is about."""
    rows = instructions_for(query)
    if not len(rows):
        return ranking
    added = np.setdiff1d(rows, ranking.candidates.rows)
    if len(added):
        ranking = ranking.grown(added, query.bank.columns(added).tokens)
    meaning = ranking.signals.get(MEANING)
    # Nothing is known to be alike where nothing was searched by meaning.
    if meaning is not None and query.similarity(rows[:1])[0] >= _APPLIES * meaning.max(initial=0.0):
        ranking = ranking.lifted(rows[:1], behind=0, sign=INSTRUCTION_SIGN)
    return ranking.lifted(rows, behind=_BEFORE_INSTRUCTIONS, sign=INSTRUCTION_SIGN)


def _in_succession(query: Query, ranking: Ranking) -> Ranking:
    """The ranking with what holds now before what it changed, as the question asks for it."""
    if not query.preset.newest_first:
        return ranking
    rows = ranking.candidates.rows
    found = succession_of(query.parsed, query.bank, (rows, ranking.scores), query.allowed)
    if found is None:
        return ranking
    ranked = set(rows.tolist())
    added = np.array(sorted(row for row in found.scores if row not in ranked), np.int64)
    if len(added):
        ranking = ranking.grown(added, query.bank.columns(added).tokens)
    return ranking.rescored(found.scores, found.newer, found.level)


def _as_it_holds(query: Query, ranking: Ranking) -> Ranking:
    """The ranking with what holds at the time that is asked about before what does not then."""
    if not query.preset.newest_first:
        return ranking
    rows, newer = ranking.candidates.rows, ranking.newer
    scores = holding_first(query.parsed, query.bank, rows, ranking.scores, newer)
    if not scores:
        return ranking
    return ranking.rescored(scores, newer, [*permutations(scores, 2)])


def _time_factors(
    query: Query, columns: Columns, places: RowArray
) -> tuple[FloatArray, FloatArray]:
    """By what recency and closeness in time multiply the scores at some places."""
    preset, window = query.preset, query.parsed.window
    fresh = fit = np.ones(len(places))
    if preset.recency_weight:
        fresh = factor(recency(columns.take(places), query.parsed.now), preset.recency_weight)
    if preset.temporal_weight and window is not None:
        near = proximity(columns.take(places), window).astype(np.float64)
        fit = factor(near, preset.temporal_weight)
    return fresh, fit


def _read_again(
    query: Query, rows: RowArray, switches: RerankSwitches, tools: ReadTools
) -> dict[int, float]:
    """The cross-encoder's scores of the first candidates, by row, in their order."""
    reranker = tools.reranker()
    if reranker is None:
        if not tools.reranker_wanted:
            return {}
        raise EncoderError(
            "no reranking model on this machine; run `scrubjay models pull "
            "ms-marco-MiniLM-L-12-v2`, or pass rerank=False"
        )
    question = query.parsed.question
    units = query.bank.hydrate_rows(rows)
    before = turns_before(query.bank, rows) if switches.before else {}
    texts = {row: shown(units[row], before.get(row)) for row in rows.tolist() if row in units}
    asked = list(texts.values())
    asked = asked[: pairs_within(switches.budget_ms, question, asked, reranker)]
    read = score_within(query.preset.deadline_ms, question, asked, reranker, tools.reranking)
    scores = dict(zip(texts, read.tolist(), strict=False))
    # A unit erased meanwhile has no text to read, and is passed over.
    passed = takewhile(lambda row: row in scores or row not in units, rows.tolist())
    return {row: scores.get(row, 0.0) for row in passed}


def _cut(ranking: Ranking, options: RecallOptions) -> tuple[RowArray, budget.Budgeted]:
    floor = options.min_score
    passing = np.arange(len(ranking.scores))
    if floor is not None:
        passing = np.flatnonzero(ranking.relevance >= floor)
    tokens = ranking.tokens[passing].tolist()
    return passing, budget.fit(tokens, tokens_max=options.max_tokens, limit=options.limit)


def _check_strict(
    options: RecallOptions, branches: Sequence[Branch], degraded: Sequence[Degraded]
) -> None:
    if options.strict and branches and len(degraded) == len(branches):
        reasons = "; ".join(f"{part.retriever}: {part.reason}" for part in degraded)
        raise RecallFailed(f"Every retriever failed: {reasons}.")
