"""Takes a guest out of what stands on the page for others: their name becomes a dash."""

import re
from collections.abc import Collection, Mapping
from typing import Any, cast

from adapters.web.render import Json

NOBODY = "–"
WORDS = frozenset({"text", "label", "alt", "name"})
"""Under which names the content of a message holds words; what else it holds is for the page alone."""


class Eraser:
    """Finds one guest in messages, by id and by name."""

    def __init__(self, guest: str, names: Collection[str]) -> None:
        """Look for `guest`'s id, and for these names as words of their own, in capitals or not."""
        self._guest = guest
        longest_first = sorted(filter(None, names), key=len, reverse=True)
        self._names = re.compile(
            "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first) or r"(?!)", re.IGNORECASE
        )

    def erased(self, content: Mapping[str, Any]) -> Json | None:
        """Return the content without the guest; None when it does not know them.

        Its picture and its document go: they are drawn and written with the name.
        """
        rest = cast("Json", self._without(content))
        if rest == content:
            return None
        if "picture" in rest:
            rest["picture"] = None
        rest.pop("document", None)
        return rest

    def is_named_in(self, file: bytes) -> bool:
        """Return whether a file holds a name, or cannot be looked through."""
        try:
            return self._names.search(file.decode()) is not None
        except UnicodeDecodeError:
            return True

    def _without(self, value: object, key: str = "") -> object:
        if isinstance(value, Mapping):
            return {each: self._without(part, each) for each, part in value.items() if part != self._guest}
        if isinstance(value, list):
            return [self._without(part, key) for part in value]
        return self._names.sub(NOBODY, value) if isinstance(value, str) and key in WORDS else value
