"""People's names on a server are their names there, whatever their private chat calls them."""

from dataclasses import replace

from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot


async def test_presses_in_private_change_no_name_on_the_server(bot: RunningBot) -> None:
    """Covers Discord, which sends the nickname in the server, and the account's name in direct messages."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME, seed="fool")
    for user in (ANNA, BORIS):
        account = replace(user, name=f"{user.name.lower()}_1987")
        await bot.chat.presses_token(account, bot.hand_message(user).ref, f"h:{table.id}")

    await bot.plays_to_the_end(table)
    result = bot.chat.room_sees()[-1]
    board = await bot.chat.presses(ANNA, result.ref, "🏆 Leaderboard")
    assert board.public is not None

    for told in (result.text, text_of(board.public)):
        assert "Anna" in told
        assert "1987" not in told


async def test_a_new_name_on_the_server_is_that_of_its_tallies(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    reply = await bot.chat.types(replace(ANNA, name="Anna the Great"), "/leaderboard")
    board = await bot.chat.types(BORIS, "/leaderboard")
    assert reply.public is not None
    assert reply.public == board.public
    assert "Anna the Great" in text_of(reply.public)
