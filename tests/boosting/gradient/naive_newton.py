"""One tree of second-order boosting in plain NumPy: gain and leaves by the formulas."""

from __future__ import annotations

import itertools

import numpy as np


class NaiveNewton:
    """Splits leaf by leaf, largest gain first, trying every value of every column."""

    def __init__(
        self, num_leaves, min_rows=1, l2=0.0, l1=0.0, gamma=0.0, max_step=np.inf, min_weight=0.0
    ):
        self.num_leaves, self.min_rows, self.min_weight = num_leaves, min_rows, min_weight
        self.l2, self.l1, self.gamma, self.max_step = l2, l1, gamma, max_step

    def step(self, gradient, hessian):
        shrunk = np.sign(gradient) * max(abs(gradient) - self.l1, 0)
        return np.clip(-shrunk / (hessian + self.l2), -self.max_step, self.max_step)

    def gain(self, gradient, hessian):
        """Twice the decrease of the penalised loss, as the peers write it."""
        w = self.step(gradient, hessian)
        return -2 * (gradient * w + (hessian + self.l2) * w * w / 2 + self.l1 * abs(w))

    def best_split(self, X, g, h, rows):
        best = (self.gamma, None)
        whole = self.gain(g[rows].sum(), h[rows].sum())
        for j in range(X.shape[1]):
            for value in np.unique(X[rows, j])[:-1]:
                left, right = rows[X[rows, j] <= value], rows[X[rows, j] > value]
                if min(len(left), len(right)) < self.min_rows:
                    continue
                if min(h[left].sum(), h[right].sum()) < self.min_weight:
                    continue
                parts = self.gain(g[left].sum(), h[left].sum())
                parts += self.gain(g[right].sum(), h[right].sum())
                if parts - whole > best[0] + 1e-9:
                    best = (parts - whole, (left, right))
        return best

    def leaf_values(self, X, g, h):
        """Give the value of the leaf of every row."""
        leaves = [np.arange(len(X))]
        found = [self.best_split(X, g, h, leaves[0])]
        for _ in itertools.takewhile(lambda n: n < self.num_leaves, itertools.count(1)):
            position = int(np.argmax([gain if parts else -1.0 for gain, parts in found]))
            if found[position][1] is None:
                break
            parts = found[position][1]
            leaves[position : position + 1] = parts
            found[position : position + 1] = [self.best_split(X, g, h, part) for part in parts]
        values = np.empty(len(X))
        for rows in leaves:
            values[rows] = self.step(g[rows].sum(), h[rows].sum())
        return values
