"""Thousands of matches at once, one turn of each per step, in NumPy."""
