"""The auto-ensembler: from a table to the best ensemble under a time limit."""
