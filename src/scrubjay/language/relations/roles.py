"""What people are called by what they are to somebody: "my sister", "the landlord"."""

from __future__ import annotations

from scrubjay.language.relations.lexicon import Lexicon, lexicon_for, rules_for

# Says who bears a role, and who the user is.
IS = "is"

# Roles looked up for one text.
_ROLES_MAX = 8


def role_phrases(text: str, *, asked: bool = False) -> dict[str, str]:
    """The roles a text, or a question, speaks of, each in its usual form, and as it is written."""
    if "kin" not in rules_for(text):
        return {}
    words = lexicon_for(text)
    found: dict[str, str] = {}
    for match in words.role.finditer(text):
        role = role_of(match["owner"], match["head"], words, meant=asked)
        if role is not None:
            found.setdefault(role, match.group())
            if len(found) == _ROLES_MAX:
                break
    # "Mum rang": a name in all but the list.
    for called in words.calling.findall(text):
        found.setdefault(words.callings[called], called)
    return found


def role_of(owner: str, head: str, words: Lexicon, *, meant: bool = True) -> str | None:
    """The usual form of a role; None for someone else's relative, who is no role of ours.

    A relative is the user's own; who works for somebody is "the dentist" to everyone.
    """
    relative = head.casefold()
    while relative not in words.kin and " " in relative:
        relative = relative.partition(" ")[2]
    if relative in words.kin:
        # "The cat" is ours where it is asked for or named; much is told of cats that are not, and
        # "the sister" may be anyone's.
        owned = words.kin[relative] == "owned by" and owner.casefold() in words.article
        if not (meant and owned) and owner.casefold() not in words.self_owner:
            return None
        return f"{min(words.self_owner)} {words.same.get(relative, relative)}"
    lasting = [word for word in head.split() if word.casefold() not in words.passing]
    return f"the {' '.join(lasting)}" if lasting else None
