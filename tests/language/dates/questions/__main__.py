"""Says how well the questions about time are read."""

from __future__ import annotations

import sys

from tests.language.dates.questions import HALVES, asked, found, is_right, numbers

for half in HALVES if len(sys.argv) == 1 else ("seen",):
    exact, alarms = numbers(half)
    sys.stdout.write(f"{half}: {exact:.1%} exact, {alarms:.1%} false alarms\n")
if "failures" in sys.argv[1:]:
    for row in asked("seen"):
        if not is_right(row):
            sys.stdout.write(f"{row['now'][:10]} {row['q']}: {row['accept']} not {found(row)}\n")
