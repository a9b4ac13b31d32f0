"""How results are shown: tables, plots, the report of a run."""
