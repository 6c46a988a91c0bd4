"""Arrays by what their numbers are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# A unit's number inside its bank. Dense and increasing, so arrays can be indexed by it; never
# shown to callers, who see UnitIds.
RowArray = npt.NDArray[np.int64]
ScoreArray = npt.NDArray[np.float32]
FloatArray = npt.NDArray[np.float64]  # what scores become once they are added up
VectorArray = npt.NDArray[np.float32]
MaskArray = npt.NDArray[np.bool_]
