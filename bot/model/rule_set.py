"""Rules and the name they go by."""

from dataclasses import dataclass

from engine import Rules


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules under the name they go by; `house_rules` is set if a server has given them that name."""

    name: str
    rules: Rules
    house_rules: Rules | None = None
