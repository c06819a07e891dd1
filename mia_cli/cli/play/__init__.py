"""``mia play``."""
