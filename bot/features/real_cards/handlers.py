"""`/fool add` and `/fool import`: games with real cards, which count once they are confirmed."""

import asyncio
from dataclasses import replace
from typing import TypeVar

import structlog

from adapters.port import ArgumentKind, ArgumentSpec, Everyone, Limits, Reply, Screen
from bot.features.real_cards import model, screens
from bot.features.real_cards.buttons import CardGameAction, ChangeCardGames
from bot.features.real_cards.game_sheets import Club, NoTableError, games_in
from bot.features.real_cards.part import RealCards
from bot.handlers.event import CommandEvent, RoomPressEvent, Services, appointment, button, word
from bot.handlers.people import by_name, find_people
from bot.locale import LOCALES, gettext_noop
from bot.model.calendar import Appointment
from bot.model.messages import Place
from bot.screens import refusals
from bot.screens.standings import ADD

log = structlog.get_logger()

T = TypeVar("T")

FOLLOW_UP = "cards"  # the kind of appointments that notify fools, and count games after a day


@word(
    "fool",
    ADD,
    ArgumentSpec("fool", gettext_noop("add: who was the fool"), ArgumentKind.PERSON),
    *(
        ArgumentSpec(f"player_{number}", gettext_noop("add: who else played"), ArgumentKind.PERSON)
        for number in range(2, 6)
    ),
    label=gettext_noop("add a game with real cards"),
)
async def add(event: CommandEvent, services: Services) -> Reply:
    """Enters a game with real cards: the fool is named first, then other players; the asker also played."""
    if not event.user.is_person:
        return event.toast(refusals.PEOPLE_ONLY)

    refusal = await _refusal(event, services)
    if refusal is not None:
        return refusal

    names = " ".join(event.command.args[1:])
    people = [*event.command.mentioned, *await find_people(names, event, services), event.user]
    by_ref = {user.ref: user for user in people if user.is_person}
    players = tuple([await services.people.as_seen(user) for user in by_ref.values()])
    if not model.MIN_PLAYERS <= len(players) <= model.MAX_PLAYERS:
        has_names = event.chat.limits.named_arguments
        sentence = screens.CHOOSE_PEOPLE if has_names else screens.NEEDS_PEOPLE
        return event.toast(sentence)

    refusal = event.refuse_post(services)
    if refusal is not None:
        return refusal

    now = services.now()
    cards = services.part(RealCards)
    game = model.CardGame(now, players[0], players)
    locale = event.translator.locale
    number = await cards.store.enter(event.room, event.user, [game], now, locale=locale)
    entered = present(await cards.store.entered(number))
    if entered.is_confirmed(now):
        await cards.store.count(number)

    slot = model.entry_of(number)
    services.answers.hold(slot)
    cards.show(number)

    await _follow_up(event, number, services)
    return Reply(public=await services.answers.screen(slot, event.command.answer_key))


async def _refusal(event: CommandEvent, services: Services) -> Reply | None:
    """Returns a refusal if the asker has entered too much today, or too much is unconfirmed here."""
    store = services.part(RealCards).store
    since = services.now() - model.DAY
    if await store.entries_since(event.user.ref, since) >= model.MAX_ENTRIES_A_DAY:
        return event.toast(screens.ENOUGH_TODAY)
    if await store.waiting(event.room.server) >= model.MAX_WAITING:
        return event.toast(screens.TOO_MANY_WAIT)

    return None


async def _follow_up(event: CommandEvent | RoomPressEvent, number: int, services: Services) -> None:
    """Schedules the notices to fools and the count after a day."""
    now = services.now()
    await services.calendar.put(Appointment(event.room.server, FOLLOW_UP, now, str(number), event.room))


def _way_to_attach(limits: Limits) -> str:
    """Returns the sentence that explains how to send a file in a chat, or that it is impossible."""
    if not limits.documents:
        return refusals.NO_FILE
    return screens.CHOOSE_FILE if limits.named_arguments else screens.NEEDS_FILE


@word(
    "fool",
    "import",
    ArgumentSpec("file", gettext_noop("import: a CSV file with date, fool, players"), ArgumentKind.FILE),
    label=gettext_noop("import games from a file"),
)
async def import_games(event: CommandEvent, services: Services) -> Reply:
    """Shows an admin the games of the attached file; a button counts them."""
    server = event.room.server
    translator = event.reader
    file = event.command.attachment

    if not event.user.is_person:
        return event.toast(refusals.PEOPLE_ONLY)
    if not await event.may_moderate(event.room):
        return event.toast(screens.ONLY_ADMINS_IMPORT)

    if file is None:
        return event.toast(_way_to_attach(event.chat.limits))

    if file.size > model.MAX_BYTES:
        return event.toast(screens.TOO_LARGE)

    refusal = await _refusal(event, services)
    if refusal is not None:
        return refusal

    try:
        content = await file.fetch()
    except OSError:
        return event.toast(screens.NOT_FETCHED)

    store = services.part(RealCards).store
    now = services.now()
    zone = (await services.servers.choices(server)).local_time.zone
    find = by_name(await services.people.known_on(server))
    club = Club(zone, now, find, LOCALES, await store.keys(server))

    try:
        games, problems = await asyncio.to_thread(games_in, content, club)
    except NoTableError as error:
        if not error.line:
            return event.toast(screens.NO_SUCH_FILE)
        return Reply(ephemeral=screens.no_table_screen(error.line, translator))

    if not games:
        return Reply(ephemeral=screens.unreadable_screen(problems, translator))

    locale = event.translator.locale
    number = await store.enter(event.room, event.user, games, now, locale=locale, is_file=True)
    entered = present(await store.entered(number))
    return Reply(ephemeral=screens.preview_screen(entered, problems, zone, translator))


def present(value: T | None) -> T:
    """Returns a value that must exist, such as an entry that was just written."""
    assert value is not None
    return value


# --- changes of an entry ------------------------------------------------------------------------------------


@button(ChangeCardGames)
async def change_card_games(event: RoomPressEvent, button: ChangeCardGames, services: Services) -> Reply:
    """Confirms an entry or takes it back; for a file, counts its games or sets the order of its dates."""
    store = services.part(RealCards).store
    origin = await store.origin(button.number)
    is_here = origin is not None and event.room.server == origin.server
    if origin is None or not (is_here or event.is_in_private_chat):
        return _gone(event)

    is_for_admins = origin.is_file and button.action is not CardGameAction.TAKE_BACK
    if is_for_admins and not (is_here and await event.may_moderate(event.room)):
        return event.toast(screens.ONLY_ADMINS_IMPORT)

    entered = await store.entered(button.number)
    if entered is None or entered.taken_back_by is not None:
        return _gone(event)
    if button.action is CardGameAction.TAKE_BACK:
        return await _take_back(event, entered, services)
    if entered.is_file:
        return await _change_file(event, entered, button.action, services)

    return await _confirm(event, entered, services)


def _gone(event: RoomPressEvent) -> Reply:
    """Answers a press on an entry that was taken back; a private message loses its buttons."""
    if not event.press.on_private_message:
        return event.toast(screens.GONE)
    return Reply(replacement=Screen(event.translator.spans(screens.GONE)))


async def _confirm(event: RoomPressEvent, entered: model.Entered, services: Services) -> Reply:
    """Records a player's confirmation of a game, and counts the game if that is enough."""
    cards = services.part(RealCards)
    user = event.user.ref
    if not entered.may_confirm(user):
        return event.toast(screens.ANOTHER_CONFIRMS)
    if user in entered.confirmed_by:
        return event.toast(refusals.ALREADY_SO)

    store = cards.store
    await store.confirm(entered.id, user)
    confirmed = replace(entered, confirmed_by=entered.confirmed_by | {user})
    if confirmed.is_confirmed(services.now()):
        await store.count(entered.id)

    if user == entered.fool.ref:
        await cards.set_notified(user, entered)

    return await _show(event, entered.id, services)


async def _take_back(event: RoomPressEvent, entered: model.Entered, services: Services) -> Reply:
    """Takes back an entry, if the asker may; a fool named in a file takes out only their own games."""
    cards = services.part(RealCards)
    now = services.now()
    user = event.user.ref
    is_here = event.room.server == entered.server
    is_own = user == entered.by.ref and now < entered.at + model.DAY

    if not (is_own or (is_here and await event.may_moderate(event.room))):
        if not entered.may_object(user, now):
            return event.toast(screens.NOT_YOURS_TO_TAKE_BACK)

        await cards.set_notified(user, entered)
        if entered.is_file:
            await cards.store.take_out(entered.id, user)
            taken_out = None if event.press.on_private_message else screens.taken_out_screen(event.translator)
            return replace(await _show(event, entered.id, services), ephemeral=taken_out)

    await cards.store.take_back(entered.id, event.user)
    return await _show(event, entered.id, services)


async def _change_file(
    event: RoomPressEvent, entered: model.Entered, action: CardGameAction, services: Services
) -> Reply:
    """Counts the games of a file, or records the order of day and month in it."""
    store = services.part(RealCards).store
    if action is not CardGameAction.COUNT:
        is_month_first = action is CardGameAction.MONTH_FIRST
        await store.settle_order(entered.id, is_month_first=is_month_first)

    if action is not CardGameAction.COUNT or entered.month_first is not None:
        entered = present(await store.entered(entered.id))
        zone = (await services.servers.choices(entered.server)).local_time.zone
        return Reply(replacement=screens.preview_screen(entered, (), zone, event.translator))

    await store.count(entered.id)
    await _follow_up(event, entered.id, services)
    return await _show(event, entered.id, services)


async def _show(event: RoomPressEvent, number: int, services: Services) -> Reply:
    """Updates all messages of an entry, and the pressed message in any case."""
    cards = services.part(RealCards)
    message = event.press.message
    slot = model.entry_of(number)
    is_public = not event.press.on_private_message
    is_followed = await services.message_index.slot_in(message, slot.subject) is not None

    if is_public and not is_followed:  # a preview, or a message that a kill left in mid-post
        await services.outbox.take(slot, Place(Everyone(event.room)), message)

    entered = await cards.store.entered(number)
    cards.show(number)
    if is_public or is_followed or entered is None:
        return Reply()

    return Reply(replacement=screens.state_screen(entered, event.translator))


# --- the alleged fools ----------------------------------------------------------------------


@appointment(FOLLOW_UP, latest=model.OBJECTION_SECONDS, at_night=True, is_repeatable=True)
async def follow_up(due: Appointment, services: Services) -> float | None:
    """Notifies fools of games that others entered, but not at night.

    After a day counts a game that other players confirmed while its fool did not answer.
    """
    cards = services.part(RealCards)
    number = int(due.about)
    entered = await cards.store.entered(number)
    if entered is None or due.room is None:
        return None

    now = services.now()
    if now < entered.notice_at:
        return entered.notice_at - now

    cards.show(number)
    local = (await services.servers.choices(due.server)).local_time
    if entered.unnotified and local.is_quiet(now):
        return local.by_day(now) - now

    if entered.counts or entered.is_file or entered.taken_back_by is not None:
        return None

    day_over = entered.asked_at + model.DAY
    if now < day_over:
        return day_over - now

    if entered.is_confirmed(now):
        await cards.store.count(number)
        cards.show(number)

    return None
