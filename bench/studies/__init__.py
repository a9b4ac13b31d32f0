"""Measurements behind defaults and claims: scripts that write their table and plot to results/."""
