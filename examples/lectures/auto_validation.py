"""
Fuel economy: validation set, leave-one-out and tenfold error
=============================================================

Fuel economy by polynomials of horsepower. Leave-one-out errors are deterministic and come from one
fit; tenfold errors vary by about 0.1 from split to split, errors on half of the rows by 1.7. The
table is that of the package ISLP (see ``../data/SOURCES.md``).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.polynomial import legendre
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from nonet import loocv_error, size_curve, split_variability

# The gallery has no __file__.
TABLE = Path(sys.argv[0]).resolve().parents[1] / "data" / "auto.csv"
horsepower, mpg = np.loadtxt(TABLE, delimiter=",", skiprows=1).T
# Powers up to the tenth are ill-conditioned: the same polynomials in another basis.
X = np.interp(horsepower, (horsepower.min(), horsepower.max()), (-1, 1))[:, np.newaxis]


def powers(X: np.ndarray, degree: int) -> np.ndarray:
    return legendre.legvander(X[:, 0], degree)[:, 1:]


errors = [loocv_error(powers(X, degree), mpg).error for degree in range(1, 11)]
print("auto_loocv_curve", *errors)
print("loocv_shortcut_identity", errors[1])

# %%
models = {
    degree: make_pipeline(
        FunctionTransformer(powers, kw_args={"degree": degree}), LinearRegression()
    )
    for degree in range(1, 11)
}
tenfold = split_variability(models, X, mpg, cv=10, n_repeats=5, random_state=0)
print("auto_10fold_curve", *tenfold.means)
few = {degree: models[degree] for degree in (1, 2)}
halves = split_variability(few, X, mpg, cv=0.5, n_repeats=40, random_state=0)
print("auto_validation_set_variability", *halves.standard_deviations)

# %%
# A model that learns from fewer rows has a larger error: why a validation set, and to a lesser
# degree ten folds, overestimate the error of the model on all rows. A quadratic of one column is
# simple, and hardly gains beyond a hundred rows.

folds = KFold(10, shuffle=True, random_state=0)
sizes = size_curve(models[2], X, mpg, sizes=(0.1, 0.3, 0.5, 1.0), cv=folds, random_state=0)
for size, error in zip(sizes.sizes, sizes.errors, strict=True):
    print(f"trained on {size} rows: mean squared error {error:.2f}")
