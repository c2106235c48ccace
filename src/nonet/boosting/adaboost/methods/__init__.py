"""Boosting methods: the weights of the members, and the weights of the rows in each round."""
