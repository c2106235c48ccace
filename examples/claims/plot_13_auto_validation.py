"""
How far to trust a validation set
=================================

Fuel economy of 392 cars as a polynomial of horsepower: which degree? Hold out half of the cars, fit
on the others, and look. Ten random halves give ten different curves (left): they agree that a
straight line will not do, and on nothing else. Nine repetitions of 10-fold cross-validation nearly
coincide (middle). Leaving out one car at a time does not depend on a random split at all, and by
leverages it costs no more than one fit per degree (right, dotted).

The lowest error is at a high degree by a small difference. The one-standard-error rule takes the
simplest model that is not clearly worse: the parabola.

The table is that of the package ISLP (see ``../data/SOURCES.md``).
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.polynomial import legendre
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from nonet import cv_curve, loocv_error
from nonet.resampling import split_variability

# The gallery has no __file__.
TABLE = Path(sys.argv[0]).resolve().parents[1] / "data" / "auto.csv"
power, mpg = np.loadtxt(TABLE, delimiter=",", skiprows=1).T
# The numbers of the text, in its order.
quoted = (len(mpg),)
# Powers up to the tenth are nearly dependent; Legendre polynomials span the same curves.
X = np.interp(power, (power.min(), power.max()), (-1, 1))[:, None]


def polynomials(table: np.ndarray, degree: int) -> np.ndarray:
    return legendre.legvander(table[:, 0], degree)[:, 1:]


models = {
    degree: make_pipeline(
        FunctionTransformer(polynomials, kw_args={"degree": degree}), LinearRegression()
    )
    for degree in range(1, 11)
}

# %%
# The same estimates on new random splits.

halves = split_variability(models, X, mpg, cv=0.5, n_repeats=10, random_state=0)
folds = split_variability(models, X, mpg, cv=10, n_repeats=9, random_state=0)
for name, found in (("validation set", halves), ("10-fold", folds)):
    print(f"{name}: degree 2 moves by {found.standard_deviations[1]:.2f} from split to split")

# %%
# Standard errors over the folds, the rule, and leave-one-out by leverages.

curve = cv_curve(models, X, mpg, cv=KFold(10, shuffle=True, random_state=0))
loocv = [loocv_error(polynomials(X, degree), mpg).error for degree in models]
print(f"lowest error: degree {curve.names[curve.best]}")
print(f"one-standard-error rule: degree {curve.names[curve.one_standard_error()]}")

figure, axes = plt.subplots(1, 3, sharey=True, figsize=(13, 4.5), layout="constrained")
halves.plot(axes[0], label="degree").set_title("validation set, ten halves")
folds.plot(axes[1], label="degree").set_title("10-fold, nine repetitions")
curve.plot(axes[2], label="degree").set_title("10-fold with standard errors")
axes[2].plot(loocv, ":", color="#343a40", label="leaving one out")
axes[2].legend(frameon=False)
axes[0].set_ylim(14, 30)
plt.show()
