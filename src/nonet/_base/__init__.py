"""What every room of the house stands on: checks, errors, names, seeds, parallel runs."""
