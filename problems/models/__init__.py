"""Trained models: hashed features, the weights' file, and what scoring with them needs. Training is in `bench.learning`."""
