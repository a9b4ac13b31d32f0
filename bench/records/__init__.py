"""What a run leaves behind: the log of records, the run folder, the DataFrame, provenance."""
