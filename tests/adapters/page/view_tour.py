"""Every screen of the live table of a chat, as the bot draws it in a language.

`python -m tests.adapters.page.view_tour FOLDER [SCREEN ...]` photographs them in Telegram's and Discord's
frames, on small and large phones and in Discord's small windows, light and dark. Look at the pictures before
you commit a change of the live table.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from aiohttp import web
from PIL import Image, ImageDraw
from playwright.async_api import Frame, ViewportSize

from adapters.port import MessageRef, ProofProblem, ProofRefusedError, User, Visit
from adapters.web.view_page import ViewPage
from bot.app import SCHEMA, Bot
from bot.locale import LOCALES, sentences_of
from bot.model.buttons import AfterGame, ChangeLobby, EndAction, HostGame, LobbyAction, PlayMove
from bot.model.table import Phase, Table
from bot.storage import Database
from engine import Attack, Move, Seat, State, Take
from tests.adapters.page.frames import serve, telegram_window
from tests.adapters.web.steps import soon
from tests.bot.chat import ROOM, Chat, person
from tests.wire.browser import PHONE, STANDS_STILL, Browser, Device, Guest, frame_in
from tests.wire.chromium import Chromium
from tests.wire.discord.window import FOCUSED, GRID, PROXY, SMALL, DiscordWindow

RULES = "perevodnoy deck=24 throw_in=all"
MAX_GAMES = 9  # in one of which Anna meets each moment
BOLDNESS = 0.95  # how often a player with another choice does not take
SHYNESS = 0.5  # how often the others take, until Anna is out of cards

HAND = MessageRef("chat", "a hand")  # as good as any: a view leaves the hands in the chat alone
OTHERS = (person("Žygimantas Petrauskas"), person("Олександра"))
ONLOOKER = person("Fritz")


def sketch(hair: str, shirt: str) -> bytes:
    """Draws somebody's portrait, as they would show it in the chat."""
    picture = Image.new("RGB", (256, 256), "#6d8a9c")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((30, 190, 226, 400), shirt)
    draw.ellipse((64, 24, 192, 190), hair)
    draw.ellipse((76, 50, 180, 200), "#e8b993")
    for x in (104, 152):
        draw.ellipse((x - 8, 112, x + 8, 124), "#20242c")

    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


class Vouching:
    """A door that believes every name, and finds a problem in the name of one."""

    def __init__(
        self, name: str, locale: str, framed_by: Sequence[str] = (), origins: Sequence[str] = ()
    ) -> None:
        self.name = name
        self.locale = locale
        self.framed_by = framed_by
        self.origins = origins
        self.table = 0

    async def visit(self, proof: str, wanted: str, network: str) -> Visit:
        if proof in ProofProblem.__members__:
            raise ProofRefusedError(ProofProblem[proof])
        return Visit(person(proof, self.locale), self.table, self.name)

    def use(self, proof: str, network: str) -> None:
        pass

    def way(self, proof: str, wanted: str) -> str:
        return ""


@dataclass
class Played:
    """A bot whose chat is in memory, and the page of its live tables."""

    bot: Bot
    chat: Chat
    door: Vouching
    address: str
    """Where the page is; Telegram's window around it is at `around`."""
    around: str

    async def opened(self, opener: User) -> Table:
        """Opens a table, which the door leads to from then on."""
        await self.chat.types(opener, f"/durak {RULES}")
        table = await self.table()
        self.door.table = table.id
        return table

    async def table(self) -> Table:
        table = await self.bot.tables.shown_in(ROOM)
        assert table is not None
        return table

    async def presses(self, user: User, token: str) -> None:
        """Presses a public button, as soon as it is there."""
        await soon(partial(self._message_with, token))
        message = await self._message_with(token)
        assert message is not None
        await self.chat.presses_token(user, message, token)

    async def _message_with(self, token: str) -> MessageRef | None:
        for message in reversed(self.chat.room_sees()):
            if any(button.token == token and button.enabled for button in message.buttons):
                return message.ref
        return None

    async def lobby(self, user: User, action: LobbyAction) -> None:
        table = await self.table()
        await self.presses(user, str(ChangeLobby(table.id, table.game, action)))

    async def deals(self, opener: User) -> None:
        """Starts the game, and waits until it is dealt."""
        await self.lobby(opener, LobbyAction.START)
        await soon(self._is_dealt)

    async def _is_dealt(self) -> bool:
        return (await self.table()).phase is Phase.PLAYING

    async def state(self) -> State | None:
        session = await self.bot.tables.session((await self.table()).id)
        return session.state

    async def plays(self, user: User, move: str) -> None:
        """Presses a move under a hand in the chat."""
        table = await self.table()
        version = (await self.bot.tables.session(table.id)).version
        await self.chat.presses_token(user, HAND, str(PlayMove(table.id, version, move)))


@asynccontextmanager
async def played(chat_name: str, locale: str) -> AsyncIterator[Played]:
    """Runs a bot whose door is that of Telegram or of Discord."""
    async with AsyncExitStack() as stack:
        chat = Chat()
        chat.portraits = {
            person("Anna").ref: sketch("#5b3a1e", "#2a9d8f"),
            OTHERS[0].ref: sketch("#c9a24b", "#b5485d"),  # the other one keeps a letter
        }
        shown: dict[str, str] = {}
        around = await telegram_window(stack, shown)
        framers = {"telegram": (around,), "discord": ("https://discord.com",)}
        door = Vouching(chat_name, locale, framers[chat_name], (PROXY,))

        folder = stack.enter_context(TemporaryDirectory())
        database = Database(f"sqlite+aiosqlite:///{folder}/durak.db", SCHEMA)
        await database.open()
        stack.push_async_callback(database.close)
        bot = Bot(
            {chat.platform: chat},
            database,
            time.time,
            pace=0,
            locale="en",
            links="https://durak.example/in/link",
        )
        running = asyncio.create_task(bot.run())
        stack.push_async_callback(_end, running)
        await soon(partial(_is_connected, chat))

        app = web.Application()
        translations = partial(sentences_of, "adapters/")
        page = ViewPage(bot.views, bot.inbox, [door], languages=LOCALES, translations=translations)
        page.attach(app, is_alone=True)
        address = await serve(app, "127.0.0.1", stack)
        shown["site"] = address
        yield Played(bot, chat, door, address, around)


async def _end(running: asyncio.Task[None]) -> None:
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def _is_connected(chat: Chat) -> bool:
    return chat.inbox is not None


# --- the moments of a game at which there is something else to be seen ---

Moment = Callable[[State, Seat], bool]


def _attacks(state: State, seat: Seat) -> bool:
    return seat in state.awaited and seat == state.attacker and not state.bout


def _defends(state: State, seat: Seat) -> bool:
    moves = state.legal_moves(seat)
    return seat == state.defender and seat in state.awaited and not state.taking and len(moves) > 2


def _throws_in(state: State, seat: Seat) -> bool:
    is_other = seat not in {state.attacker, state.defender}
    return is_other and any(isinstance(move, Attack) for move in state.legal_moves(seat))


def _adds(state: State, seat: Seat) -> bool:
    return state.taking and seat in state.awaited


def _waits(state: State, seat: Seat) -> bool:
    return bool(state.bout) and seat not in state.actors and seat not in state.out


def _is_out(state: State, seat: Seat) -> bool:
    return seat in state.out and state.ended is None


MOMENTS: Mapping[str, Moment] = {
    "attack": _attacks,
    "defence": _defends,
    "throwing-in": _throws_in,
    "adding": _adds,
    "waiting": _waits,
    "out": _is_out,
}
SMALL_WINDOWS = {"lobby", "attack", "defence", "waiting", "out", "result"}


class ViewTour:
    """A person of a chat in its live table, with one screen after the other."""

    def __init__(
        self,
        at: Played,
        guest: Guest,
        locale: str,
        window: DiscordWindow | None = None,
        moments: Mapping[str, Moment] = MOMENTS,
    ) -> None:
        """Shows these moments of a game, in the frame of Discord's `window` or else of Telegram's."""
        self.at = at
        self.guest = guest
        self.anna = person("Anna", locale)
        self.table: Frame
        self._window = window
        self._to_come = dict(moments)

    async def everything(self) -> AsyncIterator[str]:
        """Goes from the refusals to the replay; yields the name of each screen once it is shown."""
        async for name in self.refusals():
            yield name
        async for name in self.lobbies():
            yield name
        async for name in self.game():
            yield name
        async for name in self.ends():
            yield name

    # --- the frame ---

    async def opens(self, proof: str = "Anna") -> None:
        """Opens the table in the frame of the chat, with a proof."""
        if self._window is not None:
            await self.guest.page.goto("about:blank")
            self.table = await self._window.opens(self.guest.page, "1", [proof])
            return

        await self.guest.page.goto(f"{self.at.around}?{proof}")
        self.table = await frame_in(self.guest.page)

    async def forgets(self) -> None:
        """Deletes the secret of this tab, so that it needs a new proof."""
        with suppress(Exception):
            await self.table.evaluate("sessionStorage.clear()")

    async def sees(self, selector: str) -> None:
        await self.table.wait_for_selector(selector)

    async def stands_still(self) -> None:
        await self.table.evaluate(STANDS_STILL)

    async def taps(self, selector: str) -> None:
        await self.table.locator(selector).first.click()

    async def closes(self) -> None:
        """Closes every dialog."""
        await self.table.evaluate("document.querySelectorAll('dialog[open]').forEach(each => each.close())")

    # --- the screens ---

    async def refusals(self) -> AsyncIterator[str]:
        for problem in ProofProblem:
            await self.opens(problem.name)
            await self.sees("#closed:not([hidden]) #closed-why:not(:empty)")
            yield f"refused-{problem.name.lower().replace('_', '-')}"

    async def lobbies(self) -> AsyncIterator[str]:
        await self.at.opened(self.anna)
        await self.opens(ONLOOKER.name)
        await self.sees(".lobby:visible")
        yield "lobby-onlooker"
        await self.forgets()

        await self.opens()
        await self.sees(".lobby:visible")
        yield "lobby-alone"
        for user in OTHERS:
            await self.at.lobby(user, LobbyAction.JOIN)
        await self.sees(".lobby-seat:nth-child(3)")
        yield "lobby"

        await self.taps('.lobby-buttons [data-other^="o:"]')
        await self.sees("#form[open]")
        yield "settings"
        await self.closes()

    async def game(self) -> AsyncIterator[str]:
        await self.at.deals(self.anna)
        await self.sees("#mine.mine .held")
        chance = Random(1)
        for number in range(MAX_GAMES):
            if number:
                await self._rematch()
            async for name in self._moments(chance):
                yield name
            if not self._to_come:
                return
        raise AssertionError(f"these moments never came: {sorted(self._to_come)}")

    async def _rematch(self) -> None:
        table = await self.at.table()
        await self.at.presses(self.anna, str(AfterGame(table.id, table.game, EndAction.REMATCH)))
        for user in OTHERS:
            await self.at.lobby(user, LobbyAction.JOIN)
        await self.at.deals(self.anna)
        await self.sees("#mine.mine .held")

    async def _moments(self, chance: Random) -> AsyncIterator[str]:
        """Plays a game to its end, with a rest at each moment that was not seen before."""
        table = await self.at.table()
        own = table.seat_of(self.anna.ref)
        assert own is not None
        by_seat = {table.seat_of(user.ref): user for user in (self.anna, *OTHERS)}

        while True:
            state = await self.at.state()
            assert state is not None
            for name, is_now in list(self._to_come.items()):
                if is_now(state, own):
                    del self._to_come[name]
                    await self._catches_up(state)
                    yield name
                    if name in BESIDE:
                        async for beside in BESIDE[name](self):
                            yield beside

            if state.ended is not None or not state.awaited:
                return
            seat = min(state.awaited)
            move = self._choose(state, seat, chance, is_own=seat == own)
            await self.at.plays(by_seat[seat], str(move))

    def _choose(self, state: State, seat: Seat, chance: Random, *, is_own: bool) -> Move:
        """Chooses a move at random; the others take often until Anna is out of cards."""
        moves = state.legal_moves(seat)
        others = [move for move in moves if not isinstance(move, Take)]
        if len(others) == len(moves):
            return chance.choice(others)

        is_shy = "out" in self._to_come and not is_own
        boldness = 1 - SHYNESS if is_shy else BOLDNESS
        is_bold = bool(others) and chance.random() < boldness
        return chance.choice(others) if is_bold else Take()

    async def _catches_up(self, state: State) -> None:
        """Waits until the frame shows a position."""
        laid = len(state.bout) + sum(pair.beat is not None for pair in state.bout)

        async def is_shown() -> bool:
            return await self.table.locator(".laid").count() == laid

        await soon(is_shown)
        await self.stands_still()

    # --- beside the moments of a game ---

    async def beside_attack(self) -> AsyncIterator[str]:
        """Opens the menu and its dialogs, and asks whether to leave."""
        await self.taps("[data-menu]")
        yield "menu"
        await self.taps("#privacy")
        await self.sees("#panel[open]")
        yield "privacy"
        await self.closes()

        await self.taps("[data-menu]")
        await self.taps("#menu [data-how]")
        await self.sees("#how[open]")
        yield "how"
        await self.closes()

        await self.taps("[data-menu]")
        await self.taps(f'#table-buttons [data-other^="{HostGame.prefix}:"]')
        await self.sees("#panel[open]")
        yield "host"
        await self.closes()

        await self.taps("[data-menu]")
        await self.taps('#table-buttons [data-other^="q:"]')
        await self.sees(".note:not([hidden])")
        yield "leaving"
        await self.taps('.choices [data-other$=":stay"]')
        await self.sees(".tools [data-other]")

    async def beside_defence(self) -> AsyncIterator[str]:
        """Chooses a card, and asks for advice."""
        await self.table.locator(".held.playable").first.click(position={"x": 9, "y": 16})
        yield "chosen"
        await self.taps('.tools [data-other^="i:"]')
        await self.sees(".advised")
        yield "hint"

    async def beside_waiting(self) -> AsyncIterator[str]:
        """Is asked whether to stop, and loses the connection for a while."""
        await self.at.chat.types(OTHERS[0], "/stop")
        await self.sees("#question:not([hidden])")
        yield "stopping"
        await self.taps("#asked-buttons [data-other]:last-child")
        await self.table.wait_for_selector("#question", state="hidden")

        await self.guest.page.context.set_offline(True)
        await self.sees("#offline:not([hidden])")
        yield "offline"
        await self.guest.page.context.set_offline(False)
        await self.table.wait_for_selector("#offline", state="hidden")

    async def ends(self) -> AsyncIterator[str]:
        await self.sees(".outcome:visible")
        yield "result"

        await self.taps("[data-menu]")
        yield "more"
        await self.taps(f'#table-buttons [data-other$="{EndAction.FILM}"]')
        await self.sees("#toasts .toast")
        yield "film"
        await self.closes()

        await self.taps("[data-menu]")
        await self.taps(f'#table-buttons [data-other$="{EndAction.LEADERBOARD}"]')
        await self.sees("#panel[open]")
        yield "leaderboard"
        await self.closes()

        await self.taps(".next a.replay")
        await self.sees("#replay:not([hidden]) #hands dd")
        yield "replay"
        await self.taps("#way-back")

        await self.taps(".next .good")
        await self.sees(".lobby:visible")
        yield "rematch"
        await self.taps(".lobby-more summary")
        await self.taps(f'.lobby-buttons [data-other$=":{LobbyAction.CLOSE}"]')
        await self.sees("#before:not([hidden])")
        yield "closed"


BESIDE: Mapping[str, Callable[[ViewTour], AsyncIterator[str]]] = {
    "attack": ViewTour.beside_attack,
    "defence": ViewTour.beside_defence,
    "waiting": ViewTour.beside_waiting,
}


# --- pictures ---

SIZES = {"telegram": ((360, 640), (390, 844)), "discord": ((360, 640), (390, 844))}
WINDOWS = {SMALL: (320, 180), GRID: (480, 270)}
LANGUAGES = {"en": "en-US", "ru": "ru-RU", "de": "de-DE"}
BACKGROUNDS = {"light": "#ffffff", "dark": "#17212b"}  # of Telegram


@asynccontextmanager
async def tour(
    chat: str, browser: Browser, device: Device, locale: str, moments: Mapping[str, Moment] = MOMENTS
) -> AsyncIterator[ViewTour]:
    """Begins a tour in the frame of Telegram or of Discord."""
    async with played(chat, locale) as at:
        guest = await browser.stranger(replace(device, is_calm=True, locale=LANGUAGES[locale]))
        if chat == "telegram":
            yield ViewTour(at, guest, locale, moments=moments)
            return
        async with DiscordWindow(guest.page.context, f"{at.address}/") as window:
            yield ViewTour(at, guest, locale, window, moments)


async def photograph(folder: Path, wanted: set[str], languages: Sequence[str]) -> None:
    """Saves pictures of all screens, or of the chosen ones."""
    chromium = Chromium()
    for chat, locale in [(chat, locale) for chat in SIZES for locale in languages]:
        async with Browser(chromium) as browser, tour(chat, browser, PHONE, locale) as shown:
            async for name in shown.everything():
                if not wanted or name in wanted:
                    await _photograph(shown, chat, folder / name, locale)
    await chromium.stop()


async def _photograph(shown: ViewTour, chat: str, folder: Path, locale: str) -> None:
    page = shown.guest.page
    for width, height in SIZES[chat]:
        await page.set_viewport_size(ViewportSize(width=width, height=height))
        for theme in ("light", "dark"):
            await _wear(shown, chat, theme)
            await shown.guest.photographs(folder / f"{chat}-{width}-{locale}-{theme}.png")

    if chat == "discord" and folder.name in SMALL_WINDOWS:
        for mode, (width, height) in WINDOWS.items():
            await page.set_viewport_size(ViewportSize(width=width, height=height))
            await page.evaluate(f"lay({mode})")
            await _wear(shown, chat, "dark")
            await shown.guest.photographs(folder / f"{chat}-small-{mode}-{locale}.png")
        await page.evaluate(f"lay({FOCUSED})")

    width, height = SIZES[chat][0]
    await page.set_viewport_size(ViewportSize(width=width, height=height))


async def _wear(shown: ViewTour, chat: str, theme: str) -> None:
    """Shows it light or dark, as Telegram does by an event, and elsewhere the device."""
    page = shown.guest.page
    await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type] # one of two
    if chat == "telegram":
        colour = BACKGROUNDS[theme]
        await page.evaluate(f"tell('theme_changed', {{theme_params: {{bg_color: '{colour}'}}}})")
        await shown.sees(f":root[data-theme={theme}]")
    await shown.stands_still()


if __name__ == "__main__":
    asyncio.run(photograph(Path(sys.argv[1]), set(sys.argv[2:]), tuple(LANGUAGES)))
