"""CSV files: their form, their rows, and the table that they are."""
