"""AsyncMemory and AsyncBank are Memory and Bank with `await`, and derived from them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest
from tools.derive_facade import COMMAND, derived

from scrubjay import AsyncMemory, Bank, Memory
from scrubjay.async_bank import AsyncBank
from scrubjay.deprecated import Synonyms


def public_names(owner: type) -> set[str]:
    """What it has of its own, and by `bank=`; the deprecated names are neither."""
    names = {name for name in dir(owner) if not name.startswith("_")}
    return names - set(vars(Synonyms))


def method(owner: type, name: str) -> Callable[..., object]:
    found: object = inspect.getattr_static(owner, name)
    function = found.__func__ if isinstance(found, classmethod | staticmethod) else found
    assert callable(function)
    return function


def is_property(owner: type, name: str) -> bool:
    return isinstance(inspect.getattr_static(owner, name), property)


PAIRS = ((Memory, AsyncMemory), (Bank, AsyncBank))
METHODS = [
    (plain, awaitable, name)
    for plain, awaitable in PAIRS
    for name in sorted(public_names(plain))
    if not is_property(plain, name)
]


@pytest.mark.parametrize("path", [path for path, _ in derived()], ids=lambda path: path.name)
def test_what_is_derived_is_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == dict(derived())[path], f"run `{COMMAND}`"


@pytest.mark.parametrize(("plain", "awaitable"), PAIRS)
def test_both_have_the_same_public_names(plain: type, awaitable: type) -> None:
    assert public_names(awaitable) == public_names(plain)


@pytest.mark.parametrize(("owner", "awaitable", "name"), METHODS)
def test_a_method_takes_and_gives_the_same_awaited_or_not(
    owner: type, awaitable: type, name: str
) -> None:
    plain, awaited = method(owner, name), method(awaitable, name)
    own, other = inspect.signature(plain), inspect.signature(awaited)
    assert other.parameters == own.parameters
    assert str(other.return_annotation).replace("AsyncBank", "Bank") == own.return_annotation
    assert inspect.iscoroutinefunction(awaited)
    assert not inspect.iscoroutinefunction(plain)
    kinds = [type(inspect.getattr_static(one, name)) for one in (owner, awaitable)]
    assert kinds[0] is kinds[1], "one is a class or static method and the other is not"


def test_a_property_stays_one_unless_it_has_to_be_awaited() -> None:
    assert is_property(AsyncMemory, "location") and is_property(AsyncBank, "name")
    assert inspect.iscoroutinefunction(AsyncBank.settings)


def test_a_memory_takes_what_a_bank_takes_and_which_bank() -> None:
    for name in public_names(Bank) & public_names(Memory):
        own = inspect.signature(method(Bank, name)).parameters
        form = dict(inspect.signature(method(Memory, name)).parameters)
        assert form.pop("bank").default == "default"
        assert form == dict(own), name


def test_both_are_context_managers() -> None:
    assert {"__enter__", "__exit__"} <= vars(Memory).keys()
    assert {"__aenter__", "__aexit__"} <= vars(AsyncMemory).keys()
