"""A backend of Anthropic's memory tool: its files live in a bank, found by what they say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from scrubjay.bank import Bank
from scrubjay.errors import ExtraMissing
from scrubjay.integrations.documents import Documents
from scrubjay.types.values import Json

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool
    from anthropic.types.beta import (
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )
except ModuleNotFoundError as error:
    raise ExtraMissing("anthropic", error.name or "anthropic") from error

_ROOT = PurePosixPath("/memories")
_SNIPPET_LINES = 4
_LISTED_DEPTH = 2


class ScrubjayMemoryTool(BetaAbstractMemoryTool):
    """The memory tool over a bank of its own: `client.beta.messages.tool_runner(tools=[...])`.

    A file is one memory of up to 64 kB with its path as key; `bank.recall` finds it by its words.
    A mistake is answered in words, for the model to try again.
    """

    def __init__(self, bank: Bank) -> None:
        super().__init__()
        self._documents = Documents(bank)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """A file with its lines numbered, or what is in a directory."""
        path = _inside(command.path)
        text = self._read(path)
        if text is None:
            return self._listed(path)
        lines = text.split("\n")
        first, last = command.view_range or (1, -1)
        end = len(lines) if last == -1 else last
        shown = [
            f"{number:6}\t{line}" for number, line in enumerate(lines, 1) if first <= number <= end
        ]
        return "\n".join([f"Here's the content of {path} with line numbers:", *shown])

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """A new file."""
        path = _inside(command.path)
        if self._read(path) is not None:
            raise FileExistsError(f"Error: File {path} already exists")
        self._write(path, command.file_text)
        return f"File created successfully at: {path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Another text in place of one that stands in a file once."""
        path, text = self._file(command.path)
        old, new = command.old_str, command.new_str or ""
        if not old or (count := text.count(old)) == 0:
            return (
                f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
            )
        if count > 1:
            rows = [n for n, line in enumerate(text.split("\n"), 1) if old.split("\n")[0] in line]
            return (
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
                f"{', '.join(map(str, rows))}. Please ensure it is unique"
            )
        changed = text.replace(old, new)
        self._write(path, changed)
        return f"The memory file has been edited.\n{_around(changed, text.index(old))}"

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """A text after a line; 0 is before the first."""
        path, text = self._file(command.path)
        lines, at = text.split("\n"), command.insert_line
        if not 0 <= at <= len(lines):
            raise ValueError(
                f"Error: Invalid `insert_line` parameter: {at}. It should be within the range of "
                f"lines of the file: [0, {len(lines)}]"
            )
        lines[at:at] = command.insert_text.removesuffix("\n").split("\n")
        self._write(path, "\n".join(lines))
        return f"The file {path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """No file, or no directory with all that is in it, any more."""
        path = _inside(command.path)
        if path == _ROOT:
            raise ValueError("Error: Cannot delete the /memories directory itself")
        for one in self._existing(path):
            self._documents.delete(str(one))
        return f"Successfully deleted {path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """A file, or a directory, at another path, where nothing is yet."""
        old, new = _inside(command.old_path), _inside(command.new_path)
        found = self._existing(old)
        if self._read(new) is not None or any(self._below(new)):
            return f"Error: The destination {new} already exists"
        for one in found:
            self._write(new / one.relative_to(old), self._read(one) or "")
            self._documents.delete(str(one))
        return f"Successfully renamed {old} to {new}"

    def clear_all_memory(self) -> str:
        """Erase every file."""
        for one in [*self._below(_ROOT)]:
            self._documents.delete(str(one))
        return "All memory cleared"

    def _read(self, path: PurePosixPath) -> str | None:
        unit = self._documents.get(str(path))
        return None if unit is None else str(unit.metadata["content"])

    def _file(self, given: str) -> tuple[PurePosixPath, str]:
        path = _inside(given)
        text = self._read(path)
        if text is None:
            raise FileNotFoundError(_missing(path))
        return path, text

    def _write(self, path: PurePosixPath, text: str) -> None:
        folders = tuple(str(folder) for folder in path.parents if folder.is_relative_to(_ROOT))
        content: dict[str, Json] = {"content": text, "indexed": bool(text.strip())}
        self._documents.put(str(path), text.strip() or path.name, content, folders)

    def _below(self, folder: PurePosixPath) -> Iterator[PurePosixPath]:
        return (PurePosixPath(str(unit.key)) for unit in self._documents.all(str(folder)))

    def _existing(self, path: PurePosixPath) -> list[PurePosixPath]:
        found = [path] if self._read(path) is not None else [*self._below(path)]
        if not found:
            raise FileNotFoundError(_missing(path))
        return found

    def _listed(self, folder: PurePosixPath) -> str:
        files = sorted(self._below(folder))
        if not files and folder != _ROOT:
            raise FileNotFoundError(_missing(folder))
        sizes: dict[PurePosixPath, int] = {folder: 0}
        for path in files:
            size = len((self._read(path) or "").encode())
            for place in (path, *path.parents):
                if place.is_relative_to(folder):
                    sizes[place] = sizes.get(place, 0) + size
        shown = [
            f"{size}\t{place}"
            for place, size in sorted(sizes.items())
            if len(place.relative_to(folder).parts) <= _LISTED_DEPTH
        ]
        said = f"Here're the files and directories up to {_LISTED_DEPTH} levels deep in {folder}:"
        return "\n".join([said, *shown])


def _inside(given: str) -> PurePosixPath:
    """A path below /memories; ValueError for one that leads anywhere else."""
    path = PurePosixPath(given)
    if ".." in path.parts or "#" in given or not path.is_relative_to(_ROOT):
        raise ValueError(f"Error: Path {given} must be inside /memories, without '..' and '#'")
    return path


def _missing(path: PurePosixPath) -> str:
    return f"The path {path} does not exist. Please provide a valid path."


def _around(text: str, at: int) -> str:
    """The lines around a change, numbered."""
    row = text[:at].count("\n")
    lines = [*enumerate(text.split("\n"), 1)]
    first = max(0, row - _SNIPPET_LINES)
    return "\n".join(f"{number:6}\t{line}" for number, line in lines[first : row + _SNIPPET_LINES])
