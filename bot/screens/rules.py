"""A rule set in a screenful, made from its settings, so that it never disagrees with what is played."""

from collections.abc import Iterator

from adapters.port import Mark, Screen, Span
from bot.locale import Translator
from bot.screens.how_to_play import how_to_play
from bot.screens.presets import preset_name
from bot.screens.special_rules import special_rules
from bot.screens.story import Line
from bot.screens.table import BREAK, stacked
from engine import PRESETS, Rules

LONGEST = 1800
"""Characters that find room in every chat; other rules are listed as far as there is room left."""


def rules_screen(
    name: str, rules: Rules, others: tuple[str, ...], translator: Translator, players: int | None = None
) -> Screen:
    """Explain rules, for so many players if that is known; `others` are the other names one can ask for."""
    title = translator.text("{name} · how to play", name=preset_name(name, translator))
    sentences = enumerate(how_to_play(rules, players, translator), start=1)
    explained = stacked(
        [
            _headed(title, (f"{n}. {sentence}" for n, sentence in sentences)),
            _headed(
                translator.text("At this table"),
                (f"• {sentence}" for sentence in special_rules(rules, players, translator)),
            ),
        ]
    )
    room = LONGEST - sum(len(span.text) for span in explained)
    return Screen(body=stacked([explained, _others(others, room, translator)]))


def _headed(heading: str, sentences: Iterator[str]) -> Line:
    lines = [Span(heading, Mark.BOLD)]
    for sentence in sentences:
        lines += [BREAK, Span(sentence)]
    return tuple(lines)


def _others(names: tuple[str, ...], room: int, translator: Translator) -> Line:
    """Say what can be typed after /rules, with what people call it if there is room for that."""
    if not names:
        return ()

    def told(names: list[str]) -> Line:
        return translator.spans("Others, after /rules: {names}", mark=Mark.ITALIC, names=" · ".join(names))

    called = [f"{name} ({preset_name(name, translator)})" if name in PRESETS else name for name in names]
    for line in (told(called), told(list(names))):
        if sum(len(span.text) for span in stacked([(BREAK,), line])) <= room:
            return line
    return translator.spans("Other rules: see /settings.", mark=Mark.ITALIC)
