"""Real corpora: where they are, which of them can be fetched, and fetching them."""
