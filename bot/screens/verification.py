"""Whether the deal of a finished game was fair."""

from adapters.port import Mark, Screen, Span
from bot.locale import Translator
from bot.screens.agreement import stopped_line
from bot.screens.table import BREAK, seal_line, stacked
from engine import Record, verify


def verification_screen(record: Record, translator: Translator, *, running: str = "") -> Screen:
    """Say what was checked of a record (the seal, the deal, the moves), and what is taken on trust.

    `running` is the seal of the game in progress, if there is one.
    """
    facts = (
        translator.spans("🔒 Seal: {seal}", seal=Span(record.seal, Mark.CODE)),
        translator.spans("🔑 Key: {seed}", seed=Span(record.opening.seed, Mark.CODE)),
    )
    return Screen(
        body=stacked(
            [
                (Span(translator.text("The last game here"), Mark.BOLD),),
                tuple(
                    span
                    for holds, text in checks_of(record, translator)
                    for span in (Span(f"{'✅' if holds else '❌'} {text}"), BREAK)
                ),
                () if record.stopped is None else stopped_line(record.stopped, translator),
                (
                    Span(
                        translator.text(
                            "No player could choose the cards. That whoever runs the bot did not is a matter "
                            "of trust."
                        )
                    ),
                ),
                tuple(span for fact in facts for span in (*fact, BREAK)),
                translator.spans(
                    "Check it without the bot: {command}",
                    mark=Mark.ITALIC,
                    command=Span("python -m engine verify FILE", Mark.CODE),
                ),
                seal_line(running, translator),
            ]
        )
    )


def checks_of(record: Record, translator: Translator) -> tuple[tuple[bool, str], ...]:
    """Say what was checked of a record, each with whether it holds."""
    found = verify(record)
    return (
        (
            found.is_sealed,
            translator.text("The key fits the seal: 🔒 begins as you saw it before the deal."),
        ),
        (
            found.is_played,
            translator.count(
                "Dealt again with this key, the {n} move follows the rules.",
                "Dealt again with this key, all {n} moves follow the rules.",
                len(record.actions),
            ),
        ),
    )
