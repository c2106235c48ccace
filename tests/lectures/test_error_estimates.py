"""The notes on validation sets and cross-validation, with their slips put right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.polynomial import legendre
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, LeaveOneOut
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from nonet.resampling import (
    cv_curve,
    cv_error,
    loocv_error,
    selection_leak,
    split_variability,
)

AUTO = Path(__file__).parents[2] / "examples" / "data" / "auto.csv"
HORSEPOWER, MPG = np.loadtxt(AUTO, delimiter=",", skiprows=1).T
# Powers of horsepower up to the tenth are ill-conditioned: the same polynomials in another basis.
SCALED = np.interp(HORSEPOWER, (HORSEPOWER.min(), HORSEPOWER.max()), (-1, 1))[:, None]
DEGREES = range(1, 11)
LOOCV = [24.23151, 19.24821, 19.33498, 19.42443, 19.03321]
LOOCV += [18.97864, 18.83305, 18.96115, 19.06863, 19.49093]
TENFOLD = [24.24, 19.26, 19.34, 19.44, 19.05, 19.02, 18.87, 19.02, 19.17, 19.63]


def powers(table, degree):
    return legendre.legvander(table[:, 0], degree)[:, 1:]


def polynomial(degree):
    return make_pipeline(
        FunctionTransformer(powers, kw_args={"degree": degree}), LinearRegression()
    )


MODELS = {degree: polynomial(degree) for degree in DEGREES}


def test_auto_loocv_curve_against_lecture():
    errors = [loocv_error(powers(SCALED, degree), MPG).error for degree in DEGREES]
    np.testing.assert_allclose(errors, LOOCV, atol=0.0005)


def test_loocv_shortcut_equals_refits_against_lecture():
    short = loocv_error(powers(SCALED, 2), MPG)
    long = cv_error(polynomial(2), SCALED, MPG, cv=LeaveOneOut())
    assert short.error == pytest.approx(19.24821312, abs=1e-8)
    assert long.error == pytest.approx(short.error, abs=1e-8)
    np.testing.assert_allclose(short.residuals**2, long.losses)


def test_auto_tenfold_curve_against_lecture():
    result = split_variability(MODELS, SCALED, MPG, cv=10, n_repeats=9, random_state=0)
    np.testing.assert_allclose(result.means, TENFOLD, atol=0.15)
    assert 0.03 < result.standard_deviations[1] < 0.2


def test_validation_set_is_far_more_variable_than_tenfold_against_lecture():
    few = {degree: MODELS[degree] for degree in (1, 2)}
    half = split_variability(few, SCALED, MPG, cv=0.5, n_repeats=40, random_state=0)
    np.testing.assert_allclose(half.standard_deviations, [1.75, 1.8], atol=0.7)
    folds = split_variability(few, SCALED, MPG, cv=10, n_repeats=9, random_state=0)
    assert (half.standard_deviations > 8 * folds.standard_deviations).all()


def test_leaving_one_out_is_deterministic():
    runs = [cv_error(polynomial(1), SCALED, MPG, cv=LeaveOneOut()).error for _ in range(2)]
    assert runs[0] == runs[1]


def test_one_standard_error_rule_picks_a_simpler_model_at_no_loss_against_lecture():
    curve = cv_curve(MODELS, SCALED, MPG, cv=KFold(10, shuffle=True, random_state=0))
    chosen = curve.one_standard_error()
    assert curve.names[chosen] == 2  # the error falls from 24 to 19 at degree 2, then it is flat
    assert chosen < curve.best
    assert curve.errors[chosen] - curve.errors[curve.best] < curve.standard_errors[curve.best]


def test_selection_outside_the_folds_flatters_against_lecture():
    """5,000 columns without any bearing on 50 labels: wrong about 1 %, right about one half."""
    wrong, right = [], []
    for seed in range(12):
        X = np.random.default_rng(seed).normal(size=(50, 5000))
        leak = selection_leak(
            SelectKBest(f_classif, k=100),
            KNeighborsClassifier(1, algorithm="kd_tree"),  # without threads, which wait here
            X,
            np.tile([0, 1], 25),
        )
        wrong.append(leak.wrong_error)
        right.append(leak.right_error)
    assert np.mean(wrong) < 0.05
    assert 0.45 < np.mean(right) < 0.60
