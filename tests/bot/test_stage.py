"""What each message shows from the lobby to the rematch, and after."""

from dataclasses import replace

from bot.lobby import Lobby
from bot.outbox import Verdict
from bot.surface import Kind, Surface
from tests.bot.chat import choices_of, text_of
from tests.bot.house import ANNA, BORIS, CLARA, SHORT_GAME, House


async def shown(house: House, lobby: Lobby, kind: Kind, game: int | None = None) -> str | Verdict:
    user = ANNA.ref if kind is Kind.HAND else None
    screen = await house.bot.stage.screen(Surface(lobby.id, game or lobby.game, kind, user))
    return screen if isinstance(screen, Verdict) else text_of(screen)


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
    lobby = await house.opened(ANNA, BORIS, rules=SHORT_GAME)
    assert "Players 2 of 4" in str(await shown(house, lobby, Kind.TABLE))
    for kind in (Kind.HAND, Kind.CALL, Kind.RESULT):
        assert await shown(house, lobby, kind) is Verdict.REMOVE
    await house.chat.presses(ANNA, house.table_message().ref, "Start")
    await house.settle()
    assert "Trump" in str(await shown(house, lobby, Kind.TABLE))
    assert "Your 12 cards" in str(await shown(house, lobby, Kind.HAND))
    assert await shown(house, lobby, Kind.RESULT) is Verdict.REMOVE
    await house.plays_to_the_end(lobby)
    assert "Seed of the deal" in str(await shown(house, lobby, Kind.RESULT))
    assert await shown(house, lobby, Kind.HAND) == "Game 1 is over."
    await house.chat.presses(ANNA, house.chat.room_sees()[-1].ref, "Rematch")
    await house.settle()
    assert await shown(house, lobby, Kind.TABLE, game=1) is Verdict.KEEP
    assert await shown(house, lobby, Kind.RESULT, game=1) is Verdict.KEEP
    assert await shown(house, lobby, Kind.HAND, game=1) == "Game 1 is over."
    assert await shown(house, lobby, Kind.CALL, game=1) is Verdict.REMOVE


async def test_the_seed_is_sealed_before_the_deal_and_told_only_after_the_end(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    before = [text_of(sent.screen) for sent in house.chat.sent if sent.screen is not None]
    while (await house.cards(lobby)).outcome is None:
        before += [text_of(sent.screen) for sent in house.chat.sent if sent.screen is not None]
        house.chat.sent.clear()
        await house.plays(lobby)
    assert not [text for text in before if lobby.seed in text]
    await house.settle()
    assert lobby.seed in house.chat.room_sees()[-1].text


async def test_old_hands_have_no_buttons_and_new_ones_come_in_new_messages(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    old = house.hand_message(ANNA).ref
    await house.plays_to_the_end(lobby)
    await house.chat.presses(ANNA, house.chat.room_sees()[-1].ref, "Rematch")
    await house.settle()
    await house.chat.presses(ANNA, house.table_message().ref, "Start")
    await house.settle()
    first, second = house.chat.sees_alone(ANNA)
    assert first.ref == old
    assert first.choices == ()
    assert "Your 12 cards" in second.text


async def test_a_page_stays_open_until_the_position_changes(house: House) -> None:
    house.chat.limits = replace(house.chat.limits, buttons=12, per_row=3)
    lobby = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    user = await house.waiting_for(lobby)
    assert "▶ 1/2" in [choice.label for choice in house.hand_message(user).choices]
    await house.chat.presses(user, house.hand_message(user).ref, "▶")
    await house.settle()
    assert "▶ 2/2" in [choice.label for choice in house.hand_message(user).choices]
    house.bot.outbox.changed(lobby.id)
    await house.settle()
    assert "▶ 2/2" in [choice.label for choice in house.hand_message(user).choices]
    await house.plays(lobby)
    screen = await house.bot.stage.hand(await house.bot.parlour.lobby(lobby.id), user.ref)
    assert screen is not None
    assert "▶ 2/2" not in [choice.label for choice in choices_of(screen)]


async def test_spectators_are_shown_no_hand(house: House) -> None:
    lobby = await house.dealt(ANNA, BORIS)
    screen = await house.bot.stage.hand(lobby, CLARA.ref)
    assert screen is not None
    assert text_of(screen) == "Game 1 is over."
