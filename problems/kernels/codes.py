"""Integer codes of the factor kinds, shared by the Python classes and the compiled kernels."""

XOR = 0
AT_MOST_ONE = 1
OR = 2
OR_OUT = 3
BUDGET = 4
KNAPSACK = 5
KNAPSACK_HULL = 6
PAIR = 7
DENSE = 8
SUBTREE = 9
FOREIGN = 10  # written in Python by someone else
DERIVATION = 30
