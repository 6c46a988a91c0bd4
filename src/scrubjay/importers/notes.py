"""Reads and writes notes: Markdown with front matter, whose headings and links are structure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from pathlib import Path

from scrubjay.bank import Bank
from scrubjay.codec.compiled import encode_object
from scrubjay.errors import BadInput
from scrubjay.importers.bundle import Bundle
from scrubjay.importers.found import Found, NotRead, Object, Read, Skipped, Wrong, bounded
from scrubjay.importers.listing import Named, other_files
from scrubjay.importers.written_dates import DateOrder, moment_of
from scrubjay.private_files import make_private
from scrubjay.types.units import StoredUnit, Unit
from scrubjay.types.values import Json

_ENDINGS = (".md", ".markdown")
# What marks a note that `write_notes` wrote: it holds one unit, as it was.
_OURS = "scrubjay"
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_WIKI_LINK = re.compile(r"!?\[\[([^\]|#]*)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]")
_NOTE_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+\.md)(?:#[^)]*)?\)")
_TAG = re.compile(r"(?<![\w#&/])#([^\W\d][\w/-]*)")
_DATES = ("created", "created_at", "date", "updated", "updated_at", "modified")
_LINKED_MAX = 100


def is_markdown(bundle: Bundle) -> bool:
    """Notes, and perhaps pictures and the like beside them."""
    return bool(bundle.named(*_ENDINGS))


def read_markdown(bundle: Bundle) -> Iterator[Named]:
    """One unit for each part under a heading; where it stands in the note is its context."""
    notes = bundle.named(*_ENDINGS)

    @cache
    def order() -> DateOrder:
        """As all notes together tell it; they are only read for it where one leaves it open."""
        seen = DateOrder()
        for front in _fronts(bundle, notes):
            for date in _DATES:
                seen.see(front.get(date))
        return seen

    for name in notes:
        text = bundle.text(name)
        if isinstance(text, Wrong):
            yield name, text
            continue
        try:
            front, body, begins = _parted(text)
            found = (
                [_ours(front, body)]
                if _OURS in front
                else [*_parts(name, front, body, begins, order)]
            )
        except NotRead as error:
            yield name, Wrong(1, str(error))
            continue
        yield from ((name, one) for one in found)
        if not found:
            yield name, Skipped(1, "no text")
    yield from other_files(bundle, notes)


@dataclass(frozen=True, slots=True)
class _Part:
    """What stands under one heading, and under which."""

    headings: tuple[str, ...]
    text: str
    line: int


def _fronts(bundle: Bundle, notes: Iterable[str]) -> Iterator[Object]:
    for name in notes:
        text = bundle.text(name)
        with suppress(NotRead):
            yield {} if isinstance(text, Wrong) else _parted(text)[0]


def _parts(
    name: str, front: Object, body: str, begins: int, order: Callable[[], DateOrder]
) -> Iterator[Found]:
    title = front.get("title")
    own = title if isinstance(title, str) and title.strip() else Path(name).stem
    told, unread = _told_at(front, order)
    kept = {"tags", "tag", "title", "aliases", *_DATES}.difference(unread)
    metadata = {key: value for key, value in front.items() if key not in kept}
    seen: dict[str, int] = {}
    for part in _under_headings(body, begins):
        where = "/".join(part.headings)
        seen[where] = seen.get(where, 0) + 1
        again = f"~{seen[where]}" if seen[where] > 1 else ""
        text, linked = _without_links(part.text)
        # A note called after somebody is about them.
        headings = part.headings[1:] if part.headings[:1] == (own,) else part.headings
        tags = (*_tags(front), *_TAG.findall(part.text))
        yield Read(
            part.line,
            Unit(
                text,
                context=" > ".join((own, *headings))[:2000],
                entities=tuple(dict.fromkeys(map(bounded, linked)))[:_LINKED_MAX],
                tags=tuple(dict.fromkeys(map(bounded, tags)))[:_LINKED_MAX],
                told_at=told,
                metadata={"file": name, **metadata},
                key=bounded(f"markdown/{name}#{where}{again}"),
            ),
        )


def _under_headings(body: str, begins: int) -> Iterator[_Part]:
    headings: list[tuple[int, str]] = []
    lines: list[str] = []
    line, fenced = begins, False
    for number, text in enumerate([*body.splitlines(), None], begins):
        if text is not None and _FENCE.match(text):
            fenced = not fenced
        heading = _HEADING.match(text) if text is not None and not fenced else None
        if text is None or heading is not None:
            said = "\n".join(lines).strip()
            if said:
                yield _Part(tuple(title for _, title in headings), said, line)
            lines, line = [], number
        if heading is not None:
            depth = len(heading[1])
            headings = [*((d, title) for d, title in headings if d < depth), (depth, heading[2])]
        elif text is not None:
            lines.append(text)


def _without_links(text: str) -> tuple[str, list[str]]:
    """A text with the words of its links, and the notes that they lead to."""
    linked = [target.strip().rpartition("/")[2] for target, _ in _WIKI_LINK.findall(text)]
    linked += [Path(target.replace("%20", " ")).stem for _, target in _NOTE_LINK.findall(text)]
    text = _WIKI_LINK.sub(lambda link: (link[2] or link[1]).strip(), text)
    text = _NOTE_LINK.sub(lambda link: link[1], text)
    return text, [name for name in linked if name]


def _told_at(front: Object, order: Callable[[], DateOrder]) -> tuple[datetime | None, list[str]]:
    """The first time of a front matter, and what stands before it and cannot be read as one."""
    unread: list[str] = []
    for name in _DATES:
        value = front.get(name)
        if value in (None, ""):
            continue
        try:
            return moment_of(value, order), unread
        except NotRead:
            # A front matter is anybody's; a time without its zone is no time we can place.
            unread.append(name)
    return None, unread


def _tags(front: Object) -> list[str]:
    found: list[str] = []
    for name in ("tags", "tag"):
        given = front.get(name)
        listed = given if isinstance(given, list) else str(given or "").replace(",", " ").split()
        found += [str(tag).lstrip("#") for tag in listed if str(tag).strip()]
    return found


def _parted(text: str) -> tuple[dict[str, Json], str, int]:
    """The front matter, the body, and the line on which it begins."""
    if not text.startswith(("---\n", "---\r\n")):
        return {}, text, 1
    head, found, body = text.partition("\n---")
    if not found:
        raise NotRead("front matter that does not end: '---' is missing")
    # What follows the closing line is the body, to the letter.
    rest, _, body = body.partition("\n")
    if rest.strip():
        raise NotRead("front matter that does not end: '---' is missing")
    return _front_matter(head.splitlines()[1:]), body, head.count("\n") + 3


def _front_matter(lines: list[str]) -> dict[str, Json]:
    """Names and values, as notes have them: one a line, lists in brackets or indented below.

    It is less than YAML, which notes do not need; what it does not know stays text.
    """
    front: dict[str, Json] = {}
    name = ""
    for line in lines:
        item = re.match(r"\s*-\s+(.*)$", line)
        pair = re.match(r"([\w -]+?)\s*:(?:\s+(.*))?$", line)
        if item is not None and name:
            known = front.get(name)
            front[name] = [*(known if isinstance(known, list) else []), _value(item[1])]
        elif pair is not None and not line.startswith((" ", "\t")):
            name = pair[1].strip().lower()
            front[name] = _value(pair[2] or "")
        elif line.strip() and not line.lstrip().startswith("#") and name:
            front[name] = f"{front.get(name) or ''} {line.strip()}".strip()
    return front


def _value(text: str) -> Json:
    text = text.strip()
    try:
        read: Json = json.loads(text)
    except ValueError:
        read = None
    # A bare number is as often a name.
    if isinstance(read, str | list | dict | bool):
        return read
    if text.startswith("[") and text.endswith("]") and not text.startswith("[["):
        return [part.strip().strip("\"'") for part in text[1:-1].split(",") if part.strip()]
    return text.strip("\"'")


# What a note keeps of a unit; links between units, and ids, are in JSON lines alone.
_KEPT = tuple(
    one.name for one in fields(Unit) if one.name not in ("text", "id", "causes", "relations")
)


def write_notes(bank: Bank, folder: Path) -> int:
    """Write every unit as a note of its own into a new or empty folder; how many.

    What waits to be approved is written as well, and says so.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput("folder that is not empty", str(folder), "Give a new one.")
    make_private(folder)
    written = 0
    for unit in _all_units(bank):
        (folder / f"{unit.id}.md").write_text(_note(unit), encoding="utf-8", newline="")
        written += 1
    return written


def _all_units(bank: Bank) -> Iterator[StoredUnit]:
    cursor: str | None = None
    while True:
        page = bank.list(cursor=cursor, limit=_PAGE)
        yield from page.units
        cursor = page.cursor
        if cursor is None:
            break
    waited = 0
    while waiting := bank.pending(limit=_PAGE, offset=waited).units:
        yield from waiting
        waited += len(waiting)


_PAGE = 500


def _note(unit: StoredUnit) -> str:
    shape = encode_object(unit)
    head = [f"{_OURS}: {json.dumps(unit.id)}", *(["pending: true"] if unit.pending else ())]
    for name in _KEPT:
        value = shape.get(name)
        if value not in (None, [], {}):
            head.append(f"{name}: {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(["---", *head, "---", unit.text])


def _ours(front: Mapping[str, Json], body: str) -> Found:
    from scrubjay.codec.compiled import decode
    from scrubjay.errors import ScrubjayError

    said = {name: front[name] for name in _KEPT if name in front}
    try:
        unit = decode(Unit, {"text": body, **said}, "note")
        return Read(1, unit, pending=front.get("pending") is True)
    except ScrubjayError as error:
        raise NotRead(str(error)) from None
