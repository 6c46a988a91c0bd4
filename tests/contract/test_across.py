"""One question to several banks: one ranking, each item with its bank, in every backend."""

from __future__ import annotations

import pytest

from scrubjay import BadInput, Memory, NotFound


@pytest.fixture
def three(memory: Memory) -> Memory:
    memory.retain("Jo likes strong tea in the morning.", bank="user")
    memory.retain("The project ships every second Friday.", bank="project")
    memory.retain("The project's tea budget is forty euros.", bank="project")
    memory.retain("The team meets on Mondays.", bank="team")
    return memory


def test_several_banks_answer_in_one_ranking(three: Memory) -> None:
    found = three.recall_across("How much is the tea budget?", ["user", "project", "team"])
    assert (found[0].text, found[0].bank) == ("The project's tea budget is forty euros.", "project")
    assert {item.bank for item in found} <= {"user", "project", "team"}
    alone = {
        name: [item.id for item in three.recall("How much is the tea budget?", bank=name)]
        for name in ("user", "project", "team")
    }
    for name, ids in alone.items():
        kept = [item.id for item in found if item.bank == name]
        assert kept == [unit for unit in ids if unit in kept]


def test_one_limit_and_one_budget_hold_for_all(three: Memory) -> None:
    assert len(three.recall_across("tea", ["user", "project"], limit=1)) == 1
    whole = three.recall_across("tea project team", ["user", "project", "team"])
    least = min(item.tokens for item in whole)
    small = three.recall_across("tea project team", ["user", "project", "team"], max_tokens=least)
    assert small.tokens <= least


def test_one_bank_asked_so_answers_as_it_does_alone(three: Memory) -> None:
    across = three.recall_across("tea", ["project"])
    assert [item.id for item in across] == [item.id for item in three.recall("tea", bank="project")]
    assert [item.bank for item in across] == ["project"] * len(across)
    assert all(item.bank is None for item in three.recall("tea", bank="project"))


def test_banks_that_cannot_be_asked_are_named(three: Memory) -> None:
    for wrong in ([], ["user", "user"], [f"b{n}" for n in range(21)]):
        with pytest.raises(BadInput, match="Name one to 20 banks"):
            three.recall_across("tea", wrong)
    with pytest.raises(BadInput, match="Give a list"):
        three.recall_across("tea", "user")
    with pytest.raises(NotFound, match="nobody"):
        three.recall_across("tea", ["user", "nobody"])
