"""Tells whether a text tells of something that will be otherwise from a day that it names."""

from __future__ import annotations

import re

from scrubjay.language.told_values import day_names, month_names

_DAYS = "|".join(sorted(day_names(), key=len, reverse=True))
# What is moved to another day or hour is planned anew, and that holds already.
_A_TIME = (
    rf"(?:the )?(?:\d|noon\b|midnight\b|(?:{_DAYS})\b|(?:{month_names()})\b|next\b|another day)"
)
_BEGINS = re.compile(
    r"\b(?:takes? over|taking over|becom(?:e|es|ing)"
    r"|(?:will be|is|are|'m|'re|am) "
    r"(?:switching|changing|migrating|moving|replacing|joining|leaving)"
    rf"(?! to {_A_TIME})"
    rf"|(?:switch|chang|migrat|relocat|mov)e?s (?:our \w+ |the \w+ )?(?:from|to|into|over|away)"
    rf"(?! {_A_TIME})"
    r"|will (?:switch|change|migrate|move|use|replace|join|have|run|manage|lead)"
    rf"(?! to {_A_TIME})"
    r"|will be .{0,80}\b(?:from|as of|starting|beginning|effective)\b"
    r"|(?:starts?|starting|begins?) as|replaces|succeeds|goes (?:up|down) to|rises to|falls to"
    r"|übernimmt|übernehmen|wird .{1,60} (?:ersetzen|übernehmen|leiten)|wechsel[nt]|umziehen|zieht"
    r"|ziehen|löst .{1,40} ab|steigt auf|sinkt auf|tritt .{1,40} an"
    r"|devient|deviendra|remplace(?:ra)?|passer?(?:a|ons)? (?:à|de)|prendra?|déménage(?:ra|ons)?"
    r"|reemplaza(?:rá)?|se muda(?:rá)?|nos mudamos|cambiamos|pasa(?:rá|remos|mos)? a"
    r"|será nuestr[oa]"
    r"|diventa|diventerà|sostituisce|passiamo a|si trasferisce"
    r"|substitui(?:rá)?|torna-se|passa(?:remos|mos)? a|mudamos|muda-se)\b",
    re.IGNORECASE,
)


def begins_then(text: str) -> bool:
    """Whether what a text tells is only so from the time it names: "Eva takes over on 3 May"."""
    return _BEGINS.search(text) is not None
