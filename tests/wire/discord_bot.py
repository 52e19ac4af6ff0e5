"""A bot without a library, to try the Discord of the tests."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.wire.discord import TOKEN, Channel, DiscordServer, Guild, Person, Refusal, until
from tests.wire.discord.interaction import Interaction


@dataclass
class Bot:
    """The requests of a bot, and the two people in its channel."""

    server: DiscordServer
    web: aiohttp.ClientSession
    guild: Guild
    channel: Channel
    anna: Person
    boris: Person

    async def asks(self, method: str, path: str, body: object = None, token: str = TOKEN) -> tuple[int, Any]:
        headers = {"Authorization": f"Bot {token}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body)
        async with self.web.request(
            method, self.server.api_url + path, data=content, headers=headers
        ) as answer:
            return answer.status, await answer.json() if answer.status != 204 else None

    async def answers(self, interaction: Interaction, kind: int, **data: object) -> tuple[int, Any]:
        path = f"/interactions/{interaction.id}/{interaction.token}/callback?with_response=true"
        answer: dict[str, object] = {"type": kind}
        if data:
            answer["data"] = data

        return await self.asks("POST", path, answer)

    def hook(self, interaction: Interaction, message: str = "") -> str:
        return f"/webhooks/{self.server.state.application}/{interaction.token}{message}"

    async def asked(self, tasks: asyncio.TaskGroup) -> Interaction:
        """Uses a command as Anna, and returns its interaction, which has no answer yet."""
        self.server.state.commands = [{"id": "1", "name": "hand", "contexts": [0, 1]}]
        known = set(self.server.state.interactions)
        tasks.create_task(self.anna.commands("hand", in_=self.channel))
        await until(lambda: set(self.server.state.interactions) - known)
        return self.server.state.interactions[(set(self.server.state.interactions) - known).pop()]


def refused(answer: tuple[int, Any], refusal: Refusal) -> bool:
    """Returns whether an answer has the status and the code of this refusal."""
    status, body = answer
    return (status, body["code"]) == refusal.value[:2]
