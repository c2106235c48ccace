"""Error estimates: cross-validation and its relatives, rules that choose a model, tests."""
