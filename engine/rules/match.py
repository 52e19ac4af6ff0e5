"""The state carried over between games (chapter 11): dealer, first attacker, points, epaulette ladder."""

from dataclasses import dataclass, replace

from engine.rules.cards import Rank
from engine.rules.events import Outcome, Seat
from engine.rules.opening import Opening
from engine.rules.settings import Rules

ABOVE_ACE = int(Rank.ACE) + 1  # the ladder's level after the ace: the match is over


@dataclass(frozen=True, slots=True)
class Match:
    """The state that games of the same people under the same rules pass on.

    `starters` are the seats that may attack first in the next game, as in `Opening`: one seat, several among
    which the lowest trump decides, or none before a first game.
    """

    rules: Rules
    players: int
    dealer: Seat
    starters: tuple[Seat, ...] = ()
    points: tuple[int, ...] = ()
    levels: tuple[int, ...] = ()

    @staticmethod
    def begin(rules: Rules, players: int, dealer: Seat | None = None) -> "Match":
        """Begins a match; without a dealer the last seat deals, so that seat 0 gets the first card."""
        first_dealer = players - 1 if dealer is None else dealer
        return Match(
            rules=rules,
            players=players,
            dealer=first_dealer,
            points=(0,) * players,
            levels=(int(Rank.SIX),) * players,
        )

    @staticmethod
    def of(opening: Opening) -> "Match":
        """Returns the match as it was before the game with this opening."""
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
        """Returns the opening of the next game."""
        levels = self.levels if self.rules.epaulettes == "score" else ()
        points = self.points if any(self.points) else ()
        return Opening(self.rules, self.players, seed, salt, self.dealer, self.starters, levels, points)

    def after(self, outcome: Outcome) -> "Match":
        """Returns the match after a game.

        If the rules need a fool or a winner and there is none, the lowest trump decides (rule 11.3).
        """
        rules = self.rules
        players = self.players
        losers = outcome.losers

        # In team play the first seat of the losing team counts as the fool (rule 11.1).
        fool = losers[0] if losers and rules.teams != "off" else outcome.fool
        dealer = (self.dealer + 1) % players
        if rules.dealer_next == "fool" and fool is not None:
            dealer = fool

        starters = tuple(range(players))
        match rules.first_attacker_next_game:
            case "left_of_dealer":
                starters = ((dealer + 1) % players,)
            case "attack_fool" if fool is not None:
                starters = ((fool - 1) % players,)
            case "spare_fool" if fool is not None:
                starters = ((fool + 1) % players,)
            case "winner" if not outcome.is_draw:
                starters = self._winners(outcome)

        climbed = rules.epaulettes == "score" and outcome.epaulettes > 0
        return replace(
            self,
            dealer=dealer,
            starters=starters,
            points=tuple(had + gain for had, gain in zip(self.points, outcome.points, strict=True)),
            levels=tuple(level + (climbed and seat in losers) for seat, level in enumerate(self.levels)),
        )

    def with_rules(self, rules: Rules, players: int) -> "Match":
        """Begins a new match with other rules or players (rule 11.4); keeps the dealer's seat if possible."""
        return Match.begin(rules, players, self.dealer % players)

    def _winners(self, outcome: Outcome) -> tuple[Seat, ...]:
        """Returns the first player to go out, or in team play the first team (rule 11.2).

        If somebody resigned before that, returns all seats that have not lost.
        """
        for count, seat in enumerate(outcome.order, 1):
            team = self.rules.partners(seat, self.players)
            if seat not in outcome.losers and set(team) <= set(outcome.order[:count]):
                return team
        return tuple(seat for seat in range(self.players) if seat not in outcome.losers)
