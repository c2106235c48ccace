"""The signature of the columns that a model reads: names, dtypes and categories."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.errors import show

_MAX_CATEGORIES = 1000


def column_signature(model: Any) -> dict[str, Any]:
    """Describe the columns of a fitted model.

    Parameters
    ----------
    model : estimator
        A fitted model.

    Returns
    -------
    dict
        ``count``, the number of columns, or None if the model does not check it; ``names``, those
        of the frame in fit, or None; ``dtypes`` of the columns of that frame, or None;
        ``categories``, for positions of category columns their values in fit.
    """
    names = _attribute(model, "feature_names_in_")
    dtypes = _attribute(model, "_column_dtypes")
    return {
        "count": _count(model),
        "names": None if names is None else [str(name) for name in names],
        "dtypes": None if dtypes is None else [str(dtype) for dtype in dtypes],
        "categories": _categories(model),
    }


def _count(model: Any) -> int | None:
    count = _attribute(model, "n_features_in_")
    return int(count) if isinstance(count, int | np.integer) else None


def _categories(model: Any) -> dict[str, list[Any]]:
    codes = _attribute(model, "_category_codes") or _attribute(model, "_codes")
    known = getattr(codes, "known", {})
    return {str(j): [_plain(value) for value in values.tolist()] for j, values in known.items()}


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | bool | int | float) else show(value)


def _attribute(model: Any, name: str) -> Any:
    try:
        return getattr(model, name)
    except Exception:  # a property may fail in any way; then there is nothing to describe
        return None
