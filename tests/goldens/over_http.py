"""The story told and asked over HTTP: every route once rightly, and the usual mistakes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
from tests.goldens.recording import Names, steady_json
from tests.surface.http.http_server import running

from scrubjay.memory import Memory
from scrubjay.surface.http.watching.watch import Watch
from scrubjay.testing import FixedClock

BANK = "/v1/banks/harbour"
NOW = "2026-03-20T12:00:00+00:00"

UNITS: list[dict[str, object]] = [
    {"text": "Nadia moved the ferry launch to May.", "type": "event", "key": "launch",
     "told_at": "2026-03-02T09:30:00+00:00", "entities": ["Nadia"], "session": "monday"},
    {"text": "Tomas prefers tea over coffee.", "type": "preference", "speaker": "Tomas",
     "session": "kitchen", "metadata": {"room": "galley"}, "tags": ["quay"], "key": "tea",
     "told_at": "2026-03-05T08:00:00+00:00"},
    {"text": "The crane broke on 10 March 2026 because the cable was worn.", "key": "crane",
     "predicate": "crane broke", "context": "harbour works",
     "told_at": "2026-03-11T08:00:00+00:00"},
    {"text": "Loading stopped for two days.", "key": "stopped",
     "causes": [{"other": "crane", "kind": "caused_by"}], "told_at": "2026-03-12T08:00:00+00:00"},
    {"text": "Ada Brandt manages the north pier.", "key": "ada",
     "relations": [{"subject": "Ada Brandt", "relation": "manages", "object": "Tomas Holm"}],
     "told_at": "2026-03-13T08:00:00+00:00"},
    {"text": "Badge 47821 opens the boat house.", "key": "badge",
     "told_at": "2026-03-14T08:00:00+00:00", "valid_from": "2026-03-01T00:00:00+00:00"},
]  # fmt: skip

QUESTIONS = (
    "Who prefers tea?",
    "What happened after the crane broke?",
    "Who manages Tomas Holm?",
    "What was told last week?",
    "47821",
    "latest news of the ferry -crane",
)
PRESETS = ("dense_fts", "polyant", "tempr", "hindsight", "recall5", "default")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of the story; `{name}` in a path or body is an id kept from before."""

    method: str
    path: str
    body: object = None
    keep: str = ""  # under which name the id in the answer is kept
    where: str = "id"


def story() -> Iterator[Asked]:
    """Every route, in an order in which each finds something to do."""
    yield Asked("GET", "/health")
    yield Asked("GET", "/v1/banks")
    yield Asked("PUT", BANK, {"timezone": "Europe/Berlin"})
    yield Asked("GET", BANK)
    yield Asked("POST", f"{BANK}/memories", {"units": UNITS})
    yield Asked("POST", f"{BANK}/memories", {"units": UNITS[:1]})
    for key in ("launch", "tea", "crane", "stopped"):
        yield Asked("GET", f"{BANK}/memories?key={key}", keep=key, where="units.0.id")
    yield Asked("GET", f"{BANK}/memories?limit=2")
    yield Asked("GET", f"{BANK}/memories?type=preference&tag=quay")
    yield Asked("GET", f"{BANK}/memories/{{tea}}")
    yield Asked("GET", f"{BANK}/memories/{{crane}}/links")
    for preset in PRESETS:
        for question in QUESTIONS:
            asked = {"question": question, "now": NOW, "preset": preset, "limit": 4}
            yield Asked("POST", f"{BANK}/recall", asked)
            yield Asked("POST", f"{BANK}/plan", asked)
            yield Asked("POST", f"{BANK}/explain", {**asked, "unit": "{tea}"})
    yield Asked("POST", f"{BANK}/recall", {"question": "tea", "now": NOW, "trace": True})
    yield Asked("POST", "/v1/recall", {"question": "tea", "banks": ["harbour"], "now": NOW})
    yield Asked("POST", f"{BANK}/recall-batch", {"questions": list(QUESTIONS[:2]), "now": NOW})
    yield Asked("POST", f"{BANK}/parse", {"question": QUESTIONS[3], "now": NOW})
    yield Asked("PATCH", f"{BANK}/memories/{{tea}}", {"tags": ["galley"], "speaker": None})
    yield Asked(
        "POST", f"{BANK}/supersede",
        {"old": "{launch}", "new": "Nadia moved the ferry launch to June.", "at": NOW},
        keep="june",
    )  # fmt: skip
    yield Asked("GET", f"{BANK}/memories/{{launch}}")
    yield Asked("GET", f"{BANK}/entities")
    yield Asked("POST", f"{BANK}/entities/1/alias", {"alias": "Nadja"})
    yield Asked("POST", f"{BANK}/entities/merge", {"keep": 1, "drop": 2})
    yield Asked("POST", f"{BANK}/entities/1/split", {"name": "Other", "units": ["{june}"]})
    yield Asked(
        "POST", f"{BANK}/relations",
        {"subject": "Nadia", "relation": "reports-to", "object": "Ada Brandt"},
    )  # fmt: skip
    yield Asked("GET", f"{BANK}/relations")
    yield Asked("POST", f"{BANK}/links", {"cause": "{crane}", "effect": "{june}"})
    yield Asked("POST", f"{BANK}/sessions", {"name": "friday", "at": NOW})
    yield Asked("POST", f"{BANK}/sessions/end", {"name": "friday", "at": NOW})
    yield Asked("GET", f"{BANK}/sessions")
    yield Asked("GET", f"{BANK}/export")
    yield Asked("GET", f"{BANK}/stats")
    yield Asked("POST", f"{BANK}/doctor", {})
    yield Asked("POST", f"{BANK}/forget", {"ids": ["{stopped}"]})
    yield Asked("DELETE", f"{BANK}/memories/{{tea}}")
    yield Asked("POST", f"{BANK}/compact")
    yield from mistakes()
    yield Asked("DELETE", BANK)
    yield Asked("GET", "/openapi.json")


def mistakes() -> Iterator[Asked]:
    """What people get wrong, and must be told about."""
    recalls: tuple[object, ...] = (
        {}, {"question": ""}, {"question": 5}, {"question": "x", "limit": 0},
        {"question": "x", "limit": "ten"}, {"question": "x", "preset": "none"},
        {"question": "x", "types": ["beacon"]}, {"question": "x", "now": "yesterday"},
        {"question": "x", "nonsense": 1}, {"question": "x", "min_score": 2},
        {"question": "x", "window": ["2026-03-02", "2026-03-01"]}, [], "text",
    )  # fmt: skip
    for body in recalls:
        yield Asked("POST", f"{BANK}/recall", body)
    units: tuple[object, ...] = (
        {}, {"text": ""}, {"text": 5}, {"text": "x", "type": "beacon"}, {"units": []},
        {"units": [{"text": "x", "told_at": "2026-03-02T09:30:00"}]},
        {"text": "x", "colour": "red"}, {"text": "x", "tags": "quay"},
        {"text": "x", "metadata": {"a": {"b": 1}}}, {"text": "x", "valid_from": NOW, "valid_to": 1},
    )  # fmt: skip
    for body in units:
        yield Asked("POST", f"{BANK}/memories", body)
    yield Asked("GET", f"{BANK}/memories/00000000000000000000")
    yield Asked("GET", "/v1/banks/nowhere")
    yield Asked("GET", "/v1/banks/no%20where")
    yield Asked("GET", f"{BANK}/memories?limit=x")
    yield Asked("GET", f"{BANK}/memories?cursor=x")
    yield Asked("POST", f"{BANK}/forget", {})
    yield Asked("POST", f"{BANK}/supersede", {"old": "{june}"})
    yield Asked("POST", f"{BANK}/links", {"cause": "{june}", "effect": "{june}"})
    yield Asked("POST", f"{BANK}/entities/merge", {"keep": 1, "drop": 1})
    yield Asked("PUT", BANK, {"timezone": "Nowhere/X"})
    yield Asked("PUT", BANK, {"colour": "red"})
    yield Asked("GET", "/v1/tasks/none")
    yield Asked("POST", "/v1/nothing", {})


def record() -> list[object]:
    """Each request with the status and the body it got."""
    kept: dict[str, str] = {}
    names = Names()
    clock = FixedClock()
    memory = Memory.open(":memory:", encoder="hash", reranker=None, clock=clock, observer=Watch())
    recorded: list[object] = []
    with running(memory=memory) as server:
        for asked in story():
            answer = _sent(server.client, asked, kept)
            if asked.keep:
                kept[asked.keep] = _picked(answer.json(), asked.where)
            request = [asked.method, asked.path, asked.body]
            body = steady_json(names.named(answer.text))
            recorded.append({"request": request, "status": answer.status_code, "body": body})
    return recorded


def _sent(client: httpx.Client, asked: Asked, kept: dict[str, str]) -> httpx.Response:
    def filled(text: str) -> str:
        for name, identifier in kept.items():
            text = text.replace(f"{{{name}}}", identifier)
        return text

    content = None if asked.body is None else filled(json.dumps(asked.body))
    headers = {"Content-Type": "application/json"}
    return client.request(asked.method, filled(asked.path), content=content, headers=headers)


def _picked(found: object, where: str) -> str:
    for step in where.split("."):
        found = found[int(step)] if isinstance(found, list) else found[step]  # type: ignore[index]
    return str(found)
