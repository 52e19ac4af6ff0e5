"""Tags: short texts beside the names of a group's members, which bots with the right may set."""

from collections.abc import Sequence

from telegram import Bot, ChatMember, ChatMemberAdministrator, ChatMemberMember, ChatMemberRestricted
from telegram.error import BadRequest, Forbidden, RetryAfter, TelegramError

from adapters import port
from adapters.telegram.outcomes import RETRY_SECONDS, seconds_of

# The meaning of Telegram's errors, by a part of their text.
_TROUBLE = {
    "chat_creator_required": port.BadgeTrouble.RANKED,
    "user is an administrator": port.BadgeTrouble.RANKED,
    "can't set tag of the chat owner": port.BadgeTrouble.RANKED,
    "not enough rights": port.BadgeTrouble.NO_RIGHT,
    "chat_admin_required": port.BadgeTrouble.NO_RIGHT,
    "need administrator rights": port.BadgeTrouble.NO_RIGHT,
    "user not found": port.BadgeTrouble.LEFT,
    "participant_id_invalid": port.BadgeTrouble.LEFT,
    "user_not_participant": port.BadgeTrouble.LEFT,
    "member not found": port.BadgeTrouble.LEFT,
    "chat not found": port.BadgeTrouble.NOT_HERE,
    "group chat was upgraded": port.BadgeTrouble.NOT_HERE,  # an update with the new id comes at the same time
}


class TelegramBadges:
    """Implements `Badges`: a mark is the tag itself."""

    right = port.gettext_noop("Manage Tags")
    are_chosen = False

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def offered(self, server: port.ServerRef) -> Sequence[port.OfferedBadge]:
        """Returns nothing, as tags are free text."""
        del server
        return ()

    async def may_choose(self, server: port.ServerRef, user: port.UserRef, badge: str) -> bool:
        """Returns False, as tags are free text and there are no badges to choose."""
        del server, user, badge
        return False

    async def make(self, server: port.ServerRef, name: str) -> str:
        """Returns an empty id, as tags are free text."""
        del server, name
        return ""

    async def problem(self, server: port.ServerRef, badge: str) -> port.BadgeProblem | None:
        """Returns why the bot cannot set tags, if it can't; a private chat has none."""
        del badge
        if int(server.id) > 0:
            return port.BadgeTrouble.NOT_HERE

        me = await self._member(server, self._bot.id)
        match me:
            case ChatMemberAdministrator():
                return None if me.can_manage_tags else port.BadgeTrouble.NO_RIGHT
            case ChatMember():
                is_there = me.status in {ChatMember.MEMBER, ChatMember.RESTRICTED}
                return port.BadgeTrouble.NO_RIGHT if is_there else port.BadgeTrouble.NOT_HERE

        return me

    async def mark_of(
        self, server: port.ServerRef, user: port.UserRef, badge: str
    ) -> str | port.BadgeProblem:
        """Returns a member's tag; admins count as `RANKED`."""
        del badge
        member = await self._member(server, int(user.id))
        match member:
            case ChatMemberMember() | ChatMemberRestricted(is_member=True):
                return member.tag or ""
            case ChatMember(status=ChatMember.ADMINISTRATOR | ChatMember.OWNER):
                return port.BadgeTrouble.RANKED
            case ChatMember():
                return port.BadgeTrouble.LEFT

        return member

    async def wear(
        self, server: port.ServerRef, user: port.UserRef, mark: str, before: str
    ) -> port.BadgeProblem | None:
        """Sets a member's tag."""
        del before
        try:
            await self._bot.set_chat_member_tag(int(server.id), int(user.id), mark)
        except TelegramError as error:
            return _problem(error)

        return None

    async def _member(self, server: port.ServerRef, user: int) -> ChatMember | port.BadgeProblem:
        try:
            return await self._bot.get_chat_member(int(server.id), user)
        except TelegramError as error:
            return _problem(error)


def _problem(error: TelegramError) -> port.BadgeProblem:
    words = error.message.lower()
    problem = next((trouble for part, trouble in _TROUBLE.items() if part in words), None)
    if problem is not None:
        return problem

    match error:
        case RetryAfter():
            return port.Throttled(seconds_of(error))
        case Forbidden():
            return port.BadgeTrouble.NOT_HERE
        case BadRequest():
            return port.BadgeTrouble.REFUSED

    return port.Throttled(RETRY_SECONDS)
