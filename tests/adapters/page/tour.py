"""Every screen of the page, as the bot draws it in a language.

Run as a program, it photographs them at all widths, light and dark. Look at the pictures before you commit a
change of the page: `python -m tests.adapters.page.tour --help`.
"""

import asyncio
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from time import time
from typing import NamedTuple
from zoneinfo import ZoneInfo

from PIL import Image
from playwright.async_api import ViewportSize

from adapters.port import (
    Everyone,
    GameRef,
    GameSummary,
    MessageRef,
    Only,
    PlayerCard,
    PlayerTally,
    Replay,
    Reply,
    ReviewState,
    RoomRef,
    RuleGuide,
    RuleSetCard,
    Screen,
    ServerRef,
    UserRef,
)
from adapters.web.refs import room_ref
from adapters.web.render import LIMITS
from bot.app import REGISTRY
from bot.features.learn.screens import lesson_screen
from bot.features.puzzles.model import PuzzleTally
from bot.features.puzzles.screens import puzzle_screen, solution_screen
from bot.locale import Translator
from bot.model.calendar import LocalTime
from bot.model.profile import Profile
from bot.model.server_choices import ServerChoices
from bot.model.table import Phase, Player, Table
from bot.model.waiting import Waiting
from bot.screens.board import board_of, hand_board
from bot.screens.hand import Hand, hand_screen
from bot.screens.help import help_screen
from bot.screens.lobby import lobby_board, lobby_screen, option_form
from bot.screens.me import own_screen
from bot.screens.names import names_of
from bot.screens.result import GameEnd, ending_screen, game_result, own_result, result_screen
from bot.screens.review import replay_of
from bot.screens.rules import TO_ALL, rule_guide, rule_set_cards, rules_screen
from bot.screens.server import ServerState, server_screen
from bot.screens.story import Scene
from bot.screens.table import table_screen
from bot.screens.text import in_hand_order
from bot.tables.reviews import decisions_of
from engine import (
    PRESETS,
    Event,
    Move,
    Opening,
    Record,
    Regret,
    Rules,
    Seat,
    State,
    full_deck,
    parse_action,
    seed_hash,
    seen_by,
)
from engine.puzzles import Puzzle
from tests.adapters import boards
from tests.adapters.contract.steps import says
from tests.adapters.web.client import visitors
from tests.adapters.web.pages import GAME, KnownPages
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import posted
from tests.bench.reviews import journal
from tests.bot.screens.evening import tallies
from tests.bot.screens.scenes import played
from tests.wire.browser import DESKTOP, PHONE, Browser, Guest
from tests.wire.chromium import Chromium

# Widths and heights at which the screens are looked at, by what they are shown on.
SIZES = {
    replace(PHONE, is_calm=True): ((360, 640), (390, 844), (768, 1024)),
    replace(DESKTOP, is_calm=True): ((1280, 800), (1920, 1080)),
}

# The browser's language setting, by the language that its reader sees.
LANGUAGES = {"en": "en-US", "ru": "ru-RU", "de": "de-DE"}

RULES = PRESETS["perevodnoy"]
TEAMS = replace(PRESETS["podkidnoy-36"], teams="3x2")
SEAL = "0123456789abcdef"
CLOCK = 120

COMPANY = ("Anna", "Boris", "Clara")
REVIEWED = "tour-0"  # the seed of a game of beginners, of which Anna asks for a review

# Its findings, by `bot.tables.reviews`: the number of a decision, the better move, the risk, the least one.
FOUND = ((16, "A AH", 0.833, 0.17), (17, "T", 0.952, 0.527))

SEATED = ("Anna", "Boris", "🤖 Ada", "Žygimantas Petrauskas", "Олександра", "Fritz")


class BotPages(KnownPages):
    """The bot's answers to the page: its rules in the reader's language, and a whole game."""

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        return rule_set_cards(PRESETS, Translator(locale))

    async def rules(self, room: RoomRef, locale: str) -> RuleGuide:
        return rule_guide("perevodnoy", RULES, 2, Translator(locale))

    async def ranking(
        self, server: ServerRef, period: str, locale: str, *, fools_first: bool
    ) -> Sequence[PlayerTally]:
        if period == "week":
            return ()
        best = [
            PlayerTally(UserRef("web", f"a{seat}"), name, 30 - seat, 3 + seat, 0.4 + seat / 4)
            for seat, name in enumerate(SEATED)
        ]
        return best[::-1] if fools_first else best

    async def statistics(self, server: ServerRef, user: UserRef, locale: str) -> PlayerCard | None:
        drawn = dict(tallies(Translator(locale)))["statistics"].facts
        return drawn if isinstance(drawn, PlayerCard) else None

    async def games(self, server: ServerRef) -> Sequence[GameSummary]:
        lost = ((1,), (), (0, 2), (2,), (0,))
        return [
            replace(
                GAME, game=9 - number, at=GAME.at - number * 90_000, names=SEATED[: 6 - number], losers=losers
            )
            for number, losers in enumerate(lost)
        ]

    async def replay(
        self,
        server: ServerRef,
        table_id: int,
        game: int,
        locale: str,
        reader: UserRef | None,
        *,
        secret: str = "",
        wants_review: bool = False,
    ) -> Replay | None:
        opening = Opening(RULES, len(COMPANY), REVIEWED)
        entries = list(journal(opening, "beginner"))
        moves = tuple((entry.seat or 0, parse_action(entry.text)) for entry in entries[1:])
        record = Record(opening, moves, seed_hash(REVIEWED))

        decisions = decisions_of(entries, 0)
        regrets = [
            Regret(decisions[number], Move.parse(best), risk, least) for number, best, risk, least in FOUND
        ]
        table = table_of(COMPANY, Phase.OVER, ids=dict.fromkeys(COMPANY, "a0"))
        summary = replace(GAME, names=COMPANY, losers=(0,))
        shown = replay_of(summary, table, record, regrets, Translator(locale))
        return replace(shown, review=ReviewState.DONE, own=0)


def table_of(
    names: Sequence[str],
    phase: Phase = Phase.PLAYING,
    *,
    ids: Mapping[str, str],
    opener: str = "Anna",
    locale: str = "en",
    rules: Rules = RULES,
) -> Table:
    """Returns a table of people with known ids, and of house players."""
    players = tuple(
        Player(name.removeprefix("🤖 "), UserRef("web", ids[name]) if name in ids else None) for name in names
    )
    host = UserRef("web", ids[opener])
    return Table(
        *(1, room_ref("main"), host, "perevodnoy", rules, "5eed", 0.0, players), phase=phase, locale=locale
    )


class Moment(NamedTuple):
    """A position, and what led to it."""

    state: State
    events: tuple[Event, ...]


def moment(
    *hands: str,
    attacker: Seat,
    moves: str,
    talon: int = 12,
    out: Collection[Seat] = (),
    rules: Rules = RULES,
) -> Moment:
    """Returns a position with hearts as trumps, after moves such as `0 A 6S, 1 T`."""
    held = {card for hand in hands for card in hand.split()}
    rest = sorted(
        (str(card) for card in full_deck(36) if str(card) not in held), key=lambda card: card[1] == "H"
    )
    laid_away = len(rest) - talon
    state = State.setup(
        *(rules,),
        hands=hands,
        talon=" ".join(rest[laid_away:]),
        trump="H",
        attacker=attacker,
        discard=" ".join(rest[:laid_away]),
        out=out,
        turn_up=None if talon else "6H",
    )
    events: tuple[Event, ...] = ()
    for move in filter(None, moves.split(", ")):
        seat, _, text = move.partition(" ")
        step = state.apply(int(seat), Move.parse(text))
        state, events = step.state, events + step.events
    return Moment(state, events)


# How games end without a fool.
DRAWN = moment("9S", "TS", attacker=0, moves="0 A 9S, 1 D 9S TS", talon=0)
WON_TOGETHER = moment(
    *("9S", "TC 7C", "", "8C 8D", "", "AC"),
    attacker=0,
    moves="0 A 9S, 1 T",
    talon=0,
    out=(2, 4),
    rules=replace(TEAMS, teams="2x3"),
)

# The positions at the table; Anna has the first seat.
MOMENTS: Mapping[str, Callable[[], Moment]] = {
    "attack": lambda: moment("6S 6D 9H TC KS AH", "7S 7D 8D 9C JC QC", attacker=0, moves=""),
    "defence": lambda: moment(
        *("TS TC QS QC QH 9D", "7S 8S 7H JH", "9C 7D 8D", "9S JS QD 6C 6D"),
        attacker=2,
        moves="2 A 9C, 3 X 9S",
    ),
    "taking": lambda: moment(
        *("9S 9D 9H KC KS AC", "6S JD 6C 7C 8C", "TS JS QS 7H"), attacker=0, moves="0 A 9S, 1 T"
    ),
    "waiting": lambda: moment(
        *("9D KH KS AC", "6S JD 6C 7C 8C", "TS JS QS 7H"), attacker=1, moves="1 A 6S, 2 D 6S TS"
    ),
    "safe": lambda: moment(*("", "9S KD AH", "6S TC", "7S 8D"), attacker=1, moves="1 A 9S", talon=0, out=[0]),
    "three": lambda: moment(*("9S 9D 9H KC KS AC", "6S JD 6C 7C 8C", "TS JS QS 7H"), attacker=0, moves=""),
    "five": lambda: moment(
        *("8S 9S TD", "8D 9D JD QD KD", "8C 9C TC", "7S 6D JC", "AS 7D"),
        attacker=3,
        moves="3 A 7S",
        talon=6,
    ),
    "empty": lambda: moment("9S KD AH", "6S TC", attacker=0, moves="0 A 9S", talon=0),
    "six": lambda: moment(
        *("8S 9S TD QC QH KS", "8D 9D JD QD KD JC", "8C 9C TC", "7S 6D", "AS 7D", "7C JH 6H KH"),
        attacker=3,
        moves="3 A 7S, 4 X 7D, 5 X 7C",
        talon=6,
    ),
}


def sights() -> AbstractAsyncContextManager[Site]:
    """Serves a page for a tour, with the commands of the bot."""
    return web_site(public_url="https://durak.example", commands=REGISTRY.announced())


class Tour:
    """Somebody whom the bot shows everything, one after the other."""

    def __init__(self, site: Site, guest: Guest, locale: str) -> None:
        self.site, self.guest, self.page = site, guest, guest.page
        self.ids: dict[str, str] = {}
        self.locale, self.translator = locale, Translator(locale)
        self.shown: list[MessageRef] = []

    async def everything(self) -> AsyncIterator[str]:
        """Goes from the entry page to the replay; yields the name of each screen once it is shown."""
        self.site.pages.__class__ = BotPages
        self.ids = {name: name for name in SEATED if "🤖" not in name}
        await self.plays(MOMENTS["three"](), SEATED[1:], is_seen=False)
        await self.page.goto(self.site.url)
        await self.page.wait_for_selector("#name")
        yield "door-playing"
        await self.clears()
        await self.page.reload()
        await self.page.wait_for_selector("#name")
        yield "door"
        await self.guest.enters(self.site.url, "Anna")
        async with visitors() as company:
            for name in SEATED[1:]:
                await company.newcomer(self.site.url, name)
            self.ids = {
                guest.name: guest.id for guest in await self.site.store.guests() if "🤖" not in guest.name
            }
            async for name in self.inside():
                yield name

    async def inside(self) -> AsyncIterator[str]:
        """Continues from the room, with all other people in it."""
        self.site.inbox.reply = Reply()
        await self.page.wait_for_selector("#hello:not([hidden])")
        yield "room"
        for name, opens in (
            ("play", "header [data-play]"),
            ("rooms", "#place"),
            ("invite", "#open-links"),
            ("how", "#hello [data-how]"),
        ):
            await self.page.click(opens)
            await self.page.wait_for_load_state("networkidle")
            yield name
            await self.closes()
        await self.page.click("#open-commands")
        yield "commands"
        await self.page.click("#open-commands")
        async for name in self.answers():
            yield name
        await self.guest.types("Hello! Привет!")
        async for name in self.lobbies():
            yield name
        async for name in self.moments():
            yield name
        async for name in self.ends():
            yield name
        for name, path in (("leaderboard", "results"), ("replay", f"games/{GAME.table_id}-{GAME.game}#8")):
            await self.page.goto(self.site.url.removesuffix("r/main") + path)
            await self.page.wait_for_selector("#best:not([hidden]), #replay:not([hidden])")
            yield name
            if name == "leaderboard":
                await self.page.click("#best button.who")
                await self.page.wait_for_selector("#player[open]")
                yield "player"
                await self.closes()
                await self.page.click("[data-period=week]")
                await self.page.wait_for_selector("#best", state="hidden")
                yield "leaderboard-empty"
            else:
                await self.page.locator("#bouts .costly").first.click()
                await self.page.wait_for_selector("#mark:not([hidden])")
                yield "review"
        async for name in self.elsewhere():
            yield name

    async def elsewhere(self) -> AsyncIterator[str]:
        """Opens an address that does not exist, the page without a network, and a long list of rooms."""
        home = self.site.url.removesuffix("r/main")
        await self.page.goto(f"{home}page/offline.html")
        yield "offline"
        await self.page.goto(f"{home}nowhere")
        self.guest.complaints.clear()  # it is not found, as it should be
        yield "unknown"
        await self.page.goto(self.site.url)
        for number in range(50):
            room = replace(self.site.room, id=f"room-{number}")
            await self.site.adapter.post(Everyone(room), says("a table"))
        await self.page.click("#place")
        await self.page.wait_for_selector("#empty-rooms:has-text('50')")
        yield "rooms-51"
        await self.closes()
        await self.page.context.set_offline(True)
        await self.page.wait_for_selector("#offline:not([hidden])")
        yield "lost"
        await self.page.context.set_offline(False)
        await self.page.wait_for_selector("#offline", state="hidden")
        self.guest.complaints.clear()  # there was no network, as it should be
        await self.page.click("#open-links")
        await self.page.click("#links [data-leave]")
        await self.page.wait_for_selector("#known:visible")
        yield "door-again"

    async def answers(self) -> AsyncIterator[str]:
        """Asks for private answers."""
        attacked = moment("9S KD", "TS 6H", attacker=0, moves="0 A 9S", talon=0).state
        line = ((1, "D 9S TS"), (0, "P"), (1, "A 6H"), (0, "T"))
        puzzle = Puzzle(attacked, 1, tuple((seat, Move.parse(move)) for seat, move in line))
        limits, translator = LIMITS, self.translator
        wrong = Move.parse("D 9S 6H")
        state = ServerState(REGISTRY.settings, ServerChoices(), "perevodnoy")
        for name, screen in (
            ("me", own_screen(Profile(), limits, translator)),
            ("server", server_screen(state, translator, limits)),
            ("help", help_screen(translator, limits, commands=REGISTRY.specs, is_private=False)),
            ("rules", rules_screen("perevodnoy", RULES, (), translator, 3, offered=(TO_ALL,))),
            ("stats", dict(tallies(translator))["statistics"]),
            ("lesson", lesson_screen(0, 0, "", limits, translator)),
            ("puzzle", puzzle_screen(1, puzzle, limits, translator)),
            ("solved", solution_screen(1, puzzle, puzzle.answer, PuzzleTally(3, 2), translator)),
            ("unsolved", solution_screen(1, puzzle, wrong, PuzzleTally(3, 0), translator)),
        ):
            self.site.inbox.reply = Reply(secret=screen)
            await self.guest.types(f"/hand {name}")
            await self.page.wait_for_selector("#panel[open]")
            yield name
            await self.closes()
        self.site.inbox.reply = Reply()

    async def closes(self) -> None:
        await self.page.keyboard.press("Escape")
        await self.page.wait_for_selector("dialog[open]", state="detached")

    async def clears(self) -> None:
        for message in self.shown:
            await self.site.adapter.delete(message)
        self.shown.clear()

    async def shows(self, screen: Screen) -> None:
        self.shown.append(await posted(self.site, screen))

    async def shows_alone(self, screen: Screen) -> None:
        delivery = await self.site.adapter.post(
            Only(UserRef("web", self.ids["Anna"]), self.site.room), screen
        )
        self.shown.append(delivery.ref)  # type: ignore[union-attr] # the page takes it

    async def lobbies(self) -> AsyncIterator[str]:
        for name, names in (
            ("lobby-alone", ("Anna",)),
            ("lobby-host", ("Anna", "Boris", "🤖 Ada")),
            ("lobby-guest", ("Boris", "Anna", "Žygimantas Petrauskas")),
            ("lobby-onlooker", ("Boris", "🤖 Ada")),
            ("lobby-full", SEATED),
            ("lobby-teams", SEATED),
            ("lobby-rematch", ("Anna", "🤖 Ada")),
        ):
            table = table_of(names, Phase.LOBBY, ids=self.ids, opener=names[0], locale=self.locale)
            if name == "lobby-teams":
                table = replace(table, preset="podkidnoy-36", rules=TEAMS)
            elif name == "lobby-rematch":
                before = (*table.players, Player("Boris", UserRef("web", self.ids["Boris"])))
                table = replace(table, game=2, before=before)
                over = boards.board("Anna", self.ids["Anna"], "Boris", is_over=True, losers=(1,), step=9)
                lost = self.translator.spans("🃏 {name} is the fool!", name="Boris")
                await self.shows(replace(boards.screen(over), body=lost, finished_game=GameRef(1, 1)))
            lobby = lobby_screen(table, SEAL, (), LIMITS, self.translator)
            await self.shows(replace(lobby, board=lobby_board(table, SEAL, self.translator)))
            await self.page.wait_for_selector(".lobby:visible")
            await self.page.wait_for_load_state("networkidle")
            yield name
            if name == "lobby-host":
                form = option_form(table, rule_set_cards(PRESETS, self.translator), self.translator)
                self.site.inbox.reply = Reply(form=form)
                await self.page.locator(".lobby-buttons .other").nth(1).click()
                await self.page.wait_for_selector("#form[open]")
                yield "settings"
                await self.closes()
                self.site.inbox.reply = Reply()
            await self.clears()
            await self.page.wait_for_selector(".lobby", state="hidden")

    async def moments(self) -> AsyncIterator[str]:
        for name, make in MOMENTS.items():
            await self.plays(make())
            yield name
            if name == "attack":
                await self.page.click("[data-menu]")
                yield "menu"
                await self.closes()
                if not await self.page.is_visible("#side"):  # as a column it is there already
                    await self.page.click("#open-chat")
                yield "chat"
                await self.page.click("#close-chat")
            if name == "defence":
                await self.page.locator(".held[data-key=QS]").click(position={"x": 9, "y": 16})
                yield "chosen"
                await self.page.keyboard.press("Escape")
                await self.page.locator(".held[data-key='9D']").click(position={"x": 9, "y": 16})
                yield "transfer"
                await self.page.keyboard.press("Escape")
                await self.page.click(".big .take")
                yield "taken"
                await self.page.wait_for_timeout(500)  # until it is no second tap on Take
                await self.page.click("#undo")
                await self.page.wait_for_selector("#mine:not(.busy)")
            await self.clears()
        await self.plays(MOMENTS["defence"](), agreed=["Žygimantas Petrauskas"])
        await self.page.wait_for_selector("#question:visible")
        yield "stopping"
        await self.clears()
        await self.plays(MOMENTS["defence"](), SEATED[1:])
        yield "onlooker"
        await self.clears()

    async def plays(
        self,
        now: Moment,
        names: Sequence[str] = SEATED,
        *,
        agreed: Collection[str] = (),
        is_seen: bool = True,
    ) -> None:
        """Shows a table with these people, and Anna's hand if she plays; `agreed` want to stop the game.

        Waits until it `is_seen`.
        """
        state, events = now.state, now.events
        table = table_of(names[: state.players], ids=self.ids, opener=names[0], locale=self.locale)
        table = replace(table, agreed=frozenset(UserRef("web", self.ids[name]) for name in agreed))
        waiting = Waiting(
            state.awaited, time() - 45, time(), CLOCK, 0.0, LocalTime(ZoneInfo("UTC"), None), time() - 45
        )
        scene = Scene(
            table,
            names_of(table.players),
            state.public_view(),
            self.translator,
            seen_by(events, None),
            waiting=waiting,
        )
        public = table_screen(scene, LIMITS)
        await self.shows(replace(public, board=board_of(scene)))
        if not is_seen:
            return
        if "Anna" not in names:
            await self.page.wait_for_selector("#room.live .seat")
            return
        hand = Hand(scene, state.view_for(0), 1, state.legal_moves(0))
        mine = hand_screen(hand, LIMITS)
        await self.shows_alone(replace(mine, board=hand_board(hand)))
        await self.page.wait_for_selector(".held, .safe:visible")

    async def ends(self) -> AsyncIterator[str]:
        lost = [*played(Opening(RULES, 3, "5eed", shuffle=1), Random(7))][-1]
        loser = lost[0].outcome().losers[0]  # type: ignore[union-attr] # it has ended
        for name, (state, events), seat in (
            ("result", lost, loser),
            ("result-safe", lost, (loser + 1) % 3),
            ("result-draw", DRAWN, 0),
            ("result-teams", WON_TOGETHER, 0),
        ):
            await self.plays(MOMENTS["taking"]())
            public, mine = self.shown
            others = SEATED[1 : state.players]
            company = (*others[:seat], "Anna", *others[seat:])
            table = table_of(
                company, Phase.OVER, ids=self.ids, opener="Anna", locale=self.locale, rules=state.rules
            )
            scene = Scene(
                table, names_of(table.players), state.public_view(), self.translator, seen_by(events, None)
            )
            board = board_of(scene)
            opening = Opening(state.rules, state.players, "5eed")
            outcome = state.outcome()
            assert outcome is not None

            await self.site.adapter.edit(public, replace(table_screen(scene, LIMITS), board=board))
            change = -1.2 if seat in outcome.losers else 1.4
            end = GameEnd(1, opening, outcome)
            ending = ending_screen(table, end, seat, public, self.translator, rating_change=change)
            own = own_result(table, end, seat, self.translator, rating_change=change)
            await self.site.adapter.edit(mine, replace(ending, board=own, finished_game=GameRef(1, 1)))
            left = () if outcome.fool is None else in_hand_order(state.view_for(outcome.fool))
            result = result_screen(scene, outcome, opening, fools_hand=left)
            words = game_result(scene, outcome, opening, fools_hand=left)
            await self.shows(replace(result, board=board_of(scene, left, words)))
            await self.page.wait_for_selector(".outcome:visible")
            yield name
            await self.clears()


async def picture_of(wanted: str, site: Site, browser: Browser) -> Image.Image:
    """Returns a picture of a screen on a desktop, in English."""
    guest = await browser.stranger(replace(DESKTOP, is_calm=True))
    pictures = {}
    async for name in Tour(site, guest, "en").everything():
        await guest.sees_nothing_move()
        pictures[name] = await guest.page.screenshot()
    return Image.open(BytesIO(pictures[wanted])).convert("RGB")


async def photograph(folder: Path, wanted: set[str], languages: Sequence[str]) -> None:
    """Saves pictures of all screens, or of the chosen ones."""
    chromium = Chromium()
    for locale in languages:
        for device, sizes in SIZES.items():
            async with sights() as site, Browser(chromium) as browser:
                guest = await browser.stranger(replace(device, locale=LANGUAGES[locale]))
                tour = Tour(site, guest, locale)
                async for name in tour.everything():
                    if wanted and name not in wanted:
                        continue
                    for width, height in sizes:
                        await guest.page.set_viewport_size(ViewportSize(width=width, height=height))
                        for theme in ("light", "dark"):
                            await guest.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                            await guest.sees_nothing_move()
                            await guest.photographs(folder / name / f"{width}-{locale}-{theme}.png")
                    width, height = sizes[0]
                    await guest.page.set_viewport_size(ViewportSize(width=width, height=height))
                assert not guest.complaints, guest.complaints
    await chromium.stop()


def main() -> None:
    """Photographs the screens that the command line names."""
    parser = ArgumentParser(prog="python -m tests.adapters.page.tour", description=__doc__)
    parser.add_argument("folder", type=Path, help="gets a folder of pictures for each screen")
    parser.add_argument("screens", nargs="*", metavar="screen", help="all, if none is given")
    parser.add_argument(
        "--language", choices=LANGUAGES, action="append", help="one of several; all, if none is given"
    )
    options = parser.parse_args()

    languages = options.language or tuple(LANGUAGES)
    asyncio.run(photograph(options.folder, set(options.screens), languages))


if __name__ == "__main__":
    main()
