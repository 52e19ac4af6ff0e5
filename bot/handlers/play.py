"""What buttons do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cachetools import LRUCache

from adapters.port import (
    ChatPort,
    Command,
    Document,
    MessageRef,
    Only,
    Press,
    Reply,
    Screen,
    ServerRef,
    User,
    UserRef,
)
from bot.cache import MOST_KNOWN
from bot.delivery.messages import MessageIndex
from bot.delivery.outbox import Outbox
from bot.delivery.presenter import Presenter
from bot.delivery.reachability import Reachability
from bot.handlers.lobby import Agreement, HostPanel, Rights, TableSettings, Wish
from bot.handlers.statistics import Statistics
from bot.locale import Translator
from bot.model.buttons import (
    AfterGame,
    AskHint,
    ChangeLobby,
    ChangeOption,
    EndAction,
    HostGame,
    LobbyAction,
    OwnHand,
    PlayMove,
    QuitAction,
    QuitGame,
    ShowHand,
    SortHand,
    TableButton,
    WriteInPrivate,
    table_of_hand,
)
from bot.model.messages import MessageKind, MessageSlot
from bot.model.people import AGAINST_BOTS, NoFindings
from bot.model.table import Phase, RuleSet, Table, TableOptions, TableRefusedError
from bot.people import People
from bot.screens import refusals
from bot.screens.hand import advice_line, hushed_screen
from bot.screens.refusals import move_refusal, table_refusal
from bot.screens.review import looking_screen, review_screen, verification_screen
from bot.screens.rules import IN_FULL, TO_ALL, rules_screen
from bot.screens.table import (
    answer_elsewhere_screen,
    invitation_screen,
    others_play_screen,
    seal_line,
    seated_screen,
    standing_table_screen,
    where_cards_come,
)
from bot.screens.words import one_of, preset_name
from bot.storage import Played, RecordStore
from bot.tables.house_players import ADVISER, HousePlayers
from bot.tables.reviews import Reviews
from bot.tables.rule_book import RuleBook
from bot.tables.scheduler import Scheduler
from bot.tables.service import NoSuchTableError, TableService, trace_of
from engine import STRENGTHS, Move, Seat, State, short_seal
from engine.runtime import Accepted, Closed, GameSession, Refused, SessionFrozenError, Stale, Unreadable


class Hints:
    """Lets a house player think for people, from what they may know themselves."""

    def __init__(self, tables: TableService, presenter: Presenter, house_players: HousePlayers) -> None:
        self._tables = tables
        self._presenter = presenter
        self._house_players = house_players

    async def reply(self, command: Command, translator: Translator) -> Reply:
        """Advise somebody at the first table that waits for them, those in this room before others."""
        for table in await self._tables.tables_of(command.user.ref, near=command.room):
            session, seat = await self._tables.session(table.id), table.seat_of(command.user.ref)
            state = session.state
            if state is None or seat is None or not state.legal_moves(seat):
                continue
            if not table.options.hints:
                return Reply(toast=translator.text(refusals.NO_HINTS))
            move = await self._thought(session, state, seat)
            return Reply(
                private=Screen(body=advice_line(move, state.public_view(), translator)),
                invitation=invitation_screen(command.user, table.room, translator),
            )
        return Reply(toast=translator.text(refusals.NOTHING_TO_ADVISE))

    async def show(self, table: Table, user: User, translator: Translator) -> Reply:
        """Show somebody their hand at a table with advice in it."""
        session, seat = await self._tables.session(table.id), table.seat_of(user.ref)
        if seat is None:
            return Reply(toast=translator.text(refusals.NOT_SEATED))
        toast, state = None, session.state
        if not table.options.hints:
            toast = translator.text(refusals.NO_HINTS)
        elif state is None or not state.legal_moves(seat):
            toast = translator.text(refusals.NOTHING_TO_ADVISE)
        else:
            version = session.version_for(seat)
            self._presenter.advise(table, user.ref, version, await self._thought(session, state, seat))
        return Reply(toast=toast, private=await self._presenter.hand(table, user.ref))

    async def _thought(self, session: GameSession, state: State, seat: Seat) -> Move:
        return await self._house_players.choose(ADVISER, state, session.events, seat)


# --- What buttons do ---


class ButtonHandler:
    """Does what a button says, and says what the presser sees then."""

    def __init__(
        self,
        *,
        tables: TableService,
        table_settings: TableSettings,
        host_panel: HostPanel,
        scheduler: Scheduler,
        presenter: Presenter,
        reachability: Reachability,
        rights: Rights,
        hints: Hints,
        review: "ReviewCommand",
        message_index: MessageIndex,
        statistics: Statistics,
        people: People,
        ports: Mapping[str, ChatPort],
    ) -> None:
        self._tables = tables
        self._table_settings = table_settings
        self._host_panel = host_panel
        self._scheduler = scheduler
        self._presenter = presenter
        self._reachability = reachability
        self._rights = rights
        self._hints = hints
        self._review = review
        self._message_index = message_index
        self._statistics = statistics
        self._people = people
        self._ports = ports
        self._told = LRUCache[tuple[UserRef, bool], bool](MOST_KNOWN)

    async def reply(self, press: Press, token: TableButton) -> Reply:
        """Do what a button says for who pressed it; nothing happens when it cannot be."""
        user = press.user
        translator = await self._people.translator_for(user.ref)
        try:
            table = await self._tables.table(token.table_id)
            if not await self._is_from_there(table, press, token):
                return Reply(toast=translator.text(refusals.NO_TABLE))  # nor whether there is one elsewhere
            if table.is_damaged:
                return Reply(toast=translator.text(refusals.FROZEN))
            table = await self._note_presence(table, user)
            if _brings_back(table, user, token):
                table = await self._tables.change(table.id, lambda now: _back(now, user, press.id))
                if isinstance(token, OwnHand):
                    return await self._told_where_cards_come(table, user, translator)
            reply = await self._do(table, press, token, translator)
            return self._told_where_they_are(table, user, reply, translator)
        except NoSuchTableError:
            return Reply(toast=translator.text(refusals.NO_TABLE))
        except SessionFrozenError:
            return Reply(toast=translator.text(refusals.FROZEN))
        except TableRefusedError as refused:
            return Reply(toast=table_refusal(refused, translator))

    async def _is_from_there(self, table: Table, press: Press, token: TableButton) -> bool:
        """Whether a button of this table can stand where it was pressed.

        Some chats do not say in which topic an old message stands, so the table's own messages count, too.
        """
        return (
            press.room == table.room
            or (token.is_private and press.is_private and await self._is_own_message(table, press))
            or await self._message_index.is_public_message(table.id, press.message)
        )

    async def _is_own_message(self, table: Table, press: Press) -> bool:
        """Whether the presser sits at the table, or sat there in the game that the message is about."""
        if table.knows(press.user.ref):
            return True
        slot = await self._message_index.slot_in(press.message, table.id)
        return slot is not None and slot.user == press.user.ref

    async def _opens_panels_alone(self, table: Table, press: Press) -> bool:
        """Whether panels open for the presser alone: not where that would take the place of the table."""
        limits = self._ports[press.message.platform].limits
        is_table = press.is_private and await self._message_index.is_public_message(table.id, press.message)
        return limits.ephemeral_answers and not is_table

    async def _do(self, table: Table, press: Press, token: TableButton, translator: Translator) -> Reply:
        user, event = press.user, press.id
        match token:
            case PlayMove():
                return await self._play(table, user, token, translator)
            case ShowHand() | SortHand() | AskHint() | WriteInPrivate():
                return await self._own_hand(table, user, token, translator)
            case AfterGame():
                return await self._after_game(table, press, token, translator)
            case _ if not token.counts_in(table.game):
                return Reply(toast=translator.text(refusals.PAST_GAME))
            case ChangeLobby():
                return await self._change_lobby(table, user, token.action, event, translator)
            case ChangeOption():
                is_private = await self._opens_panels_alone(table, press)
                shows_forms = self._ports[press.message.platform].limits.forms
                return await self._table_settings.change(
                    table, user, token.what, translator, is_private=is_private, shows_forms=shows_forms
                )
            case HostGame():
                is_private = await self._opens_panels_alone(table, press)
                return await self._host_panel.act(table, user, token, translator, is_private=is_private)
            case QuitGame():
                return await self._quit(table, user, token.action, translator)
        raise TypeError(token)

    async def _note_presence(self, table: Table, user: User) -> Table:
        """Give a seat back to somebody who was away or had left: any press will do."""
        seat = table.seat_of(user.ref)
        if seat is not None and table.phase is Phase.PLAYING:
            if table.players[seat].has_left:
                table = await self._tables.change(table.id, lambda now: now.take_back(user.ref))
            self._scheduler.came_back(table, await self._tables.session(table.id), seat)
        return table

    # --- a running game -----------------------------------------------------------------------------------

    async def _play(self, table: Table, user: User, token: PlayMove, translator: Translator) -> Reply:
        seat = table.seat_of(user.ref)
        if seat is None:
            return Reply(toast=translator.text(refusals.NOT_SEATED))
        result = await self._tables.submit(table.id, seat, token.move, token.version)
        toast: str | None
        match result:
            case Accepted():
                toast = None
            case Stale():
                toast = translator.text(refusals.STALE)
            case Refused(reason):
                toast = move_refusal(reason, translator)
            case Unreadable():
                toast = translator.text(refusals.UNREADABLE)
            case Closed():
                toast = translator.text(refusals.OVER)
        return Reply(toast=toast, private=await self._fresh_hand(table.id, user))

    async def _own_hand(
        self, table: Table, user: User, token: OwnHand | WriteInPrivate, translator: Translator
    ) -> Reply:
        match token:
            case ShowHand(page=page):
                return await self._show_hand(table, user, page, translator)
            case SortHand(order=order):
                await self._people.choose_hand_order(user.ref, order)
                return await self._show_hand(table, user, 0, translator)
            case AskHint():
                return await self._hints.show(table, user, translator)
            case WriteInPrivate(wanted=wanted):
                await self._people.choose_private_messages(user.ref, wanted=wanted)
                if wanted:
                    return Reply(toast=translator.text(refusals.WRITES_AGAIN))
                return Reply(private=hushed_screen(table, translator))

    async def _show_hand(self, table: Table, user: User, page: int | None, translator: Translator) -> Reply:
        if table.seat_of(user.ref) is None:
            return Reply(toast=translator.text(refusals.NOT_SEATED))
        hand = await self._presenter.hand(table, user.ref, page=page)
        return Reply(toast=None if hand else translator.text(refusals.NOT_DEALT), private=hand)

    async def _quit(self, table: Table, user: User, action: QuitAction, translator: Translator) -> Reply:
        toast: str | None = None
        match action:
            case QuitAction.ASK:
                return await self._show_hand(table, user, None, translator)
            case QuitAction.LEAVE:
                await self._tables.change(table.id, lambda now: now.hand_over(user.ref))
            case QuitAction.RESIGN:
                result = await self._tables.resign(table.id, user)
                toast = move_refusal(result.reason, translator) if isinstance(result, Refused) else None
            case QuitAction.STAY:
                return await self._show_hand(table, user, 0, translator)
        return Reply(toast=toast, private=await self._fresh_hand(table.id, user))

    async def _fresh_hand(self, table_id: int, user: User) -> Screen | None:
        return await self._presenter.hand(await self._tables.table(table_id), user.ref)

    # --- before and after -----------------------------------------------------------------------------------

    async def _after_game(
        self, table: Table, press: Press, token: AfterGame, translator: Translator
    ) -> Reply:
        match token.action:
            case EndAction.REMATCH:
                return await self._play_again(table, press, translator)
            case EndAction.MISTAKES:
                return await self._review.of_game(press, token, translator)
            case EndAction.LEADERBOARD:
                public = Translator(table.locale)
                return Reply(public=await self._statistics.leaderboard(table.room.server, public))

    async def _change_lobby(
        self, table: Table, user: User, action: LobbyAction, event: str, translator: Translator
    ) -> Reply:
        match action:
            case LobbyAction.JOIN:
                joined = await self._tables.change(table.id, lambda now: now.join(user, trace_of(event)))
                return await self._told_where_cards_come(joined, user, translator)
            case LobbyAction.LEAVE:
                await self._tables.change(table.id, lambda now: now.leave(user.ref))
            case LobbyAction.SEATS:
                await self._tables.change(table.id, lambda now: now.change_seats(user.ref))
            case LobbyAction.HOUSE:
                await self._tables.change(table.id, lambda now: now.add_house(user.ref))
            case LobbyAction.UNHOUSE:
                await self._tables.change(table.id, lambda now: now.remove_house(user.ref))
            case LobbyAction.START:
                if not await self._rights.may_manage(user.ref, table):
                    return Reply(toast=translator.text(refusals.NOT_YOURS_TO_HOST))
                started = await self._tables.start(table.id, table.opener, event=event)
                return await self._told_where_cards_come(started, user, translator)
            case LobbyAction.CLOSE:
                if not await self._rights.may_manage(user.ref, table):
                    return Reply(toast=translator.text(refusals.NOT_YOURS_TO_CLOSE))
                await self._tables.change(table.id, lambda now: now.call_off())
        return Reply()

    async def _play_again(self, table: Table, press: Press, translator: Translator) -> Reply:
        """Gather for another game, or sit down if others gather already: however old the button is."""
        if table.phase is Phase.CLOSED:
            return Reply(toast=translator.text(refusals.NO_TABLE))
        gathering = await self._tables.rematch(table.id, press.user, event=press.id)
        is_elsewhere = press.is_private and press.room != table.room
        if is_elsewhere and gathering.opener == press.user.ref:
            return Reply(toast=translator.text(refusals.GATHERING_AGAIN))
        return Reply(toast=translator.text(refusals.PLAYS_AGAIN) if is_elsewhere else None)

    async def _told_where_cards_come(self, table: Table, user: User, translator: Translator) -> Reply:
        """Tell somebody where to look for their cards, if they play; lead them there if that takes a step."""
        if table.seat_of(user.ref) is None:
            return Reply()
        was_reached = await self._reachability.was_ever_reached(user.ref)
        is_open = self._reachability.is_reachable(Only(user.ref, table.room))
        limits = self._ports[user.ref.platform].limits
        if limits.boards:  # they will lie before them
            return Reply(open_private=not was_reached)
        is_wanted = (await self._people.profile(user.ref)).private_messages
        is_private = is_wanted and is_open and (was_reached or limits.ephemeral_answers)
        is_known = was_reached if is_private else False
        told = (
            None
            if is_known or (user.ref, is_private) in self._told
            else where_cards_come(translator, is_private=is_private)
        )
        self._told[user.ref, is_private] = True
        if not is_private:
            self._reachability.take_untold(user.ref)
        return Reply(toast=told, open_private=not was_reached)

    def _told_where_they_are(self, table: Table, user: User, reply: Reply, translator: Translator) -> Reply:
        """Tell a player, once, that nothing can be written to them, unless they have found their cards."""
        limits = self._ports[user.ref.platform].limits
        is_concerned = limits.ephemeral_answers and table.seat_of(user.ref) is not None
        if not is_concerned or reply.toast is not None or not self._reachability.take_untold(user.ref):
            return reply
        if reply.private is not None and table_of_hand(reply.private) is not None:
            return reply
        button = translator.text("My hand")
        return replace(reply, toast=translator.text(refusals.CANNOT_WRITE, button=button))


def _brings_back(table: Table, user: User, token: TableButton) -> bool:
    """Whether a press seats somebody of the game before again, without being about that itself."""
    match token:
        case ChangeLobby(action=LobbyAction.JOIN | LobbyAction.LEAVE | LobbyAction.CLOSE):
            return False
        case ChangeLobby() | ChangeOption():
            return token.game == table.game and table.expects(user.ref)
        case _:
            return isinstance(token, OwnHand) and table.expects(user.ref)


def _back(table: Table, user: User, event: str) -> Table:
    return table.join(user, trace_of(event)) if table.expects(user.ref) else table


# --- `/review`: which moves of their last game cost somebody most ---


class ReviewCommand:
    """Answers who wants to look back at a game."""

    def __init__(self, reviews: Reviews, tables: TableService, records: RecordStore) -> None:
        self._reviews = reviews
        self._tables = tables
        self._records = records

    async def reply(self, command: Command, translator: Translator) -> Reply:
        """Show somebody the review of their newest game, or say at once that it will come."""
        user, room = command.user.ref, command.room
        played = await self._records.newest_of(user, near=room)
        plays_here = any(table.room == room for table in await self._tables.tables_of(user))
        if plays_here and (played is None or (await self._tables.table(played.table_id)).room != room):
            return Reply(toast=translator.text(refusals.STILL_PLAYING))
        return self._of(played, command, translator)

    async def of_game(self, press: Press, game: AfterGame, translator: Translator) -> Reply:
        """Show a presser the review of a game they have played; the pressed result stays in its place."""
        played = await self._records.played_by(press.user.ref, game.table_id, game.game)
        reply = self._of(played, press, translator)
        return replace(reply, private=None, personal=reply.private) if press.is_private else reply

    def _of(self, played: Played | None, asked: Command | Press, translator: Translator) -> Reply:
        user, room = asked.user.ref, asked.room
        if played is None:
            return Reply(toast=translator.text(refusals.NO_GAME_OF_YOURS))
        slot = MessageSlot(played.table_id, played.game, MessageKind.REVIEW, user)
        findings = self._reviews.findings(slot)
        if findings is None or findings is NoFindings.FAILED:
            self._reviews.request(slot, Only(user, room), played, event=asked.id)
            told = looking_screen(translator)
        else:
            told = review_screen(slot.game, findings, translator)
        return Reply(private=told, invitation=answer_elsewhere_screen(asked.user, room, translator))


# --- `/durak`, `/hand`, `/rules`, `/verify` and `/stop`: a room's table, and the last game there ---


TableScreen = Callable[[MessageRef, Translator], Screen]
"""What leads somebody to a table."""


MOST_TOLD = 1000
"""Servers of which is remembered that they were told something once."""


class TableCommands:
    """Answers what people type about the table of a room."""

    def __init__(
        self,
        *,
        tables: TableService,
        presenter: Presenter,
        outbox: Outbox,
        agreement: Agreement,
        rule_book: RuleBook,
        records: RecordStore,
        rights: Rights,
    ) -> None:
        self._rights = rights
        self._tables = tables
        self._presenter = presenter
        self._outbox = outbox
        self._agreement = agreement
        self._rule_book = rule_book
        self._records = records
        self._told_of_default = LRUCache[ServerRef, str](MOST_TOLD)

    async def durak(self, command: Command, translator: Translator) -> Reply:
        """Open a table in the room, or point to the one that stands there."""
        if command.missing_rights:
            missing = ", ".join(command.missing_rights)
            return Reply(toast=translator.text(refusals.NOT_ALLOWED_HERE, missing=missing))
        strength, words = _house_player(command.args, translator)
        rule_set = await self._rule_book.read(command.room.server, words)
        opened = await self._tables.open(
            command.room, command.user, rule_set, translator.locale, event=command.id
        )
        slot = MessageSlot(opened.table.id, opened.table.game, MessageKind.TABLE)
        if opened.is_new:
            reply = await self._begun(opened.table, slot, command, strength, rule_set.choices)
            return replace(reply, toast=self._default_problem(command.room.server, rule_set, translator))
        table, user = opened.table, command.user.ref
        screen: TableScreen = standing_table_screen
        try:
            if strength and table.phase is Phase.LOBBY:
                screen = await self._sit_down(table, command, strength)
            elif table.phase is Phase.PLAYING and table.seat_of(user) is None:
                screen = others_play_screen
        except TableRefusedError as refused:
            return Reply(toast=table_refusal(refused, Translator(table.locale)))
        if (
            not strength
            and table.seat_of(user) is not None
            and self._outbox.renew_if_out_of_sight(slot, table.room)
        ):
            return Reply()
        message = await self._outbox.checked_message(slot)
        if message is None:
            return Reply()  # the table is posted anew
        return Reply(personal=screen(message, Translator(table.locale)))

    async def _sit_down(self, table: Table, command: Command, strength: str) -> TableScreen:
        """Let somebody play against the house at a table that gathers: alone at once, else with the others.

        Raises:
            TableRefusedError: There is no room for both.
        """
        user = command.user.ref

        def seated(now: Table) -> Table:
            if now.seat_of(user) is None:
                now = now.join(command.user, trace_of(command.id))
            return now if now.people() == (user,) else now.add_house(user)

        table = await self._tables.change(table.id, seated)
        if table.people() != (user,):
            return seated_screen
        await self._play_against_house(table, command, strength)
        return standing_table_screen

    def _default_problem(self, server: ServerRef, rule_set: RuleSet, translator: Translator) -> str | None:
        """Say once that what a server plays by default cannot be played any more."""
        if not rule_set.unplayable or self._told_of_default.get(server) == rule_set.unplayable:
            return None
        self._told_of_default[server] = rule_set.unplayable
        return translator.text(
            "“{name}” cannot be played any more; this is {preset}. An admin can mend it: /settings",
            name=rule_set.unplayable,
            preset=preset_name(rule_set.name, translator),
        )

    async def _begun(
        self,
        table: Table,
        slot: MessageSlot,
        command: Command,
        strength: str,
        choices: Mapping[str, Any],
    ) -> Reply:
        """Answer with a new table where the chat can, and begin at once against house players, if wished."""
        if command.answer_key:
            self._outbox.hold(slot, table.room)
        if choices:
            table = await self._tables.change(
                table.id, lambda now: now.play_with(now.opener, replace(now.options, **choices))
            )
        if strength:
            await self._play_against_house(table, command, strength)
        if not command.answer_key:
            return Reply()
        return Reply(public=await self._outbox.answer(slot, command.answer_key))

    async def _play_against_house(self, table: Table, command: Command, strength: str) -> None:
        """Deal the cards to whoever opened a table and as many house players as its rules need."""
        opener = command.user.ref

        def seated(now: Table) -> Table:
            now = now.play_with(opener, replace(now.options, strength=strength))
            while now.rules.clashes(len(now.players)):
                now = now.add_house(opener)
            return now

        await self._tables.change(table.id, seated)
        await self._tables.start(table.id, opener, event=command.id)

    async def hand(self, command: Command, translator: Translator) -> Reply:
        """Show somebody their cards: where they typed it, or else in their private chat."""
        for table in await self._tables.tables_of(command.user.ref, near=command.room):
            hand = await self._presenter.hand(table, command.user.ref)
            slot = MessageSlot(table.id, table.game, MessageKind.HAND, command.user.ref)
            if hand is not None and not command.is_private and await self._outbox.renew_if_shown(slot):
                return Reply()
            if hand is not None:
                return Reply(private=hand, invitation=invitation_screen(command.user, table.room, translator))
        return Reply(toast=translator.text(refusals.NO_CARDS))

    async def rules(self, command: Command, translator: Translator) -> Reply:
        """Explain rules: those named, those of the table, or those played here; `all` shows everybody.

        Who has played sees what is special, and the rest (`full`) at a press.
        """
        server = command.room.server
        words = [word for word in command.args if word.lower() not in {TO_ALL, IN_FULL}]
        wishes = {word.lower() for word in command.args} - set(words)
        table = await self._tables.in_room(command.room)
        if words or table is None:
            chosen = await self._rule_book.read(server, words)
            name, rules, players = chosen.name, chosen.rules, None
        else:
            name, rules = table.preset, table.rules
            players = len(table.players) if table.phase is Phase.PLAYING else None
        others = tuple(other for other in await self._rule_book.names(server) if other != name)
        user, rights = command.user.ref, self._rights
        is_short = not wishes and await self._records.newest_of(user, near=command.room) is not None
        is_shown_alone = rights.is_answered_alone(command) and not rights.is_own_chat(user, command.room)
        offered = [IN_FULL] if is_short else []
        offered += [TO_ALL] if is_shown_alone and TO_ALL not in wishes else []
        screen = rules_screen(
            name, rules, others, translator, players, is_short=is_short, typed=words, offered=offered
        )
        return Reply(public=screen) if TO_ALL in wishes else Reply(personal=screen)

    async def verify(self, command: Command, translator: Translator) -> Reply:
        """Show that the last game's deal was fair, with its record; before any is over, the running seal."""
        table = await self._tables.in_room(command.room)
        seal = short_seal(table.seed) if table is not None and table.phase is Phase.PLAYING else ""
        finished = await self._records.newest(command.room)
        if finished is None and seal:
            return Reply(public=Screen(body=seal_line(seal, translator)))
        if finished is None:
            return Reply(toast=translator.text(refusals.NO_FINISHED_GAME))
        return Reply(
            public=verification_screen(finished.record, translator),
            document=Document(
                "durak.txt", finished.record.to_text().encode(), translator.text(refusals.NO_FILE)
            ),
        )

    async def stop(self, command: Command, translator: Translator) -> Reply:
        """Put the table away, or note that somebody agrees to end its game."""
        table = await self._tables.in_room(command.room)
        if table is None:
            return Reply(toast=translator.text(refusals.NO_RUNNING_TABLE))
        try:
            wish = await self._agreement.stop(table, command.user.ref)
        except TableRefusedError as refused:
            return Reply(toast=table_refusal(refused, translator))
        if wish is Wish.DONE:
            return Reply(toast=translator.text("The table is closed."))
        if wish is Wish.NOTED:
            return Reply(toast=translator.text(refusals.OTHERS_HAVE_TO_AGREE))
        is_running = table.phase is Phase.PLAYING
        sentence = refusals.NOT_YOURS_TO_STOP if is_running else refusals.NOT_YOURS_TO_CLOSE
        return Reply(toast=translator.text(sentence))


def _house_player(words: Sequence[str], translator: Translator) -> tuple[str, Sequence[str]]:
    """Read how well house players shall play, if one wants to play against them; gives the other words, too.

    Raises:
        InvalidArgumentError: They cannot play like that.
    """
    strength, others = "", list[str]()
    for word in words:
        name, sign, value = word.lower().partition("=")
        if name != AGAINST_BOTS:
            others.append(word)
        else:
            strength = one_of(tuple(STRENGTHS), value, translator) if sign else TableOptions().strength
    return strength, others
