"""Mia, the two-dice bluffing game, in the shell."""

__version__ = "0.1.0"
