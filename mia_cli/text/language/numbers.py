"""Numbers and days as the language in use writes them."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.text.language.catalogue import _


def percent(share: float, digits: int = 1) -> str:
    """A share of 1 as a percentage."""
    return _("{number}%").format(number=decimal(100 * share, digits))


def share(value: float | None, digits: int = 1, *, nothing: str = "-") -> str:
    """A share in a table, or what stands where there is none."""
    return nothing if value is None else percent(value, digits)


def interval(ends: Sequence[float] | None, digits: int = 1, *, nothing: str = "-") -> str:
    """An interval of shares in a table, or what stands where there is none."""
    if ends is None:
        return nothing
    low, high = ends
    return _("{low} to {high}").format(low=percent(low, digits), high=percent(high, digits))


def decimal(value: float, digits: int) -> str:
    """A number with a fixed count of decimals."""
    return _with_mark(f"{value:.{digits}f}")


def significant(value: float, digits: int) -> str:
    """A number with a fixed count of digits that tell."""
    return _with_mark(f"{value:.{digits}g}")


def _with_mark(text: str) -> str:
    # Translators: the decimal mark.
    return text.replace(".", _("."))


def whole(number: int) -> str:
    """A whole number, its digits in groups of three where there are many."""
    return _grouped(number) if abs(number) >= _MANY else str(number)


def wholes(numbers: Sequence[int]) -> list[str]:
    """The whole numbers of one column, all in groups of three where one of them has many digits."""
    many = any(abs(number) >= _MANY for number in numbers)
    return [_grouped(number) if many else str(number) for number in numbers]


_MANY = 10_000


def _grouped(number: int) -> str:
    # Translators: one thousand, to show what stands between groups of three digits.
    mark = _("1,000")[1:-3]
    return f"{number:,}".replace(",", mark)


def month(text: str) -> str:
    """The month ``2026-11`` for a table."""
    # Translators: a month in numbers, in a table; month has two digits.
    return _("{year}-{month}").format(year=text[:4], month=text[5:7])


def day(text: str) -> str:
    """The day ``2026-11-30...`` for a table."""
    # Translators: a day in numbers, in a table; month and day have two digits.
    return _("{year}-{month}-{day}").format(year=text[:4], month=text[5:7], day=text[8:10])


def minute(text: str) -> str:
    """The time ``2026-11-30T08:15...``, of a record, for a table: day, hour and minute."""
    return f"{day(text)} {text[11:16]}"
