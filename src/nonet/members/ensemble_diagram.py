"""The diagram of a fitted ensemble, which a notebook shows below its parameters."""

from __future__ import annotations

from itertools import count
from typing import Any

from sklearn.utils.validation import check_is_fitted

from nonet._base.pictures.diagram import diagram_html
from nonet.members.ensemble_parts import ensemble_parts

_numbers = count(1)  # a notebook shows many diagrams, whose ids must differ


def diagram_of(ensemble: Any) -> str:
    """Return the diagram of a fitted ensemble as HTML; '' if there is none.

    Parameters
    ----------
    ensemble : estimator
        With ``members_``, ``combine_`` and ``decide_`` once it is fitted.

    Returns
    -------
    html : str

    Examples
    --------
    >>> from nonet import RandomForestRegressor
    >>> forest = RandomForestRegressor(n_estimators=3)
    >>> diagram_of(forest)
    ''
    >>> "mean of values" in diagram_of(forest.fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0]))
    True
    """
    try:
        check_is_fitted(ensemble)
        key = f"nonet-diagram-{next(_numbers)}"
        return diagram_html(ensemble_parts(ensemble), title=type(ensemble).__name__, key=key)
    # Whatever is wrong with an ensemble, a notebook must be able to show it: without its diagram if
    # it is not fitted, or if someone has changed its attributes.
    except Exception:
        return ""
