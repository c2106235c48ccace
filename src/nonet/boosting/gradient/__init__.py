"""Gradient boosting: sums of trees, boosting rounds, and the base classes of the estimators."""
