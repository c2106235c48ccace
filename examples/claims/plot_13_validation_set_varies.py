"""
One validation set varies far more than ten folds
=================================================

Ten random halves give ten different curves, with standard deviations of about 2; ten-fold cross-
validation repeated ten times gives nearly one (0.1 to 0.2). Both agree that a line is not enough
and that a parabola is. The claim holds; the data are made in the likeness of miles and horsepower.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from nonet.resampling import split_variability

random = np.random.default_rng(0)
power = random.uniform(50, 220, size=300)
miles = 60 - 0.5 * power + 0.0013 * power**2 + random.normal(scale=4.3, size=300)
models = {
    degree: make_pipeline(
        StandardScaler(), PolynomialFeatures(degree, include_bias=False), LinearRegression()
    )
    for degree in (1, 2, 3, 4, 5)
}
X = power[:, np.newaxis]
ways = {
    "one half held out": split_variability(models, X, miles, cv=0.5, n_repeats=10, random_state=0),
    "ten folds": split_variability(models, X, miles, cv=10, n_repeats=10, random_state=0),
}
for name, result in ways.items():
    print(f"{name}: standard deviations {np.round(result.standard_deviations, 2)}")

# %%
figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.2), sharey=True, layout="constrained")
for ax, (name, result) in zip(axes, ways.items(), strict=True):
    ax.plot(list(models), np.asarray(result.errors).T, color="#0b7285", alpha=0.5)
    ax.set(title=name, xlabel="degree of the polynomial", xticks=list(models))
axes[0].set_ylabel("estimated squared error")
plt.show()
