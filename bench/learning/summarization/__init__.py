"""Training summarizers, alone and with auxiliary tasks."""
