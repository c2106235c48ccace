"""Bagging of any learner: draws of rows and columns, out-of-bag predictions."""
