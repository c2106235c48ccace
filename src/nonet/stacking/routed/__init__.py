"""Ensembles whose members depend on x: arbiters, cascades, gates, routers, trees of classes."""
