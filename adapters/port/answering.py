"""Shows a reply in a chat, depending on the kind of event it answers; the same for all chats.

| part           | press in public          | press in private     | command, opened private chat |
|----------------|--------------------------|----------------------|------------------------------|
| `secret`       | message to the asker [1] | in place of the      | message to the asker [1]     |
|                |                          | pressed message [3]  |                              |
| its `document` | with it                  | message to the asker | with it                      |
| `toast`        | notice to the asker      | notice to the asker  | notice to the asker          |
| `ephemeral`    | message to the asker [2] | the same             | the same                     |
| `replacement`  | in place of the pressed message [3], for all its readers                       |
| `public`       | message to the room      | message to the room  | message to the room          |
| `invitation`   | message to the room if the bot cannot write to the asker                       |
| `form`         | shown to the asker where `Limits.forms`                                        |
| `later`        | further replies, shown like those to a command                                 |

A `question` replaces all of this: it opens a box, and is not passed to `answer_press`.

[1] If the chat cannot show a message to one person in a room, it goes to the private chat or waits there.
[2] If the chat cannot show a message to one person in a room, the whole room sees it.
[3] If the chat cannot edit messages, it is a new message below the pressed one.

The inbox is notified of the delivery of `secret` for presses, opened private chats, and commands answered in
the room. For presses and commands it is also notified of the deliveries of `public` and `ephemeral`. All
other parts are sent once, and a loss is only logged.
"""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Protocol

import structlog

from adapters.port.chat import Inbox
from adapters.port.events import Command, Press, PrivateChatOpened, Reply
from adapters.port.limits import Limits
from adapters.port.outcomes import Delivered, Delivery, Gone, Lost, NeedsOptIn, Throttled
from adapters.port.screens import Document, Screen

log = structlog.get_logger()

RETRY_SECONDS = 1.0  # the pause before an answer is retried after an unexpected error
WAITS_IN_PRIVATE = Gone(Lost.MESSAGE, "the private chat has to be opened")


class ReplyVerbs(Protocol):
    """How one chat shows the parts of a reply to one event."""

    @property
    def platform(self) -> str:
        """The platform's name."""

    @property
    def limits(self) -> Limits:
        """The size of one message, and the people to whom it can be shown."""

    @property
    def is_public_first(self) -> bool:
        """Whether the room's part of the reply must be shown before the asker's."""

    async def notify(self, toast: str) -> Delivery | None:
        """Shows the asker a notice; returns None if that took no message."""

    async def show_secret(self, screen: Screen, document: Document | None) -> Delivery:
        """Shows a screen to the asker alone, where they asked; `WAITS_IN_PRIVATE` if the chat cannot."""

    async def send_secret(self, screen: Screen, document: Document | None) -> Delivery:
        """Sends a new message to the asker alone."""

    async def show_ephemeral(self, screen: Screen) -> Delivery:
        """Shows a message in the room, to the asker alone if the chat can."""

    async def send_public(self, screen: Screen, document: Document | None) -> Delivery:
        """Sends a new message to the room."""


class PressVerbs(ReplyVerbs, Protocol):
    """How one chat shows the parts of a reply to a press."""

    async def replace(self, screen: Screen) -> Delivery:
        """Replaces the pressed message by a screen."""


async def answer_press(press: Press, reply: Reply, verbs: PressVerbs, inbox: Inbox) -> None:
    """Shows every part of the reply to a press; reports the parts that may be edited later."""
    if reply.secret is not None and press.on_private_message:
        await _report(verbs.replace(reply.secret), press, reply, inbox)
        if reply.document is not None and reply.public is None:  # separate: the next edit would remove it
            _note(await verbs.send_secret(Screen(()), reply.document), verbs)
    elif reply.secret is not None:
        sending = verbs.show_secret(reply.secret, reply.secret_document)
        delivery = await _report(sending, press, reply, inbox)
        if delivery is WAITS_IN_PRIVATE and reply.secret_document is not None:
            await _send_secret(reply, verbs)
    else:
        await _send_secret(reply, verbs)

    if reply.replacement is not None:
        replaced = _note(await verbs.replace(reply.replacement), verbs)
        if isinstance(replaced, NeedsOptIn):
            await _invite(reply, verbs)

    ephemeral = await _notify(reply, verbs)
    if ephemeral is not None:
        await inbox.ephemeral_answered(press, reply, ephemeral)

    public = await _send_public(reply, verbs)
    if public is not None:
        await inbox.public_answered(press, reply, public)

    await _answer_later(reply, verbs)


async def answer_command(command: Command, reply: Reply, verbs: ReplyVerbs, inbox: Inbox) -> None:
    """Shows every part of the reply to a command; reports the parts that may be edited later."""
    alone, ephemeral, public = await _answer(reply, verbs)
    if alone is not None:
        inbox.command_answered(command, reply, alone)
    if ephemeral is not None:
        await inbox.ephemeral_answered(command, reply, ephemeral)
    if public is not None:
        await inbox.public_answered(command, reply, public)

    await _answer_later(reply, verbs)


async def answer_private_chat_opened(
    event: PrivateChatOpened, reply: Reply, verbs: ReplyVerbs, inbox: Inbox
) -> None:
    """Shows every part of the reply to an opened private chat; reports the delivery of its screen."""
    if reply.secret is not None:
        delivery = _note(await verbs.send_secret(reply.secret, reply.secret_document), verbs)
        inbox.private_chat_answered(event, reply, delivery)

    await _answer(replace(reply, secret=None, document=None), verbs)
    await _answer_later(reply, verbs)


async def _answer_later(reply: Reply, verbs: ReplyVerbs) -> None:
    if reply.later is not None:
        for further in await reply.later():
            await _answer(further, verbs)


async def _answer(
    reply: Reply, verbs: ReplyVerbs
) -> tuple[Delivery | None, Delivery | None, Delivery | None]:
    """Shows every part of a reply but `later`; returns the deliveries of secret, ephemeral and public."""
    public = await _send_public(reply, verbs) if verbs.is_public_first else None
    alone: Delivery | None = None
    if reply.secret_message is not None:
        alone = await verbs.show_secret(reply.secret_message, reply.secret_document)
        if alone is WAITS_IN_PRIVATE:
            await _send_secret(reply, verbs)
            alone = None
        else:
            _note(alone, verbs)

    ephemeral = await _notify(reply, verbs)
    if not verbs.is_public_first:
        public = await _send_public(reply, verbs)

    if reply.open_private and reply.secret_message is None and not verbs.limits.may_write_first:
        await _invite(reply, verbs)

    return alone, ephemeral, public


async def _report(sending: Awaitable[Delivery], press: Press, reply: Reply, inbox: Inbox) -> Delivery:
    delivery: Delivery = Throttled(RETRY_SECONDS)
    try:
        delivery = await sending
    finally:
        inbox.press_answered(press, reply, delivery)

    return delivery


async def _send_secret(reply: Reply, verbs: ReplyVerbs) -> None:
    """Sends the asker's part, or invites them if the bot cannot write to them."""
    if reply.secret_message is not None:
        delivery = _note(await verbs.send_secret(reply.secret_message, reply.secret_document), verbs)
        if isinstance(delivery, NeedsOptIn):
            await _invite(reply, verbs)


async def _invite(reply: Reply, verbs: ReplyVerbs) -> None:
    if reply.invitation is not None:
        _note(await verbs.send_public(reply.invitation, None), verbs)


async def _send_public(reply: Reply, verbs: ReplyVerbs) -> Delivery | None:
    if reply.public is None:
        return None
    return _note(await verbs.send_public(reply.public, reply.public_document), verbs)


async def _notify(reply: Reply, verbs: ReplyVerbs) -> Delivery | None:
    """Shows the toast and the ephemeral screen; returns the delivery of the latter, if there is one."""
    if reply.toast and (delivery := await verbs.notify(reply.toast)) is not None:
        _note(delivery, verbs)
    if reply.ephemeral is None:
        return None
    return _note(await verbs.show_ephemeral(reply.ephemeral), verbs)


def _note(delivery: Delivery, verbs: ReplyVerbs) -> Delivery:
    """Logs a failed delivery, and returns it unchanged."""
    match delivery:
        case Gone(_, why):
            log.warning("reply_refused", platform=verbs.platform, why=why)
        case Throttled() | NeedsOptIn():
            log.debug("reply_lost", platform=verbs.platform, outcome=type(delivery).__name__)
        case Delivered():
            pass

    return delivery
