"""Derives from Bank and Memory what says the same in another form, as source.

    python -m tools.derive_facade

writes `bank_forms.py`, the methods of a Bank with `bank=`, which Memory has, and `async_bank.py`
and `async_memory.py`, the two classes awaitable. They are source, not made at run time, so that
type checkers and editors know them; a test holds that they are up to date.
"""

from __future__ import annotations

import ast
import copy
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "scrubjay"
COMMAND = "python -m tools.derive_facade"

# What has another name where it is awaited.
RENAMED = {
    "Bank": "AsyncBank",
    "Memory": "AsyncMemory",
    "Backend": "AsyncBackend",
    "open_backend": "open_async_backend",
    "__enter__": "__aenter__",
    "__exit__": "__aexit__",
}
# Calls that are awaited: of these names, and on these attributes.
AWAITED = {"backends.open_backend", "self._run", "self._backend.run", "self.backend.run",
           "self.backend.close", "self.close"}  # fmt: skip
# Work on files that an event loop leaves to a thread.
IN_A_THREAD = {"backends.restore_store"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Awaited(ast.NodeTransformer):
    """Makes a class awaitable: the calls that may wait, and every method that has one."""

    def __init__(self, owner: str) -> None:
        self._owner = owner

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = RENAMED.get(node.id, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        if ast.unparse(node.value) == "backends":
            node.attr = RENAMED.get(node.attr, node.attr)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        called = ast.unparse(node.func)
        self.generic_visit(node)
        if called in IN_A_THREAD:
            node = ast.Call(_expression("asyncio.to_thread"), [node.func, *node.args], [])
            return ast.Await(node)
        return ast.Await(node) if called in AWAITED or called.startswith("self._bank(") else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Function:
        own = node.name
        self.generic_visit(node)
        node.name = RENAMED.get(own, own)
        _document(node, f"See {self._owner}.{own}.")
        waits = any(isinstance(inner, ast.Await) for inner in ast.walk(node))
        if not waits and own == node.name:
            return node
        # What waits is no property.
        node.decorator_list = [one for one in node.decorator_list if ast.unparse(one) != "property"]
        return ast.AsyncFunctionDef(**dict(ast.iter_fields(node)))


def _expression(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _document(node: Function, text: str) -> None:
    if ast.get_docstring(node) is not None:
        node.body[0] = ast.Expr(ast.Constant(text))


def class_of(tree: ast.Module, name: str) -> ast.ClassDef:
    """The class of that name."""
    return next(one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == name)


def form_of(method: ast.FunctionDef) -> ast.FunctionDef:
    """A method of a Bank as one of a Memory: it says which bank, and calls that bank's."""
    form = copy.deepcopy(method)
    arguments = form.args
    arguments.kwonlyargs.insert(0, ast.arg("bank", ast.Name("str")))
    arguments.kw_defaults.insert(0, ast.Name("DEFAULT_BANK"))
    given: list[ast.expr] = [ast.Name(one.arg) for one in arguments.args[1:]]
    named = [
        ast.keyword(one.arg, ast.Name(one.arg)) for one in arguments.kwonlyargs if one.arg != "bank"
    ]
    if arguments.kwarg is not None:
        named.append(ast.keyword(None, ast.Name(arguments.kwarg.arg)))
    call = ast.Call(_expression(f"self._bank(bank).{method.name}"), given, named)
    nothing = ast.unparse(method.returns or ast.Constant(None)) == "None"
    documented = ast.Expr(ast.Constant(f"See Bank.{method.name}."))
    form.body = [documented, ast.Expr(call) if nothing else ast.Return(call)]
    return form


def forms_of(bank: ast.ClassDef) -> list[ast.stmt]:
    """The `bank=` form of every public method."""
    return [
        form_of(one)
        for one in bank.body
        if isinstance(one, ast.FunctionDef)
        and not one.name.startswith("_")
        and not one.decorator_list
    ]


def heading(trees: Iterable[ast.Module], *more: str) -> list[ast.stmt]:
    """What these modules import; what is not used is taken out later."""
    nodes = [node for tree in trees for node in copy.deepcopy(tree.body)]
    nodes += ast.parse("\n".join(more)).body
    imported = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    branches = [node for node in nodes if isinstance(node, ast.If)]
    for_types = _once(node for branch in branches for node in branch.body)
    at_first_use = _once(node for branch in branches for node in branch.orelse)
    return [*_once(imported), ast.If(_expression("TYPE_CHECKING"), for_types, at_first_use)]


def _once(nodes: Iterable[ast.stmt]) -> list[ast.stmt]:
    return list({ast.unparse(node): node for node in nodes}.values())


def _in_use(body: list[ast.stmt]) -> list[ast.stmt]:
    """The same without the modules for first use that nothing uses; ruff only sees imports."""
    *_, own = body
    used = {node.id for node in ast.walk(own) if isinstance(node, ast.Name)}
    for branch in (node for node in body if isinstance(node, ast.If)):
        branch.orelse = [
            node
            for node in branch.orelse
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in used
        ]
    return body


def tidied(about: str, body: list[ast.stmt]) -> str:
    """The source of a module in the house style."""
    module = ast.fix_missing_locations(ast.Module(_in_use(body), []))
    source = f'"""{about}"""\n\n{ast.unparse(module)}\n'
    ruff = [sys.executable, "-m", "ruff"]
    name = ["--stdin-filename", str(PACKAGE / "derived.py"), "-"]
    fix = [*ruff, "check", "--fix", "--quiet", "--select"]
    for command in (
        [*fix, "F401,TC005", *name],
        [*fix, "I,UP034", *name],
        [*ruff, "format", *name],
    ):
        source = subprocess.run(
            command, input=source, capture_output=True, text=True, check=True
        ).stdout
    return source


def derived() -> Iterator[tuple[Path, str]]:
    """Each derived file and what it should hold."""
    bank_module, memory_module = (
        ast.parse((PACKAGE / name).read_text(encoding="utf-8")) for name in ("bank.py", "memory.py")
    )
    bank, memory = class_of(bank_module, "Bank"), class_of(memory_module, "Memory")
    forms = forms_of(bank)

    base = ast.parse(
        "class BankForms(ABC):\n"
        "    'Every method of a Bank, with the bank named by `bank=`.'\n"
        "    @abstractmethod\n"
        "    def _bank(self, name: str) -> Bank:\n"
        "        'The bank of a name.'\n"
    ).body
    own = class_of(ast.Module(base, []), "BankForms")
    own.body += copy.deepcopy(forms)
    more: tuple[str, ...] = (
        "from abc import ABC, abstractmethod",
        "from scrubjay.bank import Bank",
        "from scrubjay.defaults import DEFAULT_BANK",
    )
    yield (
        PACKAGE / "bank_forms.py",
        tidied(
            f"The methods of a Bank, with `bank=`. Derived from bank.py by `{COMMAND}`.",
            [*heading([bank_module], *more), own],
        ),
    )

    waiting = Awaited("Bank").visit(copy.deepcopy(bank))
    waiting.name = "AsyncBank"
    waiting.body[0] = ast.Expr(ast.Constant("A Bank, awaitable; made by `AsyncMemory.bank`."))
    async_heading = [Awaited("").visit(one) for one in heading([bank_module])]
    yield (
        PACKAGE / "async_bank.py",
        tidied(
            f"AsyncBank: Bank, awaitable. Derived from bank.py by `{COMMAND}`.",
            [*_renamed(async_heading), waiting],
        ),
    )

    waiting = Awaited("Memory").visit(copy.deepcopy(memory))
    waiting.name = "AsyncMemory"
    waiting.bases = [ast.Name("Synonyms")]
    waiting.body[0] = ast.Expr(
        ast.Constant("The same as Memory, for code that must not block its event loop.")
    )
    waiting.body += [Awaited("Memory").visit(copy.deepcopy(form)) for form in forms]
    more = ("import asyncio", "from scrubjay.async_bank import AsyncBank")
    yield (
        PACKAGE / "async_memory.py",
        tidied(
            f"AsyncMemory: Memory, awaitable. Derived from memory.py by `{COMMAND}`.",
            [*_renamed(heading([memory_module, bank_module], *more)), waiting],
        ),
    )


def _renamed(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Imports with the names of what is awaited."""
    for node in (inner for statement in statements for inner in ast.walk(statement)):
        if isinstance(node, ast.ImportFrom) and node.module == "scrubjay.backend":
            for alias in node.names:
                alias.name = RENAMED.get(alias.name, alias.name)
    return statements


def main() -> None:
    """Write what differs."""
    for path, source in derived():
        if not path.exists() or path.read_text(encoding="utf-8") != source:
            path.write_text(source, encoding="utf-8")


if __name__ == "__main__":
    main()
