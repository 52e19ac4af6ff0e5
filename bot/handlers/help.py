"""`/help`: how to play, and the commands."""

from adapters.port import Reply
from bot.handlers.event import CommandEvent, Services, command
from bot.locale import gettext_noop
from bot.screens.help import HELP, help_screen


@command(HELP, rank=210, summary=gettext_noop("how to play"), secret=True)
async def show_help(event: CommandEvent, services: Services) -> Reply:
    """Shows the asker the goal of the game, and the commands."""
    screen = help_screen(
        event.translator,
        event.chat.limits,
        commands=services.registry.specs,
        is_private=event.is_in_private_chat,
    )
    return Reply(ephemeral=screen)
