"""Lists the messages that a table needs, each with its reader and urgency."""

from collections.abc import Mapping
from dataclasses import replace

from adapters.port import ChatPort, Everyone, Limits, Only, UserRef
from bot.delivery.messages import in_room
from bot.delivery.moments import Moment, Moments
from bot.delivery.rings import Rings
from bot.model.messages import MessageKind, OnlyInRoom, Place, Reader, Subject, TableSlot, Urgency
from bot.model.table import Phase, Table
from bot.screens.core_settings import wants_pins
from bot.screens.story import latest_news
from bot.tables.reviews import Reviews
from engine import Attacked, BoutOpened, Caught, Drew, Seat, TakenUp, Transferred, TrumpShown
from engine.runtime import Game

POINTERS = {MessageKind.CALL, MessageKind.INVITATION}  # messages that lead people to the table's message


class Places:
    """Determines the places of a table's messages, in its room and in private."""

    def __init__(
        self, moments: Moments, rings: Rings, reviews: Reviews, ports: Mapping[str, ChatPort]
    ) -> None:
        self._moments = moments
        self._rings = rings
        self._reviews = reviews
        self._ports = ports

    async def of(self, subject: Subject) -> Mapping[TableSlot, Place]:
        """Returns the place of every message that a table has or needs, by slot.

        Empty if the table's chat is not served.
        """
        table_id = subject.number
        self._moments.changed(table_id)  # reachability may have changed since
        moment = await self._moments.newest(table_id)
        if moment.table.room.server.platform not in self._ports:
            return {}

        public = TableSlot(table_id, moment.table.game, MessageKind.TABLE)
        readers = self._public_readers(moment, public) | self._private_readers(moment)

        for slot, review in self._reviews.found.items():
            if slot.table_id == table_id and review.reader is not None:
                readers[slot] = review.reader

        earlier_table = self._table_before(public, moment)
        pin_slot = public if self._is_pinned(moment) else None
        urgencies = await self._urgencies(moment)
        newest_dealt = 0 if moment.session is None else moment.session.game
        places = dict[TableSlot, Place]()

        for slot, reader in readers.items():
            urgency = urgencies.get(slot, Urgency.ORDINARY)
            is_final = slot.user is None and slot.game < newest_dealt
            is_table = slot.kind is MessageKind.TABLE
            is_pointer = slot.kind in POINTERS

            places[slot] = Place(
                reader,
                urgency,
                is_pinned=slot == pin_slot,
                is_final=is_final,
                is_renewed=urgency is Urgency.RINGS and not moment.is_shown(in_room(slot)),
                rings=slot.kind is MessageKind.CALL,
                is_paced=is_table,
                is_led_to=is_table,
                leads_to=replace(slot, kind=MessageKind.TABLE) if is_pointer else None,
                continues=earlier_table if slot == public else _room_hand_before(slot, moment),
                news=_news_of(slot, moment),
            )

        return places

    def _public_readers(self, moment: Moment, public: TableSlot) -> dict[TableSlot, Reader]:
        """Returns the public messages that are due or exist, including those of earlier games."""
        table = moment.table
        messages = moment.messages
        everyone = Everyone(table.room)
        readers: dict[TableSlot, Reader] = {public: everyone}
        if self._limits_in_room(table).only_answers:
            return readers

        is_waiting = moment.scene is not None and moment.scene.waiting is not None
        if is_waiting:
            readers[replace(public, kind=MessageKind.CALL)] = everyone
        if table.has_call:
            readers[replace(public, kind=MessageKind.INVITATION)] = everyone

        end = self._moments.memory(table.id).end
        if end is not None:
            readers |= self._result_reader(moment, end.game)

        return readers | {slot: everyone for slot in messages if slot.user is None}

    def _result_reader(self, moment: Moment, game: int) -> dict[TableSlot, Reader]:
        """Returns the result of a finished game, even if the next one began before it was posted.

        If the message of that game's table is no longer recorded, its result was posted long ago.
        """
        table = moment.table
        is_newest = game == table.game
        is_remembered = TableSlot(table.id, game, MessageKind.TABLE) in moment.messages
        if not is_newest and not is_remembered:
            return {}

        return {TableSlot(table.id, game, MessageKind.RESULT): Everyone(table.room)}

    def _table_before(self, public: TableSlot, moment: Moment) -> TableSlot | None:
        """Returns the slot of the previous game's table, if this game's table continues it.

        None where each game has its own message.
        """
        if not self._limits_in_room(moment.table).only_answers:
            return None

        before = replace(public, game=public.game - 1)
        return before if moment.is_shown(before) and not moment.is_shown(public) else None

    def _limits_in_room(self, table: Table) -> Limits:
        return self._ports[table.room.server.platform].limits

    def _private_readers(self, moment: Moment) -> dict[TableSlot, Reader]:
        """Returns the hands of the newest game, and those that show how the previous game ended."""
        table = moment.table
        readers: dict[TableSlot, Reader] = {}

        for user in table.people():
            hand = TableSlot(table.id, table.game, MessageKind.HAND, user)
            readers[hand] = Only(user, table.room)
            room_hand = in_room(hand)
            if room_hand in moment.messages or _room_hand_before(room_hand, moment) is not None:
                readers[room_hand] = OnlyInRoom(user, table.room)

        for player in table.before:
            if player.user is None or player.is_forgotten:
                continue

            hand = TableSlot(table.id, table.game - 1, MessageKind.HAND, player.user)
            if moment.is_shown(hand):
                readers[hand] = Only(player.user, table.room)

        return readers

    def _is_pinned(self, moment: Moment) -> bool:
        """Returns whether the table's message should be pinned."""
        table = moment.table
        is_in_use = table.phase in {Phase.ANNOUNCED, Phase.LOBBY, Phase.PLAYING}
        limits = self._limits_in_room(table)
        is_own_of_room = is_in_use and not table.series  # the message of a series lists its tables
        return is_own_of_room and wants_pins(moment.choices, limits)

    async def _urgencies(self, moment: Moment) -> Mapping[TableSlot, Urgency]:
        """Returns the urgency of each message that is sent sooner or later than usual.

        The table is `ASKED_FOR` while people change it by its buttons, until the first move. The hands of
        players who are not awaited can wait; see `_hand_urgencies`. A hand that is due to ring `RINGS`.
        """
        table = moment.table
        game = moment.game
        scene = moment.scene
        asked_for = {TableSlot(table.id, table.game, MessageKind.TABLE): Urgency.ASKED_FOR}

        if table.phase is Phase.LOBBY:
            return asked_for
        if moment.session is None:
            return {} if table.panel is None else asked_for
        if table.phase is not Phase.PLAYING or game is None or scene is None:
            return {}

        urgencies = self._hand_urgencies(table, game)
        memory = self._moments.memory(table.id)
        carried_over = _carried_over(moment)
        for user in await self._rings.due(moment, game, scene, memory, carried_over):
            urgencies[TableSlot(table.id, table.game, MessageKind.HAND, user)] = Urgency.RINGS

        is_new = len(game.entries) == 1
        if is_new or table.panel is not None:
            return urgencies | asked_for

        return urgencies

    def _hand_urgencies(self, table: Table, game: Game) -> dict[TableSlot, Urgency]:
        """Returns the urgency of the hands of players who are not awaited.

        The hand of a player who cannot act can wait, unless the player got cards, or everybody needs to see
        at once who attacks whom or who may throw in.
        """
        is_new = len(game.entries) == 1
        is_news_for_all = is_new or _are_roles_new(game) or _are_awaited_new(game)
        seats = _find_seats_dealt_to(game)
        urgencies = dict[TableSlot, Urgency]()

        for seat, player in enumerate(table.players):
            may_act = seat in game.state.actors
            if may_act and seat in game.state.awaited:
                continue

            has_news = is_news_for_all or may_act or seat in seats
            urgency = Urgency.UNHURRIED if has_news else Urgency.CAN_WAIT
            for kind in (MessageKind.HAND, MessageKind.ROOM_HAND):
                urgencies[TableSlot(table.id, table.game, kind, player.user)] = urgency

        return urgencies


def _news_of(slot: TableSlot, moment: Moment) -> str | None:
    """Returns a text whose change justifies a new message in chats without edits; None if nothing does.

    In a lobby it is the players, at a table each move. A hand justifies one while its player has moves to
    choose from, and at the end of the game.
    """
    table = moment.table
    if slot.game != table.game:
        return ""

    if slot.kind is MessageKind.TABLE and moment.scene is None:
        return " ".join(player.name for player in table.players)

    if slot.kind is MessageKind.TABLE and moment.session is not None:
        return str(moment.session.seen_version)

    game = moment.game
    if slot.kind is MessageKind.HAND and game is not None and moment.end is None:
        seat = None if slot.user is None else table.seat_of(slot.user)
        return "" if seat in game.state.actors else None

    return ""


def _carried_over(moment: Moment) -> frozenset[UserRef]:
    """Returns the people whose hand in the room begins to show a new game by an edit, which does not ring.

    Until then it showed the previous game, or its player waited in it for the cards.
    """
    table = moment.table
    is_just_dealt = moment.game is not None and len(moment.game.entries) == 1
    room_hands = {
        user: TableSlot(table.id, table.game, MessageKind.ROOM_HAND, user) for user in table.people()
    }
    return frozenset(
        user
        for user, slot in room_hands.items()
        if _room_hand_before(slot, moment) or (is_just_dealt and moment.is_shown(slot))
    )


def _room_hand_before(slot: TableSlot, moment: Moment) -> TableSlot | None:
    """Returns the slot of the previous game's hand in the room, if this game's hand continues it.

    None before the deal, as the message shows until then how the previous game ended.
    """
    is_dealt = moment.scene is not None and slot.game == moment.table.game
    if slot.kind is not MessageKind.ROOM_HAND or not is_dealt:
        return None

    before = replace(slot, game=slot.game - 1)
    return before if moment.is_shown(before) and not moment.is_shown(slot) else None


def _are_roles_new(game: Game) -> bool:
    """Returns whether the newest move changed who attacks or defends."""
    changes = BoutOpened, Caught, Transferred, TrumpShown
    return any(isinstance(event, changes) for event in latest_news(game.events))


def _are_awaited_new(game: Game) -> bool:
    """Returns whether the newest move may have changed who is awaited within the bout.

    True for each move in a round of throwing in, and for the card that ends the round.
    """
    view = game.state.public_view()
    unbeaten = [pair for pair in view.bout if pair.beat is None]
    has_attacked = any(isinstance(event, Attacked) for event in latest_news(game.events)[:1])
    has_ended_round = has_attacked and len(unbeaten) == 1 and len(view.bout) > 1
    return view.is_throw_in_round or has_ended_round


def _find_seats_dealt_to(game: Game) -> set[Seat]:
    """Returns the seats that got cards at the end of the latest bout."""
    seats = set[Seat]()
    for event in latest_news(game.events):
        match event:
            case Drew():
                seats.add(event.seat)
            case TakenUp():
                seats.add(event.defender)

    return seats
