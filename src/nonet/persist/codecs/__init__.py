"""Codecs: how each kind of object is written to a model file, one family per file."""
