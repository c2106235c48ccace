"""Rules F and C as nodes of a graph."""
