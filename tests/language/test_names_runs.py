"""A run of capitalised words is taken apart by itself; the text around it is asked later."""

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.names import find_mentions
from scrubjay.language.names.runs import RUN, parts_of, runs_in

PIECES = ("van ", "von der ", "de", "Mac", "Élan", "iOS", " of the ", "J. ", "Dr. ", "x", " ", "-")


def test_a_run_is_cut_behind_every_owner() -> None:
    parts = parts_of("Oslo's Deichman Library", "inside", False)
    assert [(part.folded, part.kind) for part in parts] == [
        ("oslo", "place"),
        ("deichman library", "organisation"),
    ]


def test_places_count_from_the_start_of_the_run() -> None:
    (part,) = parts_of("Dr. Ines Halvorsen", "inside", False)
    assert (part.title, part.words[0].start, part.words[-1].end) == ("dr", 4, 18)


def test_a_number_that_counts_what_follows_is_no_part_of_the_name() -> None:
    (counted,) = parts_of("Falcon 9", "inside", True)
    (numbered,) = parts_of("Falcon 9", "inside", False)
    assert (counted.folded, numbered.folded) == ("falcon", "falcon 9")


def test_a_run_of_calendar_and_function_words_holds_no_name() -> None:
    assert parts_of("On Monday", "start", False) == ()


def test_the_same_run_is_read_by_what_stands_around_it_each_time() -> None:
    assert [m.text for m in find_mentions("Heron agreed. We met Heron.")] == ["Heron", "Heron"]
    assert find_mentions("Heron or not.") == ()


def test_a_run_longer_than_any_name_is_read_like_a_short_one() -> None:
    long = " ".join(["Quillfeather"] * 9)
    assert [part.folded for part in parts_of(long, "inside", False)] == [long.lower()]


def test_identifiers_are_found_in_the_words_that_carry_a_mark_only() -> None:
    text = "Ask about OPS-77 and prod_eu, then 40000 % of it, ticket 81234 and main.rs today"
    found = [m.text for m in find_mentions(text) if m.kind == "identifier"]
    assert found == ["OPS-77", "prod_eu", "81234", "main.rs"]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_runs_are_found_by_their_capitals_as_by_trying_every_place(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert [run.span() for run in runs_in(text)] == [run.span() for run in RUN.finditer(text)]
