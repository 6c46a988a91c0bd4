"""What cannot be asked is refused before any work, and the message names it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.answers import RecallKeywords, RecallOptions
from scrubjay.engine.presets import preset_of
from scrubjay.engine.recall_options import check_options, options_of
from scrubjay.errors import BadInput
from scrubjay.limits import METADATA_BYTES_MAX
from scrubjay.preset import Preset
from scrubjay.settings import BankSettings
from scrubjay.types.values import Json, Window

MARCH = datetime(2026, 3, 1, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, tzinfo=UTC)


def test_keywords_are_laid_over_the_options_given() -> None:
    base = RecallOptions(limit=3, strict=True)
    assert options_of({"limit": 5}, base) == RecallOptions(limit=5, strict=True)


def test_metadata_that_was_put_into_options_since_they_were_checked_is_checked() -> None:
    metadata: dict[str, Json] = {}
    options = RecallOptions(metadata=metadata)
    assert options_of({}, options) is options
    metadata["note"] = "x" * METADATA_BYTES_MAX
    with pytest.raises(BadInput, match="metadata bytes"):
        options_of({}, options)


def test_times_may_be_text_and_a_window_a_pair() -> None:
    given = options_of(
        {"now": "2026-06-01T00:00:00+00:00", "window": ("2026-03-01T00:00:00Z", None)}
    )
    assert given.now == JUNE
    assert given.window == Window(MARCH, None)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"limits": 5}, "limits"),
        ({"types": "fact"}, "types"),
        ({"tags": "red"}, "tags"),
        ({"window": (None, None)}, "window"),
        ({"window": (JUNE, MARCH)}, "window"),
        ({"window": "June"}, "window"),
        ({"now": "soon"}, "now"),
        ({"as_of": datetime(2026, 1, 1)}, "as_of"),
    ],
)
def test_options_of_the_wrong_shape_are_named(given: RecallKeywords, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        options_of(given)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 2.5}, "limit"),
        ({"limit": True}, "limit"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"min_score": 1.5}, "min_score"),
        ({"min_score": float("nan")}, "min_score"),
        ({"deadline_ms": 0}, "deadline_ms"),
        ({"types": ["rumour"]}, "rumour"),
        ({"preset": "fastest"}, "fastest"),
    ],
)
def test_values_out_of_range_are_named(given: RecallKeywords, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        check_options("where?", options_of(given), BankSettings())


@pytest.mark.parametrize("question", ["", "  \n", None, 7])
def test_a_question_needs_words(question: object) -> None:
    with pytest.raises(BadInput, match="empty question"):
        check_options(question, RecallOptions(), BankSettings())


def test_a_preset_is_known_by_name_or_brought_along() -> None:
    mine = Preset("mine")
    assert preset_of(mine) is mine
    assert preset_of("tempr").name == "tempr"


@pytest.mark.parametrize(
    "wrong", [{"fanout": "thread"}, {"rank_constant": -1}, {"candidates_max": 0}]
)
def test_a_preset_that_cannot_work_is_refused_when_it_is_made(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=next(iter(wrong))):
        Preset("wrong", **wrong)  # type: ignore[arg-type]
