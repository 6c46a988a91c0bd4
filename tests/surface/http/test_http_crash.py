"""A server that is killed loses nothing it acknowledged."""

from __future__ import annotations

import threading
from pathlib import Path

import httpx
import pytest
from tests.surface.http.http_server import Process, start_process

WRITERS = 4
ACKNOWLEDGED_BEFORE_KILL = 60


def write(server: Process, writer: int, acknowledged: dict[str, str], enough: object) -> None:
    """Tell memories until the server is gone, and note each that was acknowledged."""
    with httpx.Client(base_url=server.url, trust_env=False, timeout=30) as client:
        for number in range(100_000):
            text = f"Writer {writer} saw vessel {number} pass."
            try:
                answer = client.post("/v1/banks/default/memories", json={"text": text})
            except httpx.TransportError:
                return
            assert answer.status_code == 201, answer.text
            acknowledged[answer.json()["ids"][0]] = text
            if len(acknowledged) >= ACKNOWLEDGED_BEFORE_KILL:
                assert isinstance(enough, threading.Event)
                enough.set()


@pytest.mark.slow
def test_every_acknowledged_write_is_there_after_kill_9(tmp_path: Path) -> None:
    acknowledged: dict[str, str] = {}
    rounds = 2
    for _ in range(rounds):
        server = start_process(tmp_path / "store")
        known, enough = len(acknowledged), threading.Event()
        fresh: dict[str, str] = {}
        threads = [
            threading.Thread(target=write, args=(server, known + n, fresh, enough))
            for n in range(WRITERS)
        ]
        for thread in threads:
            thread.start()
        assert enough.wait(60)
        server.popen.kill()
        for thread in threads:
            thread.join()
        server.popen.wait()
        acknowledged |= fresh
    server = start_process(tmp_path / "store")
    try:
        with httpx.Client(base_url=server.url, trust_env=False, timeout=30) as client:
            kept: dict[str, str] = {}
            cursor: str | None = ""
            while cursor is not None:
                given = {"limit": "1000", **({"cursor": cursor} if cursor else {})}
                page = client.get("/v1/banks/default/memories", params=given).json()
                kept |= {unit["id"]: unit["text"] for unit in page["units"]}
                cursor = page["cursor"]
            assert len(acknowledged) >= rounds * ACKNOWLEDGED_BEFORE_KILL
            lost = {unit: text for unit, text in acknowledged.items() if kept.get(unit) != text}
            assert not lost
            some = next(reversed(acknowledged.values()))
            asked = {"question": some, "limit": 1}
            answer = client.post("/v1/banks/default/recall", json=asked)
            assert answer.status_code == 200, answer.text + server.log.read_text(encoding="utf-8")
            assert [item["text"] for item in answer.json()["items"]] == [some]
            doctor = client.post("/v1/banks/default/doctor")
            assert doctor.json() == {"findings": []}
    finally:
        server.stop()
