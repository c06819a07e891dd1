"""Drills on decisions: the person's own, and positions drawn from the solution."""
