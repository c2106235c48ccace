"""Plots of ensembles without labels."""
