"""What many cells say together: averages with intervals, speed-ups, wins, progress over time, paired tests, one summary."""
