"""Files of other programs: recognised, counted, kept once, refused where they are broken."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.importers.exports import KINDS, chatgpt_conversation, lines, zipped
from tests.importers.transcripts import BEGAN, claude_line, said, stamp

from scrubjay import BadInput, ImportFailed, Memory, UnitFilter
from scrubjay.importers import Brought, import_file, write_notes
from scrubjay.importers.elements import BrokenJson, elements


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", encoder="hash") as opened:
        yield opened


def brought_into(memory: Memory, path: Path, kind: str | None = None, **how: object) -> Brought:
    found = import_file(memory.bank("default"), path, kind, **how)  # type: ignore[arg-type]
    assert found is not None
    return found


def check_kind(memory: Memory, kind: str, path: Path, count: int) -> None:
    tried = brought_into(memory, path, dry_run=True)
    assert (tried.kind, tried.units, tried.new) == (kind, count, None)
    assert memory.stats().units == 0
    first = brought_into(memory, path)
    assert (first.new, first.duplicates, first.updated) == (count, 0, 0)
    assert memory.stats().units == count
    assert (first.units, first.skipped) == (tried.units, tried.skipped)
    again = brought_into(memory, path)
    assert (again.new, again.duplicates, again.updated) == (0, count, 0)
    assert memory.stats().units == count


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_recognised_kept_whole_and_kept_once(
    kind: str, memory: Memory, tmp_path: Path
) -> None:
    check_kind(memory, kind, KINDS[kind](tmp_path, 200), 200)


@pytest.mark.bench
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_of_every_kind(kind: str, memory: Memory, tmp_path: Path) -> None:
    path = KINDS[kind](tmp_path, 10_000)
    check_kind(memory, kind, path, 10_000)


@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_of_every_kind_are_read_and_none_is_lost(kind: str, tmp_path: Path) -> None:
    found = import_file(None, KINDS[kind](tmp_path, 10_000))
    assert found is not None
    assert (found.kind, found.units, found.problems) == (kind, 10_000, ())


@pytest.mark.parametrize("kind", ["claude-code", "codex", "mcp-memory", "mem0", "csv"])
def test_a_file_that_was_cut_is_refused_with_the_line_and_nothing_is_kept(
    kind: str, memory: Memory, tmp_path: Path
) -> None:
    path = KINDS[kind](tmp_path, 50)
    whole = path.read_bytes()
    cut = whole[: len(whole) * 2 // 3]
    path.write_bytes(cut + (b'"x' if kind == "csv" else b""))
    at = cut.count(b"\n") + 1
    with pytest.raises((ImportFailed, BadInput), match=rf"line {at}\b"):
        brought_into(memory, path, kind)
    assert memory.stats().units == 0


@pytest.mark.parametrize("kind", ["chatgpt", "claude", "hindsight", "slack"])
def test_a_zip_that_was_cut_is_refused(kind: str, memory: Memory, tmp_path: Path) -> None:
    path = KINDS[kind](tmp_path, 50)
    path.write_bytes(path.read_bytes()[:-300])
    with pytest.raises(BadInput, match="zip that cannot be read"):
        brought_into(memory, path, kind)


def test_a_damaged_file_inside_a_zip_is_named(memory: Memory, tmp_path: Path) -> None:
    text = json.dumps([chatgpt_conversation(range(20))], indent=1)
    path = zipped(tmp_path / "x.zip", {"conversations.json": text[:-400], "user.json": "{}"})
    with pytest.raises(ImportFailed, match=r"conversations\.json: it ends too early"):
        brought_into(memory, path)
    kept = brought_into(memory, path, keep_going=True)
    assert len(kept.problems) == 1


def test_with_keep_going_the_good_lines_are_kept(memory: Memory, tmp_path: Path) -> None:
    good = [claude_line(turn, "user", said(turn)) for turn in range(3)]
    path = lines(tmp_path / "t.jsonl", [good[0], "{", good[1], '{"a": 1}', good[2]])
    with pytest.raises(ImportFailed, match=r"line 2: not JSON.*line 4: a line without 'type'"):
        brought_into(memory, path)
    found = brought_into(memory, path, keep_going=True)
    assert found.new == 3
    assert [problem.line for problem in found.problems] == [2, 4]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.json", '{"what": "ever"}'),
        ("x.jsonl", '{"colour": "red"}\n'),
        ("x.bin", "\x01\x02"),
        ("x.txt", "Just words."),
    ],
)
def test_an_unknown_layout_is_refused_loudly(
    memory: Memory, tmp_path: Path, name: str, content: str
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=r"unknown layout.*Say what it is: scrubjay, claude-code"):
        brought_into(memory, path)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("text", "columns: 'text'.*mapping"),
        ({"colour": "note"}, "field of columns: 'colour'.*text, type"),
        ({"text": 5}, "column of text: 5"),
        ({"text": "words"}, "no column for text: 'words'.*note, by"),
    ],
)
def test_a_mapping_of_columns_that_is_none_is_refused(
    memory: Memory, tmp_path: Path, columns: object, message: str
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("note,by\nNadia keeps the keys.,Jo\n", encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        brought_into(memory, path, columns=columns)
    assert memory.stats().units == 0


@pytest.mark.parametrize("kind", ["slack", "chatgpt", "claude"])
def test_a_file_that_holds_nothing_of_the_kind_it_is_said_to_be_is_refused(
    memory: Memory, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("note,by\nNadia keeps the keys.,Jo\n", encoding="utf-8")
    with pytest.raises(BadInput, match=f"nothing of {kind} in it"):
        brought_into(memory, path, kind)
    assert memory.stats().units == 0


def test_a_table_with_two_columns_of_one_name_is_refused(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("text,text\nThe quay is long.,The quay is short.\n", encoding="utf-8")
    with pytest.raises(BadInput, match="column twice: 'text'"):
        brought_into(memory, path)
    assert memory.stats().units == 0


def test_a_reason_that_is_a_sentence_ends_with_one_full_stop(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("text,told_at\nThe quay is long.,some day\n", encoding="utf-8")
    with pytest.raises(ImportFailed, match=r"2026-03-02\. Nothing of the file was kept"):
        brought_into(memory, path)


def test_our_own_lines_are_left_to_import(memory: Memory, tmp_path: Path) -> None:
    memory.retain("The quay is long.")
    memory.export(tmp_path / "own.jsonl")
    assert import_file(memory.bank("other"), tmp_path / "own.jsonl") is None


def test_a_kind_that_does_not_fit_is_refused(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="There are scrubjay, claude-code"):
        brought_into(memory, tmp_path, "notion")
    with pytest.raises(ImportFailed, match="line 1"):
        brought_into(memory, KINDS["mem0"](tmp_path, 3), "codex")


def _hostile(path: Path, name: str, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(name, content)
    return path


@pytest.mark.parametrize("name", ["../conversations.json", "/etc/conversations.json", "C:\\x.json"])
def test_a_path_that_leads_out_of_a_zip_is_refused(
    memory: Memory, tmp_path: Path, name: str
) -> None:
    with pytest.raises(BadInput, match="leads out of it"):
        brought_into(memory, _hostile(tmp_path / "x.zip", name, b"[]"))


def test_a_zip_that_unpacks_to_far_more_than_it_is_is_refused(
    memory: Memory, tmp_path: Path
) -> None:
    path = _hostile(tmp_path / "x.zip", "conversations.json", b" " * (4 << 20))
    with pytest.raises(BadInput, match="far more than it is"):
        brought_into(memory, path)


def test_a_link_in_a_folder_is_not_followed(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "secret.md").write_text("The code is 4711.", encoding="utf-8")
    (tmp_path / "vault" / "a.md").write_text("A note.", encoding="utf-8")
    (tmp_path / "vault" / "b.md").symlink_to(tmp_path / "secret.md")
    assert brought_into(memory, tmp_path / "vault").units == 1


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_elements_of_a_list_are_read_one_at_a_time(size: int) -> None:
    class Slowly(io.BytesIO):
        def read(self, wanted: int | None = -1) -> bytes:
            return super().read(min(size, wanted or size))

    shape = [{"a": "ü] }{ \\" * 20, "b": [1, {"c": None}]}, 12, "x", [], {"": 2.5e10}]
    text = json.dumps({"skip": [1, {"results": []}], "results": shape}, indent=1)
    found = list(elements(Slowly(text.encode()), ("results",)))
    assert [element for _, _, element in found] == shape
    begins = [text.splitlines()[line - 1].strip()[:1] for _, line, _ in found]
    assert begins == ["{", "1", '"', "[", "{"]


@pytest.mark.parametrize(
    ("text", "line"),
    [("[1,\n2,\n", 3), ("[1,\n2 3]", 2), ('[{"a":\n\n}]', 3), ("[1]\n[2]", 2), ("", 1), ("5", 1)],
)
def test_json_that_is_broken_is_named_by_its_line(text: str, line: int) -> None:
    with pytest.raises(BrokenJson) as raised:
        list(elements(io.BytesIO(text.encode())))
    assert raised.value.line == line


def test_a_conversation_of_chatgpt_is_the_branch_that_is_shown(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([chatgpt_conversation(range(6))]), encoding="utf-8")
    found = brought_into(memory, path)
    assert found.skipped == {
        "written by the client": 1, "on a branch of the conversation that was left": 1,
    }  # fmt: skip
    units = memory.list().units
    assert [unit.text for unit in units] == [said(turn) for turn in range(6)]
    assert [unit.speaker for unit in units] == ["user", "assistant"] * 3
    # One without a time has that of the one before it.
    assert [round((unit.told_at - BEGAN).total_seconds()) for unit in units] == [0, 1, 2, 2, 4, 5]
    assert {unit.context for unit in units} == {"Cranes 0"}


def test_a_circle_in_a_conversation_is_refused(memory: Memory, tmp_path: Path) -> None:
    conversation = chatgpt_conversation(range(2))
    mapping = conversation["mapping"]
    assert isinstance(mapping, dict)
    mapping["h"]["parent"] = "n1"
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([conversation]), encoding="utf-8")
    with pytest.raises(ImportFailed, match="twice: 'n1'"):
        brought_into(memory, path)


def test_graphs_become_relations_and_causes_become_links(memory: Memory, tmp_path: Path) -> None:
    brought_into(memory, KINDS["mcp-memory"](tmp_path, 4))
    (relation,) = memory.relations()
    assert (relation.subject.name, relation.relation, relation.object.name) == (
        "Crane 0", "near", "Crane 1",
    )  # fmt: skip
    facts = memory.bank("facts")
    import_file(facts, KINDS["hindsight"](tmp_path, 3))
    first, second, _ = facts.list().units
    assert first.entities == ("Crane 0",)
    assert first.occurred_start is not None
    assert any(link.target == second.id for link in facts.links(first.id))


def test_headings_and_links_of_notes_are_structure(memory: Memory, tmp_path: Path) -> None:
    note = (
        "---\ntags:\n  - quay\nowner: Jo\n---\nIntro with [[people/Nadia|her]].\n"
        "# Cranes\n## Old\nRust #todo.\n```\n# no heading\n```\n"
    )
    (tmp_path / "Harbour.md").write_text(note, encoding="utf-8")
    brought_into(memory, tmp_path)
    intro, old = memory.list().units
    assert (intro.text, intro.context, intro.tags) == ("Intro with her.", "Harbour", ("quay",))
    assert "Nadia" in intro.entities
    assert old.context == "Harbour > Cranes > Old"
    assert old.tags == ("quay", "todo")
    assert old.text.startswith("Rust #todo.")
    assert old.metadata == {"file": "Harbour.md", "owner": "Jo"}


def test_notes_that_were_written_are_read_as_they_were(memory: Memory, tmp_path: Path) -> None:
    memory.retain(
        "Line one.\n---\n# Not a heading\n\n  [[Nadia]] #tag \n", type="event", tags=["a b", "ü"],
        metadata={"n": 1, "deep": {"x": [None, True]}}, session="s: 1", speaker="Jo", key="k",
        occurred=("2026-03-01", "2026-03-02"), told_at="2026-03-02", context="c", predicate="p",
    )  # fmt: skip
    memory.retain("The quay is long.", told_at="2026-03-03")
    memory.retain("word " * 1000, key="long", told_at="2026-03-04")
    written = write_notes(memory.bank("default"), tmp_path / "notes")
    assert written == memory.stats().units
    copy = memory.bank("copy")
    first = import_file(copy, tmp_path / "notes")
    assert first is not None
    assert first.new == written

    def told(bank: str) -> list[str]:
        units = memory.list(bank=bank).units
        kept = ("text", "type", "told_at", "occurred_start", "occurred_end", "tags", "metadata",
                "session", "speaker", "key", "context", "predicate", "entities")  # fmt: skip
        return sorted([repr([getattr(unit, name) for name in kept]) for unit in units])

    assert told("copy") == told("default")
    again = import_file(copy, tmp_path / "notes")
    assert again is not None
    assert again.new == 0
    with pytest.raises(BadInput, match="not empty"):
        write_notes(memory.bank("default"), tmp_path / "notes")


def test_notes_hold_what_waits_to_be_approved_and_it_waits_again(
    memory: Memory, tmp_path: Path
) -> None:
    memory.retain("The quay is long.")
    memory.retain(["The crane is rusty.", "The crane is new."], speaker="Jo", pending=True)
    assert write_notes(memory.bank("default"), tmp_path / "notes") == 3
    copy = memory.bank("copy")
    for new in (3, 0):
        brought = import_file(copy, tmp_path / "notes")
        assert brought is not None
        assert brought.new == new
        assert [unit.text for unit in copy.list().units] == ["The quay is long."]
        waiting = copy.pending().units
        assert sorted(unit.text for unit in waiting) == ["The crane is new.", "The crane is rusty."]
        assert {unit.speaker for unit in waiting} == {"Jo"}


def test_people_channels_and_links_of_slack_are_read_as_words(
    memory: Memory, tmp_path: Path
) -> None:
    message = {
        "type": "message", "user": "U1", "ts": "1772442000.000100", "thread_ts": "1772441000.1",
        "text": "<@U1> see <#C1|quay> &lt;now&gt; <https://example.com|the page> <!here>",
    }  # fmt: skip
    users = [{"id": "U1", "name": "n", "profile": {"real_name": "Nadia"}}]
    path = zipped(tmp_path / "s.zip", {"users.json": users, "quay/2026-03-02.json": [message]})
    brought_into(memory, path)
    (unit,) = memory.list().units
    assert unit.text == "Nadia see #quay <now> the page (https://example.com) @here"
    assert (unit.speaker, unit.session) == ("Nadia", "#quay/1772441000.1")


def test_columns_are_mapped_and_the_rest_is_metadata(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("Body;When;Colour\nThe quay;2026-03-02;red\n;2026-03-02;\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"no column for text.*--map text=COLUMN"):
        brought_into(memory, path)
    with pytest.raises(BadInput, match="no column for told_at: 'when'"):
        brought_into(memory, path, columns={"text": "Body", "told_at": "when"})
    found = brought_into(memory, path, columns={"text": "Body", "told_at": "When"})
    assert (found.new, found.skipped) == (1, {"no text": 1})
    (unit,) = memory.list(UnitFilter(metadata={"Colour": "red"})).units
    assert unit.told_at.isoformat() == "2026-03-02T12:00:00+00:00"
    rows = lines(tmp_path / "x.jsonl", [json.dumps({"body": "A crane.", "at": stamp(0)}), "{}"])
    again = brought_into(memory, rows, "jsonl", columns={"text": "body", "told_at": "at"})
    assert again.new == 1


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_columns_of_the_usual_names_need_no_mapping(
    kind: str, memory: Memory, tmp_path: Path
) -> None:
    row = {
        "Content": "The bell rang.", "created_at": "2026-03-02T09:00:00Z", "author": "Jo",
        "mood": "4",
    }  # fmt: skip
    path = tmp_path / f"notes.{kind}"
    lines = [",".join(row), ",".join(row.values())] if kind == "csv" else [json.dumps(row)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert brought_into(memory, path, kind).new == 1
    (unit,) = memory.list().units
    assert (unit.text, unit.author, unit.metadata) == ("The bell rang.", "Jo", {"mood": "4"})
    assert unit.told_at == datetime(2026, 3, 2, 9, tzinfo=UTC)


def dated(path: Path, dates: list[str]) -> Path:
    """A table, or JSON lines by the name, with a note of each of these dates."""
    told = ("A crane stood there.", "The bell rang.")
    rows = [{"text": text, "date": date} for text, date in zip(told, dates, strict=False)]
    if path.suffix == ".jsonl":
        return lines(path, [json.dumps(row) for row in rows])
    table = [f"{row['text']};{row['date']}" for row in rows]
    return lines(path, ["text;date", *table])


def days(memory: Memory) -> list[str]:
    """When the notes were told, in their order."""
    units = sorted(memory.list().units, key=lambda unit: unit.text)
    return [unit.told_at.isoformat()[:10] for unit in units]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("dates", "told"),
    [
        (["03/04/2025", "13/04/2025"], ["2025-04-03", "2025-04-13"]),
        (["03/04/2025", "04/13/2025"], ["2025-03-04", "2025-04-13"]),
        (["3.4.2025", "30.4.2025"], ["2025-04-03", "2025-04-30"]),
        (["2025/4/3", "04/04/2025"], ["2025-04-03", "2025-04-04"]),
    ],
)
def test_days_in_numbers_are_read_in_the_order_that_their_column_tells(
    kind: str, dates: list[str], told: list[str], memory: Memory, tmp_path: Path
) -> None:
    brought_into(memory, dated(tmp_path / f"x.{kind}", dates), kind)
    assert days(memory) == told


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize("dates", [["03/04/2025"], ["13/04/2025", "04/13/2025"]])
def test_days_whose_order_nothing_tells_are_refused_until_it_is_said(
    kind: str, dates: list[str], memory: Memory, tmp_path: Path
) -> None:
    path = dated(tmp_path / f"x.{kind}", dates)
    with pytest.raises(ImportFailed) as refused:
        brought_into(memory, path, kind)
    said = str(refused.value)
    assert dates[0] in said
    assert "--map told_at=date:dmy or --map told_at=date:mdy" in said
    assert not memory.list().units
    if len(dates) == 1:
        brought_into(memory, path, kind, columns={"told_at": "date:mdy"})
        assert days(memory) == ["2025-03-04"]


def test_a_day_against_the_order_that_was_said_is_named(memory: Memory, tmp_path: Path) -> None:
    path = dated(tmp_path / "x.csv", ["04/13/2025"])
    with pytest.raises(ImportFailed, match="04/13/2025"):
        brought_into(memory, path, columns={"told_at": "date:dmy"})


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("Tue, 04 Mar 2025 10:00:00 +0100", "2025-03-04T09:00:00+00:00"),
        ("4 Mar 2025 10:00 GMT", "2025-03-04T10:00:00+00:00"),
        ("Tue, 4 Mar 2025 10:00:00 -0000", "2025-03-04T10:00:00+00:00"),
        ("2025-03-04t10:00:00z", "2025-03-04T10:00:00+00:00"),
        ("2025-03-04 10:00:00+01:00", "2025-03-04T09:00:00+00:00"),
        ("13/03/2025 10:00 +01:00", "2025-03-13T09:00:00+00:00"),
    ],
)
def test_times_of_mail_and_of_rfc_3339_are_read(
    written: str, moment: str, memory: Memory, tmp_path: Path
) -> None:
    brought_into(memory, dated(tmp_path / "x.csv", [written]))
    (unit,) = memory.list().units
    assert unit.told_at.astimezone(UTC).isoformat() == moment


@pytest.mark.parametrize(
    "written", ["13/03/2025 10:00", "Tue, 99 Mar 2025 10:00:00 +0100", "32/13/2025", "3/4/25"]
)
def test_what_is_no_time_is_named(written: str, memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(ImportFailed) as refused:
        brought_into(memory, dated(tmp_path / "x.csv", [written]))
    assert written in str(refused.value)


def test_dates_of_notes_are_read_in_the_order_that_all_notes_tell(
    memory: Memory, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for n, date in enumerate(["03/04/2025", "13/04/2025"]):
        text = f"---\ndate: {date}\n---\n{('A crane stood there.', 'The bell rang.')[n]}\n"
        (folder / f"{n}.md").write_text(text, encoding="utf-8")
    brought_into(memory, folder)
    assert days(memory) == ["2025-04-03", "2025-04-13"]


def test_a_date_of_a_note_that_cannot_be_read_is_kept_as_it_was_written(
    memory: Memory, tmp_path: Path
) -> None:
    note = tmp_path / "x.md"
    note.write_text("---\ndate: 03/04/2025\n---\nThe quay.\n", encoding="utf-8")
    brought_into(memory, note)
    (unit,) = memory.list().units
    assert unit.metadata["date"] == "03/04/2025"


def test_an_interrupted_import_goes_on(memory: Memory, tmp_path: Path) -> None:
    path = KINDS["mem0"](tmp_path, 250)

    def stop(done: int, _: int) -> None:
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        brought_into(memory, path, progress=stop)
    assert memory.stats().units == 100
    found = brought_into(memory, path)
    assert (found.new, found.duplicates) == (150, 100)


def test_progress_ends_at_the_number_of_units(memory: Memory, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    brought_into(
        memory, KINDS["csv"](tmp_path, 250), progress=lambda done, total: seen.append((done, total))
    )
    assert seen == [(100, 250), (200, 250), (250, 250)]
