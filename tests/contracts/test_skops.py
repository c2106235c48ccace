"""Every estimator goes through skops, a format that runs no code of the file it loads.

Issue 18, item A.18: trees and what is made of them could not be saved.
"""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from sklearn.datasets import make_classification
from skops.io import dumps, get_untrusted_types, loads

import nonet
from contracts.instances import every_instance, prediction

X, Y = make_classification(n_samples=80, random_state=0)
# Whose classes and functions a user has to trust: ours, scikit-learn's, `partial`, and the
# dtypes that scikit-learn's SimpleImputer, a part of what the auto-ensembler fits, keeps.
TRUSTED_PACKAGES = ("nonet.", "sklearn.", "functools.partial", "numpy.dtype")


def through_skops(estimator):
    content = dumps(estimator)
    return loads(content, trusted=get_untrusted_types(data=content))


@pytest.mark.parametrize("estimator", every_instance(), ids=repr)
def test_fitted_estimator_predicts_the_same(estimator):
    expected = prediction(estimator.fit(X, Y), X)
    np.testing.assert_array_equal(prediction(through_skops(estimator), X), expected)


@pytest.mark.parametrize("estimator", every_instance(), ids=repr)
def test_user_has_to_trust_known_packages_only(estimator):
    untrusted = get_untrusted_types(data=dumps(estimator.fit(X, Y)))
    assert [name for name in untrusted if not name.startswith(TRUSTED_PACKAGES)] == []


def test_damaged_tree_is_refused():
    model = nonet.BoostedTreesClassifier(n_estimators=1, min_child_samples=1).fit(X, Y)
    content, damaged = dumps(model), io.BytesIO()
    (tree,) = model._booster.rounds[0]
    whole = tree.to_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(damaged, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            target.writestr(name, whole[:-9] + b"x" + whole[-8:] if part == whole else part)
    assert damaged.getvalue() != content
    with pytest.raises(ValueError, match="tree"):
        loads(damaged.getvalue(), trusted=get_untrusted_types(data=content))
