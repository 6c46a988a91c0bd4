"""What an agent's client can show beside the tools: resources to look at, prompts to begin with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from scrubjay.errors import BadInput, NotFound
from scrubjay.prompt_text import quoted, render_units
from scrubjay.surface.mcp.banks import Banks
from scrubjay.surface.mcp.opening import LazyMemory
from scrubjay.types.filters import UnitFilter

_URI = re.compile(r"scrubjay://([^/]+)(?:/(session/)?([^/]+))?")
_SHOWN = 50
_REMEDY = "Give scrubjay://BANK, scrubjay://BANK/ID or scrubjay://BANK/session/NAME."

# What a client may fill in, by the name of what is looked at.
TEMPLATES = {
    "bank": ("scrubjay://{bank}", "The newest sessions of a bank, and what it holds."),
    "memory": ("scrubjay://{bank}/{id}", "One memory."),
    "session": ("scrubjay://{bank}/session/{name}", "What was said in a conversation."),
}


@dataclass(frozen=True, slots=True)
class Opening:
    """A prompt: what it asks for, of what, and the words."""

    about: str
    argument: str
    words: str


PROMPTS = {
    "what_do_you_know": Opening(
        "What is remembered about somebody or something.",
        "about",
        "Recall what the memory holds about {given}, and tell me: what is certain, what changed, "
        "and what is only said once. Cite ids. Say so if nothing relevant is remembered.",
    ),
    "what_changed": Opening(
        "What is new or different since a day.",
        "since",
        "List what was told since {given} (the tool `list` with told=[{given}, null]) and the open "
        "conflicts. Tell me what is new, what replaces what, and what I should decide. Cite ids.",
    ),
}


def address_of_bank(bank: str) -> str:
    """The resource of a bank."""
    return f"scrubjay://{quote(bank, safe='')}"


def read_resource(memory: LazyMemory, offered: Banks, uri: str) -> str:
    """What stands at an address; NotFound for what is not there, or in a bank not offered."""
    found = _URI.fullmatch(uri)
    if found is None:
        raise BadInput("resource", uri, _REMEDY)
    bank, in_session, name = unquote(found[1]), found[2], found[3]
    if offered and bank not in offered:
        known = ", ".join(map(repr, offered))
        raise NotFound("no such bank", bank, f"This server offers {known}.")
    reading = memory.reading()
    if name is None:
        lines = [f"{bank}: {reading.info(bank=bank).units} memories"]
        sessions = reading.sessions(bank=bank)[-_SHOWN:][::-1]
        lines += [f"{quoted(one.name)}: {one.units} memories, {one.last_at:%Y-%m-%d}"
                  for one in sessions]  # fmt: skip
        return "\n".join(lines)
    if in_session is None:
        return render_units([reading.get(unquote(name), bank=bank)])
    said = reading.list(UnitFilter(session=unquote(name)), limit=_SHOWN, bank=bank).units
    if not said:
        raise NotFound("no such session", unquote(name), "Look at the bank for its sessions.")
    return render_units(said)


def prompt_words(name: str, given: dict[str, str] | None) -> str:
    """The words of a prompt with what was filled in."""
    if name not in PROMPTS:
        raise BadInput("no such prompt", name, f"There are {', '.join(PROMPTS)}.")
    opening = PROMPTS[name]
    value = (given or {}).get(opening.argument, "")
    if not value.strip():
        raise BadInput(opening.argument, value, "Fill it in.")
    return opening.words.format(given=value)
