"""The second engine's seats: attackers, defenders and successors, found by walking from chair to chair."""

from engine import Rules, Seat

_TEAMS = {"2x2": 2, "3x2": 3, "2x3": 2}


class Seating:
    """The chairs around a table, and the players who are out."""

    def __init__(self, rules: Rules, players: int, attacker: Seat) -> None:
        """Seats everyone; the defender is the next opponent to the attacker's left."""
        self.rules = rules
        self.players = players
        self.out: list[Seat] = []
        self.chair = self.target = attacker
        self.attacker = self.defender = attacker
        self.start_from(attacker)

    def team(self, seat: Seat) -> int:
        """Returns the team of a seat: partners sit across; without teams everyone is alone (rule 10.1)."""
        return seat if self.rules.teams == "off" else seat % _TEAMS[self.rules.teams]

    def around(self, start: Seat) -> list[Seat]:
        """Returns everyone in play, clockwise from a seat."""
        seating = [(start + step) % self.players for step in range(self.players)]
        return [seat for seat in seating if seat not in self.out]

    def player_of(self, chair: int) -> Seat | None:
        """Returns the player of a chair; the last of a team also plays for the partners (rule 10.4)."""
        if chair not in self.out:
            return chair
        if self.rules.teams == "off" or self.rules.team_order == "skip":
            return None

        mates = [
            seat
            for seat in range(self.players)
            if self.team(seat) == self.team(chair) and seat not in self.out
        ]

        return mates[0] if len(mates) == 1 else None

    def start_from(self, chair: int) -> int:
        """Makes the player of this chair, or of the next one in play, the attacker; returns the steps."""
        steps = 0
        while self.player_of((chair + steps) % self.players) is None:
            steps += 1

        self.chair = (chair + steps) % self.players
        self.attacker = self._player(self.chair)
        self.target = (self.chair + 1) % self.players
        while self.player_of(self.target) is None or self._is_friend(self.target):
            self.target = (self.target + 1) % self.players

        self.defender = self._player(self.target)
        return steps

    def _player(self, chair: int) -> Seat:
        player = self.player_of(chair)
        assert player is not None
        return player

    def _is_friend(self, chair: int) -> bool:
        return self.team(self._player(chair)) == self.team(self.attacker)

    def steps_to_defender(self) -> int:
        """Returns the number of chairs from the attacker to the defender, to the left."""
        steps = 1
        while (self.chair + steps) % self.players != self.target:
            steps += 1
        return steps

    def push(self) -> int:
        """Transfers the attack: the defender attacks the next player (rule 6.3); returns the steps."""
        step = 1 if self.rules.transfer_direction == "left" else -1
        walked = step
        while (self.defender + walked) % self.players in self.out:
            walked += step

        self.attacker = self.defender
        self.defender = (self.defender + walked) % self.players
        self.chair = self.attacker
        self.target = self.defender

        return walked

    def after_bout(self, *, taken: bool) -> int:
        """Makes the defender attack, or the next player after a take (rule 7.11); returns the steps."""
        return (
            self.start_from((self.target + 1) % self.players) + 1 if taken else self.start_from(self.target)
        )

    def may_throw_in(self) -> list[Seat]:
        """Returns the order of throwing in, without partners of the defender (rule 4.9)."""
        if self.rules.throw_in == "attacker":
            return [self.attacker]

        others = [seat for seat in self.around(self.defender) if seat != self.defender]
        if self.rules.throw_in == "neighbours":
            others = others[:1]

        friends = self.team(self.defender)
        return [self.attacker, *(seat for seat in others if self.team(seat) != friends)]
