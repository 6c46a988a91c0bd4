"""Tells what a user wants in general from what they want of this project, task or choice."""

from __future__ import annotations

import re

# What says by itself that it is meant for wherever one works.
_EVERYWHERE = re.compile(
    r"\b(?:in (?:all|every)(?: of)?(?: my)? (?:projects?|repos?|repositor(?:y|ies))|everywhere)\b",
    re.IGNORECASE,
)


def is_lasting(text: str) -> bool:
    """Whether a message is a preference of the user that holds in every repository.

    What is known of one repository only may be wrong, or none of another's business, in the next:
    where it is not sure, it is not lasting.
    """
    return _EVERYWHERE.search(text) is not None
