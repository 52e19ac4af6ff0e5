"""A lobby's settings: panels of buttons in the chat, and every setting on one of them."""

from dataclasses import replace

import pytest

from adapters.discord.render import LIMITS as DISCORD
from adapters.port import Limits, PrivateChat, Tone, User
from adapters.telegram.render import LIMITS as TELEGRAM
from bot.handlers.lobby import PANEL_SECONDS
from bot.locale import LOCALES, Translator
from bot.model.buttons import ChangeOption, decode
from bot.model.choices import TableOptions
from bot.model.table import Phase, Table
from bot.screens.keyboard import label_width
from bot.screens.lobby import Gathering, lobby_screen, settings_screen
from bot.screens.names import SAID_BY_NAMES
from bot.screens.settings import FIRST_PANEL, PANELS, WORDINGS, label_of, offered, option_rows, value_in_words
from bot.tables.rule_book import MAX_VARIATIONS
from engine import PRESETS, SETTINGS
from tests.bot.chat import own_room
from tests.bot.messages import Message, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot
from tests.bot.screens.scenes import CHATS, fits, lobby_of

pytestmark = pytest.mark.usefixtures("opens_alone")

TRANSLATOR = Translator("en")
NAMES = (*(f"v{number}" for number in range(MAX_VARIATIONS)), *PRESETS)


def test_every_setting_of_the_rules_stands_on_one_panel() -> None:
    placed = [setting for settings in PANELS.values() for setting in settings]
    assert sorted(placed) == sorted({*SETTINGS, "preset", "clock", "throw_in_seconds", "strength", "hints"})
    assert set(placed) == set(WORDINGS)


@pytest.mark.parametrize("limits", CHATS)
def test_all_panels_and_all_values_fit_into_every_chat(limits: Limits) -> None:
    for opened in (*PANELS, *WORDINGS):
        table = replace(lobby_of(PRESETS["punktedurak"], ("Anna",)), panel=opened, id=10**9)
        rows = option_rows(table, NAMES, limits, TRANSLATOR)
        assert len(rows) <= limits.buttons // limits.per_row
        assert all(fits(row, limits) for row in rows)
        for button in (button for row in rows for button in row):
            assert len(button.token.encode()) <= 64
            assert isinstance(decode(button.token), ChangeOption)


@pytest.mark.parametrize("limits", CHATS)
def test_names_that_find_no_room_are_left_to_those_who_type(limits: Limits) -> None:
    table = replace(lobby_of(PRESETS["classic"], ("Anna",)), panel="preset")
    rows = option_rows(table, [f"v{number}" for number in range(200)], limits, TRANSLATOR)
    assert len(rows) == limits.buttons // limits.per_row
    assert all(fits(row, limits) for row in rows)
    last_values = rows[-3] if limits.menu else rows[-2]  # below it are OK and the menu of other settings
    assert len(last_values) == (limits.menu or limits.per_row)


@pytest.mark.parametrize("locale", LOCALES)
def test_no_label_of_a_panel_is_longer_than_its_room_on_a_phone(locale: str) -> None:
    translator = Translator(locale)
    for opened in (*PANELS, *WORDINGS):
        table = replace(lobby_of(PRESETS["durnius"], ("Anna",)), panel=opened)
        rows = option_rows(table, tuple(PRESETS), TELEGRAM, translator)
        if len(rows) == TELEGRAM.buttons // TELEGRAM.per_row:
            continue  # then the longest panel has to be wider

        for row in rows:
            room = 306 / len(row) - 21
            assert len(row) == 1 or all(label_width(button.label) <= room for button in row), row


@pytest.mark.parametrize("locale", LOCALES)
def test_a_setting_and_any_of_its_values_fit_a_phone(locale: str) -> None:
    translator = Translator(locale)
    for setting in WORDINGS:
        for value, _ in offered(setting, tuple(PRESETS)):
            label = f"{label_of(setting, translator)}: {value_in_words(setting, value, translator)}"
            assert label_width(label) <= 306 - 21, label


@pytest.mark.parametrize("locale", LOCALES)
def test_presets_stand_in_columns_that_their_longest_name_fits_into(locale: str) -> None:
    table = replace(lobby_of(PRESETS["durnius"], ("Anna",)), panel="preset")
    *rows, back = option_rows(table, tuple(PRESETS), TELEGRAM, Translator(locale))
    longest = max(label_width(button.label) for row in rows for button in row)
    assert {len(row) for row in rows[:-1]} == {2 if longest <= 130 else 1}
    assert len(back) == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_the_value_that_a_setting_has_stands_out_if_it_is_offered(preset: str) -> None:
    for setting in SETTINGS:
        table = replace(lobby_of(PRESETS[preset], ("Anna",)), panel=setting)
        choices = [choice for row in option_rows(table, NAMES, TELEGRAM, TRANSLATOR) for choice in row]
        assert len([choice for choice in choices if choice.tone.name == "PRIMARY"]) == 1, setting


def label(bot: RunningBot, begins: str) -> str:
    buttons = bot.open_message(ANNA, begins).buttons
    return next(button.label for button in buttons if button.label.startswith(begins))


async def test_a_setting_is_changed_in_a_few_taps_and_said_in_one_line(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    await bot.taps(ANNA, "Settings")
    await bot.taps(ANNA, "Deck: 36")
    await bot.taps(ANNA, "52")
    await bot.taps(ANNA, "Transfers: off")
    assert label(bot, "Deck") == "Deck: 52"

    await bot.taps(ANNA, "OK")
    assert "Deck: 52 · Transfers: on" in bot.table_message().text

    rules = (await bot.app.tables.table(table.id)).rules
    assert rules == replace(PRESETS["podkidnoy-36"], deck=52, transfer=True)

    await bot.taps(ANNA, "Start")
    state = (await bot.session(table)).state
    assert state is not None
    assert state.rules == rules


async def test_a_preset_can_be_chosen_at_the_table(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    await bot.taps(ANNA, "Settings")
    await bot.taps(ANNA, "Rules")
    await bot.taps(ANNA, "Lithuanian, travel card")

    await bot.taps(ANNA, "Clock: 2\N{NO-BREAK SPACE}min")
    await bot.taps(ANNA, "no time limit")
    await bot.taps(ANNA, "Throw-in time: no time limit")
    await bot.taps(ANNA, "30\N{NO-BREAK SPACE}s")

    await bot.taps(ANNA, "Bots: regulars")
    await bot.taps(ANNA, "experts")
    await bot.taps(ANNA, "Hints: on")

    changed = await bot.app.tables.table(table.id)
    assert (changed.preset, changed.rules) == ("durnius-travel", PRESETS["durnius-travel"])
    assert changed.options == TableOptions(throw_in_seconds=30, clock=0, strength="expert", hints=False)

    await bot.restart()
    assert (await bot.app.tables.table(table.id)).options == changed.options


async def test_settings_that_clash_are_refused_when_they_are_chosen(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS, rules="perevodnoy")
    reply = await bot.chat.presses_token(ANNA, bot.table_message().ref, f"o:{table.id}:1:teams=2x2")
    assert reply.toast == "Teams don’t transfer: switch “Transfers” off."
    assert await bot.app.tables.table(table.id) == table


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("preset=poker", "No rules are called “poker”"),
        ("deck=53", "deck can’t be"),
        ("clock=7", "another chat"),
        ("strength=godlike", "another chat"),
        ("jokers=on", "another chat"),
        ("jokers", "another chat"),
        ("max_players=2", "At most 2 players"),
        ("max_players=9", "9 players need 54 cards, but there are 36."),
        ("hand_size=18", "3 players need 54 cards, but there are 36."),
    ],
)
async def test_what_cannot_be_set_is_a_sentence(bot: RunningBot, what: str, told: str) -> None:
    table = await bot.opened(ANNA, BORIS, CLARA)
    reply = await bot.chat.presses_token(ANNA, bot.table_message().ref, f"o:{table.id}:1:{what}")
    assert told in str(reply.toast)
    assert await bot.app.tables.table(table.id) == table


async def test_only_the_opener_sets_and_only_before_the_deal(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    for what in ("o:{}:1", "o:{}:1:common", "o:{}:1:deck=52"):
        reply = await bot.chat.presses_token(BORIS, bot.table_message().ref, what.format(table.id))
        assert str(reply.toast).startswith("Only the host")

    await bot.taps(ANNA, "Start")
    reply = await bot.chat.presses_token(ANNA, bot.table_message().ref, f"o:{table.id}:1:deck=52")
    assert reply.toast == "This game has already started."


async def test_teams_are_seen_and_people_change_seats_to_form_them(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS, CLARA, rules="durnius teams=2x2")
    assert "🔴 Anna (host), 🔵 Boris, 🔴 Clara · 3 of 4" in bot.table_message().text
    assert "🔵 Boris" in bot.table_message().text

    await bot.chat.presses(ANNA, bot.table_message().ref, "Change team")
    await bot.settle()
    assert [player.name for player in (await bot.app.tables.table(table.id)).players] == [
        "Boris",
        "Anna",
        "Clara",
    ]
    assert "🔵 Anna" in bot.table_message().text

    early = await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    assert early.toast == "“2 against 2” takes exactly 4 players."

    await bot.chat.presses(ANNA, bot.table_message().ref, "Add bot")
    await bot.skip(20.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING


def test_what_is_on_or_off_is_switched_by_one_tap() -> None:
    table = replace(lobby_of(PRESETS["podkidnoy-36"], ("Anna",)), panel="common")
    rows = option_rows(table, NAMES, TELEGRAM, TRANSLATOR)
    assert any(choice.token.endswith(":transfer=on") for row in rows for choice in row)


def test_a_chat_with_menus_has_one_for_the_setting_and_one_for_its_value() -> None:
    table = replace(lobby_of(PRESETS["podkidnoy-36"], ("Anna",)), panel="common")
    menu, (ok,) = option_rows(table, NAMES, DISCORD, TRANSLATOR)
    assert {button.menu for button in menu} == {"Change a setting…"}
    count = len(PANELS["common"])
    settings, elsewhere = menu[:count], menu[count:]
    assert [button.token.rpartition(":")[2] for button in settings] == PANELS["common"]
    assert [button.label for button in elsewhere] == [
        "Deal rules …",
        "Attack rules …",
        "Defence rules …",
        "End rules …",
    ]
    assert not ok.menu

    shown = text_of(settings_screen(table, NAMES, DISCORD, TRANSLATOR))
    in_title = {"Rules: Throw-in, 36 cards", "Deck: 36"}
    assert {button.label for button in settings if button.label not in shown} == in_title

    opened = replace(table, panel="transfer")
    menu, values, (ok_here,) = option_rows(opened, NAMES, DISCORD, TRANSLATOR)
    assert [button.label for button in menu if button.tone is Tone.PRIMARY] == ["Transfers: off"]
    assert {button.menu for button in values} == {"Transfers"}
    assert [button.label for button in values if button.tone is Tone.PRIMARY] == ["off"]
    assert ok_here == ok


def labels_of(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def opens_settings_for_all(bot: RunningBot, *people: User) -> Table:
    """Opens a table, and its settings where the room sees them."""
    bot.chat.limits = replace(bot.chat.limits, private_chat=PrivateChat.BEHIND_A_STEP)
    table = await bot.opened(*people)
    await bot.taps(people[0], "Settings")
    assert "OK" in labels_of(bot.table_message())
    return table


async def test_nobody_loses_a_button_while_the_opener_looks_at_settings(
    bot: RunningBot, opens_alone: bool
) -> None:
    table = await bot.opened(ANNA, BORIS)
    before = bot.table_message()
    await bot.taps(ANNA, "Settings")
    assert (bot.table_message() == before) is opens_alone

    for tap in ("Deck: 36", "52", "Deal", "Cards in a hand", "8"):
        assert set(labels_of(before)) <= set(labels_of(bot.table_message()))
        await bot.taps(ANNA, tap)

    assert "Deck: 52 · Cards in a hand: 8" in bot.table_message().text
    await bot.taps(ANNA, "OK")
    await bot.chat.presses(CLARA, bot.table_message().ref, "Join")
    await bot.settle()

    assert labels_of(bot.table_message())[:2] == ["Join", "Leave"]
    assert "Deal rules" not in labels_of(bot.table_message())
    assert len((await bot.app.tables.table(table.id)).players) == 3

    alone = [message for message in bot.chat.sees_alone(ANNA) if message.ref in bot.chat.ephemeral]
    assert not alone  # the closed panel is gone


async def test_settings_open_at_the_table_where_it_is_seen_by_one_person_alone(bot: RunningBot) -> None:
    """Covers direct messages with the bot, where an ephemeral answer would replace the lobby."""
    room = own_room(ANNA)
    await bot.chat.types(ANNA, "/durak", room)
    await bot.settle()
    table_message = bot.table_message(room).ref
    token = next(button for button in bot.table_message(room).buttons if button.label == "Settings").token

    reply = await bot.chat.presses_token(ANNA, table_message, token)
    await bot.settle()
    assert reply.secret is None

    assert {"OK", "Start"} <= set(labels_of(bot.table_message(room)))

    await bot.chat.presses(ANNA, table_message, "OK")
    await bot.settle()
    assert "OK" not in labels_of(bot.table_message(room))


async def test_settings_that_the_room_sees_close_after_a_minute_without_a_press(bot: RunningBot) -> None:
    await opens_settings_for_all(bot, ANNA, BORIS)
    await bot.skip(PANEL_SECONDS - 5.0)
    await bot.taps(ANNA, "Transfers: off")
    await bot.skip(PANEL_SECONDS - 5.0)
    assert "OK" in labels_of(bot.table_message()), "the minute begins anew at each press"

    await bot.skip(10.0)
    assert "OK" not in labels_of(bot.table_message())
    assert "Transfers: on" in bot.table_message().text


async def test_settings_that_the_room_sees_close_when_somebody_joins(bot: RunningBot) -> None:
    await opens_settings_for_all(bot, ANNA, BORIS)
    await bot.chat.presses(CLARA, bot.table_message().ref, "Join")
    await bot.settle()
    assert "OK" not in labels_of(bot.table_message())


async def test_an_admin_closes_the_settings_of_a_host_who_went_away(bot: RunningBot) -> None:
    await opens_settings_for_all(bot, ANNA, BORIS)
    bot.chat.moderators.add(CLARA.ref)

    refused = await bot.chat.presses(BORIS, bot.table_message().ref, "OK")
    assert refused.toast == "Only the host or a chat admin can do that."

    await bot.chat.presses(CLARA, bot.table_message().ref, "OK")
    await bot.settle()
    assert "OK" not in labels_of(bot.table_message())


async def test_the_hosts_panel_of_a_game_closes_after_a_minute_where_the_room_sees_it(
    bot: RunningBot,
) -> None:
    bot.chat.limits = replace(bot.chat.limits, private_chat=PrivateChat.BEHIND_A_STEP)
    table = await bot.opened(ANNA, BORIS)
    await bot.taps(ANNA, "Start")
    await bot.chat.presses(ANNA, bot.table_message().ref, "⚙️")
    await bot.settle()
    assert "Pause" in labels_of(bot.table_message())

    await bot.chooses(table, clock=0)
    await bot.skip(PANEL_SECONDS + 1.0)
    assert "Pause" not in labels_of(bot.table_message())


@pytest.mark.parametrize("limits", CHATS)
@pytest.mark.parametrize("opened", [*PANELS, *WORDINGS])
def test_an_open_panel_fits_into_a_lobby_of_every_chat(limits: Limits, opened: str) -> None:
    table = replace(lobby_of(PRESETS["durnius"], ("Anna", "Boris", "Clara")), panel=opened)
    gathering = Gathering(has_company=True)
    screen = lobby_screen(table, "seal", NAMES, limits, TRANSLATOR, gathering=gathering)
    assert len(screen.rows) <= limits.buttons // limits.per_row
    assert all(fits(row, limits) for row in screen.rows)


@pytest.mark.parametrize("name", SAID_BY_NAMES)
def test_a_list_of_settings_does_not_repeat_what_the_name_of_the_rules_says(name: str) -> None:
    preset = PRESETS[name]
    table = replace(lobby_of(preset, ("Anna",)), preset=name, panel=FIRST_PANEL)
    listed = settings_listed(table)
    assert not any(label_of(setting, TRANSLATOR) in listed for setting in SAID_BY_NAMES[name])

    changed = replace(table, rules=replace(preset, deck=24 if preset.deck != 24 else 36))
    assert "Deck" in settings_listed(changed)


def settings_listed(table: Table) -> list[str]:
    """Returns the labels of the settings that the panel lists in Discord, whose menus hide them."""
    lines = text_of(settings_screen(table, (), CHATS[0], TRANSLATOR)).rpartition("\n\n")[2].splitlines()
    return [line.partition(":")[0] for line in lines]


async def test_a_chat_with_forms_shows_the_settings_to_whoever_presses_and_sets_them(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, forms=True, private_chat=PrivateChat.IN_THE_ROOM)
    table = await bot.opened(ANNA, BORIS)
    ref = bot.table_message().ref
    opened = await bot.chat.presses(ANNA, ref, "Settings")
    assert opened.form is not None
    assert opened.secret is None

    transfer = next(field for field in opened.form.fields if field.label == "Transfers")
    answer = await bot.chat.presses_token(ANNA, ref, transfer.choices[0].token)
    assert answer.form is not None
    assert answer.form.about == "Transfers: on"

    await bot.settle()
    assert "Transfers: on" in bot.table_message().text
    assert "Join" in [button.label for button in bot.table_message().buttons]
    assert (await bot.app.tables.table(table.id)).rules.transfer

    refused = await bot.chat.presses_token(BORIS, ref, transfer.choices[1].token)
    assert refused.form is None
    assert refused.toast
