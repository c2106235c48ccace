"""Pictures for pages and notebooks as inline SVG, and how names and numbers are written on them.

They are here, below all other packages, because fitted ensembles show their diagram in a notebook
and reports show it on a page.
"""
