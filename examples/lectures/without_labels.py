"""
Ensembles without labels
========================

Clusterings, embeddings, outlier detectors and models of ratings, combined as classifiers are: the
members differ, F combines what they give, C decides.
"""

from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_moons
from sklearn.metrics import adjusted_rand_score, root_mean_squared_error

from nonet import (
    ConsensusClustering,
    EnsembleEmbedding,
    OutlierEnsemble,
    RandomForestClassifier,
    RatingEnsemble,
    forest_proximity,
    make_ratings,
)

# %%
# One k-means divides two half moons by a straight line; many of them together do not.

X, moons = make_moons(300, noise=0.05, random_state=0)
alone = KMeans(2, n_init=1, random_state=0).fit_predict(X)
consensus = ConsensusClustering(n_clusters=2, n_estimators=30, random_state=0).fit(X)
for name, labels in (("k-means", alone), ("consensus", consensus.labels_)):
    print(f"adjusted Rand index of {name}: {adjusted_rand_score(moons, labels):.2f}")

# %%
# Principal axes of bootstrap samples, aligned and averaged; and the rows that a forest finds alike.

iris, species = load_iris(return_X_y=True)
embedding = EnsembleEmbedding(random_state=0).fit(iris)
print("stability of two axes:", embedding.axis_stability_.round(3))
forest = RandomForestClassifier(50, random_state=0).fit(iris, species)
alike = forest_proximity(forest, iris[:1], iris).toarray()[0]
print(f"mean proximity of a setosa to its species: {alike[species == 0].mean():.2f}")

# %%
# Several detectors vote on ranks.

rows = np.vstack([np.random.default_rng(0).normal(size=(99, 2)), [[6.0, -6.0]]])
detectors = OutlierEnsemble(contamination=0.05, random_state=0).fit(rows)
print("the row farthest out:", detectors.score_samples(rows).argmin())

# %%
# Models of ratings, blended by weights found on ratings that the members have not seen.

data = make_ratings(150, 80, 4000, rank=2, random_state=0)
blend = RatingEnsemble(random_state=0).fit(data.X[:3000], data.y[:3000])
later, truth = data.X[3000:], data.y[3000:]
for member in blend.members_:
    error = root_mean_squared_error(truth, member.estimator.predict(later))
    print(f"RMSE of {member.name}: {error:.3f}")
print(f"RMSE of the blend: {root_mean_squared_error(truth, blend.predict(later)):.3f}")
