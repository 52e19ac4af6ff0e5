"""The content of each message from the lobby to the rematch, and after."""

from dataclasses import replace

from adapters.port import (
    Board,
    Budget,
    Budgets,
    CallbackButton,
    HandBoard,
    LobbyBoard,
    LobbyView,
    Screen,
    User,
)
from bot.locale import Translator
from bot.model.messages import MessageAction, MessageKind, TableSlot
from bot.model.profile import HandOrder
from bot.model.table import Table
from bot.pictures.drawing import hand_picture
from bot.pictures.subjects import DARK, Look
from bot.screens.text import in_hand_order
from tests.bot.chat import ROOM
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

ENDS_WITH_A_FOOL = "5eed1"  # from this seed Anna loses, not all games have a loser


async def shown(
    bot: RunningBot, table: Table, kind: MessageKind, game: int | None = None
) -> str | MessageAction:
    user = ANNA.ref if kind is MessageKind.HAND else None
    screen = await bot.app.presenter.screen(TableSlot(table.id, game or table.game, kind, user))
    return screen if isinstance(screen, MessageAction) else text_of(screen)


async def test_the_lobbys_message_becomes_the_table_and_hands_go_out_alone(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS)
    lobby_message = bot.table_message().ref
    assert bot.chat.sees_alone(ANNA) == []

    await bot.chat.presses(ANNA, lobby_message, "Start")
    await bot.settle()
    assert bot.table_message().ref == lobby_message
    assert len(bot.chat.room_sees()) == 1

    for user in (ANNA, BORIS):
        assert "Your 6 cards" in bot.hand_message(user).text

    assert bot.chat.sees_alone(CLARA) == []


async def test_every_screen_of_a_game_says_what_it_should(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS, rules=SHORT_GAME)
    await bot.app.tables.change(table.id, lambda now: replace(now, seed=ENDS_WITH_A_FOOL))
    assert "2 of 2" in str(await shown(bot, table, MessageKind.TABLE))

    for kind in (MessageKind.HAND, MessageKind.CALL, MessageKind.RESULT):
        assert await shown(bot, table, kind) is MessageAction.REMOVE

    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    assert "Trump" in str(await shown(bot, table, MessageKind.TABLE))
    assert "Your 12 cards" in str(await shown(bot, table, MessageKind.HAND))
    assert await shown(bot, table, MessageKind.RESULT) is MessageAction.REMOVE

    await bot.plays_to_the_end(table)
    end = [await shown(bot, table, kind) for kind in (MessageKind.TABLE, MessageKind.RESULT)]
    assert " rounds, 1\N{NO-BREAK SPACE}min" in str(end[1])

    ending = await shown(bot, table, MessageKind.HAND)
    assert "🃏 You’re the fool!" in str(ending)

    await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()
    assert [await shown(bot, table, kind, game=1) for kind in (MessageKind.TABLE, MessageKind.RESULT)] == end
    assert await shown(bot, table, MessageKind.HAND, game=1) == ending
    assert await shown(bot, table, MessageKind.CALL, game=1) is MessageAction.REMOVE


async def test_the_seed_is_sealed_before_the_deal_and_told_only_after_the_end(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    before = [text_of(sent.screen) for sent in bot.chat.sent if sent.screen is not None]
    while (await bot.session(table)).outcome is None:
        before += [text_of(sent.screen) for sent in bot.chat.sent if sent.screen is not None]
        bot.chat.sent.clear()
        await bot.plays(table)

    assert not [text for text in before if table.seed in text]
    await bot.settle()
    shown = (await bot.chat.types(ANNA, "/verify")).public
    assert shown is not None
    assert table.seed in text_of(shown)


async def test_old_hands_have_no_buttons_and_new_ones_come_in_new_messages(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    old = bot.hand_message(ANNA).ref
    await bot.plays_to_the_end(table)

    await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()
    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()

    first, second = bot.chat.sees_alone(ANNA)
    assert first.ref == old
    assert first.buttons == ()
    assert "Your 12 cards" in second.text


async def test_a_page_stays_open_until_the_position_changes(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, buttons=12, per_row=3)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    user = await bot.waiting_for(table)
    assert "▶ 1/2" in [button.label for button in bot.hand_message(user).buttons]

    await bot.chat.presses(user, bot.hand_message(user).ref, "▶")
    await bot.settle()
    assert "▶ 2/2" in [button.label for button in bot.hand_message(user).buttons]

    bot.app.outbox.mark_dirty(table.subject)
    await bot.settle()
    assert "▶ 2/2" in [button.label for button in bot.hand_message(user).buttons]

    await bot.plays(table)
    screen = await bot.app.hands.open(table.id, user.ref)
    assert screen is not None
    assert "▶ 2/2" not in [button.label for button in buttons_of(screen)]


async def dealt_in_pictures(bot: RunningBot, *people: User) -> Table:
    bot.chat.moderators.add(people[0].ref)
    await bot.chat.types(people[0], "/settings view picture")
    table = await bot.dealt(*people)
    for user in people:
        await bot.until(lambda user=user: bot.chat.sees_alone(user))  # type: ignore[misc] # mypy and lambda defaults
        assert bot.hand_message(user).screen.picture

    return table


async def test_a_hand_is_drawn_in_its_order_with_what_can_be_played_in_its_owners_letters(
    bot: RunningBot,
) -> None:
    table = await dealt_in_pictures(bot, ANNA, BORIS)
    seat = await bot.waiting_seat(table)
    user, other = ((ANNA, BORIS), (BORIS, ANNA))[seat]
    await bot.chat.types(user, "/language ru")
    await bot.settle()
    await bot.chat.presses(user, bot.hand_message(user).ref, "⇅")

    state = (await bot.session(table)).state
    assert state is not None
    russian, english = (Look(DARK, Translator(locale).ranks) for locale in ("ru", "en"))
    trump = state.trump
    own = in_hand_order(state.view_for(seat), HandOrder.SUIT)

    shown = [bot.hand_message(each).screen.picture for each in (user, other)]
    assert [picture and picture.png for picture in shown] == [
        hand_picture(own, trump, own, russian),
        hand_picture(in_hand_order(state.view_for(1 - seat)), trump, None, english),
    ]
    for each, picture in zip((user, other), shown, strict=True):
        assert picture is not None
        heading, _, cards = picture.alt.partition("\n")
        assert f"\n{heading}\n{cards}\n" in f"{bot.hand_message(each).text}\n"
        assert len(cards.split()) == len(own)


async def test_the_picture_of_a_hand_reaches_its_owner_and_nobody_else(bot: RunningBot) -> None:
    table = await dealt_in_pictures(bot, ANNA, BORIS, CLARA)
    for _ in range(8):
        await bot.plays(table)

    await bot.settle()
    seen: dict[bytes, set[object]] = {}
    for sent in bot.chat.sent:
        if sent.screen is not None and sent.screen.picture is not None:
            seen.setdefault(sent.screen.picture.png, set()).add(sent.place)

    assert {place for places in seen.values() for place in places} == {ROOM, ANNA.ref, BORIS.ref, CLARA.ref}
    assert all(len(places) == 1 for places in seen.values())


async def test_hands_are_text_where_a_chat_is_better_without_their_pictures(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, private_pictures=False)
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings view picture")
    await bot.dealt(ANNA, BORIS)
    await bot.until(lambda: bot.table_message().screen.picture)
    assert [bot.hand_message(user).screen.picture for user in (ANNA, BORIS)] == [None, None]


async def test_a_chat_that_draws_tables_gets_facts_and_neither_my_hand_nor_pictures_but_that_of_the_end(
    bot: RunningBot,
) -> None:
    bot.chat.limits = replace(bot.chat.limits, boards=True)
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings view picture")
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    await bot.settle()

    hands = set()
    tables = set()

    for sent in bot.chat.sent:
        match sent.screen:
            case Screen(board=HandBoard(id=name, seat=seat)):
                assert sent.place == (ANNA, BORIS)[seat].ref
                assert sent.screen.picture is None
                hands.add(name)
            case Screen(board=Board(id=name, is_over=is_over)):
                assert sent.place == ROOM
                assert is_over or sent.screen.picture is None
                assert "My hand" not in [button.label for row in sent.screen.rows for button in row]
                tables.add(name)

    assert hands == tables == {f"{table.id}:1"}
    assert bot.chat.room_sees()[-1].screen.picture is not None


async def test_a_chat_that_draws_tables_gets_the_facts_of_a_lobby_too(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, boards=True)
    table = await bot.opened(ANNA, BORIS, rules=SHORT_GAME)
    board = bot.table_message().screen.board
    assert isinstance(board, LobbyBoard)
    assert [(player.name, player.user, player.is_host) for player in board.players] == [
        ("Anna", ANNA.ref, True),
        ("Boris", BORIS.ref, False),
    ]
    assert (board.id, board.heading, board.most) == (f"{table.id}:1", "Players 2 of 2", 2)

    text = bot.table_message().text
    for line in (board.about, board.seal):
        assert "".join(span.text for span in line) in text


async def test_a_lobby_has_for_everybody_what_they_can_do(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, boards=True)
    await bot.opened(ANNA)
    alone = bot.table_message().screen
    assert isinstance(alone.board, LobbyBoard)
    assert _labels(alone, alone.board.for_host) == ["Leave", "Add bot", "Settings", "Close the table"]
    assert _best(alone, alone.board.for_host) == "Add bot"

    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.settle()
    two = bot.table_message().screen
    assert isinstance(two.board, LobbyBoard)
    assert _best(two, two.board.for_host) == "Start"
    assert _labels(two, two.board.for_seated) == ["Leave"]
    assert "".join(span.text for span in two.board.for_seated.says) == "Waiting for Anna to start."
    assert _labels(two, two.board.for_others) == [_best(two, two.board.for_others)] == ["Join"]


def _labels(screen: Screen, view: LobbyView) -> list[str]:
    buttons = [button for row in screen.rows for button in row if isinstance(button, CallbackButton)]
    labels = {button.token: button.label for button in buttons}
    return sorted((labels[token] for token in view.tokens), key=list(labels.values()).index)


def _best(screen: Screen, view: LobbyView) -> str:
    return _labels(screen, replace(view, tokens=(view.best,)))[0]


async def test_a_chat_that_draws_no_tables_gets_no_facts(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    assert all(sent.screen.board is None for sent in bot.chat.sent if sent.screen is not None)
    assert "My hand" in [button.label for button in bot.table_message().buttons]


async def test_who_is_asked_whether_to_leave_keeps_their_cards_in_sight(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, boards=True)
    await bot.dealt(ANNA, BORIS)
    hand = bot.hand_message(ANNA)
    await bot.chat.presses(ANNA, hand.ref, "🚪 Leave")
    await bot.settle()

    board = bot.hand_message(ANNA).screen.board
    assert isinstance(board, HandBoard)
    assert (len(board.cards), board.moves) == (6, ())
    assert "Leave? A bot plays on for you" in "".join(span.text for span in board.note)


async def test_a_text_too_long_to_stand_below_a_picture_goes_without(bot: RunningBot) -> None:
    table = await dealt_in_pictures(bot, ANNA, BORIS)
    length = len(bot.hand_message(ANNA).text)
    for caption in (length, length - 1):
        bot.chat.limits = replace(bot.chat.limits, caption=caption)
        hand = await bot.app.hands.open(table.id, ANNA.ref)
        assert hand is not None
        assert text_of(hand) == bot.hand_message(ANNA).text
        assert (hand.picture is None) is (caption < length)


async def test_spectators_are_shown_no_hand(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    assert await bot.app.hands.open(table.id, CLARA.ref) is None
    assert bot.chat.sees_alone(CLARA) == []


async def test_taps_in_a_lobby_show_at_once_as_long_as_the_burst_lasts(bot: RunningBot) -> None:
    bot.chat.budgets = Budgets(public=Budget(seconds=3.0, burst=3), private=Budget(1.0, 3))
    table = await bot.opened(ANNA)
    await bot.skip(60.0)

    for name, user in (("Boris", BORIS), ("Clara", CLARA)):
        await bot.chat.presses(user, bot.table_message().ref, "Join")
        await bot.settle()
        assert name in bot.table_message().text

    await bot.chat.presses(CLARA, bot.table_message().ref, "Leave")
    await bot.settle()
    assert "Clara" in bot.table_message().text  # the rest is for calls

    await bot.skip(3.0)
    assert "Clara" not in bot.table_message().text

    await bot.skip(60.0)
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    assert "Trump" in bot.table_message().text

    for move in range(2):
        before = bot.table_message().text
        await bot.plays(table)
        await bot.settle()
        assert bot.table_message().text == before, move

    await bot.skip(3.0)
    assert bot.table_message().text != before
