"""In a person's first game, the hands of the first rounds explain the possible moves."""

from dataclasses import replace

import pytest

from adapters.port import HandBoard
from bot.screens.coaching import COACHED_ROUNDS, coaching_line
from bot.screens.hand import Hand
from engine import BeatenOff, Event, Rules, State
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot
from tests.bot.screens.scenes import scene_of

SIGN = "🎓"
RULES = Rules(deck=36)


def coaching(state: State, seat: int, events: tuple[Event, ...] = ()) -> str:
    hand = Hand(scene_of(state, events), state.view_for(seat), 1, moves=state.legal_moves(seat))
    return "".join([span.text for span in coaching_line(hand)])


def dealt(*hands: str, rules: Rules = RULES) -> State:
    return State.setup(rules, hands=list(hands), talon="", trump="H", attacker=0)


def after(state: State, *moves: tuple[int, str]) -> State:
    for seat, text in moves:
        move = next(each for each in state.legal_moves(seat) if str(each) == text)
        state = state.apply(seat, move).state
    return state


@pytest.mark.parametrize(
    ("state", "seat", "told"),
    [
        (dealt("6S 7S", "8S 9D", "6C 8D"), 0, "Any card will do."),
        (dealt("6S 7S", "8S 9D", "6C 8D"), 1, ""),
        (after(dealt("6S 7S", "8S 9D", "6C 8D"), (0, "A 6S")), 1, "A higher card of the same suit"),
        (after(dealt("6S 7S", "9C 9D", "6C 8D"), (0, "A 6S")), 1, "What you take is yours"),
        (after(dealt("6S 8C", "8S 9D", "AC 8D"), (0, "A 6S"), (1, "D 6S 8S")), 0, "You may add cards"),
        (
            after(dealt("6S 7S", "6D 9S", "7C 8D", rules=replace(RULES, transfer=True)), (0, "A 6S")),
            1,
            "Or pass it on with the same rank.",
        ),
    ],
    ids=["lead", "wait", "beat", "take", "throw in", "transfer"],
)
def test_a_beginner_is_coached_in_what_they_can_do_now(state: State, seat: int, told: str) -> None:
    assert told in coaching(state, seat)
    assert bool(told) is bool(coaching(state, seat))


def test_a_lesson_about_trumps_names_their_suit() -> None:
    state = dealt("6S 7S", "8S 9D", "6C 8D")
    assert coaching(state, 0).endswith("Trump: ♥.")
    assert "♥" not in coaching(after(state, (0, "A 6S"), (1, "D 6S 8S")), 0)


def test_coaching_ends_with_the_first_rounds() -> None:
    state = dealt("6S 7S", "8S 9D", "6C 8D")
    assert coaching(state, 0, (BeatenOff(1, 2),) * (COACHED_ROUNDS - 1))
    assert not coaching(state, 0, (BeatenOff(1, 2),) * COACHED_ROUNDS)


async def test_a_chat_that_draws_cards_itself_gets_the_line_beside_them(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, boards=True)
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    shown = bot.hand_message(await bot.waiting_for(table)).screen.board
    assert isinstance(shown, HandBoard)
    assert SIGN in "".join(span.text for span in shown.note)
    assert shown.idle or len(shown.moves) >= len(shown.cards), "other cards can still be tapped"


async def test_only_the_first_game_of_a_person_is_coached(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    assert SIGN in bot.hand_message(await bot.waiting_for(table)).text
    assert not any(SIGN in message.text for message in bot.chat.room_sees())

    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    for user in (ANNA, BORIS):
        await bot.app.tables.rematch(table.id, user)

    await bot.app.tables.start(table.id, ANNA.ref, event="start")
    await bot.settle()
    assert SIGN not in bot.hand_message(await bot.waiting_for(table)).text
