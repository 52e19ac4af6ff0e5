"""A live table in a frame of another origin, inside a window that acts as the chat's client."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlencode

from aiohttp import web
from playwright.async_api import Frame

from adapters.discord.activity import CLIENTS
from adapters.port import GameRef, UserRef, View
from adapters.web.view_page import ViewPage
from bot.locale import LOCALES, sentences_of
from tests.adapters.boards import board, hand, screen
from tests.adapters.contract import ListeningInbox
from tests.adapters.page.live_table import BOUT
from tests.adapters.web.tables import ANNA, KnownViews, OneDoor
from tests.wire.browser import Guest
from tests.wire.discord.window import PROXY, DiscordWindow

# Telegram's own page, as far as a frame in it sees that: it keeps all that it hears, and answers.
WINDOW = """<!doctype html><meta name="viewport" content="width=device-width"><body style="margin: 0">
<iframe src="{address}" {limits} style="display: block; width: 100vw; height: 100vh; border: 0"></iframe>
<script>
window.heard = [];
window.tell = (eventType, eventData) =>
  frames[0].postMessage(JSON.stringify({{ eventType, eventData }}), "*");
addEventListener("message", ({{ data }}) => {{
  const {{ eventType, eventData }} = JSON.parse(data);
  heard.push([eventType, eventData]);
  const theme = {{ theme_params: {{ bg_color: "#17212b" }} }};
  if (eventType === "web_app_request_theme") tell("theme_changed", theme);
}});
</script>"""


class PlayedTable(KnownViews):
    """A game in which Anna has two cards to beat."""

    holding = hand("TD QD KH 9C", "D 9D TD", "D JD QD", "D JD KH", "T")
    is_over = False
    boris_portrait = ""  # its key

    def view_for(self, user: UserRef) -> View:
        """Returns the newest state for one person."""
        drawn = board("Anna", "you", "Boris", bout=BOUT, attacker=1, step=self.step)
        anna, boris = drawn.seats
        seats = (replace(anna, user=ANNA.ref), replace(boris, portrait=self.boris_portrait))
        drawn = replace(drawn, seats=seats)

        if self.is_over:
            over = replace(drawn, is_over=True, losers=(1,))
            result = replace(screen(over, "Rematch"), finished_game=GameRef(7, 1))
            rest = screen(replace(self.holding, moves=()))
            return View(screen(over, "⚙️ Table"), rest, result, has_address=True)

        mine = screen(self.holding, "🚪 Leave") if user == ANNA.ref else None
        return View(screen(drawn, "⚙️ Table"), mine)


ENTRY = "/in/telegram?table=7"


@dataclass
class Framed:
    """A window of Telegram's with a live table in it, and the address of the table alone."""

    address: str
    table: str
    views: PlayedTable
    inbox: ListeningInbox
    door: OneDoor


async def serve(app: web.Application, host: str, exit_stack: AsyncExitStack) -> str:
    """Serves until the stack ends; gives the origin."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    exit_stack.push_async_callback(runner.cleanup)
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return f"http://{host}:{runner.addresses[0][1]}"


async def telegram_window(exit_stack: AsyncExitStack, shown: Mapping[str, str], limits: str = "") -> str:
    """Serves a window around the page at `shown["site"]`; gives its origin.

    The query of its address is the proof. `limits` are attributes of the frame.
    """

    async def window(request: web.Request) -> web.Response:
        given = {"tgWebAppData": request.query_string, "tgWebAppThemeParams": '{"bg_color": "#ffffff"}'}
        address = f"{shown['site']}{ENTRY}#{urlencode(given)}"
        return web.Response(text=WINDOW.format(address=address, limits=limits), content_type="text/html")

    around = web.Application()

    async def nothing(_: web.Request) -> web.Response:
        return web.Response(status=204)

    around.router.add_get("/", window)
    around.router.add_get("/favicon.ico", nothing)  # which whole browsers ask for
    return await serve(around, "localhost", exit_stack)


@asynccontextmanager
async def framed(limits: str = "") -> AsyncIterator[Framed]:
    """Serves a window of Telegram's at another origin; `limits` are attributes of its frame."""
    async with AsyncExitStack() as exit_stack:
        shown: dict[str, str] = {}
        around = await telegram_window(exit_stack, shown, limits)

        views = PlayedTable()
        inbox = ListeningInbox()
        door = OneDoor("telegram", framed_by=(around,), origins=())
        site = await _site(exit_stack, views, inbox, door)
        shown["site"] = site
        proof = ANNA.ref.id
        table = f"{site}{ENTRY}#{urlencode({'tgWebAppData': proof})}"
        yield Framed(f"{around}?{proof}", table, views, inbox, door)


@dataclass
class InDiscord:
    """A window of Discord's with a live table in its frame."""

    window: DiscordWindow
    table: Frame
    views: PlayedTable
    inbox: ListeningInbox


@asynccontextmanager
async def in_discord(guest: Guest, codes: int = 3) -> AsyncIterator[InDiscord]:
    """Opens a live table in Discord; it vouches for its reader as often as there are codes."""
    async with AsyncExitStack() as exit_stack:
        views = PlayedTable()
        inbox = ListeningInbox()
        site = await _site(exit_stack, views, inbox, OneDoor("discord", framed_by=CLIENTS, origins=(PROXY,)))
        window = await exit_stack.enter_async_context(DiscordWindow(guest.page.context, f"{site}/"))
        table = await window.opens(guest.page, "7", [ANNA.ref.id + "+" * number for number in range(codes)])
        yield InDiscord(window, table, views, inbox)


async def _site(exit_stack: AsyncExitStack, views: PlayedTable, inbox: ListeningInbox, door: OneDoor) -> str:
    app = web.Application()
    translations = partial(sentences_of, "adapters/")
    page = ViewPage(views, inbox, [door], languages=LOCALES, translations=translations)
    page.attach(app, is_alone=True)
    return await serve(app, "127.0.0.1", exit_stack)
