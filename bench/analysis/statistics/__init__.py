"""What many cells say together: averages with intervals, speed-ups, wins, progress over time, paired tests, one summary."""

from __future__ import annotations

from .cells import best_known, current, reduce_cells, sound
from .progress import Progress, primal_gap, primal_integral, progress, progress_table, time_to_target, times_within
from .ratios import Profile, Race, SpeedUp, Wins, count_wins, performance_profiles, speed_up
from .summary import summary
from .values import (
    Interval,
    holm,
    mean,
    median,
    median_interval,
    paired_test,
    par10,
    ratio_interval,
    shifted_geometric_mean,
)

__all__ = [
    "Interval",
    "Profile",
    "Progress",
    "Race",
    "SpeedUp",
    "Wins",
    "best_known",
    "count_wins",
    "current",
    "holm",
    "mean",
    "median",
    "median_interval",
    "paired_test",
    "par10",
    "performance_profiles",
    "primal_gap",
    "primal_integral",
    "progress",
    "progress_table",
    "ratio_interval",
    "reduce_cells",
    "shifted_geometric_mean",
    "sound",
    "speed_up",
    "summary",
    "time_to_target",
    "times_within",
]
