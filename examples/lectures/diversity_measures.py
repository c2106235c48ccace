"""
Measures of diversity, and the relations between them
=====================================================

Twelve rows and five hypotheses (1: right). The printed relations between the measures are garbled;
the corrected ones hold on a hundred random matrices.
"""

from __future__ import annotations

import numpy as np

from nonet import ambiguity, measure_diversity, record_predictions
from nonet.diagnostics import decompose_loss

ORACLE = np.array(
    [
        [1, 0, 0, 1, 1],
        [0, 1, 0, 0, 1],
        [1, 1, 1, 1, 1],
        [1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1],
        [1, 1, 0, 1, 1],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 0, 1],
        [1, 0, 1, 0, 1],
        [0, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
        [1, 0, 1, 0, 1],
    ]
)
NAMES = {
    "KW": "kohavi_wolpert",
    "E": "entropy",
    "kappa": "interrater_agreement",
    "theta": "difficulty",
    "Dis": "disagreement",
    "DF": "double_fault",
    "GD": "generalized_diversity",
    "CFD": "coincident_failure",
}
measured = measure_diversity(ORACLE)
values = {**measured.pairwise, **measured.overall}
print("diversity_example.r", measured.accuracy)
for key, name in NAMES.items():
    print(f"diversity_example.{key}", values[name])
print("diversity_example.p0", np.mean(ORACLE.all(axis=1)))

# %%
# The largest deviation from each corrected relation, over a hundred matrices of 30 rows.


def deviations(right: np.ndarray) -> list[float]:
    result, k = measure_diversity(right), right.shape[1]
    m, r, p0 = {**result.pairwise, **result.overall}, result.accuracy, right.all(axis=1).mean()
    kw, dis, kappa, theta, gd = (m[NAMES[key]] for key in ("KW", "Dis", "kappa", "theta", "GD"))
    theta_n = theta / (r * (1 - r))
    differences = [
        kw - (k - 1) / (2 * k) * dis,
        theta - (r * (1 - r) - kw),
        kappa - (1 - k * kw / ((k - 1) * r * (1 - r))),
        kappa - (k * theta_n - 1) / (k - 1),
        gd - k / (k - 1) * (1 - theta_n) * r,
        kappa - (1 - gd / r),
        m["double_fault"] - (1 - r - k * kw / (k - 1)),
        m["coincident_failure"] - k * (r - p0) / ((k - 1) * (1 - p0)),
    ]
    return [abs(difference) for difference in differences]


random = np.random.default_rng(0)
matrices = (
    random.random((30, random.integers(2, 12))) < random.uniform(0.3, 0.9) for _ in range(100)
)
print("diversity_identities", *np.max([deviations(right) for right in matrices], axis=0))

# %%
# The accuracy of the vote from the ambiguity: A + r minus twice the mean of p(x) over the rows that
# the vote gets wrong.

result = ambiguity(record_predictions(ORACLE, np.ones(12, int), classes=[0, 1]))
fractions = ORACLE.mean(axis=1)
lost = fractions[fractions < 0.5].sum()
print("ambiguity_rho", result.ambiguity + ORACLE.mean() - 2 / 12 * lost)

# %%
# Bias and variance of the five hypotheses under two definitions for the 0-1 loss. Without noise
# they sum to the error.

for loss in ("kohavi_wolpert", "domingos"):
    parts = decompose_loss(1 - ORACLE, np.zeros(12, int), loss=loss, classes=[0, 1])
    print(
        f"{loss}: bias {parts.bias:.3f} + variance {parts.variance:.3f} = error {parts.error:.3f}"
    )
