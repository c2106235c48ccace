"""From facts to figures: which picture shows which part of the facts, one section per file.

Every drawing gets a part of the facts and returns a `View`: the picture, its caption, the rows it
is from and the same numbers as a table. None means that the part has nothing to draw.
"""
