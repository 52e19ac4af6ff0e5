"""What there is to type."""

from collections.abc import Mapping, Sequence

from adapters.port import CommandSpec, Mark, Screen, Span
from bot.locale import Translator
from bot.model.people import ServerChoices
from bot.screens.settings import value_in_words
from bot.screens.story import Line
from bot.screens.table import BREAK, stacked
from bot.screens.words import preset_name
from engine import PRESETS, Rules


def help_screen(commands: Sequence[CommandSpec], translator: Translator) -> Screen:
    """Say how a game comes about, and list the commands."""
    lines: list[Span] = []
    for command in commands:
        lines += [BREAK] if lines else []
        lines += [Span(f"/{command.name}", Mark.BOLD), Span(f" · {translator.text(command.summary)}")]
    return Screen(
        body=stacked(
            [
                translator.spans("Durak", mark=Mark.BOLD),
                translator.spans(
                    "/durak opens a table. Everybody presses Join to play, then the host presses Start. "
                    "Only you see your cards; press one to play it. "
                    "Get rid of all your cards: the last player left with cards is the fool."
                ),
                tuple(lines),
            ]
        )
    )


# --- What a server plays ---


def server_screen(
    choices: ServerChoices,
    default: str,
    variations: Mapping[str, Rules],
    translator: Translator,
    *,
    unplayable: Sequence[str] = (),
) -> Screen:
    """Show the choices and the variations of a server, and how they are changed."""
    return Screen(
        body=stacked(
            [
                (Span(translator.text("Settings"), Mark.BOLD),),
                translator.spans(
                    "/durak without a name plays {name}.",
                    name=Span(preset_name(default, translator), Mark.BOLD),
                ),
                _typed(translator),
                _listed(variations, unplayable, translator),
                translator.spans(
                    "Language: {language} · time zone: {zone} · view: {view} · style: {style}",
                    language=choices.locale or translator.text("each player's own"),
                    zone=choices.zone.key,
                    view=value_in_words("view", choices.shown_view, translator),
                    style=value_in_words("style", choices.shown_style, translator),
                ),
                translator.spans(
                    "For admins: /settings default NAME · /settings save NAME keeps the rules of the table "
                    "that stands here, or those you type after it · /settings delete NAME · "
                    "/settings language CODE · /settings timezone ZONE · /settings view text · "
                    "/settings style light",
                    mark=Mark.ITALIC,
                ),
            ]
        )
    )


def _typed(translator: Translator) -> Line:
    """List what can be typed after /durak, and what that is called on the screens."""
    spans = [Span(translator.text("After /durak you can type"), Mark.BOLD)]
    for name in PRESETS:
        spans += [BREAK, Span("• "), Span(name, Mark.CODE), Span(f" {preset_name(name, translator)}")]
    return tuple(spans)


def _listed(variations: Mapping[str, Rules], unplayable: Sequence[str], translator: Translator) -> Line:
    if not variations and not unplayable:
        return translator.spans("No variations have been saved here.")
    spans = [Span(translator.text("Saved here"), Mark.BOLD)]
    for name, rules in variations.items():
        spans += [BREAK, Span(f"• {name}: "), Span(rules.to_text(), Mark.CODE)]
    for name in unplayable:
        spans += [BREAK, *translator.spans("⚠️ {name} cannot be played any more", name=name)]
    return tuple(spans)
