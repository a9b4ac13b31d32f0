"""Decode a whole corpus with one solver (`dualbench decode`); see docs/decoding.md."""
