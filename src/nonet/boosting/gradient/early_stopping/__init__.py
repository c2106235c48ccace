"""When to stop: values of metrics after every round, and rules that read them."""
