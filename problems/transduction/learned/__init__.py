"""Transduction models trained on pairs of sentences and compressions: what they are, and how they are kept in a file."""
