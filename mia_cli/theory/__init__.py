"""Mia as a solved game: equilibrium, best response, exact results of fixed players.

Loads NumPy: import it only where a figure is needed.
"""

from mia_cli.theory.ceiling import Ceiling, best_response, ceiling
from mia_cli.theory.evaluate import Evaluation, Tabled, evaluate

__all__ = ["Ceiling", "Evaluation", "Tabled", "best_response", "ceiling", "evaluate"]
