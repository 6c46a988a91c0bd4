"""The console's files over HTTP: packed, tagged, and nothing else allowed to run."""

from __future__ import annotations

import re

import pytest
from tests.surface.http.http_server import Running, running

from scrubjay.surface.console.pages import STATIC

FILES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.*"))


def test_the_console_is_at_the_root(open_server: Running) -> None:
    answer = open_server.client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "console/app.js" in answer.text


def test_no_inline_script_and_no_other_server_is_allowed(open_server: Running) -> None:
    policy = open_server.client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "connect-src 'self';" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r"<script(?![^>]*\bsrc=)", page)
    assert not re.findall(r"\son\w+=|\sstyle=", page)


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_served_packed_and_kept_by_its_tag(name: str, open_server: Running) -> None:
    first = open_server.client.get(f"/console/{name}", headers={"Accept-Encoding": "gzip"})
    assert first.status_code == 200
    assert first.headers["content-encoding"] == "gzip"
    assert first.content == (STATIC / name).read_bytes()
    again = open_server.client.get(
        f"/console/{name}", headers={"If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    plain = open_server.client.get(f"/console/{name}", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == first.content


@pytest.mark.parametrize("name", ["../pages.py", "%2e%2e/pages.py", "views", "none.js", "app.js/"])
def test_nothing_else_is_served(name: str, open_server: Running) -> None:
    assert open_server.client.get(f"/console/{name}").status_code == 404


def test_texts_are_never_read_as_markup() -> None:
    # What was told goes in as text nodes; the browser's policy would refuse these too.
    sinks = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|Function\("
    )
    found = [name for name in FILES if sinks.search((STATIC / name).read_text(encoding="utf-8"))]
    assert not found


def test_the_console_shows_itself_to_those_without_a_key_and_nothing_more() -> None:
    with running(auth=True) as server:
        assert server.client.get("/").status_code == 200
        assert server.client.get("/v1/banks").status_code == 401
