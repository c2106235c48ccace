"""Outcomes of all cases: what a right prediction is, and what a right refusal is."""

from __future__ import annotations

import linecache
import re
import traceback
import warnings
from typing import Any

import numpy as np
from joblib import parallel_config

from fuzz.case import AcceptedThenRefusedError, Case, Expect, Outcome
from fuzz.subject import Subject, quietly

MAX_WARNINGS = 4
MAX_LENGTH = 400

# Sentences of Python, NumPy, SciPy and pandas about their own affairs.
FOREIGN = re.compile(
    r"could not convert|invalid literal|unhashable|not supported between|has no attribute|"
    r"setting an array element|only length-1|size-1|unsupported operand|must be real number|"
    r"could not be broadcast|cannot reshape|out of bounds|float\(\) argument|int\(\) argument|"
    r"len\(\) of|unexpected keyword|not subscriptable|is not iterable|not callable|"
    r"cannot be interpreted|ambiguous|promote|inhomogeneous|zero-size|not understood|"
    r"Cannot cast|can't convert|takes \d+ positional|object is not|Cannot convert|expected str|"
    r"nan to integer|infinity to integer|do not match any|not in index|loop of ufunc|isnan|"
    r"SVD did not|No matching signature|Buffer|must be a sequence|scalar index|iteration over"
)
# A module's own words for its reader: `raise` statements of these packages.
AUTHORS = ("nonet", "sklearn")
QUOTED = re.compile(r"^member .* failed to [\w ]+: ")
# Its many lines are asserted, letter by letter, by scikit-learn's estimator checks.
SEVERAL_LINES = "The feature names should match those that were passed during fit."
PRIVATE = re.compile(r"(?<![\w.])_\w+|\bForest\.|\bTreeBoosting\b|\bGivenModels\b|\bEnsemble\.")


def complaint(subject: Subject, case: Case) -> str | None:
    """Return what is wrong with what came of a case; None if nothing is."""
    try:
        with warnings.catch_warnings(record=True) as caught, parallel_config("threading"):
            warnings.simplefilter("always")
            outcome = case.run(subject)
    except AcceptedThenRefusedError as why:
        return f"fit accepted rows that predict refused: {why}"
    except AssertionError as why:
        return str(why) or "an assertion without a sentence failed"
    except Exception as error:
        return _wrong_refusal(error, case.expect)
    if outcome is None:
        return _wrong_warnings(caught)
    if not case.expect.may_predict:
        return f"accepted, but {case.expect.value} was expected"
    return _wrong_prediction(outcome, subject, case, caught) or _wrong_warnings(caught)


# ---- Refusals ----------------------------------------------------------------------------------


def _wrong_refusal(error: Exception, expect: Expect) -> str | None:
    received = f"{type(error).__name__}: {str(error)[:300]}"
    if not isinstance(error, (ValueError, TypeError)):
        return f"neither ValueError nor TypeError: {received}"
    if not expect.may_refuse:
        return f"{expect.value} was expected, but got {received}"
    author = _author(error)
    flaw = wrong_sentence(str(error), author) if author in AUTHORS else f"raised by {author}"
    return None if flaw is None else f"{flaw}: {received}"


def wrong_sentence(message: str, author: str = "nonet") -> str | None:
    """Return what keeps a message from being one clear sentence.

    Those of scikit-learn are the ones that its users know, and only have to be on one line. What
    a member of an ensemble reports is quoted unchanged.
    """
    if SEVERAL_LINES in message:
        return None
    if "\n" in message:
        return "several lines"
    if author == "sklearn":
        return None
    quoted = QUOTED.sub("", message)
    if quoted != message:
        return None if quoted.endswith(".") else "no full stop at the end"
    if len(message.split()) < 4:
        return "too short to help"
    if len(message) > MAX_LENGTH:
        return f"{len(message)} characters"
    if not message.endswith("."):
        return "no full stop at the end"
    if found := FOREIGN.search(message):
        return f"foreign words {found.group()!r}"
    if found := PRIVATE.search(message):
        return f"private name {found.group()!r}"
    return None


def _author(error: Exception) -> str:
    """Return the package whose `raise` statement wrote the message, or where it came from."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    if "/nonet/_native" in last.filename:  # the doors to the compiled core, which has its own
        return "nonet"
    package = next((name for name in AUTHORS if f"/{name}/" in last.filename), None)
    if package is None or not line.startswith("raise"):
        return f"{last.filename.rpartition('site-packages/')[2]} at {line!r}"
    return package


# ---- Predictions -------------------------------------------------------------------------------


def _wrong_prediction(
    outcome: Outcome, subject: Subject, case: Case, caught: list[warnings.WarningMessage]
) -> str | None:
    flaw = wrong_values(outcome, subject)
    if flaw is None and case.expect.compares:
        flaw = _different(outcome.predictions, outcome.plain, case.tolerance)
    if flaw is None and case.expect is Expect.LEARNED and not caught:
        plain = subject.predictions_of_plain()
        flaw = None if _constant(plain) else _constant(outcome.predictions)
    return flaw


def wrong_values(outcome: Outcome, subject: Subject) -> str | None:
    """Return what is wrong with predictions whatever they should be."""
    values = outcome.predictions
    values = values.toarray() if hasattr(values, "toarray") else np.asarray(values)
    n_rows = count_rows(outcome.X)
    if values.shape[:1] != (n_rows,):
        return f"predictions of shape {values.shape} for {n_rows} rows"
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        return f"predictions that are not finite: {values[~np.isfinite(values)][:3]}"
    if subject.has_classes:
        return _wrong_classes(outcome, values)
    if values.dtype.kind not in "biuf":
        return f"predictions of dtype {values.dtype}"
    return None


def _wrong_classes(outcome: Outcome, values: Any) -> str | None:
    classes = outcome.model.classes_
    if isinstance(classes, list):  # several targets
        return None
    if values.ndim == 1 and not set(values.tolist()) <= set(np.asarray(classes).tolist()):
        return f"predictions {set(values.tolist())} outside of the classes {classes}"
    if not hasattr(outcome.model, "predict_proba"):
        return None
    with parallel_config("threading"):
        probabilities = quietly(outcome.model.predict_proba, outcome.X)
    if isinstance(probabilities, list) or not len(probabilities):
        return None
    if probabilities.shape != (len(values), len(classes)):
        return f"probabilities of shape {probabilities.shape}"
    if values.ndim == 1 and not np.allclose(probabilities.sum(axis=1), 1):
        return f"probabilities that sum to {probabilities.sum(axis=1)[:3]}"
    return None


def _different(found: Any, plain: Any, tolerance: float) -> str | None:
    found, plain = np.asarray(found), np.asarray(plain)
    if found.shape != plain.shape:
        return f"predictions of shape {found.shape}, where the plain ones have {plain.shape}"
    if found.dtype.kind == "f":
        scale = np.abs(plain).max(initial=0) + 1e-300
        same = np.abs(found - plain) <= tolerance * scale
    else:
        same = found == plain
    n_different = int(np.size(same) - np.count_nonzero(same))
    if n_different:
        return f"{n_different} of {np.size(same)} predictions differ from those of plain input"
    return None


def _constant(values: Any) -> str | None:
    if len(np.unique(np.asarray(values), axis=0)) == 1:
        return "predictions are constant, without a warning"
    return None


def count_rows(X: Any) -> int:
    if hasattr(X, "shape"):
        return int(X.shape[0])
    return int(X.num_rows) if hasattr(X, "num_rows") else len(X)


# ---- Warnings ----------------------------------------------------------------------------------


def _wrong_warnings(caught: list[warnings.WarningMessage]) -> str | None:
    """Complain of NumPy's warnings out of our code, and of many warnings."""
    for one in caught:
        ours = "/nonet/" in one.filename
        if ours and issubclass(one.category, (RuntimeWarning, DeprecationWarning, FutureWarning)):
            return f"{one.category.__name__} out of the library: {one.message}"
    docs = {str(one.message) for one in caught}
    if len(docs) > MAX_WARNINGS:
        return f"{len(docs)} warnings: {sorted(docs)[:2]}"
    return None
