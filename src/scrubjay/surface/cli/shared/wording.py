"""Says an error in the words of whoever typed a command: its options, not keywords of Python."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.errors import BadInput, ScrubjayError, shorten
from scrubjay.surface.wording import in_commands

# Where an option has another name than what it sets.
_RENAMED = {"relation_class": "--class"}
# A name alone, or one with an underscore anywhere; other words are English.
_NAME = re.compile(r"^(?:\w+\.)?([a-z_]+)$|\b([a-z]+(?:_[a-z]+)+)\b")


def in_options(error: ScrubjayError, arguments: Sequence[str]) -> str:
    """What an error says, with the options among `arguments` by their own names."""
    message = str(error)
    if isinstance(error, BadInput):
        typed = {argument.partition("=")[0] for argument in arguments}

        def named(word: re.Match[str]) -> str:
            name = word[1] or word[2]
            option = _RENAMED.get(name, "--" + name.replace("_", "-"))
            return option if option in typed else word[0]

        message = f"{_NAME.sub(named, error.what)}: {shorten(error.value)}. {error.remedy}"
    return in_commands(message)
