"""Cutting long texts into spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import BadInput
from scrubjay.language.sentences import cut_text

PROSE = st.text(st.sampled_from("ab .!?\n\t。-é\u0301"), max_size=300)


def pieces(text: str, characters_max: int) -> list[str]:
    return [text[start:end] for start, end in cut_text(text, characters_max=characters_max)]


def test_a_text_that_fits_is_one_span() -> None:
    assert pieces("One. Two.\n\nThree.", 100) == ["One. Two.\n\nThree."]


def test_an_empty_text_has_no_span() -> None:
    assert pieces("", 10) == []


def test_a_paragraph_is_the_best_place_to_cut() -> None:
    text = "The ferry was late. It rained.\n\nWe took the bus. It was full."
    assert pieces(text, 50) == [
        "The ferry was late. It rained.\n\n",
        "We took the bus. It was full.",
    ]


def test_a_sentence_is_the_next_best() -> None:
    text = "The ferry was late! Was it the rain? We took the bus that day."
    assert pieces(text, 40) == [
        "The ferry was late! Was it the rain? ",
        "We took the bus that day.",
    ]


def test_a_line_comes_before_a_word() -> None:
    assert pieces("eggs and milk\nbread and butter", 20) == ["eggs and milk\n", "bread and butter"]


def test_without_sentences_words_stay_whole() -> None:
    assert pieces("alpha beta gamma delta", 12) == ["alpha beta ", "gamma delta"]


def test_a_word_longer_than_a_span_is_cut_anywhere() -> None:
    assert pieces("abcdefghij", 4) == ["abcd", "efgh", "ij"]


@pytest.mark.parametrize(
    "abbreviation",
    ["Ask Dr. Okoro", "Call J. Holm", "Use e.g. Redis", "It is 3.5 m", "It is 5 p.m. there"],
)
def test_a_full_stop_inside_a_sentence_is_no_end(abbreviation: str) -> None:
    first = f"It went well. {abbreviation}"
    assert pieces(f"{first} and then wait for the answer", len(first) + 3)[0] == "It went well. "


def test_the_stops_of_other_scripts_end_sentences_without_a_space() -> None:
    text = "船晚点了。我们坐了公交车！车上很挤。"
    assert pieces(text, 14) == ["船晚点了。我们坐了公交车！", "车上很挤。"]


def test_an_accent_or_a_joined_emoji_is_not_torn_off() -> None:
    assert pieces("abce\u0301fg", 4) == ["abc", "e\u0301fg"]
    assert pieces("xx👩\u200d💻yy", 4) == ["xx", "👩\u200d💻y", "y"]


def test_white_space_at_the_end_never_stands_alone() -> None:
    assert pieces("abcdefgh  ", 8) == ["abcdefg", "h  "]


def test_a_span_without_room_is_refused() -> None:
    with pytest.raises(BadInput, match="0"):
        cut_text("text", characters_max=0)


@pytest.mark.parametrize("unit", [".", "a", " ", "\n ", '."', "a\u0301", "Word. ", "茶。", "-"])
def test_a_book_of_anything_is_cut_in_one_pass(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    spans = cut_text(text, characters_max=2_000)
    assert len(spans) <= 1_000_000 // 400
    assert spans[-1][1] == len(text)


@given(PROSE | st.text(), st.integers(1, 40))
def test_spans_tile_the_text_and_keep_their_size(text: str, characters_max: int) -> None:
    spans = cut_text(text, characters_max=characters_max)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(0 < end - start <= characters_max for start, end in spans)
    assert [start for start, _ in spans[1:]] == [end for _, end in spans[:-1]]


@given(PROSE, st.integers(1, 40))
def test_a_span_is_only_white_space_inside_a_run_as_long_as_a_span(
    text: str, characters_max: int
) -> None:
    # White space at the very ends of a text may have nowhere else to go.
    text = text.strip()
    for start, end in cut_text(text, characters_max=characters_max):
        if text and not text[start:end].strip():
            before = text[:end]
            run = len(before) - len(before.rstrip()) + len(text[end:]) - len(text[end:].lstrip())
            assert run >= characters_max
