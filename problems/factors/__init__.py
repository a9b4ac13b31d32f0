"""Factor kinds: one polytope each, with the same faces (see `block.Block`)."""

from .automata import GrandSiblings, HeadBigrams, TriSiblings
from .block import Block
from .budget import Budget, Knapsack, KnapsackHull
from .derivation import Derivation
from .logic import AtMostOne, Or, OrOut, Xor
from .subtree import Subtree
from .tables import Dense, Pair
from .trees import Arborescence, ProjectiveTree

KINDS: dict[str, type[Block]] = {
    block.kind: block
    for block in (
        *(Xor, AtMostOne, Or, OrOut),
        *(Budget, Knapsack, KnapsackHull),
        *(Pair, Dense, Subtree),
        *(Arborescence, ProjectiveTree, GrandSiblings, TriSiblings, HeadBigrams),
        Derivation,
    )
}

__all__ = ["KINDS", "Block"]
