"""`/fool add` and `/fool import`: games with real cards, which count once the fool or other players agree."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import TypeVar

import structlog

from adapters.port import ArgumentKind, ArgumentSpec, Delivered, Only, Reply, Screen, Throttled, User
from bot.features.real_cards import model, screens
from bot.features.real_cards.buttons import CardGameAction, ChangeCardGames
from bot.features.real_cards.game_sheets import Club, NoTableError, games_in
from bot.features.real_cards.part import SHOW_AGAIN, RealCards
from bot.handlers.event import CommandEvent, RoomPressEvent, Services, appointment, button, word
from bot.handlers.people import by_name, find_people
from bot.locale import LOCALES, gettext_noop
from bot.model.calendar import Appointment
from bot.screens import refusals
from bot.screens.standings import ADD

log = structlog.get_logger()

T = TypeVar("T")

FOLLOW_UP = "cards"  # the kind of appointments that tell fools, and count games that waited for a day

# Seconds after which a fool is notified: by then the room has the message that the call leads to.
TOLD_SECONDS = 5.0


@word(
    "fool",
    ADD,
    ArgumentSpec("fool", gettext_noop("add: who was the fool"), ArgumentKind.PERSON),
    *(
        ArgumentSpec(f"player_{number}", gettext_noop("add: who else played"), ArgumentKind.PERSON)
        for number in range(2, 6)
    ),
)
async def add(event: CommandEvent, services: Services) -> Reply:
    """Keeps a game with real cards: the fool is named first, then the others, and the asker played, too."""
    server = event.room.server
    if not event.user.is_person:
        return event.toast(refusals.PEOPLE_ONLY)

    refusal = await _refusal(event, services)
    if refusal is not None:
        return refusal

    typed = " ".join(event.command.args[1:])
    people = [*event.command.mentioned, *await find_people(typed, event, services), event.user]
    named = {user.ref: user for user in people if user.is_person}
    players = tuple([await services.people.as_seen(user) for user in named.values()])
    if not model.MIN_PLAYERS <= len(players) <= model.MAX_PLAYERS:
        has_names = event.chat.limits.named_arguments
        sentence = screens.CHOOSE_PEOPLE if has_names else screens.NEEDS_PEOPLE
        return event.toast(sentence)

    refusal = event.refuse_post(services)
    if refusal is not None:
        return refusal

    now = services.now()
    store = services.part(RealCards).store
    number = await store.enter(server, event.user, [model.CardGame(now, players[0], players)], now)
    entered = present(await store.entered(number))
    if entered.is_confirmed(now):
        await store.count(number)
        entered = replace(entered, counts=True)

    await _follow_up(event, number, services)
    return Reply(public=screens.entered_screen(entered, event.translator))


async def _refusal(event: CommandEvent, services: Services) -> Reply | None:
    """Refuses to enter more where there is enough."""
    store = services.part(RealCards).store
    since = services.now() - model.DAY
    if await store.entries_since(event.user.ref, since) >= model.MAX_ENTRIES_A_DAY:
        return event.toast(screens.ENOUGH_TODAY)
    if await store.waiting(event.room.server) >= model.MAX_WAITING:
        return event.toast(screens.TOO_MANY_WAIT)

    return None


async def _follow_up(event: CommandEvent | RoomPressEvent, number: int, services: Services) -> None:
    """Schedules the notices to fools."""
    at = services.now() + TOLD_SECONDS
    await services.calendar.put(Appointment(event.room.server, FOLLOW_UP, at, str(number), event.room))


@word(
    "fool",
    "import",
    ArgumentSpec("file", gettext_noop("import: a CSV file with date, fool, players"), ArgumentKind.FILE),
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
        has_names = event.chat.limits.named_arguments
        sentence = screens.CHOOSE_FILE if has_names else screens.NEEDS_FILE
        return event.toast(sentence)

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
    named = by_name(await services.people.known_on(server))
    club = Club(zone, now, named, LOCALES, await store.keys(server))

    try:
        games, problems = await asyncio.to_thread(games_in, content, club)
    except NoTableError as error:
        if not error.line:
            return event.toast(screens.NO_SUCH_FILE)
        return Reply(ephemeral=screens.no_table_screen(error.line, translator))

    if not games:
        return Reply(ephemeral=screens.unreadable_screen(problems, translator))

    number = await store.enter(server, event.user, games, now, is_file=True)
    entered = present(await store.entered(number))
    return Reply(ephemeral=screens.preview_screen(entered, problems, zone, translator))


def present(value: T | None) -> T:
    """Returns an entry that was written just now."""
    assert value is not None
    return value


# --- the life of an entry -----------------------------------------------------------------------------------


@button(ChangeCardGames)
async def change_card_games(event: RoomPressEvent, pressed: ChangeCardGames, services: Services) -> Reply:
    """Counts games that were entered, or takes them back."""
    store = services.part(RealCards).store
    origin = await store.origin(pressed.number)
    is_here = origin is not None and event.room.server == origin.server
    if origin is None or not (is_here or event.is_in_private_chat):
        return _gone(event)

    is_for_admins = origin.is_file and pressed.action is not CardGameAction.TAKE_BACK
    if is_for_admins and not (is_here and await event.may_moderate(event.room)):
        return event.toast(screens.ONLY_ADMINS_IMPORT)

    entered = await store.entered(pressed.number)
    if entered is None:
        return _gone(event)
    if pressed.action is CardGameAction.TAKE_BACK:
        return await _take_back(event, entered, services)
    if entered.is_file:
        return await _change_file(event, entered, pressed.action, services)

    return await _confirm(event, entered, services)


def _gone(event: RoomPressEvent) -> Reply:
    """Answers a press on games that were taken back; a private message keeps no buttons for them."""
    if not event.press.on_private_message:
        return event.toast(screens.GONE)
    return Reply(replacement=Screen(event.translator.spans(screens.GONE)))


async def _confirm(event: RoomPressEvent, entered: model.Entered, services: Services) -> Reply:
    """Keeps that a player confirms a game, and counts it if that is enough."""
    cards = services.part(RealCards)
    if not entered.may_confirm(event.user.ref):
        return event.toast(screens.ANOTHER_CONFIRMS)

    store = cards.store
    await store.confirm(entered.id, event.user.ref)
    confirmed = replace(entered, confirmed_by=entered.confirmed_by | {event.user.ref})
    if confirmed.is_confirmed(services.now()):
        await store.count(entered.id)
        confirmed = replace(confirmed, counts=True)

    if event.user.ref == entered.fool.ref:
        await cards.set_notified(event.user.ref, entered.server, entered.id)

    return await _show(event, confirmed, services)


async def _take_back(event: RoomPressEvent, entered: model.Entered, services: Services) -> Reply:
    """Takes games out at once, for anybody with the right to."""
    cards = services.part(RealCards)
    store = cards.store
    now = services.now()
    user = event.user.ref
    is_here = event.room.server == entered.server
    is_own = user == entered.by.ref and now < entered.at + model.DAY

    if not (is_own or (is_here and await event.may_moderate(event.room))):
        if not entered.may_object(user, now):
            return event.toast(screens.NOT_YOURS_TO_TAKE_BACK)

        await cards.set_notified(user, entered.server, entered.id)
        if entered.is_file:
            await store.take_out(entered.id, user)
            await cards.show_again(entered.id, pressed=event.press.message)
            return _alone(event, screens.taken_out_screen(event.translator))

    copies = await store.copies(entered.id)
    await store.take_back(entered.id)
    draw = partial(screens.taken_back_screen, entered, event.user)
    await cards.redraw(copies, draw, entered, pressed=event.press.message)

    public = await cards.translator_there(entered)
    reader = event.translator if event.press.on_private_message else public
    return Reply(replacement=screens.taken_back_screen(entered, event.user, reader))


def _alone(event: RoomPressEvent, screen: Screen) -> Reply:
    """Answers in place of the pressed message, unless that one is public."""
    return Reply(replacement=screen) if event.press.on_private_message else Reply(ephemeral=screen)


async def _change_file(
    event: RoomPressEvent, entered: model.Entered, action: CardGameAction, services: Services
) -> Reply:
    """Counts the games of a file, or keeps how its dates are read."""
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
    return await _show(event, replace(entered, counts=True), services)


async def _show(event: RoomPressEvent, entered: model.Entered, services: Services) -> Reply:
    """Shows the state of games where that was pressed, and wherever else they are shown."""
    cards = services.part(RealCards)
    store = cards.store
    pressed = event.press.message
    copies = await store.copies(entered.id)
    is_known = any(copy.fool is None or copy.message == pressed for copy in copies)
    if not is_known and not event.press.on_private_message:  # the process ended as it was posted
        await store.note_post(entered.id, event.room, pressed)

    await cards.show_again(entered.id, pressed=pressed)
    public = await cards.translator_there(entered)
    shown = screens.entered_screen(entered, public)
    if not event.press.on_private_message:
        return Reply(replacement=shown)

    own = screens.entered_screen(entered, event.translator)
    is_news = entered.is_file and not event.is_in_private_chat
    news = shown if is_news else None
    return Reply(replacement=own, public=news)


# --- the alleged fools ----------------------------------------------------------------------


@appointment(SHOW_AGAIN, at_night=True, is_repeatable=True)
async def show_again(due: Appointment, services: Services) -> float | None:
    """Shows games as they are now, after a chat took no edit of a message about them."""
    await services.part(RealCards).show_again(int(due.about))
    return None


@appointment(FOLLOW_UP, latest=model.OBJECTION_SECONDS, at_night=True, is_repeatable=True)
async def follow_up(due: Appointment, services: Services) -> float | None:
    """Notifies fools by day of games that others entered, and counts those confirmed in their silence."""
    cards = services.part(RealCards)
    number = int(due.about)
    entered = await cards.store.entered(number)
    if entered is None or due.room is None:
        return None

    now = services.now()
    unnotified = entered.unnotified
    local = (await services.servers.choices(due.server)).local_time
    if unnotified and local.is_quiet(now):
        return local.by_day(now) - now

    for fool in unnotified:
        retry_after = await _tell(fool, entered, due, services)
        if retry_after is not None:
            return retry_after

    asked = await cards.store.entered(number)
    if asked is None or asked.counts or asked.is_file:
        return None

    day_over = asked.asked_at + model.DAY
    if now < day_over:
        return day_over - now

    if asked.is_confirmed(now):
        await cards.store.count(number)
        await cards.show_again(number)

    return None


async def _tell(fool: User, entered: model.Entered, due: Appointment, services: Services) -> float | None:
    """Writes to a fool in private, or waits for their next press; returns the seconds until another try."""
    cards = services.part(RealCards)
    assert due.room is not None
    post = await cards.store.post_of(entered.id)
    translator = await cards.translator_of(fool.ref, entered)
    message = None if post is None else post[1]
    screen = screens.fool_notice_screen(entered, fool, message, translator)
    match await services.announcements.post(Only(fool.ref, due.room), screen):
        case Throttled(retry_after):
            return retry_after
        case Delivered(ref):
            asked = model.Copy(due.room, ref, fool.ref, is_private=True)
            await cards.store.note_question(entered.id, asked)
            await cards.set_notified(fool.ref, entered.server, entered.id)
        case _:
            cards.wait_for(fool.ref, entered.server, entered.id)

    return None
