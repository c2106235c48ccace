"""Resampling schemes other than sampling rows: blocks, models, noise, weights.

A scheme makes a resample from the sample and a generator of its own; resample b is a
pure function of (seed, b).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet._base.params import Boolean, Choice, Integer, Real, Rule, bad_parameter
from nonet.resampling.bootstrap.draws import Tables, WeightDraws
from nonet.resampling.statistics.samples import Sample


class Scheme:
    """A way to make resamples; a subclass makes one in ``make``.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> from nonet.resampling import Scheme
    >>> class Permuted(Scheme):
    ...     def make(self, sample, random):
    ...         x, y = sample.parts
    ...         return x, random.permutation(y)
    >>> x = np.arange(20.0)
    >>> result = bootstrap((x, x), "correlation", scheme=Permuted(), n_resamples=500)
    >>> bool(abs(result.mean) < 0.1)  # what is left of the correlation when pairs are broken up
    True
    """

    def bind(self, sample: Sample, seed: int) -> Any:
        """Return the draws of this scheme for a sample: an object with ``tables(resample)``."""
        return SchemeDraws(self, sample, seed)

    def make(self, sample: Sample, random: np.random.Generator) -> tuple[Any, ...]:
        """Return the tables of one resample."""
        raise NotImplementedError


@dataclass(frozen=True)
class SchemeDraws:
    """The resamples that a scheme makes of a sample."""

    scheme: Scheme
    sample: Sample
    seed: int

    def tables(self, resample: int) -> Tables:
        """Return the tables of a resample."""
        key = np.array([self.seed, resample], dtype=np.uint64)
        return self.scheme.make(self.sample, np.random.Generator(np.random.Philox(key=key))), None


@dataclass(frozen=True)
class Bayesian(Scheme):
    """All rows, with random weights: the posterior under Rubin's (1981) flat prior.

    The statistic must take ``weights``, as named ones do.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> from nonet.resampling import Bayesian
    >>> result = bootstrap([1, 4, 7, 9], "mean", scheme=Bayesian(), random_state=0)
    >>> round(result.standard_error)  # theory: standard deviation / sqrt(n + 1)
    1
    """

    def bind(self, sample: Sample, seed: int) -> Any:
        """Return the draws of this scheme for a sample."""
        if not sample.paired:
            raise ValueError("the Bayesian bootstrap weights the rows of one sample: use paired.")
        return WeightDraws(sample, seed)


@dataclass(frozen=True)
class MovingBlocks(Scheme):
    """Runs of ``length`` neighbouring rows, for series whose rows depend on each other.

    Künsch (1989). Any run inside the series may be drawn.

    Attributes
    ----------
    length : int
        Rows in a block, at least 1 and at most those of the sample.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> from nonet.resampling import MovingBlocks
    >>> series = np.sin(np.arange(60))
    >>> result = bootstrap(series, "mean", scheme=MovingBlocks(6), n_resamples=500, random_state=0)
    >>> result.n_resamples
    500
    """

    length: int

    def __post_init__(self) -> None:
        _check(self, "length", Integer(1))

    def make(self, sample: Sample, random: np.random.Generator) -> tuple[Any, ...]:
        """Return the tables of one resample."""
        n_rows = _one_series(sample, self.length)
        starts = random.integers(n_rows - self.length + 1, size=-(-n_rows // self.length))
        return sample.take([_runs(starts, self.length)[:n_rows]])


@dataclass(frozen=True)
class CircularBlocks(Scheme):
    """Runs of ``length`` rows of a series closed to a ring, so that all rows are equally likely.

    Politis & Romano (1992).

    Attributes
    ----------
    length : int
        Rows in a block, at least 1 and at most those of the sample.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> from nonet.resampling import CircularBlocks
    >>> series = np.sin(np.arange(60))
    >>> result = bootstrap(series, "mean", scheme=CircularBlocks(6), n_resamples=500)
    >>> result.n_resamples
    500
    """

    length: int

    def __post_init__(self) -> None:
        _check(self, "length", Integer(1))

    def make(self, sample: Sample, random: np.random.Generator) -> tuple[Any, ...]:
        """Return the tables of one resample."""
        n_rows = _one_series(sample, self.length)
        starts = random.integers(n_rows, size=-(-n_rows // self.length))
        return sample.take([_runs(starts, self.length)[:n_rows] % n_rows])


@dataclass(frozen=True)
class StationaryBlocks(Scheme):
    """Runs of random (geometric) length on the ring, which make a stationary series.

    Politis & Romano (1994).

    Attributes
    ----------
    mean_length : float
        Expected number of rows in a block, at least 1.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> from nonet.resampling import StationaryBlocks
    >>> series = np.sin(np.arange(60))
    >>> result = bootstrap(series, "mean", scheme=StationaryBlocks(6), n_resamples=500)
    >>> result.n_resamples
    500
    """

    mean_length: float

    def __post_init__(self) -> None:
        _check(self, "mean_length", Real(1))

    def make(self, sample: Sample, random: np.random.Generator) -> tuple[Any, ...]:
        """Return the tables of one resample."""
        n_rows = _one_series(sample, 1)
        begins = random.random(n_rows) < 1 / self.mean_length
        begins[0] = True
        position = np.arange(n_rows)
        start = np.maximum.accumulate(np.where(begins, position, 0))
        return sample.take(
            [(random.integers(n_rows, size=n_rows)[start] + position - start) % n_rows]
        )


@dataclass(frozen=True)
class Parametric(Scheme):
    """Fresh samples from a model: from the fitted distribution, not from the data.

    Attributes
    ----------
    model : distribution or callable
        A frozen ``scipy.stats`` distribution; a distribution that is not frozen, which is then
        fitted to the data by maximum likelihood; or ``model(random)``, which takes a NumPy
        Generator and returns a resample (a tuple if the data are one).

    Examples
    --------
    >>> from scipy.stats import expon
    >>> from nonet import bootstrap
    >>> from nonet.resampling import Parametric
    >>> scheme = Parametric(expon(scale=2.0))
    >>> result = bootstrap([1.5, 2.5, 0.1, 3.9], "mean", scheme=scheme, random_state=0)
    >>> round(result.standard_error)  # theory: 2 / sqrt(4)
    1
    """

    model: Any

    def __post_init__(self) -> None:
        if not (hasattr(self.model, "rvs") or callable(self.model)):
            allowed = "a scipy.stats distribution or a callable"
            raise bad_parameter(self, "model", allowed, self.model)

    def bind(self, sample: Sample, seed: int) -> Any:
        """Return the draws of this scheme for a sample."""
        if hasattr(self.model, "fit") and hasattr(self.model, "rvs"):
            fitted = self.model(*self.model.fit(_one_column(sample)))
            return SchemeDraws(Parametric(fitted), sample, seed)
        return SchemeDraws(self, sample, seed)

    def make(self, sample: Sample, random: np.random.Generator) -> tuple[Any, ...]:
        """Return the tables of one resample."""
        if hasattr(self.model, "rvs"):
            drawn = self.model.rvs(size=len(_one_column(sample)), random_state=random)
            return (drawn,)
        drawn = self.model(random)
        return drawn if isinstance(drawn, tuple) else (drawn,)


@dataclass(frozen=True)
class Smoothed(Scheme):
    """Rows drawn with replacement, with normal noise of the covariance of the data.

    Attributes
    ----------
    bandwidth : float or 'silverman', default='silverman'
        Size of the noise in standard deviations of the data.
    shrink : bool, default=True
        Whether the resample is shrunk so that its variance stays that of the data.

    Examples
    --------
    >>> from nonet import bootstrap
    >>> from nonet.resampling import Smoothed
    >>> result = bootstrap([1, 4, 7, 9, 12], "median", scheme=Smoothed(), random_state=0)
    >>> len(np.unique(result.distribution)) > 1000
    True
    """

    bandwidth: float | str = "silverman"
    shrink: bool = True

    def __post_init__(self) -> None:
        _check(self, "bandwidth", Choice("silverman") | Real(0))
        _check(self, "shrink", Boolean())

    def make(self, sample: Sample, random: np.random.Generator) -> tuple[Any, ...]:
        """Return the tables of one resample."""
        if not sample.paired:
            return tuple(self._smooth((part,), random)[0] for part in sample.arrays)
        return self._smooth(sample.arrays, random)

    def _smooth(self, parts: tuple[Floats, ...], random: np.random.Generator) -> tuple[Floats, ...]:
        table = np.column_stack(parts).astype(np.float64)
        n_rows, width = table.shape
        h = self._relative_bandwidth(n_rows, width)
        values, vectors = np.linalg.eigh(np.atleast_2d(np.cov(table, rowvar=False, ddof=0)))
        root = vectors * np.sqrt(np.maximum(values, 0))
        drawn = table[random.integers(n_rows, size=n_rows)]
        moved = drawn + h * random.standard_normal(table.shape) @ root.T
        if self.shrink:
            centre = table.mean(axis=0)
            moved = centre + (moved - centre) / np.sqrt(1 + h * h)
        widths = [1 if part.ndim == 1 else part.shape[1] for part in parts]
        split = np.split(moved, np.cumsum(widths)[:-1], axis=1)
        return tuple(
            own[:, 0] if part.ndim == 1 else own for own, part in zip(split, parts, strict=True)
        )

    def _relative_bandwidth(self, n_rows: int, width: int) -> float:
        if isinstance(self.bandwidth, str):
            return float((4 / ((width + 2) * n_rows)) ** (1 / (width + 4)))
        return self.bandwidth


def _check(scheme: Scheme, name: str, rule: Rule) -> None:
    value = getattr(scheme, name)
    if not rule.allows(value):
        raise bad_parameter(scheme, name, rule.describe(), value)


def _runs(starts: Codes, length: int) -> Codes:
    return (starts[:, None] + np.arange(length)).ravel()


def _one_series(sample: Sample, length: int) -> int:
    if not sample.paired:
        raise ValueError("blocks are drawn from one series: give paired data.")
    (n_rows,) = sample.sizes
    if length > n_rows:
        raise ValueError(f"a block must be at most as long as the {n_rows} rows, but is {length}.")
    return n_rows


def _one_column(sample: Sample) -> Floats:
    arrays = sample.arrays
    if len(arrays) != 1 or arrays[0].ndim != 1:
        raise ValueError(
            "a scipy.stats distribution makes one column: for other data give a callable model."
        )
    return arrays[0]
