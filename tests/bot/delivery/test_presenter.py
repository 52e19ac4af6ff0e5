"""What each message shows from the lobby to the rematch, and after."""

from dataclasses import replace

from adapters.port import Budget, Budgets, User
from bot.locale import Voice
from bot.model.hand_order import HandOrder
from bot.model.message_slots import MessageAction, MessageKind, MessageSlot
from bot.model.table import Table
from bot.pictures.hand import hand_picture
from bot.pictures.look import Look
from bot.pictures.palette import DARK
from bot.screens.cards import in_hand_order
from tests.bot.chat import ROOM, buttons_of, text_of
from tests.bot.house import ANNA, BORIS, CLARA, SHORT_GAME, House


async def shown(
    house: House, table: Table, kind: MessageKind, game: int | None = None
) -> str | MessageAction:
    user = ANNA.ref if kind is MessageKind.HAND else None
    screen = await house.bot.presenter.screen(MessageSlot(table.id, game or table.game, kind, user))
    return screen if isinstance(screen, MessageAction) else text_of(screen)


async def test_the_lobbys_message_becomes_the_table_and_hands_go_out_alone(house: House) -> None:
    await house.opened(ANNA, BORIS)
    lobby_message = house.table_message().ref
    assert house.chat.sees_alone(ANNA) == []
    await house.chat.presses(ANNA, lobby_message, "Start")
    await house.settle()
    assert house.table_message().ref == lobby_message
    assert len(house.chat.room_sees()) == 1
    for user in (ANNA, BORIS):
        assert "Your 6 cards" in house.hand_message(user).text
    assert house.chat.sees_alone(CLARA) == []


async def test_every_screen_of_a_game_says_what_it_should(house: House) -> None:
    table = await house.opened(ANNA, BORIS, rules=SHORT_GAME)
    assert "Players 2 of 2" in str(await shown(house, table, MessageKind.TABLE))
    for kind in (MessageKind.HAND, MessageKind.CALL, MessageKind.RESULT):
        assert await shown(house, table, kind) is MessageAction.REMOVE
    await house.chat.presses(ANNA, house.table_message().ref, "Start")
    await house.settle()
    assert "Trump" in str(await shown(house, table, MessageKind.TABLE))
    assert "Your 12 cards" in str(await shown(house, table, MessageKind.HAND))
    assert await shown(house, table, MessageKind.RESULT) is MessageAction.REMOVE
    await house.plays_to_the_end(table)
    assert "Seed of the deal" in str(await shown(house, table, MessageKind.RESULT))
    ending = await shown(house, table, MessageKind.HAND)
    assert "Game 1 is over." in str(ending)
    await house.chat.presses(ANNA, house.chat.room_sees()[-1].ref, "Rematch")
    await house.settle()
    assert await shown(house, table, MessageKind.TABLE, game=1) is MessageAction.KEEP
    assert await shown(house, table, MessageKind.RESULT, game=1) is MessageAction.KEEP
    assert await shown(house, table, MessageKind.HAND, game=1) == ending
    assert await shown(house, table, MessageKind.CALL, game=1) is MessageAction.REMOVE


async def test_the_seed_is_sealed_before_the_deal_and_told_only_after_the_end(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    before = [text_of(sent.screen) for sent in house.chat.sent if sent.screen is not None]
    while (await house.session(table)).outcome is None:
        before += [text_of(sent.screen) for sent in house.chat.sent if sent.screen is not None]
        house.chat.sent.clear()
        await house.plays(table)
    assert not [text for text in before if table.seed in text]
    await house.settle()
    assert table.seed in house.chat.room_sees()[-1].text


async def test_old_hands_have_no_buttons_and_new_ones_come_in_new_messages(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    old = house.hand_message(ANNA).ref
    await house.plays_to_the_end(table)
    await house.chat.presses(ANNA, house.chat.room_sees()[-1].ref, "Rematch")
    await house.settle()
    await house.chat.presses(ANNA, house.table_message().ref, "Start")
    await house.settle()
    first, second = house.chat.sees_alone(ANNA)
    assert first.ref == old
    assert first.buttons == ()
    assert "Your 12 cards" in second.text


async def test_a_page_stays_open_until_the_position_changes(house: House) -> None:
    house.chat.limits = replace(house.chat.limits, buttons=12, per_row=3)
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    user = await house.waiting_for(table)
    assert "▶ 1/2" in [button.label for button in house.hand_message(user).buttons]
    await house.chat.presses(user, house.hand_message(user).ref, "▶")
    await house.settle()
    assert "▶ 2/2" in [button.label for button in house.hand_message(user).buttons]
    house.bot.outbox.changed(table.id)
    await house.settle()
    assert "▶ 2/2" in [button.label for button in house.hand_message(user).buttons]
    await house.plays(table)
    screen = await house.bot.presenter.hand(await house.bot.tables.table(table.id), user.ref)
    assert screen is not None
    assert "▶ 2/2" not in [button.label for button in buttons_of(screen)]


async def dealt_in_pictures(house: House, *people: User) -> Table:
    house.chat.moderators.add(people[0].ref)
    await house.chat.types(people[0], "/settings view picture")
    table = await house.dealt(*people)
    for user in people:
        await house.until(lambda user=user: house.chat.sees_alone(user))  # type: ignore[misc] # mypy and lambda defaults
        assert house.hand_message(user).screen.picture
    return table


async def test_a_hand_is_drawn_in_its_order_with_what_can_be_played_in_its_owners_letters(
    house: House,
) -> None:
    table = await dealt_in_pictures(house, ANNA, BORIS)
    seat = await house.waiting_seat(table)
    user, other = ((ANNA, BORIS), (BORIS, ANNA))[seat]
    await house.chat.types(user, "/language ru")
    await house.settle()
    await house.chat.presses(user, house.hand_message(user).ref, "⇅")
    state = (await house.session(table)).state
    assert state is not None
    russian, english = (Look(DARK, Voice(locale).ranks) for locale in ("ru", "en"))
    trump = state.trump
    own = in_hand_order(state.view_for(seat), HandOrder.SUIT)
    shown = [house.hand_message(each).screen.picture for each in (user, other)]
    assert [picture and picture.png for picture in shown] == [
        hand_picture(own, trump, own, russian),
        hand_picture(in_hand_order(state.view_for(1 - seat)), trump, None, english),
    ]
    assert [picture and picture.alt for picture in shown] == [
        house.hand_message(each).text for each in (user, other)
    ]


async def test_the_picture_of_a_hand_reaches_its_owner_and_nobody_else(house: House) -> None:
    table = await dealt_in_pictures(house, ANNA, BORIS, CLARA)
    for _ in range(8):
        await house.plays(table)
    await house.settle()
    seen: dict[bytes, set[object]] = {}
    for sent in house.chat.sent:
        if sent.screen is not None and sent.screen.picture is not None:
            seen.setdefault(sent.screen.picture.png, set()).add(sent.place)
    assert {place for places in seen.values() for place in places} == {ROOM, ANNA.ref, BORIS.ref, CLARA.ref}
    assert all(len(places) == 1 for places in seen.values())


async def test_hands_are_text_where_a_chat_is_better_without_their_pictures(house: House) -> None:
    house.chat.limits = replace(house.chat.limits, private_pictures=False)
    house.chat.moderators.add(ANNA.ref)
    await house.chat.types(ANNA, "/settings view picture")
    await house.dealt(ANNA, BORIS)
    await house.until(lambda: house.table_message().screen.picture)
    assert [house.hand_message(user).screen.picture for user in (ANNA, BORIS)] == [None, None]


async def test_a_text_too_long_to_stand_below_a_picture_goes_without(house: House) -> None:
    table = await dealt_in_pictures(house, ANNA, BORIS)
    length = len(house.hand_message(ANNA).text)
    for caption in (length, length - 1):
        house.chat.limits = replace(house.chat.limits, caption=caption)
        hand = await house.bot.presenter.hand(table, ANNA.ref)
        assert hand is not None
        assert text_of(hand) == house.hand_message(ANNA).text
        assert (hand.picture is None) is (caption < length)


async def test_spectators_are_shown_no_hand(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    assert await house.bot.presenter.hand(table, CLARA.ref) is None
    assert house.chat.sees_alone(CLARA) == []


async def test_taps_in_a_lobby_show_at_once_as_long_as_the_burst_lasts(house: House) -> None:
    house.chat.budgets = Budgets(public=Budget(seconds=3.0, burst=3), private=Budget(1.0, 3))
    table = await house.opened(ANNA)
    await house.skip(60.0)
    for name, user in (("Boris", BORIS), ("Clara", CLARA)):
        await house.chat.presses(user, house.table_message().ref, "Join")
        await house.settle()
        assert name in house.table_message().text
    await house.chat.presses(CLARA, house.table_message().ref, "Leave")
    await house.settle()
    assert "Clara" in house.table_message().text  # the rest is for calls
    await house.skip(3.0)
    assert "Clara" not in house.table_message().text
    await house.skip(60.0)
    await house.chat.presses(ANNA, house.table_message().ref, "Start")
    await house.settle()
    assert "Trump" in house.table_message().text
    for move in range(2):
        before = house.table_message().text
        await house.plays(table)
        await house.settle()
        assert house.table_message().text == before, move
    await house.skip(3.0)
    assert house.table_message().text != before
