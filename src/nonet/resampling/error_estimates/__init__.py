"""Error estimates: cross-validation, bootstrap, model selection rules, tests."""
