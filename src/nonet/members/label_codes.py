"""Class codes for classifiers that do not accept other labels.

Members are fitted on the user's own labels, so that ``class_weight`` by label works inside and
``classes_`` are the user's. Some classifiers (XGBoost's among them) accept only the codes 0..k-1.
They are fitted on codes of the classes in their rows, and their predictions are decoded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from nonet._base.aliases import Array, Floats, Params
from nonet._base.arrays import encode_labels
from nonet._base.estimator import Estimator

# The errors of classifiers on labels that they do not accept: strings, gaps, negative numbers.
_REFUSALS = (ValueError, TypeError, IndexError)
# These would learn, or predict, codes.
_NOT_DELEGATED = frozenset({"fit_predict", "fit_transform", "partial_fit", "staged_predict"})

Method = TypeVar("Method", bound=Callable[..., Any])


def fit_on_labels(model: Any, X: Any, y: Any, params: Params) -> Any:
    """Fit a model on labels, or on class codes if it is a classifier that rejects the labels.

    Parameters
    ----------
    model : estimator
        Not fitted yet.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
    params : mapping
        Other parameters of its ``fit``.

    Returns
    -------
    model : fitted estimator
        The model itself, or a :class:`LabelEncodedClassifier` around a clone of it. If it fails
        on codes as well, the error is that of the labels where both fail at the same check, and
        that of the codes otherwise.
    """
    try:
        model.fit(X, y, **params)
    except _REFUSALS as refusal:
        if not _may_want_codes(model, y):
            raise
        try:
            return LabelEncodedClassifier(clone(model)).fit(X, y, **params)
        except Exception as error:
            if _origin(error) != _origin(refusal):
                raise
        raise
    return model


def _origin(error: BaseException) -> tuple[Any, int]:
    """Return the code and the line that raised an error."""
    trace: Any = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code, trace.tb_lineno


def _may_want_codes(model: Any, y: Any) -> bool:
    """Return whether the labels can be the reason why a fit failed.

    Classes of this library take any labels, and a model with weights by label needs the labels.
    """
    if not is_classifier(model) or isinstance(model, Estimator) or np.ndim(y) != 1:
        return False
    return not _is_code(np.asarray(y)) and not _has_weights_by_label(model)


def _is_code(labels: Array) -> bool:
    if labels.dtype.kind not in "iu":
        return False
    classes = np.unique(labels)
    return np.array_equal(classes, np.arange(len(classes)))


def _has_weights_by_label(model: Any) -> bool:
    return any(
        isinstance(value, dict) and name.rpartition("__")[2] == "class_weight"
        for name, value in model.get_params().items()
    )


def decode_prefit(model: Any, classes: Any) -> Any:
    """Wrap a fitted classifier of the codes 0..k-1 as a classifier of the k classes.

    A classifier whose ``classes_`` are among the classes is returned as it is.
    """
    own = getattr(model, "classes_", None)
    if own is None or isinstance(own, list) or isinstance(classes, list) or np.ndim(own) != 1:
        return model
    own, known = np.asarray(own), np.asarray(classes)
    if set(own.tolist()) <= set(known.tolist()) or not np.array_equal(own, np.arange(len(known))):
        return model
    decoded = LabelEncodedClassifier(model)
    decoded.estimator_, decoded.classes_ = model, known
    return decoded


def _inner_has(method: str) -> Callable[[Method], Method]:
    """Make a method available if the wrapped classifier has it."""
    decorator: Callable[[Method], Method] = available_if(
        lambda outer: hasattr(vars(outer).get("estimator_", outer.estimator), method)
    )
    return decorator


class LabelEncodedClassifier(ClassifierMixin, BaseEstimator):
    """A classifier of any labels that wraps one that accepts only the codes 0..k-1.

    Other attributes and methods, such as ``feature_importances_``, are those of the fitted
    wrapped classifier.

    Parameters
    ----------
    estimator : classifier

    Attributes
    ----------
    estimator_ : classifier
        A clone, fitted on the codes of the labels: their positions in ``classes_``.
    classes_ : ndarray of shape (n_classes,)
        The labels.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from nonet.members.label_codes import LabelEncodedClassifier
    >>> model = LabelEncodedClassifier(LogisticRegression()).fit([[0], [1]], ["no", "yes"])
    >>> model.predict([[1]])
    array(['yes'], dtype='<U3')
    >>> model.estimator_.classes_
    array([0, 1])
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Fit a clone of the classifier on the codes of the labels."""
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        inner = clone(self.estimator)
        inner.fit(X, codes.astype(np.int64), **params)
        self.estimator_, self.classes_ = inner, classes
        return self

    def predict(self, X: Any, **params: Any) -> Array:
        """Return the labels of the codes that the wrapped classifier predicts."""
        codes = np.asarray(self.estimator_.predict(X, **params)).ravel()
        labels: Array = self.classes_[encode_labels(codes, np.arange(len(self.classes_)))]
        return labels

    @_inner_has("predict_proba")
    def predict_proba(self, X: Any, **params: Any) -> Floats:
        """Return the probabilities of the classes."""
        probabilities = np.asarray(self.estimator_.predict_proba(X, **params))
        # A two-class classifier that has seen one class may still return two columns.
        return np.ones((len(probabilities), 1)) if len(self.classes_) == 1 else probabilities

    @_inner_has("decision_function")
    def decision_function(self, X: Any, **params: Any) -> Floats:
        """Return the scores of the classes."""
        return np.asarray(self.estimator_.decision_function(X, **params))

    def __getattr__(self, name: str) -> Any:
        inner = vars(self).get("estimator_")
        if inner is None or name.startswith("_") or name in _NOT_DELEGATED:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(inner, name)

    def get_metadata_routing(self) -> Any:
        """Return the metadata routing of the wrapped classifier."""
        return self.estimator.get_metadata_routing()

    def __sklearn_is_fitted__(self) -> bool:
        return "estimator_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags
