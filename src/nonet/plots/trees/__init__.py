"""Plots of trees, forests, decision regions and explanations."""
