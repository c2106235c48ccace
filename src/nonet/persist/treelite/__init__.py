"""Models of trees as models of treelite, for servers and compilers of trees.

`tree_sums` describes what a model computes (which sums, which link), `tree_fields` turns one tree
into the arrays of treelite's format, `category_columns` describes what columns of categories hold
there, and `to_treelite` joins them.
"""
