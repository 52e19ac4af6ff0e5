"""Rules of one's own, somebody who gives up, and a deal that is checked: by buttons, in every chat."""

import pytest

from tests.e2e.chats import Chat, Person, Shown
from tests.e2e.game import hand_with, heard, newest_public, press, result, until
from tests.e2e.process import BotProcess
from tests.e2e.record import games

pytestmark = pytest.mark.timeout(120)


async def tap(person: Person, label: str) -> None:
    """Press a button of the settings: they are open for the opener alone, or below the table."""

    async def look() -> tuple[Shown, str] | None:
        for shown in (*reversed(await person.private()), *reversed(await person.public())):
            if label in shown.buttons.values():
                return shown, shown.token(label)
        return None

    shown, token = await until(look, f"the button {label!r}")
    await person.presses(shown, token)


async def test_a_setting_a_game_given_up_and_a_deal_that_holds(chat: Chat, bot: BotProcess) -> None:
    anna, boris = await chat.newcomer("Anna"), await chat.newcomer("Boris")
    await anna.types("/durak podkidnoy-36")
    await press(boris, "Join")
    await press(anna, "Settings")
    await tap(anna, "Transfer: off")
    await tap(anna, "Deck: 36")
    await tap(anna, "52")
    await newest_public(boris, "Deck: 52 · Transfer: on")
    await tap(anna, "OK")
    await press(anna, "Start")
    for label in ("🚪 Leave", "Resign"):
        shown, token = await hand_with(boris, label)
        await boris.presses(shown, token)
    await until(lambda: result(anna), "the result")
    assert "Boris is the fool" in (await newest_public(anna, "🔑 Key: ")).text
    (game,) = games(bot.database)
    assert (game.opening.rules.deck, game.opening.rules.transfer) == (52, True)
    verdict = await heard(anna, "/verify")
    assert "✅" in verdict
    assert "❌" not in verdict
    assert game.opening.seed in verdict
