"""Training models of tree transduction."""
