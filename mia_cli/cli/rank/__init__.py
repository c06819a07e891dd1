"""``mia rank``."""
