"""News-like topic clusters made from a seed: text with dependency trees, and abstracts to measure summaries against."""

from problems.text.newswire.cluster import EVENT_TYPES, generate_cluster

__all__ = ["EVENT_TYPES", "generate_cluster"]
