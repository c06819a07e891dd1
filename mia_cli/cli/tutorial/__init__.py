"""``mia tutorial``."""
