"""The right to a new deal: everybody is asked, so nobody can see who has the right."""

from bot.tables.house_players import QUICK_SECONDS
from engine import Keep, Redeal
from engine.runtime import Author
from tests.bot.running_bot import ANNA, BORIS, RunningBot

RULES = "podkidnoy-36 redeal_same_suit=4 redeal_needs_no_trump=off"
# Everyone is asked, and hardly anyone ever has a hand of one suit.
NOBODYS = "podkidnoy-36 redeal_same_suit=6 redeal_needs_no_trump=off"

ASKED = "keep your cards, or a new deal?"


async def test_the_table_waits_for_every_person_whatever_they_hold(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS, rules=RULES)
    for label in ("Add bot", "Add bot", "Start"):
        await bot.chat.presses(ANNA, bot.table_message().ref, label)

    await bot.skip(30.0)
    state = (await bot.session(table)).state
    assert state is not None
    assert state.awaited == {0, 1}
    assert f"Anna and Boris: {ASKED}" in bot.table_message().text
    assert not state.bout


async def test_house_players_answer_after_one_pause_all_at_once(slow_bot: RunningBot) -> None:
    bot = slow_bot
    table = await bot.opened(ANNA, rules=NOBODYS)
    for label in ("Add bot", "Add bot", "Start"):
        await bot.chat.presses(ANNA, bot.table_message().ref, label)

    await bot.skip(3.0 - QUICK_SECONDS)
    await bot.skip(QUICK_SECONDS)
    state = (await bot.session(table)).state
    assert state is not None
    assert state.awaited == {0}


async def test_answers_that_cross_are_both_heard(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=RULES)
    for person in (ANNA, BORIS):
        assert "Keep my cards" in [button.label for button in bot.hand_message(person).buttons]
        assert (await bot.presses_move(table, person, "K", version=1)).toast is None

    await bot.settle()
    state = (await bot.session(table)).state
    assert state is not None
    assert state.awaited == {state.attacker}
    assert ASKED not in bot.table_message().text


async def test_a_new_deal_is_told_and_everybody_is_asked_again(bot: RunningBot) -> None:
    entitled: list[int] = []
    while not entitled:
        await bot.stopped(ANNA, BORIS)
        table = await bot.dealt(ANNA, BORIS, rules=RULES)
        session = await bot.session(table)
        assert session.state is not None
        entitled = [seat for seat in (0, 1) if Redeal() in session.state.legal_moves(seat)]

    person = (ANNA, BORIS)[entitled[0]]
    await bot.presses_move(table, person, "R")
    await bot.settle()

    assert f"New deal, as {person.name} asked." in bot.table_message().text
    assert session.state is not None
    assert session.state.undecided == {0, 1}


async def test_the_clock_keeps_the_cards_of_who_is_absent(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=RULES)
    await bot.skip(120.0)
    entries = (await bot.session(table)).entries[1:]
    assert [(entry.seat, entry.author, entry.text) for entry in entries] == [
        (seat, Author.CLOCK, str(Keep())) for seat in (0, 1)
    ]
