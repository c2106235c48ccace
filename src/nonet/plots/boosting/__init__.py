"""Plots of boosting rounds."""
