"""
Forward stepwise selection and the one-standard-error rule
==========================================================

Twenty columns, of which nine matter, a tenth matters a little, and the rest do not. Forward
selection adds the column that reduces the training error most; the number of columns is chosen by
ten folds, with the selection repeated inside each fold. The curve is flat around its minimum. The
one-standard-error rule takes the simplest model within one standard error (the bars) of the best,
here the nine columns that matter, at hardly any loss.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

from nonet import cv_curve


class ForwardStepwise(RegressorMixin, BaseEstimator):
    """Least squares on columns that are added one by one."""

    def __init__(self, n_columns: int = 1) -> None:
        self.n_columns = n_columns

    def fit(self, X: np.ndarray, y: np.ndarray) -> ForwardStepwise:
        """Add the column that explains most of the residual, after the chosen ones."""
        rest, residual, self.columns_ = X - X.mean(axis=0), y - y.mean(), []
        for _ in range(self.n_columns):
            norms = np.sqrt((rest**2).sum(axis=0))
            gains = np.abs(residual @ rest) / np.where(norms > 1e-9, norms, np.inf)
            self.columns_.append(int(np.argmax(gains)))
            direction = rest[:, self.columns_[-1]] / norms[self.columns_[-1]]
            residual = residual - direction * (direction @ residual)
            rest = rest - np.outer(direction, direction @ rest)
        self.model_ = LinearRegression().fit(X[:, self.columns_], y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Predict by the chosen columns."""
        return self.model_.predict(X[:, self.columns_])


random = np.random.default_rng(0)
coefficients = np.r_[np.full(9, 0.7), 0.25, np.zeros(10)]
X = random.normal(size=(5200, 20))
y = X @ coefficients + random.normal(scale=1.5, size=5200)
train, test = slice(200), slice(200, None)
models = {n: ForwardStepwise(n) for n in range(1, 21)}
curve = cv_curve(models, X[train], y[train], cv=KFold(10, shuffle=True, random_state=0))
true = [
    np.mean((model.fit(X[train], y[train]).predict(X[test]) - y[test]) ** 2)
    for model in models.values()
]
chosen = curve.one_standard_error()
print(f"minimum of the folds: {curve.names[curve.best]} columns, true error {true[curve.best]:.2f}")
print(f"one standard error: {curve.names[chosen]} columns, true error {true[chosen]:.2f}")
print(f"best in truth: {1 + np.argmin(true)} columns, true error {min(true):.2f}")

# %%
ax = curve.plot()
ax.plot(range(len(models)), true, color="#e69f00", lw=2, label="true test error")
ax.set(xlabel="number of columns", ylabel="mean squared error")
ax.legend(frameon=False)
plt.show()
