"""The budget takes the best that fit, and says of each of the others why it does not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.engine.budget import fit


def test_a_unit_that_does_not_fit_is_passed_over_and_later_smaller_ones_are_taken() -> None:
    cut = fit([40, 80, 30, 25], tokens_max=100, limit=10)
    assert cut.kept == (0, 2, 3)
    assert cut.over_tokens == (1,)
    assert cut.tokens == 95


def test_the_limit_ends_the_answer() -> None:
    cut = fit([1, 1, 1], tokens_max=100, limit=2)
    assert (cut.kept, cut.over_limit) == ((0, 1), (2,))


def test_what_fits_exactly_fits() -> None:
    assert fit([60, 40], tokens_max=100, limit=10).kept == (0, 1)


def test_nothing_fits_a_budget_smaller_than_every_unit() -> None:
    cut = fit([5, 6], tokens_max=4, limit=10)
    assert (cut.kept, cut.over_tokens, cut.tokens) == ((), (0, 1), 0)


sizes = st.lists(st.integers(0, 50), max_size=30)


@given(sizes, st.integers(1, 200), st.integers(1, 20))
def test_every_position_has_one_fate_and_the_budget_holds(
    tokens: list[int], tokens_max: int, limit: int
) -> None:
    cut = fit(tokens, tokens_max=tokens_max, limit=limit)
    assert sorted((*cut.kept, *cut.over_tokens, *cut.over_limit)) == list(range(len(tokens)))
    assert cut.tokens == sum(tokens[position] for position in cut.kept) <= tokens_max
    assert len(cut.kept) <= limit
    assert list(cut.kept) == sorted(cut.kept)


@given(sizes, st.integers(1, 200))
def test_what_was_passed_over_did_not_fit_beside_the_better_ones(
    tokens: list[int], tokens_max: int
) -> None:
    cut = fit(tokens, tokens_max=tokens_max, limit=100)
    for position in cut.over_tokens:
        better = sum(tokens[kept] for kept in cut.kept if kept < position)
        assert better + tokens[position] > tokens_max
