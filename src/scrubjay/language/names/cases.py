"""The names that a word may be a case of, in languages that inflect names."""

from __future__ import annotations

from collections.abc import Mapping

# By language, folded endings and what stands in their place in the name itself. Written for names
# of people: "Kasi" and "Kasię" are Kasia, "Tomkiem" is Tomek, "Agnieszce" is Agnieszka.
_POLISH = {
    "i": ("ia", "a"), "y": ("a",), "e": ("a", "ia"), "ie": ("a", ""), "ii": ("ia",), "o": ("a",),
    "ce": ("ka",), "dze": ("ga",), "cie": ("ta", "t"), "dzie": ("da", "d"), "rze": ("ra", "r"),
    "a": ("",), "ka": ("ek",), "u": ("",), "ku": ("ek",), "owi": ("",), "kowi": ("ek",),
    "em": ("",), "iem": ("",), "kiem": ("ek", "k"), "skiego": ("ski",), "skiemu": ("ski",),
    "skim": ("ski",), "skiej": ("ska",),
}  # fmt: skip
_CZECH = {
    "y": ("a",), "e": ("a", ""), "u": ("a", ""), "ou": ("a",), "o": ("a",), "a": ("",),
    "ovi": ("", "a"), "em": ("",), "ka": ("ek",), "kovi": ("ek",), "kem": ("ek",), "ce": ("ka",),
    "ze": ("ga",), "i": ("",), "ove": ("ova",), "ovou": ("ova",), "om": ("a", ""),
}  # fmt: skip
_RUSSIAN = {
    "ы": ("а",), "и": ("а", "я"), "е": ("а", "я", ""), "у": ("а", ""), "ю": ("я", "и"),
    "ои": ("а",), "еи": ("я",), "а": ("",), "я": ("и", "ь"), "ом": ("",), "ем": ("и", "ь"),
    "ым": ("",), "ому": ("ыи",),
}  # fmt: skip
_FINNISH = dict.fromkeys(("n", "a", "ta", "lla", "lle", "lta", "ssa", "sta", "lta", "an"), ("",))
_CASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "pl": _POLISH, "cs": _CZECH, "sk": _CZECH, "hr": _CZECH, "sl": _CZECH, "sr": _CZECH,
    "ru": _RUSSIAN, "uk": _RUSSIAN, "fi": _FINNISH,
}  # fmt: skip

_LETTERS_MIN = 3  # of a name; shorter ones are made of anything
_ENDING_MAX = max(len(ending) for endings in _CASES.values() for ending in endings)


def base_forms(word: str, language: str) -> tuple[str, ...]:
    """The folded names that a folded word of a text in some language may be a case of."""
    endings = _CASES.get(language)
    if endings is None or " " in word:
        return ()
    found = (
        word[: len(word) - cut] + ending
        for cut in range(min(_ENDING_MAX, len(word) - 1), 0, -1)
        for ending in endings.get(word[-cut:], ())
    )
    return tuple(dict.fromkeys(name for name in found if len(name) >= _LETTERS_MIN))
