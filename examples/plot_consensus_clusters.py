"""
Consensus of many clusterings
=============================

A run of k-means divides two half moons by straight borders into small clusters (left). Fifty runs
put different rows together; rows of one moon are joined by chains of common clusters, rows of two
moons are not. Their consensus has two clusters (middle). The stability of a row is the lead of its
cluster over the other one (right).
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from nonet import ConsensusClustering

# %%
# Fifty members with 10 to 20 clusters each, and their consensus.

X, y = make_moons(400, noise=0.09, random_state=0)
model = ConsensusClustering(n_clusters=2, random_state=0).fit(X)
print(f"adjusted Rand index with the two moons: {adjusted_rand_score(y, model.labels_):.3f}")

# %%
# One member, the consensus, and the stability of each row.

figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained", sharey=True)
member = model.member_outputs(X)[:, 0]
axes[0].scatter(*X.T, c=member, cmap="tab20", s=12)
axes[0].set_title(f"one member: {len(np.unique(member))} clusters", loc="left")
axes[1].scatter(*X.T, c=np.array(["#0072b2", "#e69f00"])[model.labels_], s=12)
axes[1].set_title("consensus of 50: 2 clusters", loc="left")
shown = axes[2].scatter(*X.T, c=model.stability_, cmap="cividis", s=12)
axes[2].set_title("stability of rows", loc="left")
figure.colorbar(shown, ax=axes[2])
plt.show()
