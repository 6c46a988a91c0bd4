"""AsyncMemory is Memory with `await`: the same names, parameters and results."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from scrubjay import AsyncMemory, Memory


def public_names(owner: type) -> set[str]:
    return {name for name in vars(owner) if not name.startswith("_")}


def method(owner: type, name: str) -> Callable[..., object]:
    found: object = inspect.getattr_static(owner, name)
    function = found.__func__ if isinstance(found, classmethod | staticmethod) else found
    assert callable(function)
    return function


METHODS = sorted(
    name for name in public_names(Memory) if not isinstance(vars(Memory)[name], property)
)


def test_both_have_the_same_public_names() -> None:
    assert public_names(AsyncMemory) == public_names(Memory)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_takes_and_gives_the_same_awaited_or_not(name: str) -> None:
    plain, awaited = method(Memory, name), method(AsyncMemory, name)
    assert inspect.signature(awaited) == inspect.signature(plain)
    assert inspect.iscoroutinefunction(awaited)
    assert not inspect.iscoroutinefunction(plain)
    kinds = type(inspect.getattr_static(AsyncMemory, name)), type(vars(Memory)[name])
    assert kinds[0] is kinds[1], "one is a class or static method and the other is not"


def test_properties_stay_properties() -> None:
    properties = public_names(Memory) - set(METHODS)
    assert properties
    assert all(isinstance(vars(AsyncMemory)[name], property) for name in properties)


def test_both_are_context_managers() -> None:
    assert {"__enter__", "__exit__"} <= vars(Memory).keys()
    assert {"__aenter__", "__aexit__"} <= vars(AsyncMemory).keys()
