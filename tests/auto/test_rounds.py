"""Tests of the choice of rounds."""

import numpy as np
import pytest

from nonet.auto.rounds import choose_rounds, rounds_of_halves


def curves(rng, lengths):
    return {fold: rng.random((length, 2)) for fold, length in enumerate(lengths)}


def test_rounds_of_a_fold_do_not_depend_on_its_own_losses():
    rng = np.random.default_rng(0)
    losses = curves(rng, [30, 30, 30])
    before = choose_rounds(losses)
    losses[1] = rng.random((30, 2))
    assert choose_rounds(losses)[1] == before[1]


def test_rounds_against_naive():
    losses = curves(np.random.default_rng(1), [12, 9, 15])
    flat = {
        fold: [*of.sum(axis=1)] + [of.sum(axis=1)[-1]] * (15 - len(of))
        for fold, of in losses.items()
    }
    for fold, chosen in choose_rounds(losses).items():
        others = [sum(flat[o][t] for o in flat if o != fold) for t in range(15)]
        assert chosen == min(others.index(min(others)) + 1, len(losses[fold]))


def test_one_fold_uses_all_of_its_rows_for_new_rows():
    assert choose_rounds({0: np.array([[3.0, 1.0], [1.0, 1.0], [2.0, 2.0]])}) == {0: 2}


@pytest.mark.parametrize("seed", range(3))
def test_halves_are_predicted_with_the_rounds_of_the_other(seed):
    losses = np.random.default_rng(seed).random((20, 2))
    first, second = rounds_of_halves(losses)
    assert first == losses[:, 1].argmin() + 1
    assert second == losses[:, 0].argmin() + 1
