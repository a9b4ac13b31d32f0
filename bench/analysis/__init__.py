"""What records mean: audit, statistics, noise, comparison of runs."""
