"""Forests on the tree engine: random forests, extra trees, isolation and embedding."""
