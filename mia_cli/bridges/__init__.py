"""Mia as a game of other libraries; each module needs the extra that bears its name."""
