"""Banks stream in and out; long work is a task that survives a restart."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.surface.http.http_server import Running, running

from scrubjay.importers.kinds import KINDS
from scrubjay.surface.http.shared.server_settings import ServerSettings
from scrubjay.surface.http.state.database import ServerDatabase
from scrubjay.surface.http.state.tasks import Tasks

LINES = {"Content-Type": "application/x-ndjson"}
FILE = {"Content-Type": "application/octet-stream"}


def lines(count: int) -> bytes:
    return b"".join(
        json.dumps({"text": f"Buoy {number} is painted red."}).encode() + b"\n"
        for number in range(count)
    )


def as_told(text: str) -> list[dict[str, object]]:
    """The lines of an export, but for when each was stored."""
    shapes = [json.loads(line) for line in text.splitlines()]
    return [{**shape, "created_at": None} for shape in shapes]


def imported(server: Running, content: bytes, **parameters: str) -> Any:  # noqa: ANN401
    answer = server.client.post(
        "/v1/banks/buoys/import", content=content, headers=LINES, params=parameters
    )
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/v1/tasks/{answer.json()['id']}"
    return server.ended(answer.headers["location"])


def test_an_export_is_imported_into_another_bank_as_it_was(open_server: Running) -> None:
    task = imported(open_server, lines(150))
    assert (task["state"], task["result"]["new"]) == ("done", 150)
    exported = open_server.client.get("/v1/banks/buoys/export")
    assert exported.headers["content-type"] == "application/x-ndjson"
    answer = open_server.client.post(
        "/v1/banks/copy/import", content=exported.content, headers=LINES
    )
    assert open_server.ended(answer.headers["location"])["result"]["new"] == 150
    copied = open_server.client.get("/v1/banks/copy/export")
    assert as_told(copied.text) == as_told(exported.text)


def test_no_file_of_a_transfer_is_left_behind(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        imported(server, lines(3))
        imported(server, b"not json")
        assert server.client.get("/v1/banks/buoys/export").text.count("\n") == 3
    assert not list((tmp_path / "state" / "spool").iterdir())


def test_bad_lines_fail_the_task_with_their_numbers_or_are_left_out(open_server: Running) -> None:
    content = lines(2) + b"not json\n" + b'{"text": 5}\n'
    failed = imported(open_server, content)
    assert (failed["state"], failed["problem"]["title"]) == ("failed", "ImportFailed")
    assert [one["line"] for one in failed["problem"]["problems"]] == [3, 4]
    kept = imported(open_server, content, keep_going="true")
    assert [one["line"] for one in kept["result"]["problems"]] == [3, 4]


def test_an_import_over_the_limit_is_413_and_leaves_no_file() -> None:
    with running(settings=ServerSettings(import_bytes_max=100)) as server:
        answer = server.client.post("/v1/banks/b/import", content=lines(50), headers=LINES)
        assert answer.status_code == 413
        assert not list(server.service.tasks.spool.iterdir())


def test_an_import_into_a_bank_that_cannot_be_named_is_refused_at_once(
    open_server: Running,
) -> None:
    answer = open_server.client.post("/v1/banks/a..b/import", content=lines(1), headers=LINES)
    assert answer.status_code == 422


def test_reembedding_is_a_task(open_server: Running) -> None:
    open_server.memory.retain("The bell rings at noon.", bank="bells")
    answer = open_server.client.post("/v1/banks/bells/reembed", json={"encoder": "hash"})
    assert answer.status_code == 202
    assert open_server.ended(answer.headers["location"])["result"] == {"units": 1}
    bad = open_server.client.post("/v1/banks/bells/reembed", json={"encoder": "none-such"})
    assert open_server.ended(bad.headers["location"])["problem"]["title"] == "BadInput"


def test_a_task_that_is_not_there_is_404(open_server: Running) -> None:
    assert open_server.client.get("/v1/tasks/none").status_code == 404


def test_what_was_accepted_before_a_restart_is_done_after_it(tmp_path: Path) -> None:
    with running(tmp_path):
        pass  # makes the store
    file = tmp_path / "state" / "spool" / "left.jsonl"
    file.write_bytes(lines(20))
    (file.parent / "half-sent.jsonl").write_bytes(b"{")
    database = ServerDatabase(tmp_path / "state")
    accepted = Tasks(database).add("import", "buoys", {"file": str(file), "keep_going": "false"})
    database.close()
    with running(tmp_path) as server:
        task = server.ended(f"/v1/tasks/{accepted.id}")
        assert (task["state"], task["result"]["new"]) == ("done", 20)
    assert not list(file.parent.iterdir())


@pytest.mark.parametrize("count", [3_000])
def test_a_server_that_stops_during_an_import_goes_on_with_it(tmp_path: Path, count: int) -> None:
    with running(tmp_path) as server:
        answer = server.client.post("/v1/banks/buoys/import", content=lines(count), headers=LINES)
        address = answer.headers["location"]
    with running(tmp_path) as server:
        task = server.ended(address)
        assert task["state"] == "done"
        assert server.memory.stats(bank="buoys").units == count


def test_a_finished_task_has_counted_all_of_it(open_server: Running) -> None:
    ended = imported(open_server, lines(2))
    assert (ended["state"], ended["done"], ended["total"]) == ("done", 2, 2)
    begun = open_server.json("POST", "/v1/banks/buoys/reembed", {"encoder": "hash"})
    ended = open_server.ended(f"/v1/tasks/{begun['id']}")
    assert ended["state"] == "done"
    assert ended["done"] == ended["total"] == ended["result"]["units"]


def test_an_encoder_that_there_is_not_is_named(open_server: Running) -> None:
    imported(open_server, lines(2))
    begun = open_server.json("POST", "/v1/banks/buoys/reembed", {"encoder": "nomodel"})
    problem = open_server.ended(f"/v1/tasks/{begun['id']}")["problem"]
    assert problem["value"] == "nomodel" and "'nomodel'" in problem["detail"]


@pytest.mark.parametrize(
    ("name", "content", "kind", "units", "problems"),
    [
        ("notes.csv", "content,by\nThe bell rang.,Jo\n,Jo\n", "csv", 1, 0),
        ("bank.jsonl", '{"text": "The bell rang."}\nnot JSON\n', "scrubjay", 1, 1),
        ("../../notes.md", "# Bells\n\nThe bell rang.\n", "markdown", 1, 0),
    ],
)
def test_a_file_is_looked_through_before_it_is_imported(
    open_server: Running, name: str, content: str, kind: str, units: int, problems: int
) -> None:
    address = "/v1/banks/previewed/import/preview"
    headers = {"Content-Type": "application/octet-stream"}
    found = open_server.client.post(
        address, params={"name": name}, content=content.encode(), headers=headers
    ).json()
    assert (found["kind"], found["units"], len(found["problems"])) == (kind, units, problems)
    assert "The bell rang." in found["first"][0]
    # Nothing is kept, of the file neither.
    assert open_server.client.get("/v1/banks/previewed/memories").status_code == 404
    assert not [*open_server.service.tasks.spool.glob("*.preview")]


def test_a_file_of_an_unknown_layout_is_refused_when_it_is_looked_through(
    open_server: Running,
) -> None:
    answer = open_server.client.post(
        "/v1/banks/previewed/import/preview", params={"name": "x.bin"}, content=b"\x00\x01",
        headers={"Content-Type": "application/octet-stream"},
    )  # fmt: skip
    assert answer.status_code == 422
    # Neither are the server's own folders.
    assert answer.json()["value"] == "x.bin" and "'x.bin'" in answer.json()["detail"]


def brought(server: Running, bank: str, name: str, content: bytes, **more: Any) -> Any:  # noqa: ANN401
    answer = server.client.post(
        f"/v1/banks/{bank}/import/file", params={"name": name, **more}, content=content,
        headers=FILE,
    )  # fmt: skip
    assert answer.status_code == 202, answer.text
    return server.ended(answer.headers["location"])


def test_a_file_of_another_program_is_imported_once(open_server: Running) -> None:
    table = "content,by\n" + "".join(f"Bell {n} rang.,Jo\n" for n in range(300))
    first = brought(open_server, "rung", "bells.csv", table.encode())
    assert (first["state"], first["done"], first["total"]) == ("done", 300, 300)
    assert (first["result"]["kind"], first["result"]["new"]) == ("csv", 300)
    again = brought(open_server, "rung", "bells.csv", table.encode())["result"]
    assert (again["new"], again["duplicates"]) == (0, 300)
    assert open_server.json("GET", "/v1/banks/rung/memories?limit=1")["total"] == 300
    assert not [*open_server.service.tasks.spool.iterdir()]


def test_notes_are_known_by_the_name_that_their_file_has(open_server: Running) -> None:
    for name in ("bells.md", "../../buoys.md", "C:\\notes\\boats.md", "ü" * 190 + ".md"):
        task = brought(open_server, "noted", name, f"The note {name}.".encode())
        assert task["state"] == "done", task
    assert open_server.json("GET", "/v1/banks/noted/memories?limit=1")["total"] == 4


def test_columns_are_mapped_over_http(open_server: Running) -> None:
    table = b"what,whom\nThe bell rang.,Jo\n"
    mapped = {"map": ["text=what", "speaker=whom"]}
    seen = open_server.client.post(
        "/v1/banks/mapped/import/preview", params={"name": "t.csv", **mapped}, content=table,
        headers=FILE,
    ).json()  # fmt: skip
    assert seen["first"] == ["The bell rang."]
    assert brought(open_server, "mapped", "t.csv", table, **mapped)["result"]["new"] == 1
    (unit,) = open_server.json("GET", "/v1/banks/mapped/memories")["units"]
    assert unit["speaker"] == "Jo"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"kind": "nosuch"}, "nosuch"),
        ({"map": "nosuch=what"}, "nosuch=what"),
        ({"name": "t.md", "map": "text=what"}, "markdown"),
        ({"name": "t.zip"}, "t.zip"),
        ({"name": "x.bin"}, "x.bin"),
    ],
)
def test_what_cannot_be_imported_is_refused_before_there_is_a_bank(
    open_server: Running, query: dict[str, str], said: str
) -> None:
    content = b"PK\x03\x04 cut" if query.get("name") == "t.zip" else b"\x00\x01 what\n"
    answer = open_server.client.post(
        "/v1/banks/refused/import/file", params=query, content=content, headers=FILE
    )
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["detail"]
    assert "spool" not in answer.text
    assert open_server.client.get("/v1/banks/refused").status_code == 404
    assert not [*open_server.service.tasks.spool.iterdir()]


def test_bad_rows_of_a_file_fail_the_task_unless_the_rest_is_wanted(open_server: Running) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("good.md", "The bell rang.")
        made.writestr("bad.md", b"\xff\xfe\x00")
    failed = brought(open_server, "torn", "vault.zip", packed.getvalue())
    assert (failed["state"], failed["problem"]["title"]) == ("failed", "ImportFailed")
    kept = brought(open_server, "torn", "vault.zip", packed.getvalue(), keep_going=True)
    assert (kept["state"], kept["result"]["new"]) == ("done", 1)
    assert kept["result"]["problems"][0]["file"] == "bad.md"
    assert not [*open_server.service.tasks.spool.iterdir()]


def test_a_file_is_imported_after_a_restart_and_what_a_crash_left_is_cleared(
    tmp_path: Path,
) -> None:
    table = ("content\n" + "".join(f"Bell {n} rang.\n" for n in range(3_000))).encode()
    with running(tmp_path) as server:
        answer = server.client.post(
            "/v1/banks/bells/import/file", params={"name": "bells.csv"}, content=table, headers=FILE
        )
        left = server.service.tasks.spool / "0.preview"
        left.mkdir()
        (left / "file.csv").write_bytes(table)
    with running(tmp_path) as server:
        assert not left.exists()
        assert server.ended(answer.headers["location"])["state"] == "done"
        assert server.memory.stats(bank="bells").units == 3_000
        assert not [*server.service.tasks.spool.iterdir()]


def test_the_kinds_that_are_described_are_all_there_are(open_server: Running) -> None:
    described = open_server.json("GET", "/openapi.json")["paths"]["/v1/banks/{bank}/import/file"]
    (kind,) = [one for one in described["post"]["parameters"] if one["name"] == "kind"]
    assert {*KINDS, "scrubjay"} == {one for one in str(kind["schema"]).split("'") if one in
                                    {*KINDS, "scrubjay"}}  # fmt: skip
