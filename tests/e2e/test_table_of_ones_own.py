"""Custom rules, a resignation and a verified deal, by buttons in every chat."""

from tests.e2e.chats import Chat, Person, Shown
from tests.e2e.discord import Member
from tests.e2e.game import hand_with, newest_public, press, result, until
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.e2e.web import Visitor


async def tap(person: Person, label: str) -> None:
    """Presses a button of the settings, which are open for the host alone or below the table."""

    async def look() -> tuple[Shown, str] | None:
        for shown in (*reversed(await person.private()), *reversed(await person.public())):
            if label in shown.buttons.values():
                return shown, shown.token(label)
        return None

    shown, token = await until(look, f"the button {label!r}")
    await person.presses(shown, token)


async def choose(person: Person) -> None:
    """Chooses transfers and 52 cards by buttons, or in menus, where a switch has its values as well."""
    transfers = ("Transfers: off", "on") if isinstance(person, Member) else ("Transfers: off",)
    for label in (*transfers, "Deck: 36", "52", "OK"):
        await tap(person, label)


async def fill_in(visitor: Visitor) -> None:
    """Chooses the same rules in the form of the page."""
    form = visitor.guest.page.locator("#form")
    await form.get_by_role("checkbox", name="Transfers", exact=True).check()
    deck = form.get_by_role("radiogroup", name="Deck")
    await deck.get_by_role("radio", name="52").check()
    await visitor.guest.page.keyboard.press("Escape")


async def test_a_setting_a_game_given_up_and_a_deal_that_holds(chat: Chat, bot: BotProcess) -> None:
    anna = await chat.newcomer("Anna")
    boris = await chat.newcomer("Boris")
    await anna.types("/durak podkidnoy-36")
    await press(boris, "Join")
    await press(anna, "Settings")

    if isinstance(anna, Visitor):
        await fill_in(anna)
    else:
        await choose(anna)

    await newest_public(boris, "Deck: 52 · Transfers: on")
    await press(anna, "Start")
    for label in ("🚪 Leave", "Resign"):
        shown, token = await hand_with(boris, label)
        await boris.presses(shown, token)

    await until(lambda: result(anna), "the result")
    assert "Boris is the fool" in (await newest_public(anna, " is the fool!")).text

    (game,) = games(bot.database)
    assert (game.opening.rules.deck, game.opening.rules.transfer) == (52, True)

    await anna.types("/verify")
    verdict = (await newest_public(anna, "✅")).text
    assert "❌" not in verdict
    assert game.opening.seed in verdict
