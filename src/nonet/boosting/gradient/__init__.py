"""Gradient boosting: the sum of trees, one round of it, and what its estimators share."""
