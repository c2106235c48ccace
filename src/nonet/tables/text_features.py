"""Features of columns of text: TF-IDF of words and of character n-grams, projected to few columns.

They depend on the rows that they are fitted on, so they are fitted inside folds.

Reference: S. Deerwester, S. Dumais, G. Furnas, T. Landauer & R. Harshman (1990), Indexing by latent
semantic analysis, Journal of the American Society for Information Science 41(6), 391-407.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import hstack
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from nonet._base.aliases import Array, Floats
from nonet._base.estimator import Estimator
from nonet._base.params import Anything, Integer, Rule, check_params
from nonet.tables.encoder import EncodedTable
from nonet.tables.table import LeveledColumn

_MAX_FITTED = 20_000  # distinct values; more of them change the projection little
_MAX_TERMS = 20_000
_MANY_VALUES = 200  # in which a term that stands once only is left out

# The threads of BLAS are limited for the whole process, one fit at a time.
_blas_lock = Lock()


@dataclass(frozen=True, eq=False)
class TextProjection:
    """What is learned from a column of text.

    Attributes
    ----------
    terms : list of TfidfVectorizer
        Of words and of characters.
    components : ndarray of shape (n_components, n_terms)
        The projection of both together.
    """

    terms: list[Any]
    components: Floats

    @classmethod
    def learn(cls, values: list[str], n_components: int, seed: int) -> TextProjection:
        """Return the projection of some values."""
        if len(values) > _MAX_FITTED:
            values = values[:: -(-len(values) // _MAX_FITTED)]
        fitted = (_fit_terms(values, **how) for how in ({}, _CHARACTERS))
        terms = [vectorizer for vectorizer in fitted if vectorizer is not None]
        if not terms:
            return cls([], np.zeros((0, 0)))
        weights = _weigh(terms, values)
        n_components = min(n_components, min(weights.shape) - 1)
        if n_components < 1:
            return cls([], np.zeros((0, 0)))
        projection = TruncatedSVD(n_components, random_state=seed)
        with _blas_lock, threadpool_limits(1, "blas"):  # other threads would round otherwise
            projection.fit(weights)
        return cls(terms, np.ascontiguousarray(projection.components_))

    def project(self, values: list[str]) -> Array:
        """Return the features of some values: lengths, and components."""
        lengths = np.array([(len(value), len(value.split())) for value in values], dtype=float)
        lengths = lengths.reshape(-1, 2)
        if not self.terms or not values:
            return np.hstack([lengths, np.zeros((len(values), len(self.components)))])
        return np.hstack([lengths, _weigh(self.terms, values) @ self.components.T])


_CHARACTERS = {"analyzer": "char_wb", "ngram_range": (3, 4)}


def _fit_terms(values: list[str], **how: Any) -> Any:
    """Return fitted weights of terms, None if there are no terms."""
    vectorizer = TfidfVectorizer(
        sublinear_tf=True,
        max_features=_MAX_TERMS,
        min_df=2 if len(values) >= _MANY_VALUES else 1,
        **how,
    )
    try:
        return vectorizer.fit(values)
    except ValueError:  # an empty vocabulary
        return None


def _weigh(terms: list[Any], values: list[str]) -> Any:
    return hstack([vectorizer.transform(values) for vectorizer in terms], format="csr")


class TextFeatures(Estimator):
    """Turn the columns of text of a table into numbers.

    For each column: the number of characters and of words, and a projection of the TF-IDF weights
    of its words and of its sequences of three and four characters.

    Parameters
    ----------
    n_components : int, default=16
        The number of columns of the projection.
    random_state : int, RandomState instance or None, default=None
        The start of the projection.

    Attributes
    ----------
    projections_ : dict of str to TextProjection
        What was learned from each column of text.
    names_ : tuple of str
        The names of the features.

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> from nonet.tables.encoder import TableEncoder
    >>> table = as_table({"story": [f"house number {i} is {c}" for i, c in enumerate("ab" * 20)]})
    >>> encoded = TableEncoder().fit_transform(table)
    >>> features = TextFeatures(n_components=2, random_state=0).fit(encoded.take(np.arange(30)))
    >>> features.names_
    ('story_length', 'story_words', 'story_svd0', 'story_svd1')
    >>> features.transform(encoded).shape
    (40, 4)
    """

    _rules: ClassVar[dict[str, Rule]] = {"n_components": Integer(1), "random_state": Anything()}

    def __init__(self, n_components: int = 16, random_state: Any = None) -> None:
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X: EncodedTable, y: Any = None) -> TextFeatures:
        """Learn the terms and the projection of each column of text.

        Parameters
        ----------
        X : EncodedTable
            The rows of a fold.
        y : ignored

        Returns
        -------
        self : TextFeatures
        """
        check_params(self, self._rules)
        random = check_random_state(self.random_state)
        self.projections_ = {
            name: TextProjection.learn(
                _values_in_rows(column)[0], self.n_components, int(random.randint(2**31 - 1))
            )
            for name, column in X.texts.items()
        }
        return self

    @property
    def names_(self) -> tuple[str, ...]:
        """The names of the features."""
        names: list[str] = []
        for name, projection in self.projections_.items():
            components = (f"svd{i}" for i in range(len(projection.components)))
            names += [f"{name}_{end}" for end in ("length", "words", *components)]
        return tuple(names)

    def transform(self, X: EncodedTable) -> Array:
        """Return the features of any rows, NaN where a text is missing.

        Parameters
        ----------
        X : EncodedTable
            From the encoder whose table was fitted.

        Returns
        -------
        ndarray of float64 of shape (n_rows, n_features)
        """
        check_is_fitted(self)
        features = np.empty((X.n_rows, len(self.names_)), order="F")
        start = 0
        for name, projection in self.projections_.items():
            n_features = 2 + len(projection.components)
            features[:, start : start + n_features] = _project_rows(X.texts[name], projection)
            start += n_features
        return features


def _values_in_rows(column: LeveledColumn) -> tuple[list[str], Array]:
    """Return the distinct values of the rows, and the position of each row's value, -1 if none."""
    used, positions = np.unique(column.codes, return_inverse=True)
    n_missing = int(used.size and used[0] < 0)
    return column.levels[used[n_missing:]].tolist(), positions - n_missing


def _project_rows(column: LeveledColumn, projection: TextProjection) -> Array:
    values, positions = _values_in_rows(column)
    by_value = projection.project(values)
    missing = np.full((1, by_value.shape[1]), np.nan)
    rows: Array = np.vstack([by_value, missing])[positions]
    return rows
