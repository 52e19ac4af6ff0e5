"""`/leaderboard`, `/fool` and `/stats`: who plays how well on a server."""

from collections.abc import Sequence

from adapters.port import Command, Reply
from bot.handlers.rights import Rights
from bot.handlers.statistics import Period, Statistics
from bot.locale import Translator
from bot.screens import refusals
from bot.screens.arguments import InvalidArgumentError, one_of
from bot.screens.people import safe_name
from bot.screens.standings import SheetForm

EXPORT = "export"
"""What asks for the leaderboard as a file; so does the kind of file alone."""


class StatisticsCommands:
    """Answers what people type about who plays how well."""

    def __init__(self, statistics: Statistics, rights: Rights) -> None:
        self._statistics = statistics
        self._rights = rights

    async def leaderboard(self, command: Command, translator: Translator) -> Reply:
        """Rank everybody on the server, on a screen or in a file."""
        words = [word.lower() for word in command.args]
        forms = [SheetForm(word) for word in words if word in set(SheetForm)]
        period = _period([word for word in words if word not in {EXPORT, *SheetForm}], translator)
        server = command.room.server
        if EXPORT not in words and not forms:
            return Reply(public=await self._statistics.leaderboard(server, translator, period))
        if not await self._rights.may_moderate(command.user.ref, command.room):
            return Reply(toast=translator.text(refusals.EXPORT_FOR_MODERATORS))
        form = forms[0] if forms else SheetForm.CSV
        return Reply(document=await self._statistics.export(server, period, form))

    async def fool(self, command: Command, translator: Translator) -> Reply:
        """Say who was the fool how often."""
        period = _period([word.lower() for word in command.args], translator)
        return Reply(public=await self._statistics.fools(command.room.server, translator, period))

    async def stats(self, command: Command, translator: Translator) -> Reply:
        """Show how one person plays, by default who asks."""
        server = command.room.server
        user = command.mentioned[0] if command.mentioned else command.user
        if command.args and not command.mentioned:
            name = " ".join(command.args).removeprefix("@")
            named = await self._statistics.player_named(server, name)
            if named is None:
                raise InvalidArgumentError(
                    translator.text("Nobody called “{name}” has finished a game here.", name=safe_name(name))
                )
            user = named
        return Reply(personal=await self._statistics.stats(server, user, command.user, translator))


def _period(words: Sequence[str], translator: Translator) -> Period:
    return Period(one_of(tuple(Period), words[0], translator)) if words else Period.ALL
