"""A fitted clusterer that labels any row: by its own predict, or like its nearest row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_outlier_detector, is_regressor
from sklearn.neighbors import KNeighborsClassifier

from nonet._base.aliases import Array, Codes
from nonet._base.errors import member_error
from nonet._base.frames import count_rows, take_columns, take_rows
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.plan import MemberPlan
from nonet.unsupervised.clustering.partitions import encode_partition


@dataclass(frozen=True)
class ClusterMember(Member):
    """One fitted clustering of an ensemble.

    Attributes
    ----------
    name : str
    estimator : fitted clusterer
    columns : ndarray of int or None
        Positions of the columns it was fitted on; None means all.
    unseen_rows : ndarray of int or None
        Rows of the training data it was not fitted on; None if it saw all of them.
    clusters : ndarray
        Its labels, without noise.
    neighbors : KNeighborsClassifier or None
        Labels rows for a clusterer without ``predict``: each row gets the label of the nearest row
        that the clusterer was fitted on, noise included.
    """

    clusters: Array | None = None
    neighbors: Any = None

    def codes(self, X: Any) -> Codes:
        """Return the position of the cluster of each row, -1 for noise."""
        labeller = self.estimator if self.neighbors is None else self.neighbors
        return encode_partition(labeller.predict(self.view(X)), self.clusters)[0]


def check_clusters(owner: str, what: str, model: Any) -> None:
    """Raise if a model is of a kind that has no clusters: a classifier, a transformer, ..."""
    kind = next((name for name, is_one in _OTHER_KINDS.items() if is_one(model)), None)
    if kind is not None:
        raise TypeError(
            f"{owner}: {what} must be a clusterer, such as KMeans() or DBSCAN(), but "
            f"{type(model).__name__} is a {kind}."
        )


def _only_transforms(model: Any) -> bool:
    is_cluster_like = hasattr(model, "predict") or hasattr(model, "fit_predict")
    return hasattr(model, "transform") and not is_cluster_like


_OTHER_KINDS: dict[str, Callable[[Any], bool]] = {
    "classifier": is_classifier,
    "regressor": is_regressor,
    "detector of outliers": is_outlier_detector,
    "transformer": _only_transforms,
}


def fit_cluster_member(
    plan: MemberPlan, X: Any, position: int = 0, total: int = 1
) -> tuple[ClusterMember, Codes]:
    """Fit a clusterer from its plan, and return it with the codes of all rows of X.

    Rows that it was fitted on have the labels it gave them in fit; it predicts the others.
    """
    fitted = fit_member(plan, X, None, position, total)
    try:
        return _label_rows(fitted, plan, X)
    except Exception as why:
        raise member_error(plan.name, position, total, "label rows", why) from why


def _label_rows(fitted: Member, plan: MemberPlan, X: Any) -> tuple[ClusterMember, Codes]:
    view = take_rows(take_columns(X, plan.columns), plan.rows)
    own = np.asarray(_own_labels(fitted.estimator, view))
    if own.shape != (count_rows(view),):
        raise ValueError(
            f"its labels have shape {own.shape} where one label for each of {count_rows(view)} "
            "rows was expected."
        )
    seen, clusters = encode_partition(own)
    if len(clusters) == 0:
        raise ValueError(
            "it labels every row as noise (-1), so it has no cluster to combine; change its "
            "parameters, or leave it out."
        )
    member = ClusterMember(
        fitted.name,
        fitted.estimator,
        fitted.columns,
        fitted.unseen_rows,
        clusters,
        None if hasattr(fitted.estimator, "predict") else _nearest_row(view, own),
    )
    if plan.rows is None:
        return member, seen
    codes = np.empty(count_rows(X), dtype=np.int32)
    codes[plan.rows] = seen
    unseen = fitted.unseen_rows
    if unseen is not None and unseen.size:
        codes[unseen] = member.codes(take_rows(X, unseen))
    return member, codes


def _own_labels(estimator: Any, view: Any) -> Any:
    last = getattr(estimator, "_final_estimator", estimator)  # of a pipeline
    if hasattr(last, "labels_"):
        return last.labels_
    if hasattr(estimator, "predict"):
        return estimator.predict(view)
    raise TypeError(f"{type(estimator).__name__} has neither labels_ nor predict after its fit.")


def _nearest_row(view: Any, labels: Array) -> KNeighborsClassifier:
    return KNeighborsClassifier(n_neighbors=1).fit(view, labels)
