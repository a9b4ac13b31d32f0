"""All tables and figures of the four papers with one command: pieces, claims with verdicts, and one report."""
