"""Type aliases for the arrays of the library.

Shapes: n rows, k members, c classes (or targets).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Codes = NDArray[np.integer[Any]]
"""Class codes: positions in ``classes``; ``ABSTAINED`` where no class is named."""
Array = NDArray[Any]

Kind = Literal["values", "labels", "probabilities", "scores"]
"""Kind of member outputs: (n, k) values, (n, k) class codes, (n, k, c) the other two."""

Task = Literal["regression", "classification"]

Params = Mapping[str, Any]

ABSTAINED = -1
"""The class code of an abstention, for members and ensembles."""
