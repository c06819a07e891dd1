"""Sentences of a compiled catalogue (a GNU .mo file), looked up one by one.

The standard library's reader loads a whole file and imports ``re``: as long as ``mia rank 55 44``
takes in all. Here a sentence is found by bisection among the sorted ones; for plurals, whose rules
have to be read, the standard library is asked. Imports nothing, as ``catalogue``.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gettext import NullTranslations

_LITTLE = b"\xde\x12\x04\x95"
"""How a file with numbers in little-endian order begins."""


class Sentences:
    """The catalogue in a file. Raises OSError when it cannot be read."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib would be paid for by `mia rank`
            self._data = file.read()
        self._little = self._data[:4] == _LITTLE
        self._count, self._keys, self._values = map(self._number, (8, 12, 16))
        self._plurals: NullTranslations | None = None

    def gettext(self, message: str) -> str:
        """The translation of ``message``, or itself where there is none."""
        wanted = message.encode()
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            found = self._text(self._keys, middle)
            if found == wanted:
                return self._text(self._values, middle).decode() or message
            if found < wanted:
                low = middle + 1
            else:
                high = middle
        return message

    def ngettext(self, one: str, many: str, number: int) -> str:
        """The translation in the form for ``number``."""
        if self._plurals is None:
            from gettext import GNUTranslations
            from io import BytesIO

            self._plurals = GNUTranslations(BytesIO(self._data))
        return self._plurals.ngettext(one, many, number)

    def _text(self, table: int, index: int) -> bytes:
        """Entry ``index`` of a table of lengths and places."""
        at = table + 8 * index
        start = self._number(at + 4)
        return self._data[start : start + self._number(at)]

    def _number(self, at: int) -> int:
        return int.from_bytes(self._data[at : at + 4], "little" if self._little else "big")
