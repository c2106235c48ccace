"""Gradient boosting on histograms, as in scikit-learn."""
