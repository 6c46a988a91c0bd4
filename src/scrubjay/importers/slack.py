"""Reads the export of a Slack workspace: what was said in each channel, by whom."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping

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
)
from scrubjay.importers.listing import Named, other_files, read_lists
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

_DAY = re.compile(r"(?:^|/)([^/]+)/\d{4}-\d{2}-\d{2}\.json$")
_PERSON = re.compile(r"<@([A-Z0-9]+)(?:\|([^>]*))?>")
_CHANNEL = re.compile(r"<#[A-Z0-9]+\|([^>]*)>")
_LINK = re.compile(r"<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>")
_SPECIAL = re.compile(r"<!([a-z]+)(?:\^[^|>]*)?(?:\|([^>]*))?>")
# Of what Slack itself writes into a channel, what somebody said.
_SAID = {None, "thread_broadcast", "me_message", "file_share", "bot_message", "reply_broadcast"}


def is_slack(bundle: Bundle) -> bool:
    """The people, and days of channels."""
    return bool(bundle.named("users.json")) and any(map(_DAY.search, bundle.names))


def read_slack(bundle: Bundle) -> Iterator[Named]:
    """Each message with its channel and thread as the session, people by their names."""
    people: dict[str, str] = {}
    for name in bundle.named("users.json"):
        whole = bundle.text(name)
        if isinstance(whole, Wrong):
            yield name, whole
            return
        try:
            people |= _people(json.loads(whole))
        except (ValueError, NotRead) as error:
            yield name, Wrong(getattr(error, "lineno", 1), f"not a list of users: {error}")
            return
    days = [name for name in bundle.names if _DAY.search(name)]
    for name in days:
        found = _DAY.search(name)
        channel = found[1] if found is not None else name
        yield from read_lists(
            bundle,
            [name],
            lambda _, line, shape, c=channel: _message(line, shape, c, people),  # type: ignore[misc]
        )
    yield from other_files(bundle, [*days, *bundle.named("users.json", "channels.json")])


def _people(users: Json) -> dict[str, str]:
    if not isinstance(users, list):
        raise NotRead("not a list")
    names = {}
    for user in users:
        if not isinstance(user, Mapping) or not isinstance(user.get("id"), str):
            raise NotRead("a user without 'id'")
        profile = user.get("profile")
        own = profile if isinstance(profile, Mapping) else {}
        name = own.get("real_name") or user.get("real_name") or own.get("display_name")
        names[str(user["id"])] = str(name or user.get("name") or user["id"])
    return names


def _message(line: int, shape: Object, channel: str, people: Mapping[str, str]) -> Iterator[Found]:
    stamp, text = shape.get("ts"), shape.get("text")
    if shape.get("type") != "message" or not isinstance(stamp, str):
        raise NotRead("a message without 'type' or 'ts'")
    if shape.get("subtype") not in _SAID:
        yield Skipped(line, "written by Slack")
        return
    if not isinstance(text, str) or not text.strip():
        yield Skipped(line, "no text")
        return
    who = shape.get("user") or shape.get("username") or shape.get("bot_id")
    thread = shape.get("thread_ts")
    session = f"#{channel}/{thread}" if isinstance(thread, str) else f"#{channel}"
    yield Read(
        line,
        Unit(
            _plain(text, people),
            type="message",
            speaker=bounded(people.get(str(who), str(who))) if who else None,
            session=bounded(session),
            context=f"#{channel}"[:2000],
            told_at=moment_in(shape, "ts"),
            key=bounded(f"slack/{channel}/{stamp}"),
        ),
    )


def _plain(text: str, people: Mapping[str, str]) -> str:
    """A message as it is read, without Slack's signs for people, channels and links."""
    text = _PERSON.sub(lambda at: people.get(at[1]) or at[2] or at[1], text)
    text = _CHANNEL.sub(lambda at: f"#{at[1]}", text)
    text = _LINK.sub(lambda at: f"{at[2]} ({at[1]})" if at[2] else at[1], text)
    text = _SPECIAL.sub(lambda at: at[2] or f"@{at[1]}", text)
    return html.unescape(text)
