"""kill -9 in the middle of every kind of write: all that was acknowledged is there, whole."""

from __future__ import annotations

import random
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path

from tests.soak.attempts import Attempt, Outcome, faults_of
from tests.soak.changes import WRITES, Performer, opened
from tests.soak.checks import Fault, closest, differences, marks_in, settled
from tests.soak.children import STORE, AtLine, Child, Say, die, measured
from tests.soak.states import BankState, Change, State, after, observed
from tests.soak.template import Template

from scrubjay import Memory, ScrubjayError
from scrubjay.settings import IMPORT_BATCH_UNITS

RESTORE = "restore"
KINDS = (*WRITES, RESTORE)

# Kinds that may come before the one that is cut off.
_BEFORE = ("retain", "batch", "update", "forget", "link", "keyed")
# Kinds that are cut off again and again.
_OFTEN = (*_BEFORE, "retain", "batch", "supersede by text", "forget and compact", "grow", "compact")
KILLS_IN_A_ROW = 8
_REPEATS = 4


@dataclass(frozen=True, slots=True)
class Begun:
    """The child is about to make a change."""

    change: Change


@dataclass(frozen=True, slots=True)
class Done:
    """The call of the last change has returned."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The next change is the one to cut off; about how long it takes."""

    seconds: float


@dataclass(slots=True)
class Story:
    """What a child acknowledged, and the change it was at."""

    state: State
    pending: Change | None = None

    def hear(self, said: object) -> None:
        if isinstance(said, Begun):
            self.pending = said.change
        elif isinstance(said, Done) and self.pending is not None:
            self.state, self.pending = after(self.state, self.pending), None

    def candidates(self) -> list[State]:
        """What the store may hold: all that was acknowledged, with or without what was not."""
        return [self.state, *(outcomes(self.state, self.pending) if self.pending else ())]


def outcomes(state: State, change: Change) -> list[State]:
    """What a change that was cut off may leave, beside nothing; the whole of it comes last."""
    partial: list[State] = []
    if change.kind == "import":  # one portion after the other, each of them whole
        portions = range(IMPORT_BATCH_UNITS, len(change.texts), IMPORT_BATCH_UNITS)
        partial = [after(state, replace(change, texts=change.texts[:end])) for end in portions]
    elif change.kind == "create bank":  # made first, then told
        partial = [State({**state.banks, change.bank: BankState()}, state.gone)]
    return [*partial, after(state, change)]


def killed(attempt: Attempt, template: Template, folder: Path) -> Outcome:
    """Kill a process in the middle of a change, open the store, and go on."""
    if attempt.kind == RESTORE:
        return _killed_restoring(attempt, template, folder)
    store = shutil.copytree(template.whole, folder / "store")
    story = Story(template.state)
    note = _tell_and_kill(attempt, store, folder, story)
    doing = f"after a kill {note}"
    return Outcome(faults_of(lambda: _gone_on(attempt, store, folder, story), doing), note)


def killed_again(attempt: Attempt, template: Template, folder: Path) -> Outcome:
    """The same store killed again and again, in whatever it is doing."""
    store = shutil.copytree(template.whole, folder / "store")
    story, notes = Story(template.state), list[str]()

    def check() -> list[Fault]:
        for number in range(KILLS_IN_A_ROW):
            kind = attempt.chance(f"kind {number}").choice(_OFTEN)
            each = Attempt(
                attempt.group, kind, attempt.number * KILLS_IN_A_ROW + number, attempt.seed
            )
            notes.append(_tell_and_kill(each, store, folder, story))
            faults, state = settled(store, story.candidates(), each.chance("check"))
            if faults:
                return faults
            story.state, story.pending = state, None
        return erased(store, story.state)

    faults = faults_of(check, "after kills in a row")
    return Outcome(faults, "; ".join(notes))


def _gone_on(attempt: Attempt, store: Path, folder: Path, story: Story) -> list[Fault]:
    """Open the store, look, and make the change that was cut off again."""
    faults, state = settled(store, story.candidates(), attempt.chance("check"))
    if not faults and story.pending is not None:
        faults = _resumed(store, story, state)
    faults = faults or erased(store, after_pending(story))
    if not faults and story.pending is not None and story.pending.kind == "backup":
        faults = _backup_whole_or_refused(folder, Path(story.pending.name), story.state)
    return faults


def after_pending(story: Story) -> State:
    return story.state if story.pending is None else after(story.state, story.pending)


def _tell_and_kill(attempt: Attempt, store: Path, folder: Path, story: Story) -> str:
    chance = attempt.chance("when")
    at_line = attempt.number % 2 == 0

    def tell(say: Say) -> None:
        _tell(attempt, store, folder, story.state, say, at_line=at_line)

    with Child(tell) as child:
        for said in child.hear():
            story.hear(said)
            if isinstance(said, Ready) and not at_line:
                # Into the middle of whatever it does: encoding, writing, the database's log.
                time.sleep(chance.random() * said.seconds * 1.2)
                child.kill()
            elif not isinstance(said, Begun | Done | Ready):
                return str(said)
        code = child.wait()
    assert code == -9, f"the teller ended by itself: {code}"
    return f"{'at a line' if at_line else 'at a moment'} of {story.pending}"


def _tell(
    attempt: Attempt, store: Path, folder: Path, state: State, say: Say, *, at_line: bool
) -> None:
    chooser, chance = attempt.chooser(folder), attempt.chance("line")
    performer = Performer(opened(store))
    for kind in chance.sample(_BEFORE, chance.randint(0, 2)):
        state = _make(chooser.choose(kind, state), state, performer, say)
    change = chooser.choose(attempt.kind, state)
    say(Begun(change))
    lines, seconds = measured(lambda: performer.perform(change), STORE)
    say(Done())
    state = after(state, change)
    say(Ready(seconds))
    with AtLine(chance.randint(1, max(lines, 1)) if at_line else 0, die, STORE):
        for _ in range(_REPEATS if at_line else 1000):
            state = _make(chooser.choose(attempt.kind, state), state, performer, say)
    die()


def _make(change: Change, state: State, performer: Performer, say: Say) -> State:
    say(Begun(change))
    performer.perform(change)
    say(Done())
    return after(state, change)


def _resumed(store: Path, story: Story, state: State) -> list[Fault]:
    """Make the change that was cut off again, unless it is there; then all of it is."""
    assert story.pending is not None
    whole = after(story.state, story.pending)
    place = opened(store)
    with place.memory as memory:
        again = story.pending.kind in ("retain", "batch", "keyed", "import", "relate")
        if again or (state != whole and story.pending.kind != "backup"):
            Performer(place).perform(story.pending)
        return differences(observed(memory), whole)


def erased(store: Path, state: State) -> list[Fault]:
    """What is left in the files of anything erased, once they are compacted."""
    place = opened(store)
    with place.memory as memory:
        for info in memory.banks():
            memory.compact(bank=info.name)
        faults = marks_in(store, state.gone)
    return faults or marks_in(store, state.gone)


def _backup_whole_or_refused(folder: Path, backup: Path, state: State) -> list[Fault]:
    """A backup that was cut off is refused, or it is whole."""
    try:
        Memory.restore(backup, folder / "restored")
    except ScrubjayError:
        return []
    with opened(folder / "restored").memory as memory:
        return differences(observed(memory), state)


def _killed_restoring(attempt: Attempt, template: Template, folder: Path) -> Outcome:
    """Cut a restore off: what it leaves is refused, or it is whole."""
    target = folder / "restored"
    chance = attempt.chance("line")

    def restore(say: Say) -> None:
        with opened(shutil.copytree(template.whole, folder / "store")).memory as memory:
            memory.backup(folder / "backup")
        # The copying itself is Python's own; its lines count too.
        count, _ = measured(lambda: Memory.restore(folder / "backup", folder / "first"), "/")
        line = chance.randint(1, count)
        say(line)
        with AtLine(line, die, "/"):
            Memory.restore(folder / "backup", target)
        die()

    with Child(restore) as child:
        note = f"at line {list(child.hear())}"
        child.wait()
    faults = faults_of(
        lambda: _restored(target, template.state, chance), "what a restore left", may_refuse=True
    )
    return Outcome(faults, note)


def _restored(target: Path, state: State, chance: random.Random) -> list[Fault]:
    if not any(target.glob("**/*.db")):
        return []
    with opened(target).memory as memory:
        _, faults = closest(observed(memory), [state])
    return faults or settled(target, [state], chance)[0]
