"""Learned models for people with text: parse, compress, summarize."""
