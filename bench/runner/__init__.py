"""How cells are run: processes with limits, clocks and checks out of the solver's reach, here or on a cluster."""
