"""The fool's mark: it has exactly one wearer despite failures, and no other marks are lost."""

import asyncio

import pytest

from adapters.port import BadgeTrouble, Reply, Throttled, User
from adapters.telegram.badges import TelegramBadges
from bot.locale import LOCALES, Translator
from bot.screens.fools_mark import MAX_MARK_LENGTH, TROUBLE, Obstacle, mark_of, trouble_text
from tests.bot.chat import CELLAR, ROOM, own_room, person
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot
from tests.bot.wardrobe import Wardrobe

HOUR = 60 * 60.0


@pytest.fixture
def wardrobe(bot: RunningBot) -> Wardrobe:
    bot.chat.badges = wardrobe = Wardrobe()
    bot.chat.moderators.add(ANNA.ref)
    return wardrobe


async def loses(bot: RunningBot, loser: User, *others: User) -> None:
    """Plays a game that this person loses, by giving up."""
    table = await bot.dealt(loser, *others)
    await bot.app.tables.resign(table.id, loser)
    await bot.settle()
    await bot.skip(1)


async def switch_on(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/settings worn on")
    await bot.settle()


async def test_the_fool_wears_it_until_another_player_loses(bot: RunningBot, wardrobe: Wardrobe) -> None:
    wardrobe.tags[BORIS.ref] = "captain"
    await switch_on(bot)
    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {BORIS.ref: "fool"}

    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {BORIS.ref: "fool ×2"}

    await loses(bot, CLARA, BORIS)
    assert wardrobe.tags == {BORIS.ref: "captain", CLARA.ref: "fool"}


async def test_it_is_said_in_the_language_of_the_chat(bot: RunningBot, wardrobe: Wardrobe) -> None:
    await switch_on(bot)
    for _ in range(3):
        await loses(bot, BORIS, CLARA)

    assert wardrobe.tags == {BORIS.ref: "fool ×3"}
    await bot.chat.types(ANNA, "/settings language ru")
    await switch_on(bot)
    assert wardrobe.tags == {BORIS.ref: "дурак ×3"}


@pytest.mark.parametrize("locale", LOCALES)
def test_every_mark_fits_beside_a_name_and_has_no_emoji(locale: str) -> None:
    for streak in (1, 2, 99):
        mark = mark_of(streak, Translator(locale))
        assert len(mark) <= MAX_MARK_LENGTH
        assert mark.replace(" ×", "").isalnum()


async def test_nothing_is_worn_where_nobody_wants_it_and_it_is_taken_off_when_it_is_switched_off(
    bot: RunningBot, wardrobe: Wardrobe
) -> None:
    await loses(bot, BORIS, CLARA)
    assert (wardrobe.tags, wardrobe.asked) == ({}, 0)
    await switch_on(bot)
    assert wardrobe.tags == {BORIS.ref: "fool"}
    await bot.chat.types(ANNA, "/settings worn off")
    await bot.settle()
    assert wardrobe.tags == {BORIS.ref: ""}


async def test_a_draw_and_games_that_do_not_count_move_nothing(bot: RunningBot, wardrobe: Wardrobe) -> None:
    await switch_on(bot)
    await loses(bot, BORIS, CLARA)

    alone = await bot.opened(ANNA)
    await bot.app.tables.change(alone.id, lambda now: now.add_house(ANNA.ref))
    await bot.app.tables.start(alone.id, ANNA.ref, event="alone")
    await bot.app.tables.resign(alone.id, ANNA)
    await bot.settle()

    assert wardrobe.tags == {BORIS.ref: "fool"}


async def test_what_a_person_gave_meanwhile_is_neither_overwritten_nor_taken(
    bot: RunningBot, wardrobe: Wardrobe
) -> None:
    await switch_on(bot)
    await loses(bot, BORIS, CLARA)
    wardrobe.tags[BORIS.ref] = "our hero"
    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {BORIS.ref: "our hero"}
    await loses(bot, CLARA, BORIS)
    assert wardrobe.tags == {BORIS.ref: "our hero", CLARA.ref: "fool"}


async def test_without_the_right_the_admin_reads_so_at_once_and_hears_of_it_once(
    bot: RunningBot, wardrobe: Wardrobe
) -> None:
    wardrobe.has_right = False
    await bot.chat.types(ANNA, "/settings worn on")
    shown = list(bot.chat.messages.values())[-2:]
    assert any("I need the right “Mark people”" in message.text for message in shown)

    for _ in range(3):
        await loses(bot, BORIS, CLARA)

    texts = [text for text in bot.chat.rang_for(ANNA) if "I need the right" in text]
    assert len(texts) == 1
    assert wardrobe.tags == {}

    wardrobe.has_right = True
    await loses(bot, CLARA, BORIS)
    assert wardrobe.tags == {CLARA.ref: "fool"}

    wardrobe.has_right = False
    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {CLARA.ref: "fool"}, "who cannot lose it keeps it, and nobody else gets it"
    assert len([text for text in bot.chat.rang_for(ANNA) if "I need the right" in text]) == 2


@pytest.mark.parametrize("seen", ["a change of rights", "the start", "the panel"])
async def test_a_right_that_is_given_back_is_seen_at_once(
    bot: RunningBot, wardrobe: Wardrobe, seen: str
) -> None:
    wardrobe.has_right = False
    await switch_on(bot)
    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {}

    wardrobe.has_right = True
    match seen:
        case "a change of rights":
            await bot.app.inbox.rights_changed(ROOM.server)
        case "the start":
            await bot.restart()
        case "the panel":
            await bot.chat.types(ANNA, "/settings worn")

    await bot.skip(1)
    assert wardrobe.tags == {BORIS.ref: "fool"}


async def test_a_fool_who_returns_wears_it_within_a_day(bot: RunningBot, wardrobe: Wardrobe) -> None:
    await switch_on(bot)
    wardrobe.gone.add(BORIS.ref)
    await loses(bot, BORIS, CLARA)
    wardrobe.gone.clear()
    await bot.skip(24 * HOUR)
    assert wardrobe.tags == {BORIS.ref: "fool"}


async def test_a_change_of_rights_costs_nothing_where_the_fool_wears_nothing(
    bot: RunningBot, wardrobe: Wardrobe
) -> None:
    await bot.app.inbox.rights_changed(ROOM.server)
    await bot.skip(1)
    assert wardrobe.asked == 0


async def test_a_role_that_is_still_to_be_made_is_not_said_to_be_gone(
    bot: RunningBot, wardrobe: Wardrobe
) -> None:
    wardrobe.are_chosen = True
    wardrobe.has_right = False
    await bot.chat.types(ANNA, "/settings worn on")
    shown = await bot.chat.types(ANNA, "/settings worn")
    assert shown.ephemeral is not None
    assert "I need the right “Mark people”" in text_of(shown.ephemeral)
    assert "gone" not in text_of(shown.ephemeral)


async def test_the_right_is_named_as_apps_in_the_readers_language_name_it() -> None:
    obstacle = Obstacle(BadgeTrouble.NO_RIGHT, TelegramBadges.right)
    sentence = trouble_text(obstacle, Translator("de"))
    assert "„Tags verwalten“" in sentence


@pytest.mark.parametrize("kind", ["left", "admin"])
async def test_a_fool_who_has_left_or_is_an_admin_wears_nothing_and_the_admin_hears_why(
    bot: RunningBot, wardrobe: Wardrobe, kind: str
) -> None:
    bot.chat.names[ROOM.server] = "Friends"
    await switch_on(bot)
    await loses(bot, BORIS, CLARA)
    (wardrobe.gone if kind == "left" else wardrobe.admins).add(CLARA.ref)
    await loses(bot, CLARA, BORIS)
    assert wardrobe.tags == {BORIS.ref: ""}

    texts = [text for text in bot.chat.rang_for(ANNA) if "“Friends”: Clara" in text]
    assert len(texts) == 1

    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {BORIS.ref: "fool"}


@pytest.mark.parametrize(
    ("locale", "title", "told"),
    [
        ("en", "Friends", "⚠️ “Friends”: you’re the fool, but Chat lets no bot tag an admin."),
        ("ru", "Друзья", "⚠️ «Друзья»: в дураках — ты, но Chat не даёт ботам ставить теги админам."),
        ("en", "", "⚠️ You’re the fool, but Chat lets no bot tag an admin."),
    ],
)
async def test_an_admin_who_is_the_fool_hears_that_it_is_them_and_where(
    bot: RunningBot, wardrobe: Wardrobe, locale: str, title: str, told: str
) -> None:
    bot.chat.names[ROOM.server] = title
    wardrobe.admins.add(ANNA.ref)
    await loses(bot, ANNA, BORIS)
    await bot.chat.types(ANNA, f"/me language {locale}")

    await switch_on(bot)
    await bot.skip(1)
    warnings = [text.replace("\N{NO-BREAK SPACE}", " ") for text in bot.chat.rang_for(ANNA) if "⚠️" in text]
    assert [text.splitlines()[0] for text in warnings] == [told]


async def test_a_wearer_who_left_or_became_an_admin_does_not_stand_in_the_way(
    bot: RunningBot, wardrobe: Wardrobe
) -> None:
    await switch_on(bot)
    await loses(bot, BORIS, CLARA)
    wardrobe.gone.add(BORIS.ref)
    await loses(bot, CLARA, BORIS)
    assert wardrobe.tags[CLARA.ref] == "fool"

    wardrobe.admins.add(CLARA.ref)
    wardrobe.gone.clear()
    await loses(bot, BORIS, CLARA)

    assert wardrobe.tags[BORIS.ref] == "fool"


async def test_what_the_chat_takes_only_later_comes_later(bot: RunningBot, wardrobe: Wardrobe) -> None:
    await switch_on(bot)
    wardrobe.troubles = [Throttled(90.0)]
    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {}

    await bot.skip(90)
    assert wardrobe.tags == {BORIS.ref: "fool"}

    asked = wardrobe.asked
    for _ in range(20):
        await bot.skip(HOUR)

    assert wardrobe.asked == asked, "it asks for nothing more"


async def test_a_restart_in_between_leaves_one_wearer(bot: RunningBot, wardrobe: Wardrobe) -> None:
    await switch_on(bot)
    await loses(bot, BORIS, CLARA)
    wardrobe.troubles = [None, None, Throttled(1000.0)]
    await loses(bot, CLARA, BORIS)
    await bot.restart()
    await bot.skip(2 * HOUR)
    assert wardrobe.wearers("fool") == [CLARA.ref]


async def test_two_tables_that_end_together_leave_one_wearer(bot: RunningBot, wardrobe: Wardrobe) -> None:
    await switch_on(bot)
    dora = person("Dora")
    emil = person("Emil")

    first = await bot.dealt(BORIS, CLARA)
    second = await bot.dealt(dora, emil, room=CELLAR)
    await asyncio.gather(bot.app.tables.resign(first.id, BORIS), bot.app.tables.resign(second.id, dora))
    await bot.settle()
    await bot.skip(1)

    assert len(wardrobe.wearers("fool")) == 1


async def test_who_is_forgotten_wears_nothing_any_more(bot: RunningBot, wardrobe: Wardrobe) -> None:
    wardrobe.tags[BORIS.ref] = "captain"
    await switch_on(bot)
    await loses(bot, BORIS, CLARA)
    await bot.chat.types(BORIS, "/forgetme yes")
    await bot.settle()
    assert wardrobe.tags == {BORIS.ref: "captain"}

    await bot.skip(2 * HOUR)
    assert wardrobe.tags == {BORIS.ref: "captain"}

    await loses(bot, CLARA, ANNA)
    assert wardrobe.wearers("fool") == [CLARA.ref]


async def test_where_badges_are_chosen_an_admin_picks_one_or_lets_the_bot_make_one(
    bot: RunningBot, wardrobe: Wardrobe
) -> None:
    wardrobe.are_chosen = True
    wardrobe.roles = ["Jester"]
    refused = await bot.chat.types(ANNA, "/settings worn Jester")
    assert "you need “Mark people” in the whole server" in (refused.toast or "")

    wardrobe.givers.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings worn Jester")
    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {BORIS.ref: "Jester"}

    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {BORIS.ref: "Jester"}

    reply = await bot.chat.types(ANNA, "/settings worn King")
    assert reply.toast == "The fool can’t wear it: that role is gone. Choose another one."

    await bot.chat.types(ANNA, "/settings worn off")
    await bot.settle()
    assert wardrobe.tags == {BORIS.ref: ""}


async def test_a_role_that_the_bot_makes_is_made_once(bot: RunningBot, wardrobe: Wardrobe) -> None:
    wardrobe.are_chosen = True
    for value in ("on", "off", "on"):
        await bot.chat.types(ANNA, f"/settings worn {value}")
    assert wardrobe.roles == ["fool"]


async def test_a_loss_against_bots_marks_nobody_and_offers_nobody_to_stay_unmarked(
    bot: RunningBot, wardrobe: Wardrobe
) -> None:
    await switch_on(bot)
    await bot.chat.opens_private(BORIS)
    await bot.chat.types(BORIS, "/durak bots")
    table = await bot.app.tables.in_room(ROOM)
    assert table is not None
    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    await bot.skip(1)

    labels = {button.label for message in bot.chat.messages.values() for button in message.buttons}
    assert "Rematch" in labels
    assert "Don’t mark me" not in labels
    assert BORIS.ref not in wardrobe.tags


async def test_who_does_not_want_it_says_so_once_at_their_result_and_takes_it_back_in_me(
    bot: RunningBot, wardrobe: Wardrobe
) -> None:
    wardrobe.tags[BORIS.ref] = "captain"
    await switch_on(bot)
    await bot.chat.opens_private(BORIS)

    table = await bot.dealt(BORIS, CLARA)
    await bot.app.tables.resign(table.id, BORIS)
    await bot.settle()
    await bot.skip(1)

    ending = next(
        message for message in bot.chat.messages.values() if message.text.startswith("🃏 You’re the fool!")
    )
    assert wardrobe.tags == {BORIS.ref: "fool"}

    reply = await bot.chat.presses(BORIS, ending.ref, "Don’t mark me")
    assert reply == Reply(toast="OK, no mark for you from now on. /me changes that.")

    await bot.settle()
    assert bot.chat.messages[ending.ref].text == ending.text
    assert wardrobe.tags == {BORIS.ref: "captain"}

    shown = bot.chat.messages[ending.ref]
    assert "Don’t mark me" not in [button.label for button in shown.buttons]

    await bot.restart()
    await loses(bot, CLARA, BORIS)
    await loses(bot, BORIS, CLARA)
    assert wardrobe.tags == {BORIS.ref: "captain", CLARA.ref: ""}

    await bot.chat.types(BORIS, "/me mark on")
    await bot.settle()
    assert wardrobe.tags == {BORIS.ref: "fool", CLARA.ref: ""}


async def test_where_nothing_can_be_worn_it_is_not_offered(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    shown = (await bot.chat.types(ANNA, "/settings around")).ephemeral
    assert shown is not None
    assert not any("wears it" in button.label for row in shown.rows for button in row)
    assert "There’s no “worn”" in str((await bot.chat.types(ANNA, "/settings worn on")).toast)
    bot.chat.badges = Wardrobe()
    assert "There’s no “worn”" in str((await bot.chat.types(ANNA, "/settings worn", own_room(ANNA))).toast)


def test_every_trouble_has_a_sentence() -> None:
    assert set(TROUBLE) == set(BadgeTrouble)
