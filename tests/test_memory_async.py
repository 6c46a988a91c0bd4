"""AsyncMemory: the same store, awaited."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scrubjay import AsyncMemory, BadInput, UnitFilter


def test_everything_can_be_awaited(tmp_path: Path) -> None:
    async def story() -> None:
        async with await AsyncMemory.open(tmp_path / "s", encoder="hash", reranker=None) as memory:
            kept = await memory.retain(["Agnes Vogel called.", "Bertil slept."], session="s")
            first, second = kept.ids
            assert (await memory.recall("who called?")).items[0].id == first
            assert len(await memory.recall_batch(["called", "slept"])) == 2
            assert (await memory.explain("called", first)).unit == first
            assert (await memory.parse("in June 2025")).window is not None
            assert (await memory.plan("in June 2025")).retrievers
            assert (await memory.get(first)).text == "Agnes Vogel called."
            assert (await memory.list(UnitFilter(session="s"))).units[1].id == second
            assert (await memory.update(second, text="Bertil woke up.")).id == second
            newer = await memory.supersede(second, "Bertil is awake.")
            await memory.link(first, newer.id)
            assert len(await memory.links(first)) == 1
            assert [s.name for s in await memory.sessions()] == ["s"]
            await memory.start_session("t")
            assert (await memory.end_session("t")).ended_at is not None
            (agnes,) = await memory.entities(containing="agnes")
            assert "aggie" in (await memory.alias_entity(agnes.id, "Aggie")).aliases
            made = await memory.split_entity(agnes.id, "Agnes the second", [first])
            assert (await memory.merge_entities(agnes.id, made.id)).id == agnes.id
            await memory.relate("Agnes Vogel", "knows", "Bertil")
            assert len(await memory.relations()) == 1
            assert await memory.export(tmp_path / "out.jsonl") > 3
            copied = await memory.import_(tmp_path / "out.jsonl", bank="copy")
            assert copied.new == (await memory.stats()).units == 4
            assert {bank.name for bank in await memory.banks()} == {"copy", "default"}
            assert await memory.reembed("hash", bank="copy") == 4
            assert (await memory.forget(first, compact=True)).units == 1
            await memory.compact()
            assert await memory.doctor() == []
            await memory.backup(tmp_path / "backup")
            await AsyncMemory.restore(tmp_path / "backup", tmp_path / "restored")
            await memory.delete_bank("copy")
            assert (await (await memory.bank("new", recent_days=3)).settings()).recent_days == 3
        async with await AsyncMemory.open(tmp_path / "restored", encoder="hash") as memory:
            assert (await memory.stats(bank="copy")).units == 4

    asyncio.run(story())


def test_many_calls_at_once_lose_nothing_and_do_not_block_the_loop() -> None:
    async def story() -> None:
        async with await AsyncMemory.open(":memory:", encoder="hash", reranker=None) as memory:
            ticks = 0

            async def tick() -> None:
                nonlocal ticks
                while True:
                    ticks += 1
                    await asyncio.sleep(0)

            ticking = asyncio.create_task(tick())
            await asyncio.gather(*(memory.retain(f"The heron {n} stands.") for n in range(60)))
            ticking.cancel()
            assert (await memory.stats()).units == 60
            assert ticks > 60

    asyncio.run(story())


def test_errors_arrive_where_they_are_awaited() -> None:
    async def story() -> None:
        async with await AsyncMemory.open(":memory:", encoder="hash", reranker=None) as memory:
            with pytest.raises(BadInput, match="empty text"):
                await memory.retain("")
            assert (await memory.retain("Fine.")).new

    asyncio.run(story())
