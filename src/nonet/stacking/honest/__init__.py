"""Honest evaluation of stacks: nested cross-validation and a test for leaking labels."""
