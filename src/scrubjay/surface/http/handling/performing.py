"""The routes of operations that need no handler of their own."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from types import ModuleType

from scrubjay.codec.compiled import encode
from scrubjay.entity_names import number_or_name
from scrubjay.operations.declared import (
    AnyOperation,
    answered,
    given_by,
    hints_of,
    needs_any,
    operations_of,
    taken_by,
)
from scrubjay.operations.operation import Transfer
from scrubjay.surface.http.contract.bodies import NoQuery, Nothing
from scrubjay.surface.http.handling.route import Reply, RequestContext, Route
from scrubjay.types.values import EntityRef


@dataclass(frozen=True, slots=True)
class Performing:
    """The handler of an operation that needs no other: what is asked is what its method takes."""

    operation: AnyOperation

    @property
    def subject(self) -> str:
        """What it is about: the module of the operation."""
        return self.operation.function.__module__.rpartition(".")[2]

    def __call__(self, request: RequestContext) -> Reply:
        """Call the method of the operation's name."""
        hints = hints_of(self.operation)
        given: dict[str, object] = {
            name: number_or_name(text) if hints[name] is EntityRef else text
            for name, text in request.path.items()
            if name != "bank"
        }
        for shape in (request.query, request.body):
            if is_dataclass(shape):
                given |= {one.name: getattr(shape, one.name) for one in fields(shape)}
        method = getattr(request.memory, self.operation.name)
        return Reply(encode(answered(self.operation, method(**given, bank=request.bank))))


def route_of(operation: AnyOperation) -> Route:
    """The route of an operation, as its address and its function declare it."""
    address, taken = operation.address, taken_by(operation)
    asks = address.method in ("GET", "DELETE")
    return Route(
        address.method,
        address.path,
        address.summary,
        address.scope,
        Performing(operation),
        body=None if asks else taken or Nothing,
        body_optional=not asks and not needs_any(taken),
        query=taken if asks and taken is not None else NoQuery,
        answers={200: given_by(operation)},
    )


def routes_of(module: ModuleType, *own: Route) -> tuple[Route, ...]:
    """The routes of a module's operations: first those that are given, then the others."""
    by_name = {route.name: route for route in own}
    for operation in operations_of(module):
        if operation.address.transfer is Transfer.JSON and "?" not in operation.address.path:
            route = route_of(operation)
            by_name.setdefault(route.name, route)
    return tuple(by_name.values())
