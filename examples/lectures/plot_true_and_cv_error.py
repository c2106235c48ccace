"""
True error and cross-validated error
====================================

Polynomials of growing degree on three simulated sets: a smooth curve, a straight line and a wave.
As the data are simulated, the true test error is known. Leave-one-out and tenfold errors follow its
shape and find nearly the same minimum, although their level can be off: one training set is a
single draw.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from numpy.polynomial import legendre
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from nonet import cv_curve, loocv_error

CURVES = {
    "smooth curve": lambda x: np.exp(x) + x**2,
    "straight line": lambda x: 1.5 * x,
    "wave": lambda x: 2 * np.sin(5 * x),
}
DEGREES = np.arange(1, 13)


def powers(X: np.ndarray, degree: int) -> np.ndarray:
    return legendre.legvander(X[:, 0], degree)[:, 1:]


models = {
    degree: make_pipeline(
        FunctionTransformer(powers, kw_args={"degree": degree}), LinearRegression()
    )
    for degree in DEGREES
}
random = np.random.default_rng(3)
grid = np.linspace(-1, 1, 2000)[:, np.newaxis]
figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for ax, (name, curve) in zip(axes, CURVES.items(), strict=True):
    X = random.uniform(-1, 1, size=(100, 1))
    y = curve(X[:, 0]) + random.normal(scale=0.5, size=100)
    predictions = [model.fit(X, y).predict(grid) for model in models.values()]
    true = [0.25 + np.mean((p - curve(grid[:, 0])) ** 2) for p in predictions]  # 0.25 is noise
    one_out = [loocv_error(powers(X, degree), y).error for degree in DEGREES]
    folds = cv_curve(models, X, y, cv=KFold(10, shuffle=True, random_state=0))
    best = [DEGREES[np.argmin(errors)] for errors in (true, one_out, folds.errors)]
    print(f"{name}: best degree {best[0]}, by leave-one-out {best[1]}, by ten folds {best[2]}")
    ax.plot(DEGREES, true, color="#1864ab", lw=2, label="true test error")
    ax.plot(DEGREES, one_out, "k--", lw=1.4, label="leave-one-out")
    ax.plot(DEGREES, folds.errors, color="#e8590c", lw=1.8, label="ten folds")
    for errors, degree, colour in zip(
        (true, one_out, folds.errors), best, ("#1864ab", "black", "#e8590c"), strict=True
    ):
        ax.plot(degree, errors[degree - 1], "x", color=colour, ms=9, mew=2)
    ax.set(title=name, xlabel="degree", ylim=(0.2, min(0.9, 1.05 * max(*true, *one_out))))
axes[0].set_ylabel("mean squared error")
axes[0].legend(frameon=False)
plt.show()
