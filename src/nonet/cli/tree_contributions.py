"""Exact Shapley values of models of trees, for the command line."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet.cli.column_effects import ColumnEffects
from nonet.cli.model_rows import rows_for
from nonet.cli.opened_model import OpenedModel
from nonet.tables.table import Table
from nonet.trees import shap_values
from nonet.trees.score_trees import score_trees_of
from nonet.trees.shap import ShapValues

_METHOD = "Exact Shapley values of the trees"


def is_made_of_trees(model: Any) -> bool:
    """Return whether a model's predictions come from its trees alone.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor
    >>> is_made_of_trees(DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0]))
    True
    """
    if not hasattr(model, "_score_trees"):
        return False
    try:
        score_trees_of(model, "explain")
    except (TypeError, ValueError):
        return False
    return True


def explain_trees(opened: OpenedModel, table: Table, names: list[str], rows: str) -> ColumnEffects:
    """Return the mean absolute contribution of each column.

    Parameters
    ----------
    opened : OpenedModel
    table : Table
    names : list of str
        The columns, in the order of the model.
    rows : str
        Which rows these are.
    """
    found = _explain(opened, table)
    unit = f"mean absolute contribution to the {_score_name(opened, found)}"
    return ColumnEffects(_METHOD, unit, rows, names, found.importances)


def explain_row_of_trees(
    opened: OpenedModel, row: Table, names: list[str], values: list[Any], rows: str
) -> ColumnEffects:
    """Return the contribution of each column to the score of a row.

    Parameters
    ----------
    opened : OpenedModel
    row : Table
        With the row alone.
    names : list of str
        The columns, in the order of the model.
    values : list
        Their values.
    rows : str
        Which row it is.
    """
    found = _explain(opened, row)
    label = opened.predict(row)[0]
    contributions, base = found.values[0], np.asarray(found.base)
    of = _score_name(opened, found)
    if contributions.ndim == 2:
        assert opened.classes is not None
        code = int(np.flatnonzero(opened.classes == label)[0])
        contributions, base = contributions[:, code], base[code]
        of = f"{of} of {label}"
    about = {
        "prediction": label.item() if isinstance(label, np.generic) else label,
        "score": float(base + contributions.sum()),
        "mean score": float(base),
    }
    unit = f"contributions to the {of}"
    return ColumnEffects(_METHOD, unit, rows, names, contributions, None, values, about)


def _explain(opened: OpenedModel, table: Table) -> ShapValues:
    return shap_values(opened.model, rows_for(opened.model, table))


def _score_name(opened: OpenedModel, found: ShapValues) -> str:
    if opened.classes is None:
        return "prediction"
    bases: Floats = np.atleast_1d(found.base)
    # Probabilities sum to one over the classes; scores of boosters are log-odds.
    return "probability" if len(bases) > 1 and np.isclose(bases.sum(), 1.0) else "log-odds"
