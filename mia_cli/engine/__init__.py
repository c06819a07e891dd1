"""Plays a match: the source of dice, what a player is, and the driver."""
