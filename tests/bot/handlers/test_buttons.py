"""A press that cannot be is answered with a sentence and the newest hand, and changes nothing."""

from sqlmodel import select

from adapters.port import PrivateChatButton, Reply, User, UserRef
from bot.model.message_slots import MessageKind
from bot.model.table import Phase, Table
from bot.storage.models import PlayerRow
from engine import Move
from tests.bot.chat import CELLAR, PLATFORM, text_of
from tests.bot.house import ANNA, BORIS, CLARA, SHORT_GAME, House

GROUP = User(UserRef(PLATFORM, "the-group"), "The group", is_person=False)
STALE = "The table has moved on: here is how it stands now."


def said(reply: Reply) -> str:
    assert reply.toast is not None
    return reply.toast


async def legal(house: House, table: Table, seat: int) -> tuple[Move, ...]:
    state = (await house.session(table)).state
    assert state is not None
    return state.legal_moves(seat)


async def test_a_move_is_answered_with_the_new_hand_in_the_pressed_message(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    user = await house.waiting_for(table)
    hand = house.hand_message(user)
    house.chat.sent.clear()
    await house.plays(table)
    await house.settle()
    mine = [sent for sent in house.chat.sent if sent.place == user.ref]
    assert [sent.verb for sent in mine] == ["answer"]
    assert house.hand_message(user).ref == hand.ref
    assert "Your 5 cards" in house.hand_message(user).text


async def test_an_old_button_plays_nothing_and_shows_how_it_stands(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    user = await house.waiting_for(table)
    first = await house.plays(table)
    session = await house.session(table)
    before = session.state
    reply = await house.presses_move(table, user, str(first), version=1)
    assert said(reply) == STALE
    assert reply.private is not None
    assert "Your 5 cards" in text_of(reply.private)
    assert session.state is before


async def test_a_move_against_the_rules_is_refused_with_its_reason(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    session = await house.session(table)
    assert session.state is not None
    defender = (ANNA, BORIS)[session.state.defender]
    before = session.state
    reply = await house.presses_move(table, defender, "T")
    assert said(reply) == "There is nothing to take."
    assert reply.private is not None
    attacker = (ANNA, BORIS)[session.state.attacker]
    foreign = (await legal(house, table, session.state.attacker))[0]
    assert said(await house.presses_move(table, defender, str(foreign)))
    assert said(await house.presses_move(table, attacker, "P"))
    assert session.state is before


async def test_a_mangled_move_is_not_from_here(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    before = (await house.session(table)).state
    for move in ("A", "A 1X", "D 9H", "ZZ", "T T", "A 9H\x00"):
        reply = await house.presses_move(table, ANNA, move)
        assert said(reply) == "That button is not from here."
        assert reply.private is not None
    reply = await house.chat.presses_token(ANNA, house.hand_message(ANNA).ref, "no token at all")
    assert reply == Reply(toast="That button is not from here.")
    assert (await house.session(table)).state is before


async def test_who_does_not_sit_here_plays_nothing_and_sees_no_hand(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    before = (await house.session(table)).state
    table_message = house.table_message().ref
    not_seated = Reply(toast="You do not sit at this table.")
    assert await house.chat.presses(CLARA, table_message, "My hand") == not_seated
    assert await house.chat.presses_token(CLARA, table_message, f"m:{table.id}:1:T") == not_seated
    assert (await house.session(table)).state is before


async def test_somebody_elses_token_moves_ones_own_seat_alone(house: House) -> None:
    """A token acts for the presser, never for whom it was offered to."""
    table = await house.dealt(ANNA, BORIS)
    session = await house.session(table)
    assert session.state is not None
    attacker, defender = session.state.attacker, session.state.defender
    move = (await legal(house, table, attacker))[0]
    users = (ANNA, BORIS)
    reply = await house.chat.presses_token(
        users[defender], house.hand_message(users[defender]).ref, f"m:{table.id}:1:{move}"
    )
    assert said(reply)
    assert session.version == 1
    assert reply.private is not None
    assert text_of(reply.private) != house.hand_message(users[attacker]).text


async def test_after_the_end_nothing_moves(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    hand = house.hand_message(ANNA).ref
    await house.plays_to_the_end(table)
    session = await house.session(table)
    before = session.version
    reply = await house.chat.presses_token(ANNA, hand, f"m:{table.id}:{before}:T")
    assert said(reply) == "This game is over."
    assert session.version == before
    assert reply.private is not None
    assert not reply.private.rows


async def test_tables_that_never_were_are_gone(house: House) -> None:
    await house.opened(ANNA)
    table_message = house.table_message().ref
    for token in ("m:99:1:T", "h:99", "l:99:1:join", "g:99:1:rematch"):
        assert said(await house.chat.presses_token(ANNA, table_message, token)).startswith(
            "There is no such table here."
        )


async def test_buttons_of_an_earlier_game_do_nothing(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    result = house.chat.room_sees()[-1].ref
    await house.chat.presses(ANNA, result, "Rematch")
    await house.settle()
    assert said(await house.chat.presses(BORIS, result, "Rematch")) == "That belongs to an earlier game."
    old = await house.chat.presses_token(BORIS, result, f"l:{table.id}:1:leave")
    assert said(old) == "That belongs to an earlier game."
    assert (await house.bot.tables.table(table.id)).game == 2
    assert len((await house.bot.tables.table(table.id)).players) == 2


async def test_my_hand_on_the_table_shows_the_pressers_own_hand_privately(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    reply = await house.chat.presses(BORIS, house.table_message().ref, "My hand")
    assert reply.public is None
    assert reply.private is not None
    assert text_of(reply.private) == house.hand_message(BORIS).text
    await house.settle()
    assert len(house.chat.room_sees()) == 1


async def test_before_the_deal_there_is_no_hand(house: House) -> None:
    table = await house.opened(ANNA)
    reply = await house.chat.presses_token(ANNA, house.table_message().ref, f"h:{table.id}")
    assert reply == Reply(toast="The cards are not dealt yet.")


async def test_joining_leads_newcomers_to_the_private_chat_and_nobody_else(house: House) -> None:
    await house.opened(ANNA)
    reply = await house.chat.presses(BORIS, house.table_message().ref, "Join")
    assert reply.open_private
    await house.chat.opens_private(BORIS)
    await house.chat.presses(BORIS, house.table_message().ref, "Leave")
    await house.settle()
    reply = await house.chat.presses(BORIS, house.table_message().ref, "Join")
    assert not reply.open_private


async def test_starting_alone_is_refused_with_the_way_out(house: House) -> None:
    await house.opened(ANNA)
    table_message = house.table_message()
    assert "Add house player" in said(await house.chat.presses(ANNA, table_message.ref, "Start"))
    assert "Add house player" in [button.label for button in table_message.buttons]


async def test_only_the_opener_and_moderators_start(house: House) -> None:
    table = await house.opened(ANNA, BORIS)
    table_message = house.table_message().ref
    assert said(await house.chat.presses(BORIS, table_message, "Start")).startswith(
        "That is for who opened the table"
    )
    house.chat.moderators.add(CLARA.ref)
    assert (await house.chat.presses(CLARA, table_message, "Start")).toast is None
    assert (await house.bot.tables.table(table.id)).phase is Phase.PLAYING


async def test_a_table_that_a_group_opens_seats_nobody_and_goes_to_the_first_who_joins(house: House) -> None:
    """Some administrators speak in the name of their group; who they are, nobody is told."""
    table = await house.opened(GROUP)
    assert table.players == ()
    assert "Players 0 of" in house.table_message().text
    house.chat.moderators.add(CLARA.ref)
    assert said(await house.chat.presses(CLARA, house.table_message().ref, "Start"))
    await house.chat.presses(BORIS, house.table_message().ref, "Join")
    await house.chat.presses(ANNA, house.table_message().ref, "Join")
    await house.settle()
    assert "Boris · opened the table" in house.table_message().text
    assert (await house.chat.presses(BORIS, house.table_message().ref, "Start")).toast is None
    async with house.database.session() as session:
        names = [row.name for row in (await session.exec(select(PlayerRow))).all()]
    assert "The group" not in names


async def test_only_the_opener_or_a_moderator_closes(house: House) -> None:
    table = await house.opened(ANNA, BORIS)
    table_message = house.table_message().ref
    assert said(await house.chat.presses(BORIS, table_message, "Close")).startswith(
        "Only who opened the table, or"
    )
    house.chat.moderators.add(CLARA.ref)
    assert (await house.chat.presses(CLARA, table_message, "Close")).toast is None
    await house.settle()
    assert (await house.bot.tables.table(table.id)).phase is Phase.CLOSED
    assert "closed" in house.table_message().text
    assert not house.table_message().buttons


async def test_the_table_shows_a_way_to_the_private_chat_until_who_needs_it_opened_it(
    house: House,
) -> None:
    house.chat.closed.add(BORIS.ref)
    table = await house.dealt(ANNA, BORIS)
    buttons = [button for row in house.table_message().screen.rows for button in row]
    assert any(isinstance(button, PrivateChatButton) for button in buttons)
    assert house.chat.sees_alone(BORIS) == []
    house.chat.closed.clear()
    await house.chat.opens_private(BORIS)
    await house.settle()
    buttons = [button for row in house.table_message().screen.rows for button in row]
    assert not any(isinstance(button, PrivateChatButton) for button in buttons)
    assert "Your 6 cards" in house.hand_message(BORIS).text
    assert await house.shown(table, MessageKind.HAND, BORIS) == house.hand_message(BORIS).ref


async def test_the_leaderboard_button_answers_in_the_room(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, room=CELLAR, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    reply = await house.chat.presses(CLARA, house.chat.room_sees(CELLAR)[-1].ref, "Leaderboard")
    assert reply.public is not None
    assert "Leaderboard" in text_of(reply.public)


async def test_a_hand_stays_sorted_as_its_owner_likes_it_and_nobody_elses_is(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    for user in (ANNA, BORIS):
        assert "⇅ By suit" in [button.label for button in house.hand_message(user).buttons]
    before = house.hand_message(ANNA).ref
    await house.chat.presses(ANNA, before, "⇅ By suit")
    await house.restart()
    await house.settle()
    assert house.hand_message(ANNA).ref == before
    assert "⇅ By rank" in [button.label for button in house.hand_message(ANNA).buttons]
    assert "⇅ By suit" in [button.label for button in house.hand_message(BORIS).buttons]
    await house.chat.presses(ANNA, before, "⇅ By rank")
    assert "⇅ By suit" in [button.label for button in house.hand_message(ANNA).buttons]
