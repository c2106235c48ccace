"""Interface of losses, for those of this library and for custom ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.sums import ExactSum, exact_mean, exact_sum, log_of

# Probabilities are clipped at this distance from 0 and 1 before log-odds are computed.
_CLIP = 10 * float(np.finfo(np.float64).eps)


class Loss:
    """A loss of a target and a score; derive from it to define a custom loss.

    A custom loss has `value` and `gradient_hessian`, and `inverse_link` and `start` if the
    defaults (the score itself, the mean target) do not fit. Boosting checks the gradients against
    finite differences of the values before it uses them.

    Attributes
    ----------
    n_scores : int
        Number of scores per row: 1, or one per class.
    has_constant_hessian : bool
        Whether the hessian is 1 everywhere, and need not be stored.
    has_exact_leaves : bool
        Whether leaves have an exact best value, `leaf_value`, which replaces Newton's step.
    has_value : bool
        Whether `value` can be computed; otherwise the derivatives are all that is known, and rows
        are evaluated by metrics.
    is_self_concordant : bool
        Whether the absolute third derivative never exceeds the second, as for losses made of
        exponentials: boosting then detects Newton steps that would raise the loss.

    Examples
    --------
    A loss that penalizes over-estimates less than under-estimates:

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
    has_value: bool = True
    is_self_concordant: bool = False

    def value(self, y: Array, score: Floats) -> Floats:
        """Return the loss of each row.

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
        raise NotImplementedError(f"{type(self).__name__} must define value(y, score).")

    def gradient_hessian(self, y: Array, score: Floats) -> tuple[Floats, Floats]:
        """Return the first and second derivatives of the loss with respect to the score.

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
        raise NotImplementedError(f"{type(self).__name__} must define gradient_hessian(y, score).")

    def inverse_link(self, score: Floats) -> Floats:
        """Turn scores into predictions.

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
        """Return the best constant score, which is the start of boosting.

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
        return self.start_of_mean(exact_mean(y, sample_weight))

    def start_of_mean(self, mean: float) -> float:
        """Return the best constant score, if it is a function of the mean target."""
        return mean

    def leaf_value(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> float:
        """Return the value that minimizes the loss of a leaf when added to its scores.

        Parameters
        ----------
        y, score, sample_weight : arrays of shape (n_rows,)
            The rows of the leaf.

        Returns
        -------
        float
        """
        raise NotImplementedError(f"{type(self).__name__} has no exact leaf values.")

    def part(self, k: int, y: Array) -> tuple[Loss, Array]:
        """Return the loss of one score alone, and its targets.

        Parameters
        ----------
        k : int
            Index of the score.
        y : array of shape (n_rows,) or (n_rows, n_scores)
            Targets.

        Returns
        -------
        loss : Loss
            A loss with one score per row; this loss itself unless it is a sum of several.
        y : array of shape (n_rows,)
            Its targets.
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
        """Write gradients and hessians into arrays that boosting reuses in every round.

        Parameters
        ----------
        y : array of shape (n_rows,)
            Targets.
        score : array of shape (n_rows,) or (n_scores, n_rows)
            Scores.
        gradients, hessians : arrays of the shape of `score`
            Output arrays; hessians are None if the loss has a constant hessian.
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
        return self.sum_losses(y, score, sample_weight).value / total_weight(y, sample_weight)

    def sum_losses(self, y: Array, score: Floats, sample_weight: Floats | None = None) -> ExactSum:
        """Add up the loss over rows, exactly, so that sums of parts of the rows can be joined.

        Parameters
        ----------
        y, score, sample_weight
            As in `mean_loss`.

        Returns
        -------
        ExactSum
        """
        return exact_sum(self.value(y, score), sample_weight)


def total_weight(y: Array, sample_weight: Floats | None) -> float:
    """Return the number of rows, or their weight; the same in any order of rows."""
    return len(y) if sample_weight is None else exact_sum(sample_weight).value


def logit(probability: float) -> float:
    """Return log(p / (1 - p)), with p clipped slightly away from 0 and 1."""
    clipped = min(max(probability, _CLIP), 1 - _CLIP)
    return log_of(clipped / (1 - clipped))


def clipped_logit(probability: Any) -> Any:
    """Return log(p / (1 - p)), with p clipped slightly away from 0 and 1."""
    clipped = np.clip(probability, _CLIP, 1 - _CLIP)
    return np.log(clipped / (1 - clipped))


def refuse_targets(y: Array, allowed: Array, what: str, domain: str) -> None:
    """Raise a ValueError that reports the first target outside the domain of a loss."""
    if not allowed.all():
        row = int(np.argmin(allowed))
        raise ValueError(f"The {what} loss needs targets y {domain}, got {y[row]:g} in row {row}.")


def check_derivatives(loss: Loss, y: Array, score: Floats) -> None:
    """Compare the gradient of a loss with finite differences, and check the hessian.

    Parameters
    ----------
    loss : Loss
        A loss with one score per row.
    y, score : arrays of shape (n_rows,)
        Where to check; a few hundred rows are enough.
    """
    name = type(loss).__name__
    gradient, hessian = map(np.asarray, loss.gradient_hessian(y, score))
    if gradient.shape != score.shape or hessian.shape != score.shape:
        raise ValueError(
            f"gradient_hessian of {name} must return two arrays of shape {score.shape}, got "
            f"{gradient.shape} and {hessian.shape}."
        )
    if not (np.isfinite(gradient).all() and np.isfinite(hessian).all() and (hessian >= 0).all()):
        raise ValueError(
            f"gradient_hessian of {name} must return finite numbers, and hessians of at least 0 "
            "(use an upper bound where the second derivative is negative)."
        )
    step = 1e-5 * np.maximum(1.0, np.abs(score))
    difference = (loss.value(y, score + step) - loss.value(y, score - step)) / (2 * step)
    differs = np.abs(gradient - difference) > 1e-3 * np.maximum(1.0, np.abs(difference))
    if differs.mean() > 0.1:  # a few rows may have a kink between the two points
        row = int(np.argmax(differs))
        raise ValueError(
            f"The gradient of {name} is not the derivative of its value: at y = {y[row]:g} and "
            f"score = {score[row]:g} it is {gradient[row]:g}, but the finite difference is "
            f"{difference[row]:g}."
        )
