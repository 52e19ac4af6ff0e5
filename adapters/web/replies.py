"""Shows the bot's replies to a guest's commands and presses."""

from adapters import port
from adapters.web.messages import RoomMessages
from adapters.web.refs import PLATFORM, message_ref
from adapters.web.render import LIMITS, Json, reply_json, screen_content
from adapters.web.store import COMMAND_ANSWER, POST, PRESS_ANSWER, Guest, SavedMessage


class CommandReply:
    """The reply to a command; the page shows the line `command` above it.

    Messages are stored at once. Parts that only the asker's page shows are collected for the response.
    """

    platform = PLATFORM
    limits = LIMITS
    is_public_first = True
    kind = COMMAND_ANSWER

    def __init__(self, messages: RoomMessages, guest: Guest, room: str, command: Json | None = None) -> None:
        self._messages = messages
        self._guest = guest
        self._room = room
        self._command = command
        self._notice: str | None = None
        self._answer: SavedMessage | None = None

    async def notify(self, toast: str) -> None:
        """Keeps the notice for the response."""
        self._notice = toast

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Shows the asker a message that only they see."""
        return await self.send_secret(screen, document)

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Shows the asker a message that only they see."""
        return await self.send_secret(screen, None)

    async def send_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Shows the asker a message that only they see."""
        content = screen_content(screen, self._command, document)
        self._answer = await self._messages.answer(self._room, self._guest.id, self.kind, content)
        return port.Delivered(message_ref(self._answer))

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Shows everybody in the room a message."""
        message = await self._messages.add(
            self._room, None, POST, screen_content(screen, self._command, document)
        )
        return port.Delivered(message_ref(message))

    def response(self, reply: port.Reply) -> Json:
        """Returns the response to the asker's page; `look` is the private message to scroll to."""
        response = reply_json(reply, self._notice)
        if self._answer is not None:
            response["look"] = str(self._answer.id)
        if reply.open_private:
            response["open_private"] = True

        return response


class PressReply(CommandReply):
    """The reply to a pressed button."""

    is_public_first = False
    kind = PRESS_ANSWER

    def __init__(self, messages: RoomMessages, guest: Guest, press: port.Press) -> None:
        super().__init__(messages, guest, press.room.id)
        self._press = press

    async def replace(self, screen: port.Screen) -> port.Delivery:
        """Shows a screen in the pressed message."""
        return await self._messages.edit(self._press.message, screen_content(screen))
