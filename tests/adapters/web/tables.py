"""A live table of another chat, with a door for its people."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field, replace

from adapters.port import (
    CallbackButton,
    Delivered,
    Delivery,
    Document,
    GameRef,
    Limits,
    LinkButton,
    MessageRef,
    ProofProblem,
    ProofRefusedError,
    Replay,
    RoomRef,
    RuleGuide,
    Screen,
    ServerRef,
    Span,
    User,
    UserRef,
    View,
    ViewButton,
    Visit,
)
from tests.adapters.boards import board

ROOM = RoomRef(ServerRef("elsewhere", "club"), "parlour")
ANNA = User(UserRef("elsewhere", "id-anna"), "Anna <b>")
BORIS = User(UserRef("elsewhere", "id-boris"), "Boris")
HAND = Screen((Span("Anna's cards"),), ((CallbackButton("s:7:suit", "⇅ By suit"),),))
ADDRESS = "https://durak.example/games/7-1-5ec2e7"
FRAMER = "https://chat.example"
PROXY = "https://7.proxy.example"


def table_of(user: UserRef, step: int = 1, portrait: str = "") -> Screen:
    """Builds the screen of a table with this person at it, a button, and a button that opens a view."""
    drawn = board(step=step)
    seats = (replace(drawn.seats[0], user=user, portrait=portrait), *drawn.seats[1:])
    rows = ((CallbackButton("t:7:1:open", "⚙️ Table"), ViewButton("v:7", "Open the table", table_id=7)),)
    return Screen((Span("Anna attacks", mention=user),), rows, board=replace(drawn, seats=seats))


@dataclass
class OneDoor:
    """A door that accepts a person's own id as a proof, once, and refuses all while it has a `problem`."""

    name: str = "key"
    framed_by: tuple[str, ...] = (FRAMER,)
    origins: tuple[str, ...] = (PROXY,)
    used: set[str] = field(default_factory=set)
    problem: ProofProblem | None = None
    other_way: str = ""

    async def visit(self, proof: str, wanted: str, network: str) -> Visit:
        if self.problem is not None:
            raise ProofRefusedError(self.problem)

        people = {person.ref.id: person for person in (ANNA, BORIS)}
        if proof in self.used:
            raise ProofRefusedError(ProofProblem.USED)
        if proof.rstrip("+") not in people:
            raise ProofRefusedError(ProofProblem.FORGED)

        return Visit(people[proof.rstrip("+")], int(wanted or 7), self.name)

    def use(self, proof: str, network: str) -> None:
        if proof in self.used:
            raise ProofRefusedError(ProofProblem.USED)
        self.used.add(proof)

    def way(self, proof: str, wanted: str) -> str:
        return self.other_way


class KnownViews:
    """The views of one table; some people may be shut out of it."""

    def __init__(self) -> None:
        self.on_ended: list[Callable[[Callable[[Visit], bool]], object]] = []
        self.step = 1
        self.spoken = "en"
        self.shut_out: set[UserRef] = set()
        self.posted: list[tuple[Screen, Document | None]] = []
        self.portraits: dict[str, bytes] = {}
        self.annas_portrait = ""  # its key
        self.checks = 0
        self._watching = set[asyncio.Event]()

    @property
    def watching(self) -> int:
        """The number of open views."""
        return len(self._watching)

    def view_for(self, user: UserRef) -> View:
        """Returns the newest state for one person."""
        hand = HAND if user == ANNA.ref else None
        result = Screen((), finished_game=GameRef(7, 1))
        return View(table_of(ANNA.ref, self.step, self.annas_portrait), hand, result, has_address=True)

    async def check(self, visit: Visit) -> None:
        self.checks += 1
        if visit.user.ref in self.shut_out:
            raise ProofRefusedError(ProofProblem.STRANGER)

    async def watch(self, visit: Visit, limits: Limits) -> AsyncGenerator[View]:
        stirred = asyncio.Event()
        self._watching.add(stirred)
        try:
            while visit.user.ref not in self.shut_out:
                stirred.clear()
                yield self.view_for(visit.user.ref)
                await stirred.wait()
        finally:
            self._watching.discard(stirred)

    def change(self) -> None:
        """Advances the table by a step, and wakes every view."""
        self.step += 1
        for stirred in self._watching:
            stirred.set()

    async def language(self, visit: Visit) -> str:
        return self.spoken

    async def room(self, visit: Visit) -> RoomRef:
        return ROOM

    async def address(self, visit: Visit, game: int) -> str:
        return ADDRESS if visit.user.ref == ANNA.ref and game == 1 else ""

    def redraw(self, visit: Visit) -> None:
        self.change()

    async def post(self, visit: Visit, screen: Screen, document: Document | None) -> Delivery:
        self.posted.append((screen, document))
        return Delivered(MessageRef("elsewhere", "1"))

    async def rules(self, visit: Visit, locale: str) -> RuleGuide:
        return RuleGuide("Plain rules", ("Beat or take.",), ())

    async def privacy(self, visit: Visit) -> Screen:
        link = LinkButton("Read on", "https://durak.example/privacy")
        return Screen((Span("Little is kept."),), ((link,),))

    def portrait(self, key: str) -> bytes | None:
        return self.portraits.get(key)

    async def replay(self, visit: Visit, game: int, locale: str, *, wants_review: bool) -> Replay | None:
        return None
