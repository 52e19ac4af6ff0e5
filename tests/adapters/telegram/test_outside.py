"""Tables in Telegram's chats that the bot is not a member of."""

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from adapters.telegram import TelegramAdapter
from adapters.telegram.refs import OUTSIDE, outside_room, outside_server, room_ref
from bot.app import REGISTRY
from bot.model.table import Phase, Table
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import posted, says
from tests.adapters.live_bot import LiveBot, live_bot
from tests.adapters.telegram.harness import TelegramHarness
from tests.e2e.game import SHORT, newest_public, play_on, press, until
from tests.e2e.telegram import Member
from tests.wire.telegram import Message, Person, TelegramServer

TABLE = 1


class Pair:
    """Anna and Boris in their private chat; Boris has never met the bot."""

    def __init__(self, server: TelegramServer) -> None:
        self.server = server
        self.anna = server.person("Anna")
        self.boris = server.person("Boris", language="de", started=False)
        self.chat = server.outside("Anna and Boris", self.anna, self.boris)
        self.host, self.guest = [Member(server, self.chat, person) for person in (self.anna, self.boris)]

    async def message(self, shows: str, *, among: int = 1) -> Message:
        """Waits until the newest of so many messages of the bot shows these words."""

        def is_there() -> bool:
            messages = self.anna.sees(self.chat)
            return len(messages) == among and shows in messages[-1].text

        await eventually(is_there)
        return self.anna.sees(self.chat)[-1]


def private_text(person: Person) -> str:
    """Returns the newest message to a person alone; empty before the first."""
    return next((message.text for message in reversed(person.sees(person.private))), "")


@pytest.fixture
def pair(server: TelegramServer) -> Pair:
    return Pair(server)


async def table(bot: LiveBot, number: int = TABLE) -> Table:
    return await bot.app.tables.table(number)


async def test_a_mention_opens_a_table_with_the_rules_and_bots_that_it_names(
    bot: LiveBot, pair: Pair
) -> None:
    pair.anna.mentions_bot("perevodnoy bots", in_=pair.chat)
    await pair.message("🤖")
    opened = await table(bot)
    assert (opened.preset, opened.phase) == ("perevodnoy", Phase.PLAYING)
    await eventually(lambda: "Your" in private_text(pair.anna))
    assert not bot.trouble


async def test_a_mention_with_another_command_is_answered_in_public(bot: LiveBot, pair: Pair) -> None:
    pair.anna.mentions_bot("leaderboard", in_=pair.chat)
    await pair.message("No game counts yet")
    assert not bot.app.tables.known
    assert not bot.trouble


async def test_a_wrong_word_names_the_options_and_opens_nothing(bot: LiveBot, pair: Pair) -> None:
    pair.anna.mentions_bot("perevodnoj", in_=pair.chat)
    await pair.message("perevodnoy")
    assert not bot.app.tables.known
    assert not bot.trouble


async def test_a_time_is_refused_as_nothing_can_be_posted_then(bot: LiveBot, pair: Pair) -> None:
    pair.anna.mentions_bot("20:30", in_=pair.chat)
    await pair.message("I’m only a guest here")
    assert not bot.trouble


async def test_an_answer_for_the_asker_alone_comes_in_private_and_the_chat_hears_so(
    bot: LiveBot, pair: Pair
) -> None:
    pair.anna.mentions_bot("me", in_=pair.chat)
    await pair.message("I’ve answered in our private chat.")
    await eventually(lambda: pair.anna.sees(pair.anna.private))
    assert not bot.trouble


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_a_mention_that_is_reported_twice_opens_one_table(
    server: TelegramServer,
    pair: Pair,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    is_restarted: bool,
) -> None:
    async with AsyncExitStack() as running:
        bot = await running.enter_async_context(live_bot(adapter_of(server), tmp_path, caplog))
        mention = pair.anna.mentions_bot(in_=pair.chat)
        (query,) = pair.server.mentions
        lobby = await pair.message("1 of")
        if is_restarted:
            await running.aclose()
            bot = await running.enter_async_context(live_bot(adapter_of(server), tmp_path, caplog))

        pair.server.report("guest_message", mention.to_json() | {"guest_query_id": query})
        await eventually(lambda: not pair.server.updates.waiting)
        assert "Join" in lobby.labels
        await press(pair.guest, "Join")
        await pair.message("2 of")
        assert list(bot.app.tables.known) == [TABLE]


def adapter_of(server: TelegramServer) -> TelegramAdapter:
    return TelegramAdapter(server.token, api_url=server.url, commands=REGISTRY.announced())


async def test_a_chat_gets_one_tally_though_each_of_its_tables_is_a_room(bot: LiveBot, pair: Pair) -> None:
    pair.anna.mentions_bot(in_=pair.chat)
    await pair.message("1 of")
    await press(pair.guest, "Join")
    await pair.message("2 of")
    pair.boris.mentions_bot(in_=pair.chat)
    await pair.message("Boris (leitet)", among=2)
    await pair.anna.presses("Mitspielen", pair.anna.sees(pair.chat)[-1])
    await pair.message("Anna", among=2)

    first = (await table(bot)).room
    second = (await table(bot, 2)).room
    assert first != second
    assert first.server == second.server
    assert first == outside_room(first.id, pair.chat.instance)
    assert not bot.trouble


async def test_a_press_leads_who_never_met_the_bot_to_their_cards_and_back(bot: LiveBot, pair: Pair) -> None:
    pair.anna.mentions_bot(in_=pair.chat)
    lobby = await pair.message("1 of")
    answer = await pair.boris.presses("Join", lobby)
    pair.boris.follows(answer.url)
    await eventually(lambda: "Deine Karten" in private_text(pair.boris))
    await pair.message("2 of")
    await pair.anna.presses("Start", lobby)
    await eventually(lambda: "Du hast" in private_text(pair.boris))
    assert not bot.trouble


async def test_whoever_cannot_be_written_to_is_led_again_by_their_hand(bot: LiveBot, pair: Pair) -> None:
    pair.anna.mentions_bot(in_=pair.chat)
    lobby = await pair.message("1 of")
    await pair.boris.presses("Join", lobby)
    await pair.message("2 of")
    await pair.anna.presses("Start", lobby)
    dealt = await pair.message("· deck")
    answer = await pair.boris.presses("My hand", dealt)
    pair.boris.follows(answer.url)
    await eventually(lambda: "Du hast" in private_text(pair.boris))
    assert not bot.trouble


async def test_a_deleted_message_stops_nobody(bot: LiveBot, pair: Pair) -> None:
    pair.anna.mentions_bot("bots", in_=pair.chat)
    shown = await pair.message("🤖")
    pair.chat.messages.remove(shown)

    await eventually(lambda: "Your turn" in private_text(pair.anna))
    hand = pair.anna.sees(pair.anna.private)[-1]
    before = hand.text
    move = next(button.token for row in hand.rows for button in row if str(button.token).startswith("m:"))
    await pair.anna.presses(str(move), hand)
    await eventually(lambda: hand.text != before)
    assert not bot.trouble


@pytest.mark.parametrize("forge", [str.lower, lambda token: f"~~~~~~~~{token[8:]}", lambda _: "short"])
async def test_a_forged_token_changes_nothing(bot: LiveBot, pair: Pair, forge: Callable[[str], str]) -> None:
    pair.anna.mentions_bot(in_=pair.chat)
    lobby = await pair.message("1 of")
    token = str(lobby.find("Join").token)
    pair.server.answer_within = 1.0
    try:
        await pair.boris.presses_token(forge(token), lobby)
    except TimeoutError:
        assert forge(token) == "short"

    assert len((await table(bot)).players) == 1
    assert not bot.trouble


async def test_a_protected_chat_hears_nothing(bot: LiveBot, server: TelegramServer) -> None:
    anna = server.person("Anna")
    chat = server.outside("Secrets", anna, protected=True)
    anna.mentions_bot(in_=chat)
    await eventually(lambda: not server.updates.waiting)
    assert not anna.sees(chat)
    assert not bot.app.tables.known


async def test_a_group_with_the_bot_costs_what_it_did(bot: LiveBot, server: TelegramServer) -> None:
    anna = server.person("Anna")
    group = server.supergroup("Players", anna)
    anna.says("/durak bots", in_=group)
    await eventually(lambda: anna.sees(group))
    assert not [sent for sent in server.transcript.entries if "inline_message_id" in sent.parameters]
    assert not server.transcript.of("answerGuestQuery")
    assert not [room for room in await rooms(bot) if room == OUTSIDE]


async def rooms(bot: LiveBot) -> list[str]:
    """Returns the platform of each table's room."""
    return [(await table(bot, number)).room.server.platform for number in bot.app.tables.known]


async def test_whoever_types_the_name_of_the_bot_can_send_a_table_that_the_other_opens(
    bot: LiveBot, pair: Pair
) -> None:
    offers = await pair.anna.types_name_of_bot("perevodnoy bots")
    assert [offer["title"] for offer in offers] == ["A table for Durak"] * 3
    pair.anna.sends_offer(offers[0], in_=pair.chat)
    offer = await pair.message("Anna wants to play Durak")

    await pair.boris.presses("Open the table", offer)
    await pair.message("Boris")
    opened = await table(bot)
    assert opened.preset == "perevodnoy"
    assert opened.room == outside_room(opened.room.id, pair.chat.instance)
    assert not bot.trouble


async def test_two_who_open_the_same_table_at_once_get_one_table(bot: LiveBot, pair: Pair) -> None:
    offers = await pair.anna.types_name_of_bot()
    pair.anna.sends_offer(offers[0], in_=pair.chat)
    offer = await pair.message("Anna wants to play Durak")
    token = str(offer.find("Open the table").token)
    await asyncio.gather(*(person.presses_token(token, offer) for person in (pair.anna, pair.boris)))
    await eventually(lambda: {"Join", "Mitspielen"} & set(offer.labels))
    assert list(bot.app.tables.known) == [TABLE]
    assert not bot.trouble


async def test_a_wrong_word_leaves_the_usual_offers(bot: LiveBot, pair: Pair) -> None:
    offers = await pair.anna.types_name_of_bot("perevodnoj")
    assert [offer["description"] for offer in offers] == ["Throw-in, 36 cards", "Transfer"]
    assert not bot.trouble


@pytest.mark.slow
async def test_the_last_result_can_be_sent_anywhere(bot: LiveBot, pair: Pair) -> None:
    pair.anna.mentions_bot(SHORT.removeprefix("/durak "), in_=pair.chat)
    await pair.message("1 of")
    await press(pair.guest, "Join")
    await pair.message("2 of")
    await press(pair.host, "Start", "Start now")
    await play_on([pair.host, pair.guest], random.Random(2))
    *_, offer = await pair.anna.types_name_of_bot()
    assert offer["title"] == "My last game"
    assert "fool" in offer["description"] or "draw" in offer["description"]
    assert not bot.trouble


@pytest.mark.slow
async def test_the_tally_of_a_chat_goes_on_when_the_bot_joins_it(
    bot: LiveBot, server: TelegramServer
) -> None:
    anna, boris = people = [server.person(name) for name in ("Anna", "Boris")]
    chat = server.outside("Friends", *people, server.person("Clara"))
    members = [Member(server, chat, person) for person in people]
    anna.mentions_bot(SHORT.removeprefix("/durak "), in_=chat)
    await eventually(lambda: anna.sees(chat))
    await press(members[1], "Join")
    await newest_public(members[0], "2 of")
    await press(members[0], "Start", "Start now")
    await play_on(members, random.Random(2))
    outside = (await table(bot)).room.server

    anna.invites_bot(chat)
    boris.says("/durak", in_=chat)
    await press(members[0], "Join")
    here = room_ref(chat.id).server

    async def is_joined() -> bool:
        played = [await bot.app.standings.people(server) for server in (outside, here)]
        return [len(people) for people in played] == [0, 2]

    await until(is_joined, "the tally in its new place")
    assert not bot.trouble


async def test_a_group_is_reported_by_its_first_press_until_its_tally_is_joined(
    harness: TelegramHarness,
) -> None:
    anna = await harness.newcomer("Anna")
    _, seen = await posted(harness, says("table", "Go"))
    for may_join in (False, True, True):
        harness.inbox.takes_moves = may_join
        await harness.presses(anna, seen, "Go")

    reported = outside_server(harness.chat.instance), harness.room
    assert harness.inbox.joined_rooms == [reported, reported]
