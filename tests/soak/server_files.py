"""The server's own files: a key, and an answer kept for a call that is repeated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from starlette.testclient import TestClient
from tests.soak.changes import MAIN, SIDE, Open, opened
from tests.soak.checks import Fault, Harm
from tests.soak.states import GUILD, WORKS_WITH, Change

from scrubjay import errors
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.app import build_app
from scrubjay.surface.http.handling.service import Service, open_service
from scrubjay.surface.http.state.keys import Keys

FOLDER = "server"
RELATED = Change("relate", SIDE, name=f"{GUILD} zqserverw1", other=f"{GUILD} zqserverw2")
_ADDRESS = f"/v1/banks/{SIDE}/relations"
_BODY = {"subject": RELATED.name, "relation": WORKS_WITH, "object": RELATED.other}


@dataclass(frozen=True, slots=True)
class Client:
    """What a client of the template's server knows."""

    secret: str
    number: int  # of the relation it told

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret}", "Idempotency-Key": "told once"}


def set_up(place: Open) -> tuple[Client, Service]:
    """Start a server's files beside a store: one key, and one call that was answered."""
    service = open_service(place.memory, place.folder / FOLDER)
    _, secret = Keys(service.database).create("soak", {"*": KeyScope.ADMIN}, 1e6)
    client = Client(secret, 0)
    service = _reopened(place, service)
    web = TestClient(build_app(service, lambda: None), base_url="http://127.0.0.1")
    answer = web.post(_ADDRESS, json=_BODY, headers=client.headers())
    assert answer.status_code == 201, answer.text
    return Client(secret, answer.json()["id"]), service


def _reopened(place: Open, service: Service) -> Service:
    service.close()
    return open_service(place.memory, place.folder / FOLDER)


def served_right(store: Path, client: Client) -> list[Fault]:
    """Whether a server beside the store still knows its key and what it has done."""
    place = opened(store)
    with place.memory:
        service = open_service(place.memory, store / FOLDER)
        try:
            web = TestClient(build_app(service, lambda: None), base_url="http://127.0.0.1")
            return _asked(web, client)
        finally:
            service.close()


def _asked(web: TestClient, client: Client) -> list[Fault]:
    units = f"/v1/banks/{MAIN}/memories?limit=1"
    key = {"Authorization": f"Bearer {client.secret}"}
    wrong = {"Authorization": f"Bearer {client.secret[:-4]}xxxx"}
    answers = {
        "nobody": (web.get(units), 401),
        "a wrong key": (web.get(units, headers=wrong), 401),
        "the key": (web.get(units, headers=key), 200),
        "a repeated call": (web.post(_ADDRESS, json=_BODY, headers=client.headers()), 201),
    }
    faults = []
    for who, (answer, due) in answers.items():
        told = f"{who} was answered {answer.status_code}: {answer.text[:300]}"
        if answer.status_code >= 500 and answer.json()["title"] not in errors.__dict__:
            faults.append(Fault(Harm.RAW, told))
        elif answer.status_code not in (due, 503):
            faults.append(Fault(Harm.WRONG, told))
        elif answer.status_code == 201 and answer.json()["id"] != client.number:
            faults.append(Fault(Harm.WRONG, f"done again: {told}"))
    return faults
