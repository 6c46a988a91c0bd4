"""Reads the elements of large JSON files one at a time, with the line each begins on."""

from __future__ import annotations

import codecs
import json
from collections.abc import Collection, Iterator
from typing import IO

from scrubjay.types.values import Json

_CHUNK_BYTES = 1 << 16
# One conversation; more of it would have to be held at once.
_ELEMENT_CHARACTERS_MAX = 128 << 20
_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n"


class BrokenJson(ValueError):
    """JSON that breaks off or is none, at a line."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line}: {reason}")


def elements(file: IO[bytes], within: Collection[str] = ()) -> Iterator[tuple[str, int, Json]]:
    """(list, line, element) of a file that is one list, or an object with some lists `within`.

    The list is "" where it is the whole file. What else an object holds is passed over. Raises
    BrokenJson at the place where it is no JSON, ends too early, or goes on after its end.
    """
    source = _Source(file)
    first = source.peek()
    if first == "[":
        yield from _listed(source, "")
    elif first == "{" and within:
        yield from _members(source, within)
    else:
        raise BrokenJson(source.line, f"neither a list nor an object with {', '.join(within)}")
    if source.peek():
        raise BrokenJson(source.line, "something stands after the end")


def _members(source: _Source, within: Collection[str]) -> Iterator[tuple[str, int, Json]]:
    source.take("{")
    while source.peek() != "}":
        _, name = source.value()
        source.take(":")
        if isinstance(name, str) and name in within and source.peek() == "[":
            yield from _listed(source, name)
        else:
            source.value()
        if source.peek() != "}":
            source.take(",")
    source.take("}")


def _listed(source: _Source, name: str) -> Iterator[tuple[str, int, Json]]:
    source.take("[")
    while source.peek() != "]":
        yield name, *source.value()
        if source.peek() != "]":
            source.take(",")
    source.take("]")


class _Source:
    """Text of a file as far as it was needed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._text, self._at, self._ended = file, "", 0, False
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self.line = 1

    def peek(self) -> str:
        """The next character that is no space, "" at the end."""
        while True:
            start = self._at
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            self.line += self._text.count("\n", start, self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(_CHUNK_BYTES):
                return ""

    def take(self, wanted: str) -> None:
        """Pass over one character, which must come next."""
        found = self.peek()
        if found != wanted:
            said = f"{found!r} where {wanted!r} should be" if found else "it ends too early"
            raise BrokenJson(self.line, said)
        self._at += 1

    def value(self) -> tuple[int, Json]:
        """The line and the value that come next."""
        self.peek()
        size = _CHUNK_BYTES
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
                # A number may go on in what is not read yet.
                if end < len(self._text) or not self._more(size):
                    line = self.line
                    self.line += self._text.count("\n", self._at, end)
                    self._at = end
                    return line, value
            except json.JSONDecodeError as error:
                if self._is_wrong(error) or not self._more(size):
                    line = self.line + self._text.count("\n", self._at, error.pos)
                    reason = "it ends too early" if self._ended else f"not JSON: {error.msg}"
                    raise BrokenJson(line, reason) from None
            except RecursionError:
                raise BrokenJson(self.line, "nested too deeply") from None
            # As much again each time, so that a long element is not read over and over.
            size *= 2

    def _is_wrong(self, error: json.JSONDecodeError) -> bool:
        """Whether more text cannot mend it."""
        if len(self._text) - self._at > _ELEMENT_CHARACTERS_MAX:
            return True
        near_the_end = error.pos >= len(self._text) - 16
        return not near_the_end and "Unterminated" not in error.msg

    def _more(self, size: int) -> bool:
        """Read on; False at the end of the file."""
        if self._ended:
            return False
        chunk = self._file.read(size)
        try:
            text = self._decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError:
            raise BrokenJson(self.line, "not UTF-8") from None
        self._ended = not chunk
        self._text, self._at = self._text[self._at :] + text, 0
        return bool(text) or not self._ended
