"""Consensus clustering: members are clusterings, F joins their partitions, C labels the rows."""
