"""Who plays together, at a glance."""

from engine import Rules, Seat, team_of

SIGNS = ("🔴", "🔵", "🟢")


def team_sign(rules: Rules, seat: Seat) -> str:
    """Return the sign of a seat's team; empty when everybody plays alone."""
    return "" if rules.teams == "off" else SIGNS[team_of(rules, seat)]
