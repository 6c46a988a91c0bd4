"""What a bank shows to who looks at it: counts over time, neighbourhoods, entities, sessions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scrubjay import BadInput, Memory, NotFound, Unit
from scrubjay.testing import FixedClock

DAY = timedelta(days=1)
NEW_YEAR = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def dated(memory: Memory) -> Memory:
    memory.retain(
        [
            Unit("a", type="fact", told_at=NEW_YEAR, tags=("x",)),
            Unit("b", type="event", told_at=NEW_YEAR, occurred_start=NEW_YEAR - 400 * DAY),
            Unit("c", type="fact", told_at=NEW_YEAR + 2 * DAY, tags=("x",)),
        ]
    )
    return memory


def test_units_are_counted_by_the_day_they_were_told_and_by_type(dated: Memory) -> None:
    counted = dated.histogram()

    assert (counted.by, counted.grain, counted.timezone) == ("told", "day", "UTC")
    assert (counted.total, counted.undated) == (3, 0)
    assert [one.units for one in counted.buckets] == [2, 0, 1]
    assert dict(counted.buckets[0].types) == {"fact": 1, "event": 1}
    assert counted.buckets[0].start == datetime(2026, 1, 1, tzinfo=UTC)
    assert counted.buckets[0].end == counted.buckets[1].start


def test_a_histogram_counts_what_passes_a_filter_by_when_it_happened(dated: Memory) -> None:
    assert [one.units for one in dated.histogram(tags=["x"], grain="month").buckets] == [2]
    happened = dated.histogram(by="occurred", grain="year")
    assert (happened.total, happened.undated) == (3, 2)
    assert [one.units for one in happened.buckets] == [1]
    assert dated.histogram(tags=["none"]).buckets == ()
    known = dated.histogram(known_at=NEW_YEAR + DAY)
    assert known.total == 2


@pytest.mark.parametrize(
    ("days", "grain", "spans"),
    [(300, "day", 301), (1000, "week", 144), (4000, "month", 133), (20_000, "year", 56)],
)
def test_the_grain_is_the_finest_that_takes_few_spans(
    memory: Memory, days: int, grain: str, spans: int
) -> None:
    memory.retain([Unit("a", told_at=NEW_YEAR), Unit("b", told_at=NEW_YEAR - days * DAY)])

    counted = memory.histogram()
    assert (counted.grain, len(counted.buckets)) == (grain, spans)
    assert sum(one.units for one in counted.buckets) == 2
    if grain != "day":
        with pytest.raises(BadInput, match=r"grain: 'day'.*auto"):
            memory.histogram(grain="day")


def test_spans_are_days_of_the_banks_own_zone(memory: Memory) -> None:
    memory.retain([Unit("a", told_at=datetime(2026, 3, 1, 23, 30, tzinfo=UTC))], bank="berlin")
    memory.bank("berlin", timezone="Europe/Berlin")

    (day,) = memory.histogram(bank="berlin").buckets
    assert day.start == datetime(2026, 3, 1, 23, tzinfo=UTC)


def test_a_neighbourhood_shows_names_links_and_successions_of_a_unit(memory: Memory) -> None:
    first = memory.retain("The mill stood still.", entities=["Ana Holm"])
    second = memory.retain("Ana Holm was late.", entities=["Ana Holm"])
    memory.link(first.id, second.id, weight=0.5)
    third = memory.supersede(first.id, Unit("The mill turns.", entities=("Ana Holm",)))
    (ana,) = memory.entities(containing="ana holm")

    shown = memory.neighbourhood(first.id)

    assert shown.nodes[0].ref == first.id
    assert {node.id for node in shown.nodes} == {
        f"u:{first.id}", f"u:{second.id}", f"u:{third.id}", f"e:{ana.id}"
    }  # fmt: skip
    assert [node.distance for node in shown.nodes] == [0, 1, 1, 1]
    edges = {(edge.source, edge.target, edge.kind) for edge in shown.edges}
    assert (f"u:{first.id}", f"u:{second.id}", "causes") in edges
    assert (f"u:{third.id}", f"u:{first.id}", "supersedes") in edges
    assert (f"u:{second.id}", f"e:{ana.id}", "mention") in edges
    assert len(edges) == len(shown.edges)
    assert all(0 < edge.strength <= 1 for edge in shown.edges)
    assert not shown.more
    assert memory.neighbourhood(first.id) == shown


def test_a_neighbourhood_of_an_entity_has_its_newest_units_and_relations(memory: Memory) -> None:
    memory.retain([Unit(f"Ana Holm said {n}.", entities=("Ana Holm",)) for n in range(6)])
    memory.relate("Ana Holm", "works-for", "Brandt Oil")
    (ana,) = memory.entities(containing="ana holm")

    shown = memory.neighbourhood(entity=ana.id, limit=5)

    assert (len(shown.nodes), shown.more) == (5, True)
    assert shown.nodes[0].label == "Ana Holm"
    assert [node.label for node in shown.nodes if node.kind == "entity"][1] == "Brandt Oil"
    (relation,) = [edge for edge in shown.edges if edge.kind == "relation"]
    assert (relation.source, relation.label) == (f"e:{ana.id}", "works-for")
    assert memory.neighbourhood(entity="ana HOLM", limit=5) == shown


def test_a_neighbourhood_needs_one_centre_that_is_there(memory: Memory) -> None:
    kept = memory.retain("The lamp is lit.")

    with pytest.raises(BadInput, match="Give a unit or an entity"):
        memory.neighbourhood()
    with pytest.raises(BadInput, match="limit"):
        memory.neighbourhood(kept.id, limit=201)
    with pytest.raises(NotFound):
        memory.neighbourhood(entity=99)
    memory.retain(Unit("They met.", entities=("Mara Holm", "Mara Brandt")))
    for one in memory.entities(containing="mara "):
        memory.alias_entity(one.id, "Anni")
    both = r"\d+ \(Mara (Holm|Brandt)\), \d+ \(Mara (Holm|Brandt)\)"
    with pytest.raises(BadInput, match=f"several entities of that name.*{both}"):
        memory.neighbourhood(entity="Anni")
    with pytest.raises(NotFound, match=f"no such entity.*Is it one of these: {both}"):
        memory.neighbourhood(entity="Mara Lindqvist")
    with pytest.raises(NotFound, match=r"no such entity.*List the entities"):
        memory.neighbourhood(entity="Zubin")
    with pytest.raises(NotFound):
        memory.neighbourhood("0123456789abcdefghjk")


@pytest.fixture
def named(memory: Memory) -> Memory:
    memory.retain(
        [
            Unit("One.", entities=("Ana Holm",)),
            Unit("Two.", entities=("Ana Holm", "Hanne Lund")),
            Unit("Three.", entities=("Hanne Lund",)),
        ]
    )
    memory.relate("Hanne Lund", "sister-of", "Nils Falk")
    return memory


def number(memory: Memory, name: str) -> int:
    return next(one.id for one in memory.entities() if one.name == name)


def test_one_entity_is_shown_with_its_relations(named: Memory) -> None:
    card = named.entity(number(named, "Nils Falk"))

    (relation,) = card.relations
    assert (relation.relation, relation.forward, relation.other_name) == (
        "sister-of", False, "Hanne Lund",
    )  # fmt: skip
    assert relation.unit is not None
    assert named.get(relation.unit).text
    with pytest.raises(NotFound, match="no such entity"):
        named.entity(99)


def test_a_previewed_merge_is_what_the_merge_then_does(named: Memory) -> None:
    keep, drop = number(named, "Ana Holm"), number(named, "Hanne Lund")
    told = named.preview_merge(keep, drop)
    assert [one.id for one in told.before] == [keep, drop]

    done = named.merge_entities(keep, drop)

    (after,) = told.after
    assert (after.id, after.mentions) == (done.id, done.mentions)
    assert set(after.aliases) == set(done.aliases)
    assert told.relations == 1


def test_a_previewed_split_is_what_the_split_then_does(named: Memory) -> None:
    ana, unit = number(named, "Ana Holm"), named.list(text="one").units[0].id
    told = named.preview_split(ana, "Ana Berg", [unit])

    done = named.split_entity(ana, "Ana Berg", [unit])

    left, made = told.after
    assert (made.id, made.name, made.mentions) == (0, done.name, done.mentions)
    assert left.mentions == named.entity(ana).entity.mentions
    assert told.mentions == 1


def test_a_previewed_alias_names_who_has_it_already(named: Memory) -> None:
    ana, nils = number(named, "Ana Holm"), number(named, "Nils Falk")

    told = named.preview_alias(ana, "Nils Falk")

    assert [one.id for one in told.also] == [nils]
    assert "nils falk" in told.after[0].aliases
    assert "nils falk" not in named.entity(ana).entity.aliases


def test_sessions_come_a_page_at_a_time_newest_first(memory: Memory, clock: FixedClock) -> None:
    for name in ("one", "two", "three"):
        memory.retain(f"Said in {name}.", session=name)
        clock.advance(DAY)

    assert [one.name for one in memory.sessions()] == ["one", "two", "three"]
    page = memory.sessions(newest=True, limit=1, offset=1)
    assert [(one.name, one.units) for one in page] == [("two", 1)]


def test_an_entity_shows_with_whom_it_is_mentioned_and_how_often(memory: Memory) -> None:
    memory.retain("Anna Berg met Rui Costa in Oslo.")
    memory.retain("Anna Berg and Rui Costa signed the lease.")
    memory.retain("Anna Berg has a new bike.")

    together = memory.entity("Anna Berg").together

    assert [(one.name, one.units) for one in together] == [("Rui Costa", 2), ("Oslo", 1)]
    assert memory.entity("Oslo").together[0].units == 1
