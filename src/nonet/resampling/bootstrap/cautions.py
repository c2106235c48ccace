"""The warning for results that may mislead."""

from __future__ import annotations

import warnings


class ResamplingWarning(UserWarning):
    """Warning that a computed result may mislead, by theory or by the data.

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
