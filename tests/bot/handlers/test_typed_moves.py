"""Typed moves: at the first table that awaits the player, for the player's eyes alone."""

from bot.locale import Translator
from bot.model.table import Table
from bot.screens.typed_moves import typed_form
from engine import Attack, Move
from tests.bot.chat import CELLAR, own_room, person
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

NOTHING = "It’s not your turn at any table."


async def forms(bot: RunningBot, table: Table, seat: int, locale: str = "en") -> dict[Move, str]:
    """Returns the text to type for each legal move of a seat."""
    state = (await bot.session(table)).state
    assert state is not None
    moves = state.legal_moves(seat)
    view = state.view_for(seat)
    return {move: typed_form(move, view, moves, Translator(locale)) for move in moves}


async def test_a_typed_move_is_played_and_answered_with_the_new_hand(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    move, form = next(iter((await forms(bot, table, await bot.waiting_seat(table))).items()))
    reply = await bot.chat.types(user, f"/play {form.upper()}")
    assert reply.public is None
    assert reply.toast is None
    assert (await bot.session(table)).entries[-1].text == str(move)

    await bot.settle()
    assert "Your 5 cards" in bot.hand_message(user).text


async def test_a_whole_game_can_be_typed(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    while (await bot.session(table)).outcome is None:
        form = next(iter((await forms(bot, table, await bot.waiting_seat(table))).values()))
        reply = await bot.chat.types(await bot.waiting_for(table), f"/play {form}")
        assert not reply.refusal

    await bot.settle()
    assert (await bot.chat.types(ANNA, "/play 9h")).toast == NOTHING


async def test_without_words_or_with_wrong_ones_the_legal_moves_are_listed_to_the_asker_alone(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    listed = "You can type: " + " · ".join((await forms(bot, table, await bot.waiting_seat(table))).values())
    for text, sentence in (("/play", listed), ("/play take", f"That’s no move now.\n{listed}")):
        reply = await bot.chat.types(user, text)
        assert (reply.toast, reply.public, reply.ephemeral) == (None, None, None)
        assert reply.secret is not None
        assert text_of(reply.secret) == sentence

    assert len((await bot.session(table)).entries) == 1


async def test_who_cannot_be_written_to_is_invited_and_no_card_is_seen_in_the_room(bot: RunningBot) -> None:
    bot.chat.closed |= {ANNA.ref, BORIS.ref}
    table = await bot.dealt(ANNA, BORIS)
    before = len(bot.chat.room_sees())
    await bot.chat.types(await bot.waiting_for(table), "/play")
    assert not any("You can type" in message.text for message in bot.chat.room_sees()[before:])


async def test_it_is_played_in_this_room_first(bot: RunningBot) -> None:
    here = await bot.dealt(ANNA, BORIS, seed="1")
    there = await bot.dealt(ANNA, CLARA, room=CELLAR, seed="1")
    for table in (here, there):
        while await bot.waiting_for(table) != ANNA:
            await bot.plays(table)

    form = next(iter((await forms(bot, there, 0)).values()))
    before = len((await bot.session(here)).entries)
    assert not (await bot.chat.types(ANNA, f"/play {form}", CELLAR)).refusal
    assert len((await bot.session(here)).entries) == before
    assert await bot.waiting_for(there) != ANNA


async def test_whose_turn_it_is_not_reads_so(bot: RunningBot) -> None:
    assert (await bot.chat.types(ANNA, "/play 9h")).toast == NOTHING
    table = await bot.dealt(ANNA, BORIS)
    other = BORIS if await bot.waiting_for(table) == ANNA else ANNA
    assert (await bot.chat.types(other, "/play 9h")).toast == NOTHING


async def test_the_letters_are_those_of_the_asker(bot: RunningBot) -> None:
    olga = person("Olga", "ru-RU")
    table = await bot.dealt(ANNA, olga)
    while (await bot.waiting_for(table)).ref != olga.ref:
        await bot.plays(table)

    move, form = next(iter((await forms(bot, table, await bot.waiting_seat(table), "ru")).items()))
    assert not (await bot.chat.types(olga, f"/play {form}", own_room(olga))).refusal
    assert (await bot.session(table)).entries[-1].text == str(move)


async def test_who_left_is_back_with_a_typed_move(slow_bot: RunningBot) -> None:
    bot = slow_bot
    table = await bot.dealt(ANNA, BORIS)
    user = await bot.waiting_for(table)
    seat = await bot.waiting_seat(table)

    form = next(iter((await forms(bot, table, seat)).values()))
    await bot.app.tables.change(table.id, lambda now: now.with_presence(user.ref, has_left=True))

    assert not (await bot.chat.types(user, f"/play {form}")).refusal
    assert not (await bot.app.tables.table(table.id)).players[seat].has_left


async def until_two_can_be_thrown_in(bot: RunningBot, table: Table) -> list[str]:
    """Plays until somebody could throw in two cards, and returns them as typed."""
    while True:
        state = (await bot.session(table)).state
        assert state is not None
        cards = [
            form
            for move, form in (await forms(bot, table, await bot.waiting_seat(table))).items()
            if isinstance(move, Attack) and state.bout and not state.taking
        ]
        if len(cards) > 1:
            return cards

        await bot.plays(table)


async def test_of_two_throw_ins_one_is_played_and_the_other_is_explained_in_private(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, seed="several")
    first, second = (await until_two_can_be_thrown_in(bot, table))[:2]
    before = len((await bot.session(table)).entries)

    reply = await bot.chat.types(await bot.waiting_for(table), f"/play {first} {second}")

    assert len((await bot.session(table)).entries) == before + 1
    assert reply.toast is None
    assert reply.secret is not None
    assert text_of(reply.secret) == "Not yet: wait until it’s beaten."
