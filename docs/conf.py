"""Sphinx settings: docstrings in NumPy's form, and a gallery that runs every example."""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

os.environ["MPLBACKEND"] = "Agg"
sys.path.insert(0, str(Path(__file__).parent))  # for mathml.py and lecture_tables.py

project = "nonet"
author = "nonet developers"
copyright = "2026, nonet developers"
release = installed_version("nonet")

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "mathml",
    "lecture_tables",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
# decisions/README.md is the list for readers of the repository; the site has decisions/index.rst.
exclude_patterns = ["_build", "gallery/**/*.ipynb", "decisions/README.md"]
templates_path = ["_templates"]
html_theme = "furo"
html_title = "nonet"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]

autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
myst_heading_anchors = 3

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/(plot_|lectures/)",
    "ignore_pattern": r"(quickstart|__init__)\.py",
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,  # its page loads scripts from the network
    "abort_on_example_error": True,
}


def drop_foreign_references(
    app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Turn references in docstrings of scikit-learn, whose labels are unknown here, into words."""
    if (getattr(obj, "__module__", None) or "").startswith("sklearn."):
        lines[:] = [re.sub(r":ref:`([^`<]*?)\s*(<[^`]*>)?`", r"\1", line) for line in lines]


def setup(app: Any) -> None:
    """Sphinx calls this."""
    app.connect("autodoc-process-docstring", drop_foreign_references)
