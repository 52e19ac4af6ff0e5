"""`/fool add` and `/fool import`: games with real cards, which count once the fool or other players agree."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import structlog

from adapters.port import (
    Delivered,
    Delivery,
    Everyone,
    MessageRef,
    Only,
    Press,
    Reply,
    RoomRef,
    Screen,
    Throttled,
    User,
    UserRef,
)
from bot.handlers.event import CommandEvent, RoomPressEvent, Services, appointment, button
from bot.handlers.people import by_name, find_people
from bot.locale import LOCALES, Translator
from bot.model import card_games
from bot.model.buttons import CardGameAction, ChangeCardGames, card_games_of
from bot.model.calendar import Appointment
from bot.model.game_sheets import Club, NoTableError, games_in
from bot.screens import card_games as screens

log = structlog.get_logger()

T = TypeVar("T")

IMPORT = "import"  # typed after /fool
FOLLOW_UP = "cards"  # the kind of appointments that tell fools, and count games that waited for a day

# Seconds after which a fool is notified: by then the room has the message that the call leads to.
TOLD_SECONDS = 5.0


async def add(event: CommandEvent, services: Services) -> Reply:
    """Keeps a game with real cards: the fool is named first, then the others, and the asker played, too."""
    server = event.room.server
    refusal = await _refusal(event, services)
    if refusal is not None:
        return refusal

    typed = " ".join(event.command.args[1:])
    people = [*event.command.mentioned, *await find_people(typed, event, services), event.user]
    named = {user.ref: user for user in people if user.is_person}
    players = tuple([await services.people.as_seen(user) for user in named.values()])
    if not card_games.MIN_PLAYERS <= len(players) <= card_games.MAX_PLAYERS:
        has_names = event.chat.limits.named_arguments
        sentence = screens.CHOOSE_PEOPLE if has_names else screens.NEEDS_PEOPLE
        return event.toast(sentence)

    refusal = event.refuse_post(services)
    if refusal is not None:
        return refusal

    now = services.now()
    store = services.card_games.store
    number = await store.enter(server, event.user, [card_games.CardGame(now, players[0], players)], now)
    entered = present(await store.entered(number))
    if entered.is_confirmed(now):
        await store.count(number)
        entered = replace(entered, counts=True)

    await _follow_up(event, number, services)
    return Reply(public=screens.entered_screen(entered, event.translator))


async def _refusal(event: CommandEvent, services: Services) -> Reply | None:
    """Refuses to enter more where there is enough."""
    store = services.card_games.store
    since = services.now() - card_games.DAY
    if await store.entries_since(event.user.ref, since) >= card_games.MAX_ENTRIES_A_DAY:
        return event.toast(screens.ENOUGH_TODAY)
    if await store.waiting(event.room.server) >= card_games.MAX_WAITING:
        return event.toast(screens.TOO_MANY_WAIT)

    return None


async def _follow_up(event: CommandEvent | RoomPressEvent, number: int, services: Services) -> None:
    """Schedules the notices to fools."""
    at = services.now() + TOLD_SECONDS
    await services.calendar.put(Appointment(event.room.server, FOLLOW_UP, at, str(number), event.room))


async def import_games(event: CommandEvent, services: Services) -> Reply:
    """Shows an admin the games of the attached file; a button counts them."""
    server = event.room.server
    translator = event.reader
    file = event.command.attachment

    if not await event.may_moderate(event.room):
        return event.toast(screens.ONLY_ADMINS_IMPORT)

    if file is None:
        has_names = event.chat.limits.named_arguments
        sentence = screens.CHOOSE_FILE if has_names else screens.NEEDS_FILE
        return event.toast(sentence)

    if file.size > card_games.MAX_BYTES:
        return event.toast(screens.TOO_LARGE)

    refusal = await _refusal(event, services)
    if refusal is not None:
        return refusal

    try:
        content = await file.fetch()
    except OSError:
        return event.toast(screens.NOT_FETCHED)

    store = services.card_games.store
    now = services.now()
    zone = (await services.servers.choices(server)).local_time.zone
    named = by_name(await store.people(server))
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
    store = services.card_games.store
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


async def _confirm(event: RoomPressEvent, entered: card_games.Entered, services: Services) -> Reply:
    """Keeps that a player confirms a game, and counts it if that is enough."""
    if not entered.may_confirm(event.user.ref):
        return event.toast(screens.ANOTHER_CONFIRMS)

    store = services.card_games.store
    await store.confirm(entered.id, event.user.ref)
    confirmed = replace(entered, confirmed_by=entered.confirmed_by | {event.user.ref})
    if confirmed.is_confirmed(services.now()):
        await store.count(entered.id)
        confirmed = replace(confirmed, counts=True)

    if event.user.ref == entered.fool.ref:
        await services.card_games.set_notified(event.user.ref, entered.server, entered.id)

    return await _show(event, confirmed, services)


async def _take_back(event: RoomPressEvent, entered: card_games.Entered, services: Services) -> Reply:
    """Takes games out at once, for anybody with the right to."""
    store = services.card_games.store
    now = services.now()
    user = event.user.ref
    is_here = event.room.server == entered.server
    is_own = user == entered.by.ref and now < entered.at + card_games.DAY

    if not (is_own or (is_here and await event.may_moderate(event.room))):
        if not entered.may_object(user, now):
            return event.toast(screens.NOT_YOURS_TO_TAKE_BACK)

        await services.card_games.set_notified(user, entered.server, entered.id)
        if entered.is_file:
            await store.take_out(entered.id, user)
            await show_again(entered.id, services, pressed=event.press.message)
            return _alone(event, screens.taken_out_screen(event.translator))

    copies = await store.copies(entered.id)
    await store.take_back(entered.id)
    draw = partial(screens.taken_back_screen, entered, event.user)
    await _redraw(copies, draw, entered, services, pressed=event.press.message)

    public = await _translator_there(entered, services)
    reader = event.translator if event.press.on_private_message else public
    return Reply(replacement=screens.taken_back_screen(entered, event.user, reader))


def _alone(event: RoomPressEvent, screen: Screen) -> Reply:
    """Answers in place of the pressed message, unless that one is public."""
    return Reply(replacement=screen) if event.press.on_private_message else Reply(ephemeral=screen)


async def _change_file(
    event: RoomPressEvent, entered: card_games.Entered, action: CardGameAction, services: Services
) -> Reply:
    """Counts the games of a file, or keeps how its dates are read."""
    store = services.card_games.store
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


async def _show(event: RoomPressEvent, entered: card_games.Entered, services: Services) -> Reply:
    """Shows the state of games where that was pressed, and wherever else they are shown."""
    store = services.card_games.store
    pressed = event.press.message
    copies = await store.copies(entered.id)
    is_known = any(copy.fool is None or copy.message == pressed for copy in copies)
    if not is_known and not event.press.on_private_message:  # the process ended as it was posted
        await store.note_post(entered.id, event.room, pressed)

    await show_again(entered.id, services, pressed=pressed)
    public = await _translator_there(entered, services)
    shown = screens.entered_screen(entered, public)
    if not event.press.on_private_message:
        return Reply(replacement=shown)

    own = screens.entered_screen(entered, event.translator)
    is_news = entered.is_file and not event.is_in_private_chat
    news = shown if is_news else None
    return Reply(replacement=own, public=news)


async def _translator_there(entered: card_games.Entered, services: Services) -> Translator:
    """Returns the translator of the message with the games: in the language of their author."""
    return await services.people.translator_in(entered.server, entered.by)


async def _translator_of(fool: UserRef, entered: card_games.Entered, services: Services) -> Translator:
    """Returns the translator for a fool, whose language nobody may know yet."""
    if not await services.people.language(fool):
        return await _translator_there(entered, services)
    return await services.people.translator_for(fool)


async def show_again(number: int, services: Services, *, pressed: MessageRef | None = None) -> None:
    """Shows games as they are now wherever they are shown, but not in a message that was pressed.

    Names in it may have been forgotten, or somebody may have agreed elsewhere.
    """
    store = services.card_games.store
    entered = await store.entered(number)
    if entered is None:
        return

    copies = await store.copies(number)
    post = next((copy.message for copy in copies if copy.fool is None), None)
    limits = services.chats[entered.server.platform].limits

    for copy in copies:
        is_in_room = not (copy.is_private or limits.ephemeral_answers)
        draw = partial(_question_or_state, entered, copy.fool, post, is_in_room=is_in_room)
        await _redraw([copy], draw, entered, services, pressed=pressed)


def _question_or_state(
    entered: card_games.Entered,
    fool: UserRef | None,
    post: MessageRef | None,
    translator: Translator,
    *,
    is_in_room: bool,
) -> Screen:
    """Renders games for their room, or the question to a fool until they have agreed."""
    asked = next((user for user, _ in entered.fools if user.ref == fool), None)
    if asked is None or asked.ref in entered.confirmed_by:
        return screens.entered_screen(entered, translator)
    return screens.fool_notice_screen(entered, asked, post, translator, is_in_room=is_in_room)


async def _redraw(
    copies: Sequence[card_games.Copy],
    draw: Callable[[Translator], Screen],
    entered: card_games.Entered,
    services: Services,
    *,
    pressed: MessageRef | None,
) -> None:
    """Renders messages about games anew, each in the language of its reader."""
    for copy in copies:
        if copy.message == pressed:
            continue

        if copy.fool is None:
            translator = await _translator_there(entered, services)
        else:
            translator = await _translator_of(copy.fool, entered, services)

        reader: Only | Everyone = Everyone(copy.room)
        if copy.is_private and copy.fool is not None:
            reader = Only(copy.fool, copy.room)

        await services.announcements.edit(reader, copy.message, draw(translator))


async def note_copy(
    room: RoomRef, screen: Screen, delivery: Delivery, services: Services, *, fool: UserRef | None = None
) -> None:
    """Keeps the message that shows games to a room, or asks their fool there; a failure is logged."""
    number = card_games_of(screen)
    if number is None or not isinstance(delivery, Delivered):
        return

    store = services.card_games.store
    try:
        if fool is None:
            await store.note_post(number, room, delivery.ref)
        else:
            await store.note_question(number, card_games.Copy(room, delivery.ref, fool))
    except Exception:
        log.exception("copy_not_kept", platform=room.server.platform)


# --- the alleged fools ----------------------------------------------------------------------


@appointment(FOLLOW_UP, latest=card_games.OBJECTION_SECONDS, at_night=True, is_repeatable=True)
async def follow_up(due: Appointment, services: Services) -> float | None:
    """Notifies fools by day of games that others entered, and counts those confirmed in their silence."""
    number = int(due.about)
    entered = await services.card_games.store.entered(number)
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

    asked = await services.card_games.store.entered(number)
    if asked is None or asked.counts or asked.is_file:
        return None

    day_over = asked.asked_at + card_games.DAY
    if now < day_over:
        return day_over - now

    if asked.is_confirmed(now):
        await services.card_games.store.count(number)
        await show_again(number, services)

    return None


async def _tell(
    fool: User, entered: card_games.Entered, due: Appointment, services: Services
) -> float | None:
    """Writes to a fool in private, or waits for their next press; returns the seconds until another try."""
    assert due.room is not None
    post = await services.card_games.store.post_of(entered.id)
    translator = await _translator_of(fool.ref, entered, services)
    message = None if post is None else post[1]
    screen = screens.fool_notice_screen(entered, fool, message, translator)
    match await services.announcements.post(Only(fool.ref, due.room), screen):
        case Throttled(retry_after):
            return retry_after
        case Delivered(ref):
            asked = card_games.Copy(due.room, ref, fool.ref, is_private=True)
            await services.card_games.store.note_question(entered.id, asked)
            await services.card_games.set_notified(fool.ref, entered.server, entered.id)
        case _:
            services.card_games.wait_for(fool.ref, entered.server, entered.id)

    return None


async def add_fool_notice(press: Press, reply: Reply, services: Services) -> Reply:
    """Adds the notice that a fool could not get in private to the answer to their press."""
    number = services.card_games.unnotified(press.user.ref, press.room.server)
    if number is None or reply.ephemeral is not None:
        return reply

    entered = await services.card_games.store.entered(number)
    await services.card_games.set_notified(press.user.ref, press.room.server, number)
    if entered is None:
        return reply

    post = await services.card_games.store.post_of(number)
    chat = services.chats[press.user.ref.platform]
    message = None if post is None else post[1]
    screen = screens.fool_notice_screen(
        entered,
        press.user,
        message,
        await services.people.translator_for(press.user.ref),
        is_in_room=not chat.limits.ephemeral_answers,
    )

    return replace(reply, ephemeral=screen)
