"""``mia simulate``."""
