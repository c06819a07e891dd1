"""Mia as a solved game: equilibrium, best response, exact results of fixed players.

Loads NumPy: import it only where a figure is needed.
"""

from mia_cli.theory.ceiling import Ceiling, best_response, ceiling
from mia_cli.theory.evaluate import Evaluation, Tabled, evaluate
from mia_cli.theory.gain import gains, max_gain
from mia_cli.theory.solution import Solution
from mia_cli.theory.solver import solve

__all__ = [
    "Ceiling",
    "Evaluation",
    "Solution",
    "Tabled",
    "best_response",
    "ceiling",
    "evaluate",
    "gains",
    "max_gain",
    "solve",
]
