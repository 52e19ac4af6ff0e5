"""Game after game at one table (chapter 11): dealer, first attacker, points, the epaulette ladder."""

from dataclasses import dataclass, replace

from engine.rules.cards import Rank
from engine.rules.events import Outcome, Seat
from engine.rules.opening import Opening
from engine.rules.settings import Rules

ABOVE_ACE = int(Rank.ACE) + 1
"""The ladder's level of a player who has worn an ace: the match is over."""


@dataclass(frozen=True, slots=True)
class Match:
    """What is carried from game to game of the same people under the same rules.

    `starters` says who may attack first in the coming game, as in `Opening`: one seat, the team among whom
    the lowest trump decides, or none: as in a first game.
    """

    rules: Rules
    players: int
    dealer: Seat
    starters: tuple[Seat, ...] = ()
    points: tuple[int, ...] = ()
    levels: tuple[int, ...] = ()

    @staticmethod
    def begin(rules: Rules, players: int, dealer: Seat | None = None) -> "Match":
        """Begin a match; without a dealer the last seat deals, so that seat 0 gets the first card."""
        return Match(
            rules=rules,
            players=players,
            dealer=players - 1 if dealer is None else dealer,
            points=(0,) * players,
            levels=(int(Rank.SIX),) * players,
        )

    @staticmethod
    def of(opening: Opening) -> "Match":
        """Return the match as it stood before the game with this opening."""
        fresh = Match.begin(opening.rules, opening.players, opening.dealer)
        return replace(
            fresh,
            starters=opening.starters,
            points=opening.points or fresh.points,
            levels=opening.levels or fresh.levels,
        )

    @property
    def is_over(self) -> bool:
        """Whether a player has worn every epaulette up to the ace."""
        return any(level >= ABOVE_ACE for level in self.levels)

    def opening(self, seed: str, salt: str = "") -> Opening:
        """Return the opening of the coming game."""
        levels = self.levels if self.rules.epaulettes == "score" else ()
        points = self.points if any(self.points) else ()
        return Opening(self.rules, self.players, seed, salt, self.dealer, self.starters, levels, points)

    def after(self, outcome: Outcome) -> "Match":
        """Return the match after a game."""
        dealer = self._next_dealer(outcome)
        climbed = self.rules.epaulettes == "score" and outcome.epaulettes
        return replace(
            self,
            dealer=dealer,
            starters=self._next_starters(outcome, dealer),
            points=tuple(had + won for had, won in zip(self.points, outcome.points, strict=True)),
            levels=tuple(
                level + bool(climbed and seat in outcome.losers) for seat, level in enumerate(self.levels)
            ),
        )

    def changed(self, rules: Rules, players: int) -> "Match":
        """Begin again with other rules or another number of players; the dealer's seat stays if it can."""
        return Match.begin(rules, players, self.dealer % players)

    def _next_dealer(self, outcome: Outcome) -> Seat:
        fool = self._fool(outcome)
        if self.rules.dealer_next == "fool" and fool is not None:
            return fool
        return (self.dealer + 1) % self.players

    def _fool(self, outcome: Outcome) -> Seat | None:
        """Return whom the next game treats as the fool: in team play the first of the team that has lost.

        None where several have merely got no place.
        """
        return outcome.losers[0] if outcome.losers and self.rules.teams != "off" else outcome.fool

    def _next_starters(self, outcome: Outcome, dealer: Seat) -> tuple[Seat, ...]:
        """Return the starters; the next game begins like a first one without a fool, or after a draw."""
        fool = self._fool(outcome)
        match self.rules.first_attacker_next_game:
            case "left_of_dealer":
                return ((dealer + 1) % self.players,)
            case "attack_fool" if fool is not None:
                return ((fool - 1) % self.players,)
            case "spare_fool" if fool is not None:
                return ((fool + 1) % self.players,)
            case "winner" if not outcome.is_draw:
                return self._winners(outcome)
        return tuple(range(self.players))

    def _winners(self, outcome: Outcome) -> tuple[Seat, ...]:
        """Return the first to go out, or the team that was out first.

        If the game is given up before that: all who have not lost.
        """
        for count, seat in enumerate(outcome.order, 1):
            team = self.rules.partners(seat, self.players)
            if seat not in outcome.losers and set(team) <= set(outcome.order[:count]):
                return team
        return tuple(seat for seat in range(self.players) if seat not in outcome.losers)
