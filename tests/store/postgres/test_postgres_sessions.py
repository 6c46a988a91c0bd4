"""Sessions at hand, with a driver that only counts: who gets which, and when one is let go."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import cast

import pytest

from scrubjay.store.postgres.connection.driver import Connection, DriverPool
from scrubjay.store.postgres.connection.sessions import Session, Sessions

PATIENCE_S = 60.0


class Line:
    """A connection to no server, with what is asked of one that is not in use."""

    def __init__(self) -> None:
        self.closed = False
        self.begun = False

    def is_closed(self) -> bool:
        return self.closed

    def is_in_transaction(self) -> bool:
        return self.begun


class Driver:
    """Makes lines, and hears which come back."""

    def __init__(self) -> None:
        self.made: list[Line] = []
        self.back: list[Line] = []
        self.heard = asyncio.Event()

    async def acquire(self) -> Connection:
        self.made.append(Line())
        return cast(Connection, self.made[-1])

    async def release(self, connection: Connection) -> None:
        self.back.append(cast(Line, connection))
        self.heard.set()

    def terminate(self) -> None: ...


def line_of(session: Session) -> Line:
    return cast(Line, session.connection)


async def made(pool: DriverPool) -> Connection:
    return await pool.acquire()


async def refused(pool: DriverPool) -> Connection:
    raise ConnectionRefusedError(pool)


def run(work: Callable[[Driver], Coroutine[object, object, None]]) -> None:
    async def within() -> None:
        await asyncio.wait_for(work(Driver()), PATIENCE_S)

    asyncio.run(within())


def test_a_bank_gets_the_session_it_had_and_another_the_one_used_last() -> None:
    async def work(driver: Driver) -> None:
        sessions = Sessions(driver, 2)
        first, second = await sessions.take(1, made), await sessions.take(2, made)
        first.bank, second.bank = 1, 2
        await sessions.give_back(first, sound=True)
        await sessions.give_back(second, sound=True)
        assert await sessions.take(1, made) is first
        await sessions.give_back(first, sound=True)
        assert await sessions.take(3, made) is first
        assert len(driver.made) == 2

    run(work)


def test_who_came_first_is_handed_the_session_that_is_given_back() -> None:
    async def work(driver: Driver) -> None:
        sessions = Sessions(driver, 1)
        session = await sessions.take(1, made)
        waiting = [asyncio.ensure_future(sessions.take(n, made)) for n in (2, 3, 4)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
        await sessions.give_back(session, sound=True)
        assert await waiting[1] is session and not waiting[2].done()
        await sessions.give_back(session, sound=True)
        assert await waiting[2] is session

    run(work)


def test_one_who_gives_up_just_when_it_is_his_turn_passes_it_on() -> None:
    async def work(driver: Driver) -> None:
        sessions = Sessions(driver, 1)
        session = await sessions.take(1, made)
        late, next_one = (asyncio.ensure_future(sessions.take(n, made)) for n in (2, 3))
        await asyncio.sleep(0)
        await sessions.give_back(session, sound=True)
        late.cancel()
        assert await next_one is session

    run(work)


@pytest.mark.parametrize("fault", ["not sound", "closed", "in a transaction"])
def test_what_cannot_be_used_again_goes_to_the_driver_and_leaves_its_place(fault: str) -> None:
    async def work(driver: Driver) -> None:
        sessions = Sessions(driver, 1)
        session = await sessions.take(1, made)
        waiting = asyncio.ensure_future(sessions.take(2, made))
        await asyncio.sleep(0)
        driver.made[0].closed = fault == "closed"
        driver.made[0].begun = fault == "in a transaction"
        await sessions.give_back(session, sound=fault != "not sound")
        assert line_of(await waiting) is driver.made[1]
        assert driver.back == [driver.made[0]] and sessions.count == 1

    run(work)


def test_a_connection_that_cannot_be_made_leaves_its_place() -> None:
    async def work(driver: Driver) -> None:
        sessions = Sessions(driver, 1)
        for _ in range(3):
            with pytest.raises(ConnectionRefusedError):
                await sessions.take(1, refused)
        assert line_of(await sessions.take(1, made)) is driver.made[0]

    run(work)


def test_a_session_nobody_asks_for_goes_back_to_the_driver() -> None:
    async def work(driver: Driver) -> None:
        sessions = Sessions(driver, 1, at_hand_s=0.0)
        await sessions.give_back(await sessions.take(1, made), sound=True)
        await driver.heard.wait()
        assert (sessions.idle, driver.back) == (0, [driver.made[0]])

    run(work)
