"""What people are called on a server is their name there, whatever their private chat calls them."""

from dataclasses import replace

from tests.bot.chat import text_of
from tests.bot.house import ANNA, BORIS, SHORT_GAME, House


async def test_presses_in_private_change_no_name_on_the_server(house: House) -> None:
    """Discord shows the nickname in the server, and the account's name in direct messages."""
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    for user in (ANNA, BORIS):
        account = replace(user, name=f"{user.name.lower()}_1987")
        await house.chat.presses_token(account, house.hand_message(user).ref, f"h:{table.id}")
    await house.plays_to_the_end(table)
    result = house.chat.room_sees()[-1]
    board = await house.chat.presses(ANNA, result.ref, "Leaderboard")
    assert board.public is not None
    for told in (result.text, text_of(board.public)):
        assert "Anna" in told
        assert "1987" not in told


async def test_a_new_name_on_the_server_is_that_of_its_tallies(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    reply = await house.chat.types(replace(ANNA, name="Anna the Great"), "/leaderboard")
    board = await house.chat.types(BORIS, "/leaderboard")
    assert reply.public is not None
    assert reply.public == board.public
    assert "Anna the Great" in text_of(reply.public)
