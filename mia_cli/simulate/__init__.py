"""Plays many matches at once: seatings, the lockstep kernel, workers, tallies, intervals.

Loads NumPy in most of its modules: import them only where matches are played.
"""
