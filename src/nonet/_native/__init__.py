"""Bindings of the compiled core: layout of arrays, threads, error messages."""
