"""Every run tries the same cases: hypothesis neither draws anew nor remembers earlier runs."""

from hypothesis import settings

settings.register_profile("same-each-time", derandomize=True, database=None, deadline=None)
settings.load_profile("same-each-time")
