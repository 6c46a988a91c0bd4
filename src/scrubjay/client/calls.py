"""Every method of a Memory as a request to a server, and how its answer is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar
from urllib.parse import quote

from scrubjay.answers import Explanation, Parsed, Plan, Recall, RecallOptions
from scrubjay.client import decoding
from scrubjay.client.encoding import filter_query, filter_shape, how, id_of, unit_shape
from scrubjay.engine.extract import Extracted
from scrubjay.engine.recall_options import RecallKeywords, options_of
from scrubjay.engine.retain.checking import (
    check_bank_name,
    check_id,
    check_link,
    check_moment,
    check_number,
    check_page,
    check_relation,
    check_text,
    check_words,
)
from scrubjay.engine.retain.told import (
    RelationFields,
    Told,
    UnitFields,
    listed,
    moment,
    relation_of,
    units_of,
)
from scrubjay.engine.transfer import Imported
from scrubjay.errors import BadInput
from scrubjay.limits import NAME_CHARACTERS_MAX
from scrubjay.settings import BankSettings
from scrubjay.shapes import iso, relation_to_json
from scrubjay.types import (
    BankInfo,
    Entity,
    Erasure,
    Finding,
    Json,
    Link,
    LinkKind,
    Page,
    Retained,
    Session,
    Stats,
    StoredRelation,
    StoredUnit,
    Unit,
    UnitFilter,
)

T = TypeVar("T")
Query = Mapping[str, str | list[str]]


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request: where to, with what, and how to read the answer."""

    method: str
    path: str
    read: Callable[[Json], T]
    body: Mapping[str, Json] | None = None
    query: Query | None = None


def _nothing(_: Json) -> None:
    return None


def _pending(answer: Json) -> str | None:
    found = answer.get("pending") if isinstance(answer, dict) else None
    return found if isinstance(found, str) else None


def _at(bank: str, *parts: str) -> str:
    check_bank_name(bank)
    return "/".join(["/v1/banks", *(quote(part, safe="") for part in (bank, *parts))])


def banks() -> Call[list[BankInfo]]:
    """List banks."""
    return Call("GET", "/v1/banks", partial(decoding.listed, BankInfo, "banks"))


def bank_info(bank: str) -> Call[BankInfo]:
    """A bank's card."""
    return Call("GET", _at(bank), partial(decoding.build, BankInfo))


def bank_settings(bank: str) -> Call[BankSettings]:
    """A bank's settings."""
    return Call("GET", _at(bank), decoding.settings)


def put_bank(bank: str, settings: Mapping[str, object]) -> Call[BankSettings]:
    """Make a bank, or change its settings."""
    return Call("PUT", _at(bank), decoding.settings, decoding.plain_object(settings))


def delete_bank(bank: str) -> Call[None]:
    """Erase a bank."""
    return Call("DELETE", _at(bank), _nothing)


def retain(told: Told, bank: str, given: UnitFields) -> Call[Retained]:
    """Tell."""
    body: dict[str, Json] = {"units": [unit_shape(unit) for unit in units_of(told, given)]}
    return Call("POST", _at(bank, "memories"), partial(decoding.build, Retained), body)


def extract(told: Told, bank: str, given: UnitFields) -> Call[Extracted]:
    """Tell, and let the server's language model find facts."""
    call = retain(told, bank, given)
    return Call("POST", call.path, decoding.extracted, call.body, {"extract": "true"})


def recall(question: str, bank: str, given: RecallKeywords) -> Call[Recall]:
    """Ask."""
    body = {"question": question, **how(given, question)}
    return Call("POST", _at(bank, "recall"), decoding.recall, body)


def recall_batch(questions: Sequence[str], bank: str, given: RecallKeywords) -> Call[list[Recall]]:
    """Ask several."""
    asked = listed(questions, "questions")
    body: dict[str, Json] = {"questions": [str(one) for one in asked], **how(given, *asked)}
    return Call("POST", _at(bank, "recall-batch"), decoding.recalls, body)


def explain(question: str, unit: str, bank: str, given: RecallKeywords) -> Call[Explanation]:
    """Ask why."""
    body = {"question": question, "unit": id_of(unit), **how(given, question)}
    return Call("POST", _at(bank, "explain"), partial(decoding.build, Explanation), body)


def parse(question: str, bank: str, timezone: str | None, given: RecallKeywords) -> Call[Parsed]:
    """What a question says."""
    body = {"question": question, "timezone": timezone, **how(given, question)}
    return Call("POST", _at(bank, "parse"), decoding.parsed, body)


def plan(question: str, bank: str, given: RecallKeywords) -> Call[Plan]:
    """How a question would be recalled."""
    body = {"question": question, **how(given, question)}
    return Call("POST", _at(bank, "plan"), partial(decoding.build, Plan), body)


def get(unit: str, bank: str) -> Call[StoredUnit]:
    """Look up."""
    return Call("GET", _at(bank, "memories", id_of(unit)), partial(decoding.build, StoredUnit))


def list_units(where: UnitFilter | None, bank: str, limit: int, cursor: str | None) -> Call[Page]:
    """List."""
    check_page(limit, offset=0)
    query: dict[str, str | list[str]] = {"limit": str(limit)}
    if cursor is not None:
        query["cursor"] = check_words(cursor, "cursor")
    query |= filter_query(UnitFilter() if where is None else where)
    return Call("GET", _at(bank, "memories"), partial(decoding.build, Page), query=query)


def update(unit: str, text: str | None, bank: str, given: UnitFields) -> Call[StoredUnit]:
    """Change."""
    # Read as a telling, so that times and lists are taken in every form they are there.
    shape = unit_shape(units_of(Unit("unchanged" if text is None else text), given)[0])
    if text is None:
        del shape["text"]
    for name, value in given.items():
        if value is None:  # it is taken away
            shape["occurred_start" if name == "occurred" else name] = None
    return Call(
        "PATCH", _at(bank, "memories", id_of(unit)), partial(decoding.build, StoredUnit), shape
    )


def supersede(old: str, new: str | Unit, at: datetime | str | None, bank: str) -> Call[StoredUnit]:
    """Replace."""
    when = None if at is None else iso(check_moment(moment(at, "at"), "at"))
    known = id_of(old)
    if not isinstance(new, str | Unit):
        raise BadInput("new", new, "Give a unit's id, text, or a Unit.")
    body: dict[str, Json] = {
        "old": known, "new": new if isinstance(new, str) else unit_shape(new), "at": when,
    }  # fmt: skip
    return Call("POST", _at(bank, "supersede"), partial(decoding.build, StoredUnit), body)


def forget(what: str | Iterable[str] | UnitFilter, bank: str, compact: bool) -> Call[Erasure]:
    """Erase."""
    body: dict[str, Json] = {"compact": compact}
    if isinstance(what, UnitFilter):
        body["filter"] = filter_shape(what)
    else:
        given = [what] if isinstance(what, str) else listed(what, "units")
        body["ids"] = [id_of(str(unit)) for unit in given]
    return Call("POST", _at(bank, "forget"), partial(decoding.build, Erasure), body)


def compact(bank: str) -> Call[str | None]:
    """Rewrite files."""
    return Call("POST", _at(bank, "compact"), _pending, {})


def sessions(bank: str) -> Call[list[Session]]:
    """The log."""
    return Call("GET", _at(bank, "sessions"), partial(decoding.listed, Session, "sessions"))


def session(name: str, at: datetime | None, bank: str, *, end: bool) -> Call[Session]:
    """Log a beginning or an end."""
    check_text(name, "session", NAME_CHARACTERS_MAX)
    moment_at = None if at is None else iso(check_moment(at, "at"))
    body: dict[str, Json] = {"name": name, "at": moment_at}
    where = _at(bank, "sessions", "end") if end else _at(bank, "sessions")
    return Call("POST", where, partial(decoding.build, Session), body)


def entities(containing: str | None, limit: int, offset: int, bank: str) -> Call[list[Entity]]:
    """List entities."""
    check_page(limit, offset)
    query = {"limit": str(limit), "offset": str(offset)}
    if containing is not None:
        query["containing"] = check_words(containing, "containing")
    read = partial(decoding.listed, Entity, "entities")
    return Call("GET", _at(bank, "entities"), read, query=query)


def _entity(bank: str, parts: Sequence[str], body: Mapping[str, Json]) -> Call[Entity]:
    return Call("POST", _at(bank, "entities", *parts), partial(decoding.build, Entity), body)


def alias_entity(entity: int, alias: str, bank: str) -> Call[Entity]:
    """Give an entity another name."""
    check_text(alias, "alias", NAME_CHARACTERS_MAX)
    check_number(entity, "entity")
    return _entity(bank, [str(entity), "alias"], {"alias": alias})


def merge_entities(keep: int, drop: int, bank: str) -> Call[Entity]:
    """Make two entities one."""
    check_number(keep, "entity")
    check_number(drop, "entity")
    return _entity(bank, ["merge"], {"keep": keep, "drop": drop})


def split_entity(entity: int, name: str, units: Sequence[str], bank: str) -> Call[Entity]:
    """Make one entity two."""
    check_text(name, "name", NAME_CHARACTERS_MAX)
    check_number(entity, "entity")
    chosen: list[Json] = [check_id(unit) for unit in listed(units, "units")]
    return _entity(bank, [str(entity), "split"], {"name": name, "units": chosen})


def relate(subject: str, relation: str, object: str, bank: str, given: RelationFields) -> Call[int]:
    """Tell a relation."""
    told = relation_of(subject, relation, object, given)
    check_relation(told)
    return Call("POST", _at(bank, "relations"), decoding.number, relation_to_json(told))


def relations(limit: int, offset: int, bank: str) -> Call[list[StoredRelation]]:
    """List relations."""
    check_page(limit, offset)
    query = {"limit": str(limit), "offset": str(offset)}
    return Call("GET", _at(bank, "relations"), decoding.relations, query=query)


def link(cause: str, effect: str, kind: LinkKind | str, weight: float, bank: str) -> Call[None]:
    """Tell a cause."""
    check_link(kind, weight)
    body: dict[str, Json] = {
        "cause": id_of(cause), "effect": id_of(effect), "kind": str(kind), "weight": weight,
    }  # fmt: skip
    return Call("POST", _at(bank, "links"), _nothing, body)


def links(unit: str, bank: str) -> Call[list[Link]]:
    """List links."""
    read = partial(decoding.listed, Link, "links")
    return Call("GET", _at(bank, "memories", id_of(unit), "links"), read)


def stats(bank: str) -> Call[Stats]:
    """Count."""
    return Call("GET", _at(bank, "stats"), partial(decoding.build, Stats))


def doctor(bank: str, fix: bool) -> Call[list[Finding]]:
    """Check."""
    read = partial(decoding.listed, Finding, "findings")
    return Call("POST", _at(bank, "doctor"), read, {"fix": fix})


def reembed(encoder: object, bank: str) -> Call[str]:
    """Begin to embed anew; the address of the task."""
    if not isinstance(encoder, str):
        raise BadInput("encoder", encoder, "Name one the server has; objects do not travel.")
    return Call("POST", _at(bank, "reembed"), decoding.task_address, {"encoder": encoder})


def task(address: str) -> Call[decoding.TaskState]:
    """How far a task is."""
    return Call("GET", address, decoding.task)


def imported(task: decoding.TaskState) -> Imported:
    """What an import did."""
    given = dict(task.result or {})
    problems = given.pop("problems", None)
    found = (
        [one for one in problems if isinstance(one, Mapping)] if isinstance(problems, list) else []
    )
    lines = tuple((int(str(one["line"])), str(one["reason"])) for one in found)
    return replace(decoding.build(Imported, {**given, "problems": []}), problems=lines)


def reembedded(task: decoding.TaskState) -> int:
    """How many units were embedded anew."""
    return decoding.whole((task.result or {}).get("units"))


def import_path(bank: str) -> str:
    """Where JSON lines are sent."""
    return _at(bank, "import")


def export_path(bank: str) -> str:
    """Where JSON lines come from."""
    return _at(bank, "export")


def keywords_of(options: RecallOptions | None, given: RecallKeywords) -> RecallKeywords:
    """Options and keywords as keywords."""
    chosen = options_of(given, options)
    kept = {one.name: getattr(chosen, one.name) for one in fields(chosen)}
    keywords: RecallKeywords = RecallKeywords(**kept)  # type: ignore[typeddict-item]
    return keywords
