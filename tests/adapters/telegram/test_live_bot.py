"""The whole bot on a server with the oddities of Telegram's."""

import random
from functools import partial
from pathlib import Path

import pytest

from adapters.telegram import TelegramAdapter
from adapters.telegram.refs import room_ref
from bot.app import REGISTRY
from bot.model.table import Phase
from tests.adapters.contract import eventually
from tests.adapters.live_bot import (
    LiveBot,
    after_the_game,
    live_bot,
    look_back_alone,
    look_back_together,
    pins_a_table,
    rings_for_the_next_game,
)
from tests.e2e.game import SHORT, play_on, sit_down
from tests.e2e.telegram import Member
from tests.wire.telegram import Chat, Ephemerals, Loss, Message, Person, Status, TelegramServer
from tests.wire.telegram.models import drawn_updates
from tests.wire.telegram.people import ANONYMOUS
from tests.wire.telegram.schema import Json

pytestmark = pytest.mark.slow  # the server makes the bot wait as the real one does

CANNOT_PLAY = (
    "You write as a group or a channel, and those can’t play. Press “Join”: then you play as yourself."
)
UNKNOWN_ASKER = (
    "You write as a group or a channel, so I can’t tell who you are. Write as yourself and ask again."
)


class Place:
    """A group whose owner Anna can write as the group, or as a channel of hers."""

    def __init__(self, server: TelegramServer) -> None:
        self.server = server
        self.anna = server.person("Anna")
        self.boris = server.person("Boris")
        self.group = server.supergroup("Players", self.anna, self.boris)
        self.channel = server.channel("Anna's news", self.anna)

    def texts(self, chat: Chat | None = None, reader: Person | None = None) -> list[str]:
        return [message.text for message in (reader or self.anna).sees(chat or self.group)]

    async def shown(self, words: str, chat: Chat | None = None) -> None:
        """Waits until the group, or another one, sees these words."""
        await eventually(lambda: [text for text in self.texts(chat) if words in text])


@pytest.fixture
def place(server: TelegramServer) -> Place:
    return Place(server)


@pytest.mark.parametrize("writer", ["group", "channel"])
@pytest.mark.parametrize("typed", ["/durak", "/durak perevodnoy bots=expert"])
async def test_who_writes_as_a_group_or_channel_opens_a_table_and_joins_by_a_press(
    bot: LiveBot, place: Place, writer: str, typed: str
) -> None:
    place.anna.says(typed, in_=place.group, as_=getattr(place, writer))
    await place.shown(CANNOT_PLAY)
    await place.shown("0 of")
    lobby = next(message for message in place.anna.sees(place.group) if "0 of" in message.text)
    await place.anna.presses("Join", lobby)
    await place.shown("Anna (host)")
    assert not bot.trouble


@pytest.mark.parametrize("writer", ["group", "channel"])
async def test_a_group_or_channel_is_not_seated_where_others_gather(
    bot: LiveBot, place: Place, writer: str
) -> None:
    place.boris.says("/durak", in_=place.group)
    await place.shown("Boris")
    place.anna.says("/durak bots", in_=place.group, as_=getattr(place, writer))
    await place.shown(CANNOT_PLAY)
    (table_id,) = bot.app.tables.tables_in(room_ref(place.group.id))
    table = await bot.app.tables.table(table_id)
    assert (table.phase, [player.name for player in table.players]) == (Phase.LOBBY, ["Boris"])
    assert not bot.trouble


@pytest.mark.parametrize("writer", ["group", "channel"])
@pytest.mark.parametrize("typed", [*REGISTRY.commands, "fool add Boris", "fool import"])
async def test_every_command_answers_who_writes_as_a_group_or_channel(
    bot: LiveBot, place: Place, writer: str, typed: str
) -> None:
    place.anna.says(f"/{typed}", in_=place.group, as_=getattr(place, writer))
    await eventually(place.texts)
    if typed not in REGISTRY.commands or REGISTRY.commands[typed].people_only or typed == "stats":
        assert place.texts() == [UNKNOWN_ASKER]
    assert not bot.trouble


BROKEN = "Something went wrong"


async def test_an_account_without_a_name_plays_and_is_told_about_like_any_other(
    bot: LiveBot, server: TelegramServer
) -> None:
    deleted = server.person("")
    boris = server.person("Boris")
    group = server.supergroup("Players", deleted, boris)
    people = [Member(server, group, person) for person in (deleted, boris)]
    await sit_down(people, command=SHORT)
    await play_on(people, random.Random(2))
    said = deleted.says("/stats", in_=group)

    for name in REGISTRY.commands:
        if name not in {"forgetme", "durak", "stop", "review"}:
            deleted.says(f"/{name}", in_=group)
            boris.says(f"/{name}", in_=group, reply_to=said)

    boris.says("/leaderboard csv", in_=group)
    deleted.says("/forgetme yes", in_=group)
    text = "I’ve forgotten you"  # after all that a group may be sent in its turn
    await eventually(lambda: [message for message in boris.sees(group) if text in message.text], within=60)
    await eventually(lambda: not server.updates.waiting)
    assert not [
        message for message in (*boris.sees(group), *deleted.sees(deleted.private)) if BROKEN in message.text
    ]
    assert not bot.trouble


async def test_an_account_without_a_name_is_led_to_its_private_chat(
    bot: LiveBot, server: TelegramServer
) -> None:
    nameless = server.person("", started=False)
    boris = server.person("Boris")
    group = server.supergroup("Players", boris, nameless)
    nameless.says("/mydata", in_=group)
    await eventually(lambda: boris.sees(group))
    assert boris.sees(group)[0].text.startswith("a player, that’s for your eyes only")
    assert not bot.trouble


async def both_tables(place: Place) -> tuple[Message, Message]:
    """Opens a table whose first message arrives, but whose confirmation is lost."""
    place.server.faults.drop(Loss.AFTER, chat=place.group.id, method="sendMessage")
    place.boris.says("/durak", in_=place.group)
    await eventually(lambda: len(place.boris.sees(place.group)) == 2)
    lost, known = place.boris.sees(place.group)
    return lost, known


async def test_a_table_whose_arrival_was_never_heard_of_is_served_and_stays_alone(
    bot: LiveBot, place: Place
) -> None:
    lost, _ = await both_tables(place)
    await place.anna.presses("Join", lost)
    await eventually(lambda: place.anna.sees(place.group) == (lost,) and "Anna" in lost.text)
    await place.anna.presses("Leave", lost)
    await eventually(lambda: "Anna" not in lost.text)
    assert place.anna.sees(place.group) == (lost,)


async def test_a_table_pressed_before_it_is_sent_again_is_not_sent_again(bot: LiveBot, place: Place) -> None:
    place.server.faults.drop(Loss.AFTER, chat=place.group.id, method="sendMessage")
    place.boris.says("/durak", in_=place.group)
    await eventually(lambda: place.boris.sees(place.group))
    (lost,) = place.boris.sees(place.group)
    await place.anna.presses("Join", lost)
    await eventually(lambda: "Anna" in lost.text)
    assert place.anna.sees(place.group) == (lost,)


async def test_a_hand_whose_arrival_was_never_heard_of_is_served_and_stays_alone(
    bot: LiveBot, place: Place
) -> None:
    private = place.anna.private
    place.server.faults.drop(Loss.AFTER, chat=private.id, method="sendMessage")
    place.anna.says("/durak bots", in_=place.group)
    await eventually(lambda: len(place.anna.sees(private)) == 2)
    lost, _ = place.anna.sees(private)

    await place.anna.presses("⇅ By suit", lost)
    await eventually(lambda: place.anna.sees(private) == (lost,) and "⇅ By rank" in lost.labels)
    await place.anna.presses("⇅ By rank", lost)
    await eventually(lambda: "⇅ By suit" in lost.labels)
    assert place.anna.sees(private) == (lost,)


@pytest.mark.parametrize("ephemerals", [Ephemerals.HONOURED, Ephemerals.REFUSED])
async def test_who_presses_under_a_result_is_answered_alone_where_the_chat_can(
    bot: LiveBot, place: Place, ephemerals: Ephemerals
) -> None:
    place.server.ephemerals = ephemerals
    anna, boris = (Member(place.server, place.group, person) for person in (place.anna, place.boris))
    await look_back_together(anna, boris, is_alone=ephemerals is Ephemerals.HONOURED)
    assert not bot.trouble


async def test_who_presses_under_a_result_in_private_keeps_the_result(bot: LiveBot, place: Place) -> None:
    await look_back_alone(Member(place.server, place.anna.private, place.anna))
    assert not bot.trouble


@pytest.fixture
def honouring(server: TelegramServer) -> None:
    """Enables hidden commands and ephemeral answers on the server before the bot starts."""
    server.ephemerals = Ephemerals.HONOURED


async def test_rules_are_shown_to_who_asks_and_to_all_at_a_press(
    honouring: None, bot: LiveBot, place: Place
) -> None:
    place.anna.says("/rules", in_=place.group)
    await eventually(lambda: place.anna.sees_alone(place.group))
    (shown,) = place.anna.sees_alone(place.group)
    assert "how to play" in shown.text
    assert not place.boris.sees(place.group)

    await place.anna.presses("Show to all", shown)
    await eventually(lambda: place.boris.sees(place.group))
    assert "how to play" in place.boris.sees(place.group)[-1].text
    assert not bot.trouble


@pytest.mark.parametrize("ephemerals", [Ephemerals.HONOURED, Ephemerals.IGNORED, Ephemerals.REFUSED])
async def test_settings_open_for_the_host_alone_where_the_group_can(
    bot: LiveBot, place: Place, ephemerals: Ephemerals
) -> None:
    place.server.ephemerals = ephemerals
    place.anna.says("/durak", in_=place.group)
    await place.shown("Anna (host)")
    lobby = place.boris.sees(place.group)[-1]
    before = lobby.labels
    await place.anna.presses("Settings", lobby)

    if ephemerals is Ephemerals.HONOURED:
        await eventually(lambda: "OK" in place.anna.sees_alone(place.group)[-1].labels)
        panel = place.anna.sees_alone(place.group)[-1]
        await place.anna.presses("Transfers: off", panel)
        await place.shown("Transfers: on")
        assert place.boris.sees(place.group)[-1].labels == before
        await place.anna.presses("OK", place.anna.sees_alone(place.group)[-1])
    else:
        await eventually(lambda: "OK" in place.boris.sees(place.group)[-1].labels)

    assert set(before) <= set(place.boris.sees(place.group)[-1].labels)
    assert not bot.trouble


async def test_an_admin_without_a_private_chat_switches_what_is_around_the_game(
    honouring: None, bot: LiveBot, place: Place
) -> None:
    admin = place.server.person("Eve", started=False)
    place.group.members[admin.id] = Status.ADMINISTRATOR
    admin.says("/settings", in_=place.group)
    await eventually(lambda: admin.sees_alone(place.group))

    def panel() -> Message:
        return admin.sees_alone(place.group)[-1]

    async def switches(before: str, value: str) -> None:
        await eventually(lambda: f"🔮 Bets on the fool: {before}" in panel().labels)
        await admin.presses(f"🔮 Bets on the fool: {before}", panel())
        await eventually(lambda: "e.g. 🔮 Saw it coming: Anna" in panel().text)
        await admin.presses(value, panel())

    await admin.presses("🎭 Around the game", panel())
    await switches("off", "on")
    await switches("on", "off")
    await eventually(lambda: "🔮 Bets on the fool: off" in panel().labels)
    await admin.presses("Back", panel())
    await eventually(lambda: "This chat plays" in panel().text)
    assert not place.boris.sees(place.group)
    assert not bot.trouble


async def test_what_happens_after_a_game(bot: LiveBot, place: Place) -> None:
    anna, boris = (Member(place.server, place.group, person) for person in (place.anna, place.boris))
    await after_the_game(bot, anna, boris)
    assert "sendAnimation" in [sent.method for sent in place.server.transcript.entries]

    friends = place.server.supergroup("Friends", place.anna, place.boris)
    place.anna.says("/durak @nemo", in_=friends)
    place.anna.says("/durak Boris", in_=friends, mentioning=[place.boris])

    for told in (
        "@nemo hasn’t pressed anything here yet, so no seat is kept.",
        "Boris: Anna invites you to play",
        "1 seat kept: Boris",
    ):
        await place.shown(told, friends)

    place.anna.says("/fool add Boris", in_=place.group, mentioning=[place.boris])
    wanted = "📇 With real cards: Boris is the fool!"
    await eventually(lambda: any(wanted in message.text for message in place.anna.sees(place.group)))
    entered = next(message for message in place.anna.sees(place.group) if wanted in message.text)
    await place.boris.presses("That’s right", entered)
    await eventually(lambda: entered.labels == ("That’s wrong",))
    assert not bot.trouble


# --- Random updates ---------------------------------------------------------------------------------------


def likelier(kind: str, place: Place, chance: random.Random) -> Json:
    """Returns parts of an update with people, chats, words and buttons known to the bot."""
    person = chance.choice((place.anna, place.boris))
    chat = chance.choice((place.group, person.private))
    told: Json = {"chat": chat.to_json(), "from": person.to_json()}

    if chance.random() < 0.2:
        told |= {"from": ANONYMOUS, "sender_chat": place.group.to_json()}

    if kind == "message":
        word = chance.choice(("bots", "", "week", "yes", "default pure", "perevodnoy", "23:30", "add @boris"))
        text = f"/{chance.choice(tuple(REGISTRY.commands))} {word}".strip()
        entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
        told |= {"text": text, "entities": [entity], "message_id": chance.randrange(10**6)}

    if kind == "callback_query":
        shown = chance.choice([*person.sees(chat), None])
        buttons = [button for row in shown.rows for button in row] if shown else []
        data = chance.choice([*(button.token for button in buttons if button.token), "m:1:1:T", "d:", "?"])
        told = {"from": person.to_json(), "data": data} | ({"message": shown.to_json()} if shown else {})

    return {name: value for name, value in told.items() if chance.random() < 0.9}


async def test_whatever_comes_the_bot_lives_and_has_nothing_to_complain_of(
    place: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    chance = random.Random(1)
    wanted = ("message", "callback_query", "my_chat_member")
    adapter = TelegramAdapter(place.server.token, api_url=place.server.url, commands=REGISTRY.announced())
    async with live_bot(adapter, tmp_path, caplog) as bot:
        for kind, drawn in drawn_updates(chance.choices(wanted, k=600), chance):
            known = likelier(kind, place, chance) if kind in wanted and chance.random() < 0.7 else {}
            place.server.updates.put(kind, drawn | known, is_filtered=False)
            if chance.random() < 0.05:  # the answers have buttons for the next update
                await eventually(lambda: not place.server.updates.waiting, within=60.0)

        clara = place.server.person("Clara")
        others = place.server.supergroup("Others", clara)
        clara.says("/durak", in_=others)
        await eventually(
            lambda: [message for message in clara.sees(others) if "Clara (" in message.text], within=60.0
        )

    # It has stopped, so everything was handled.
    assert not [line for line in bot.logged if "exc_info" in line]
    assert not {line["event"] for line in bot.logged if line["log_level"] == "error"} - {"event_skipped"}


async def test_a_table_is_pinned(bot: LiveBot, place: Place) -> None:
    group = place.group
    anna = Member(place.server, group, place.anna)

    def lets_pin() -> None:
        group.bot = Status.ADMINISTRATOR
        group.bot_rights.add("can_pin_messages")

    switches_on = partial(anna.types, "/settings pins on")
    await pins_a_table(bot, anna, switches_on, lets_pin, lambda: group.pinned)


async def test_the_next_game_rings_for_a_hand_in_the_group(
    honouring: None, bot: LiveBot, place: Place
) -> None:
    anna, boris = (Member(place.server, place.group, person) for person in (place.anna, place.boris))
    await rings_for_the_next_game(bot, anna, boris, place.texts)
