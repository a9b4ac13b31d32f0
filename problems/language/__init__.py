"""N-gram language models: estimated with modified Kneser-Ney smoothing, kept in sorted arrays, exchanged as ARPA files."""

from .arpa import read_arpa, write_arpa
from .estimate import estimate
from .model import NgramModel
from .tables import bigram_table, trigram_table

__all__ = ["NgramModel", "bigram_table", "estimate", "read_arpa", "trigram_table", "write_arpa"]
