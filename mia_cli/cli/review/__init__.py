"""``mia review``."""
