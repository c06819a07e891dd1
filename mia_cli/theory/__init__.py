"""Mia as a solved game: equilibrium, best response, exact results of fixed players.

Loads NumPy, and no more of the package than is asked for (PEP 562): what these names stand for is
imported with the first of them that is used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mia_cli.theory.advice import Advice as Advice
    from mia_cli.theory.advice import Option as Option
    from mia_cli.theory.advice import advise as advise
    from mia_cli.theory.advice import advise_answer as advise_answer
    from mia_cli.theory.advice import advise_claim as advise_claim
    from mia_cli.theory.best_response import best_response_values as best_response_values
    from mia_cli.theory.ceilings import Ceiling as Ceiling
    from mia_cli.theory.ceilings import ceiling as ceiling
    from mia_cli.theory.evaluation import Evaluation as Evaluation
    from mia_cli.theory.evaluation import evaluate as evaluate
    from mia_cli.theory.gain import gains as gains
    from mia_cli.theory.gain import max_gain as max_gain
    from mia_cli.theory.solution import Solution as Solution
    from mia_cli.theory.solver import solve as solve
    from mia_cli.theory.strategies import Tabled as Tabled
else:
    _MODULES = {
        "advice": ("Advice", "Option", "advise", "advise_answer", "advise_claim"),
        "best_response": ("best_response_values",),
        "ceilings": ("Ceiling", "ceiling"),
        "evaluation": ("Evaluation", "evaluate"),
        "gain": ("gains", "max_gain"),
        "solution": ("Solution",),
        "solver": ("solve",),
        "strategies": ("Tabled",),
    }

    def __getattr__(name):
        """What a name of the package stands for."""
        from importlib import import_module

        for module, names in _MODULES.items():
            if name in names:
                return getattr(import_module(f"mia_cli.theory.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
