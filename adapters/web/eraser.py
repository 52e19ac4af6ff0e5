"""Removes a guest from other people's messages; a dash replaces their name."""

import re
from collections.abc import Collection, Mapping
from typing import Any, cast

from adapters.web.render import MENTIONS, Json
from adapters.web.store import CHAT, SavedMessage

NOBODY = "–"
NEVER = "(?!)"
# The fields of a message's content that people read; only the page reads the others.
WORDS = frozenset({"text", "label", "alt", "name"})


class Eraser:
    """Removes one guest from messages that refer to them.

    People refer to a guest as `@name`, the bot by id or by name. If another guest has the same name, only the
    id counts.
    """

    def __init__(self, guest: str, name: str, telling: Collection[str], *, has_namesake: bool) -> None:
        """Looks for a guest's id, for `name` as a whole text, and for `telling` names within texts."""
        self._guest = guest
        self._has_namesake = has_namesake
        pattern = rf"{re.escape(name)}(?: \(\d+\))?" if name else NEVER
        self._alone = re.compile(pattern)
        mentioned = rf"(?<!\S)@{re.escape(name)}(?!\S)" if name else NEVER
        self._mention = re.compile(mentioned, re.IGNORECASE)
        longest_first = sorted(filter(None, telling), key=len, reverse=True)
        words = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first)
        self._within = re.compile(words or NEVER)

    def erase(self, message: SavedMessage) -> Json | None:
        """Returns the content without the guest; None if it does not refer to them.

        The picture and the document are dropped as well, because they contain the name.
        """
        if message.kind == CHAT:
            rest = self._without_mention(message.content)
        elif self._has_namesake and not self._is_in(message.content):
            return None
        else:
            rest = cast("Json", self._without(message.content))

        if rest == message.content:
            return None

        if "picture" in rest:
            rest["picture"] = None

        rest.pop("document", None)
        return rest

    def is_named_in(self, message: SavedMessage, file: bytes) -> bool:
        """Returns whether a message's file names the guest; True also for a file that is not text.

        If the guest has a namesake, False unless the message itself has the guest's id.
        """
        if self._has_namesake and not self._is_in(message.content):
            return False

        try:
            return self._within.search(file.decode()) is not None
        except UnicodeDecodeError:
            return True

    def _is_in(self, value: object) -> bool:
        if isinstance(value, Mapping):
            return any(map(self._is_in, value.values()))
        if isinstance(value, list):
            return any(map(self._is_in, value))
        return value == self._guest

    def _without(self, value: object, key: str = "") -> object:
        match value:
            case Mapping():
                rest = self._without_mention(value)
                others = {field: part for field, part in rest.items() if part != self._guest}
                return {field: self._without(part, field) for field, part in others.items()}
            case list():
                return [self._without(part, key) for part in value if part != self._guest]
            case str() if key in WORDS:
                return NOBODY if self._alone.fullmatch(value) else self._within.sub(NOBODY, value)

        return value

    def _without_mention(self, words: Mapping[str, Any]) -> Json:
        mentioned = words.get(MENTIONS, ())
        if self._guest not in mentioned:
            return dict(words)
        text = words["text"] if self._has_namesake else self._mention.sub(f"@{NOBODY}", words["text"])
        return {**words, "text": text, MENTIONS: [person for person in mentioned if person != self._guest]}
