"""The part of turning: the fool's decisive move, from the review of their game."""

from collections.abc import Sequence

from bot.features.turning.screens import turning_example, turning_line
from bot.locale import gettext_noop
from bot.model.findings import NoFindings
from bot.model.messages import MessageKind, TableSlot
from bot.screens.result import resigned_seat
from bot.screens.server_settings import ServerSetting
from bot.screens.story import Scene
from bot.screens.text import Line
from bot.storage import GameToReview
from bot.tables.reviews import Reviews
from engine import Outcome, Regret
from engine.runtime import Game

SETTING = ServerSetting(
    name="turning",
    rank=100,
    label=gettext_noop("Turn of the game"),
    about=gettext_noop("Results name the fool's move that decided the game, where an expert is sure."),
    example=turning_example,
)


class Turning:
    """Names the fool's move that decided a game, once the review of their moves is done."""

    def __init__(self, reviews: Reviews) -> None:
        self._reviews = reviews

    async def under_the_result(self, scene: Scene, game: Game, outcome: Outcome) -> Line:
        """Names the move; empty until the fool's moves are reviewed."""
        return turning_line(self._fools_regrets(scene, game, outcome), scene)

    def _fools_regrets(self, scene: Scene, game: Game, outcome: Outcome) -> Sequence[Regret]:
        """Returns the costly moves of a person who is the fool, unless they resigned.

        Requests the review if it is missing.
        """
        table = scene.table
        fool = outcome.fool
        if fool is None:
            return ()

        user = table.players[fool].user
        has_resigned = resigned_seat(game.public_events) is not None
        if user is None or has_resigned:
            return ()

        slot = TableSlot(table.id, table.game, MessageKind.REVIEW, user)
        findings = self._reviews.findings(slot)
        if findings is None:
            self._reviews.request(slot, None, GameToReview(table.id, table.game, fool, game.entries))

        return () if findings is None or isinstance(findings, NoFindings) else findings
