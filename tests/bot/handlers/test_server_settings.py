"""`/settings`: the defaults of a server."""

from dataclasses import replace

import pytest

from adapters.port import MessageRef, Picture, PrivateChat, Reply, Screen
from bot.app import REGISTRY
from bot.locale import Translator
from bot.model.messages import MessageKind, TableSlot
from bot.pictures.subjects import DARK, Look
from bot.pictures.table import table_picture
from bot.screens.text import LANGUAGES, plain_text
from tests.bot.chat import ROOM
from tests.bot.messages import buttons_of, text_of
from tests.bot.pictures.positions import opened
from tests.bot.running_bot import ANNA, BORIS, RunningBot


def labels_of(bot: RunningBot, message: MessageRef) -> list[str]:
    return [button.label for button in bot.chat.messages[message].buttons]


async def test_a_moderator_saves_the_rules_of_the_table_that_stands_here(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    table = await bot.opened(BORIS, rules="perevodnoy deck=52")
    reply = await bot.chat.types(ANNA, "/settings save friday")
    assert reply.public is not None
    assert text_of(reply.public) == "⚙️ Saved: friday"

    await bot.app.tables.change(table.id, lambda now: now.close())
    again = await bot.opened(BORIS, rules="friday")
    assert (again.preset, again.rules, again.rules) == ("friday", table.rules, again.standard)
    assert "Durak · friday · game 1" in bot.table_message().text
    assert "Deck" not in bot.table_message().text


async def test_a_variation_keeps_its_rules_at_a_table_after_it_was_deleted(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings save friday deck=52")
    table = await bot.opened(ANNA, BORIS, rules="friday transfer=on")
    await bot.chat.types(ANNA, "/settings delete friday")
    await bot.restart()
    assert "Transfers: on" in bot.table_message().text
    assert await bot.app.tables.table(table.id) == table


async def test_the_default_is_what_durak_alone_opens(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    reply = await bot.chat.types(ANNA, "/settings default perevodnoy")
    assert reply.public is not None
    assert text_of(reply.public) == "⚙️ Rules: Transfer"

    shown = (await bot.chat.types(BORIS, "/settings")).ephemeral
    assert shown is not None
    assert text_of(shown).startswith("This chat plays Transfer.")
    assert (await bot.opened(BORIS)).preset == "perevodnoy"


async def test_a_chat_without_pictures_has_no_settings_about_them(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    bot.chat.limits = replace(bot.chat.limits, pictures=False)

    for admin in (ANNA, BORIS):
        shown = (await bot.chat.types(admin, "/settings")).ephemeral
        assert shown is not None
        listed = text_of(shown), *[button.label for button in buttons_of(shown)]
        assert not any("icture" in line for line in listed)

    refused = await bot.chat.types(ANNA, "/settings view text")
    assert refused.toast is not None
    assert "no “view”" in refused.toast


async def test_everybody_sees_and_only_moderators_change(bot: RunningBot) -> None:
    shown = await bot.chat.types(BORIS, "/settings")
    assert shown.ephemeral is not None
    assert "Saved here" not in text_of(shown.ephemeral)
    assert not shown.ephemeral.rows
    denied = await bot.chat.types(BORIS, "/settings default perevodnoy")
    assert denied.toast == "Only chat admins can change that."


@pytest.mark.usefixtures("opens_alone")
async def test_an_admin_changes_everything_by_buttons_without_a_post(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings save friday deck=52")
    await bot.chat.types(ANNA, "/settings")
    panel = list(bot.chat.messages.values())[-1].ref
    before = len(bot.chat.messages)

    for tap, value in (
        ("Rules", "Transfer"),
        ("Language", "Deutsch"),
        ("Language", "each player’s own"),
        ("Time zone", "Europe/Vilnius"),
        ("Display", "picture"),
        ("Background", "light"),
        ("Teasing", "off"),
    ):
        await bot.chat.presses(ANNA, panel, tap)
        assert "Back" in labels_of(bot, panel)
        await bot.chat.presses(ANNA, panel, value)
        assert f"{tap}: {value}" in labels_of(bot, panel)
        assert bot.chat.messages[panel].text.startswith("This chat plays")

    await bot.chat.presses(ANNA, panel, "Delete")
    await bot.chat.presses(ANNA, panel, "friday")
    assert "Delete saved rules" not in labels_of(bot, panel)
    assert len(bot.chat.messages) == before


@pytest.mark.usefixtures("opens_alone")
async def test_what_happens_around_the_game_is_off_until_an_admin_wants_it(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings")
    panel = list(bot.chat.messages.values())[-1].ref
    await bot.chat.presses(ANNA, panel, "🎭 Around the game")
    labels = [button.label for button in bot.chat.messages[panel].buttons]
    assert all(
        label.endswith(": off")
        for label in labels
        if not label.startswith(("Quiet hours", "📇", "🤫", "🏆", "Back"))
    )

    for tap, value in (
        ("Quiet hours", "23:00–09:00"),
        ("Quiet hours", "none"),
        ("Week in review", "on"),
        ("Week in review", "off"),
    ):
        await bot.chat.presses(ANNA, panel, tap)
        await bot.chat.presses(ANNA, panel, value)
        assert f"{tap}: {value}" in labels_of(bot, panel)

    await bot.chat.presses(ANNA, panel, "Back")
    assert bot.chat.messages[panel].text.startswith("This chat plays")
    assert (await bot.chat.types(ANNA, "/settings quiet 21-7")).public is not None
    assert (await bot.chat.types(ANNA, "/settings quiet 7-7")).toast == (
        "There’s no “7-7”; try: 22-8, 23-9, 0-7, off"
    )

    choices = await bot.app.servers.choices(ROOM.server)
    assert choices.local_time.quiet == (21, 7)
    assert (choices.home, choices.home_topic) == (ROOM.id, ROOM.topic)


@pytest.mark.parametrize("is_pressed", [False, True])
async def test_news_are_refused_at_once_where_the_bot_may_not_post(
    bot: RunningBot, *, is_pressed: bool
) -> None:
    """The button used to be accepted, and only the first report revealed the missing right."""
    week = REGISTRY.settings["week"]
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings week")
    panel = list(bot.chat.messages.values())[-1].ref

    async def switches_on() -> Reply:
        if is_pressed:
            return await bot.chat.presses(ANNA, panel, "on")
        return await bot.chat.types(ANNA, "/settings week on")

    bot.chat.banned.add(ROOM)
    refused = "I can’t post anything here: I need the right “Speak”. An admin can change that."
    assert await switches_on() == Reply(toast=refused)
    choices = await bot.app.servers.choices(ROOM.server)
    assert (choices.wants(week), choices.home) == (False, "")

    bot.chat.banned.clear()
    assert (await switches_on()).toast is None
    choices = await bot.app.servers.choices(ROOM.server)
    assert (choices.wants(week), choices.home) == (True, ROOM.id)


async def test_who_moderates_one_room_alone_changes_no_settings(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    bot.chat.without_admins.add(ROOM.server)
    assert (await bot.chat.types(ANNA, "/settings view text")).toast == "Only chat admins can change that."


async def test_around_the_game_is_for_admins(bot: RunningBot) -> None:
    assert (await bot.chat.types(BORIS, "/settings around")).toast == "Only chat admins can change that."
    assert (await bot.chat.types(BORIS, "/settings week on")).toast == "Only chat admins can change that."


async def test_the_time_zones_on_buttons_are_those_of_who_asks(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/language uk")
    shown = (await bot.chat.types(ANNA, "/settings timezone")).ephemeral
    assert shown is not None
    labels = [button.label for row in shown.rows for button in row]
    assert labels[:2] == ["Europe/Kyiv", "Europe/Warsaw"]
    assert {"UTC", "Europe/Berlin", "Europe/Vilnius"} <= set(labels)


async def test_a_panel_that_all_see_obeys_admins_alone(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    bot.chat.limits = replace(bot.chat.limits, private_chat=PrivateChat.BEHIND_A_STEP)
    await bot.chat.types(ANNA, "/settings")
    (panel,) = bot.chat.room_sees()
    for token in ("p:settings view", "p:settings view text"):
        reply = await bot.chat.presses_token(BORIS, panel.ref, token)
        assert reply == Reply(toast="Only chat admins can change that.")
        await bot.chat.presses_token(ANNA, panel.ref, token)


async def test_what_means_nothing_is_a_sentence_with_what_would(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    refused = (await bot.chat.types(ANNA, "/settings explode")).toast
    assert refused is not None
    assert refused.startswith("There’s no “explode”; try: default, language, timezone, view, style, teasing")
    assert (await bot.chat.types(ANNA, "/settings save")).toast == "Say which: /settings save …"
    assert "“perevodnoy” already means something else" in str(
        (await bot.chat.types(ANNA, "/settings save perevodnoy")).toast
    )


async def test_language_and_time_zone_are_chosen_for_the_whole_server(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings timezone europe/vilnius")
    reply = await bot.chat.types(ANNA, "/settings language en-GB")
    assert reply.public is not None
    assert text_of(reply.public) == "⚙️ Language: English"

    shown = (await bot.chat.types(ANNA, "/settings")).ephemeral
    assert shown is not None
    labels = [button.label for button in buttons_of(shown)]
    assert {"Language: English", "Time zone: Europe/Vilnius", "Display: text"} <= set(labels)
    assert "“Atlantis”" in str((await bot.chat.types(ANNA, "/settings timezone Atlantis")).toast)
    assert "try: en" in str((await bot.chat.types(ANNA, "/settings language tlh")).toast)


@pytest.mark.parametrize("zone", ["EST", "localtime", "Factory", "Etc/GMT+5"])
async def test_a_time_zone_is_a_place(bot: RunningBot, zone: str) -> None:
    bot.chat.moderators.add(ANNA.ref)
    reply = await bot.chat.types(ANNA, f"/settings timezone {zone}")
    assert str(reply.toast).startswith(f"There’s no time zone “{zone}”")


async def test_a_person_chooses_the_language_of_what_is_private(bot: RunningBot) -> None:
    listed = (await bot.chat.types(ANNA, "/language")).secret
    assert listed is not None
    assert text_of(listed).startswith("🗣 Your language")
    assert [button.label for button in buttons_of(listed)] == [*LANGUAGES.values(), "Back"]

    mine = bot.chat.sees_alone(ANNA)[-1].ref
    await bot.chat.presses(ANNA, mine, "Deutsch")
    assert "Deutsch" in " ".join(button.label for button in bot.chat.messages[mine].buttons)

    named = await bot.chat.types(ANNA, "/language lietuvių")
    assert named.toast == Translator("lt").text("OK, English from now on.")
    assert named.language == "lt"

    await bot.chat.types(ANNA, "/language english")
    assert "“tlh”" in str((await bot.chat.types(ANNA, "/language tlh")).toast)

    reply = await bot.chat.types(ANNA, "/language en")
    assert reply.toast == "OK, English from now on."


async def test_tables_are_seen_as_pictures_or_as_text_alone(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    shown = await bot.chat.types(ANNA, "/settings view picture")
    assert shown.public is not None
    assert text_of(shown.public) == "⚙️ Display: picture"

    table = await bot.dealt(ANNA, BORIS)
    first = await bot.until(lambda: bot.table_message().screen.picture)
    assert first is not None
    assert first.alt == plain_text(bot.table_message().screen.details)

    at_a_glance = "".join(span.text for span in bot.table_message().screen.body)
    assert at_a_glance in {f"{user.name} attacks." for user in (ANNA, BORIS)}

    await bot.plays(table)
    await bot.until(lambda: bot.table_message().screen.picture != first)
    assert "try: picture, text" in str((await bot.chat.types(ANNA, "/settings view cinema")).toast)

    await bot.chat.types(ANNA, "/settings view text")
    await bot.plays(table)
    await bot.until(lambda: bot.table_message().screen.picture is None)


async def test_pictures_are_dark_until_a_server_wants_them_light(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings view picture")
    table = await bot.dealt(ANNA, BORIS)
    dark = await bot.until(lambda: bot.table_message().screen.picture)
    assert dark is not None

    shown = await bot.chat.types(ANNA, "/settings style light")
    assert shown.public is not None
    assert text_of(shown.public) == "⚙️ Background: light"

    bot.app.outbox.mark_dirty(table.subject)
    await bot.until(lambda: bot.table_message().screen.picture not in {None, dark})
    light = bot.table_message().screen.picture
    assert light is not None
    assert brightness(dark) < 64
    assert brightness(light) > 192
    assert light.alt == dark.alt
    assert "try: dark, light" in str((await bot.chat.types(ANNA, "/settings style pink")).toast)


async def test_cards_in_pictures_are_in_the_language_of_the_chat(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings view picture")
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.change(table.id, lambda now: replace(now, locale="ru"))
    shown = await bot.app.presenter.screen(TableSlot(table.id, 1, MessageKind.TABLE))
    state = (await bot.session(table)).state

    assert isinstance(shown, Screen)
    picture = shown.picture
    assert picture is not None
    assert state is not None
    assert picture.png == table_picture(
        state.public_view(), ("Anna", "Boris"), Look(DARK, Translator("ru").ranks)
    )


def brightness(picture: Picture) -> int:
    """Returns the brightness of an empty part of the picture, up to 255."""
    return max(opened(picture.png).tobytes()[:3])


@pytest.mark.parametrize("command", ["/fool", "/leaderboard", "/leaderboard week"])
async def test_tallies_are_drawn_as_bars_where_pictures_are_seen(bot: RunningBot, command: str) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings view picture")
    empty = (await bot.chat.types(BORIS, command)).public
    assert empty is not None
    assert empty.picture is None

    await bot.chat.types(ANNA, "/settings view text")
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    in_words = (await bot.chat.types(BORIS, command)).public
    assert in_words is not None
    assert in_words.picture is None

    await bot.chat.types(ANNA, "/settings view picture")
    drawn = (await bot.chat.types(BORIS, command)).public
    assert drawn is not None
    assert drawn.picture is not None
    assert drawn.body == in_words.body
    assert drawn.picture.alt == text_of(in_words)
