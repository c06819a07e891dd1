"""``mia help``."""
