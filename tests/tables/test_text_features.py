"""Tests of features of text."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

import nonet
from nonet.tables.as_table import as_table
from nonet.tables.encoder import TableEncoder
from nonet.tables.text_features import TextFeatures

RNG = np.random.default_rng(0)
GOOD, BAD = ["bright", "quiet", "sunny", "large"], ["dark", "noisy", "damp", "tiny"]
FILLING = [f"word{i}" for i in range(30)]


def make_stories(n_rows=300):
    is_good = RNG.random(n_rows) < 0.5
    stories = [
        " ".join(RNG.permutation([*RNG.choice(FILLING, 6), RNG.choice(GOOD if good else BAD)]))
        for good in is_good
    ]
    return stories, is_good


STORIES, IS_GOOD = make_stories()
ENCODED = TableEncoder().fit_transform(as_table({"story": STORIES}))


def test_features_of_some_rows_tell_classes_of_others_apart():
    features = TextFeatures(random_state=0).fit(ENCODED.take(np.arange(200)))
    values = features.transform(ENCODED)
    assert values.shape == (300, len(features.names_)) == (300, 18)
    model = LogisticRegression(max_iter=1000).fit(values[:200], IS_GOOD[:200])
    assert model.score(values[200:], IS_GOOD[200:]) > 0.8


def test_lengths_are_those_of_the_values():
    values = TextFeatures(random_state=0).fit(ENCODED).transform(ENCODED)
    np.testing.assert_array_equal(values[:, 0], [len(story) for story in STORIES])
    np.testing.assert_array_equal(values[:, 1], 7)


def test_fit_sees_the_rows_of_its_fold_only():
    other = as_table({"story": STORIES[:200] + ["secret word"] * 100})
    encoder = TableEncoder(kinds={"story": "text"})
    leaky = encoder.fit_transform(other).take(np.arange(200))
    one = TextFeatures(random_state=0).fit(leaky)
    two = TextFeatures(random_state=0).fit(ENCODED.take(np.arange(200)))
    np.testing.assert_array_equal(one.transform(ENCODED), two.transform(ENCODED))


def test_features_are_deterministic_for_any_number_of_threads():
    found = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads):
            found.append(TextFeatures(random_state=0).fit(ENCODED).transform(ENCODED))
    np.testing.assert_array_equal(*found)


def test_missing_text_is_missing_in_all_features():
    table = as_table({"story": [None, *STORIES[1:]]})
    encoded = TableEncoder(kinds={"story": "text"}).fit_transform(table)
    values = TextFeatures(random_state=0).fit(encoded).transform(encoded)
    assert np.isnan(values[0]).all()
    assert not np.isnan(values[1:]).any()


@pytest.mark.parametrize("stories", [["a"] * 3, ["!", "?", "."], ["one", "two"], [None, None]])
def test_few_words_give_fewer_features(stories):
    kinds = {"story": "text"}
    encoded = TableEncoder(kinds=kinds).fit_transform(as_table({"story": stories}))
    features = TextFeatures(random_state=0).fit(encoded)
    assert features.transform(encoded).shape == (len(stories), len(features.names_))


def test_table_without_text_has_no_features():
    encoded = TableEncoder().fit_transform(as_table({"a": [1.0, 2.5]}))
    features = TextFeatures().fit(encoded)
    assert features.transform(encoded).shape == (2, 0)


def test_text_features_are_saved_and_loaded(tmp_path):
    features = TextFeatures(random_state=0).fit(ENCODED)
    nonet.save(features, tmp_path / "text.nonet")
    loaded = nonet.load(tmp_path / "text.nonet")
    np.testing.assert_array_equal(loaded.transform(ENCODED), features.transform(ENCODED))


def test_text_features_reject_no_components():
    with pytest.raises(ValueError, match="n_components"):
        TextFeatures(n_components=0).fit(ENCODED)
