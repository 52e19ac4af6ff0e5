"""Whether the deal of a finished game was fair."""

from collections.abc import Iterator, Sequence

from adapters.port import Mark, Screen, Span
from bot.locale import Translator
from bot.screens.agreement import stopped_line
from bot.screens.people import safe_name
from bot.screens.story import Line
from bot.screens.table import BREAK, seal_line, stacked
from engine import Opening, Record, verify


def verification_screen(
    record: Record, names: Sequence[str], translator: Translator, *, running: str = ""
) -> Screen:
    """Check a record before everybody's eyes: the seal, the deal, the moves; `names` are by seat.

    `running` is the seal of the game that is played meanwhile, if one is.
    """
    opening = record.opening
    facts = (
        translator.spans("🔒 Seal: {seal}", seal=Span(record.seal, Mark.CODE)),
        translator.spans("🔑 Key: {seed}", seed=Span(opening.seed, Mark.CODE)),
        translator.spans("From the players: {salt}", salt=Span(opening.salt, Mark.CODE)),
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
                tuple(span for line in _trust(opening, names, translator) for span in (*line, BREAK)),
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
            found.is_played and not found.false,
            translator.count(
                "Dealt again with this key, the {n} move follows the rules.",
                "Dealt again with this key, all {n} moves follow the rules.",
                len(record.actions),
            ),
        ),
    )


def _trust(opening: Opening, names: Sequence[str], translator: Translator) -> Iterator[Line]:
    """Say who could have chosen the deal, and promise no more."""
    gave = list(zip(names, opening.contributions, strict=bool(opening.contributions)))
    revealed = [name for name, each in gave if each.is_revealed]
    missing = [name for name, each in gave if each.is_missing]
    withheld = [name for name, each in gave if each.is_withheld]
    if not revealed:
        yield translator.spans(
            "Nothing in the shuffle came from the players' own devices. No player could choose the cards; "
            "that whoever runs the bot did not, you take on trust."
        )
        return
    yield translator.spans(
        "Numbers for the shuffle came from the devices of {names}, each sealed before any other was known. "
        "If one of them was drawn by chance, nobody chose the cards.",
        names=_list(revealed),
    )
    if missing:
        yield translator.spans("Without a number: {names}.", names=_list(missing))
    if withheld:
        yield translator.spans(
            "Sealed a number but did not show it in time: {names}. Knowing it and the key, one could choose "
            "between {n} deals.",
            names=_list(withheld),
            n=Span(str(2 ** len(withheld))),
        )


def _list(names: Sequence[str]) -> Span:
    return Span(", ".join(map(safe_name, names)))
