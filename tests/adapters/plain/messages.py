"""Prints messages, and reports failures as outcomes of the port."""

import asyncio
from collections.abc import MutableMapping
from dataclasses import dataclass, field

from adapters import port
from adapters.port.outcomes import unknown_recipient
from tests.adapters.plain.inbound import Choices
from tests.adapters.plain.refs import new_message
from tests.adapters.plain.render import render, text_of

RETRY_SECONDS = 0.1


@dataclass
class Members:
    """The people in each room, as the server names them."""

    ranks: dict[str, dict[str, str]] = field(default_factory=dict)
    people: dict[str, port.User] = field(default_factory=dict)

    def knows(self, place: str) -> bool:
        """Returns whether a place is a room with somebody in it, or somebody's private chat."""
        return place in self.ranks or place in self.people


class LinePrinter:
    """Prints at a place: in a room, or in the private chat with a person."""

    def __init__(self, members: Members, choices: MutableMapping[str, Choices]) -> None:
        self.writer: asyncio.StreamWriter | None = None
        self._members = members
        self._choices = choices

    async def post(
        self, audience: port.Audience, screen: port.Screen, document: port.Document | None = None
    ) -> port.Delivery:
        """Prints a screen, and offers its choices from now on."""
        place = audience.user.id if isinstance(audience, port.Only) else audience.room.id
        if not self._members.knows(place):
            return unknown_recipient(audience)

        shown = render(screen if document is None else document.left_out_of(screen))
        ref = new_message()
        verb = "tell" if place in self._members.people else "say"
        is_sent = await self.send(verb, place, *shown.lines)
        if not is_sent:
            return port.Throttled(RETRY_SECONDS)

        if shown.tokens:
            self._choices[place] = Choices(ref, tuple(shown.tokens))

        return port.Delivered(ref)

    async def note(self, user: port.UserRef, toast: str) -> None:
        """Prints a note for one person."""
        await self.send("note", user.id, text_of((port.Span(toast),)).replace("\n", " "))

    async def send(self, *fields: str) -> bool:
        """Sends a line of the protocol; returns whether the bot is connected."""
        if self.writer is None:
            return False

        try:
            self.writer.write("\t".join(fields).encode() + b"\n")
            await self.writer.drain()
        except OSError:
            return False
        else:
            return True
