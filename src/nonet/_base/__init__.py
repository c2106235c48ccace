"""Shared helpers of all sub-packages: checks, errors, names, seeds, parallel runs."""
