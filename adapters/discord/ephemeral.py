"""The messages only one person sees, and the short time in which they can be edited."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import discord

from adapters.discord.inbound import AnyInteraction
from adapters.discord.render import LIMITS

LIFETIME = LIMITS.ephemeral_seconds
"""Seconds an interaction's token is used; Discord takes it for fifteen minutes."""


@dataclass(frozen=True, slots=True)
class _Handle:
    """What edits an ephemeral message, until when."""

    webhook: discord.Webhook
    until: float


class EphemeralMessages:
    """Remembers by which interaction each ephemeral message can still be edited."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._handles: dict[int, _Handle] = {}

    def remember(self, message: int, interaction: AnyInteraction) -> None:
        """Note that this interaction wrote the message or was a press on it."""
        now = self._monotonic()
        self._handles.pop(message, None)  # so that the oldest stand first
        self._handles[message] = _Handle(interaction.followup, now + LIFETIME)
        for old, handle in list(self._handles.items()):
            if handle.until > now:
                break
            del self._handles[old]

    def webhook_for(self, message: int) -> discord.Webhook | None:
        """Return what edits the message; None when nothing can any more."""
        handle = self._handles.get(message)
        return handle.webhook if handle is not None and handle.until > self._monotonic() else None
