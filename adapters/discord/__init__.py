"""Discord: slash commands, buttons, direct messages and whispers (ephemeral messages)."""

from adapters.discord.adapter import DiscordAdapter

__all__ = ["DiscordAdapter"]
