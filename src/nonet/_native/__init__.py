"""The only doors to the compiled core: layout of arrays, threads, errors in our words."""
