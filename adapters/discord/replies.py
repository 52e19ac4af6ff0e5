"""Answers interactions in time, once each.

Discord waits three seconds for the first answer and then shows an error. So an answer that takes long is
announced first (deferred) and filled in afterwards; that is possible for fifteen minutes.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import discord
import structlog

from adapters.discord.ephemeral import EphemeralMessages
from adapters.discord.errors import TROUBLE, outcome
from adapters.discord.icons import Icons
from adapters.discord.inbound import AnyInteraction, is_seen_by_one, location_of
from adapters.discord.render import Rendered
from adapters.port import (
    Delivered,
    Delivery,
    Document,
    Gone,
    MessageRef,
    NeedsOptIn,
    Reply,
    Screen,
    Span,
    Throttled,
)

log = structlog.get_logger()

PATIENCE = 1.5
"""Seconds the bot may think before the answer is announced; the rest of the three is for the way."""


class Answer:
    """The answer to one interaction."""

    def __init__(
        self,
        interaction: AnyInteraction,
        icons: Icons,
        ephemeral_messages: EphemeralMessages,
        tasks: asyncio.TaskGroup,
    ) -> None:
        self._interaction = interaction
        self._icons = icons
        self._ephemeral_messages = ephemeral_messages
        self._tasks = tasks
        self._announced = False
        self._used = False

    async def reply_from(self, thinking: Callable[[], Awaitable[Reply]]) -> Reply:
        """Wait for the bot's reply, announcing it when it takes long."""
        asking = self._tasks.create_task(_safely(thinking))
        done, _ = await asyncio.wait({asking}, timeout=PATIENCE)
        if not done:
            await self._announce()
        return await asking

    async def _announce(self) -> None:
        self._announced = True
        try:
            await self._interaction.response.defer(ephemeral=True)
        except TROUBLE as error:
            log.debug("late_answer_not_announced", why=str(outcome(error)))

    # --- presses ------------------------------------------------------------------------------------------

    async def press(self, reply: Reply) -> Delivery | None:
        """Answer a press; returns what became of `reply.private`."""
        private: Delivery | None = None
        document = reply.private_document
        if reply.private is not None and is_seen_by_one(self._interaction):
            private = await self._replace(reply.private)
            if document is not None:  # apart: the next change of the message would take it away
                await self._send_ephemeral(Screen(()), document)
        elif reply.private_message is not None:
            shown = await self._send_ephemeral(reply.private_message, document)
            private = shown if reply.private is not None else None
        if reply.toast:
            await self._note(self._send_ephemeral(_notice(reply.toast)))
        await self._say(reply)
        if not (self._used or self._announced):
            await self._note(self._defer())
        return private

    async def _replace(self, screen: Screen) -> Delivery:
        """Show a screen in the pressed message itself."""
        response, message = self._interaction.response, self._interaction.message
        if message is None:
            raise ValueError("a press on no message")
        self._used = True
        ref = location_of(message, self._interaction.guild_id).ref

        async def edit(drawn: Rendered) -> MessageRef:
            if response.is_done():
                await self._interaction.edit_original_response(**drawn.changes())
            else:
                await response.edit_message(**drawn.changes())
            return ref

        delivery = await self._icons.send(edit, screen)
        if isinstance(delivery, Delivered) and message.flags.ephemeral:
            self._ephemeral_messages.remember(message.id, self._interaction)
        return delivery

    # --- commands -----------------------------------------------------------------------------------------

    async def command(self, reply: Reply) -> None:
        """Answer a command: the public part first, since only the first answer stands under the command."""
        if self._announced:
            await self._fill_in(reply)
            return
        await self._say(reply)
        if reply.private_message is not None:
            await self._note(self._send_ephemeral(reply.private_message, reply.private_document))
        if reply.toast:
            await self._note(self._send_ephemeral(_notice(reply.toast)))
        if not self._used:
            await self._note(self._defer())
            await self._note(self._interaction.delete_original_response())

    async def _fill_in(self, reply: Reply) -> None:
        """Answer after the announcement; only the asker sees it, so the private part takes its place."""
        private = (
            [(reply.private_message, reply.private_document)] if reply.private_message is not None else []
        )
        private += [(_notice(reply.toast), None)] if reply.toast else []
        send = self._fill_announcement
        for screen, document in private:
            await self._note(self._icons.send(send, screen, document))
            send = partial(self._send, is_ephemeral=True)
        if not private:
            await self._note(self._interaction.delete_original_response())
        await self._say(reply)

    async def _fill_announcement(self, drawn: Rendered) -> MessageRef:
        message = await self._interaction.edit_original_response(**drawn.changes())
        self._ephemeral_messages.remember(message.id, self._interaction)
        return location_of(message, self._interaction.guild_id).ref

    # --- the ways to say something ------------------------------------------------------------------------

    async def _say(self, reply: Reply) -> None:
        """Show the public part to the room."""
        if reply.public is not None:
            send = partial(self._send, is_ephemeral=False)
            await self._note(self._icons.send(send, reply.public, reply.public_document))

    async def _send_ephemeral(self, screen: Screen, document: Document | None = None) -> Delivery:
        """Show a screen to the asker alone."""
        return await self._icons.send(partial(self._send, is_ephemeral=True), screen, document)

    async def _send(self, drawn: Rendered, *, is_ephemeral: bool) -> MessageRef:
        """Send a new message: as the answer if there was none, else after it."""
        interaction = self._interaction
        self._used = True
        view = drawn.view or discord.utils.MISSING
        if interaction.response.is_done():
            message: discord.Message = await interaction.followup.send(
                drawn.content,
                ephemeral=is_ephemeral,
                files=drawn.files(),
                view=view,
                allowed_mentions=drawn.mentions,
                suppress_embeds=True,
                wait=True,
            )
        else:
            callback = await interaction.response.send_message(
                drawn.content,
                ephemeral=is_ephemeral,
                files=drawn.files(),
                view=view,
                allowed_mentions=drawn.mentions,
                suppress_embeds=True,
            )
            if not isinstance(callback.resource, discord.InteractionMessage):
                raise discord.DiscordException("the answer came back without its message")
            message = callback.resource
        if is_ephemeral:
            self._ephemeral_messages.remember(message.id, interaction)
        return location_of(message, interaction.guild_id).ref

    async def _defer(self) -> None:
        self._used = True
        await self._interaction.response.defer(ephemeral=True)

    async def _note(self, sending: Awaitable[object]) -> None:
        """Send something whose fate nobody waits for."""
        try:
            became = await sending
        except TROUBLE as error:
            became = outcome(error)
        match became:
            case Gone(_, why):
                log.warning("answer_refused", why=why)
            case Throttled() | NeedsOptIn():
                log.debug("answer_lost", outcome=type(became).__name__)


def _notice(text: str) -> Screen:
    return Screen((Span(text),))


async def _safely(thinking: Callable[[], Awaitable[Reply]]) -> Reply:
    """Ask the bot; a mistake in it costs this answer, not the chat."""
    try:
        return await thinking()
    except Exception:
        log.exception("reply_failed")
        return Reply()
