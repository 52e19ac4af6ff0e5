"""The buttons of a table before the deal: seats, rules and the start."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from adapters.port import CallbackButton, Reply, Screen, User, UserRef
from bot.handlers.event import PressEvent, RoomEvent, Services, button, typed_command
from bot.model.buttons import ChangeLobby, ChangeOption, LobbyAction, OwnHand, TableButton
from bot.model.choices import CHOICES, RuleSet
from bot.model.messages import MessageKind, TableSlot
from bot.model.profile import Calling
from bot.model.refusal import RefusedError, TableRefusal
from bot.model.table import Phase, Table
from bot.screens import refusals
from bot.screens.calls import NOT_AWAITED
from bot.screens.directions import waiting_hand_screen, where_cards_come
from bot.screens.lobby import option_form
from bot.screens.rules import rule_set_cards
from bot.screens.settings import PANELS, WORDINGS, panel_of
from bot.tables.deals import trace_of
from bot.tables.rule_book import with_options
from engine import PRESETS, value_text

# Actions reserved for a table's opener and the admins of its chat, with the refusals for others.
FOR_THE_HOST = {
    LobbyAction.START: refusals.NOT_YOURS_TO_HOST,
    LobbyAction.HOLD: refusals.NOT_YOURS_TO_HOST,
    LobbyAction.CLOSE: refusals.NOT_YOURS_TO_CLOSE,
}


# The changes to the seats that a seated player may make.
SEATING: Mapping[LobbyAction, Callable[[Table, UserRef], Table]] = {
    LobbyAction.SEATS: Table.change_seats,
    LobbyAction.HOUSE: Table.add_house,
    LobbyAction.UNHOUSE: Table.remove_house,
}


@button(ChangeLobby)
async def change_lobby(event: PressEvent, button: ChangeLobby, services: Services) -> Reply:
    """Seats or removes the asker or a house player, or starts, delays or closes the table."""
    table = event.table
    user = event.user
    tables = services.tables

    if button.action in FOR_THE_HOST and not await event.may_manage(table):
        return event.toast(FOR_THE_HOST[button.action])

    match button.action:
        case LobbyAction.JOIN:
            after = await tables.change(table.id, lambda now: now.join(user, trace_of(event.id)))
            return await tell_where_cards_come(after, event, services)
        case LobbyAction.LEAVE:
            return await _leave(event, services)
        case LobbyAction.SEATS | LobbyAction.HOUSE | LobbyAction.UNHOUSE:
            change = SEATING[button.action]
            after = await tables.change(table.id, lambda now: change(now, user.ref))
            return await _more_again(after, event, services)
        case LobbyAction.MORE:
            return Reply(secret=await services.presenter.more_of_lobby(table, event.translator, event.limits))
        case LobbyAction.START:
            await _expect_hand(table, event, services)
            after = await tables.start(table.id, table.opener, event=event.id)
            return await _show_cards(after, event, services)
        case LobbyAction.HOLD:
            await tables.change(table.id, Table.hold)
        case LobbyAction.CLOSE:
            return await _close(event, services)

    return Reply()


async def _more_again(table: Table, event: PressEvent, services: Services) -> Reply:
    """Brings the pressed message up to date if it has the further buttons of a lobby, and these changed."""
    if not _is_on_further_buttons(event):
        return Reply()

    screen = await services.presenter.more_of_lobby(table, event.translator, event.limits)
    buttons = (button for row in screen.rows for button in row)
    tokens = frozenset(button.token for button in buttons if isinstance(button, CallbackButton))
    return Reply() if tokens == event.press.tokens else Reply(replacement=screen)


def _is_on_further_buttons(event: PressEvent) -> bool:
    """Returns whether the pressed message has the buttons that a lobby folds away."""
    leave = ChangeLobby(event.table.id, event.table.game, LobbyAction.LEAVE)
    return is_beside_table(event) and str(leave) in (event.press.tokens or ())


async def _close(event: PressEvent, services: Services) -> Reply:
    """Closes a table; if other people are seated, only at the second press."""
    table = event.table
    others = others_to_ask_about(table, event, services)
    if others:
        sentence = event.translator.count(
            "{n} other player is in. Press again to close the table.",
            "{n} other players are in. Press again to close the table.",
            others,
        )
        return Reply(toast=sentence)

    await services.tables.change(table.id, Table.call_off)
    is_answer_to_command = event.slot is None and event.press.view is None
    if is_answer_to_command and _is_on_further_buttons(event):
        return Reply()  # these buttons go away with the lobby
    if is_answer_to_command:
        return Reply(replacement=Screen(event.translator.spans("The table is closed.")))

    return Reply()


def others_to_ask_about(table: Table, event: RoomEvent, services: Services) -> int:
    """Returns the number of other seated people; 0 if the asker was already asked about them."""
    others = [user for user in table.people() if user != event.user.ref]
    about = ("close", event.user.ref, table.id, table.game)
    is_new = bool(others) and services.notices.is_new(about, others)
    return len(others) if is_new else 0


async def _leave(event: PressEvent, services: Services) -> Reply:
    """Removes the asker from the table, or from the list of expected people."""
    table = event.table
    user = event.user.ref
    is_invited = any(player.user == user for player in table.gathering)

    try:
        await services.tables.change(table.id, lambda now: now.leave(user))
    except RefusedError as refused:
        if table.phase is not Phase.ANNOUNCED or refused.why is not TableRefusal.NOT_SEATED:
            raise
        return event.toast(NOT_AWAITED)

    if is_invited:
        return event.toast(NOT_AWAITED)

    return remove_pressed(event, services) if _is_on_further_buttons(event) else Reply()


async def play_again(event: PressEvent, services: Services) -> Reply:
    """Opens the lobby of another game, or seats the asker in it if it is open, even by an old button.

    Against house players only, the cards are dealt at once. If the table is closed, opens a new one.
    """
    table = event.table
    if table.phase is Phase.CLOSED and event.room == table.room:
        rules = table.preset if table.preset in PRESETS else ""
        return await services.inbox.run(typed_command(event.press, f"durak {rules}"))
    if table.phase is Phase.CLOSED:
        return event.toast(refusals.TABLE_CLOSED)

    gathering = await services.tables.rematch(event.table.id, event.user, event=event.id)
    for player in gathering.expected_players:
        if player.user is not None and services.people.has_left(player.user, gathering.room):
            gathering = await services.tables.change(gathering.id, partial(Table.without, user=player.user))

    if gathering.is_against_bots:
        await _expect_hand(gathering, event, services)
        table = await services.tables.start(gathering.id, gathering.opener, event=event.id)
        return await _show_cards(table, event, services)

    if not event.press.on_private_message or event.room == event.table.room:
        return Reply()

    is_first = gathering.opener == event.user.ref
    sentence = refusals.GATHERING_AGAIN if is_first else refusals.PLAYS_AGAIN
    return event.toast(sentence)


async def _show_cards(table: Table, event: PressEvent, services: Services) -> Reply:
    """Answers a press that dealt a game with the asker's cards, or with the way to them.

    A hand that is open in the room would stay above the last result, so it is shown in a new message.
    """
    user = event.user.ref
    hand = TableSlot(table.id, table.game, MessageKind.HAND, user)
    is_public = _is_on_public_message(event)
    is_open = is_public and table.seat_of(user) is not None and await services.room_hands.is_open(hand)
    if is_open or await _plays_here(table, event, services):
        return Reply(secret=await services.hands.open(table.id, user))

    return await tell_where_cards_come(table, event, services)


def _is_on_public_message(event: PressEvent) -> bool:
    """Returns whether the pressed message is visible to others."""
    return event.press.view is None and not event.press.on_private_message


async def _expect_hand(table: Table, event: PressEvent, services: Services) -> None:
    """Keeps the asker's hand out of the private chat if the answer to this press will show it."""
    if await _plays_here(table, event, services):
        services.room_hands.expect(table.id, event.user.ref)


async def _plays_here(table: Table, event: PressEvent, services: Services) -> bool:
    """Returns whether the answer to this press can show the asker's cards, now or after the deal.

    Only in chats whose notices stay and can be edited. Not in games without a clock, which need a message
    that lasts for days, and not for players who chose under /me to be notified in private.
    """
    limits = event.limits
    user = event.user.ref
    is_public = _is_on_public_message(event) and event.room == table.room
    is_edited = limits.notices_stay and limits.ephemeral_seconds > 0
    if table.seat_of(user) is None or not (is_public and is_edited and table.options.clock):
        return False

    profile = await services.people.profile(user)
    return profile.calling not in {Calling.AT_ONCE, Calling.LATER}


async def tell_where_cards_come(table: Table, event: PressEvent, services: Services) -> Reply:
    """Tells a player where their cards will appear, and leads them there if that takes a step."""
    user = event.user.ref
    reachability = services.reachability
    limits = event.limits

    if table.seat_of(user) is None or table.phase is Phase.ANNOUNCED:
        return Reply()

    if table.phase is Phase.LOBBY and await _plays_here(table, event, services):
        return Reply(secret=waiting_hand_screen(event.translator))

    profile = await services.people.profile(user)
    was_reached = bool(profile.reachable)
    if limits.boards:  # the page shows the cards itself
        return Reply(open_private=not was_reached)

    is_wanted = profile.calling is not Calling.NEVER
    is_open = user not in reachability.closed_people and profile.reachable is not False
    is_private = is_wanted and is_open and (was_reached or limits.may_write_first)
    knows_way = was_reached if is_private else reachability.knows_way(user)
    is_new = services.notices.is_new((user, is_private)) and not knows_way

    if not is_private:
        reachability.take_unnotified(user)

    hint = where_cards_come(event.translator, is_private=is_private) if is_new else None
    return Reply(toast=hint, open_private=not was_reached)


def rejoin(table: Table, user: User, event_id: str) -> Table:
    """Returns the table with this person seated, if it expects them; otherwise unchanged."""
    return table.join(user, trace_of(event_id)) if table.expects(user.ref) else table


def brings_back(button: TableButton, table: Table) -> bool:
    """Returns whether a press seats an expected player as a side effect."""
    match button:
        case ChangeLobby(action=LobbyAction.JOIN | LobbyAction.LEAVE | LobbyAction.CLOSE | LobbyAction.MORE):
            return False
        case ChangeLobby() | ChangeOption():
            return button.counts_in(table.game)
        case _:
            return isinstance(button, OwnHand)


# --- rules and settings -----------------------------------------------------------------------------------


PANEL_SECONDS = 60.0  # how long a public panel stays open after its newest press


async def opens_secretly(event: PressEvent) -> bool:
    """Returns whether panels open for the asker alone; not if that would replace the table's message."""
    can_alone = event.limits.shows_alone
    if not event.press.on_private_message:
        return can_alone or await event.chat.can_answer_alone(event.press)

    is_table_message = event.slot is not None and event.slot.user is None
    return not is_table_message and (can_alone or not event.is_in_private_chat)


@button(ChangeOption)
async def change_option(event: PressEvent, button: ChangeOption, services: Services) -> Reply:
    """Opens or closes a panel of settings, or changes a setting; for the asker alone if the chat can."""
    table = event.table
    user = event.user.ref
    translator = event.translator
    setting, sign, _ = button.what.partition("=")
    if not (button.what in PANELS or setting in WORDINGS or not button.what):
        return event.toast(refusals.UNREADABLE)

    panel = panel_of(setting) if sign else button.what or None
    is_secret = await opens_secretly(event)
    if panel is None and not is_secret:
        return await _close_panel(event, services)

    if sign:
        panel_for_all = None if is_secret else panel
        table = await _change_option(event, button.what, panel_for_all, services)
    elif not is_secret:
        until = services.now() + PANEL_SECONDS
        await services.tables.change(table.id, lambda now: now.open_panel(user, panel, until))

    if not is_secret:
        return Reply()

    if panel is None and is_beside_table(event):
        return remove_pressed(event, services)

    with_panel = table.open_panel(user, panel)
    if event.limits.forms:
        cards = rule_set_cards(await services.rule_book.rule_sets(table.room.server), translator)
        return Reply(form=option_form(with_panel, cards, translator))

    return Reply(secret=await services.presenter.panel(with_panel, user, translator, event.limits))


def is_beside_table(event: PressEvent) -> bool:
    """Returns whether the pressed message is a private answer, and not one of the table's messages."""
    return event.press.on_private_message and event.slot is None and event.press.view is None


def remove_pressed(event: PressEvent, services: Services) -> Reply:
    """Answers by removing the pressed message, which only one person sees."""

    async def remove() -> list[Reply]:
        await services.short_lived.remove(event.press.message, event.room)
        return []

    return Reply(later=remove)


async def _close_panel(event: PressEvent, services: Services) -> Reply:
    """Closes the public panel, for the host or an admin."""
    if not await event.may_manage(event.table):
        return event.toast(refusals.NOT_YOURS_TO_HOST)

    await services.tables.change(event.table.id, Table.close_panel)
    return Reply()


async def _change_option(event: PressEvent, what: str, panel: str | None, services: Services) -> Table:
    """Changes a setting or the rules, and opens this panel for the room (None closes it)."""
    user = event.user.ref
    table = event.table
    setting, _, value = what.partition("=")
    rule_set: RuleSet | None = None

    if setting == "preset":
        rule_set = await services.rule_book.find(table.room.server, value)

    choices = {value_text(choice): choice for choice in CHOICES.get(setting, ())}
    if choices and value not in choices:
        raise RefusedError(refusals.UNREADABLE)

    def changed(now: Table) -> Table:
        if rule_set is not None:
            now = now.play_by(user, rule_set.name, rule_set.rules, rule_set.house_rules)
        elif choices:
            option: dict[str, Any] = {setting: choices[value]}
            now = now.play_with(user, replace(now.options, **option))
        else:
            now = now.play_by(user, now.preset, with_options(now.rules, [what]), now.house_rules)

        return now.open_panel(user, panel, services.now() + PANEL_SECONDS)

    return await services.tables.change(table.id, changed)
