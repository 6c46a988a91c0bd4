"""What a link that one unit may have changed another weighs, as a share of the bank's floor.

A surer one needs less of the question's own finding to come before what it changes.
"""

from __future__ import annotations

# The encoder read it of both texts, and no rule says so; what a rule says weighs more.
READ, BY_RULE = 0.3, 0.35
# Up to here a rule takes it for a guess, and from there the text all but says it outright.
GUESSED, NEARLY_SURE = 0.9, 0.95
