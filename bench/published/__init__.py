"""Numbers printed in the papers, so that every reproduced table can show them beside ours. One module per paper."""

from __future__ import annotations

from .compression import COMPRESSION, CompressionRow
from .parsing import COSTS, ENGLISH, INTEGRAL_PARSES, OTHER_PARSERS, TREEBANKS, ParsingRow, TreebankRow
from .summarization import INTEGRAL_SUMMARIES, SUMMARIZATION_RUNTIMES, SUMMARIZATION_SYSTEMS, RuntimeRow, SystemRow
from .transduction import RATINGS, SIGNIFICANT, TRANSDUCTION, RatingRow, TransductionRow

__all__ = [
    "COMPRESSION",
    "COSTS",
    "ENGLISH",
    "INTEGRAL_PARSES",
    "INTEGRAL_SUMMARIES",
    "OTHER_PARSERS",
    "RATINGS",
    "SIGNIFICANT",
    "SUMMARIZATION_RUNTIMES",
    "SUMMARIZATION_SYSTEMS",
    "TRANSDUCTION",
    "TREEBANKS",
    "CompressionRow",
    "ParsingRow",
    "RatingRow",
    "RuntimeRow",
    "SystemRow",
    "TransductionRow",
    "TreebankRow",
]
