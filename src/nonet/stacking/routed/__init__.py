"""Models that x chooses: arbiters, cascades, gates, routers, trees of classes."""
