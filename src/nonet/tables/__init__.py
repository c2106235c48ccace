"""Tables: one reader of files and frames, the kinds of their columns, and their preparation."""
