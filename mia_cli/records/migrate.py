"""Records of earlier schemas, brought up to the present one when they are read.

A file is never changed by being read; a match that is saved again is saved in the present schema.
To change the schema: raise ``record.SCHEMA``, and add the step from the old one to ``STEPS``. A
step is a function from the JSON object of one schema to that of the next; it may rely on nothing
but the field ``schema`` and raises BadRecord for what it cannot bring up. Readers only ever see
the present schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mia_cli.files.documents import Document

Migration = Callable[[Document], Document]

STEPS: dict[str, Migration] = {}
"""By the schema a step starts from. There is no schema before ``mia.match/1`` yet."""


def upgrade(document: Document, steps: Mapping[str, Migration] | None = None) -> Document:
    """The document after every step that applies, the same object when none does.

    Raises what a step raises. ValueError for steps that lead in a circle.
    """
    known = STEPS if steps is None else steps
    for _ in range(len(known) + 1):
        schema = document.get("schema")
        step = known.get(schema) if isinstance(schema, str) else None
        if step is None:
            return document
        document = step(document)
    raise ValueError("the steps between schemas lead in a circle")
