"""Parameter docs that the diagnostics share: the ensemble and the rows."""

from __future__ import annotations

from nonet._base.docs import Kind, fill_docstring

DOCS = {
    "any_ensemble": """ensemble : fitted ensemble, Ledger or MemberPredictions
        One of this library, scikit-learn's voting, bagging, forests or AdaBoost; or recorded
        predictions.""",
    "unseen_rows": """X : array-like of shape (n_rows, n_features), default=None
        Rows that the members have not seen, or with ``out_of_bag`` the training rows.
    y : array-like of shape (n_rows,), default=None
        The truth.""",
    "out_of_bag": """out_of_bag : bool, default=False
        Evaluate each member only on training rows it was not fitted on.""",
}


def with_diagnostics_docs(function: Kind) -> Kind:
    """Fill the names in braces of a function's docstring."""
    return fill_docstring(function, DOCS)
