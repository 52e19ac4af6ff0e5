"""`/mydata` and `/forgetme`: what is kept about somebody, and its end."""

import json

from adapters.port import Command, Document, Reply, Screen
from bot.acquaintances import Acquaintances
from bot.locale import Voice
from bot.parlour import Parlour
from bot.reviews import Reviews
from bot.screens import refusals
from bot.screens.ways import answer_elsewhere_screen
from bot.storage import Privacy

SURE = "yes"


class PrivacyCommands:
    """Does what people may ask about themselves."""

    def __init__(
        self, privacy: Privacy, parlour: Parlour, acquaintances: Acquaintances, reviews: Reviews
    ) -> None:
        self._privacy = privacy
        self._parlour = parlour
        self._acquaintances = acquaintances
        self._reviews = reviews

    async def my_data(self, command: Command, voice: Voice) -> Reply:
        """Give somebody a file with everything that is kept about them."""
        found = await self._privacy.everything_about(command.user.ref)
        return Reply(
            private=Screen(body=voice.spans("Everything that is kept about you. /forgetme ends it.")),
            document=Document("mydata.json", json.dumps(found, indent=2, ensure_ascii=False).encode()),
            invitation=answer_elsewhere_screen(command.user, command.room, voice),
        )

    async def forget_me(self, command: Command, voice: Voice) -> Reply:
        """Ask, and when they are sure, let a nameless player stand in their place everywhere."""
        if self._parlour.is_seated(command.user.ref):
            return Reply(toast=voice.say(refusals.STILL_SEATED))
        if tuple(word.lower() for word in command.args) != (SURE,):
            return Reply(
                toast=voice.say(
                    "This cannot be undone: your name leaves all tallies, and your games count for "
                    "“a player”. If you are sure, type /forgetme {yes}",
                    yes=SURE,
                )
            )
        await self._privacy.forget(command.user.ref)
        await self._parlour.forgot(command.user.ref)
        self._acquaintances.forget(command.user.ref)
        self._reviews.forget(command.user.ref)
        return Reply(toast=voice.say("Done: nothing here knows you any more."))
