"""
Margins and bounds with numbers
===============================

The margin of a weighted vote, and four bounds that the slides quote: by support vectors, by
margins, by the VC dimension, and the rounds to zero training error.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.model_selection import LeaveOneOut
from sklearn.svm import SVC

from nonet import cv_error
from nonet.theory import (
    margin_bound,
    rounds_to_fit,
    signed_margins,
    support_vector_bound,
    vc_bound,
    vote_vc_dimension,
)

# %%
# Three members with coefficients 2, 1, 1 on two rows; positive means correct.

margins = signed_margins([1, -1], [[1, 1, -1], [-1, 1, 1]], weights=[2, 1, 1])
print("margins:", *margins)

# %%
# The leave-one-out error of a support vector machine is at most the fraction of support vectors:
# rows that are none do not change the machine when they are left out.

X, y = make_blobs(80, centers=2, cluster_std=2.2, random_state=3)
machine = SVC(kernel="linear").fit(X, y)
left_out = cv_error(SVC(kernel="linear"), X, y, cv=LeaveOneOut()).error
bound = support_vector_bound(len(machine.support_), len(X))
print(f"leave-one-out error {left_out:.3f}, bound by support vectors {bound:.3f}")

# %%
# Bounds on the test error, for 1,000 to 10,000,000 rows: all margins above 0.3, and 100 stumps.

rows = np.array([1_000, 100_000, 10_000_000])
print("margin bound:", *margin_bound(0.0, 0.3, rows, vc_dimension=2).round(3))
print("VC bound:", *vc_bound(0.0, vote_vc_dimension(2, 100), rows).round(3))
print("rounds to no training error:", *rounds_to_fit(0.1, rows))
