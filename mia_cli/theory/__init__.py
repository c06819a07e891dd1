"""Mia as a solved game: equilibrium, best response, exact results of fixed players.

Loads NumPy: import it only where a figure is needed.
"""

from mia_cli.theory.advice import Advice, Option, advise, advise_answer, advise_claim
from mia_cli.theory.best_response import best_response_values
from mia_cli.theory.ceiling import Ceiling, ceiling
from mia_cli.theory.evaluate import Evaluation, evaluate
from mia_cli.theory.gain import gains, max_gain
from mia_cli.theory.solution import Solution
from mia_cli.theory.solver import solve
from mia_cli.theory.strategies import Tabled

__all__ = [
    "Advice",
    "Ceiling",
    "Evaluation",
    "Option",
    "Solution",
    "Tabled",
    "advise",
    "advise_answer",
    "advise_claim",
    "best_response_values",
    "ceiling",
    "evaluate",
    "gains",
    "max_gain",
    "solve",
]
