"""Pieces of text as the JSON that the page draws."""

from typing import Any

from adapters.port import Span
from adapters.web.refs import PLATFORM


def span_json(span: Span) -> dict[str, Any]:
    """Return a piece of text; names and texts stay plain text all the way."""
    rendered: dict[str, Any] = {"text": span.text, "mark": span.mark.name.lower()}
    if span.mention is not None and span.mention.platform == PLATFORM:
        rendered["mention"] = span.mention.id
    if span.link is not None and span.link.platform == PLATFORM:
        rendered["link"] = span.link.opaque
    if span.when is not None:
        rendered["when"] = span.when
    return rendered
