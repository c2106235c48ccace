"""Whether two boosters have the same trees."""

from __future__ import annotations

import numpy as np


def assert_same_trees(one, other):
    assert len(one._booster.rounds) == len(other._booster.rounds)
    np.testing.assert_array_equal(one._booster.start, other._booster.start)
    for trees, others in zip(one._booster.rounds, other._booster.rounds, strict=True):
        for tree, another in zip(trees, others, strict=True):
            facts, others_facts = tree.arrays(), another.arrays()
            for name, values in facts.items():
                np.testing.assert_array_equal(values, others_facts[name], err_msg=name)
