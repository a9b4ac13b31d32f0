"""Training the parser, its tagger, pruner and labels."""
