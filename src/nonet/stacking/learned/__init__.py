"""Combinations learned from held-out predictions: blending, selection, stacking."""
