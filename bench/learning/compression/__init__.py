"""Training models of sentence compression."""
