"""Tells what a question with a time asks for: what was said then, or whatever there is then."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from scrubjay.language.stopwords import WORDS_FOLDER, language_words, read_lists

_WORD = re.compile(r"\w+")

# "What did we decide in March": the time is that of the telling.
_TELLING = re.compile(
    r"\b(?:"
    # English
    r"sa(?:y|ys|id|ying)|t(?:ell|ells|old|elling)|mention\w*|not(?:e|es|ed|ing)|report(?:ed|s)?"
    r"|wr(?:ite|ites|ote|itten)|record(?:ed|s)?|decid\w+|agree[ds]?|announce\w*|promis\w+"
    r"|discuss\w*|talk\w*|hear|heard|ask(?:ed)?|complain\w*|suggest\w*"
    r"|sp(?:eak|eaking|oke|oken)|chat(?:s|ted|ting)?|conversations?|br(?:ing|ought) up"
    # German
    r"|sag(?:e|st|te|test|ten)|gesagt|(?:er)?zähl(?:e|st|t|te|test|ten)|erzählen|erwähn\w+"
    r"|berichte\w*|notier\w+|schr(?:eib|ieb)\w*|geschrieben|be(?:spr[aeio]ch|spricht)\w*"
    r"|spr[aeio]ch\w*|gesprochen|rede(?:n|t|te|ten)|geredet|diskutier\w+|unterhalten|unterhielten"
    r"|beschl(?:oss|ieß)\w*|entsch(?:eid|ied)\w*|vereinbar\w+|verspr[aeio]ch\w*|frag(?:te|ten|st)"
    r"|gefragt|angekündigt|vorgeschlagen|beschwert\w*"
    # French
    r"|di(?:s|t|te|tes|re|sais|sait|saient)|racont\w+|parl(?:er|é\w*|ais|ait|ions|ons|es?|ent)"
    r"|mentionn\w+|discut\w+|not(?:er|ée?s?)|écri(?:t|te|s|re|v\w+)|décid\w+|annonc\w+|promettre"
    r"|demand(?:er|ée?s?|ais|ait)|convenu\w*|rapport(?:er|ée?s?)|propos(?:er|ée?s?)|plaint"
    # Spanish
    r"|dij\w+|d(?:ecir|icho|ecía\w*)|cont(?:é|ó|ar|aste|aron|ado)|habl\w+|mencion\w+|coment\w+"
    r"|anot\w+|escrib\w+|escrito|anunci\w+|promet\w+|pregunt\w+|acord(?:é|ó|amos|aron|ado)"
    r"|suger\w+|quej\w+"
    # Italian
    r"|dett[oaie]|diss(?:i|e|ero)|dic(?:o|evo|eva|evano)|raccont\w+|parl(?:o|i|a|ò|iamo|a[tv]\w+)"
    r"|menzion\w+|scri(?:tt|v|ss)\w+|decis[oaie]|annunci\w+|promess\w+|chiest\w+|propost\w+"
    # Portuguese
    r"|diss(?:este|emos|eram)|dizer|dizia\w*|cont(?:ei|ou|ámos)|fal(?:ar|ei|ou|[aá]mos|aram|aste)"
    r"|falad[oa]|falava\w*|convers\w+|escrev\w+|pergunt\w+|combin(?:ei|ou|[aá]mos|ado)"
    r")\b",
    re.IGNORECASE,
)


def asks_for_telling(question: str) -> bool:
    """Whether a question asks for what was said, written or agreed on."""
    return _TELLING.search(question) is not None


def asks_whats_on(beside: str) -> bool:
    """Whether a question, without its time, asks for nothing but what there is at that time.

    "What's on", "any plans for", "was steht an": all its words are such of one language.
    """
    words = {word.casefold() for word in _WORD.findall(beside)}
    return any(words <= known for known in _asking().values())


@cache
def _asking() -> Mapping[str, frozenset[str]]:
    lists = read_lists(WORDS_FOLDER / "whats_on.txt")
    stop = {language: language_words()[language].stop for language in lists}
    return MappingProxyType(
        {language: stop[language].union(words) for language, words in lists.items()}
    )
