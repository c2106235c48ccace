"""Defaults of scikit-learn's metadata routing that several estimators share."""

from __future__ import annotations

GROUPS_ON_REQUEST = {"groups": False}
"""`groups` of `fit` must be requested by ``set_fit_request(groups=True)``.

Undecided (None), they would raise where only the splitter of `cross_validate` is to have them;
scikit-learn's classes of the same names have no such parameter at all.
"""
