"""A chat in memory, with people in it and trouble on demand."""

import asyncio
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from itertools import count

from adapters.port import (
    UNLIMITED,
    Account,
    AnswerOrder,
    Attachment,
    Audience,
    Badges,
    Budget,
    Budgets,
    CallLimiter,
    Command,
    Delivered,
    Delivery,
    Document,
    Door,
    Everyone,
    Gone,
    Inbox,
    Limits,
    Lost,
    MemberLeft,
    MessageRef,
    NeedsOptIn,
    Only,
    PinTrouble,
    Press,
    PrivateChatOpened,
    Reply,
    RoomRef,
    Screen,
    ServerRef,
    Throttled,
    User,
    UserRef,
)
from adapters.port import Chat as ChatOfBot
from adapters.port.answering import RETRY_SECONDS
from bot.model.messages import OnlyInRoom, Reader
from tests.bot.messages import Message, Place, Sent, place_of, text_of

PLATFORM = "chat"
ROOM = RoomRef(ServerRef(PLATFORM, "club"), "parlour")
CELLAR = RoomRef(ROOM.server, "cellar")
LIMITS = Limits(
    buttons=100, per_row=8, label=48, body=4000, toast=200, portraits=True, pin_right="Pin things"
)
NOWHERE = MessageRef(PLATFORM, "")
# The ids that this chat gives to people, and a server of which it has never heard.
PEOPLE = re.compile(r"id-.+")
NOWHERES = "nowhere"

NO_BUDGET = Budgets(Budget(0.0, 5), Budget(0.0, 5))


def person(name: str, locale: str = "") -> User:
    return User(UserRef(PLATFORM, f"id-{name}"), name, locale)


def own_room(user: User) -> RoomRef:
    """Returns a person's private chat with the bot, whose id is the person's."""
    return RoomRef(ServerRef(PLATFORM, user.ref.id), user.ref.id)


@dataclass
class Chat:
    """An `Adapter` in memory; it outlives the bot, as chats do.

    Attributes:
        inbox: The bot that is connected now.
        closed: People who accept no private messages.
        banned: Rooms that accept no messages.
        moderators: Managers of every room.
        without_admins: Servers where they manage rooms alone.
        floods: Places that refuse the next message, to be tried again after so many seconds.
        failures: Raised instead of delivering the next messages, one each.
        lost_answers: Raised after delivering the next messages, one each.
        gates: Places where a message is delivered only when the event is set.
        receipts: Places where the bot hears of a delivery only when the event is set.
        answer_gate: When set to an event, answers to presses wait for it.
        keeps_answers: Whether the answer to a command is a message with a key.
        answers_arrive: False when the chat never reports the delivery of an answer.
        dislikes: Screens the chat refuses for their content.
        sent: Everything that was delivered or tried, oldest first.
        replies: The answers to presses, oldest first.
        crashes: Each breaks the connection to the bot.
        notices: The ephemeral notices in answer to commands.
        ephemeral: Messages for one person in the room in which they pressed.
        forgotten: Names removed from its messages.
        pinned: Messages that are pinned.
        pin_troubles: The outcomes of the next pins, one each: a refusal, or None for none.
        may_pins: Whether it lets the bot pin messages; None: it doesn't say.
        pins_asked: The number of requests to pin or unpin a message.
        badges: Marks beside names; none by default.
        names: The names of servers.
        strangers: People outside all of its rooms, though they are mentioned there.
        insiders: The only readers of some rooms.
        unreported: People of whom a command doesn't show that they are there.
        hidden_answers: Rooms that turned out to answer presses ephemerally.
        hides_members: Whether it hides the members of a room from the bot.
        door: Its own way to its live tables.
        outside: The rooms that the bot is not a member of.
        portraits: The pictures that people show of themselves.
        broken_portraits: People whose picture does not come.
        portrait_gates: People whose picture comes only when the event is set.
        portraits_asked: The people whose pictures were requested, in order.
    """

    limits: Limits = LIMITS
    budgets: Budgets = NO_BUDGET
    platform: str = PLATFORM
    user_platform: str = PLATFORM
    outside: ChatOfBot | None = None
    calls: CallLimiter = field(default_factory=lambda: CallLimiter(UNLIMITED))
    ready: bool = True
    trouble: str = ""
    inbox: Inbox | None = None
    closed: set[UserRef] = field(default_factory=set)
    banned: set[RoomRef] = field(default_factory=set)
    moderators: set[UserRef] = field(default_factory=set)
    without_admins: set[ServerRef] = field(default_factory=set)
    floods: dict[Place, float] = field(default_factory=dict)
    failures: list[Exception] = field(default_factory=list)
    lost_answers: list[Exception] = field(default_factory=list)
    gates: dict[Place, asyncio.Event] = field(default_factory=dict)
    receipts: dict[Place, asyncio.Event] = field(default_factory=dict)
    answer_gate: asyncio.Event | None = None
    keeps_answers: bool = False
    answers_arrive: bool = True
    dislikes: Callable[[Screen], bool] = field(default=lambda _: False)
    sent: list[Sent] = field(default_factory=list)
    replies: list[tuple[Press, Reply]] = field(default_factory=list)
    notices: list[tuple[UserRef, str]] = field(default_factory=list)
    ephemeral: set[MessageRef] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    messages: dict[MessageRef, Message] = field(default_factory=dict)
    documents: dict[MessageRef, Document] = field(default_factory=dict)
    keys: dict[str, MessageRef] = field(default_factory=dict)
    pinned: set[MessageRef] = field(default_factory=set)
    pin_troubles: list[PinTrouble | Throttled | None] = field(default_factory=list)
    may_pins: bool | None = True
    pins_asked: int = 0
    badges: Badges | None = None
    names: dict[ServerRef, str] = field(default_factory=dict)
    strangers: set[UserRef] = field(default_factory=set)
    insiders: dict[RoomRef, set[UserRef]] = field(default_factory=dict)
    hidden_answers: set[RoomRef] = field(default_factory=set)
    unreported: set[UserRef] = field(default_factory=set)
    hides_members: bool = False
    door: Door | None = None
    portraits: dict[UserRef, bytes] = field(default_factory=dict)
    broken_portraits: set[UserRef] = field(default_factory=set)
    portrait_gates: dict[UserRef, asyncio.Event] = field(default_factory=dict)
    portraits_asked: list[UserRef] = field(default_factory=list)
    crashes: asyncio.Queue[BaseException] = field(default_factory=asyncio.Queue)
    _order: AnswerOrder = field(default_factory=AnswerOrder)
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    # --- calls of the bot -----------------------------------------------------------------------------------

    async def run(self, inbox: Inbox) -> None:
        self.inbox = inbox
        raise await self.crashes.get()

    async def account(self) -> Account:
        return Account("durak")

    async def post(
        self, audience: Audience, screen: Screen, key: str = "", document: Document | None = None
    ) -> Delivery:
        known = self.messages.get(self.keys.get(key, NOWHERE))
        if known is None:
            ref = MessageRef(PLATFORM, str(next(self._numbers)))
        else:
            ref = known.ref
            screen = known.screen

        delivery = await self._deliver("post", ref, audience, screen)
        if isinstance(delivery, Delivered):
            if document is not None:
                self.documents[ref] = document
            if key:
                self.keys[key] = ref
            if self.lost_answers:
                raise self.lost_answers.pop(0)

        return delivery

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        assert self.limits.edits, "it was not asked before"
        return await self._edit("edit", ref, screen)

    async def delete(self, ref: MessageRef) -> Delivery:
        assert self.limits.edits, "it was not asked before"
        message = self.messages.get(ref)
        if message is None:
            return Delivered(ref)
        return await self._deliver("delete", ref, message.audience, None)

    async def pin(self, ref: MessageRef, *, is_pinned: bool) -> PinTrouble | Throttled | None:
        self.pins_asked += 1
        if self.may_pins is False:
            return PinTrouble.NO_RIGHT
        if self.pin_troubles and (trouble := self.pin_troubles.pop(0)) is not None:
            return trouble
        (self.pinned.add if is_pinned else self.pinned.discard)(ref)
        return None

    async def may_pin(self, room: RoomRef) -> bool | None:
        return False if room in self.banned else self.may_pins

    def shows_alone_in(self, room: RoomRef) -> bool:
        return self.limits.shows_alone or room in self.hidden_answers

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:  # they manage all rooms
        return user in self.moderators

    async def is_admin(self, user: UserRef, server: ServerRef) -> bool:
        return user in self.moderators and server not in self.without_admins

    async def can_answer_alone(self, press: Press) -> bool:
        return self.limits.shows_alone

    async def is_member(self, user: UserRef, room: RoomRef) -> bool | None:
        if self.hides_members:
            return None
        if room in self.insiders and user not in self.insiders[room]:
            return False
        return user not in self.strangers and PEOPLE.fullmatch(user.id) is not None

    def name_of(self, server: ServerRef) -> str:
        return self.names.get(server, "")

    def way_to(self, table_id: int | None, room: RoomRef | None) -> str:
        return f"https://chat.example/{'' if table_id is None else table_id}"

    def private_server(self, user: UserRef) -> ServerRef | None:
        return ServerRef(PLATFORM, user.id)

    async def portrait_of(self, user: UserRef) -> bytes | None:
        self.portraits_asked.append(user)
        if user in self.portrait_gates:
            await self.portrait_gates[user].wait()
        if user in self.broken_portraits:
            raise OSError("it did not come")
        return self.portraits.get(user)

    async def forget_person(self, user: UserRef, names: Collection[str]) -> Collection[MessageRef]:
        self.forgotten.update(names)
        return ()

    async def loses(self, user: User, room: RoomRef = ROOM) -> None:
        """Reports that somebody has left a room."""
        self.strangers.add(user.ref)
        await self._inbox.member_left(MemberLeft(user.ref, room))

    # --- acts of people -------------------------------------------------------------------------------------

    async def types(
        self,
        user: User,
        text: str,
        room: RoomRef = ROOM,
        mentioned: tuple[User, ...] = (),
        attachment: Attachment | None = None,
    ) -> Reply:
        name, *words = text.removeprefix("/").split()
        event = f"event-{next(self._numbers):06}"
        key = event if self.keeps_answers else ""
        command = Command(
            user,
            room,
            name,
            tuple(words),
            mentioned,
            id=event,
            missing_rights=self._missing_rights(room),
            can_reply_ephemerally=self.limits.shows_alone,
            answer_key=key,
            attachment=attachment,
            strangers=frozenset(self.strangers | self.unreported),
        )
        async with self._order.turn(user.ref):
            return await self._run(command)

    async def _run(self, command: Command) -> Reply:
        """Hands a command over, and shows its answer."""
        user = command.user
        room = command.room
        reply = await self._inbox.command(command)
        if reply.toast is not None:
            self.notices.append((user.ref, reply.toast))

        is_alone = self.limits.shows_alone
        if reply.secret is not None:
            delivery = await self._show_private(user, room, reply.secret)
            if isinstance(delivery, NeedsOptIn) and reply.invitation is not None:
                await self.post(Everyone(room), reply.invitation)
            if is_alone:
                self._inbox.command_answered(command, reply, delivery)

        if reply.ephemeral is not None:
            shown = await self._show_personal(user, room, reply.ephemeral)
            await self._inbox.ephemeral_answered(command, reply, shown)

        if reply.public is not None:
            await self._answer(command, reply, reply.public)

        return reply

    def _missing_rights(self, room: RoomRef) -> tuple[str, ...]:
        return ("Speak",) if room in self.banned else ()

    async def _answer(self, command: Command, reply: Reply, screen: Screen) -> None:
        """Answers a command in public, and reports the delivery unless such answers get lost."""
        delivery = await self.post(Everyone(command.room), screen, command.answer_key)
        if self.answers_arrive:
            await self._inbox.public_answered(command, reply, delivery)

    async def _show_personal(self, user: User, room: RoomRef, screen: Screen) -> Delivery:
        """Posts a message for a player in the room, ephemerally if the chat can."""
        new = MessageRef(PLATFORM, str(next(self._numbers)))
        reader = OnlyInRoom(user.ref, room) if self.limits.shows_alone else Everyone(room)
        return await self._deliver("post", new, reader, screen)

    async def _show_private(self, user: User, room: RoomRef, screen: Screen) -> Delivery:
        """Answers a command in the room if such messages can change there, else in the private chat."""
        if not self.limits.ephemeral_seconds:
            return await self.post(Only(user.ref, room), screen)
        new = MessageRef(PLATFORM, str(next(self._numbers)))
        return await self._deliver("post", new, OnlyInRoom(user.ref, room), screen)

    async def presses(self, user: User, ref: MessageRef, label: str, *, text: str = "") -> Reply:
        """Presses the enabled button with a label that begins like this, or answers its question."""
        button = next(
            each for each in self.messages[ref].buttons if each.label.startswith(label) and each.enabled
        )
        return await self.presses_token(user, ref, button.token, text=text)

    async def presses_token(
        self, user: User, ref: MessageRef, token: str, *, seen_in: RoomRef | None = None, text: str = ""
    ) -> Reply:
        """Presses a button that hung on this message, or never did; the press carries the current buttons.

        `seen_in` is the room that an unsure chat reports for the message.
        """
        message = self.messages.get(ref)
        reader = None if message is None else message.audience
        assert isinstance(reader, None | Everyone) or reader.user == user.ref, f"{user.name} does not see it"

        is_public = isinstance(reader, Everyone)
        is_in_room = isinstance(reader, Everyone | OnlyInRoom)
        room = message.audience.room if message is not None and is_in_room else own_room(user)
        is_private = not is_public or room == own_room(user)

        hanging = () if message is None else message.buttons
        press = Press(
            user,
            seen_in or room,
            token,
            ref,
            id=f"event-{next(self._numbers):06}",
            on_private_message=is_private,
            tokens=frozenset(button.token for button in hanging if button.enabled),
            missing_rights=self._missing_rights(seen_in or room),
            text=text,
        )
        async with self._order.turn(user.ref):
            return await self._press(press, room, message)

    async def _press(self, press: Press, room: RoomRef, message: Message | None) -> Reply:
        """Hands a press over, and shows its answer."""
        user = press.user
        ref = press.message
        reply = await self._inbox.press(press)
        self.replies.append((press, reply))

        if reply.secret is not None:
            delivery: Delivery = Throttled(RETRY_SECONDS)
            try:
                delivery = await self._show_secret(user, room, reply.secret, message)
            finally:  # adapters report an answer that failed, too
                if self.answers_arrive:
                    self._inbox.press_answered(press, reply, delivery)

        if reply.replacement is not None:
            await self._edit("answer", ref, reply.replacement)

        if reply.ephemeral is not None:
            shown = await self._show_personal(user, room, reply.ephemeral)
            await self._inbox.ephemeral_answered(press, reply, shown)

        if reply.public is not None:
            posted = await self.post(Everyone(room), reply.public)
            await self._inbox.public_answered(press, reply, posted)

        if reply.later is not None:
            await reply.later()

        return reply

    async def _show_secret(
        self, user: User, room: RoomRef, screen: Screen, pressed: Message | None
    ) -> Delivery:
        """Posts the answer to a press: in the pressed message, or ephemerally if the chat can."""
        if self.answer_gate is not None:
            await self.answer_gate.wait()

        is_replaced = pressed is not None and not isinstance(pressed.audience, Everyone)
        if pressed is not None and is_replaced and self.limits.edits:
            return await self._edit("answer", pressed.ref, screen)
        if pressed is None or is_replaced or not self.shows_alone_in(room):
            return await self.post(Only(user.ref, room), screen)

        new = MessageRef(PLATFORM, str(next(self._numbers)))
        delivery = await self._deliver("post", new, OnlyInRoom(user.ref, room), screen)
        self.ephemeral.add(new)
        return delivery

    async def opens_private(self, user: User, room: RoomRef | None = ROOM) -> Reply:
        reply = await self._inbox.private_chat_opened(PrivateChatOpened(user, room))
        if reply.secret is not None:
            await self.post(Only(user.ref, room or ROOM), reply.secret)
        return reply

    def forget(self, ref: MessageRef) -> None:
        """Drops a message behind the bot's back."""
        del self.messages[ref]

    # --- views of people ------------------------------------------------------------------------------------

    def room_sees(self, room: RoomRef = ROOM) -> list[Message]:
        return [message for message in self.messages.values() if message.audience == Everyone(room)]

    def sees_alone(self, user: User) -> list[Message]:
        return [
            message
            for message in self.messages.values()
            if not isinstance(message.audience, Everyone) and message.audience.user == user.ref
        ]

    def rang_for(self, user: User) -> list[str]:
        """Returns every private message in its first form, as a phone announced it: no edit rings."""
        return [
            text_of(sent.screen)
            for sent in self.sent
            if sent.verb == "post" and sent.place == user.ref and sent.screen is not None
        ]

    # --- delivery -----------------------------------------------------------------------------------------

    @property
    def _inbox(self) -> Inbox:
        assert self.inbox is not None, "no bot is connected"
        return self.inbox

    async def _edit(self, verb: str, ref: MessageRef, screen: Screen) -> Delivery:
        message = self.messages.get(ref)
        if message is None:
            return Gone(Lost.MESSAGE, "no such message")
        return await self._deliver(verb, ref, message.audience, screen)

    async def _deliver(self, verb: str, ref: MessageRef, audience: Reader, screen: Screen | None) -> Delivery:
        place = place_of(audience)
        self.sent.append(Sent(verb, ref, place, screen))
        if self.failures:
            raise self.failures.pop(0)

        if place in self.gates:
            await self.gates[place].wait()

        if place in self.floods:
            return Throttled(self.floods.pop(place))
        if (refusal := self._refusal(place)) is not None:
            return refusal

        if screen is None:
            self.messages.pop(ref, None)
        elif self.dislikes(screen):
            return Gone(Lost.CONTENT, "no such content")
        elif verb == "post":
            self.messages[ref] = Message(ref, audience, screen)
        elif ref in self.messages:
            self.messages[ref] = replace(self.messages[ref], screen=screen)
        else:
            return Gone(Lost.MESSAGE, "no such message")

        if place in self.receipts:
            await self.receipts[place].wait()

        return Delivered(ref)

    def _refusal(self, place: Place) -> Delivery | None:
        if isinstance(place, UserRef):
            return NeedsOptIn(place) if place in self.closed or not PEOPLE.fullmatch(place.id) else None
        is_closed = place in self.banned or place.server.id == NOWHERES
        return Gone(Lost.ROOM, "not a member") if is_closed else None
