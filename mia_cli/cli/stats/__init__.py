"""``mia stats``."""
