"""Figures of the report as inline SVG: numbers in, text out.

One kind of figure per file. ``nonet._base.pictures.svg`` writes elements, ``scale`` and ``frame``
make axes. Colours are names of CSS classes, which the style sheet of the page defines for light,
dark and print.
"""
