"""Listing, filters, paging, sessions and counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice, product
from string import ascii_lowercase

import pytest
from tests.contract.looking import all_units, texts

from scrubjay import BadInput, Memory, NotFound, Unit, UnitFilter, Window
from scrubjay.limits import TYPED_WORDS_MAX
from scrubjay.testing import FixedClock
from scrubjay.types.values import Json

DAY = datetime(2026, 1, 1, tzinfo=UTC)


def test_pages_follow_each_other_without_gap_or_overlap(memory: Memory) -> None:
    kept = memory.retain([f"Note {n}." for n in range(10)])

    assert [unit.id for unit in all_units(memory)] == list(kept.ids)
    assert memory.list(limit=10).cursor is None
    assert memory.list(limit=9).cursor is not None


def test_a_filtered_listing_pages_over_what_it_leaves_out(memory: Memory) -> None:
    memory.retain([Unit(f"Note {n}.", tags=("third",) if n % 3 == 0 else ()) for n in range(20)])

    wanted = [f"Note {n}." for n in range(0, 20, 3)]
    assert texts(memory, UnitFilter(tags=("third",))) == wanted


def test_units_told_and_forgotten_between_pages_do_not_disturb_them(memory: Memory) -> None:
    kept = memory.retain([f"Note {n}." for n in range(6)])
    first = memory.list(limit=2)
    memory.forget([kept.ids[0], kept.ids[3]])
    memory.retain("Late.")
    rest = memory.list(limit=100, cursor=first.cursor)

    assert [u.text for u in rest.units] == ["Note 2.", "Note 4.", "Note 5.", "Late."]


@pytest.fixture
def varied(memory: Memory) -> Memory:
    memory.retain(
        [
            Unit("a", type="fact", tags=("x",), session="s1", speaker="Ann", key="ka"),
            Unit("b", type="event", tags=("x", "y"), session="s1", speaker="Ben"),
            Unit("c", type="fact", tags=("y",), session="s2", entities=("Carla Diaz",)),
            Unit("d", type="fact", told_at=DAY, occurred_start=DAY - timedelta(days=9)),
            Unit("e", type="fact", told_at=DAY + timedelta(days=1)),
        ]
    )
    return memory


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (UnitFilter(), "abcde"),
        (UnitFilter(types=("event",)), "b"),
        (UnitFilter(types=("event", "fact")), "abcde"),
        (UnitFilter(tags=("x", "y")), "b"),
        (UnitFilter(session="s1"), "ab"),
        (UnitFilter(session="nowhere"), ""),
        (UnitFilter(speaker="Ann"), "a"),
        (UnitFilter(key="ka"), "a"),
        (UnitFilter(entity="carla DIAZ"), "c"),
        (UnitFilter(entity="nobody"), ""),
        (UnitFilter(told=Window(DAY, DAY)), "d"),
        (UnitFilter(told=Window(None, DAY + timedelta(days=1))), "de"),
        (UnitFilter(occurred=Window(None, DAY - timedelta(days=1))), "d"),
        (UnitFilter(types=("fact",), session="s1", tags=("x",)), "a"),
    ],
)
def test_a_filter_keeps_what_passes_every_part_of_it(
    varied: Memory, where: UnitFilter, expected: str
) -> None:
    assert "".join(texts(varied, where)) == expected


def test_a_filter_by_id_keeps_those_units(varied: Memory) -> None:
    first, *_, last = all_units(varied)

    assert texts(varied, UnitFilter(ids=(last.id, first.id))) == ["a", "e"]


VALUES: list[Json] = [
    True, 1, 0, False, None, "1", "true", "null", 1.5, "", [1, 2], [2, 1], {"x": 1, "y": [None]},
    '{"x":1,"y":[null]}', "[1, 2]", {"x": {"y": False}}, "ünï", 'quo"te',
]  # fmt: skip


@pytest.mark.parametrize("key", ["plain", "with space", 'quo"te', "back\\slash", "new\nline", "ü."])
def test_a_metadata_filter_tells_every_value_from_every_other(memory: Memory, key: str) -> None:
    memory.retain([Unit(f"unit {n}", metadata={key: value}) for n, value in enumerate(VALUES)])
    memory.retain([Unit("other key", metadata={f"{key}!": 1}), Unit("no metadata")])

    for n, value in enumerate(VALUES):
        assert texts(memory, UnitFilter(metadata={key: value})) == [f"unit {n}"], value
        found = memory.recall("unit", metadata={key: value}, limit=100).items
        assert [item.text for item in found] == [f"unit {n}"], value


def test_a_metadata_filter_does_not_care_for_order_or_for_one_and_one_point_zero(
    memory: Memory,
) -> None:
    memory.retain("a", metadata={"k": {"x": 1, "y": 2}, "n": 1})

    assert texts(memory, UnitFilter(metadata={"n": 1.0, "k": {"y": 2, "x": 1}})) == ["a"]
    assert texts(memory, UnitFilter(metadata={"n": 1, "k": {"x": 1}})) == []


def test_sessions_are_logged_with_their_bounds(memory: Memory, clock: FixedClock) -> None:
    memory.start_session("monday")
    clock.advance(timedelta(minutes=5))
    memory.retain("Hello.", session="monday")
    memory.retain("From the archive.", session="older", told_at=DAY)
    clock.advance(timedelta(minutes=5))
    ended = memory.end_session("monday")
    older, monday = memory.sessions()

    assert monday == ended
    assert monday.ended_at == monday.last_at == clock.now
    assert monday.started_at == clock.now - timedelta(minutes=10)
    assert (older.name, older.started_at, older.ended_at, older.units) == ("older", DAY, None, 1)
    assert memory.start_session("monday").ended_at is None
    with pytest.raises(NotFound, match="tuesday"):
        memory.end_session("tuesday")


def test_a_question_about_a_session_counts_all_but_its_own(memory: Memory) -> None:
    for number in range(4):
        memory.retain("Hello.", session=f"s{number}", told_at=DAY + timedelta(days=number))
    asked = DAY + timedelta(days=9)

    def first(question: str, session: str | None) -> datetime | None:
        window = memory.parse(question, session=session, now=asked).window
        return None if window is None else window.start

    assert first("What did we discuss two sessions ago?", None) == DAY + timedelta(days=2)
    assert first("What did we discuss two sessions ago?", "s3") == DAY + timedelta(days=1)
    assert first("What did we discuss in our first session?", "s0") == DAY + timedelta(days=1)
    assert first("What did we discuss nine sessions ago?", None) is None


def test_counts_are_exact(memory: Memory) -> None:
    memory.retain(["Ann likes tea.", "Ben likes tea a lot."], session="s")
    memory.retain("Ann likes tea so much.", type="opinion", told_at=DAY)
    stats = memory.stats()

    assert stats.units == stats.vectors == 3
    assert sum(stats.by_type.values()) == 3
    assert stats.by_type["opinion"] == 1
    assert stats.sessions == 1
    assert stats.entities == len(memory.entities()) == 2
    assert stats.links == sum(len(memory.links(u.id)) for u in all_units(memory)) / 2 > 0
    assert stats.oldest_told_at == DAY
    assert stats.encoder == "hash@1/f32/384"


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_page_has_a_sensible_size(memory: Memory, limit: int) -> None:
    memory.retain("a")
    for call in (memory.list, memory.entities, memory.relations):
        with pytest.raises(BadInput, match=str(limit)):
            call(limit=limit)


@pytest.mark.parametrize("cursor", ["", "x", "-1", "1.5", "9" * 30, "٣"])
def test_a_cursor_of_ones_own_making_is_refused(memory: Memory, cursor: str) -> None:
    memory.retain("a")
    with pytest.raises(BadInput, match="cursor"):
        memory.list(cursor=cursor)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("oldest", "abc"),
        ("newest", "cba"),
        ("told", "bca"),
        ("-told", "acb"),
        ("occurred", "cba"),
        ("-occurred", "abc"),
    ],
)
def test_a_listing_has_the_order_that_was_asked_for_and_keeps_it_across_pages(
    memory: Memory, order: str, expected: str
) -> None:
    late = DAY + timedelta(days=2)
    memory.retain(
        [
            Unit("a", told_at=late),
            Unit("b", told_at=DAY),
            Unit("c", told_at=DAY, occurred_start=DAY - timedelta(days=9)),
        ]
    )

    pages, cursor = [], None
    while True:
        page = memory.list(order=order, limit=1, cursor=cursor)
        pages += [unit.text for unit in page.units]
        cursor = page.cursor
        assert page.total == 3
        if cursor is None:
            break
    assert "".join(pages) == expected
    assert [unit.text for unit in memory.list(order=order, limit=1, offset=1).units] == [pages[1]]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("ferr", "ac"),
        ("ferry lea", "a"),
        ("ferr ", ""),
        ("FERRY ", "a"),
        ("leaves ferry", "a"),
        ("cafe", "b"),
        ("jira-99", "c"),
        ("nothing", ""),
        ("!", "abc"),
    ],
)
def test_units_are_found_by_words_as_they_are_typed(
    memory: Memory, typed: str, expected: str
) -> None:
    kept = memory.retain(
        ["The ferry leaves at nine.", "The Café is open.", "Ferryman has ticket JIRA-9921."]
    )
    names = dict(zip(kept.ids, "abc", strict=True))

    page = memory.list(text=typed)
    assert "".join(names[unit.id] for unit in page.units) == expected
    assert page.total == len(expected)


@pytest.mark.parametrize("typed", ["!", "\N{GRINNING FACE}", " ? "])
def test_signs_alone_choose_nothing_to_erase(memory: Memory, typed: str) -> None:
    memory.retain(["The ferry leaves at nine.", "The quay is long."])
    with pytest.raises(BadInput, match="text without a word"):
        memory.forget(UnitFilter(text=typed))
    assert memory.list().total == 2


def test_a_beginning_that_too_many_words_have_is_refused_and_erases_nothing(
    memory: Memory,
) -> None:
    ends = ("".join(letters) for letters in product(ascii_lowercase, repeat=4))
    words = [f"f{end}" for end in islice(ends, TYPED_WORDS_MAX + 1)]
    memory.retain([" ".join(words[n : n + 250]) for n in range(0, len(words), 250)])
    units = memory.list().total

    assert memory.list(text=words[0][:4]).total == 1
    assert memory.list(text=f"{words[0]} ").total == 1
    for ask in (memory.list, memory.histogram, lambda **given: memory.forget(UnitFilter(**given))):
        with pytest.raises(
            BadInput, match=r"text: 'f'\. More than 20,000 words .* type more of it"
        ):
            ask(text="f")
    with pytest.raises(BadInput, match="text: 'f'"):
        memory.list(text=f"{words[0]} f")
    assert memory.list().total == units


def test_filters_may_be_keywords_and_what_there_is_not_is_named(varied: Memory) -> None:
    page = varied.list(UnitFilter(types=("fact",)), tags=["y"], told=(DAY, None))

    assert [unit.text for unit in page.units] == ["c"]
    with pytest.raises(BadInput, match="unknown filter: 'colour'"):
        varied.list(colour="red")  # type: ignore[call-arg]
    with pytest.raises(BadInput, match="order: 'sideways'"):
        varied.list(order="sideways")


def test_a_listing_shows_what_was_true_and_known_at_a_time(
    memory: Memory, clock: FixedClock
) -> None:
    first = memory.retain("The harbour master is Ada.")
    before = clock.now
    clock.advance(timedelta(days=1))
    memory.supersede(first.id, Unit("The harbour master is Nils."))

    def shown(**given: datetime) -> list[str]:
        return [unit.text for unit in memory.list(**given).units]  # type: ignore[arg-type]

    assert shown(as_of=clock.now) == ["The harbour master is Nils."]
    assert shown(as_of=before, known_at=before) == ["The harbour master is Ada."]
    assert len(shown()) == 2


def test_units_are_listed_by_the_number_of_an_entity(varied: Memory) -> None:
    (carla,) = varied.entities(containing="carla")

    assert [unit.text for unit in varied.list(entity_id=carla.id).units] == ["c"]
    assert varied.list(entity_id=999).total == 0


def test_the_entity_of_a_filter_is_a_name_or_a_number(varied: Memory) -> None:
    (carla,) = varied.entities(containing="carla")

    assert [unit.text for unit in varied.list(entity=carla.id).units] == ["c"]
    assert varied.list(entity=carla.id) == varied.list(entity="Carla Diaz")
    assert varied.histogram(entity=carla.id) == varied.histogram(entity="Carla Diaz")
    assert varied.list(entity=999).total == 0
    with pytest.raises(BadInput, match="two entities"):
        varied.list(entity=carla.id, entity_id=999)
    # Digits are a number in an address, so they are no name in Python either.
    for wrong in ("1", "", -1, True, 1.5):
        with pytest.raises(BadInput, match="entity"):
            varied.list(entity=wrong)  # type: ignore[arg-type]
