"""Texts that look for what costs more than its length: one pattern each, as long as asked for."""

from __future__ import annotations

from collections.abc import Callable

Pattern = Callable[[int], str]


def repeated(piece: str) -> Pattern:
    return lambda length: (piece * (length // len(piece) + 1))[:length]


def behind(opening: str, piece: str, ending: str = "") -> Pattern:
    """A piece repeated between an opening and an ending that comes once."""

    def make(length: int) -> str:
        room = max(1, length - len(opening) - len(ending))
        return opening + repeated(piece)(room) + ending

    return make


def nested(opening: str, closing: str) -> Pattern:
    return lambda length: (
        opening * (length // (len(opening) + len(closing)))
        + closing * (length // (len(opening) + len(closing)))
    )


def counted(separator: str) -> Pattern:
    """Numbers that never repeat, so that no cache or set helps; none can be a year."""

    def make(length: int) -> str:
        return separator.join(str(n) for n in range(10_000, 10_000 + length // 2))[:length]

    return make


def whole_words(text: str, length: int) -> str:
    """The text cut in front of a word: half of one may be another word, such as "an"."""
    return text[: length + 1].rpartition(" ")[0] if " " in text else text[:length]


def worded(template: str, separator: str = " ") -> Pattern:
    """A template filled with another number each time, none of which can be a year."""

    def make(length: int) -> str:
        numbers = range(10_000, 10_001 + length // 4)
        return whole_words(separator.join(template.format(n) for n in numbers), length)

    return make


def spelled(template: str, separator: str = " ") -> Pattern:
    """A template filled with another word of letters each time."""

    def make(length: int) -> str:
        def word(n: int) -> str:
            letters = ""
            while n:
                n, rest = divmod(n, 5)
                letters += "qxzjv"[rest]  # no word of any language
            return letters or "q"

        words = (template.format(word(n)) for n in range(length // 4 + 1))
        return whole_words(separator.join(words), length)

    return make


# Pieces repeated back to back.
_REPEATED = {
    "dotted digits": "1.",
    "dotted version": "1.4.7.9.",
    "dashed digits": "1-",
    "slashed digits": "1/",
    "colon digits": "1:",
    "underscored digits": "1_",
    "apostrophed digits": "1'",
    "comma digits": "1,",
    "thousands": "1,000,",
    "plus digits": "1+",
    "ampersand letters": "a&",
    "at letters": "a@",
    "dotted letters": "a.",
    "dotted words": "ab.",
    "dashed letters": "a-",
    "dashed words": "ab-",
    "slashed letters": "a/",
    "backslashed words": "ab\\",
    "colon letters": "a:",
    "scheme after scheme": "a://",
    "underscored letters": "a_",
    "apostrophed letters": "a'",
    "possessives glued": "a's",
    "possessives in a row": "a's ",
    "elisions": "l'",
    "contractions": "n't",
    "mixed joints": "a.b-c'd@e/f:g+h&i_",
    "capital run": "A",
    "small run": "a",
    "digit run": "1",
    "underscore run": "_",
    "camel humps": "aB",
    "camel words": "fooBar",
    "capital words": "Ab",
    "capitalised words": "Ab ",
    "capitals and dots": "A.",
    "capitals, dots and spaces": "A. ",
    "capitals joined by and": "Ana & ",
    "capitals joined by of": "Ana of ",
    "capitals joined by particles": "Ana van der ",
    "particles": "van der ",
    "titles": "Mr. ",
    "titles without stops": "Dr ",
    "and and": "and ",
    "comma and": ", and ",
    "who who": "who ",
    "who that": "who that ",
    "of of": "of ",
    "friend of": "friend of ",
    "whose": "x's y's ",
    "double quotes": '"',
    "quoted letters": '"a" ',
    "single quotes": "'",
    "backticks": "`",
    "fences": "```",
    "fenced letters": "``` a ",
    "brackets": "(",
    "closing brackets": ")",
    "markers": "<memory ",
    "chat markers": "<|",
    "dates": "2024-01-02 ",
    "dates glued": "2024-01-02",
    "slashed dates": "1/2/2024 ",
    "stamps": "2024-01-02t10:00:00z ",
    "times": "10:30 ",
    "months": "January ",
    "months and days": "March 3rd ",
    "may may": "may ",
    "weekdays": "Friday ",
    "weekdays in a list": "Friday, ",
    "years": "2019 ",
    "years in a list": "2019 and ",
    "last last": "last ",
    "last week": "last week ",
    "the day before": "the day before ",
    "the week after": "the week after the ",
    "days ago": "3 days ago ",
    "ago ago": "ago ",
    "days days": "days ",
    "two two": "two ",
    "twenty twenty": "twenty ",
    "first of the": "the first Monday of ",
    "between": "between ",
    "from to": "from May to ",
    "since since": "since ",
    "since we talked": "since we last talked ",
    "will did": "will did last week ",
    "will did sentences": "We will go Friday. We did go Monday. ",
    "next friday at five": "next Friday at 5 ",
    "recently": "recently ",
    "christmas": "Christmas ",
    "because": "because ",
    "because of": "because of ",
    "because it": "it broke because it fell ",
    "led to": "it led to ",
    "it made me": "It made me feel ",
    "so that is": ", so it is ",
    "but but": " but ",
    "the reason": "the reason ",
    "well so and": "well so and ",
    "name comma": "Ana, ",
    "being being": "is ",
    "which that": " which that and",
    "commas": ", ",
    "comma dash": ",-",
    "why why": "why ",
    "what did it": "what did it ",
    "how did it": "how did it ",
    "do you like": "do you ",
    "would would": "would ",
    "what is A": "what is A ",
    "is is very": "is very ",
    "is too": "is very so really ",
    "finds finds": "finds ",
    "views views": "views ",
    "I have": "I have ",
    "newlines": "\n",
    "spaces": " ",
    "tabs": "\t",
    "spaced newlines": " \n",
    "lines": "a\n",
    "headings": "# a\n",
    "hashes": "#",
    "hash words": "#a",
    "bold": "**a**",
    "stars": "*",
    "open bold": "**a",
    "bullets": "- a: ",
    "bullet lines": "- a\n",
    "full stops": ".",
    "spaced stops": ". ",
    "sentences": "A. b? c! ",
    "question marks": "?",
    "dashes": "-",
    "minus words": "-ab ",
    "minus quotes": '-"a b" ',
    "slashes": "/",
    "paths": "/a",
    "dotted paths": "../",
    "home paths": "~/a.b/",
    "files": "a.py",
    "files in folders": "a/b.c",
    "mail addresses": "a@b.c ",
    "mail without end": "a.b+c-d@",
    "web addresses": "http://a/c?d=e.f&",
    "web addresses in a row": "https://a.example/b ",
    "www": "www.",
    "hex": "0f",
    "hex dashes": "0f0f0f0f-0f0f-",
    "base64": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODk+/",
    "percent escapes": "%20",
    "handles": "@a",
    "codes": "OPS-1",
    "snake": "a_b",
    "json": '{"a":[1,{"b":',
    "han": "王",
    "han title": "王先生",
    "han called": "名字叫",
    "han books": "《王",
    "han dates": "二十",
    "han time": "去年今天",
    "kana": "あ",
    "katakana honorifics": "アさん",
    "hangul": "가",
    "hangul honorifics": "가나씨 ",
    "japanese dates": "昨日の",
    "thai": "ก",
    "arabic": "ا",
    "hebrew": "א",
    "right to left marks": "\u202ea",
    "combining marks": "\u0301",
    "letters with marks": "e\u0301",
    "one letter, many marks": "\u0301\u0300",
    "zero width": "\u200b",
    "joiners": "\u200d",
    "emoji": "😀",
    "emoji family": "👨\u200d👩\u200d👧",
    "flags": "🇳🇱",
    "accented capitals": "Éa ",
    "sharp s": "ß",
    "turkish i": "İ",
    "ligatures": "ﬁ",
    "full width": "ＡＢ１",
    "expanding": "ﷺ",
    "russian": "что это ",
    "german": "und das ist ",
    "devanagari": "क्",
}

PATTERNS: dict[str, Pattern] = {
    **{name: repeated(piece) for name, piece in _REPEATED.items()},
    "a plan with many days": behind("We booked it for ", "3 May, on "),
    "a verb behind adverbs": behind("It is ", "now not booked on 3 May "),
    "a perfect without a participle": repeated("ich habe am 3. Mai "),
    "moved and moved again": repeated("moved from 3 May to "),
    "a relation without an end": repeated("Ana works for Nordlok and "),
    "whose relative is whose": repeated("my sister Ana's husband "),
    "she and she again": repeated("she lives in Bergen, who "),
    "a predicate without an object": repeated("moved from the old "),
    "counted by dots": counted("."),
    "counted by dashes": counted("-"),
    "counted by slashes": counted("/"),
    "counted by colons": counted(":"),
    "counted by underscores": counted("_"),
    "counted by spaces": counted(" "),
    "counted by commas": counted(", "),
    "versioned": worded("v1.{0}.2"),
    "numbered names": worded("Ana{0}"),
    "numbered codes": worded("OPS-{0}"),
    "numbered sentences": worded("Ana{0} met Bob{0}.", " "),
    "numbered owners": worded("Ana{0}'s"),
    "spelled words": spelled("{0}"),
    "spelled names": spelled("X{0} Y{0}", ", "),
    "spelled compound": spelled("{0}", "-"),
    "spelled path": spelled("{0}", "/"),
    "spelled sentences": spelled("Then X{0} left.", " "),
    "spelled doubts": spelled("X{0}.", " "),
    "excluded and asked": spelled("-x{0} y{0}"),
    "quoted pairs": spelled('"x{0} y{0}"'),
    "bold names": spelled("**X{0}**"),
    "shared first names": spelled("Ana X{0}, Ana"),
    "possessives on one word": behind("a", "'s"),
    "elisions on one word": behind("", "qu'", "ab"),
    "humps before an accent": behind("", "aB", "é"),
    "every word a capital": behind("", "What Is A ", " x"),
    "asking about capitals": behind("", "Tell Me About A ", "'s"),
    "marks out of order": behind("a", "\u0301\u0316"),
    "half-width marks": behind("a", "\u0301\uff9e"),
    "separators and causes": repeated("a;" * 240 + " because" * 19 + ". "),
    "version with a tail": behind("", "1.", "a"),
    "letters with a tail": behind("", "a.", "1"),
    "word with a tail": behind("", "a", "'s b's c"),
    "word without an end": behind("a", "b", "@"),
    "one marked word": behind("", "a", "'s"),
    "apostrophe tail": behind("", "'", "s"),
    "spaces with a tail": behind("a", " ", "b"),
    "newlines with a tail": behind("a", "\n", "b"),
    "who with a tail": behind("who ", "a ", "?"),
    "who that without an end": behind("who ", "that", " "),
    "of with a tail": behind("friends of ", "a ", "of"),
    "how did it come": behind("how did ", "a ", "come"),
    "sees without as": behind("she sees ", "a ", ""),
    "finds without end": behind("finds ", "x very ", ""),
    "introduction": behind("Ana ", "of Ana ", " is a"),
    "introduction of capitals": behind("Ana ", "Bob ", " wasn"),
    "parenthesis": behind("Ana (", "a ", " is a"),
    "open quote": behind('"', "a ", ""),
    "open fence": behind("```", "a ", ""),
    "year tail": behind("", "last ", "year"),
    "month tail": behind("", "the day before ", "March"),
    "joined dates": behind("March 3", ", 2019", ""),
    "clause without end": behind("it broke because ", "a ", ""),
    "clause without start": behind("", "a ", "because it fell"),
    "brackets nested": nested("(", ")"),
    "quotes nested": nested("“", "”"),
    "braces nested": nested("{", "}"),
    "corner brackets nested": nested("「", "」"),
    "capitals joined": repeated("We-"),
}
