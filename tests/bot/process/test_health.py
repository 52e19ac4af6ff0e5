import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestClient, TestServer, make_mocked_request
from aiohttp.web import Application, Request

from bot.metrics import COMMANDS_TYPED
from bot.process.health import PATIENCE, http_app
from tests.bot.databases import held
from tests.bot.running_bot import ANNA, RunningBot

Client = TestClient[Request, Application]


@pytest_asyncio.fixture
async def client() -> AsyncIterator[tuple[Client, list[str]]]:
    names: list[str] = []

    async def missing() -> list[str]:
        return names

    async with TestClient(TestServer(http_app(missing))) as client:
        yield client, names


async def test_a_bot_that_runs_is_healthy_whether_or_not_it_is_ready(
    client: tuple[Client, list[str]],
) -> None:
    http, missing = client
    missing.append("database")
    answer = await http.get("/healthz")
    assert (answer.status, await answer.text()) == (200, "ok\n")


async def test_a_bot_that_is_not_ready_says_what_is_missing(client: tuple[Client, list[str]]) -> None:
    http, missing = client
    assert (await http.get("/readyz")).status == 200
    missing += ["database", "telegram"]
    answer = await http.get("/readyz")
    assert (answer.status, await answer.text()) == (503, "not ready: database, telegram\n")


async def test_metrics_count_without_naming_anybody(client: tuple[Client, list[str]]) -> None:
    COMMANDS_TYPED.labels("durak").inc()
    answer = await client[0].get("/metrics")
    text = await answer.text()
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("text/plain")

    for name in (
        "durak_commands_total",
        "durak_presses_total",
        "durak_deliveries_total",
        "durak_games_total",
    ):
        assert name in text

    assert "Anna" not in text


async def test_a_database_that_does_not_answer_keeps_nobody_waiting(bot: RunningBot) -> None:
    async with TestClient(TestServer(bot.app.http)) as http, asyncio.TaskGroup() as tasks:
        async with held(bot.database):
            asking = [tasks.create_task(http.get("/readyz")) for _ in range(3)]
            while not asking[-1].done():
                bot.clock.skip(PATIENCE / 100)
                await asyncio.sleep(0)

        assert [(each.result().status, await each.result().text()) for each in asking] == [
            (503, "not ready: database\n")
        ] * 3
        assert (await http.get("/readyz")).status == 200


async def test_a_bot_is_ready_when_its_chats_and_its_database_are(bot: RunningBot) -> None:
    async with TestClient(TestServer(bot.app.http)) as http:
        assert (await http.get("/readyz")).status == 200
        bot.chat.ready = False
        assert (await http.get("/readyz")).status == 503

        bot.chat.ready = True
        await bot.chat.types(ANNA, "/help")
        assert 'durak_commands_total{name="help"}' in await (await http.get("/metrics")).text()

        await bot.chat.types(ANNA, "/anything-else")
        text = await (await http.get("/metrics")).text()
        assert 'name="unknown"' in text
        assert "anything-else" not in text


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "durak.example"},  # a page of another site that made its name lead here
        {"X-Forwarded-For": "192.0.2.7"},
        {"Forwarded": "for=192.0.2.7"},
        {"Via": "1.1 proxy"},
    ],
)
async def test_what_was_counted_is_for_this_machine_alone(
    client: tuple[Client, list[str]], headers: dict[str, str]
) -> None:
    answer = await client[0].get("/metrics", headers=headers)
    assert (answer.status, "DURAK_METRICS=public" in await answer.text()) == (403, True)
    assert (await client[0].get("/metrics")).status == 200
    assert (await client[0].get("/healthz", headers=headers)).status == 200


@pytest.mark.parametrize(
    ("address", "may_read"),
    [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("127.8.8.8", True),
     ("192.168.1.7", False), ("172.17.0.1", False), ("::ffff:192.168.1.7", False), ("", False)],
)  # fmt: skip
async def test_others_may_read_what_was_counted_when_the_owner_says_so(address: str, may_read: bool) -> None:
    async def missing() -> list[str]:
        return []

    request = make_mocked_request("GET", "/metrics", headers={"Host": "localhost:8080"}).clone(remote=address)
    for public, expected in ((False, may_read), (True, True)):
        match = await http_app(missing, public_metrics=public).router.resolve(request)
        response = await match.handler(request)
        assert (response.status == 200) is expected
