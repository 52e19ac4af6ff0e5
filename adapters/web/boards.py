"""Tables and hands as the JSON that the page draws; its names are those of the port."""

from dataclasses import fields, is_dataclass
from typing import Any

from adapters.port import Board, HandBoard, LobbyBoard, Span, UserRef
from adapters.web.refs import PLATFORM
from adapters.web.spans import span_json


def board_json(board: Board | LobbyBoard | HandBoard) -> dict[str, Any]:
    """Return a table, which has `seats`, or before the deal `players`, or a hand, which has `moves`."""
    return {field.name: _json(getattr(board, field.name)) for field in fields(board)}


def _json(value: object) -> object:
    match value:
        case Span():
            return span_json(value)
        case UserRef():
            return value.id if value.platform == PLATFORM else None
        case tuple():
            return [_json(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _json(getattr(value, field.name)) for field in fields(value)}
    return value
