"""Numbers as the language in use writes them."""

from __future__ import annotations

from mia_cli.text.catalogue import _


def percent(share: float, digits: int = 1) -> str:
    """A share of 1 as a percentage."""
    return _("{number}%").format(number=decimal(100 * share, digits))


def decimal(value: float, digits: int) -> str:
    """A number with a fixed count of decimals."""
    # Translators: the decimal mark.
    return f"{value:.{digits}f}".replace(".", _("."))
