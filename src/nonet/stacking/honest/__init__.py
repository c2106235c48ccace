"""How good a stack is on rows that none of its members saw, and whether labels leaked."""
