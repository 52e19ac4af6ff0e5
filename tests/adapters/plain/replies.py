"""How the parts of a reply are printed."""

from adapters import port
from tests.adapters.plain.messages import LinePrinter
from tests.adapters.plain.refs import PLATFORM
from tests.adapters.plain.render import LIMITS


class PlainReply:
    """The reply to a command or a press: a new message replaces the pressed one."""

    platform = PLATFORM
    limits = LIMITS
    is_public_first = True

    def __init__(self, event: port.Command | port.Press, printer: LinePrinter) -> None:
        self._asker = port.Only(event.user.ref, event.room)
        self._room = port.Everyone(event.room)
        self._printer = printer

    async def notify(self, toast: str) -> None:
        """Prints a note for the asker."""
        await self._printer.note(self._asker.user, toast[: LIMITS.toast])

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Prints in the asker's private chat, which is open."""
        return await self.send_secret(screen, document)

    async def send_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Prints in the asker's private chat."""
        return await self._printer.post(self._asker, screen, document)

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Prints where the asker wrote: nothing can be shown to one person in a room."""
        return await self._printer.post(self._room, screen)

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Prints in the room."""
        return await self._printer.post(self._room, screen, document)

    async def replace(self, screen: port.Screen) -> port.Delivery:
        """Prints below the pressed message, which stays."""
        return await self._printer.post(self._room, screen)
