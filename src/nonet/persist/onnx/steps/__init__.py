"""Transformers of pipelines as steps between tables of a graph."""
