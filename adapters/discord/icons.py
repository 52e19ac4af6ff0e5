"""Icons on buttons: emojis of the application, uploaded once.

An emoji is named by a hash of its picture: a changed picture is uploaded under a new name, and the old one is
deleted. Until all are uploaded, and whenever Discord refuses one, buttons have none.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import TypeVar

import discord
import structlog
from cachetools import TTLCache

from adapters import port
from adapters.discord.messages import TROUBLE, deliver, lacks_permission, outcome
from adapters.discord.refs import PLATFORM
from adapters.discord.render import Rendered, render

log = structlog.get_logger()

OURS = re.compile(r"icon_[0-9a-f]{24}")  # the names of emojis that came from here; the owner may have others
MIN_WAIT_SECONDS = 1.0  # seconds to wait at least where Discord wants to be left alone
FRESH = 600.0  # seconds for which a channel or a person without files is remembered
MAX_REMEMBERED = 1000

Emojis = Mapping[str, discord.Emoji]
Answer = TypeVar("Answer")


class Icons:
    """The icons of one bot, and the sending of screens that carry them.

    Args:
        pngs: The pictures by the names that `CallbackButton.icon` uses.
    """

    def __init__(self, pngs: Mapping[str, bytes], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._without_files = TTLCache[int | port.UserRef, bool](MAX_REMEMBERED, FRESH, monotonic)
        self._names = {icon: _name_of(png) for icon, png in pngs.items()}
        self._pngs = {_name_of(png): png for png in pngs.values()}
        self._shown: Mapping[str, discord.PartialEmoji] = {}
        self.application: int | None = None
        """What a server is invited to add, once that is known."""

    async def upload(self, client: discord.Client) -> None:
        """Uploads missing icons, and removes those that are no longer drawn like that."""
        if not self._pngs:
            return
        try:
            emojis = await self._upload_missing(client)
            self._shown = {
                icon: discord.PartialEmoji(name=name, id=emojis[name].id)
                for icon, name in self._names.items()
            }

            for name, emoji in emojis.items():
                if OURS.fullmatch(name) and name not in self._pngs:
                    await _wait_and_call(emoji.delete)
        except TROUBLE as error:
            log.warning("icons_not_uploaded", platform=PLATFORM, why=str(outcome(error)))
        except Exception as error:  # the library cannot read an answer: icons are not worth the connection
            log.warning("icons_not_uploaded", platform=PLATFORM, why=port.code_location(error))

    async def _upload_missing(self, client: discord.Client) -> Emojis:
        known = await _list_emojis(client)
        for name, png in self._pngs.items():
            if name in known:
                continue
            try:
                upload = partial(client.create_application_emoji, name=name, image=png)
                known = {**known, name: await _wait_and_call(upload)}
            except discord.HTTPException:
                known = await _list_emojis(client)  # another process may have been faster
                if name not in known:
                    raise

        return known

    async def send(
        self,
        send: Callable[[Rendered], Awaitable[port.MessageRef]],
        screen: port.Screen,
        document: port.Document | None = None,
        *,
        to: port.UserRef | None = None,
        channel: int | None = None,
    ) -> port.Delivery:
        """Draws a screen and sends it; if Discord refuses it, without its files, then without icons.

        An emoji can vanish: the owner can remove it, and so can a newer version of the bot. A person or a
        `channel` that takes no files is not tried with one for a while.
        """
        place = channel if to is None else to
        with_files = screen, document
        without_document = document.left_out_of(screen) if document else screen
        without_files = replace(without_document, picture=None), None
        has_files = (screen.picture is not None or document is not None) and bool(without_files[0].text)
        if has_files and place in self._without_files:
            with_files = without_files
            has_files = False

        drawn = self._render(*with_files, self._shown)
        delivery = await deliver(send(drawn), to)
        if has_files and (lacks_permission(delivery) or port.is_refused(delivery)):
            delivery = await deliver(send(self._render(*without_files, self._shown)), to)
            if isinstance(delivery, port.Delivered):
                if place is not None:
                    self._without_files[place] = True
                return delivery

        if port.is_refused(delivery) and drawn.has_icons:
            delivery = await deliver(send(self._render(*with_files, {})), to)
            if not port.is_refused(delivery):
                log.warning("icons_refused", platform=PLATFORM)
                self._shown = {}

        return delivery

    def _render(
        self, screen: port.Screen, document: port.Document | None, icons: Mapping[str, discord.PartialEmoji]
    ) -> Rendered:
        return render(screen, document, icons, application=self.application)


async def _list_emojis(client: discord.Client) -> Emojis:
    return {emoji.name: emoji for emoji in await _wait_and_call(client.fetch_application_emojis)}


async def _wait_and_call(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """Asks Discord in the background, as slowly as it wants."""
    while True:
        try:
            return await ask()
        except discord.RateLimited as limit:
            await asyncio.sleep(max(limit.retry_after, MIN_WAIT_SECONDS))


def _name_of(png: bytes) -> str:
    return f"icon_{blake2b(png, digest_size=12).hexdigest()}"
