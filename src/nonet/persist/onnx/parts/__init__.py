"""Models as parts of a graph, one file per family."""
