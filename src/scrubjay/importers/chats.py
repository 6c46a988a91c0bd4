"""Reads the exports of chat assistants: ChatGPT's and Claude's conversations and projects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from scrubjay.importers.bundle import Bundle
from scrubjay.importers.found import (
    Found,
    NotRead,
    Object,
    Read,
    Skipped,
    bounded,
    moment_in,
    object_in,
    text_in,
)
from scrubjay.importers.listing import Named, other_files, read_lists
from scrubjay.importers.transcripts import said_in
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

_TITLE_CHARACTERS_MAX = 500
_TOOL, _CLIENT, _NOTHING = "call of a tool, or its answer", "written by the client", "no text"


def is_chatgpt(bundle: Bundle) -> bool:
    """Conversations as trees of nodes."""
    return any('"mapping"' in bundle.head(name) for name in _conversations(bundle))


def is_claude(bundle: Bundle) -> bool:
    """Conversations as lists of messages."""
    return any('"chat_messages"' in bundle.head(name) for name in _conversations(bundle))


def _conversations(bundle: Bundle) -> list[str]:
    if len(bundle.names) == 1:
        return bundle.named(".json")
    return [
        name
        for name in bundle.named(".json")
        if name.rpartition("/")[2].startswith("conversations")
    ]


def read_chatgpt(bundle: Bundle) -> Iterator[Named]:
    """What was said on the branch of each conversation that is shown."""
    names = _conversations(bundle)
    yield from read_lists(bundle, names, lambda _, line, shape: _tree(line, shape))
    yield from other_files(bundle, names)


def _tree(line: int, conversation: Object) -> Iterator[Found]:
    session = conversation.get("conversation_id") or conversation.get("id")
    if not isinstance(session, str) or not session:
        raise NotRead("a conversation without 'conversation_id'")
    nodes = object_in(conversation, "mapping")
    shown = _branch(nodes, conversation.get("current_node"))
    at = moment_in(conversation, "create_time")
    title = _title(conversation.get("title"))
    for name in shown:
        node = nodes[name]
        message = node.get("message") if isinstance(node, Mapping) else None
        if message is None:  # the root of the tree
            continue
        if not isinstance(message, Mapping):
            raise NotRead(f"the message of node {name!r} is not an object")
        # Many messages have no time; they were said after the one before.
        at = moment_in(message, "create_time") or at
        author = object_in(message, "author").get("role")
        said, reason = _said_in_parts(message)
        if author not in ("user", "assistant"):
            yield Skipped(line, _TOOL if author == "tool" else _CLIENT)
        elif not said:
            yield Skipped(line, reason)
        else:
            key = f"chatgpt/{session}/{message.get('id') or name}"
            yield _turn(line, said, str(author), session, key, at, title)
    for _ in range(
        sum(_has_message(node) for node in nodes.values())
        - sum(_has_message(nodes[name]) for name in shown)
    ):
        yield Skipped(line, "on a branch of the conversation that was left")


def _has_message(node: Json) -> bool:
    return isinstance(node, Mapping) and node.get("message") is not None


def _branch(nodes: Object, last: Json) -> list[str]:
    """The names of the nodes from the root to the one that is shown."""
    if last is None and nodes:
        # Old exports do not say; the node that was written last is at the end of what is shown.
        last = max(nodes, key=lambda name: (_time_of(nodes[name]), name))
    names: list[str] = []
    seen: set[str] = set()
    at = last
    while at is not None:
        if not isinstance(at, str) or at not in nodes or at in seen:
            raise NotRead(f"a node that is not in its conversation, or twice: {at!r}")
        seen.add(at)
        names.append(at)
        node = nodes[at]
        if not isinstance(node, Mapping):
            raise NotRead(f"node {at!r} is not an object")
        at = node.get("parent")
    return names[::-1]


def _time_of(node: Json) -> float:
    message = node.get("message") if isinstance(node, Mapping) else None
    at = message.get("create_time") if isinstance(message, Mapping) else None
    return at if isinstance(at, int | float) else 0


def _said_in_parts(message: Object) -> tuple[str, str]:
    """What a message says, or why it says nothing."""
    content, metadata = object_in(message, "content"), message.get("metadata")
    if isinstance(metadata, Mapping) and metadata.get("is_visually_hidden_from_conversation"):
        return "", _CLIENT
    kind = content.get("content_type")
    if kind not in ("text", "multimodal_text"):
        return "", _TOOL if kind in ("code", "execution_output") else f"content of type {kind!r}"
    parts = content.get("parts")
    if not isinstance(parts, list):
        raise NotRead("'parts' is not a list")
    texts = [
        part if isinstance(part, str) else str(part.get("text") or "")
        for part in parts
        if isinstance(part, str | Mapping)
    ]
    return "\n".join(text for text in texts if text.strip()).strip(), _NOTHING


def read_claude(bundle: Bundle) -> Iterator[Named]:
    """What was said, what projects are about with their documents, and what Claude remembers."""
    names = _conversations(bundle)
    yield from read_lists(bundle, names, lambda _, line, shape: _messages(line, shape))
    projects = bundle.named("projects.json")
    yield from read_lists(bundle, projects, lambda _, line, shape: _project(line, shape))
    yield from other_files(bundle, [*names, *projects])


def _messages(line: int, conversation: Object) -> Iterator[Found]:
    session = text_in(conversation, "uuid")
    messages = conversation.get("chat_messages")
    if not isinstance(messages, list):
        raise NotRead("'chat_messages' is not a list")
    at = moment_in(conversation, "created_at")
    title = _title(conversation.get("name"))
    for message in messages:
        if not isinstance(message, Mapping):
            raise NotRead("a message is not an object")
        at = moment_in(message, "created_at") or at
        sender = message.get("sender")
        if sender not in ("human", "assistant"):
            raise NotRead(f"'sender' is {sender!r}, neither human nor assistant")
        said = _claude_text(message)
        if not said:
            yield Skipped(line, _NOTHING)
            continue
        speaker = "user" if sender == "human" else "assistant"
        key = f"claude/{session}/{text_in(message, 'uuid')}"
        yield _turn(line, said, speaker, session, key, at, title)


def _claude_text(message: Object) -> str:
    content = message.get("content")
    texts = [
        str(part.get("text") or "")
        for part in (content if isinstance(content, list) else [])
        if isinstance(part, Mapping) and part.get("type") == "text"
    ]
    whole = "\n".join(texts).strip()
    # Old exports have the text alone, new ones also what tools did, in it.
    return said_in(whole or str(message.get("text") or ""))


def _project(line: int, project: Object) -> Iterator[Found]:
    ident, name = text_in(project, "uuid"), _title(project.get("name"))
    at = moment_in(project, "created_at")
    for part in ("description", "prompt_template"):
        said = project.get(part)
        if isinstance(said, str) and said.strip():
            key = bounded(f"claude/project/{ident}/{part}")
            yield Read(line, Unit(said.strip(), context=name, told_at=at, key=key))
    documents = project.get("docs")
    for document in documents if isinstance(documents, list) else []:
        if not isinstance(document, Mapping):
            raise NotRead("a document is not an object")
        said, file = document.get("content"), document.get("filename")
        if not isinstance(said, str) or not said.strip():
            yield Skipped(line, _NOTHING)
            continue
        key = bounded(f"claude/project/{ident}/{text_in(document, 'uuid')}")
        metadata = {"file": file} if isinstance(file, str) else {}
        told = moment_in(document, "created_at") or at
        yield Read(line, Unit(said, context=name, told_at=told, key=key, metadata=metadata))


def _turn(
    line: int, said: str, speaker: str, session: str, key: str, at: datetime | None,
    title: str | None,
) -> Read:  # fmt: skip
    return Read(
        line,
        Unit(
            said, type="message", speaker=speaker, session=bounded(session), key=bounded(key),
            told_at=at, context=title,
        ),
    )  # fmt: skip


def _title(name: Json) -> str | None:
    """What a conversation is called, if it is."""
    return name.strip()[:_TITLE_CHARACTERS_MAX] if isinstance(name, str) and name.strip() else None
