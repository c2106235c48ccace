"""What a loss is, for those of this library and those of its users."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats

# Probabilities keep this distance from 0 and 1 before their odds are taken.
_CLIP = 10 * np.finfo(np.float64).eps


class Loss:
    """A loss of a target and a score; derive from it for a loss of your own.

    A loss of one's own has `value` and `gradient_hessian`, and `inverse_link` and `start` where
    the defaults (the score itself, the mean target) do not fit. Boosting checks the two slopes
    against differences of the values before it uses them.

    Attributes
    ----------
    n_scores : int
        Scores a row: 1, or one a class.
    has_constant_hessian : bool
        Whether the hessian is 1 everywhere, and need not be stored.
    has_exact_leaves : bool
        Whether the best value of a leaf is known better than by Newton's step: `leaf_value`.
    is_self_concordant : bool
        Whether the third derivative is nowhere larger, in size, than the second, as of losses made
        of exponentials: boosting then finds Newton steps that would raise the loss.

    Examples
    --------
    A loss that forgives over-estimates more than under-estimates:

    >>> import numpy as np
    >>> from nonet.losses import Loss
    >>> class LinexLoss(Loss):
    ...     def value(self, y, score):
    ...         return np.exp(y - score) - (y - score) - 1
    ...     def gradient_hessian(self, y, score):
    ...         return 1 - np.exp(y - score), np.exp(y - score)
    >>> LinexLoss().mean_loss(np.array([1.0, 2.0]), np.array([1.0, 2.0]))
    0.0
    """

    n_scores: int = 1
    has_constant_hessian: bool = False
    has_exact_leaves: bool = False
    is_self_concordant: bool = False

    def value(self, y: Array, score: Floats) -> Floats:
        """Give the loss of each row.

        Parameters
        ----------
        y : array of shape (n_rows,)
            Targets.
        score : array of shape (n_rows,) or (n_scores, n_rows)
            Scores.

        Returns
        -------
        array of shape (n_rows,)
        """
        raise NotImplementedError(f"{type(self).__name__} has to define value(y, score).")

    def gradient_hessian(self, y: Array, score: Floats) -> tuple[Floats, Floats]:
        """Give the first and second derivative of the loss by the score.

        Parameters
        ----------
        y : array of shape (n_rows,)
            Targets.
        score : array of shape (n_rows,) or (n_scores, n_rows)
            Scores.

        Returns
        -------
        gradients, hessians : arrays of the shape of `score`
        """
        raise NotImplementedError(
            f"{type(self).__name__} has to define gradient_hessian(y, score)."
        )

    def inverse_link(self, score: Floats) -> Floats:
        """Turn scores into what the model answers.

        Parameters
        ----------
        score : array
            Scores.

        Returns
        -------
        array of the shape of `score`
        """
        return score

    def start(self, y: Array, sample_weight: Floats | None = None) -> Any:
        """Give the best constant score, where boosting begins.

        Parameters
        ----------
        y : array of shape (n_rows,)
            Targets.
        sample_weight : array of shape (n_rows,), optional
            Weights of rows.

        Returns
        -------
        float, or array of shape (n_scores,)
        """
        return float(np.average(y, weights=sample_weight))

    def leaf_value(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> float:
        """Give the number that, added to the scores of a leaf, makes its loss least.

        Parameters
        ----------
        y, score, sample_weight : arrays of shape (n_rows,)
            The rows of the leaf.

        Returns
        -------
        float
        """
        raise NotImplementedError(f"{type(self).__name__} has no exact values of leaves.")

    def part(self, k: int, y: Array) -> tuple[Loss, Array]:
        """Give the loss of one score alone, and its targets.

        Parameters
        ----------
        k : int
            Which score.
        y : array of shape (n_rows,) or (n_rows, n_scores)
            Targets.

        Returns
        -------
        loss : Loss
            A loss of one score a row; this loss itself unless it is made of several.
        y : array of shape (n_rows,)
            The targets it takes.
        """
        return self, y

    def check_targets(self, y: Array) -> None:
        """Raise a ValueError if a target is outside the domain of the loss.

        Parameters
        ----------
        y : array of shape (n_rows,)
            Targets.
        """

    def fill(self, y: Array, score: Floats, gradients: Floats, hessians: Floats | None) -> None:
        """Write the slopes into arrays that boosting keeps from round to round.

        Parameters
        ----------
        y : array of shape (n_rows,)
            Targets.
        score : array of shape (n_rows,) or (n_scores, n_rows)
            Scores.
        gradients, hessians : arrays of the shape of `score`
            Where the slopes go; no hessians are wanted of a loss where they are constant.
        """
        gradient, hessian = self.gradient_hessian(y, score)
        gradients[...] = gradient
        if hessians is not None:
            hessians[...] = hessian

    def mean_loss(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> float:
        """Average the loss over rows.

        Parameters
        ----------
        y : array of shape (n_rows,)
            Targets.
        score : array of shape (n_rows,) or (n_scores, n_rows)
            Scores.
        sample_weight : array of shape (n_rows,), optional
            Weights of rows.

        Returns
        -------
        float
        """
        return float(np.average(self.value(y, score), weights=sample_weight))


def log_odds(share: Any) -> Any:
    """Give log(p / (1 - p)) of shares that are kept off 0 and 1 by a few rounding errors."""
    clipped = np.clip(share, _CLIP, 1 - _CLIP)
    return np.log(clipped / (1 - clipped))


def refuse_targets(y: Array, allowed: Array, what: str, domain: str) -> None:
    """Raise a ValueError that names the first target outside the domain of a loss."""
    if not allowed.all():
        row = int(np.argmin(allowed))
        raise ValueError(f"The {what} loss needs targets y {domain}, got {y[row]:g} in row {row}.")


def check_slopes(loss: Loss, y: Array, score: Floats) -> None:
    """Compare the gradient of a loss with differences of its values, and look at the hessian.

    Parameters
    ----------
    loss : Loss
        A loss of one score a row.
    y, score : arrays of shape (n_rows,)
        Where to look; some hundred rows do.
    """
    name = type(loss).__name__
    gradient, hessian = (np.asarray(slope) for slope in loss.gradient_hessian(y, score))
    if gradient.shape != score.shape or hessian.shape != score.shape:
        raise ValueError(
            f"gradient_hessian of {name} must give two arrays of shape {score.shape}, got "
            f"{gradient.shape} and {hessian.shape}."
        )
    if not (np.isfinite(gradient).all() and np.isfinite(hessian).all() and (hessian >= 0).all()):
        raise ValueError(
            f"gradient_hessian of {name} must give finite numbers, and hessians of at least 0 (an "
            "upper bound does where the second derivative is negative)."
        )
    step = 1e-5 * np.maximum(1.0, np.abs(score))
    slope = (loss.value(y, score + step) - loss.value(y, score - step)) / (2 * step)
    differs = np.abs(gradient - slope) > 1e-3 * np.maximum(1.0, np.abs(slope))
    if differs.mean() > 0.1:  # a kink may fall between the two points of a few rows
        row = int(np.argmax(differs))
        raise ValueError(
            f"The gradient of {name} is not the slope of its value: at y = {y[row]:g} and score = "
            f"{score[row]:g} it says {gradient[row]:g}, but the values change by {slope[row]:g}."
        )
