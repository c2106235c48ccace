"""Classic gradient boosting: trees on residuals, then new leaves."""
