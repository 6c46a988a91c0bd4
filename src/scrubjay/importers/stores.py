"""Reads what other memories export: mem0, the MCP memory server, Hindsight."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence

from scrubjay.importers.bundle import Bundle
from scrubjay.importers.found import (
    Found,
    NotRead,
    Object,
    Read,
    Skipped,
    Wrong,
    bounded,
    moment_in,
    text_in,
)
from scrubjay.importers.listing import Named, other_files, read_lines, read_lists
from scrubjay.types.graph import CAUSAL_KINDS, Cause, LinkKind, Relation
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

_MEM0_LISTS = ("results", "memories", "relations")


def is_mem0(bundle: Bundle) -> bool:
    """Memories under `results`, each with its text in `memory`."""
    names = bundle.named(".json")
    return len(names) == 1 and '"memory"' in bundle.head(names[0])


def read_mem0(bundle: Bundle) -> Iterator[Named]:
    """Memories with their times, categories, owners; and the relations of a graph."""
    names = bundle.named(".json")
    yield from read_lists(bundle, names, _mem0, _MEM0_LISTS)
    yield from other_files(bundle, names)


def _mem0(inside: str, line: int, shape: Object) -> Iterator[Found]:
    if inside == "relations":
        target = "destination" if "destination" in shape else "target"
        ends = [text_in(shape, name) for name in ("source", "relationship", target)]
        yield _related(line, "mem0", ends[0], ends[1], ends[2])
        return
    owners: dict[str, Json] = {
        name: shape[name] for name in ("user_id", "agent_id", "app_id") if shape.get(name)
    }
    own = shape.get("metadata")
    run = shape.get("run_id")
    yield Read(
        line,
        Unit(
            text_in(shape, "memory"),
            key=bounded(f"mem0/{text_in(shape, 'id')}"),
            told_at=moment_in(shape, "updated_at", "created_at"),
            tags=_names_in(shape, "categories"),
            session=bounded(run) if isinstance(run, str) and run else None,
            metadata={**(own if isinstance(own, Mapping) else {}), **owners},
        ),
    )


def is_mcp_memory(bundle: Bundle) -> bool:
    """JSON lines of entities and relations."""
    first = first_object(bundle)
    return first.get("type") in ("entity", "relation") and ("name" in first or "from" in first)


def read_mcp_memory(bundle: Bundle) -> Iterator[Named]:
    """Each observation of an entity, and each relation, as a memory that says so."""
    yield from read_lines(bundle, bundle.names, _mcp_memory)


def _mcp_memory(_: str, line: int, shape: Object) -> Iterator[Found]:
    kind = shape.get("type")
    if kind == "relation":
        ends = [text_in(shape, name) for name in ("from", "relationType", "to")]
        yield _related(line, "mcp-memory", ends[0], ends[1], ends[2])
        return
    if kind != "entity":
        raise NotRead(f"a line of type {kind!r}, neither entity nor relation")
    name = text_in(shape, "name")
    sort = shape.get("entityType")
    tags = (bounded(sort),) if isinstance(sort, str) and sort.strip() else ()
    observed = shape.get("observations")
    if not isinstance(observed, list):
        raise NotRead("'observations' is not a list")
    for said in observed:
        if not isinstance(said, str):
            raise NotRead("an observation is not text")
        if not said.strip():
            yield Skipped(line, "no text")
            continue
        # What is observed seldom says of whom.
        text = said if name.casefold() in said.casefold() else f"{name}: {said}"
        key = f"mcp-memory/{name}/{_digest(said)}"
        yield Read(line, Unit(text, entities=(bounded(name),), tags=tags, key=bounded(key)))
    if not observed:
        text = f"{name} is a {sort}." if tags else name
        key = bounded(f"mcp-memory/{name}")
        yield Read(line, Unit(text, entities=(bounded(name),), tags=tags, key=key))


def is_hindsight(bundle: Bundle) -> bool:
    """A manifest, and documents by number."""
    return any('"source_bank_id"' in bundle.head(name) for name in bundle.named("manifest.json"))


def read_hindsight(bundle: Bundle) -> Iterator[Named]:
    """Facts with their times, names, tags and causes; of documents without any, their text."""
    documents = [name for name in bundle.named(".json") if "documents/" in name]
    for name in documents:
        whole = bundle.text(name)
        if isinstance(whole, Wrong):
            yield name, whole
            continue
        try:
            shape = json.loads(whole)
        except json.JSONDecodeError as error:
            yield name, Wrong(error.lineno, f"not JSON: {error.msg}")
            continue
        try:
            yield from ((name, found) for found in _document(shape))
        except NotRead as error:
            yield name, Wrong(1, str(error))
    yield from other_files(bundle, documents)


_FACT_TYPES = {"world": "fact", "experience": "experience", "opinion": "opinion"}


def _document(shape: object) -> Iterator[Found]:
    if not isinstance(shape, Mapping):
        raise NotRead("a document is not an object")
    ident, facts = text_in(shape, "id"), shape.get("facts")
    if not isinstance(facts, list):
        raise NotRead("'facts' is not a list")
    at = moment_in(shape, "created_at")
    if not facts:
        text = shape.get("original_text")
        if isinstance(text, str) and text.strip():
            key = bounded(f"hindsight/{ident}")
            yield Read(1, Unit(text, key=key, told_at=at, tags=_names_in(shape, "tags")))
        else:
            yield Skipped(1, "document without facts or text")
    for place, fact in enumerate(facts):
        if not isinstance(fact, Mapping):
            raise NotRead(f"facts[{place}] is not an object")
        kind = fact.get("fact_type")
        context, own = fact.get("context"), fact.get("metadata")
        start, end = moment_in(fact, "occurred_start"), moment_in(fact, "occurred_end")
        yield Read(
            1,
            Unit(
                text_in(fact, "text"),
                type=_FACT_TYPES.get(kind) if isinstance(kind, str) else None,
                context=context if isinstance(context, str) and context.strip() else None,
                occurred_start=start,
                occurred_end=end if start is not None else None,
                told_at=moment_in(fact, "mentioned_at", "created_at", "event_date") or at,
                entities=_names_in(fact, "entities"),
                tags=_names_in(fact, "tags"),
                metadata=own if isinstance(own, Mapping) else {},
                causes=tuple(_causes(ident, fact, place)),
                key=_fact_key(ident, place),
            ),
        )


def _fact_key(document: str, place: int) -> str:
    return bounded(f"hindsight/{document}/{place}")


def _causes(document: str, fact: Object, place: int) -> Iterator[Cause]:
    found = fact.get("causal_relations")
    for one in found if isinstance(found, list) else []:
        target = one.get("target_fact_index") if isinstance(one, Mapping) else None
        kind = one.get("relation_type") if isinstance(one, Mapping) else None
        if not isinstance(target, int) or not 0 <= target < place or kind not in CAUSAL_KINDS:
            raise NotRead(f"facts[{place}] has a cause that is no earlier fact: {one!r}")
        yield Cause(_fact_key(document, target), LinkKind(str(kind)))


def first_object(bundle: Bundle) -> Mapping[str, Json]:
    """What the first line of the only file says, if it is a JSON object."""
    if len(bundle.names) != 1:
        return {}
    for line in bundle.head(bundle.names[0], 1 << 20).splitlines():
        if line.strip():
            try:
                shape = json.loads(line)
            except ValueError:
                return {}
            return shape if isinstance(shape, dict) else {}
    return {}


def _related(line: int, kind: str, subject: str, relation: str, target: str) -> Read:
    said = relation.replace("_", " ")
    key = bounded(f"{kind}/relation/{_digest(json.dumps([subject, relation, target]))}")
    told = Relation(bounded(subject), bounded(relation), bounded(target))
    return Read(line, Unit(f"{subject} {said} {target}.", relations=(told,), key=key))


def _names_in(shape: Object, name: str) -> tuple[str, ...]:
    given = shape.get(name)
    names: Sequence[Json] = given if isinstance(given, list) else []
    return tuple(
        dict.fromkeys(bounded(one) for one in names if isinstance(one, str) and one.strip())
    )


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
