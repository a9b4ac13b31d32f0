"""Training: structured predictors that decode through any solver. Trained models are in `problems.models`."""
