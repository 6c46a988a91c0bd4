"""Says how well the questions and statements about time are read."""

from __future__ import annotations

import sys

from tests.language.dates.questions import (
    HALVES,
    TOLD_HALVES,
    asked,
    found,
    is_right,
    is_told_right,
    numbers,
    read,
    told,
    told_right,
)

failures = "failures" in sys.argv[1:]
for half in HALVES if not failures else ("seen", "asked_dev", "later_asked_dev", "third_asked_dev"):
    exact, alarms = numbers(half)
    sys.stdout.write(f"{half}: {exact:.1%} exact, {alarms:.1%} false alarms\n")
    for row in asked(half) if failures else ():
        if not is_right(row):
            sys.stdout.write(f"{row['now'][:10]} {row['q']}: {row['accept']} not {found(row)}\n")
for half in TOLD_HALVES if not failures else ("told_dev", "later_told_dev", "third_told_dev"):
    sys.stdout.write(f"{half}: {told_right(half):.1%} right\n")
    for text in told(half) if failures else ():
        if not is_told_right(text):
            sys.stdout.write(f"{text}\n    not {read(text)}\n")
