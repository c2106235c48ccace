"""Ensembles of embeddings, and forests as a measure of distance."""
