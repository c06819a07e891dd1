"""JSON objects as values."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]
"""A JSON object, as it was read or as it is written."""
