"""Discord: slash commands, buttons, direct and ephemeral messages."""

from adapters.discord.adapter import DiscordAdapter
