"""The Telegram of the tests keeps Telegram's rules; a bot that breaks them is caught."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.adapters.contract import eventually
from tests.wire.specs import spec_or_skip
from tests.wire.telegram import Chat, TelegramServer
from tests.wire.telegram.errors import ApiError
from tests.wire.telegram.markup import read_html

Json = dict[str, Any]


class Bot:
    """A bot that sends any request."""

    def __init__(self, server: TelegramServer, session: aiohttp.ClientSession) -> None:
        self._server = server
        self._session = session

    async def ask(self, method: str, **parameters: object) -> Json:
        form = {
            name: value if isinstance(value, str) else json.dumps(value) for name, value in parameters.items()
        }
        async with self._session.post(
            f"{self._server.url}/bot{self._server.token}/{method}", data=form
        ) as answer:
            told: Json = await answer.json()
            return told

    async def says(self, chat: Chat, text: str = "hello", **parameters: object) -> Json:
        return await self.ask("sendMessage", chat_id=chat.id, text=text, **parameters)


def keyboard(*buttons: Json) -> Json:
    return {"inline_keyboard": [list(buttons)]}


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as server:
        yield server


@pytest.fixture
async def bot(server: TelegramServer) -> AsyncIterator[Bot]:
    async with aiohttp.ClientSession() as session:
        yield Bot(server, session)


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("sendMessage", {"text": "x", "colour": "red"}),
        ("sendMessage", {}),
        ("sendMessage", {"text": "x", "message_thread_id": "first"}),
        ("sendMessage", {"text": "x", "reply_markup": {"inline_keyboard": [{"text": "x"}]}}),
        ("sendMessage", {"text": "x", "reply_markup": keyboard({"text": "x", "callback": "y"})}),
        ("sendMessage", {"text": "x", "reply_markup": keyboard({"callback_data": "y"})}),
        ("editMessageMedia", {"message_id": 1, "media": {"type": "photo"}}),
        ("editMessageText", {"message_id": "one", "text": "x"}),
        ("sendTelepathy", {"text": "x"}),
    ],
)
async def test_a_request_the_published_api_does_not_know_is_a_violation(
    server: TelegramServer, bot: Bot, method: str, parameters: Json
) -> None:
    spec_or_skip("telegram-bot-api.json")
    anna = server.person("Anna")
    answer = await bot.ask(method, chat_id=anna.id, **parameters)
    assert not answer["ok"]
    assert server.violations
    assert not anna.sees(anna.private)
    server.violations.clear()


async def test_a_violation_fails_the_test_it_happened_in() -> None:
    with pytest.raises(AssertionError, match="sendTelepathy"):
        async with TelegramServer() as server, aiohttp.ClientSession() as session:
            await Bot(server, session).ask("sendTelepathy")


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"text": " "}, "message text is empty"),
        ({"text": "x" * 4097}, "message is too long"),
        ({"text": "\U0001f40a" * 2049}, "message is too long"),
        ({"text": "<b>x", "parse_mode": "HTML"}, "can't parse entities"),
        ({"text": "x", "message_thread_id": 5}, "message thread not found"),
        ({"text": "x", "reply_parameters": {"message_id": 77}}, "message to be replied not found"),
        ({"text": "x", "reply_markup": keyboard({"text": "x"})}, "exactly one action"),
        ({"text": "x", "reply_markup": keyboard({"text": " ", "callback_data": "y"})}, "non-empty"),
        (
            {"text": "x", "reply_markup": keyboard({"text": "x", "callback_data": "y" * 65})},
            "BUTTON_DATA_INVALID",
        ),
        ({"text": "x", "reply_markup": keyboard({"text": "x", "url": "nowhere"})}, "BUTTON_URL_INVALID"),
        (
            {"text": "x", "reply_markup": keyboard(*[{"text": "x", "callback_data": "y"}] * 9)},
            "REPLY_MARKUP_TOO_LONG",
        ),
    ],
)
async def test_content_that_telegram_refuses(
    server: TelegramServer, bot: Bot, parameters: Json, why: str
) -> None:
    answer = await bot.ask("sendMessage", chat_id=server.person("Anna").id, **parameters)
    assert answer["error_code"] == 400
    assert why in answer["description"]


@pytest.mark.parametrize("source", ["<b>x", "x</b>", "<b><i>x</b></i>", "<script>", "a < b", "<b x>y</b>"])
def test_broken_html_is_refused(source: str) -> None:
    with pytest.raises(ApiError, match="can't parse entities"):
        read_html(source)


def test_html_becomes_text_and_entities_in_utf_16() -> None:
    text, entities = read_html("\U0001f40a <b>A &amp; <i>B</i></b>")
    assert text == "\U0001f40a A & B"
    assert entities == [
        {"type": "italic", "offset": 7, "length": 1},
        {"type": "bold", "offset": 3, "length": 5},
    ]


async def test_the_bot_writes_only_to_whom_it_may(server: TelegramServer, bot: Bot) -> None:
    anna = server.person("Anna")
    stranger = server.person("Stranger", started=False)
    group = server.supergroup("Group", anna)
    small = server.group("Small", anna)
    assert (await bot.says(stranger.private))["description"].startswith("Forbidden: bot can't initiate")

    stranger.starts()
    assert (await bot.says(stranger.private))["ok"]

    anna.blocks()
    assert (await bot.says(anna.private))["description"] == "Forbidden: bot was blocked by the user"

    anna.kicks_bot(group)
    assert (await bot.says(group))["description"] == "Forbidden: bot was kicked from the supergroup chat"

    new = server.migrate(small, anna)
    assert (await bot.says(small))["parameters"] == {"migrate_to_chat_id": new.id}
    assert (await bot.ask("sendMessage", chat_id=123, text="x"))[
        "description"
    ] == "Bad Request: chat not found"


async def test_an_edit_must_change_something_that_is_there(server: TelegramServer, bot: Bot) -> None:
    anna = server.person("Anna")
    message = (await bot.says(anna.private, "one"))["result"]["message_id"]

    async def edited(method: str, number: int = message, **parameters: object) -> str:
        answer = await bot.ask(method, chat_id=anna.id, message_id=number, **parameters)
        return str(answer.get("description", "ok"))

    assert "message is not modified" in await edited("editMessageText", text="one")
    assert await edited("editMessageText", text="two") == "ok"
    assert "message to edit not found" in await edited("editMessageText", 999, text="two")
    assert "there is no caption" in await edited("editMessageCaption", caption="two")
    assert await edited("deleteMessage") == "ok"
    assert "message to delete not found" in await edited("deleteMessage")


async def test_a_query_is_answered_once(server: TelegramServer, bot: Bot) -> None:
    anna = server.person("Anna")
    await bot.says(anna.private, reply_markup=keyboard({"text": "Go", "callback_data": "t"}))
    async with asyncio.TaskGroup() as tasks:
        pressing = tasks.create_task(anna.presses("Go", anna.sees(anna.private)[0]))
        (update,) = (await bot.ask("getUpdates", timeout=5))["result"]
        query = update["callback_query"]["id"]
        assert (await bot.ask("answerCallbackQuery", callback_query_id=query, text="yes"))["ok"]

    assert pressing.result().text == "yes"
    again = await bot.ask("answerCallbackQuery", callback_query_id=query, text="again")
    assert "query is too old" in again["description"]


async def test_updates_are_kept_until_confirmed(server: TelegramServer, bot: Bot) -> None:
    anna = server.person("Anna")
    anna.starts()
    anna.starts("again")
    first, second = (await bot.ask("getUpdates"))["result"]
    assert (await bot.ask("getUpdates"))["result"] == [first, second]
    assert (await bot.ask("getUpdates", offset=second["update_id"]))["result"] == [second]
    assert (await bot.ask("getUpdates", offset=second["update_id"] + 1))["result"] == []


async def test_a_second_poll_ends_the_first(server: TelegramServer, bot: Bot) -> None:
    server.updates.allowed = None
    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(bot.ask("getUpdates", timeout=20))
        await eventually(lambda: server.updates.is_polled)
        await bot.ask("getUpdates", timeout=0)
    assert first.result()["error_code"] == 409


async def test_in_a_group_the_bot_hears_commands_and_replies_only(server: TelegramServer, bot: Bot) -> None:
    anna = server.person("Anna")
    group = server.supergroup("Group", anna)
    await bot.says(group)
    anna.says("good morning", in_=group)
    anna.says("/durak", in_=group)
    anna.says("thanks", in_=group, reply_to=anna.sees(group)[0])
    heard = [update["message"]["text"] for update in (await bot.ask("getUpdates"))["result"]]
    assert heard == ["/durak", "thanks"]


async def test_budgets_are_enforced_for_each_chat_when_switched_on(server: TelegramServer, bot: Bot) -> None:
    anna = server.person("Anna")
    group = server.supergroup("Group", anna)
    server.faults.budgets_enforced = True
    answers = [await bot.says(group, f"number {number}") for number in range(21)]
    assert [answer["ok"] for answer in answers] == [True] * 20 + [False]
    assert 50 <= answers[-1]["parameters"]["retry_after"] <= 60
    assert (await bot.says(anna.private))["ok"]


async def test_the_whole_bot_has_a_budget_too_and_what_is_refused_is_counted(
    server: TelegramServer, bot: Bot
) -> None:
    people = [server.person(f"Anna {number}") for number in range(31)]
    server.faults.budgets_enforced = True
    answers = await asyncio.gather(*(bot.says(person.private) for person in people))
    refused = [answer for answer in answers if not answer["ok"]]
    assert [body["parameters"]["retry_after"] for body in refused] == [1]
    assert (server.faults.spent, dict(server.faults.floods)) == (31, {"bot": 1})


async def test_the_transcript_says_who_could_read_what(server: TelegramServer, bot: Bot) -> None:
    anna = server.person("Anna")
    boris = server.person("Boris")
    group = server.supergroup("Group", anna, boris)

    await bot.says(
        group, "for all", reply_markup=keyboard({"text": "\u2660", "callback_data": "secret token"})
    )
    await bot.says(boris.private, "for Boris")

    assert ["for all" in sent.words for sent in server.transcript.readable_by(anna.id)] == [True]
    assert [sent.chat for sent in server.transcript.readable_by(boris.id)] == [group.id, boris.id]
    assert "\u2660" in server.transcript.entries[0].words
    assert "secret token" in server.transcript.entries[0].words
