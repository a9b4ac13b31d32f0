"""Every number of the papers' tables, with the table's page, and those that their texts add: a module for each paper."""

from __future__ import annotations

from .almeida_martins import INTEGRAL_SUMMARIES, SUMMARIZATION_RUNTIMES, SUMMARIZATION_SYSTEMS, RuntimeRow, SystemRow
from .martins import (
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
from .qian_liu import COMPRESSION, FEATURES, NO_SUBTREE, CompressionRow
from .yao import PARTITION, RATING_MARKS, RATINGS, SIGNIFICANT, TRANSDUCTION, RatingRow, TransductionRow

__all__ = [
    "COMPRESSION",
    "COSTS",
    "ENGLISH",
    "FEATURES",
    "INTEGRAL_PARSES",
    "INTEGRAL_SUMMARIES",
    "NO_SUBTREE",
    "OTHER_PARSERS",
    "PARTITION",
    "RATINGS",
    "RATING_MARKS",
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
