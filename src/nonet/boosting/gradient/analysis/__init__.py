"""Analysis of boosters: number of rounds, uncertainty, and learning curves."""
