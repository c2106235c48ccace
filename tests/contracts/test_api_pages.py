"""The page of every estimator shows the methods that a user calls, inherited ones too.

Issue 18, item A.21: 23 of 45 pages showed no `fit`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from contracts import public

ESTIMATORS = public.estimator_classes() + public.rating_classes()
DOCS = Path(__file__).parents[2] / "docs"
TEMPLATE = DOCS / "_templates" / "autosummary" / "class.rst"
# Without the gallery, which runs every example, and Markdown, which no page of a class needs.
EXTENSIONS = "sphinx.ext.autodoc,sphinx.ext.autosummary,numpydoc"
INDEX = """Estimators
==========

.. currentmodule:: nonet

.. autosummary::
   :toctree: generated

"""


def built_pages(tmp_path):
    """The pages of all estimators as text, built as the site builds them."""
    source, built = tmp_path / "source", tmp_path / "built"
    source.mkdir()
    names = [kind.__name__ for kind in ESTIMATORS]
    (source / "index.rst").write_text(INDEX + "".join(f"   {name}\n" for name in names))
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "text"]
    settings = ["-c", str(DOCS), "-D", f"extensions={EXTENSIONS}"]
    settings += ["-D", f"templates_path={TEMPLATE.parents[1]}"]
    finished = subprocess.run(
        [*command, *settings, str(source), str(built)], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    folder = built / "generated"
    return {name: (folder / f"nonet.{name}.txt").read_text() for name in names}


def left_out():
    (line,) = [line for line in TEMPLATE.read_text().splitlines() if ":exclude-members:" in line]
    return {name.strip() for name in line.split(":")[2].split(",")}


def methods(kind):
    public_names = [name for name in dir(kind) if not name.startswith("_")]
    return {name for name in public_names if callable(getattr(kind, name))} - left_out()


# One test, so that the pages are built by one worker: that takes as long as 100 other tests.
def test_pages_show_every_method(tmp_path):
    pages = built_pages(tmp_path)
    missing = {}
    for kind in ESTIMATORS:
        shown = re.findall(r"^   (?:\w+ )*(\w+)\(", pages[kind.__name__], flags=re.MULTILINE)
        missing[kind.__name__] = sorted((methods(kind) | {"fit"}) - set(shown))
    assert {name: names for name, names in missing.items() if names} == {}


def test_template_leaves_out_requests_of_metadata_only():
    assert all(re.fullmatch(r"set_\w+_request", name) for name in left_out())
