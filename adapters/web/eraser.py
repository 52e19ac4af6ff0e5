"""Takes a guest out of the messages of others: their name becomes a dash."""

import re
from collections.abc import Collection, Mapping
from typing import Any, cast

from adapters.web.render import MENTIONS, Json
from adapters.web.store import CHAT, SavedMessage

NOBODY = "–"
NEVER = "(?!)"
# Under which names the content of a message holds words; the rest is for the page alone.
WORDS = frozenset({"text", "label", "alt", "name"})


class Eraser:
    """Takes one guest out of messages that refer to them.

    Words of other people refer to whom they mentioned as `@name`. The bot's messages refer to a guest by id
    or by name; where another guest has the name, by id alone.
    """

    def __init__(self, guest: str, name: str, telling: Collection[str], *, has_namesake: bool) -> None:
        """Looks for a guest's id, their `name` where it stands alone, and anywhere for `telling` names."""
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

        Its picture and its document go: they are drawn and written with the name.
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
        """Returns whether the file of a message names the guest, or can't be searched."""
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
