"""Early stopping: metrics after every round, and rules that decide when to stop."""
