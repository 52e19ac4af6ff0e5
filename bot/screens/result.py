"""The end of a game: who is the fool."""

from adapters.port import Choice, Mark, Screen, Span, Tone
from bot.lobby import Phase
from bot.locale import Voice
from bot.screens.scene import Scene
from bot.screens.story import Line
from bot.screens.table import BREAK, stacked
from bot.tokens import AfterGame, EndAction
from engine import Outcome


def result_screen(scene: Scene, outcome: Outcome, seed: str, voice: Voice) -> Screen:
    """Name the fool or the draw, the order of going out, and what the deal was."""
    blocks = [
        _headline(scene, outcome, voice),
        _order(scene, outcome, voice),
        _score(scene, outcome, voice),
        voice.spans("Seed of the deal: {seed}", seed=Span(seed, Mark.CODE)),
    ]
    return Screen(body=stacked(blocks), rows=(_buttons(scene, voice),))


def _headline(scene: Scene, outcome: Outcome, voice: Voice) -> Line:
    if outcome.is_draw:
        return voice.spans("🤝 A draw: nobody is the fool.", mark=Mark.BOLD)
    losers = ", ".join(scene.names[seat] for seat in outcome.losers)
    if outcome.fool is not None:
        return voice.spans("🃏 {name} is the fool!", mark=Mark.BOLD, name=losers)
    return voice.spans("🃏 Lost: {names}", mark=Mark.BOLD, names=losers)


def _order(scene: Scene, outcome: Outcome, voice: Voice) -> Line:
    if not outcome.order:
        return ()
    spans = [Span(voice.say("Out in this order"))]
    for place, seat in enumerate(outcome.order, start=1):
        spans += [BREAK, Span(f"{place}. {scene.names[seat]}")]
    return tuple(spans)


def _score(scene: Scene, outcome: Outcome, voice: Voice) -> Line:
    if any(outcome.points):
        won = ", ".join(
            f"{name} {points}" for name, points in zip(scene.names, outcome.points, strict=True) if points
        )
        return voice.spans("Points: {won}", won=won)
    if outcome.epaulettes:
        return voice.spans("Epaulettes: {n}", n=str(outcome.epaulettes))
    return ()


def _buttons(scene: Scene, voice: Voice) -> tuple[Choice, ...]:
    def button(action: EndAction, label: str, tone: Tone = Tone.NEUTRAL) -> Choice:
        return Choice(str(AfterGame(scene.lobby.id, scene.lobby.game, action)), label, tone)

    leaderboard = button(EndAction.LEADERBOARD, voice.say("Leaderboard"))
    if scene.lobby.phase is Phase.CLOSED:
        return (leaderboard,)
    return button(EndAction.REMATCH, voice.say("Rematch"), Tone.GOOD), leaderboard
