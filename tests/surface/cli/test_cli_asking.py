"""recall, explain: questions and their answers."""

from __future__ import annotations

import pytest
from tests.surface.cli.command_line import Cli

from scrubjay.encoder.catalogue import ENCODERS

ITEM_KEYS = [
    "id", "text", "type", "score", "relevance", "occurred_start", "occurred_end", "told_at",
    "context", "tags", "metadata", "source", "entities", "tokens", "predicate", "speaker",
    "session", "key", "author", "origin", "why",
]  # fmt: skip
RECALL_KEYS = [
    "items", "plan", "window", "timings", "widened", "degraded", "nothing_relevant", "tokens",
    "max_wait_ms", "question", "parsed", "reranked",
]  # fmt: skip


def test_recall_answers_in_the_one_json_shape(hashed: Cli, harbour: list[str]) -> None:
    answer = hashed("recall", "ferry launch", "--json").json
    best = answer["items"][0]
    assert list(answer) == RECALL_KEYS
    assert list(best) == ITEM_KEYS
    assert best["id"] == harbour[0]
    assert best["key"] == "launch"
    assert best["told_at"] == "2026-03-02T09:30:00+00:00"
    assert best["why"]["lexical"]["rank"] == 1
    after = ["rerank", "recency", "temporal_boost", "fused", "signs"]
    assert list(best["why"])[-5:] == after
    assert best["why"]["rerank"] is None
    assert answer["plan"]["preset"] == "default"
    assert set(answer["timings"]["lexical"]) == {"start_ms", "end_ms", "cpu_ms"}


def test_the_same_question_gives_the_same_items(hashed: Cli, harbour: list[str]) -> None:
    question = ("recall", "who moved the launch", "--now", "2026-03-09T09:00:00+00:00", "--json")
    first, second = hashed(*question).json, hashed(*question).json
    assert first["items"] == second["items"]
    assert first["plan"] == second["plan"]
    assert harbour[0] in [item["id"] for item in first["items"]]


@pytest.mark.parametrize(
    "options",
    [
        ["--type", "fact"],
        ["--tag", "nowhere"],
        ["--metadata", '{"room": "galley"}'],
        ["--known-at", "2026-03-01T00:00:00+00:00"],
        ["--min-score", "1.0"],
    ],
)
def test_what_is_asked_for_limits_the_answer(
    hashed: Cli, harbour: list[str], options: list[str]
) -> None:
    answer = hashed("recall", "ferry launch", *options, "--json").json
    assert harbour[0] not in [item["id"] for item in answer["items"]]


@pytest.mark.usefixtures("harbour")
def test_limit_and_tokens_bound_the_answer(hashed: Cli) -> None:
    one = hashed("recall", "the crane, the lamp and the ferry", "--limit", 1, "--json").json
    none = hashed("recall", "the ferry", "--max-tokens", 1, "--json").json
    assert len(one["items"]) == 1
    assert (none["items"], none["tokens"]) == ([], 0)


@pytest.mark.usefixtures("harbour")
def test_a_window_given_as_days_includes_both(hashed: Cli) -> None:
    answer = hashed(
        "recall", "what happened", "--from", "2026-03-10", "--to", "2026-03-10", "--json"
    ).json
    assert answer["window"][0] == "2026-03-10T00:00:00+00:00"
    assert answer["window"][1].startswith("2026-03-10T23:59:59")
    assert answer["items"][0]["text"] == "The lighthouse lamp was replaced."


@pytest.mark.parametrize(
    "preset", ["default", "dense_fts", "polyant", "tempr", "hindsight", "recall5"]
)
def test_every_preset_can_be_asked(hashed: Cli, harbour: list[str], preset: str) -> None:
    answer = hashed("recall", "ferry launch", "--preset", preset, "--no-rerank", "--json").json
    assert answer["plan"]["preset"] == preset
    assert answer["items"][0]["id"] == harbour[0]


@pytest.mark.usefixtures("harbour")
def test_the_trace_comes_only_when_asked_for(hashed: Cli) -> None:
    assert "trace" in hashed("recall", "ferry launch", "--trace", "--json").json
    assert "trace" not in hashed("recall", "ferry launch", "--json").json


def test_the_terminal_view_shows_items_shares_plan_and_chart(
    hashed: Cli, harbour: list[str]
) -> None:
    plainly = hashed("recall", "ferry launch")
    fully = hashed("recall", "ferry launch", "--explain", "--trace")
    assert harbour[0] in plainly.out
    assert "2026-03-02" in plainly.out
    assert "lexical #1" in plainly.out
    assert "▓" in plainly.out
    assert "deadline" not in plainly.out
    assert "deadline" in fully.out
    assert "━" in fully.out.splitlines()[-1]
    assert "hydrate" in fully.out


@pytest.mark.usefixtures("harbour")
def test_an_empty_answer_says_so(hashed: Cli) -> None:
    shown = hashed("recall", "ferry launch", "--tag", "nowhere")
    assert (shown.code, shown.out.splitlines()[0].strip()) == (0, "nothing found")


def test_explain_says_where_a_unit_fell_out(hashed: Cli, harbour: list[str]) -> None:
    returned = hashed("explain", "ferry launch", harbour[0], "--json").json
    filtered = hashed("explain", "ferry launch", harbour[0], "--type", "fact", "--json").json
    assert (returned["returned"], returned["rank"], returned["step"]) == (True, 1, "returned")
    assert returned["retrievers"]["lexical"]["rank"] == 1
    assert filtered["returned"] is False
    assert filtered["step"] == "scope"
    shown = hashed("explain", "ferry launch", harbour[0], "--type", "fact").out
    assert "out at scope" in shown
    assert "lexical" in shown


def test_without_a_model_the_answer_says_what_is_missing(cli: Cli) -> None:
    cli("retain", "The crane is blue.")
    answer = cli("recall", "crane", "--json").json
    assert answer["items"][0]["text"] == "The crane is blue."
    assert ENCODERS[0].remedy in answer["degraded"][0]["reason"]
    assert ENCODERS[0].remedy in cli("recall", "crane").out


def test_several_banks_are_asked_together(hashed: Cli) -> None:
    for bank in ("user", "project"):
        hashed("retain", f"The {bank} likes tea.", "--bank", bank)
    answer = hashed(
        "recall", "Who likes tea?", "--bank", "user", "--also", "project", "--json"
    ).json
    assert {item["bank"] for item in answer["items"]} == {"user", "project"}
    refused = hashed("recall", "tea", "--bank", "user", "--also", "user")
    assert refused.code == 2
    assert "each once" in refused.err
