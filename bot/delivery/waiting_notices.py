"""Notices to people whom the bot cannot write to; each is shown with the answer to a press."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace

import structlog

from adapters.port import Press, Reply, Screen, ServerRef, UserRef

log = structlog.get_logger()

# Renders a notice for the asker; None if it is no longer needed.
Notice = Callable[[Press], Awaitable[Screen | None]]


class WaitingNotices:
    """Keeps notices until their readers press a button on the server that the notices are about."""

    def __init__(self) -> None:
        self._waiting = defaultdict[tuple[UserRef, ServerRef], dict[Hashable, Notice]](dict)

    def wait(self, user: UserRef, server: ServerRef, about: Hashable, notice: Notice) -> None:
        """Keeps a notice; it replaces an earlier one with the same `about`."""
        self._waiting[user, server][about] = notice

    def drop(self, user: UserRef, server: ServerRef, about: Hashable) -> None:
        """Drops a notice that its reader no longer needs."""
        waiting = self._waiting.get((user, server), {})
        waiting.pop(about, None)
        if not waiting:
            self._waiting.pop((user, server), None)

    async def add_to(self, reply: Reply, press: Press) -> Reply:
        """Adds the asker's oldest notice to the answer, if the answer has no ephemeral screen.

        A notice that cannot be rendered is left out.
        """
        waiting = self._waiting.get((press.user.ref, press.room.server))
        if not waiting or reply.ephemeral is not None:
            return reply

        about, notice = next(iter(waiting.items()))
        self.drop(press.user.ref, press.room.server, about)
        try:
            screen = await notice(press)
        except Exception:
            log.exception("notice_failed", platform=press.room.server.platform)
            return reply

        return reply if screen is None else replace(reply, ephemeral=screen)

    def forget(self, user: UserRef) -> None:
        """Drops all notices for a person."""
        for reader in [reader for reader in self._waiting if reader[0] == user]:
            del self._waiting[reader]
