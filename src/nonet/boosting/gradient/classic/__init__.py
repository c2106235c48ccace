"""Classic gradient boosting: trees fitted to residuals, with leaf values chosen by the loss."""
