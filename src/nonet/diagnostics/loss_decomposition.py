"""Decompose losses into bias, variance and noise, from predictions of many fits.

The loss of each row is a sum of three parts:

========================  ====================  ==========================  =====================
loss                      bias                  variance                    noise
========================  ====================  ==========================  =====================
squared                   (mean - f)^2          mean squared distance from  mean squared distance
                                                the mean prediction         of the labels from f
kohavi_wolpert            half the squared      half of 1 - sum of squared  half of 1 - sum of
                          distance of class     class fractions of the      squared class
                          fractions             predictions                 fractions of y
domingos                  1 if the most         fraction that differs from  fraction of labels
                          frequent prediction   it, counted -1 (two         that differ from the
                          is not the best one,  classes) where it is        best prediction, with
                          a fraction on a tie   biased                      its factor
log                       KL from the truth     minus log of the norming    entropy of the truth
                          to the geometric      constant of the geometric
                          mean                  mean
========================  ====================  ==========================  =====================

References: R. Kohavi & D. Wolpert (1996), Bias plus variance decomposition for zero-one loss
functions, ICML; P. Domingos (2000), A unified bias-variance decomposition, ICML; T. Heskes (1998),
Bias/variance decompositions for likelihood-based estimators, Neural Computation 10, 1425-1433.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet.diagnostics.ties import find_leaders, split_ties

_SMALLEST = 1e-15  # probabilities are kept this far from 0: one sure mistake would be infinite


@dataclass(frozen=True)
class LossParts:
    """Error, bias, variance and noise of each row."""

    error: Floats
    bias: Floats
    variance: Floats
    noise: Floats


def split_squared(predictions: Floats, present: Array, truth: Floats, noise: Floats) -> LossParts:
    """Decompose the squared loss; ``truth`` and ``noise`` are mean and variance of y given x."""
    n = present.sum(axis=1)
    means = np.where(present, predictions, 0.0).sum(axis=1) / n
    apart = np.where(present, predictions - means[:, np.newaxis], 0.0)
    variance = (apart**2).sum(axis=1) / n
    bias = (means - truth) ** 2
    return LossParts(bias + variance + noise, bias, variance, noise)


def split_kohavi_wolpert(fractions: Floats, truth: Floats) -> LossParts:
    """Decompose the 0-1 loss; both are fractions of the classes, of the predictions and of y."""
    bias = ((truth - fractions) ** 2).sum(axis=1) / 2
    variance = (1 - (fractions**2).sum(axis=1)) / 2
    noise = (1 - (truth**2).sum(axis=1)) / 2
    return LossParts(1 - (truth * fractions).sum(axis=1), bias, variance, noise)


def split_domingos(fractions: Floats, truth: Floats) -> LossParts:
    """Decompose the 0-1 loss around the most frequent prediction and the best prediction.

    The variance is the net one: what the variation of predictions adds to the error. It is
    negative where the most frequent prediction is wrong and others are right. Where several
    predictions are most frequent, or several are best, the parts are means over them, so that no
    part depends on the order of the labels.
    """
    main, is_best = split_ties(fractions), find_leaders(truth)
    bias = 1 - (main * is_best).sum(axis=1)
    # The best prediction is the main prediction where that is among the best ones, else any of
    # them.
    best = main * is_best + bias[:, np.newaxis] * split_ties(truth)
    # Against the best prediction alone: error = bias + net variance, whatever the number of
    # classes.
    variance = (1 - (best * fractions).sum(axis=1)) - bias
    error = 1 - (truth * fractions).sum(axis=1)
    return LossParts(error, bias, variance, error - bias - variance)


def split_log(log_mean: Floats, truth: Floats) -> LossParts:
    """Decompose the log loss; ``log_mean`` is the mean of the log probabilities."""
    log_norm = np.log(np.exp(log_mean).sum(axis=1))
    centre = log_mean - log_norm[:, np.newaxis]
    with np.errstate(divide="ignore"):
        log_truth = np.where(truth > 0, np.log(np.where(truth > 0, truth, 1.0)), 0.0)
    noise = -(truth * log_truth).sum(axis=1)
    bias = (truth * (log_truth - centre)).sum(axis=1)
    variance = -log_norm
    return LossParts(-(truth * log_mean).sum(axis=1), bias, variance, noise)


def label_fractions(codes: Codes, n_classes: int) -> Floats:
    """Return the class fractions of the predictions of each row; -1 is a missing prediction."""
    counts = np.column_stack([(codes == c).sum(axis=1) for c in range(n_classes)])
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def mean_log(probabilities: Floats, present: Array) -> Floats:
    """Return the mean over the predictions of the logs of the probabilities, all of them finite."""
    there = present[:, :, np.newaxis]
    logs = np.log(np.clip(np.where(there, probabilities, 1.0), _SMALLEST, None))
    return np.asarray(np.where(there, logs, 0.0).sum(axis=1) / present.sum(axis=1)[:, np.newaxis])


def split_variance(outputs: Floats, present: Array) -> tuple[Floats, Floats]:
    """Return the variance among samples, and that among the seeds of a sample, for each row.

    ``outputs`` has shape (n_rows, n_samples, n_seeds, n_outputs), and variances of several outputs
    are added; ``present`` has shape (n_rows, n_samples). These are the unbiased estimates of the
    analysis of variance with random effects; a row in one sample has no variance among samples.
    """
    n_samples, n_seeds = present.sum(axis=1), outputs.shape[2]
    within = np.where(present, outputs.var(axis=2, ddof=1).sum(axis=-1), 0.0)
    of_seed = within.sum(axis=1) / n_samples
    there = present[:, :, np.newaxis]
    means = np.where(there, outputs.mean(axis=2), 0.0)
    centre = means.sum(axis=1, keepdims=True) / n_samples[:, np.newaxis, np.newaxis]
    squares = np.where(there, (means - centre) ** 2, 0.0).sum(axis=(1, 2))
    return squares / np.maximum(n_samples - 1, 1) - of_seed / n_seeds, of_seed
