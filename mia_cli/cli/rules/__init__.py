"""``mia rules``."""
