"""Issue 17, item 9 (f): a daemon thread inside the core does not keep the process from ending.

Boosters ended with ``terminate called``, and forests made the exit wait for the whole fit.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys, threading, time
import numpy as np
import nonet

rng = np.random.default_rng(0)
X = rng.normal(size=(100_000, 20))
y = (X[:, 0] > 0).astype(int)
inside = threading.Event()

def work():
    inside.set()
    {work}

{before}
threading.Thread(target=work, daemon=True).start()
inside.wait()
time.sleep(0.5)
sys.exit(7)
"""
FITS = {
    "hist": "nonet.HistGradientBoostingClassifier(max_iter=10**6, early_stopping=False).fit(X, y)",
    "boosted": "nonet.BoostedTreesRegressor(n_estimators=10**6).fit(X, y)",
    "forest": "nonet.RandomForestClassifier(10**5, n_jobs=-1).fit(X, y)",
    "extra": "nonet.ExtraTreesRegressor(10**5, n_jobs=-1).fit(X, X[:, 1])",
}


def exit_of(work, before=""):
    return subprocess.run(
        [sys.executable, "-c", SCRIPT.format(work=work, before=before)],
        env={**os.environ, "NONET_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=60,  # each of these fits takes hours
        check=False,
    )


@pytest.mark.parametrize("name", FITS)
def test_process_ends_while_a_daemon_thread_fits(name):
    done = exit_of(FITS[name])
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")


def test_process_ends_while_a_daemon_thread_predicts():
    forest = "model = nonet.RandomForestClassifier(50, max_leaf_nodes=500, n_jobs=2)"
    before = f"{forest}.fit(X[:5000], y[:5000])"
    done = exit_of("while True: model.predict_proba(X)", before)
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")
