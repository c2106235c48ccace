"""The command line: one file per command, from a table to a model, its score and its predictions.

``main`` is the door. Commands are tasks (fit, predict, score, ...), and have no hyper-parameters.
"""
