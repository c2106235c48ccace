"""
Bootstrap samples: how many there are, and what they leave out
==============================================================

Twelve rows have 8,916,100,448,256 ordered bootstrap samples. A bootstrap sample contains 63.2 % of
the rows, not 67 %, and it is the data set itself with probability N! / N^N.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import exp

from nonet.theory import (
    count_bootstrap_samples,
    distinct_fraction,
    left_out_probability,
    original_sample_probability,
)

print("bootstrap_count_12", count_bootstrap_samples(12))
print("bootstrap_multisets_12", count_bootstrap_samples(12, ordered=False))
print("bootstrap_632.limit_out", exp(-1))
print("bootstrap_632.limit_in", 1 - exp(-1))
for n in (3, 10, 100):
    print(f"bootstrap_632.n{n}", left_out_probability(n))
print("oob_67_percent", distinct_fraction(10**12))
for n in (3, 4, 10):
    print(f"prob_bootstrap_equals_D.{n}", original_sample_probability(n))

# %%
# With three rows all samples can be listed. Each of the ten different ones is shown with the number
# of its orders, of 27.

for rows, n_orders in sorted(Counter(tuple(sorted(s)) for s in product("123", repeat=3)).items()):
    print(" ".join(rows), "in", n_orders, "orders")
