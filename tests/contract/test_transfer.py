"""Export and import: the whole bank, bad lines, resuming."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.contract.looking import contents, texts, without

from scrubjay import Bank, ImportFailed, LinkKind, Memory, NotFound, Relation, Unit
from scrubjay.types.graph import Link

LONG = "The ledger of the old mill names every miller. " * 100


@pytest.fixture
def told(memory: Memory) -> Bank:
    """A bank with something of everything."""
    bank = memory.bank("told")
    bank.start_session("spring", at=datetime(2026, 2, 1, tzinfo=UTC))
    pump = bank.retain(
        "Agnes Vogel repaired the pump on 3 February 2026.",
        session="spring",
        speaker="Ola",
        tags=["pump", "ü"],
        metadata={"n": {"deep": [1, None, True]}},
        key="pump",
        predicate="pump repaired",
        context="cellar",
        relations=[Relation("Agnes Vogel", "works-on", "pump", confidence=0.5)],
    ).id
    dry = bank.retain("The cellar is dry.").id
    bank.link(pump, dry, LinkKind.ENABLES, 0.5)
    bank.link(dry, pump, LinkKind.CAUSED_BY, 0.25)
    bank.retain(LONG, key="ledger")
    bank.supersede(dry, Unit("The cellar is bone dry.", told_at=datetime(2026, 5, 1, tzinfo=UTC)))
    bank.relate("Ola", "knows", "Agnes Vogel", valid_to=datetime(2030, 1, 1, tzinfo=UTC))
    (agnes,) = bank.entities(containing="agnes")
    bank.alias_entity(agnes.id, "The Plumber")
    bank.retain("We called The Plumber about Bertha Krone.")
    bank.retain("Then Bert Krone came.")
    two = bank.entities(containing="krone")
    bank.merge_entities(two[0].id, two[1].id)
    bank.end_session("spring", at=datetime(2026, 6, 1, tzinfo=UTC))
    bank.update(pump, tags=["pump"])
    return bank


def test_an_exported_bank_comes_back_whole(memory: Memory, told: Bank, tmp_path: Path) -> None:
    before = contents(memory, tmp_path, "told")
    report = memory.import_(tmp_path / "contents-told.jsonl", bank="copy")
    copy = memory.bank("copy")

    assert report.problems == ()
    assert report.new == told.stats().units
    # Only the time it was stored is new.
    assert [without(line, "created_at") for line in contents(memory, tmp_path, "copy")] == [
        without(line, "created_at") for line in before
    ]
    assert copy.sessions() == told.sessions()
    (agnes,) = copy.entities(containing="agnes")
    assert "the plumber" in agnes.aliases
    assert copy.stats().entities == told.stats().entities


def test_a_successor_without_a_beginning_comes_back_without_one(
    memory: Memory, tmp_path: Path
) -> None:
    source, copy = memory.bank("source"), memory.bank("copy")
    old = source.retain("The gate code is one.").id
    new = source.supersede(old, "The gate code is two.").id
    source.update(new, valid_from=None)
    source.export(tmp_path / "out.jsonl")
    memory.import_(tmp_path / "out.jsonl", bank="copy")

    assert (copy.get(new).supersedes, copy.get(new).valid_from) == (old, None)
    assert copy.get(old).valid_to == source.get(old).valid_to


def test_a_succession_told_without_its_time_begins_the_new_unit(
    memory: Memory, tmp_path: Path
) -> None:
    file, at = tmp_path / "in.jsonl", datetime(2026, 2, 1, tzinfo=UTC)
    old, new = memory.retain(["Jo sits at desk 4.", "Jo sits at desk 40."]).ids
    told = {"kind": "supersede", "old": old, "new": new, "at": at.isoformat()}
    file.write_text(json.dumps(told))
    memory.import_(file)

    assert memory.get(old).valid_to == memory.get(new).valid_from == at


def test_the_direction_of_every_link_survives(memory: Memory, tmp_path: Path) -> None:
    source = memory.bank("source")
    kept = source.retain([f"event number {n} {'x' * n}" for n in range(6)]).ids
    for n, kind in enumerate((LinkKind.CAUSES, LinkKind.ENABLES, LinkKind.PREVENTS)):
        source.link(kept[n], kept[n + 3], kind)
        source.link(kept[5 - n], kept[2 - n], kind, 0.5)
    source.export(tmp_path / "out.jsonl")
    memory.import_(tmp_path / "out.jsonl", bank="copy")

    def causal(bank: Bank, unit: str) -> set[Link]:
        return {link for link in bank.links(unit) if link.kind is not LinkKind.SEMANTIC}

    for unit in kept:
        assert causal(memory.bank("copy"), unit) == causal(source, unit)


def test_importing_twice_adds_nothing(memory: Memory, told: Bank, tmp_path: Path) -> None:
    before = contents(memory, tmp_path, "told")
    report = memory.import_(tmp_path / "contents-told.jsonl", bank="told")

    assert (report.new, report.updated) == (0, 0)
    assert report.duplicates == told.stats().units
    assert contents(memory, tmp_path, "told") == before


def test_plain_units_need_only_a_text(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "plain.jsonl"
    file.write_text('{"text": "Ann met Ben."}\n\n  \n{"text": "Tea."}', encoding="utf-8")
    report = memory.import_(file)

    assert (report.lines, report.new) == (2, 2)
    assert texts(memory) == ["Ann met Ben.", "Tea."]
    assert memory.entities(containing="ann")


BAD_LINES: list[tuple[bytes, str]] = [
    (b'{"text": "broken', "not JSON"),
    (b'{"text": "caf\xe9"}', "not UTF-8 at byte"),
    (b'["text"]', "one JSON object"),
    (b'{"text": ""}', "empty text"),
    (b'{"text": "a\\u0000"}', "NUL"),
    (b'{"text": "\\ud800"}', "Unicode"),
    (b'{"texxt": "a"}', "texxt"),
    (b'{"text": "a", "type": "rumour"}', "rumour"),
    (b'{"text": "a", "told_at": "2026-01-01T00:00:00"}', "time zone"),
    (b'{"text": "a", "metadata": {"n": NaN}}', "nan"),
    (b'{"text": "a", "metadata": {"n": ' + b"9" * 5000 + b"}}", "4300|64 bits"),
    (b'{"text": "a", "tags": "t"}', "tags"),
    (b'{"text": "a", "causes": ["nonesuch"]}', "nonesuch"),
    (b'{"text": "a", "key": "k", "causes": [{"other": "x", "kind": "maybe"}]}', "maybe"),
    (b"[" * 100_000, "JSON"),
    (b'{"kind": "rumour"}', "rumour"),
    (b'{"kind": ["unit"]}', "unit"),
    (b'{"kind": "session"}', "name"),
    (b'{"kind": "session", "name": "s", "started_at": "soon"}', "soon"),
    (b'{"kind": "relation", "subject": "a"}', "relation"),
    (b'{"kind": "relation", "subject": "a", "relation": "b", "object": 5}', "object"),
    (b'{"kind": "link", "cause": "good", "effect": "good", "link": "causes"}', "weight"),
    (b'{"kind": "link", "cause": "x", "effect": "y", "link": "causes", "weight": 1}', "'[xy]'"),
    (b'{"kind": "link", "cause": "x", "effect": "x", "link": "causes", "weight": 1}', "itself"),
    (b'{"kind": "link", "cause": "x", "effect": "y", "link": "vague", "weight": 1}', "vague"),
    (b'{"kind": "supersede", "old": "x", "new": "y", "at": "2026-01-01T00:00:00Z"}', "'[xy]'"),
    (b'{"kind": "alias", "entity": "Ann", "alias": "A", "confidence": 7}', "7"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_bad_line_is_named_by_number_and_nothing_is_kept(
    memory: Memory, tmp_path: Path, line: bytes, reason: str
) -> None:
    file = tmp_path / "bad.jsonl"
    good = b'{"text": "Good one.", "key": "good"}'
    file.write_bytes(b"\n".join([good, b"", line, b'{"text": "Good two."}']))

    with pytest.raises(ImportFailed, match=reason) as failure:
        memory.import_(file)
    assert [number for number, _ in failure.value.problems] == [3]
    assert len(str(failure.value)) < 1000
    assert memory.stats().units == 0

    report = memory.import_(file, keep_going=True)
    assert [number for number, _ in report.problems] == [3]
    assert report.new == 2
    assert texts(memory) == ["Good one.", "Good two."]


def test_a_line_may_name_a_unit_before_it_but_not_behind_it(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "causes.jsonl"
    cause, effect = {"text": "Flood.", "key": "flood"}, {"text": "Late.", "causes": ["flood"]}
    file.write_text("\n".join(json.dumps(line) for line in (effect, cause)), encoding="utf-8")
    with pytest.raises(ImportFailed, match=r"line 1: .*flood"):
        memory.import_(file)

    file.write_text("\n".join(json.dumps(line) for line in (cause, effect)), encoding="utf-8")
    assert memory.import_(file).new == 2
    assert len(memory.links(memory.list().units[0].id)) == 1


def test_an_import_joins_units_the_bank_has_under_other_ids(memory: Memory, tmp_path: Path) -> None:
    source = memory.bank("source")
    one, two = source.retain([Unit("Flood.", key="f"), Unit("Late.", key="l")]).ids
    source.link(one, two)
    source.export(tmp_path / "out.jsonl")
    target = memory.bank("target")
    here = target.retain("The flood.", key="f").id
    report = target.import_(tmp_path / "out.jsonl")

    assert (report.updated, report.new) == (1, 1)
    assert [(x.kind, x.target) for x in target.links(here)] == [(LinkKind.CAUSES, two)]


class Interrupted(Exception):
    """The user pressed a key."""


def test_an_interrupted_import_goes_on_where_it_was(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text(
        "\n".join(json.dumps({"text": f"Note number {n}."}) for n in range(250)), encoding="utf-8"
    )

    def interrupt(done: int, _total: int) -> None:
        if done >= 200:
            raise Interrupted

    with pytest.raises(Interrupted):
        memory.import_(file, progress=interrupt)
    assert memory.stats().units == 200
    report = memory.import_(file)
    assert (report.new, report.duplicates) == (50, 200)
    assert len(set(texts(memory))) == memory.stats().units == 250


def test_an_export_that_fails_leaves_the_old_file_and_no_other(
    memory: Memory, tmp_path: Path
) -> None:
    memory.retain([f"Note {n}." for n in range(600)])
    target = tmp_path / "out.jsonl"
    target.write_text("old", encoding="utf-8")

    def interrupt(_done: int, _total: int) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        memory.export(target, progress=interrupt)
    assert target.read_text(encoding="utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".partial"] == []


def test_exporting_no_bank_makes_no_file(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nonesuch"):
        memory.export(tmp_path / "out.jsonl", bank="nonesuch")
    assert not (tmp_path / "out.jsonl").exists()
