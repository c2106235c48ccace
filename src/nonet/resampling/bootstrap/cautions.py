"""The warning of this package: a result that exists, but should not be trusted as it stands."""

from __future__ import annotations

import warnings


class ResamplingWarning(UserWarning):
    """The numbers were computed, but theory or the data say that they may mislead.

    Examples
    --------
    >>> import warnings
    >>> from nonet import jackknife
    >>> from nonet.resampling import ResamplingWarning
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     result = jackknife([1.0, 4.0, 7.0, 9.0], "median")
    >>> issubclass(caught[0].category, ResamplingWarning)
    True
    """


def caution(sentence: str) -> None:
    """Warn the caller of the public function."""
    warnings.warn(sentence, ResamplingWarning, stacklevel=3)
