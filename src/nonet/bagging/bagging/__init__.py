"""Bagging of any learner: draw rules for rows and columns, and out-of-bag predictions."""
