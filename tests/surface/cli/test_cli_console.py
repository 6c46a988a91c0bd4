"""`scrubjay console` and `scrubjay demo --console`, as processes."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
from tests.surface.cli.command_line import Cli, started

from scrubjay.memory import Memory


def told(address: str, bank: str, text: str) -> httpx.Response:
    url = f"{address.partition('#')[0]}v1/banks/{bank}/memories"
    return httpx.post(url, json={"text": text}, timeout=60, trust_env=False)


def test_the_demo_leads_from_nothing_to_the_ask_view() -> None:
    with started("demo", "--console", "--no-open") as address:
        assert address.endswith("/#/ask?bank=demo")
        page, _, _ = address.partition("#")
        assert "console/app.js" in httpx.get(page, timeout=60, trust_env=False).text
        asked = {"question": "Whose is 60418?"}
        found = httpx.post(
            f"{page}v1/banks/demo/recall", json=asked, timeout=60, trust_env=False
        ).json()
        assert "60418" in found["items"][0]["text"]
        # It is asked at the end of the story, whatever day it is.
        assert found["parsed"]["now"].startswith("2026-11-09")


def test_the_console_shows_a_store_and_may_change_it(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "notes", encoder="hash") as memory:
        memory.retain("The spare key is with the neighbours.", bank="home")
    options = ("--store", str(tmp_path / "notes"), "--bank", "home", "--no-open")
    with started("console", *options) as address:
        assert address.endswith("/#/ask?bank=home")
        assert told(address, "home", "The ladder is in the shed.").status_code == 201
    with Memory.open(tmp_path / "notes", encoder="hash") as memory:
        assert memory.stats(bank="home").units == 2


def test_a_store_that_is_not_there_is_refused_unless_it_is_to_be_made(
    cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "nosuch"
    refused = cli("console", "--store", path, "--no-open")
    assert refused.code == 3
    # A long path is shortened in the middle.
    assert "nosuch'" in refused.err and "--create" in refused.err
    assert not path.exists()
    with started("console", "--store", str(path), "--create", "--no-open") as address:
        assert told(address, "home", "The ladder is in the shed.").status_code == 201


def test_a_store_that_another_process_writes_is_shown_read_only(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "notes", encoder="hash") as memory:
        memory.retain("The spare key is with the neighbours.")
        options = ("--store", str(tmp_path / "notes"), "--no-open")
        with started("console", *options) as address:
            listed = httpx.get(f"{address}v1/banks", timeout=60, trust_env=False).json()
            assert listed["banks"][0]["units"] == 1
            assert told(address, "default", "No.").json()["title"] == "StoreReadOnly"


def test_the_browser_is_opened_at_the_address(tmp_path: Path) -> None:
    seen, script = tmp_path / "seen", tmp_path / "browser"
    os.mkfifo(seen)
    script.write_text(f'#!/bin/sh\necho "$1" > {seen}\n', encoding="utf-8")
    script.chmod(0o755)
    with started(
        "console", "--create", "--store", str(tmp_path / "notes"), BROWSER=str(script)
    ) as address:
        assert seen.read_text(encoding="utf-8").strip() == address
