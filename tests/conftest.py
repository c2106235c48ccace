"""Settings for every test: no window opens, and a random test that fails once fails again."""

from __future__ import annotations

import os
import signal
import sys

import numpy as np
import pytest
from hypothesis import settings

pytest_plugins = ["ci_session.known_skips", "ci_session.folder_seconds"]

os.environ.setdefault("MPLBACKEND", "Agg")
# Waiting OpenMP threads spin: beside a second worker, a small fit of a peer took 70 times its
# processor time. Libraries read this when they are loaded, which none is yet.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

settings.register_profile("nonet", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("nonet")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Runs in the background ignore Ctrl-C, which some tests send to themselves.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _seed_global_state():
    """Unseeded learners draw from NumPy's global state; CI must see what we saw."""
    np.random.seed(int(os.environ.get("NONET_TEST_SEED", "0")))  # noqa: NPY002


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
