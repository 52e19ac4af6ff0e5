"""`/fool add` and `/fool import`: games with real cards, which count once another player confirms them."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence

from adapters.port import Reply, User
from bot.handlers.event import CommandEvent, RoomPressEvent, Services, button
from bot.model import card_games
from bot.model.buttons import CardGameAction, ChangeCardGames
from bot.screens import card_games as screens
from bot.screens.words import InvalidArgumentError, safe_name

ADD, IMPORT = "add", "import"  # what is typed after /fool


async def add(event: CommandEvent, services: Services) -> Reply:
    """Note a game with real cards: the fool is named first, then who else played, and the asker did, too."""
    server, translator = event.room.server, event.translator
    typed = " ".join(event.command.args[1:])
    people = [*event.command.mentioned, *await people_named(typed, event, services), event.user]
    players = tuple({user.ref: user for user in people if user.is_person}.values())
    if not card_games.LEAST_PLAYERS <= len(players) <= card_games.MOST_PLAYERS:
        return event.toast(screens.NEEDS_PEOPLE)
    now = services.now()
    game = card_games.CardGame(now, players[0], players)
    entered = await services.card_games.enter(server, event.user.ref, [game], now)
    return Reply(public=screens.entered_screen(entered, translator))


async def people_named(text: str, event: CommandEvent, services: Services) -> list[User]:
    """Find the people whose names are typed: one, or several of one word each.

    Raises:
        InvalidArgumentError: A name is of no person who is known here.
    """
    if not text:
        return []
    named = by_name(await services.card_games.people(event.room.server))
    if len(whole := named(text)) == 1:
        return list(whole)
    found = list[User]()
    for word in text.split():
        people = named(word)
        if len(people) != 1:
            sentence = event.translator.text(screens.NOBODY_CALLED_SO, name=safe_name(word))
            raise InvalidArgumentError(sentence)
        found += people
    return found


def by_name(people: Sequence[User]) -> Callable[[str], Sequence[User]]:
    """Return what finds the people who show a name, as it is typed, with or without its `@`."""
    called = defaultdict[str, list[User]](list)
    for user in people:
        called[safe_name(user.name).casefold()].append(user)
    return lambda name: called.get(safe_name(name.removeprefix("@")).casefold(), [])


async def import_games(event: CommandEvent, services: Services) -> Reply:
    """Show an admin what the file holds that came with the command; a button counts it."""
    server, translator, file = event.room.server, event.translator, event.command.attachment
    if not await event.may_moderate(event.room):
        return event.toast(screens.ONLY_ADMINS_IMPORT)
    if file is None:
        return event.toast(screens.NEEDS_FILE)
    if file.size > card_games.MOST_BYTES:
        return event.toast(screens.TOO_LARGE)
    try:
        content = await file.fetch()
    except OSError:
        return event.toast(screens.NOT_FETCHED)
    store, now = services.card_games, services.now()
    zone = (await services.servers.choices(server)).local_time.zone
    named, known = by_name(await store.people(server)), {game.key for game in await store.all_of(server)}
    try:
        games, problems = await asyncio.to_thread(card_games.games_in, content, zone, now, named, known)
    except card_games.NoTableError:
        return event.toast(screens.NO_SUCH_FILE)
    if not games:
        return Reply(personal=screens.unreadable_screen(problems, translator))
    entered = await store.enter(server, event.user.ref, games, now)
    if len(games) == 1:
        unread = screens.unreadable_screen(problems, translator) if problems else None
        return Reply(public=screens.entered_screen(entered, translator), personal=unread)
    return Reply(personal=screens.preview_screen(entered, problems, translator))


@button(ChangeCardGames)
async def change_card_games(event: RoomPressEvent, pressed: ChangeCardGames, services: Services) -> Reply:
    """Count games that were entered, or take them back."""
    server, store = event.room.server, services.card_games
    entered = await store.entered(server, pressed.number)
    if entered is None:
        return event.toast(screens.GONE)
    public = await services.people.translator_in(server, event.user)
    if pressed.action is CardGameAction.TAKE_BACK:
        is_own = event.user.ref == entered.by and services.now() < entered.at + card_games.DAY
        if not (is_own or await event.may_moderate(event.room)):
            return event.toast(screens.NOT_YOURS_TO_TAKE_BACK)
        await store.take_back(server, entered.id)
        return Reply(replacement=screens.taken_back_screen(entered, public))
    if len(entered.games) > 1:  # those of a file are for admins
        if not await event.may_moderate(event.room):
            return event.toast(screens.ONLY_ADMINS_IMPORT)
    elif event.user.ref not in {player.ref for player in entered.games[0].players} - {entered.by}:
        return event.toast(screens.ANOTHER_CONFIRMS)
    await store.count(server, entered.id)
    counted = await store.entered(server, entered.id)
    if counted is None:
        return event.toast(screens.GONE)
    shown = screens.entered_screen(counted, public)
    was_shown_alone = event.press.is_private and not event.is_in_private_chat
    return Reply(replacement=shown, public=shown if was_shown_alone else None)
