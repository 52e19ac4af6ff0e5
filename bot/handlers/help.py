"""`/help`: how to play, and the commands."""

from adapters.port import GuidePicture, Reply
from bot.handlers.event import CommandEvent, Services, command
from bot.handlers.seasons import games_counted
from bot.handlers.statistics import has_stats
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
        empty=await _empty_offers(event, services),
    )
    return Reply(ephemeral=screen)


async def _empty_offers(event: CommandEvent, services: Services) -> frozenset[GuidePicture]:
    """Returns the offers that have nothing to show yet, because they show games still to be played."""
    server = event.room.server
    empty = set[GuidePicture]()
    if not await services.standings.ranking(server, most=1, counted=await games_counted(server, services)):
        empty.add(GuidePicture.FOOLS)

    if not await has_stats(event.user.ref, server, services):
        empty.add(GuidePicture.STATISTICS)

    return frozenset(empty)
