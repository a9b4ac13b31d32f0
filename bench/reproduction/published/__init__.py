"""Numbers printed in the papers, so that every reproduced table can show them beside ours. One module per paper."""

from __future__ import annotations

from .compression import COMPRESSION, CompressionRow
from .parsing import (
    COSTS,
    ENGLISH,
    INTEGRAL_PARSES,
    OTHER_PARSERS,
    SPEED_DROP,
    TREEBANKS,
    TURBO_PARSER,
    TURBO_PARSER_MS,
    ParsingRow,
    TreebankRow,
    power_of_length,
)
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
    "SPEED_DROP",
    "SUMMARIZATION_RUNTIMES",
    "SUMMARIZATION_SYSTEMS",
    "TRANSDUCTION",
    "TREEBANKS",
    "TURBO_PARSER",
    "TURBO_PARSER_MS",
    "CompressionRow",
    "ParsingRow",
    "RatingRow",
    "RuntimeRow",
    "SystemRow",
    "TransductionRow",
    "TreebankRow",
    "power_of_length",
]
