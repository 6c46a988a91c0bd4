"""The style guide as tests: layers, cycles, names, SQL, hosts, and tests that test something.

A change that breaks the shape of the project fails here, with the line and the remedy. Sizes are
advice: `python -m tests.test_tidy` prints them. Every module is parsed once; none is imported.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "scrubjay"

MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
PARAMETERS_MAX = 7
FOLDER_MODULES_MAX = 12

# Sugar over Bank, and commands whose options Typer reads from their parameters.
MANY_PARAMETERS = ("memory.py", "async_memory.py", "bank_forms.py", "surface/cli/")

BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}

GROUND = {
    "answers", "bank_names", "codec", "defaults", "entity_names", "errors", "forking", "later",
    "limits", "marks", "messages", "observing", "onnx_import", "patience", "planning", "preset",
    "private_files", "prompt_text", "settings", "trace", "turns", "types", "undoing",
}  # fmt: skip
# What the ground floor's own folders stand on: `types` is between these and the rest of it.
BEDROCK = {"errors", "limits", "marks"}
FACADE = {
    "administration", "async_bank", "async_memory", "backend", "bank", "bank_forms", "deprecated",
    "memory",
}  # fmt: skip

STORES = ("embedded/", "postgres/")

# Beside itself, an area may import only the areas on its right.
MAY_IMPORT = {
    "scrubjay": {"facade", "encoder", "ground"},  # __init__.py: the public names
    # `scrubjay models` looks after model files, which no bank knows of.
    "surface": {"integrations", "importers", "facade", "operations", "encoder", "ground"},
    # Adapters of other programs stand on what every caller has.
    "integrations": {"importers", "facade", "ground"},
    # Reads files into units, and tells them to a bank as any caller does.
    "importers": {"facade", "engine", "ground"},
    "client": {"facade", "remote", "ground"},
    # Memory.open takes a server's address too.
    "facade": {"remote", "operations", "engine", "store", "encoder", "ground"},
    "remote": {"operations", "engine", "ground"},
    "operations": {"engine", "store", "encoder", "language", "ground"},
    "testing": {"encoder", "ground"},
    "engine": {"store", "encoder", "language", "ground"},
    "store": {"ground"},
    "encoder": {"ground"},
    "language": {"ground"},
    "ground": set[str](),
}

STAGES = {"retain", "parse", "plan", "retrieve", "fuse", "rerank", "budget"}
COMPOSERS = {
    "answer", "explaining", "read_path", "run", "toolbox", "transfer", "upkeep", "write_path",
}  # fmt: skip

# A statement, not a word: PRAGMA, VACUUM and BEGIN are the connection's business.
STATEMENT = re.compile(
    r"\s*(?:SELECT\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s"
    r"|REPLACE\s+INTO\s|WITH\s+\w+\s+AS\s|(?:CREATE|DROP|ALTER)\s+(?:TABLE|INDEX)\s)"
)

URL_HOST = re.compile(r"\bhttps?://(?:[^/@\s]*@)?(\[[0-9a-f:]*|[A-Za-z0-9.-]+)")
BARE_HOST = re.compile(r"\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|ai|dev|edu|gov)\b", re.IGNORECASE)
# Loopback, and the names that are reserved for documentation.
HARMLESS_HOST = re.compile(
    r"\[::1|127\.0\.0\.\d+|[a-z0-9-]*|(?:.+\.)?(?:example\.(?:com|org|net)|example|invalid|test"
    r"|localhost)",
    re.IGNORECASE,
)
TEXT_SUFFIXES = {
    "", ".cfg", ".css", ".csv", ".html", ".js", ".json", ".jsonl", ".md", ".py", ".sh", ".sql",
    ".toml", ".tsv", ".txt", ".yaml", ".yml",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Module:
    """One parsed file; `place` is its path inside the package or the tests."""

    path: Path
    place: str
    source: str
    tree: ast.Module

    def at(self, line: int, finding: str) -> str:
        return f"{self.path.relative_to(ROOT)}:{line}: {finding}"


@cache
def modules_of(folder: Path) -> tuple[Module, ...]:
    found = []
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        found.append(Module(path, path.relative_to(folder).as_posix(), source, ast.parse(source)))
    return tuple(found)


def dotted(place: str) -> tuple[str, ...]:
    parts = place.removesuffix(".py").split("/")
    return tuple(parts[:-1] if parts[-1] == "__init__" else parts)


def area_of(parts: tuple[str, ...]) -> str:
    first = parts[0] if parts else "scrubjay"
    if first in GROUND:
        return "ground"
    return "facade" if first in FACADE else first


def part_of_engine(parts: tuple[str, ...]) -> str | None:
    return parts[1] if len(parts) > 1 and parts[0] == "engine" else None


def imports(module: Module) -> Iterator[tuple[int, tuple[str, ...]]]:
    """(line, dotted path inside the package) of everything imported from it."""
    for node in ast.walk(module.tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            # `from scrubjay.engine import budget` imports engine.budget.
            deeper = origin.removeprefix("scrubjay").strip(".").replace(".", "/")
            is_folder = (PACKAGE / deeper).is_dir()
            names = [f"{origin}.{alias.name}" for alias in node.names] if is_folder else [origin]
        for name in names:
            head, *rest = name.split(".")
            if head == "scrubjay" and isinstance(node, ast.Import | ast.ImportFrom):
                yield node.lineno, tuple(rest)


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = function.args
    names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return sum(argument.arg not in ("self", "cls") for argument in names)


def docstrings(tree: ast.Module) -> set[int]:
    """The ids of the string nodes that are docstrings."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr):
                found.add(id(first.value))
    return found


def test_layers_point_downward() -> None:
    findings = []
    for module in modules_of(PACKAGE):
        own = area_of(dotted(module.place))
        assert own in MAY_IMPORT, f"{module.path}: give the new area {own!r} a line in MAY_IMPORT"
        for line, other in imports(module):
            area = area_of(other)
            if area != own and area not in MAY_IMPORT[own]:
                findings.append(module.at(line, f"{own} must not import {area}"))
    assert not findings, "\n".join(findings)


def test_stages_know_neither_each_other_nor_the_paths_that_compose_them() -> None:
    findings = []
    for module in modules_of(PACKAGE):
        own = part_of_engine(dotted(module.place))
        if own not in STAGES:
            continue
        for line, other in imports(module):
            part = part_of_engine(other)
            if part != own and part in STAGES | COMPOSERS:
                findings.append(module.at(line, f"stage {own} must not import {part}"))
    assert not findings, "\n".join(findings)


def test_every_stage_is_in_the_tree() -> None:
    present = {path.stem for path in (PACKAGE / "engine").iterdir()}
    assert present >= STAGES | COMPOSERS


def folder_of(parts: tuple[str, ...]) -> str:
    """The folder of a module; those at the top are told apart by their area."""
    if (PACKAGE / "/".join(parts)).is_dir():
        return "/".join(parts) or "scrubjay"
    top = "bedrock" if parts[0] in BEDROCK else area_of(parts)
    return "/".join(parts[:-1]) or top


def folder_imports() -> dict[str, dict[str, str]]:
    """By folder, the folders it imports from, with one place where it does."""
    graph: dict[str, dict[str, str]] = {}
    for module in modules_of(PACKAGE):
        own = folder_of(dotted(module.place))
        for line, other in imports(module):
            folder = folder_of(other)
            if folder != own:
                graph.setdefault(own, {}).setdefault(folder, module.at(line, f"imports {folder}"))
    return graph


def cycle_in(graph: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The places that close a cycle of folders, empty without one."""
    left = {folder: dict(others) for folder, others in graph.items()}
    # What imports nothing that is left is on no cycle.
    while ends := {f for others in left.values() for f in others if not left.get(f)}:
        left = {
            folder: {other: place for other, place in others.items() if other not in ends}
            for folder, others in left.items()
            if folder not in ends
        }
    seen: list[str] = []
    at = next((folder for folder, others in left.items() if others), None)
    while at is not None and at not in seen:
        seen.append(at)
        at = next(iter(left[at]))
    start = seen.index(at) if at is not None else 0
    return [next(iter(left[folder].values())) for folder in seen[start:]]


def test_folders_do_not_import_in_circles() -> None:
    cycle = cycle_in(folder_imports())
    assert not cycle, "move what both need below both:\n" + "\n".join(cycle)


def test_a_circle_is_found() -> None:
    graph = {"a": {"b": "a-b"}, "b": {"c": "b-c", "d": "b-d"}, "c": {"b": "c-b"}, "d": {}}
    assert sorted(cycle_in(graph)) == ["b-c", "c-b"]
    assert not cycle_in({"a": {"b": "a-b", "c": "a-c"}, "b": {"c": "b-c"}})


# Presets are keyed by the names of retrievers; links and relations may be semantic too.
KNOW_RETRIEVER_NAMES = {
    "engine/presets.py",
    "types/graph.py",
    "surface/cli/commands/connections.py",
}


def retriever_modules() -> dict[str, str]:
    """Where each built-in retriever is made, by its name."""
    return {
        argument.value: module.place
        for module in modules_of(PACKAGE)
        if module.place.startswith("engine/retrieve/")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Retriever"
        for argument in node.args[:1]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def test_a_retrievers_name_is_known_in_its_own_module_alone() -> None:
    homes = retriever_modules()
    assert len(homes) >= 4
    findings = []
    for module in modules_of(PACKAGE):
        # A vector index is a graph too.
        above_stores = area_of(dotted(module.place)) not in ("store", "encoder", "language")
        retrieving = module.place.startswith("engine/retrieve/")
        for node in ast.walk(module.tree):
            name, line = None, getattr(node, "lineno", 1)
            if isinstance(node, ast.Constant) and module.place not in KNOW_RETRIEVER_NAMES:
                name = node.value
            elif isinstance(node, ast.Attribute) and above_stores and not retrieving:
                name = node.attr
            if isinstance(name, str) and homes.get(name, module.place) != module.place:
                findings.append(module.at(line, f"{name}: iterate over the retrievers instead"))
        if not retrieving:
            findings += [
                module.at(line, "import the registry, not one of its retrievers")
                for line, other in imports(module)
                if "/".join(other) + ".py" in homes.values()
            ]
    assert not findings, "\n".join(findings)


def test_neither_store_imports_the_other() -> None:
    findings = [
        module.at(line, f"what both stores need lives in store/shared, not in {other[1]}")
        for module in modules_of(PACKAGE / "store")
        for line, other in imports(module)
        if module.place.startswith(STORES)
        and other[:1] == ("store",)
        and f"{'/'.join(other[1:])}/".startswith(STORES)
        and other[1] != module.place.split("/")[0]
    ]
    assert not findings, "\n".join(findings)


def test_modules_say_what_they_are_for() -> None:
    silent = [
        module.at(1, "no docstring; say in one sentence what it is for")
        for module in modules_of(PACKAGE)
        if not ast.get_docstring(module.tree)
    ]
    assert not silent, "\n".join(silent)


def size_advice(lines_max: int, modules_max: int) -> list[str]:
    """Modules and folders that are large; one idea in one place may be."""
    lines = {module.place: module.source.count("\n") for module in modules_of(PACKAGE)}
    return [
        *(
            f"{place}: {n} lines; is there a second idea?"
            for place, n in lines.items()
            if n > lines_max
        ),
        *(
            f"{folder}/: {n} modules; do some belong together?"
            for folder, n in modules_by_folder().items()
            if n > modules_max
        ),
    ]


def test_large_modules_and_folders_are_named() -> None:
    assert len(size_advice(0, 0)) > len(size_advice(MODULE_LINES_MAX, FOLDER_MODULES_MAX))
    assert not size_advice(100_000, 1_000)


def test_functions_are_short() -> None:
    findings = [
        module.at(function.lineno, f"{function.name} has {length_of(function)} lines; split it")
        for module in modules_of(PACKAGE)
        for function in functions(module.tree)
        if length_of(function) > FUNCTION_LINES_MAX
    ]
    assert not findings, "\n".join(findings)


def test_functions_take_few_parameters() -> None:
    findings = [
        module.at(function.lineno, f"{function.name} takes {parameters_of(function)}; group them")
        for module in modules_of(PACKAGE)
        for function in functions(module.tree)
        if parameters_of(function) > PARAMETERS_MAX and not module.place.startswith(MANY_PARAMETERS)
    ]
    assert not findings, "\n".join(findings)


def modules_by_folder() -> dict[str, int]:
    folders = [PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())]
    return {
        folder.relative_to(PACKAGE).as_posix(): sum(
            path.name != "__init__.py" for path in folder.glob("*.py")
        )
        for folder in folders
    }


def test_no_module_is_named_after_nothing() -> None:
    vague = [
        module.at(1, "name it after what it does")
        for folder in (PACKAGE, ROOT / "tests")
        for module in modules_of(folder)
        if BANNED_NAMES & set(dotted(module.place))
    ]
    assert not vague, "\n".join(vague)


def test_sql_lives_in_sql_files() -> None:
    findings = []
    for module in modules_of(PACKAGE):
        prose = docstrings(module.tree)
        for node in ast.walk(module.tree):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and id(node) not in prose and STATEMENT.match(text):
                findings.append(module.at(getattr(node, "lineno", 1), "move it to queries.sql"))
    assert not findings, "\n".join(findings)


def test_every_statement_in_sql_files_is_used_and_has_a_name() -> None:
    code = "\n".join(module.source for module in modules_of(PACKAGE))
    for path in PACKAGE.rglob("*queries.sql"):
        names = re.findall(r"^-- name: (\w+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert names, f"{path}: no `-- name:` line"
        assert len(set(names)) == len(names), f"{path}: a name stands twice"
        unused = [name for name in names if f'"{name}"' not in code]
        assert not unused, f"{path}: nothing runs {unused}"


def is_blind(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return caught is None or any(
        isinstance(name, ast.Name) and name.id in ("Exception", "BaseException") for name in names
    )


def test_a_blind_except_gives_its_reason_or_passes_the_error_on() -> None:
    findings = []
    for module in modules_of(PACKAGE):
        lines = module.source.splitlines()
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.ExceptHandler) or not is_blind(node):
                continue
            reason = lines[node.lineno - 2].strip().startswith("#")
            passed_on = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
            if not reason and not passed_on:
                findings.append(module.at(node.lineno, "say above it why all errors end here"))
    assert not findings, "\n".join(findings)


def project_texts() -> Iterator[Path]:
    for name in ("src", "tests", "docs", "bench", ".ci"):
        yield from (path for path in (ROOT / name).rglob("*") if path.is_file())
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.name != "LICENSE")


def test_no_internet_host_is_named() -> None:
    findings = []
    for path in project_texts():
        if path.suffix not in TEXT_SUFFIXES or "__pycache__" in path.parts:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            hosts = {*URL_HOST.findall(line), *BARE_HOST.findall(line)}
            findings += [
                f"{path.relative_to(ROOT)}:{number}: {host}"
                for host in hosts
                if not HARMLESS_HOST.fullmatch(host)
            ]
    assert not findings, "take out, or use a reserved name such as host.example:\n" + "\n".join(
        findings
    )


def called_names(function: ast.AST) -> set[str]:
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    names = {call.id for call in calls if isinstance(call, ast.Name)}
    return names | {call.attr for call in calls if isinstance(call, ast.Attribute)}


def asserts_itself(function: ast.AST) -> bool:
    if any(isinstance(node, ast.Assert) for node in ast.walk(function)):
        return True
    # pytest.raises, a model's `verify`, and numpy's assert_array_equal and its like.
    names = called_names(function)
    return bool(names & {"raises", "verify"}) or any(n.startswith("assert_") for n in names)


def test_every_test_asserts_something() -> None:
    everywhere = [f for module in modules_of(ROOT / "tests") for f in functions(module.tree)]
    # A test may leave the asserting to a function of the tests that does it.
    checks = {function.name for function in everywhere if asserts_itself(function)}
    findings = [
        module.at(function.lineno, f"{function.name} would pass whatever the code did")
        for module in modules_of(ROOT / "tests")
        for function in functions(module.tree)
        if function.name.startswith("test_")
        and not asserts_itself(function)
        and not called_names(function) & checks
    ]
    assert not findings, "\n".join(findings)


def test_no_test_is_skipped_patched_or_in_a_class() -> None:
    banned = {"skip", "skipif", "importorskip", "xfail", "patch", "MagicMock", "Mock"}
    findings = []
    for module in modules_of(ROOT / "tests"):
        for node in ast.walk(module.tree):
            name = getattr(node, "attr", getattr(node, "id", None))
            # One place leaves tests out, those of programs that are not installed, and not in CI.
            if module.path.name == "needed.py" and name == "skip":
                continue
            if isinstance(node, ast.Attribute | ast.Name) and name in banned:
                findings.append(module.at(node.lineno, f"{name}: pass the dependency in instead"))
            if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                findings.append(module.at(node.lineno, f"{node.name}: write functions"))
    assert not findings, "\n".join(findings)


if __name__ == "__main__":
    for line in size_advice(MODULE_LINES_MAX, FOLDER_MODULES_MAX):
        sys.stdout.write(f"{line}\n")
