"""The line about the fool's move that decided a game."""

from collections.abc import Sequence

from bot.locale import Translator, gettext_noop
from bot.screens.server_settings import EXAMPLE_PLAYER
from bot.screens.story import Scene, attack_line, defence_line
from bot.screens.text import Line, cards_text
from engine import Attack, Card, Decision, Defend, Rank, Regret, Suit, Take, cards_of

TURNING = gettext_noop("🔀 Round {n} decided it: {move}")

# A move decided the game if it raised the fool's risk (0 to 1) by at least this much.
MIN_TURNING_COST = 0.25


def turning_line(regrets: Sequence[Regret], scene: Scene) -> Line:
    """Names the fool's move that decided a game; empty if none is certain.

    Only moves with cards that everybody saw count; naming a pass would reveal hidden cards.
    """
    for regret in regrets:
        move = _seen_move(regret.decision, scene)
        if move and regret.cost >= MIN_TURNING_COST:
            return scene.translator.spans(TURNING, n=str(regret.decision.bout), move=move)

    return ()


def _seen_move(decision: Decision, scene: Scene) -> Line:
    """Renders a move with cards that everybody saw; empty for moves of other kinds."""
    translator = scene.translator
    public = decision.view.public
    name = scene.names[decision.view.seat]

    match decision.played:
        case Take():
            text = cards_text(cards_of(public.bout), translator)
            return translator.spans("{name} takes {cards}.", name=name, cards=text)

        case Attack(cards):
            return attack_line(name, cards, translator, adds=bool(public.bout))

        case Defend(card, attack):
            return defence_line(name, attack, card, translator)

    return ()


def turning_example(translator: Translator) -> str:
    """Returns an example of the line, for the panel of settings."""
    cards = [Card(Suit.SPADES, Rank.KING), Card(Suit.HEARTS, Rank.KING)]
    move = translator.text(
        "{name} takes {cards}.", name=EXAMPLE_PLAYER.name, cards=cards_text(cards, translator)
    )
    return translator.text(TURNING, n=7, move=move)
