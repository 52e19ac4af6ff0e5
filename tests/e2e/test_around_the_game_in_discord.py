"""Around the game in Discord: the owner's settings, a fool without a mark, a call, substitutes in a cup."""

import pytest

from tests.e2e.chats import Shown
from tests.e2e.discord import Member, Place
from tests.e2e.game import hand_with, newest_public, press, sit_down, until
from tests.e2e.process import BotProcess
from tests.wire.discord import Person, Right
from tests.wire.discord.world import Role

pytestmark = [pytest.mark.timeout(300), pytest.mark.parametrize("chat", ["discord"], indirect=True)]

AROUND = "🎭 Around the game"
ON_OR_OFF = (": on", ": off")
BUSY_SECONDS = 90.0  # a room takes a few changes a minute, so that a busy one shows the next one late


def owner_of(chat: Place) -> Member:
    """Returns the owner of the guild, who has let the bot give roles and pin messages."""
    guild = chat.guild
    chat.server.community.changes_everyone(guild, guild.everyone | Right.PIN_MESSAGES)
    chat.server.community.lets_bot_pin(chat.channel, is_allowed=True)
    guild.bot_role = Role("Durak", 5, Right.MANAGE_ROLES, is_managed=True)
    guild.roles.append(guild.bot_role)
    return Member(chat.server, chat.channel, Person(guild.owner, chat.server.community))


async def taps(member: Member, label: str) -> str:
    """Presses a private button, and returns the notice of the answer."""
    shown, token = await hand_with(member, label)
    return await member.presses(shown, token)


async def labels(member: Member) -> list[str]:
    """Returns the buttons of the first private message, which is edited at each press."""
    return list((await member.private())[0].buttons.values())


async def newest_private(member: Member, words: str, *, without: str = "") -> Shown:
    """Waits for a private message with these words, and without a button."""

    async def look() -> Shown | None:
        found = [shown for shown in await member.private() if words in shown.text]
        return found[-1] if found and without not in found[-1].buttons.values() else None

    return await until(look, f"{words!r} in private")


async def resigns(member: Member) -> None:
    for label in ("🚪 Leave", "Resign"):
        await taps(member, label)


async def wear_it(chat: Place, *names: str) -> None:
    """Waits until these people alone wear a role that the bot gives."""
    known = {account.id: account.name for account in chat.server.state.accounts.values()}

    async def look() -> bool:
        given = [role for role in chat.guild.roles if not role.is_managed]
        return [known[holder] for role in given for holder in role.holders] == [*names]

    await until(look, f"the role on {names or 'nobody'}")


async def test_the_owner_switches_each_thing_around_the_game_on_its_own_screen(
    chat: Place, bot: BotProcess
) -> None:
    owner = owner_of(chat)
    await owner.types("/settings")
    await taps(owner, AROUND)
    listed = [label for label in await labels(owner) if label.endswith(ON_OR_OFF)]
    assert len(listed) > 5

    for label in listed:
        name, _, now = label.rpartition(": ")
        other = "off" if now == "on" else "on"
        await taps(owner, label)
        assert {now, "Back"} <= {*await labels(owner)}
        is_role = other not in await labels(owner)
        await taps(owner, "Make a role for it" if is_role else other)

        if is_role:  # its screen shows the obstacles, and stays
            await taps(owner, now)
            assert [shown.text for shown in (await owner.private())[1:]] == []
            await taps(owner, now)
            await newest_private(owner, "No change: it’s already so.")
            await taps(owner, "Back")
            assert label in await labels(owner)
        else:
            assert f"{name}: {other}" in await labels(owner)

    await taps(owner, "Back")
    assert AROUND in await labels(owner)


async def test_a_fool_who_wants_no_mark_loses_it_and_gets_none_again(chat: Place, bot: BotProcess) -> None:
    owner = owner_of(chat)
    await owner.person.commands("settings", in_=chat.channel, change="worn on")
    anna = await chat.newcomer("Anna")
    boris = await chat.newcomer("Boris")
    await sit_down([anna, boris])
    await resigns(boris)
    await wear_it(chat, "Boris")

    assert await taps(boris, "Don’t mark me") == "OK, no mark for you from now on. /me changes that."
    await wear_it(chat)
    await newest_private(boris, "You’re the fool!", without="Don’t mark me")

    await press(anna, "Rematch")
    await press(boris, "Join")
    await newest_public(anna, "Anna (host), Boris")
    await press(anna, "Start", "Start now")
    await resigns(boris)

    async def second_loss() -> Shown | None:
        losses = [shown for shown in await boris.private() if "You’re the fool!" in shown.text]
        return losses[1] if len(losses) > 1 else None

    lost = await until(second_loss, "the second loss")
    assert [*lost.buttons.values()] == ["Rematch"]
    await wear_it(chat)


async def test_a_call_to_a_waiting_player_begins_with_the_button_to_sit_down(
    chat: Place, bot: BotProcess
) -> None:
    await owner_of(chat).person.commands("settings", in_=chat.channel, change="quiet off")
    anna, boris, clara = [await chat.newcomer(name) for name in ("Anna", "Boris", "Clara")]
    await sit_down([anna, boris])
    await press(clara, "My hand")
    promise = await clara.presses(*await hand_with(clara, "🔔 Notify me of the next game"))
    assert promise == "🔔 OK, I’ll write to you in private when the next game gathers."
    await resigns(boris)
    await press(anna, "Rematch")

    call = await newest_private(clara, "Join?")
    assert call.text == "🔔 Anna opened a table in “Friends”: 1 of 6 is in. Join?"
    assert [*call.buttons.values()] == ["I’m in", "Don’t call me from this server"]

    await taps(clara, "I’m in")
    await newest_private(clara, "You’re at the table: here it is.", without="I’m in")
    await newest_public(anna, "Anna (host), Clara")


async def test_substitutes_in_a_cup_take_over_the_points_and_not_the_losses(
    chat: Place, bot: BotProcess
) -> None:
    names = ("Anna", "Boris", "Clara", "Dima", "Elena", "Fritz")
    anna, boris, clara, dima, elena, fritz = [await chat.newcomer(name) for name in names]
    await anna.types("/cup podkidnoy-24")
    for member in (boris, clara, dima):
        await press(member, "I’m in")

    await newest_public(anna, "(4 of 16)")
    await press(anna, "Begin now")
    await newest_public(anna, "round 1 of 2")
    for member in (elena, fritz):
        assert "you take over the place" in await press(member, "Get in line")

    for member in (boris, clara):
        assert "You’re out of the cup." in await press(member, "Leave the cup")

    await resigns(clara)  # the fool of the only game; the others get two points each
    standing = (await newest_public(anna, "round 2 of 2\n", within=BUSY_SECONDS)).text
    players, points, *_ = standing.split("\n\n")
    assert not {"Boris", "Clara"} & {*players.replace(",", "").split()}
    assert {line.partition(". ")[2] for line in points.splitlines()} == {
        "Anna · 2",
        "Elena · 2",
        "Dima · 2",
        "Fritz · 0",
    }
