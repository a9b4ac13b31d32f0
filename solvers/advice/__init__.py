"""What recorded runs say of an instance that nobody has solved yet: the data (`table`), times (`curves`), `forecasts`, `plans`, the advice (`advisor`)."""

from .advisor import Advice, Advisor, built_in, of_file
from .forecasts import TARGETS
from .table import Candidate, Case, Cell, Table, case_name, read_table

__all__ = [
    "TARGETS",
    "Advice",
    "Advisor",
    "Candidate",
    "Case",
    "Cell",
    "Table",
    "built_in",
    "case_name",
    "of_file",
    "read_table",
]
