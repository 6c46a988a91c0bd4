"""An expression with cues finds what it finds without them."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.engine.parse import question
from scrubjay.engine.shared import asking
from scrubjay.language import asked_change, asked_values
from scrubjay.language.cued import Cued
from scrubjay.language.orders import requests, steps

CUED = {
    f"{module.__name__}.{name}": value
    for module in (asked_change, asking, question, requests, steps)
    for name, value in vars(module).items()
    if isinstance(value, Cued)
} | dict(asked_values._ASKED)


@pytest.mark.parametrize("name", CUED)
@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_whatever_an_expression_matches_has_one_of_its_cues(name: str, data: st.DataObject) -> None:
    cued = CUED[name]
    text = data.draw(st.from_regex(cued.expression))
    assert cued.search(text) is not None


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_what_begins_as_an_expression_says_has_one_of_its_cues(data: st.DataObject) -> None:
    wanted = requests._wanted()
    text = data.draw(st.from_regex(re.compile(rf"\A{wanted.expression.pattern}", re.IGNORECASE)))
    assert wanted.match(text) is not None


def test_a_text_without_a_cue_is_not_gone_through() -> None:
    assert Cued("now", r"\bn\w+").search("never") is None
    assert Cued("now", r"\bn\w+").search("növer") is not None


def test_cues_are_found_in_any_case() -> None:
    assert Cued("now", r"\bnow\b").search("What NOW?") is not None
