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
ARBORESCENCE = 11
PROJECTIVE_TREE = 12
GRAND_SIBLINGS = 13
TRI_SIBLINGS = 14
HEAD_BIGRAMS = 15
DERIVATION = 16
OWN = 17  # someone else's compiled `maximize`: see `own`
OWN_PROJECTED = 18  # with a compiled `project` as well
# made by AD3's presolve only; below the kinds with an oracle (`oracles.has_oracle`)
COVERAGE = -1
PAIR_COVERAGE = -2
TREE_BUDGET = -3
