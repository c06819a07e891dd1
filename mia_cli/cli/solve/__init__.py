"""``mia solve``."""
