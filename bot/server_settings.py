"""What a server plays: `/settings` shows it, and its moderators change it."""

from adapters.port import Command, Reply
from bot.arguments import BadArgument
from bot.hosts import Hosts
from bot.locale import Voice
from bot.parlour import Parlour
from bot.rule_book import RuleBook
from bot.screens import refusals
from bot.screens.server import server_screen

ACTIONS = ("default", "save", "delete")


class ServerSettings:
    """Does what people type after `/settings`."""

    def __init__(self, rule_book: RuleBook, parlour: Parlour, hosts: Hosts) -> None:
        self._rule_book = rule_book
        self._parlour = parlour
        self._hosts = hosts

    async def reply(self, command: Command, voice: Voice) -> Reply:
        """Show the settings, or change one: `default NAME`, `save NAME [rules]`, `delete NAME`.

        Raises:
            BadArgument: What was typed cannot be.
        """
        if not command.args:
            return await self._shown(command, voice)
        action, *words = command.args
        if action.lower() not in ACTIONS:
            raise BadArgument(
                voice.say("There is no “{word}”; try: {valid}", word=action, valid=", ".join(ACTIONS))
            )
        if not words:
            raise BadArgument(voice.say("Say which: /settings {action} NAME", action=action.lower()))
        if not await self._hosts.may_moderate(command.user.ref, command.room):
            return Reply(toast=voice.say(refusals.ONLY_MODERATORS))
        await self._do(action.lower(), words[0].lower(), tuple(words[1:]), command, voice)
        return await self._shown(command, voice)

    async def _do(
        self, action: str, name: str, words: tuple[str, ...], command: Command, voice: Voice
    ) -> None:
        server = command.room.server
        match action:
            case "default":
                await self._rule_book.set_default(server, name, voice)
            case "delete":
                await self._rule_book.forget(server, name, voice)
            case "save":
                lobby = await self._parlour.in_room(command.room)
                if words or lobby is None:
                    rules = (await self._rule_book.read(server, words, voice)).rules
                else:
                    rules = lobby.rules
                await self._rule_book.save(server, name, rules, voice)

    async def _shown(self, command: Command, voice: Voice) -> Reply:
        server = command.room.server
        return Reply(
            public=server_screen(
                await self._rule_book.default(server), await self._rule_book.variations(server), voice
            )
        )
