"""Names that go with the next release still do what they stand for, and say what to use."""

from __future__ import annotations

import asyncio

import pytest

from scrubjay import AsyncMemory, Memory
from scrubjay.administration import Checked
from scrubjay.types.reports import Finding


def test_synonyms_warn_and_do_what_they_stand_for() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        with pytest.warns(DeprecationWarning, match=r"add\(\) is deprecated; use retain\(\)"):
            told = memory.add("Gulls nest on the roof.", tags=["birds"])
        with pytest.warns(DeprecationWarning, match="use retain"):
            again = memory.remember("Gulls nest on the roof.", tags=["birds"], bank="default")
        assert again.duplicates == told.ids
        with pytest.warns(DeprecationWarning, match="use recall"):
            assert memory.search("Where do gulls nest?", limit=1).items[0].id == told.id


def test_they_are_awaited_where_the_others_are() -> None:
    async def tell() -> None:
        async with await AsyncMemory.open(":memory:", encoder="hash", reranker=None) as memory:
            with pytest.warns(DeprecationWarning, match="use retain"):
                assert (await memory.add("Terns dive.")).new
            with pytest.warns(DeprecationWarning, match="use retain"):
                assert (await memory.remember("Terns dive.")).duplicates
            with pytest.warns(DeprecationWarning, match="use recall"):
                assert (await memory.search("What do terns do?", limit=1)).items

    asyncio.run(tell())


def test_a_check_of_a_database_still_has_its_findings_under_the_old_name() -> None:
    found = Finding("isolation", "table links shows every bank's rows", fixed=False)
    with pytest.warns(DeprecationWarning, match="walls is deprecated; use isolation"):
        assert Checked((found,), {}).walls == (found,)
