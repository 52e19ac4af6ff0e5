"""Whether the deal of a finished game was fair."""

from adapters.port import Mark, Screen, Span
from bot.locale import Voice
from bot.screens.table import BREAK, stacked
from engine import Record, verify


def verdict_screen(record: Record, voice: Voice) -> Screen:
    """Check a record before everybody's eyes: the seal, the deal, the moves."""
    opening, found = record.opening, verify(record)
    facts = (
        voice.spans("Seal: {seal}", seal=Span(record.seal, Mark.CODE)),
        voice.spans("Seed: {seed}", seed=Span(opening.seed, Mark.CODE)),
        voice.spans("From the players: {salt}", salt=Span(opening.salt, Mark.CODE)),
    )
    checks = (
        (found.is_sealed, voice.say("The seed fits its seal: compare it with the seal under the table.")),
        (
            found.is_played,
            voice.count(
                "Dealt again from seed and players, the {n} move is legal.",
                "Dealt again from seed and players, all {n} moves are legal.",
                len(record.actions),
            ),
        ),
    )
    return Screen(
        body=stacked(
            [
                (Span(voice.say("The last game here"), Mark.BOLD),),
                tuple(
                    span
                    for holds, text in checks
                    for span in (Span(f"{'✅' if holds else '❌'} {text}"), BREAK)
                ),
                tuple(span for fact in facts for span in (*fact, BREAK)),
                voice.spans(
                    "Check it without the bot: {command}",
                    mark=Mark.ITALIC,
                    command=Span("python -m engine verify FILE", Mark.CODE),
                ),
            ]
        )
    )
