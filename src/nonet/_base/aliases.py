"""Names for the arrays that travel through the library.

Shapes: n rows, k members, c classes (or targets).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Codes = NDArray[np.integer[Any]]
"""Class codes: positions in ``classes``; ``SILENT`` where no class is named."""
Array = NDArray[Any]

Kind = Literal["values", "labels", "probabilities", "scores"]
"""What a member answers with: (n, k) values, (n, k) class codes, (n, k, c) the other two."""

Task = Literal["regression", "classification"]

Params = Mapping[str, Any]

SILENT = -1
"""The code of "no decision", for members and for ensembles alike."""
