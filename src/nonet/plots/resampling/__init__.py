"""Plots of bootstrap, jackknife and cross-validation."""
