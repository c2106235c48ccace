"""Probes: warnings about a table before anything is fitted; none of them drops a thing.

`leaking_columns` finds single columns that nearly decide the target, `drifting_target` a target
that changes over time, `shifted_table` a second table that can be told apart from the first, and
`rare_classes` classes that folds will lack.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import chi2_contingency, f_oneway
from sklearn.metrics import roc_auc_score
from sklearn.utils import check_random_state

from nonet._base.aliases import Array
from nonet.tables.column_names import count_rows, list_names
from nonet.tables.encoder import EncodedTable
from nonet.tables.table_warning import TableWarning
from nonet.tables.target import Target
from nonet.trees import DecisionTreeClassifier, DecisionTreeRegressor

_N_SHOWN = 8
_MAX_ROWS = 20_000
_MAX_CELLS = 4_000_000  # that the trees of single columns read in all
_LEAVES_PER_COLUMN = 64
_NEARLY_ALL = 0.98  # of the loss of a constant prediction
_N_PERIODS = 4
_SMALL_P = 1e-6
_SMALL_EFFECT = 0.01  # fraction of the variance of the target between periods
_N_TREES = 20
_TOLD_APART = 0.7  # area under the curve


# ---- A column that decides the target ----------------------------------------------------------


def leaking_columns(
    encoded: EncodedTable, target: Target, random_state: Any = None
) -> list[TableWarning]:
    """Return a warning for each column that nearly decides the target of held-out rows.

    A small tree of each column is fitted on half of at most 20,000 rows and scored on the other
    half. It nearly decides the target if it leaves less than 2 % of the error (for numbers, of the
    squared error) of a constant prediction.

    Parameters
    ----------
    encoded : EncodedTable
        The columns.
    target : Target
        The target of the same rows.
    random_state : int, RandomState instance or None, default=None
        Chooses the rows.

    Returns
    -------
    list of TableWarning

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> from nonet.tables.encoder import TableEncoder
    >>> from nonet.tables.target import understand_target
    >>> y = np.arange(200) % 2
    >>> encoded = TableEncoder().fit_transform(as_table({"a": (y + 5) * 1.5, "b": y * 0.0}))
    >>> for warning in leaking_columns(encoded, understand_target(y, "y"), random_state=0):
    ...     print(warning.sentence)
    Column 'a' alone removes 100 % of the error on held-out rows; is it known before the target?
    """
    fitted, scored = _halves(encoded, check_random_state(random_state))
    y = target.values
    baseline = _constant_loss(y[fitted], y[scored], target)
    if not baseline > 0:
        return []
    gains = [
        1 - _column_loss(encoded, j, fitted, scored, target) / baseline
        for j in range(len(encoded.names))
    ]
    return [
        TableWarning(
            "leak",
            (name,),
            f"Column {name!r} alone removes {100 * gain:.3g} % of the error on held-out rows; is "
            "it known before the target?",
        )
        for name, gain in zip(encoded.names, gains, strict=True)
        if gain > _NEARLY_ALL
    ]


def _halves(encoded: EncodedTable, random: Any) -> tuple[Array, Array]:
    n_rows = min(_MAX_ROWS, encoded.n_rows, max(200, _MAX_CELLS // max(1, len(encoded.names))))
    rows = random.permutation(encoded.n_rows)[:n_rows]
    return np.sort(rows[: n_rows // 2]), np.sort(rows[n_rows // 2 :])


def _constant_loss(fitted: Array, scored: Array, target: Target) -> float:
    if target.classes is None:
        return float(np.mean((scored - fitted.mean()) ** 2))
    return float(np.mean(scored != np.bincount(fitted).argmax()))


def _column_loss(
    encoded: EncodedTable, j: int, fitted: Array, scored: Array, target: Target
) -> float:
    column, y = encoded.values[:, [j]], target.values
    if np.isnan(column[fitted]).all():
        return np.inf
    kind = DecisionTreeRegressor if target.classes is None else DecisionTreeClassifier
    tree = kind(
        max_leaf_nodes=_LEAVES_PER_COLUMN,
        min_samples_leaf=5 if len(fitted) >= 100 else 1,
        categorical_features=[0] if encoded.categorical[j] else None,
        random_state=0,
    )
    predicted = tree.fit(column[fitted], y[fitted]).predict(column[scored])
    return _error(target, y[scored], predicted)


def _error(target: Target, y: Array, predicted: Array) -> float:
    """Return the squared error, or the fraction of errors."""
    if target.classes is None:
        return float(np.mean((y - predicted) ** 2))
    return float(np.mean(y != predicted))


# ---- Time --------------------------------------------------------------------------------------


def drifting_target(
    dates: dict[str, Array],
    target: Target,
    n_periods: int = _N_PERIODS,
    *,
    table: EncodedTable | None = None,
    random_state: Any = None,
) -> list[TableWarning]:
    """Return a warning for each column of dates with which the target changes.

    The rows are divided into periods of equal numbers of rows. The target changes if its means, or
    the fractions of its classes, differ between periods by more than chance.

    Parameters
    ----------
    dates : dict of str to ndarray
        Moments by the names of columns, such as the seconds of an encoded table.
    target : Target
        The target of the same rows.
    n_periods : int, default=4
        The number of periods.
    table : EncodedTable, optional
        The rows; with them the error of a tree on the latest quarter of the rows is compared with
        its error on a random quarter.
    random_state : int, RandomState instance or None, default=None
        Chooses the random quarter.

    Returns
    -------
    list of TableWarning

    Examples
    --------
    >>> from nonet.tables.target import understand_target
    >>> days = np.arange(400.0)
    >>> target = understand_target((days > 200).astype(int), "sold")
    >>> drifting_target({"day": days}, target)[0].columns
    ('day',)
    """
    return [
        TableWarning(
            "drift",
            (name,),
            f"The target changes with the date in column {name!r}; folds in the order of time "
            "estimate the error on later rows, random folds do not."
            + ("" if table is None else _compare_splits(table, moments, target, random_state)),
        )
        for name, moments in dates.items()
        if _changes(moments, target, n_periods)
    ]


def _compare_splits(table: EncodedTable, moments: Array, target: Target, seed: Any) -> str:
    """Return what a tree loses on later rows, and on random ones, as a sentence."""
    random = check_random_state(seed)
    rows = random.permutation(np.flatnonzero(~np.isnan(moments)))[:_MAX_ROWS]
    in_time = rows[np.argsort(moments[rows], kind="stable")]
    n_fitted = 3 * len(rows) // 4
    random_error, later_error = (
        _split_error(table, target, order[:n_fitted], order[n_fitted:], seed)
        for order in (rows, in_time)
    )
    what = "squared error" if target.classes is None else "fraction of errors"
    return (
        f" A tree fitted on the earliest three quarters has a {what} of {later_error:.3g} on the "
        f"later rows, one fitted on a random part {random_error:.3g} on the others."
    )


def _split_error(
    table: EncodedTable, target: Target, fitted: Array, scored: Array, seed: Any
) -> float:
    kind = DecisionTreeRegressor if target.classes is None else DecisionTreeClassifier
    codes = np.flatnonzero(table.categorical).tolist()
    tree = kind(min_samples_leaf=20, categorical_features=codes or None, random_state=seed)
    predicted = tree.fit(table.values[fitted], target.values[fitted]).predict(table.values[scored])
    return _error(target, target.values[scored], predicted)


def _changes(moments: Array, target: Target, n_periods: int) -> bool:
    rows = np.flatnonzero(~np.isnan(moments))
    if not rows.size:
        return False
    edges = np.quantile(moments[rows], np.linspace(0, 1, n_periods + 1)[1:-1])
    periods = np.searchsorted(edges, moments[rows])
    parts = [target.values[rows[periods == period]] for period in np.unique(periods)]
    if len(parts) < 2 or min(map(len, parts)) < 2:
        return False
    return _differ_in_means(parts) if target.classes is None else _differ_in_classes(parts)


def _differ_in_means(parts: list[Array]) -> bool:
    y = np.concatenate(parts)
    between = sum(len(part) * (part.mean() - y.mean()) ** 2 for part in parts)
    total = ((y - y.mean()) ** 2).sum()
    if not total > 0 or between / total < _SMALL_EFFECT:
        return False
    return bool(f_oneway(*parts).pvalue < _SMALL_P) if between < total else True


def _differ_in_classes(parts: list[Array]) -> bool:
    n_classes = 1 + max(int(part.max()) for part in parts)
    counts = np.array([np.bincount(part, minlength=n_classes) for part in parts])
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] < 2:
        return False
    found = chi2_contingency(counts, correction=False)
    effect = found.statistic / (counts.sum() * (min(counts.shape) - 1))  # Cramer's V, squared
    return bool(found.pvalue < _SMALL_P and effect > _SMALL_EFFECT)


# ---- A second table ----------------------------------------------------------------------------


def shifted_table(
    first: EncodedTable, second: EncodedTable, random_state: Any = None
) -> list[TableWarning]:
    """Return a warning if trees can predict which of two tables a row is from.

    Trees on random columns are fitted on half of the rows, and scored on the other half by the area
    under the ROC curve: 0.5 if the tables are alike.

    Parameters
    ----------
    first, second : EncodedTable
        Two tables from one encoder: the one of fit, and one to predict.
    random_state : int, RandomState instance or None, default=None
        Chooses rows and columns.

    Returns
    -------
    list of TableWarning

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> from nonet.tables.encoder import TableEncoder
    >>> table = as_table({"a": np.sin(np.arange(400.0)), "b": np.cos(np.arange(400.0) ** 2)})
    >>> encoded = TableEncoder().fit_transform(table)
    >>> by_a = np.argsort(encoded.values[:, 0])
    >>> low, high = encoded.take(by_a[:200]), encoded.take(by_a[200:])
    >>> shifted_table(low, high, random_state=0)[0].columns[0]
    'a'
    """
    random = check_random_state(random_state)
    parts = [_sample(table.values, random) for table in (first, second)]
    X, is_second = np.vstack(parts), np.repeat([0, 1], [len(part) for part in parts])
    order = random.permutation(len(X))
    fitted, scored = order[::2], order[1::2]
    if min(np.bincount(is_second[half], minlength=2).min() for half in (fitted, scored)) < 5:
        return []
    trees = [_fit_tree(X[fitted], is_second[fitted], first, random) for _ in range(_N_TREES)]
    scores = np.mean([tree.predict_proba(X[scored])[:, 1] for tree in trees], axis=0)
    area = float(roc_auc_score(is_second[scored], scores))
    if area < _TOLD_APART:
        return []
    importances = np.mean([tree.feature_importances_ for tree in trees], axis=0)
    columns = tuple(first.names[j] for j in np.argsort(-importances)[:3] if importances[j] > 0.1)
    sentence = (
        f"The second table can be told apart from the first (area under the curve {area:.2f}), "
        f"mostly by {list_names(columns)}; expect other errors there than on the first."
    )
    return [TableWarning("shift", columns, sentence)]


def _sample(values: Array, random: Any) -> Array:
    rows = random.permutation(len(values))[: _MAX_ROWS // 2]
    sampled: Array = values[rows]
    return sampled


def _fit_tree(X: Array, y: Array, table: EncodedTable, random: Any) -> DecisionTreeClassifier:
    rows = random.randint(len(X), size=len(X))
    codes = np.flatnonzero(table.categorical)
    return DecisionTreeClassifier(
        max_leaf_nodes=_LEAVES_PER_COLUMN,
        min_samples_leaf=3,
        max_features=0.5,
        class_weight="balanced",
        categorical_features=codes if codes.size else None,
        random_state=int(random.randint(2**31 - 1)),
    ).fit(X[rows], y[rows])


# ---- Rare classes ------------------------------------------------------------------------------


def rare_classes(target: Target, n_folds: int) -> list[TableWarning]:
    """Return a warning about classes that have fewer rows than there are folds.

    Parameters
    ----------
    target : Target
        The target.
    n_folds : int
        The number of folds.

    Returns
    -------
    list of TableWarning

    Examples
    --------
    >>> from nonet.tables.target import understand_target
    >>> target = understand_target(np.array([0, 1] * 20 + [2]), "y", "classification")
    >>> rare_classes(target, n_folds=5)[0].sentence
    "Classes with fewer rows than the 5 folds cannot be in all of them: '2' (1 row)."
    """
    if target.classes is None:
        return []
    counts = np.bincount(target.values, minlength=len(target.classes))
    rare = np.flatnonzero(counts < n_folds)
    if not rare.size:
        return []
    shown = rare[:_N_SHOWN]
    counted = [f"{str(target.classes[code])!r} ({count_rows(counts[code])})" for code in shown]
    more = f" and {rare.size - _N_SHOWN} more" if rare.size > _N_SHOWN else ""
    sentence = (
        f"Classes with fewer rows than the {n_folds} folds cannot be in all of them: "
        f"{', '.join(counted)}{more}."
    )
    return [TableWarning("rare classes", (target.name,), sentence)]
