"""Collaborative filtering: models of ratings, and their blends."""
