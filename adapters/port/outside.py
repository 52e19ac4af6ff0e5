"""Chats that the bot is not a member of, where it can only answer people's actions."""

from collections.abc import Collection
from dataclasses import replace

from adapters.port.chat import Chat, PinTrouble
from adapters.port.events import Press
from adapters.port.limits import Limits
from adapters.port.outcomes import Delivery, Gone, Lost, Throttled
from adapters.port.refs import MessageRef, RoomRef, ServerRef, UserRef
from adapters.port.screens import Audience, Document, Everyone, Screen

NO_POSTS = Gone(Lost.CONTENT, "only a command can be answered here")


def limits_outside(limits: Limits) -> Limits:
    """Returns the limits of a platform's outside chats, from those of its other chats."""
    return replace(
        limits, only_answers=True, can_call=False, names_ring=False, has_servers=False, pin_right=""
    )


class OutsideChat:
    """The parts of `Chat` that are the same in every chat without the bot.

    Private messages are sent by `member`, the platform's other chats. Nothing is known about the chat itself,
    such as its name or its members. A subclass adds the platform, the limits, and how the message that
    answers a command is edited and deleted.
    """

    badges = None
    door = None

    def __init__(self, member: Chat) -> None:
        self.member = member
        self.user_platform = member.user_platform
        self.budgets = member.budgets
        self.calls = member.calls

    async def post(
        self, audience: Audience, screen: Screen, key: str = "", document: Document | None = None
    ) -> Delivery:
        """Sends a message to a person's private chat; nothing can be posted in the room."""
        if isinstance(audience, Everyone):
            return NO_POSTS
        return await self.member.post(audience, screen, key, document)

    async def pin(self, ref: MessageRef, *, is_pinned: bool) -> PinTrouble | Throttled | None:
        """Refuses: the bot cannot pin anything there."""
        del ref, is_pinned
        return PinTrouble.REFUSED

    async def may_pin(self, room: RoomRef) -> bool | None:
        """Returns False, as in `pin`."""
        del room
        return False

    async def can_answer_alone(self, press: Press) -> bool:
        """Returns whether the platform shows every answer to a press to the asker alone."""
        return self.shows_alone_in(press.room)

    def shows_alone_in(self, room: RoomRef) -> bool:
        """Returns whether the platform shows every answer to a press to the asker alone."""
        return self.member.limits.shows_alone

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:
        """Returns False, as the bot cannot see who manages the chat."""
        del user, room
        return False

    async def is_admin(self, user: UserRef, server: ServerRef) -> bool:
        """Returns False, as in `is_moderator`."""
        del user, server
        return False

    async def is_member(self, user: UserRef, room: RoomRef) -> bool | None:
        """Returns None, as the bot cannot see who is in the chat."""
        del user, room
        return None

    def name_of(self, server: ServerRef) -> str:
        """Returns an empty text, as the bot cannot see the chat's name."""
        del server
        return ""

    def way_to(self, table_id: int | None, room: RoomRef | None) -> str:
        """Returns the address at which a person asks the bot for a live table, in private."""
        del room
        return self.member.way_to(table_id, None)

    def private_server(self, user: UserRef) -> ServerRef | None:
        """Returns the community that is a person's private chat with the bot."""
        return self.member.private_server(user)

    async def portrait_of(self, user: UserRef) -> bytes | None:
        """Fetches the picture that a person shows of themselves on the platform.

        Raises:
            OSError: It did not come, or is too large.
        """
        return await self.member.portrait_of(user)

    async def forget_person(self, user: UserRef, names: Collection[str]) -> Collection[MessageRef]:
        """Does nothing: only the chat itself has the names in its messages."""
        del user, names
        return ()
