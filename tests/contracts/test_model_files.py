"""Every fitted estimator comes back from a model file with equal bits, in a fresh process too."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_classification

import nonet
from contracts.fitted_outputs import outputs_of
from contracts.instances import every_instance

X, Y = make_classification(n_samples=80, random_state=0)
NAMES = [f"{position} {instance!r}" for position, instance in enumerate(every_instance())]


def saved(model) -> bytes:
    file = io.BytesIO()
    nonet.save(model, file)
    return file.getvalue()


def through_file(model):
    return nonet.load(io.BytesIO(saved(model)))


@pytest.mark.parametrize("estimator", every_instance(), ids=NAMES)
def test_loaded_model_gives_equal_bits(estimator):
    expected = outputs_of(estimator.fit(X, Y), X, Y)
    assert outputs_of(through_file(estimator), X, Y) == expected


@pytest.mark.parametrize("estimator", every_instance(), ids=NAMES)
def test_loading_and_saving_again_gives_the_same_parts(estimator):
    content = saved(estimator.fit(X, Y))
    again = saved(nonet.load(io.BytesIO(content)))
    assert parts_of(again) == parts_of(content)


def parts_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_loaded_models_give_equal_bits_in_a_fresh_process(tmp_path):
    expected = {}
    for position, estimator in enumerate(every_instance()):
        expected[position] = outputs_of(estimator.fit(X, Y), X, Y)
        nonet.save(estimator, tmp_path / f"{position}.nonet")
    (tmp_path / "expected.json").write_text(json.dumps(expected))
    np.savez(tmp_path / "rows.npz", X=X, Y=Y)
    tests = Path(__file__).parents[1]
    code = (
        f"import sys; sys.path.insert(0, {str(tests)!r})\n"
        "import json, warnings; import numpy as np, nonet\n"
        "from contracts.fitted_outputs import outputs_of\n"
        "rows = np.load('rows.npz'); expected = json.load(open('expected.json'))\n"
        "for position, outputs in expected.items():\n"
        "    found = outputs_of(nonet.load(f'{position}.nonet'), rows['X'], rows['Y'])\n"
        "    assert found == outputs, (position, [n for n in found if found[n] != outputs[n]])\n"
        "print(len(expected))\n"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) == len(expected)
