"""Answers interactions in time, once each.

Discord waits three seconds for the first answer and then shows an error. A slow answer is therefore deferred,
and filled in afterwards; that is possible for fifteen minutes.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import discord
import structlog
from cachetools import TTLCache

from adapters import port
from adapters.discord.activity import Activity
from adapters.discord.inbound import AnyInteraction, is_outside, location_of
from adapters.discord.messages import TROUBLE, Icons, ignore_unreadable, outcome
from adapters.discord.refs import PLATFORM
from adapters.discord.render import LIMITS, Rendered, suits_container

log = structlog.get_logger()

# Seconds before an answer is deferred; the rest of the three is for the network.
DEFER_AFTER = 1.5

MAX_TITLE = 45  # characters of a box's title, and of its question
MAX_TYPED = 60  # characters of an answer: a name, a time


Webhooks = TTLCache[int, discord.Webhook]
"""For each message that only an interaction can edit, the webhook of the newest one that still can.

Discord accepts an interaction's token for 15 minutes.
"""


class InteractionReply:
    """Replies to one interaction: the first message is Discord's response, later ones are follow-ups."""

    platform = PLATFORM
    limits = LIMITS

    def __init__(
        self,
        interaction: AnyInteraction,
        icons: Icons,
        webhooks: Webhooks,
        tasks: asyncio.TaskGroup,
        order: port.AnswerOrder,
    ) -> None:
        self._interaction = interaction
        self._icons = icons
        self._webhooks = webhooks
        self._tasks = tasks
        self._order = order
        self._is_outside = is_outside(interaction)
        self._is_deferred = False
        self._is_answered = False

    async def _reply_from(
        self, ask: Callable[[], Awaitable[port.Reply]], user: port.UserRef, turn: AsyncExitStack
    ) -> port.Reply:
        """Asks the bot when it is the person's `turn`; defers the answer if that takes long."""

        async def thinking() -> port.Reply:
            await turn.enter_async_context(self._order.turn(user))
            return await ask()

        asking = self._tasks.create_task(_safely(thinking()))
        done, _ = await asyncio.wait({asking}, timeout=DEFER_AFTER)
        if not done:
            await self._defer()
        return await asking

    async def notify(self, toast: str) -> port.Delivery:
        """Shows the asker a notice."""
        return await self.send_secret(port.Screen((port.Span(toast),)), None)

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Shows the asker a message where they asked."""
        return await self.send_secret(screen, document)

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Shows the asker a message where they asked."""
        return await self.send_secret(screen, None)

    async def send_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Sends the asker an ephemeral message."""
        return await self._send_new(screen, document, is_ephemeral=True)

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Sends the channel a message."""
        return await self._send_new(screen, document, is_ephemeral=False)

    async def _send_new(
        self, screen: port.Screen, document: port.Document | None, *, is_ephemeral: bool
    ) -> port.Delivery:
        send = partial(self._send, is_ephemeral=is_ephemeral)
        return await self._draw(send, screen, document, in_container=suits_container(screen))

    async def _draw(
        self,
        send: Callable[[Rendered], Awaitable[port.MessageRef]],
        screen: port.Screen,
        document: port.Document | None,
        *,
        in_container: bool,
    ) -> port.Delivery:
        interaction = self._interaction
        return await self._icons.send(
            send,
            screen,
            document,
            channel=interaction.channel_id,
            is_direct=interaction.guild_id is None and not self._is_outside,
            in_container=in_container,
        )

    async def _send(self, rendered: Rendered, *, is_ephemeral: bool) -> port.MessageRef:
        """Sends a new message: as the response if there was none, else as a follow-up."""
        interaction = self._interaction
        self._is_answered = True
        options = dict[str, Any](rendered.parts(), ephemeral=is_ephemeral, suppress_embeds=True)
        message: object = None

        with ignore_unreadable():
            if interaction.response.is_done():
                message = await interaction.followup.send(wait=True, **options)
            else:
                message = (await interaction.response.send_message(**options)).resource

        if not isinstance(message, discord.Message):
            raise discord.DiscordException("the answer came back without its message")

        if is_ephemeral or self._is_outside:
            self._webhooks[message.id] = interaction.followup

        return location_of(message, interaction).ref

    async def _defer(self) -> None:
        self._is_deferred = True
        await _attempt(self._interaction.response.defer(ephemeral=True))

    async def _delete_answer(self) -> None:
        await _attempt(self._interaction.delete_original_response())


class PressReply(InteractionReply):
    """The reply to a pressed button."""

    is_public_first = False

    async def show(self, press: port.Press, inbox: port.Inbox, activity: Activity | None) -> None:
        """Asks for the reply and shows it; if there is nothing to show, acknowledges the press.

        A reply that leads to a live table launches the `activity`, if there is one and Discord allows it.
        """
        if self._is_outside and not press.on_private_message:
            await self._take_hold_of_message()

        async with AsyncExitStack() as turn:
            reply = await self._reply_from(partial(inbox.press, press), press.user.ref, turn)
            await self._show(reply, press, inbox, activity)

    async def _take_hold_of_message(self) -> None:
        """Makes the pressed message editable by this interaction, as needed in channels without the bot."""
        if self._interaction.message is None:
            raise ValueError("a press on no message")

        await self._defer()
        self._webhooks[self._interaction.message.id] = self._interaction.followup

    async def _show(
        self, reply: port.Reply, press: port.Press, inbox: port.Inbox, activity: Activity | None
    ) -> None:
        if activity is not None and reply.live_table is not None and not self._is_deferred:
            self._is_answered = await activity.launch(self._interaction, reply.live_table)
            if self._is_answered:
                if reply.secret is not None:
                    inbox.press_answered(press, reply, port.NOT_SENT)
                return

        if reply.question is not None and not self._is_deferred:
            self._is_answered = True
            await _attempt(self._ask(reply.question))
            return

        await port.answer_press(press, reply, self, inbox)
        if not (self._is_answered or self._is_deferred):
            await self._defer()

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Sends the channel a message; in channels without the bot, only commands are answered there."""
        if self._is_outside:
            return port.NO_POSTS
        return await super().send_public(screen, document)

    async def _ask(self, question: port.Question) -> None:
        """Opens a box with a question. The box has the id of the pressed button."""
        data: Mapping[str, Any] = self._interaction.data or {}
        modal = discord.ui.Modal(title=question.title[:MAX_TITLE], custom_id=data["custom_id"], timeout=None)
        box = discord.ui.TextInput[discord.ui.Modal](
            placeholder=question.example or None, max_length=MAX_TYPED, custom_id="text"
        )
        modal.add_item(discord.ui.Label(text=question.label[:MAX_TITLE], component=box))
        modal.stop()  # the typed text arrives through `AnyButton`
        await self._interaction.response.send_modal(modal)

    async def replace(self, screen: port.Screen) -> port.Delivery:
        """Shows a screen in the pressed message itself."""
        response = self._interaction.response
        message = self._interaction.message
        if message is None:
            raise ValueError("a press on no message")

        self._is_answered = True
        location = location_of(message, self._interaction)

        async def edit(rendered: Rendered) -> port.MessageRef:
            with ignore_unreadable():
                if response.is_done():
                    await self._interaction.edit_original_response(**rendered.changes())
                else:
                    await response.edit_message(**rendered.changes())

            return location.ref

        delivery = await self._draw(edit, screen, None, in_container=location.has_container)
        if isinstance(delivery, port.Delivered) and (message.flags.ephemeral or self._is_outside):
            self._webhooks[message.id] = self._interaction.followup

        return delivery


class CommandReply(InteractionReply):
    """The reply to a slash command.

    Discord shows only the first response under the command, so the public part is sent first. A deferred
    response is visible only to the asker: it is filled with the secret part, and the public part follows.
    """

    @property
    def is_public_first(self) -> bool:
        """Whether the public part is sent as the first response."""
        return not self._is_deferred

    async def show(self, command: port.Command, inbox: port.Inbox) -> None:
        """Asks for the reply and shows it; an empty reply leaves no message behind."""
        async with AsyncExitStack() as turn:
            reply = await self._reply_from(partial(inbox.command, command), command.user.ref, turn)
            await port.answer_command(command, reply, self, inbox)

        if not (self._is_answered or self._is_deferred):
            await self._defer()
        if not self._is_answered:
            await self._delete_answer()

    async def send_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Fills in the deferred answer, or sends an ephemeral message."""
        if self._is_deferred and not self._is_answered:
            self._is_answered = True
            in_container = suits_container(screen)
            return await self._draw(self._fill_in, screen, document, in_container=in_container)
        return await super().send_secret(screen, document)

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Sends the channel a message, after deleting a deferred answer that is still empty."""
        if self._is_deferred and not self._is_answered:
            await self._delete_answer()
        return await super().send_public(screen, document)

    async def _fill_in(self, rendered: Rendered) -> port.MessageRef:
        message: discord.Message | None = None
        with ignore_unreadable():
            message = await self._interaction.edit_original_response(**rendered.changes())

        if message is None:
            raise discord.DiscordException("the answer came back without its message")

        self._webhooks[message.id] = self._interaction.followup
        return location_of(message, self._interaction).ref


async def _attempt(doing: Awaitable[object]) -> None:
    """Awaits a call to Discord, and only logs its failure."""
    try:
        await doing
    except TROUBLE as error:
        log.debug("interaction_not_acknowledged", platform=PLATFORM, why=str(outcome(error)))


async def _safely(thinking: Awaitable[port.Reply]) -> port.Reply:
    """Returns the bot's reply; if it raises an exception, logs it and returns an empty reply."""
    try:
        return await thinking
    except Exception:
        log.exception("reply_failed")
        return port.Reply()
