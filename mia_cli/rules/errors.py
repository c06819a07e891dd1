"""Errors as codes with fields; the sentences a person reads live in ``mia_cli.text``."""


class MiaError(Exception):
    """Something the user can do something about.

    ``code`` is a stable word such as ``"not_a_roll"``; ``fields`` are the values a sentence about
    it needs (the offending value, its place, what would be accepted). Hidden rolls are never put
    into the fields.
    """

    def __init__(self, code: str, **fields: object) -> None:
        super().__init__(code, fields)
        self.code = code
        self.fields = fields

    def __reduce__(self) -> tuple[object, ...]:
        # An exception is rebuilt from its args by default, and those are not our arguments: an
        # error in a worker process would then never reach its parent.
        return _rebuild, (type(self), self.code, self.fields)

    def __str__(self) -> str:
        listed = ", ".join(f"{name}={value!r}" for name, value in self.fields.items())
        return f"{self.code}({listed})"


def _rebuild(kind: type[MiaError], code: str, fields: dict[str, object]) -> MiaError:
    return kind(code, **fields)


class CannotRead(MiaError):
    """The text is not a roll, a claim, a number ... at all."""


class NotAllowed(MiaError):
    """The text was understood, but the rules do not allow it now."""


class BadRuleSet(MiaError):
    """A rule set, a table or a preset with values outside the rules."""


class BadRecord(MiaError):
    """A record that cannot be read or that the rules contradict."""


class Unwritable(MiaError):
    """A file or folder that cannot be read or written."""
