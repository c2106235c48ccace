from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nonet.plots import plot_scores
from nonet.resampling import score_table


def test_means_and_standard_errors_against_naive():
    scores = np.random.default_rng(0).normal(0.9, 0.02, size=(2, 200))
    table = score_table({"a": scores[0], "b": scores[1]})
    np.testing.assert_allclose(table.means, scores.mean(axis=1))
    np.testing.assert_allclose(table.standard_errors, scores.std(axis=1, ddof=1) / np.sqrt(200))


def test_printed_as_mean_and_standard_error_with_two_digits_of_the_error():
    table = score_table({"tree": [7.4 - 1.1, 7.4 + 1.1] * 50, "forest": [3.0]})
    assert str(table).splitlines()[1:] == ["  tree    7.40 ± 0.11", "  forest  3.00"]
    assert "7.40 ± 0.11" in table._repr_html_()


def test_correction_is_that_of_the_corrected_t_test():
    random = np.random.default_rng(1)
    differences = random.normal(0.01, 0.02, size=10)
    table = score_table({"d": differences}, test_size=0.25)
    factor = np.sqrt(1 / 10 + 0.25 / 0.75)
    assert table.standard_errors[0] == pytest.approx(factor * differences.std(ddof=1))


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ({}, {}, "at least one entry"),
        ([1, 2], {}, "a mapping"),
        ({"a": [np.nan]}, {}, "finite numbers for 'a'"),
        ({"a": [1.0, 2.0]}, {"digits": -1}, "digits"),
        ({"a": [1.0, 2.0]}, {"test_size": 1.0}, "test_size"),
    ],
)
def test_rejects(scores, options, message):
    with pytest.raises(ValueError, match=message):
        score_table(scores, **options)


def test_columns_of_a_frame_are_models():
    scores = {"tree": [0.8, 0.9, 0.7], "vote": [0.9, 0.95, 0.97]}
    assert str(score_table(pd.DataFrame(scores))) == str(score_table(scores))


@pytest.mark.parametrize(
    "scores", ["abc", ["x", "y"], [[0.5, 0.4], [0.3]], {"test_score": [0.1, 0.2]}]
)
def test_rejects_scores_that_are_not_numbers(scores):
    with pytest.raises(TypeError, match="score_table: the scores of 'a' must be numbers"):
        score_table({"a": scores})
    with pytest.raises(TypeError, match="plot_scores: the scores of 'a' must be numbers"):
        plot_scores({"a": scores})
