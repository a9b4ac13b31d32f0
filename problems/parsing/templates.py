"""Feature templates of the parser as text, and how they become the programs that kernels run.

A template names the atoms that it joins. Of words: `hW` the form (lower case), `hF` the fine tag, `hC` the coarse tag, `hS` the last
three letters, `hL` the lemma, `hM` the morphological features, `hA` the case among them, `hG` gender, number and person,
`hX`, `hR`, `hE` and `hB` its context (`contexts.py`); the letter before says which word of the part: head h, modifier m, siblings s and t (in order outward),
grandparent g; of a head bigram the word m, the next word n and their heads h and i. `h-F` and `h+C` are tags of the words before
and behind, `bF` and `bC` those of a word in between, V, P and N the numbers (0, 1, 2, more) of verbs, punctuation marks and
conjunctions in between, K the number of other modifiers on the same side. Every template is closed by the side or order
of the words; with a `*` it makes a second feature, closed by side and distance instead.
"""

from __future__ import annotations

import numpy as np

from ..linear_program import Integers
from ..models.hashing import feature_hash
from .atoms import WORD_ATOMS

KINDS = (
    "arc",
    "between",
    "sibling",
    "grandparent",
    "any sibling",
    "bigram",
    "grand-sibling",
    "tri-sibling",
    "label",
)
WORDS = {  # the words of each kind of part, in the order of the kernel's places
    "arc": "hm",
    "between": "hm",
    "sibling": "hms",
    "grandparent": "ghm",
    "any sibling": "hms",
    "bigram": "himn",
    "grand-sibling": "ghms",
    "tri-sibling": "hmst",
    "label": "hmglrs",
}
AROUND = ("-F", "+F", "-C", "+C")
TAGS_AROUND = 72  # where they begin
SPECIAL = {"V": 82, "P": 83, "N": 84, "K": 85, "bF": 86, "bC": 87}
SIDE, SPAN = 80, 81

PLAIN: dict[str, tuple[str, ...]] = {
    "arc": (
        "*",
        "hF*", "hW*", "hW hF*", "hC", "mF*", "mW*", "mW mF*", "mC*", "mS", "hS",
        "hF mF*", "hC mC*", "hW mW*", "hW mF*", "hF mW*", "hW hF mF*", "hF mW mF*", "hW hF mW*", "hW mW mF*", "hW hF mW mF*",
        "hW mC*", "hC mW*", "hF mC*", "hC mF*", "hF mS*", "hS mF*", "hS mS*", "hS mC", "hC mS",
        "hF h+F m-F mF*", "h-F hF m-F mF*", "hF h+F mF m+F*", "h-F hF mF m+F*",
        "hF h+F mF*", "h-F hF mF*", "hF m-F mF*", "hF mF m+F*",
        "h-F hF h+F mF*", "hF m-F mF m+F*", "h-F hF h+F m-F mF m+F*",
        "hC h+C m-C mC*", "h-C hC m-C mC*", "hC h+C mC m+C*", "h-C hC mC m+C*", "h-C hC h+C m-C mC m+C*",
        "m-F mF m+F*", "h-F hF h+F*", "mW m+F", "mW m-F", "hW h+F", "hW h-F",
        "hW m-F mF", "hW mF m+F", "h-F hF mW", "hF h+F mW",
        "hC mC V*", "hC mC P*", "hC mC N*", "hC mC V P N", "V P N*", "hF mF V P N", "hW mC V P", "hC mW V P",
    ),
    "between": ("hF bF mF", "hC bC mC*", "hW bC mC", "hC bC mW"),
    "sibling": (
        "*", "hF mF sF", "hC mC sC*", "mF sF*", "mC sC*", "mW sW", "mW sF", "mF sW",
        "hW mF sF", "hF mW sF", "hF mF sW", "hW mC sC*", "hC mW sC", "hC mC sW", "hW mW sC", "hC mW sW", "hW mC sW",
        "hC mF sF", "hF mC sC", "hW sC", "hF mC sF",
    ),
    "grandparent": (
        "*", "gF hF mF", "gC hC mC*", "gF mF*", "gC mC*", "gW mW", "gW mF", "gF mW",
        "gW hF mF", "gF hW mF", "gF hF mW", "gW hC mC", "gC hW mC*", "gC hC mW*", "gW hW mC", "gC hW mW", "gW hC mW",
        "gC hF mF", "gF hF mC", "gF hC mF",
    ),
    "any sibling": ("*", "hF mF sF", "hC mC sC*", "mF sF*", "mC sC*", "mW sW", "mW sF", "mF sW", "hW mC sC", "hC mW sC", "hC mC sW"),
    "bigram": (
        "*", "hF iF mF nF", "hC iC mC nC*", "mF nF*", "hF iF*", "hC mC nC*", "iC mC nC*", "hF mF nF", "iF mF nF",
        "hW mC nC", "iW mC nC", "mW nC", "mC nW",
    ),
    "grand-sibling": (
        "", "gF hF mF sF", "gC hC mC sC", "gF mF sF", "gC mC sC", "gW mC sC", "gC hW mC sC", "gC hC mW sC", "gC hC mC sW",
        "gC hF mF sF", "gF hF mC sC",
    ),
    "tri-sibling": ("", "hF mF sF tF", "hC mC sC tC", "mF sF tF", "mC sC tC", "hW mC sC tC", "hC mW sC tC", "hC mC sC tW", "hC mC sW tC"),
    "label": (
        "*", "hF*", "hW*", "hC*", "mF*", "mW*", "mC*", "mS*", "mW mF", "hW hF", "hF mF*", "hC mC*", "hW mW", "hW mF*", "hF mW*", "hF mF mW",
        "hS mS", "hF mS", "hS mF", "hF m-F mF", "hF mF m+F", "m-F mF m+F", "h-F hF mF", "hF h+F mF", "hC mC V P N", "hC mC P",
        "gF hF mF", "gC hC mC", "gC mC", "gF mW", "lF mF hF", "rF mF hF", "lW mF hF", "rW mF", "lF mW", "lF rF mF hF", "lC rC mC hC",
        "lW mC hC", "lW hW", "sF mF hF", "sC mC hC", "sW mF hF", "sF mF", "K mC hC", "K sC mC hC", "K hF mF", "hW sC mC", "lS mF hF",
    ),
}  # fmt: skip
CONTEXT: dict[str, tuple[str, ...]] = {  # beside those, of orders 2 and above: contexts of words (`contexts.py`)
    "arc": (
        "mE", "hC mE*", "hF mE*", "hC mE V P N", "hF mE V P", "hF mE mB*", "hC mE mB V", "hC mE mB P", "hW mE", "hE hC mE mC*",
        "hE hC mF", "hE hC mC", "hB hC mE V P", "hC mB mC*", "hB hC mC", "mR*", "mR mC*", "hW mR*", "hF mR*", "hX mR mF",
        "hW mR mC", "hR mR", "hR hC mR mC*", "hR mC", "hR hC mF*", "hS mR", "hX mX*", "hC mR V P", "hC mR mB*", "hX mR mB",
        "hC mR mW", "hF mR mS",
    ),
    "sibling": (
        "mE sE", "hC mE sE*", "hF mE sF", "hF mF sE", "hC mE mC sC sE", "hC mE mB", "hC sE sB", "hC mE sE sB", "hF sE", "mR sR",
        "hC mR sR*", "hW sR", "hX mX sX", "mX sX*", "hF mR sR", "hW mC sR", "hW mR sR", "mR sC", "hX mR sX",
    ),
    "grandparent": (
        "gC hC mE*", "gF hF mE", "gC hC mE mB", "gF mE*", "gC mE", "gB gC hC mE", "gC hE hC mC mE", "gX hX mX", "gX mX*",
        "gC hC mR", "gW mR", "gC hW mR*", "gX hX mR", "gW hC mR", "gC hR mR", "gC hR hC mC", "gF hR hF mF", "gW hR", "gR hR mR",
    ),
}  # fmt: skip
MORPHOLOGY: dict[str, tuple[str, ...]] = {  # beside those, where a treebank has lemmas and features
    "arc": (
        "mM*", "hM", "mL*", "hL*", "hL mL*", "hL mF*", "hF mL*", "hF mM*", "hM mF*", "hM mM*", "hC mA*", "hC hA mC mA", "hL mA", "hL mM",
        "hM mL", "hC hG mC mG", "hF mF mG hG",
    ),
    "sibling": ("hC mA sA", "mM sM", "hL mA sA", "hL mC sC", "mL sL"),
    "grandparent": ("gC hC mA", "gC hA mA", "gL mL", "gM hM mM", "gL hL mC"),
    "any sibling": ("hC mA sA*", "mA sA", "hL mA sA", "hC mA sC", "hC mC sA", "hC mC mG sC sG", "hX mA sA", "mM sM"),
    "bigram": (
        "mA nA hC iC", "mG nG hC iC", "mM nM", "hC mA nA", "hA mA iA nA", "mC mG nC nG*", "hC mC mG nC nG", "iC mC mG nC nG",
    ),
    "grand-sibling": ("gC hC mA sA", "gC hA mA sA", "gL hC mA sA", "gC hL mA sA", "gC hC mC sA", "gC hC mA sC", "gC hA mC sC"),
    "tri-sibling": ("hC mA sA tA", "hL mA sA tA", "hC mA sA tC", "hC mC sA tA", "hC mA sC tA", "hF mA sA tA"),
    "label": (
        "mM*", "mL*", "hL", "hL mL", "hL mM", "hF mM*", "hM mF", "hM mM", "hC mA*", "hL mA", "hC hA mC mA", "hC hG mC mG", "lL mA hC", "lL mM",
        "lA mA hC", "rA mA hC", "sA mA hC", "gA mA hC",
    ),
}  # fmt: skip
MORPHOLOGICAL_ATOMS = frozenset("LMAG")
FIRST_ORDER = "first order"
"""Fewer templates of arcs, for pruners and models of order 1, which score many arcs."""
Templates = dict[str, tuple[str, ...]]


def joined(*parts: Templates) -> Templates:
    """All templates of each kind."""
    return {kind: tuple(template for part in parts for template in part.get(kind, ())) for kind in KINDS}


TEMPLATES: Templates = {**joined(PLAIN, CONTEXT), FIRST_ORDER: PLAIN["arc"]}
MORPHOLOGICAL: Templates = {**joined(PLAIN, CONTEXT, MORPHOLOGY), FIRST_ORDER: (*PLAIN["arc"], *MORPHOLOGY["arc"])}
TAGGER = (
    "*", "oA", "oB", "oC", "oD", "oE", "oF", "oG", "oH", "oI", "oA oI", "nB", "pB", "nnB", "ppB", "nD", "pD", "nE", "pE",
    "T", "T U", "T oB", "T oE", "T oD", "U oB", "pB oB", "oB nB", "oE nE", "oE pE", "T oE nE", "T nB", "T nE", "pB nB", "nI", "pI", "oE oI",
    "T oI nE",
)  # fmt: skip
TAGGER_WORDS, TAGGER_ATOMS = ("pp", "p", "o", "n", "nn"), "ABCDEFGHI"


def is_morphological(template: str) -> bool:
    """Does a template join lemmas or morphological features?"""
    return any(atom[-1] in MORPHOLOGICAL_ATOMS for atom in template.rstrip("*").split() if len(atom) == 2)


def place_of(kind: str, atom: str) -> int:
    """Where the kernel puts an atom of a kind of part."""
    if atom in SPECIAL:
        return SPECIAL[atom]
    word = WORDS[kind].index(atom[0])
    if len(atom) == 3:
        return TAGS_AROUND + 4 * word + AROUND.index(atom[1:])
    return len(WORD_ATOMS) * word + WORD_ATOMS.index(atom[1:])


def tagger_place(atom: str) -> int:
    if atom in ("T", "U"):
        return 45 + (atom == "U")
    return 9 * TAGGER_WORDS.index(atom[:-1]) + TAGGER_ATOMS.index(atom[-1])


def seed_of(kind: str, template: str) -> int:
    """The hash that a template starts from, as a signed number."""
    value = feature_hash(f"{kind}: {template.rstrip('*')}")
    return value - (1 << 64) if value >= 1 << 63 else value


def parser_program(templates: Templates | None = None, first_order: bool = False) -> Integers:
    """All kinds of parts: first where each block begins, then the blocks. Without pairs of arcs, arcs may have templates of their own."""
    chosen = TEMPLATES if templates is None else templates
    if first_order and FIRST_ORDER in chosen:
        chosen = {**chosen, "arc": chosen[FIRST_ORDER]}
    blocks = []
    for kind in KINDS:
        block = [len(chosen[kind])]
        for template in chosen[kind]:
            places = [place_of(kind, atom) for atom in template.rstrip("*").split()]
            block += [seed_of(kind, template), len(places), *places, SIDE, SPAN if template.endswith("*") else -1]
        blocks.append(block)
    return _joined(blocks)


def tagger_program() -> Integers:
    """The tagger's one block. Its templates have no side: the tag before closes those that name it, a constant the others."""
    block = [len(TAGGER)]
    for template in TAGGER:
        atoms = template.rstrip("*").split()
        places = [tagger_place(atom) for atom in atoms] or [CONSTANT]
        block += [seed_of("tagger", template), len(places) - 1, *places, -1]
    return _joined([block])


CONSTANT = 47


def _joined(blocks: list[list[int]]) -> Integers:
    starts = np.cumsum([len(blocks), *map(len, blocks)])[:-1]
    return np.array([*starts, *(value for block in blocks for value in block)], dtype=np.int64)
