"""The tree of a message's components, as its readers walk through it."""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any


class Type(IntEnum):
    """The types of components that the bot uses."""

    ROW = 1
    BUTTON = 2
    MENU = 3
    TEXT = 10
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17


Component = dict[str, Any]


def walk(components: Iterable[Component]) -> Iterator[Component]:
    """Yields components and all that are nested in them, in the order of their ids."""
    for component in components:
        yield component
        yield from walk(component.get("components") or ())


def of_type(components: Iterable[Component], kind: Type) -> list[Component]:
    return [component for component in walk(components) if component["type"] == kind]


def texts(components: Iterable[Component]) -> list[str]:
    return [component["content"] for component in of_type(components, Type.TEXT)]


def media(components: Iterable[Component]) -> Iterator[Component]:
    """Yields the media of galleries and files."""
    for component in walk(components):
        if component["type"] == Type.FILE:
            yield component["file"]
        for item in component.get("items") or ():
            yield item["media"]


def alternative_texts(components: Iterable[Component]) -> list[str]:
    """Returns the words that replace the pictures in galleries."""
    items = [item for gallery in of_type(components, Type.GALLERY) for item in gallery["items"]]
    return [item["description"] for item in items if item["description"]]
