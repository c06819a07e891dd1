"""The ``shark``: a player that learns each other seat's habits and answers best within a risk.

``family`` holds the habits it can imagine, ``model`` what it believes of a seat, ``response``
the best response within a round, ``risk`` how far it may leave the solution, ``beliefs`` one
seat's view of a series of matches, ``player`` the level, ``notice`` what it saw.

Loads NumPy: import it only where a player is made.
"""

from mia_cli.players.shark.notice import Notice
from mia_cli.players.shark.player import Intent, Shark, make_shark

__all__ = ["Intent", "Notice", "Shark", "make_shark"]
