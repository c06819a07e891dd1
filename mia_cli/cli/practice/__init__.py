"""``mia practice``."""
