"""Match records on disk: how they are written, read, kept and checked against the rules.

``files`` and ``folders`` know nothing of matches; whatever else is kept in files uses them too.
"""
