"""The open views of tables, and the links that open them for one person."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from itertools import chain
from secrets import token_urlsafe

from cachetools import LRUCache, TTLCache

from adapters.port import (
    Limits,
    LinkButton,
    MessageRef,
    ProofProblem,
    ProofRefusedError,
    Screen,
    UserRef,
    ViewButton,
    Visit,
)
from bot.cache import LIMITS
from bot.locale import Translator
from bot.metrics import OPEN_VIEWS
from bot.model.table import Table
from bot.screens.views import view_button

LINK = "link"  # the name of the door for personal links
LINK_SECONDS = 10 * 60.0  # how long a personal link can be opened
SECRET_BYTES = 24
MAX_LINKS = 10_000


class OpenView:
    """One open view; changes while it is drawn or sent are combined into one redraw.

    Attributes:
        is_over: Whether the view has ended.
        is_doubtful: Whether its person may have lost the right to see it.
    """

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.is_over = False
        self.is_doubtful = False
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Requests a redraw of the view."""
        self._woken.set()

    def end(self) -> None:
        """Ends the view."""
        self.is_over = True
        self._woken.set()

    async def change(self, seconds: float) -> bool:
        """Waits for a change; returns whether there was one within these seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return False

        self._woken.clear()
        return True


class OpenViews:
    """All open views, by table.

    Attributes:
        is_offered: Whether tables have buttons that open views.
        on_ended: Called with a predicate of the visits that have ended for good.
    """

    def __init__(self, *, is_offered: bool) -> None:
        self.is_offered = is_offered
        self.on_ended: list[Callable[[Callable[[Visit], bool]], object]] = []
        self._by_table = defaultdict[int, list[OpenView]](list)

    def button(self, table: Table, limits: Limits, translator: Translator) -> ViewButton | None:
        """Returns the button that opens the live table; None if not offered, or the reader sees the table."""
        if limits.boards or not self.is_offered:
            return None
        return view_button(table, translator)

    def open(self, visit: Visit) -> OpenView:
        """Registers a new open view of a visit."""
        view = OpenView(visit)
        self._by_table[visit.table_id].append(view)
        OPEN_VIEWS.labels(visit.user.ref.platform, visit.door).inc()
        return view

    def close(self, view: OpenView) -> None:
        """Unregisters a view."""
        visit = view.visit
        views = self._by_table[visit.table_id]
        views.remove(view)
        if not views:
            del self._by_table[visit.table_id]

        OPEN_VIEWS.labels(visit.user.ref.platform, visit.door).dec()

    def changed(self, table_id: int) -> None:
        """Requests redraws of all views of a table."""
        if table_id in self._by_table:
            for view in self._by_table[table_id]:
                view.wake()

    def are_open_at(self, table_id: int) -> bool:
        """Returns whether anybody has a view of a table open."""
        return table_id in self._by_table

    def is_open(self, table_id: int, user: UserRef) -> bool:
        """Returns whether a person has a view of a table open."""
        return table_id in self._by_table and any(self.of(user, table_id))

    def of(self, user: UserRef, table_id: int | None = None) -> Iterator[OpenView]:
        """Yields a person's open views, of one table or of all tables."""
        views = chain(*self._by_table.values()) if table_id is None else self._by_table.get(table_id, ())
        for view in list(views):
            if view.visit.user.ref == user:
                yield view

    def forget(self, user: UserRef) -> None:
        """Ends the views of a person."""
        self.end(lambda visit: visit.user.ref == user)

    def doubt(self, table_ids: Collection[int]) -> None:
        """Makes the views of some tables check at once whether their people are still in the chat."""
        for view in chain.from_iterable(self._by_table.get(table_id, ()) for table_id in table_ids):
            view.is_doubtful = True
            view.wake()

    def end(self, is_over: Callable[[Visit], bool]) -> None:
        """Ends the views of all visits that are over, and calls the `on_ended` hooks."""
        for view in list(chain(*self._by_table.values())):
            if is_over(view.visit):
                view.end()

        for hook in self.on_ended:
            hook(is_over)


class PersonalLinks:
    """A door for personal links: each works once, within ten minutes.

    Links are kept in memory; after a restart people have to ask for new ones.
    """

    name = LINK
    framed_by = ()
    origins = ()

    def __init__(
        self,
        address: str,
        now: Callable[[], float],
        way_back: Callable[[Visit | None], str] = lambda visit: "",
    ) -> None:
        """Issues links to the page at `address`, such as `https://durak.example/in/link`.

        `way_back` returns the address at which a person asks their chat for another link.
        """
        self.address = address
        self._way_back = way_back
        self._now = now
        self._issued = LRUCache[str, tuple[Visit, float]](MAX_LINKS)
        self._used = LRUCache[str, Visit](MAX_LINKS)
        self._newest = LRUCache[tuple[UserRef, int], str](MAX_LINKS)
        self._messages = LRUCache[UserRef, list[MessageRef]](LIMITS.known)
        self._waiting = TTLCache[UserRef, Screen](LIMITS.known, LINK_SECONDS, timer=now)
        self._led = TTLCache[tuple[UserRef, int], bool](LIMITS.known, LINK_SECONDS, timer=now)

    def issue(self, visit: Visit) -> str:
        """Returns a new link, with its secret after the `#`, which browsers do not send.

        The person's previous link to the same table becomes invalid.
        """
        proof = token_urlsafe(SECRET_BYTES)
        key = _hash_of(proof)
        whose = (visit.user.ref, visit.table_id)
        self._issued.pop(self._newest.get(whose, ""), None)
        self._newest[whose] = key
        self._issued[key] = (visit, self._now() + LINK_SECONDS)
        return f"{self.address}#{proof}"

    async def visit(self, proof: str, destination: str, network: str) -> Visit:
        """Returns the visit of a link.

        Raises:
            ProofRefusedError: The link opens nothing.
        """
        del destination, network  # a link opens its own table, from anywhere
        visit, until = self._find(proof)
        if self._now() > until:
            raise ProofRefusedError(ProofProblem.OLD)
        return visit

    def use(self, proof: str, network: str) -> None:
        """Uses up a link, which opens nothing afterwards.

        Raises:
            ProofRefusedError: The link was used up in the meantime.
        """
        del network
        visit, _ = self._find(proof)
        key = _hash_of(proof)
        self._used[key] = visit
        del self._issued[key]

    def _find(self, proof: str) -> tuple[Visit, float]:
        key = _hash_of(proof)
        if key in self._used:
            raise ProofRefusedError(ProofProblem.USED)
        if key not in self._issued:
            raise ProofRefusedError(ProofProblem.FORGED)
        return self._issued[key]

    def way(self, proof: str, destination: str) -> str:
        """Returns the address at which to ask for another link, in the chat that gave this one if known."""
        del destination
        key = _hash_of(proof)
        issued = self._issued.get(key)
        visit = self._used.get(key) if issued is None else issued[0]
        return self._way_back(visit)

    def is_shown_on(self, screen: Screen) -> bool:
        """Returns whether a screen shows a personal link."""
        buttons = chain.from_iterable(screen.rows)
        return any(
            isinstance(button, LinkButton) and button.url.startswith(f"{self.address}#") for button in buttons
        )

    def show(self, user: UserRef, message: MessageRef) -> None:
        """Records a message that shows a person their newest link."""
        self._messages.setdefault(user, []).append(message)

    def take_older_messages(self, user: UserRef) -> list[MessageRef]:
        """Returns and drops the messages that show a person's older links."""
        messages = self._messages.get(user, [])
        self._messages[user] = messages[-1:]
        return messages[:-1]

    def wait_in_private(self, user: UserRef, screen: Screen) -> None:
        """Keeps a screen with a link for a person until they open the private chat."""
        self._waiting[user] = screen

    def take_waiting(self, user: UserRef) -> Screen | None:
        """Returns and drops the screen that waits for a person."""
        return self._waiting.pop(user, None)

    def lead(self, user: UserRef, table_id: int) -> bool:
        """Returns whether to lead a person into the chat's own frame, and notes that they were led there.

        False if they were led there within `LINK_SECONDS` and have not arrived: they need the link, as their
        device does not show the table.
        """
        is_first = (user, table_id) not in self._led
        self._led[user, table_id] = True
        return is_first

    def arrived(self, user: UserRef, table_id: int) -> None:
        """Records that the chat's frame showed the table to a person."""
        self._led.pop((user, table_id), None)

    def forget(self, user: UserRef) -> None:
        """Drops a person's links, and the messages about them."""
        for led in [each for each in self._led if each[0] == user]:
            del self._led[led]

        self._waiting.pop(user, None)
        self._messages.pop(user, None)
        for key, (visit, _) in list(self._issued.items()):
            if visit.user.ref == user:
                del self._issued[key]


def _hash_of(proof: str) -> str:
    return sha256(proof.encode(errors="surrogatepass")).hexdigest()
