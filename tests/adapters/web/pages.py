"""The pages around the rooms, as a bot fills them: rules, people and games."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from adapters.port import (
    BoardMove,
    BoardPair,
    Figure,
    GameSign,
    GameSummary,
    MoveKind,
    MovesForgottenError,
    PlayerCard,
    PlayerTally,
    PuzzleBoard,
    Replay,
    ReplayStep,
    ReviewState,
    RoomRef,
    RuleGuide,
    RuleSetCard,
    RuleSketch,
    ServerRef,
    Span,
    UserRef,
)
from tests.adapters.boards import board
from tests.adapters.contract.picturing import png

RULES = RuleSetCard("plain", "Plain rules", "36 cards, 2–6 players.", "", RuleSketch("6", 36), is_usual=True)
TRANSFERS = RuleSetCard(
    "transfers",
    "Transfers",
    "36 cards, 2–6 players.",
    "Defenders may pass cards on.",
    RuleSketch("9", 24),
    is_usual=False,
)
FOOLS = PlayerTally(UserRef("web", "b0"), "Boris", 9, 5, 1.4)
NEWCOMER = PlayerTally(UserRef("web", "c0"), "Clara", 1, 0, 0.9, "1 of 5 games")
CHAMPION = PlayerTally(UserRef("web", "a0"), "Anna", 9, 1, 0.6)
FORM = (GameSign("✅", "safe"), GameSign("🃏", "fool"), GameSign("✅", "safe"))
ANNAS = PlayerCard("Anna", (Figure("9", "Games"),), (Span("fool 1 in 9 games"),), FORM)
GAME = GameSummary(7, 2, 1_700_000_000.0, ("Anna", "Boris"), (1,))
SECRET = "5ec2e7" + 26 * "0"  # opens a game of another chat
PUZZLE = PuzzleBoard(
    trump="D",
    text=(Span("One move wins: which one?"),),
    other=("TD", "JC"),
    bout=(BoardPair("QH", None, None),),
    cards=("AH", "6D"),
    moves=(
        BoardMove("z:7:D QH AH", MoveKind.BEAT, ("AH",), "QH", "Beat with A♥"),
        BoardMove("z:7:D QH 6D", MoveKind.BEAT, ("6D",), "QH", "Beat with 6♦"),
        BoardMove("z:7:T", MoveKind.TAKE, (), None, "Take"),
    ),
    number=7,
)
OLD_GAME = (9, 1)  # table and number of a game that has kept its result only
HANDS = (("6S", "TH"), ("7D",))


def steps(mark: tuple[Span, ...], costly: Collection[int] = (1,)) -> tuple[ReplayStep, ...]:
    """Returns three positions of a game, of which the `costly` ones carry the `mark` of a review."""
    better = BoardMove("", MoveKind.ATTACK, ("TH",), None, "Throw in 10♥")
    latest = [(), (Span("Anna attacks with 6♠."),), (Span("Boris takes 6♠."),)]
    status = [(), (), (Span("Boris is the fool!"),)]
    bouts = [(), (("6S", None),), (("6S", None),)]

    return tuple(
        ReplayStep(
            board(
                "Anna",
                "a0",
                "Boris",
                bout=bouts[step],
                step=step,
                latest=latest[step],
                status=status[step],
            ),
            (HANDS[0][step:], HANDS[1]),
            mark if step in costly else (),
            better=better if mark and step in costly else None,
        )
        for step in range(3)
    )


class KnownPages:
    """A bot with these facts and no others; it has reviewed the game."""

    def __init__(self) -> None:
        self.review = ReviewState.DONE
        self.asked_in: list[str] = []
        """The languages in which the rules were asked for."""
        self.own: int | None = None
        """Where the reader sat in the finished game."""
        self.costly: Collection[int] = {1}
        """The positions whose moves cost much, as a review found."""
        self.card = ANNAS
        """The statistics of the only player whose page is known."""
        self.players: Collection[UserRef] = ()
        """The guests who have finished a game."""
        self.finished: Sequence[GameSummary] = (GAME,)
        """The games that are listed."""

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        self.asked_in.append(locale)
        return (RULES, TRANSFERS)

    async def rules(self, room: RoomRef, locale: str) -> RuleGuide:
        return RuleGuide("Plain rules", ("Get rid of all cards.", "Beat or take."), ("Nothing is special.",))

    async def ranking(
        self, server: ServerRef, period: str, locale: str, *, fools_first: bool
    ) -> Sequence[PlayerTally]:
        if period == "week":
            return ()
        return (FOOLS, CHAMPION) if fools_first else (CHAMPION, FOOLS, NEWCOMER)

    async def statistics(self, server: ServerRef, user: UserRef, locale: str) -> PlayerCard | None:
        return self.card if user == CHAMPION.user else None

    async def has_statistics(self, server: ServerRef, user: UserRef) -> bool:
        return user in self.players

    async def games(self, server: ServerRef) -> Sequence[GameSummary]:
        return self.finished

    async def headline(
        self, server: ServerRef, table_id: int, game: int, locale: str, *, secret: str = ""
    ) -> str | None:
        if (table_id, game) == OLD_GAME:
            raise MovesForgottenError
        if secret not in {"", SECRET} or (not secret and (table_id, game) != (GAME.table_id, GAME.game)):
            return None
        return "Boris is the fool!"

    async def end_picture(
        self, server: ServerRef, table_id: int, game: int, locale: str, *, secret: str = ""
    ) -> bytes | None:
        known = await self.headline(server, table_id, game, locale, secret=secret)
        return None if known is None else png(7)

    async def puzzle(self, number: int, locale: str, token: str = "") -> PuzzleBoard | None:
        if number != PUZZLE.number:
            return None
        played = next((move for move in PUZZLE.moves if move.token == token), None)
        return PUZZLE if played is None else replace(PUZZLE, moves=(), text=(Span("Right!"),), played=played)

    async def puzzle_picture(self, server: ServerRef, number: int) -> bytes | None:
        return png(7) if number == PUZZLE.number else None

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
        if (table_id, game) == OLD_GAME:
            raise MovesForgottenError
        if (table_id, game, secret) not in {(GAME.table_id, GAME.game, ""), (8, 1, SECRET)}:
            return None

        if self.review is ReviewState.OFFERED and wants_review:
            self.review = ReviewState.UNDERWAY

        state = ReviewState.NONE if reader is None else self.review
        mark = (Span("💡 An expert would play: 6♠"),) if state is ReviewState.DONE else ()
        checks = ((True, "The key fits."), (False, "It is false."))

        return Replay(GAME, "A game", steps(mark, self.costly), checks, state, self.own)
