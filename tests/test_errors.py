"""What an error shows of the value at fault."""

from __future__ import annotations

from scrubjay.errors import BadInput, shorten


def test_a_long_path_in_an_error_shows_where_it_begins_and_what_it_names() -> None:
    path = f"/srv/{'deep/' * 40}nowhere.jsonl"
    said = str(BadInput("cannot read", path, "Check the path."))
    assert "/srv/deep" in said
    assert "nowhere.jsonl" in said
    assert len(shorten(path)) == 80


def test_a_value_that_cannot_be_shown_is_named_by_its_type() -> None:
    assert shorten(10**5000) == "a value of type int"  # of more digits than Python shows


def test_a_short_value_is_shown_whole() -> None:
    assert shorten("a" * 78) == repr("a" * 78)
