"""What the bot may ask of a program of ours that runs at people's own side, where a chat lets one run."""

from typing import Protocol

from adapters.port.refs import RoomRef, UserRef


class Devices(Protocol):
    """The devices of the people in a chat, as a page's script runs in their browsers.

    With them nobody can choose what is drawn by lot: each draws a random value, tells its hash, and tells the
    value when all hashes are known. Both methods answer within a few seconds, with an empty text if the
    device does not answer.
    """

    async def commit(self, user: UserRef, room: RoomRef) -> str:
        """Let a person's device draw a new value; give its SHA-256 (both 64 hexadecimal digits)."""
        ...

    async def reveal(self, user: UserRef, room: RoomRef, commitment: str, terms: str) -> str:
        """Ask for the value behind a commitment.

        `terms` is everything else that is decided then, all commitments included: a device reveals a value
        for one text alone.
        """
        ...
