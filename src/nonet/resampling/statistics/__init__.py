"""Statistics and the samples they are computed on: by name, from sums, with weights."""
