"""Mia, the two-dice bluffing game, in the shell; for programs there is ``mia_cli.api``."""

__version__ = "0.2.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mia_cli import api as api
else:

    def __getattr__(name):
        """Load the library when it is asked for, and nothing before (PEP 562)."""
        if name != "api":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return import_module("mia_cli.api")
