"""Finds the names that no capital letter shows: addresses, codes, and scripts without case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from scrubjay.language.alternatives import any_of
from scrubjay.language.names.everyday import looks_everyday
from scrubjay.language.names.lists import TECHNICAL_NOUNS, TECHNICAL_PARTS

# Nearly every text has none of these; one scan for them is cheaper than one failed match per word,
# and one for each is cheaper than one for all. A search skips to the capital of a hump; to a small
# letter there is nothing to skip.
_SIGN, _POINT, _HUMP = map(re.compile, (r"[0-9@/_#`]", r"\.\w", r"[A-Z](?<=[a-z].)"))
# The last part of a compound that may be a service's, a host's or a package's name.
_TAILS = rf"{any_of(sorted(TECHNICAL_PARTS | TECHNICAL_NOUNS))}\b"
_TAIL = re.compile("-" + _TAILS)
# And where a text has some, only the words around them can be identifiers: none holds a space.
_MARKED = re.compile(r"[\d@/_#`]|\.\S|[a-z][A-Z]|-" + _TAILS)
# Behind a word, what the expression looks at: the sign of "40000 %".
_BEHIND = 2

_FILE_ENDINGS = (
    "py|pyi|js|ts|tsx|jsx|json|jsonl|yaml|yml|toml|ini|cfg|md|rst|txt|csv|tsv|html|css|sql|sh|rs|go|"
    "java|kt|c|h|cpp|hpp|cs|rb|php|swift|ipynb|xml|log|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|zip|gz"
)
_DOMAINS = "com|org|net|dev|io|app|cloud|local|internal|lan|de|fr|nl|be|uk|eu|ch|es|pl|se|ca|co|ai"
_BRANCHES = "fix|feat|feature|bugfix|hotfix|chore|release|refactor"
_IDENTIFIER = re.compile(
    rf"""
    (?:https?://|www\.)[^\s<>"'()\[\]{{}}，。、）】」]+(?<![.,;:!?])           # web address
  | (?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+                                 # mail address
  | (?<![\w@./])@[A-Za-z_][\w-]*(?:\.[\w-]+)*                                # handle
  | (?<![\w&\#/])\#(?:[A-Za-z][\w-]+|\d+)                                    # channel, issue number
  | (?<![\w/.:~])(?:~|\.{{1,2}})?/(?:[\w.@+-]+/)+[\w.@+-]*(?<![.,])          # path
  | (?<![\w/.-])[\w-]+(?:/[\w.-]+)*\.(?:{_FILE_ENDINGS})(?![\w./-]\w)        # file
  | (?<![\w.-])[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}(?!\w)     # UUID
  | (?<![\w.-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{{7,64}}(?![\w-])    # hash
  | (?<![\w.,-])v?\d+(?:\.\d+){{2,3}}(?:-[\w.]+)?(?![\w.]?\w)                # version, IP address
  | (?<![\w.,-])v\d+(?:\.\d+)*(?!\w)
  | (?<![\w.-])[A-Za-z]\w*(?:-\w+)*-\w*\d[\w-]*(?<!-)                        # OPS-1204, prod-us-2
  | (?<![\w.-])[a-z][a-z0-9]+(?:\.\w{{1,40}}){{0,3}}\.[a-z0-9]+_\w+(?!\.\w)      # rit.end_ts
  | (?<![\w.-])(?:\d{{1,8}}_)?[A-Za-z]\w*_\w+                                  # snake_case
  | (?<![\w.@/-])(?:[a-z][a-z0-9-]+\.)+(?:{_DOMAINS})(?![\w-]|\.\w)          # host
  | (?<![\w.@/-])(?:[a-z][a-z0-9-]+\.){{2,}}[a-z][a-z0-9-]+(?![\w-]|\.\w)      # host.of.ours
  | (?<![\w.@/-])(?:{_BRANCHES})/[\w.]+[-_][\w.-]+(?<![.-])                              # branch
  | (?<=`)(?=[\w@][^\s`]*[^\W\d_])[\w@][\w.:@/+-]{{2,63}}(?=`)                 # `code`
  | (?<![\w.@/-])[a-z][a-z0-9]+(?:-[a-z0-9]+)+(?![\w-]|\.\w)                 # pedaal-api
  | (?<![\w.-])[a-z]{{3,}}[A-Z][A-Za-z0-9]*                                  # camelCase
  | (?<![\w.,$€£¥+/:-])\d{{5,}}(?![\w,:/-]|\.\d|\s?%)                        # badge, order number
    """,
    re.VERBOSE,
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_HAN = r"[\u4e00-\u9fff]"
# The hundred-odd surnames that nine in ten Chinese people bear.
_SURNAME = (
    "[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈"
    "姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔汤]"
)
_POLITE = "(?:先生|女士|小姐|老师|医生|教授|经理|同学|师傅|阿姨|叔叔)"
_DEPARTMENT = "(?:営業|経理|人事|総務|開発|技術|広報|企画|法務|財務|製造|販売|研究|担当)"
_JAPANESE = r"[\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc]"
_CJK_NAME = re.compile(
    rf"(?:名字(?:叫|是|为)|姓名(?:是|为|：)|名叫|叫做|[我他她]叫)(?P<called>{_SURNAME}{_HAN}{{1,2}}(?!{_HAN}))"
    rf"|(?P<polite>{_SURNAME}(?:{_HAN}{{1,2}}?(?={_POLITE})|{_POLITE}))"
    rf"|(?P<japanese>{_HAN}{{2,4}}|[\u30a1-\u30fa\u30fc]{{2,8}})(?=さん|様|くん|ちゃん|先輩)"
    # A title, where it is not that of a department; and "is called". Only Japanese has kana.
    rf"|(?<!{_HAN})(?P<titled>(?!{_DEPARTMENT}){_HAN}{{2,3}})(?=(?:部長|課長|社長|係長|店長|先生|教授|氏|君)[\u3041-\u3096])"
    rf"|(?:名前は|名は)(?P<named>{_JAPANESE}{{1,8}}?)(?=です|だ|といい|と言い|と申し|。|、|$)"
    rf"|[はが](?P<told>{_JAPANESE}{{1,8}}?)(?=といいます|と言います|と申します|という名|と呼ばれ|と呼んで)"
    r"|(?P<korean>[\uac00-\ud7af]{2,4})(?= ?[씨님](?:[가는은이를의도와께]|[^\uac00-\ud7af]|$))"
    r"|《(?P<book>[^》\s][^》\n]{0,30})》|『(?P<film>[^』\s][^』\n]{0,30})』"
)
# What stands in backticks and is a value.
_LITERALS = frozenset(("null", "nil", "none", "true", "false", "undefined"))
_PREFIX_MAX = 3  # letters of "co-", "non-", "pre-"
# Words of which it is remembered what they hold, at two hundred bytes each.
_CACHED_WORDS_MAX = 16_384
_CACHED_CHARACTERS_MAX = 40
_YEAR = re.compile(r"(?:1[89]|20)\d\d(?:s|ish)?")
# "kp-db1", "kf-broker2"
_NUMBERED = re.compile(r"[a-z]+-[a-z]{2,}\d{1,4}")
_SMALL_NUMBER = re.compile(r"[a-z]+-(?:\w*[a-z]\w*|\d{1,2}\w*)")


def find_identifiers(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the identifiers in a text, in order, not overlapping."""
    if not (_TAIL.search(text) or _SIGN.search(text) or _POINT.search(text) or _HUMP.search(text)):
        return
    for start, end in _marked_words(text):
        word = text[start:end]
        spans = _cached_spans(word) if len(word) <= _CACHED_CHARACTERS_MAX else _spans(word)
        for first, last in spans:
            yield start + first, start + last


def _spans(word: str) -> tuple[tuple[int, int], ...]:
    """Where the identifiers of a marked word stand."""
    return tuple(
        match.span() for match in _IDENTIFIER.finditer(word) if not _is_plain(match.group())
    )


# Most are compounds of everyday words that come again and again.
_cached_spans = lru_cache(_CACHED_WORDS_MAX)(_spans)


def _marked_words(text: str) -> Iterator[tuple[int, int]]:
    """Where the words that may be identifiers stand, each with the signs behind it."""
    mark = _MARKED.search(text)
    while mark is not None:
        start = text.rfind(" ", 0, mark.start()) + 1
        end = text.find(" ", mark.end())
        end = len(text) if end < 0 else end
        yield start, min(end + _BEHIND, len(text))
        mark = _MARKED.search(text, end)


def _is_plain(found: str) -> bool:
    """Whether this is an everyday word, or a compound of some: "mid-2022", "top-10"."""
    if found.isalpha() and found.islower():
        return found in _LITERALS or looks_everyday(found)
    if "-" not in found or not found.islower():
        return "-" in found and _YEAR.fullmatch(found.rpartition("-")[2]) is not None
    if found.replace("-", "").isalpha():
        return not _is_technical(found.split("-"))
    if found.count("-") > 1 or not found[0].isalpha():
        return False
    if _NUMBERED.fullmatch(found) is not None:
        return all(looks_everyday(part.rstrip("0123456789")) for part in found.split("-"))
    return _SMALL_NUMBER.fullmatch(found) is not None or bool(
        _YEAR.fullmatch(found.partition("-")[2])
    )


def _is_technical(parts: Sequence[str]) -> bool:
    """Whether the parts of a compound make the name of a service, a host or a package."""
    if parts[-1] in TECHNICAL_PARTS:
        return True
    if parts[-1] not in TECHNICAL_NOUNS:
        return False
    told = (part for part in parts[:-1] if len(part) > _PREFIX_MAX or part in TECHNICAL_PARTS)
    return any(part in TECHNICAL_PARTS or not looks_everyday(part) for part in told)


def find_cjk_names(text: str) -> Iterator[tuple[int, int, str]]:
    """Spans and kinds of the Chinese, Japanese and Korean names that a cue gives away.

    Cues are "is called", an honorific behind the name, and the brackets of a title; without one
    a name is not told from the words around it, and the bank's alias table has to know it.
    """
    if text.isascii() or _CJK.search(text) is None:
        return
    for match in _CJK_NAME.finditer(text):
        group = match.lastgroup or ""
        yield *match.span(group), "name" if group in ("book", "film") else "person"


# A word of a script without capitals, at most so many of a text, of lengths that names have.
_UNCASED_MAX = 32
_HAN_PREFIXES = (2, 3, 4)
_UNCASED_WORD = re.compile(
    r"(?P<han>[\u4e00-\u9fff]{2,6})(?=[^\u4e00-\u9fff]|$)"
    r"|(?P<kana>[\u30a1-\u30fa\u30fc]{2,8})|(?P<hangul>[\uac00-\ud7af]{2,6})"
)
# What Korean appends to a name.
_APPENDED_KOREAN = re.compile(
    "(?:씨|님)?(?:에게서|한테서|에게|한테|께서|이랑|으로|은|는|이|가|을|를|의|도|와|과|랑|로|께)$"
)


def uncased_words(text: str) -> list[str]:
    """Words of a text that its script shows no name by, and that the alias table may know."""
    if text.isascii() or _CJK.search(text) is None:
        return []
    found: dict[str, None] = {}
    for match in _UNCASED_WORD.finditer(text):
        word = match.group()
        found[word] = None
        if match.lastgroup == "han":
            found |= dict.fromkeys(word[:length] for length in _HAN_PREFIXES)
        elif match.lastgroup == "hangul":
            found[_APPENDED_KOREAN.sub("", word) or word] = None
        if len(found) >= _UNCASED_MAX:
            break
    return list(found)[:_UNCASED_MAX]
