"""What many cells say together: averages with intervals, races, progress over time, paired tests, one summary."""

from __future__ import annotations

from .cells import best_known, current, reduce_cells, solved_cells, sound, time_table, value_table
from .paired import holm, paired_test, paired_tests
from .progress import Progress, primal_gap, primal_integral, progress, progress_table, time_to_target
from .races import Profile, Wins, count_wins, performance_profiles, virtual_best
from .summary import summary
from .values import Interval, mean, median, median_interval, par10, penalised, ratio_interval, shifted_geometric_mean

__all__ = [
    "Interval",
    "Profile",
    "Progress",
    "Wins",
    "best_known",
    "count_wins",
    "current",
    "holm",
    "mean",
    "median",
    "median_interval",
    "paired_test",
    "paired_tests",
    "par10",
    "penalised",
    "performance_profiles",
    "primal_gap",
    "primal_integral",
    "progress",
    "progress_table",
    "ratio_interval",
    "reduce_cells",
    "shifted_geometric_mean",
    "solved_cells",
    "sound",
    "summary",
    "time_table",
    "time_to_target",
    "value_table",
    "virtual_best",
]
