"""`/mydata` and `/forgetme`: what is kept about somebody, and its end."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from adapters.port import Adapter, Command, Document, Reply, Screen, User, UserRef
from bot.delivery.outbox import Outbox
from bot.handlers.lobby import Rights
from bot.locale import Translator
from bot.people import Servers
from bot.screens import refusals
from bot.screens.help import SURE, forget_screen
from bot.screens.table import answer_elsewhere_screen
from bot.screens.words import safe_name
from bot.storage import PrivacyStore
from bot.tables.service import TableService


class PrivacyCommands:
    """Does what people may ask about themselves."""

    def __init__(
        self,
        privacy: PrivacyStore,
        *,
        tables: TableService,
        outbox: Outbox,
        chats: Mapping[str, Adapter],
        servers: Servers,
        rights: Rights,
        forgetters: Sequence[Callable[[UserRef], None]],
    ) -> None:
        """Look through `privacy`.

        Args:
            privacy: What is kept on disk.
            tables: The tables.
            outbox: Shows them.
            chats: The chats, by platform.
            servers: Remember what their private chat chose.
            rights: Know whether the asker is answered alone.
            forgetters: Let everybody forget a person who keeps something about them in memory.
        """
        self._privacy = privacy
        self._tables = tables
        self._outbox = outbox
        self._chats = chats
        self._servers = servers
        self._rights = rights
        self._forgetters = forgetters

    async def my_data(self, command: Command, translator: Translator) -> Reply:
        """Give somebody a file with everything that is kept about them."""
        user = command.user.ref
        private = self._chats[user.platform].private_server(user)
        found = await self._privacy.everything_about(user, private)
        return Reply(
            private=Screen(body=translator.spans("Everything that is kept about you. /forgetme ends it.")),
            document=Document(
                "mydata.json",
                json.dumps(found, indent=2, ensure_ascii=False).encode(),
                translator.text(refusals.NO_FILE),
            ),
            invitation=answer_elsewhere_screen(command.user, command.room, translator),
        )

    async def forget_me(self, command: Command, translator: Translator) -> Reply:
        """Ask, and when they are sure, let a nameless player stand in their place everywhere."""
        if tuple(word.lower() for word in command.args) != (SURE,):
            return Reply(
                personal=forget_screen(translator, has_button=self._rights.is_answered_alone(command))
            )
        await self._forget(command.user)
        return Reply(toast=translator.text("Done: nothing here knows you any more."))

    async def _forget(self, user: User) -> None:
        """Forget a person on disk, in memory, in their chat, and in what the disk keeps of older days."""
        chat = self._chats[user.ref.platform]
        private = chat.private_server(user.ref)
        with self._servers.changing(*(() if private is None else (private,))):
            await self._tables.forget(user.ref, private, partial(self._privacy.forget, user.ref, private))
        for forget in self._forgetters:
            forget(user.ref)
        await self._outbox.repair(await chat.forget_person(user.ref, {user.name, safe_name(user.name)}))
        await self._privacy.scrub()
