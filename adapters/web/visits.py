"""Authenticates the people of other chats at their live tables: they come in by a proof, as themselves.

A proof is exchanged once for a secret of ours, which is good for twelve hours. Its hash is kept in memory
alone: after a restart the page asks for another proof.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any

from aiohttp import web
from cachetools import LRUCache, TTLCache

from adapters import port
from adapters.port import gettext_noop
from adapters.web import inbound
from adapters.web.request_guard import RateLimiter, network_of
from adapters.web.throws import Range

SECRET_SECONDS = 12 * 60 * 60.0
SECRET_BYTES = 24
MAX_VISITS = 20_000  # secrets that are good at the same time
MAX_PROOF_LENGTH = 4096  # characters
MAX_WANTED_LENGTH = 128
MAX_OF_A_PERSON = 10  # secrets that one person has; the oldest gives way to a new one
CHECK_SECONDS = 60.0  # the time between two checks that a person is still in the chat

PROOFS = port.Budget(seconds=6.0, burst=10)  # of one person
FAILURES = port.Budget(seconds=6.0, burst=20)  # of one address: proofs that open nothing

UNKNOWN_VISIT = gettext_noop("This table isn't open here any more. Open it anew from the chat.")

PROBLEMS: Mapping[port.ProofProblem, tuple[int, str]] = {
    port.ProofProblem.UNREADABLE: (
        400,
        gettext_noop("This link is incomplete. Open the table anew from the chat."),
    ),
    port.ProofProblem.FORGED: (
        403,
        gettext_noop("This link opens nothing. Open the table anew from the chat."),
    ),
    port.ProofProblem.OLD: (403, gettext_noop("This link is too old. Open the table anew from the chat.")),
    port.ProofProblem.USED: (
        403,
        gettext_noop("This link was opened before, and it opens once. Open the table anew from the chat."),
    ),
    port.ProofProblem.STRANGER: (
        403,
        gettext_noop("This table is for the people of its chat. Ask there to be let in."),
    ),
    port.ProofProblem.BUSY: (429, gettext_noop("Not so fast, please: try again in a second.")),
    port.ProofProblem.NO_TABLE: (404, gettext_noop("There's no such table any more.")),
}


@dataclass(eq=False, slots=True)
class Session:
    """The session of one visit.

    Attributes:
        visit: The person, and the table that they may see.
        checked_at: The time of the last check that they may, by a monotonic clock.
        tokens: The tokens on the buttons of each message that their view shows.
        throws: The seats that they can throw at.
    """

    visit: port.Visit
    checked_at: float
    tokens: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)
    throws: Range | None = None


class Visits:
    """Begins, authenticates and ends visits at the tables of `views`, through these doors.

    A session is kept by the hash of its secret.
    """

    def __init__(
        self, views: port.Views, doors: Sequence[port.Door], *, monotonic: Callable[[], float]
    ) -> None:
        self._views = views
        self._doors = {door.name: door for door in doors}
        self._monotonic = monotonic
        self._sessions = TTLCache[str, Session](MAX_VISITS, SECRET_SECONDS, timer=monotonic)
        self._keys = LRUCache[str, deque[str]](MAX_VISITS)  # of the sessions of each person, the oldest first
        self._proofs = RateLimiter(PROOFS, monotonic)
        self._failures = RateLimiter(FAILURES, monotonic)

    async def post_visit(self, request: web.Request) -> web.Response:
        """Exchanges a proof for a secret; also returns the person's language, which the page may not have.

        A proof that opens the table does so whatever else was tried from its address, which others may share.
        """
        network = network_of(request)
        body = await inbound.body_of(request)
        door = self._doors.get(inbound.text_from(body, "door"))

        try:
            visit = await self._vouch(door, body, network)
        except port.ProofRefusedError as refusal:
            # A chat's own proxy hides its people behind a few addresses; such a door counts by itself.
            if door is None or not door.origins:
                self._failures.count(network)
            raise _refusal_of(refusal, _way(door, body)) from None

        language = await self._views.language(visit)
        return web.json_response({"secret": self._begin(visit), "language": language}, status=201)

    async def _vouch(self, door: port.Door | None, body: dict[str, Any], network: str) -> port.Visit:
        """Returns the visit that the proof in a request opens, and uses the proof up last of all.

        Raises:
            ProofRefusedError: It opens nothing.
            RefusedError: The person has come in too often.
        """
        proof = inbound.text_from(body, "proof")
        wanted = inbound.text_from(body, "wanted")
        if door is None or not 0 < len(proof) <= MAX_PROOF_LENGTH or len(wanted) > MAX_WANTED_LENGTH:
            raise port.ProofRefusedError(port.ProofProblem.UNREADABLE)

        visit = await door.visit(proof, wanted, network)
        self._proofs.count(name_of(visit))
        await self._views.check(visit)
        door.use(proof, network)

        return visit

    def _begin(self, visit: port.Visit) -> str:
        """Returns a new secret for a visit."""
        secret = token_urlsafe(SECRET_BYTES)
        key = inbound.hash_of(secret)
        self._sessions[key] = Session(visit, self._monotonic())

        keys = self._keys.setdefault(name_of(visit), deque(maxlen=MAX_OF_A_PERSON))
        if len(keys) == MAX_OF_A_PERSON:
            self._sessions.pop(keys[0], None)
        keys.append(key)

        return secret

    def authenticate(self, request: web.Request) -> Session:
        """Returns the session of a request.

        Raises:
            RefusedError: It carries no secret that is good.
        """
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        session = self.session(secret) if scheme.lower() == "bearer" else None
        if session is None:
            raise inbound.RequestRefusedError(401, UNKNOWN_VISIT)
        return session

    def session(self, secret: object) -> Session | None:
        """Returns the session with this secret; None if there is none."""
        if not isinstance(secret, str) or len(secret) > inbound.MAX_SECRET_LENGTH:
            return None
        return self._sessions.get(inbound.hash_of(secret))

    async def check(self, session: Session) -> None:
        """Checks now and then that a person may still see their table; ends the visit otherwise.

        Raises:
            RefusedError: They may not.
        """
        if self._monotonic() >= session.checked_at + CHECK_SECONDS:
            await self.check_now(session)

    async def check_now(self, session: Session) -> None:
        """Checks that a person may still see their table; ends the visit otherwise.

        Raises:
            RefusedError: They may not.
        """
        now = self._monotonic()
        try:
            await self._views.check(session.visit)
        except port.ProofRefusedError as refusal:
            self.end(session)
            raise _refusal_of(refusal) from None

        session.checked_at = now

    def end(self, session: Session) -> None:
        """Ends a visit."""
        self._drop(lambda other: other is session)

    def end_all(self, is_over: Callable[[port.Visit], bool]) -> None:
        """Ends the visits that are over."""
        self._drop(lambda session: is_over(session.visit))

    def _drop(self, is_ended: Callable[[Session], bool]) -> None:
        keys = [key for key, session in self._sessions.items() if is_ended(session)]
        for key in keys:
            del self._sessions[key]


def name_of(visit: port.Visit) -> str:
    """Returns the name under which a person's requests are counted: addresses are those of whole networks."""
    return f"{visit.user.ref.platform}:{visit.user.ref.id}"


def _way(door: port.Door | None, body: dict[str, Any]) -> str:
    """Returns the address of another way to the table of a request whose proof opened nothing."""
    if door is None:
        return ""
    return door.way(inbound.text_from(body, "proof"), inbound.text_from(body, "wanted"))


def _refusal_of(refusal: port.ProofRefusedError, way: str = "") -> inbound.RequestRefusedError:
    status, sentence = PROBLEMS[refusal.problem]
    return inbound.RequestRefusedError(status, sentence, way=way)
