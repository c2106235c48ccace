"""Files of other libraries' forests, with as many trees of as many nodes as a forest of ours.

All trees are full: grown on about the 63 percent of rows that a bootstrap sample holds, with a
fifth of the columns tried in a node, until leaves are pure. Some of these forests take minutes to
fit, so that a tenth of the trees is fitted, and every tree is in the file ten times: a reader does
not know.
"""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import lightgbm
import sklearn.ensemble
import skops.io
import xgboost

N_REPEATS = 10
ROWS_IN_BAG = 0.632
COLUMNS_IN_NODE = 0.2  # 4 of 20, the square root


def write_xgboost(X: Any, y: Any, n_trees: int, path: Path) -> int:
    """Write a forest of XGBoost as UBJSON; return the number of its nodes."""
    forest = xgboost.XGBRFClassifier(
        n_estimators=n_trees // N_REPEATS,
        max_depth=0,
        max_leaves=0,
        min_child_weight=0,
        reg_lambda=1e-9,
        subsample=ROWS_IN_BAG,
        colsample_bynode=COLUMNS_IN_NODE,
        random_state=0,
    ).fit(X, y)
    content = json.loads(forest.get_booster().save_raw("json"))
    model = content["learner"]["gradient_booster"]["model"]
    trees = [{**tree, "id": i} for i, tree in enumerate(model["trees"] * N_REPEATS)]
    model.update(trees=trees, tree_info=[0] * len(trees), iteration_indptr=[0, len(trees)])
    model["gbtree_model_param"].update(num_trees=str(n_trees), num_parallel_tree=str(n_trees))
    xgboost.Booster(model_file=bytearray(json.dumps(content).encode())).save_model(path)
    return sum(int(tree["tree_param"]["num_nodes"]) for tree in trees)


def write_lightgbm(X: Any, y: Any, n_trees: int, path: Path) -> int:
    """Write a forest of LightGBM as text; return the number of its nodes."""
    forest = lightgbm.LGBMClassifier(
        boosting_type="rf",
        n_estimators=n_trees // N_REPEATS,
        num_leaves=len(X),
        min_child_samples=1,
        min_child_weight=0,
        min_split_gain=1e-6,  # without it, errors of rounding split pure nodes
        subsample=ROWS_IN_BAG,
        subsample_freq=1,
        feature_fraction_bynode=COLUMNS_IN_NODE,
        n_jobs=1,  # its threads wait for each other at every node of a few rows
        random_state=0,
        verbose=-1,
    ).fit(X, y)
    head, *trees = re.split(r"^Tree=\d+\n", forest.booster_.model_to_string(), flags=re.M)
    trees[-1], end = trees[-1].split("end of trees", 1)
    trees = [f"Tree={i}\n{tree}" for i, tree in enumerate(trees * N_REPEATS)]
    sizes = " ".join(str(len(tree)) for tree in trees)
    head = re.sub(r"^tree_sizes=.*$", f"tree_sizes={sizes}", head, flags=re.M)
    path.write_text(f"{head}{''.join(trees)}end of trees{end}")
    return sum(
        2 * int(n_leaves) - 1 for n_leaves in re.findall(r"num_leaves=(\d+)", "".join(trees))
    )


def write_sklearn(X: Any, y: Any, n_trees: int, path: Path) -> int:
    """Write a forest of scikit-learn by skops; return the number of its nodes."""
    forest = sklearn.ensemble.RandomForestClassifier(n_trees // N_REPEATS, random_state=0).fit(X, y)
    trees = [copy.deepcopy(tree) for _ in range(N_REPEATS) for tree in forest.estimators_]
    forest.set_params(n_estimators=n_trees).estimators_ = trees
    skops.io.dump(forest, path)
    return sum(tree.tree_.node_count for tree in trees)
