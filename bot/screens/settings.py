"""What the settings of the rules and of a table are called, and their values, in words."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from zoneinfo import available_timezones

from adapters.port import CallbackButton, Limits, Suggestion, Tone
from bot.locale import LOCALES, Translator, gettext_noop
from bot.model.buttons import ChangeOption
from bot.model.people import AGAINST_BOTS, PRESET_OF, STYLES, TEASING, VIEWS
from bot.model.table import CHOICES, InvalidName, NameProblem, Table, TableOptions
from bot.screens.words import LONGEST_NOTICE, echo, nearest_of, preset_name, rows_of
from engine import SETTINGS, Clash, ClashReason, InvalidSettingError, Rules, SettingProblem, value_text

LABELS: Mapping[str, str] = {
    "preset": gettext_noop("Preset"),
    "clock": gettext_noop("Clock"),
    "auto_done": gettext_noop("Auto-pass"),
    "strength": gettext_noop("Bots"),
    "hints": gettext_noop("Hints"),
    "deck": gettext_noop("Deck"),
    "decks": gettext_noop("Number of decks"),
    "min_players": gettext_noop("Fewest players"),
    "max_players": gettext_noop("Most players"),
    "rank_order": gettext_noop("Order of ranks"),
    "hand_size": gettext_noop("Cards in a hand"),
    "turn_up": gettext_noop("Face-up trump"),
    "redeal_same_suit": gettext_noop("New deal if one suit"),
    "redeal_needs_no_trump": gettext_noop("New deal only without trumps"),
    "lay_away_four": gettext_noop("Discard four of a kind"),
    "trump_six_exchange": gettext_noop("Swap the low trump"),
    "first_attacker_first_game": gettext_noop("First attack"),
    "first_attacker_next_game": gettext_noop("First attack of the next game"),
    "no_trump_fallback": gettext_noop("If nobody has a trump"),
    "dealer_next": gettext_noop("Next dealer"),
    "opening_cards": gettext_noop("An attack begins with"),
    "attack_limit": gettext_noop("Most cards in an attack"),
    "first_attack_limit": gettext_noop("Most cards in the first attack"),
    "first_attack_limit_until": gettext_noop("First-attack limit until"),
    "limit_by_defender_hand": gettext_noop("No more than the defender holds"),
    "throw_in": gettext_noop("Throwing in"),
    "throw_in_timing": gettext_noop("Throw in when"),
    "throw_in_order": gettext_noop("Order of throwing in"),
    "throw_in_after_take": gettext_noop("Throw in after a take"),
    "voluntary_take": gettext_noop("Taking even when able to beat"),
    "transfer": gettext_noop("Transfer"),
    "transfer_direction": gettext_noop("Transfer to"),
    "transfer_cards": gettext_noop("Cards in a transfer"),
    "transfer_limit_by_hand": gettext_noop("Next player must have enough cards"),
    "transfer_by_showing_trump": gettext_noop("Transfer by showing the trump"),
    "transfer_in_first_bout": gettext_noop("Transfer in the first round"),
    "draw": gettext_noop("Drawing"),
    "leave_with_talon": gettext_noop("Out even before the deck is empty"),
    "game_end": gettext_noop("The game ends"),
    "simultaneous_empty": gettext_noop("All run out together"),
    "winner": gettext_noop("Winner"),
    "scoring": gettext_noop("Points"),
    "teams": gettext_noop("Teams"),
    "team_order": gettext_noop("Player out"),
    "epaulettes": gettext_noop("Epaulettes"),
    "epaulette_non_trump": gettext_noop("The trump six is no epaulette"),
    "discard_visible": gettext_noop("Everybody may look at the discard"),
}
"""Every setting, in the words of a button."""

_VALUES: Mapping[str, str] = {
    "on": gettext_noop("on"),
    "off": gettext_noop("off"),
    "none": gettext_noop("none"),
    "by_players": gettext_noop("by players"),
    "standard": gettext_noop("ace high"),
    "ten_high": gettext_noop("ten above king"),
    "talon_bottom": gettext_noop("under the deck"),
    "removed": gettext_noop("out of the game"),
    "lowest_trump": gettext_noop("lowest trump"),
    "left_of_dealer": gettext_noop("dealer's left starts"),
    "attack_fool": gettext_noop("at the fool"),
    "spare_fool": gettext_noop("next after the fool"),
    "winner": gettext_noop("the winner"),
    "lowest_card": gettext_noop("lowest card"),
    "redeal": gettext_noop("deal again"),
    "fool": gettext_noop("the fool"),
    "rotate": gettext_noop("the next one"),
    "one": gettext_noop("one card"),
    "many": gettext_noop("several cards"),
    "equal_rank": gettext_noop("one card or several of a rank"),
    "first_discard": gettext_noop("first discard"),
    "first_bout": gettext_noop("end of the first round"),
    "attacker": gettext_noop("the attacker"),
    "neighbours": gettext_noop("the neighbours"),
    "all": gettext_noop("everybody"),
    "anytime": gettext_noop("at any time"),
    "after_first_beat": gettext_noop("one card is beaten"),
    "when_all_beaten": gettext_noop("all cards are beaten"),
    "free": gettext_noop("free"),
    "priority": gettext_noop("attacker first in a tie"),
    "strict": gettext_noop("one after the other"),
    "up_to_limit": gettext_noop("up to the limit"),
    "left": gettext_noop("the next (left)"),
    "right": gettext_noop("the previous (right)"),
    "refill": gettext_noop("full hands after each round"),
    "one_each_table_round": gettext_noop("one card each time round the table"),
    "last_with_cards": gettext_noop("with one loser"),
    "places_filled": gettext_noop("with three places"),
    "draw": gettext_noop("a draw"),
    "defender_loses": gettext_noop("the defender loses"),
    "first_out": gettext_noop("the first one out"),
    "punkte": gettext_noop("by places"),
    "epaulettes": gettext_noop("by epaulettes"),
    "skip": gettext_noop("skipped"),
    "stand_in": gettext_noop("the partner plays"),
    "announce": gettext_noop("announced"),
    "score": gettext_noop("from six to ace"),
    "beginner": gettext_noop("beginners"),
    "regular": gettext_noop("regulars"),
    "expert": gettext_noop("experts"),
    "picture": gettext_noop("pictures"),
    "text": gettext_noop("text"),
    "dark": gettext_noop("dark"),
    "light": gettext_noop("light"),
    "2x2": gettext_noop("2 against 2"),
    "3x2": gettext_noop("three pairs"),
    "2x3": gettext_noop("3 against 3"),
}
"""Values in words, the same in every setting that has them."""

_VALUES_OF: Mapping[tuple[str, str], str] = {
    ("throw_in", "none"): gettext_noop("nobody"),
    ("throw_in_after_take", "none"): gettext_noop("nobody"),
    ("winner", "none"): gettext_noop("nobody"),
    ("attack_limit", "none"): gettext_noop("no limit"),
    ("first_attack_limit", "none"): gettext_noop("no limit"),
    ("redeal_same_suit", "0"): gettext_noop("off"),
}
"""Values that mean something else in these settings."""

INVALID: Mapping[SettingProblem, str] = {
    SettingProblem.UNKNOWN_SETTING: gettext_noop("No setting “{setting}”. Did you mean: {valid}?"),
    SettingProblem.NO_VALUE: gettext_noop("{setting} needs a value, as in {setting}=…; it can be: {valid}"),
    SettingProblem.WRONG_VALUE: gettext_noop("{setting} cannot be “{value}”; it can be: {valid}"),
}
"""What is wrong with a setting that cannot be read."""


def invalid_setting_text(invalid: InvalidSettingError, translator: Translator) -> str:
    """Say what is wrong with a setting; what can be typed stays so, explained if there is room."""

    def said(valid: Iterable[str]) -> str:
        return translator.text(
            INVALID[invalid.problem],
            setting=echo(invalid.setting),
            value=echo(invalid.value or ""),
            valid=", ".join(valid),
        )

    if invalid.setting in SETTINGS:
        explained = said(_explained(invalid.setting, text, translator) for text in invalid.valid)
        if len(explained) <= LONGEST_NOTICE:
            return explained
        typed = (range_text(invalid.setting) if text == value_text(int) else text for text in invalid.valid)
        return said(typed)
    return said(invalid.valid)


RANGES: Mapping[str, tuple[int, int]] = {
    "decks": (1, 3),
    "min_players": (2, 16),
    "max_players": (2, 16),
    "hand_size": (1, 18),
    "redeal_same_suit": (4, 18),
    "attack_limit": (1, 99),
    "first_attack_limit": (1, 99),
}
"""The least and the greatest value of each setting that is a number."""


def range_text(setting: str, least: int | None = None) -> str:
    """Say which numbers a setting may be, if it is one; `least` is what other settings ask of it."""
    lowest, highest = RANGES[setting]
    return f"{lowest if least is None else least}–{highest}"


def label_of(setting: str, translator: Translator) -> str:
    """Name a setting."""
    return translator.text(LABELS[setting])


def value_in_words(setting: str, value: object, translator: Translator) -> str:
    """Name a value of a setting; numbers stay numbers, and variations have names already."""
    if setting == "preset":
        return preset_name(str(value), translator)
    if setting == "clock":
        return _clock_in_words(value, translator)
    text = value_text(value)
    if setting == "redeal_same_suit" and value:
        return translator.text("{n} or more", n=text)
    message = _VALUES_OF.get((setting, text)) or _VALUES.get(text)
    return text if message is None else translator.text(message)


def _clock_in_words(seconds: object, translator: Translator) -> str:
    if isinstance(seconds, int) and seconds:
        return translator.text("{n} min", n=seconds // 60)
    return translator.text("no time limit")


def _explained(setting: str, text: str, translator: Translator) -> str:
    if text == value_text(int):
        return range_text(setting)
    words = value_in_words(setting, text, translator)
    return text if words == text else f"{text} ({words})"


# --- Why settings cannot be together, for the person who chose them ---


MESSAGES: Mapping[ClashReason, str] = {
    ClashReason.NUMBER_TOO_SMALL: gettext_noop("“{setting}” can be {range}."),
    ClashReason.NUMBER_TOO_LARGE: gettext_noop("“{setting}” can be {range}."),
    ClashReason.PLAYERS_RANGE: gettext_noop("“{min_players}” cannot be more than “{max_players}”."),
    ClashReason.FIRST_LIMIT_ABOVE_LIMIT: gettext_noop(
        "“{first_attack_limit}” cannot be more than “{attack_limit}”."
    ),
    ClashReason.TEAMS_AND_TRANSFER: gettext_noop("Teams do not transfer: switch “{transfer}” off."),
    ClashReason.TEAMS_AND_PLACES: gettext_noop("Teams take no places: “{game_end}” is with one loser."),
    ClashReason.EXCHANGE_NEEDS_TALON_BOTTOM: gettext_noop(
        "A low trump is swapped for the trump under the deck: see “{turn_up}”."
    ),
    ClashReason.ROUND_DRAW_NEEDS_LEAVING: gettext_noop(
        "Drawing one card each time round the table needs “{leave_with_talon}”."
    ),
    ClashReason.NEEDS_EPAULETTES: gettext_noop("Points by epaulettes need “{epaulettes}”."),
    ClashReason.TEAM_SIZE: gettext_noop("“{teams}” takes exactly {seats} players."),
    ClashReason.TOO_FEW_PLAYERS: gettext_noop("At least {least} players are needed."),
    ClashReason.TOO_MANY_PLAYERS: gettext_noop("At most {most} players can play."),
    ClashReason.EPAULETTES_NEED_SIXES: gettext_noop("Epaulettes need a deck with sixes."),
    ClashReason.TOO_FEW_CARDS: gettext_noop("{players} players need {needed} cards, but there are {cards}."),
    ClashReason.EPAULETTES_AND_PLACES: gettext_noop(
        "One loser wears the epaulettes: “{game_end}” is with one loser."
    ),
    ClashReason.TEAMS_AND_WINNER: gettext_noop("Teams win together: “{winner}” is nobody."),
    ClashReason.TEAMS_AND_POINTS: gettext_noop("Teams take no places, so there are no points by places."),
}
"""The sentence for each reason."""


def clash_text(clash: Clash, translator: Translator, *, is_typed: bool = False) -> str:
    """Say why, in the words of the buttons; whoever typed settings is told their names, too."""

    def called(setting: str) -> str:
        label = label_of(setting, translator)
        return f"{label} ({setting})" if is_typed else label

    places: dict[str, object] = {setting: called(setting) for setting in LABELS}
    for name, value in clash.values:
        places[name] = called(str(value)) if name == "setting" else value
        if name == "teams":
            places[name] = value_in_words(name, value, translator)
    if clash.reason in {ClashReason.NUMBER_TOO_SMALL, ClashReason.NUMBER_TOO_LARGE}:
        least = dict(clash.values).get("least")
        places["range"] = range_text(clash.settings[0], least if isinstance(least, int) else None)
    return translator.text(MESSAGES[clash.reason], **places)


# --- The settings of a table that gathers: panels of buttons, and how its rules differ from their preset
#     ---


PANELS: Mapping[str, tuple[str, ...]] = {
    "common": (
        "preset",
        "deck",
        "throw_in",
        "transfer",
        "teams",
        "max_players",
        "clock",
        "auto_done",
        "strength",
        "hints",
    ),
    "deal": (
        "decks",
        "hand_size",
        "rank_order",
        "turn_up",
        "first_attacker_first_game",
        "first_attacker_next_game",
        "no_trump_fallback",
        "dealer_next",
        "redeal_same_suit",
        "redeal_needs_no_trump",
    ),
    "attack": (
        "opening_cards",
        "attack_limit",
        "first_attack_limit",
        "first_attack_limit_until",
        "limit_by_defender_hand",
        "throw_in_timing",
        "throw_in_order",
        "throw_in_after_take",
    ),
    "defence": (
        "voluntary_take",
        "transfer_direction",
        "transfer_cards",
        "transfer_limit_by_hand",
        "transfer_by_showing_trump",
        "transfer_in_first_bout",
        "lay_away_four",
        "trump_six_exchange",
    ),
    "end": (
        "draw",
        "leave_with_talon",
        "game_end",
        "simultaneous_empty",
        "winner",
        "scoring",
        "team_order",
        "epaulettes",
        "epaulette_non_trump",
        "discard_visible",
        "min_players",
    ),
}
"""Which settings stand together; every setting is on one panel."""

_PANEL_NAMES: Mapping[str, str] = {
    "common": gettext_noop("Table"),
    "deal": gettext_noop("Deal"),
    "attack": gettext_noop("Attack"),
    "defence": gettext_noop("Defence"),
    "end": gettext_noop("End"),
}

_VALUES_SHOWN: Mapping[str, tuple[object, ...]] = {
    "decks": (1, 2, 3),
    "hand_size": (4, 5, 6, 7, 8, 9, 10, 12),
    "min_players": (2, 3, 4, 5, 6),
    "max_players": (2, 3, 4, 5, 6, 7, 8),
    "redeal_same_suit": (0, 4, 5, 6),
    "attack_limit": (4, 5, 6, 7, 8, None),
    "first_attack_limit": (3, 4, 5, 6, None),
}
"""What is offered where the rules would take any number; other ones can be typed."""

FIRST_PANEL = "common"

MOST_DIFFERENCES = 6
"""So many fit into the line that tells them; /rules tells all."""


def differences_in_words(table: Table, translator: Translator) -> str:
    """Say how a table's rules differ from their preset; empty if they do not."""
    changed = table.rules.differences(table.standard)
    told = [
        f"{label_of(name, translator)}: {value_in_words(name, changed[name], translator)}" for name in changed
    ]
    more = [f"+{len(told) - MOST_DIFFERENCES}"] if len(told) > MOST_DIFFERENCES else []
    return " · ".join([*told[:MOST_DIFFERENCES], *more])


def option_rows(
    table: Table, names: Sequence[str], limits: Limits, translator: Translator
) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lay out the buttons of the open panel, or of the open setting; `names` are the rule sets to choose."""
    opened = table.panel or FIRST_PANEL
    if opened in PANELS:
        choices = [_setting_button(table, setting, translator) for setting in PANELS[opened]]
        done = option_button(table, "", translator.text("OK"), Tone.GOOD)
        ways = [*ways_between(table, opened, translator), done]
        return rows_of(choices, ways, limits=limits, is_aligned=False)
    values = [
        option_button(
            table,
            f"{opened}={text}",
            value_in_words(opened, value, translator),
            Tone.PRIMARY if value == value_of(table, opened) else Tone.NEUTRAL,
        )
        for value, text in offered(opened, names)
    ]
    back = option_button(table, panel_of(opened), translator.text("Back"))
    return rows_of(values, [back], limits=limits)


def ways_between(table: Table, opened: str, translator: Translator) -> tuple[CallbackButton, ...]:
    """Return the buttons that lead from one panel to the others."""
    others = [panel for panel in PANELS if panel != opened]
    return tuple(
        option_button(table, panel, translator.text(_PANEL_NAMES[panel]), Tone.PRIMARY) for panel in others
    )


def value_of(table: Table, setting: str) -> object:
    """Return the value that a setting has at this table."""
    if setting == "preset":
        return table.preset
    value: object = getattr(table.options if setting in CHOICES else table.rules, setting)
    return value


def offered(setting: str, names: Sequence[str]) -> list[tuple[object, str]]:
    """Return the values on buttons, each with its text in the token."""
    if setting == "preset":
        return [(name, name) for name in names]
    values = CHOICES.get(setting) or _VALUES_SHOWN.get(setting) or SETTINGS[setting]
    return [(value, value_text(value)) for value in values]


def _setting_button(table: Table, setting: str, translator: Translator) -> CallbackButton:
    """Switch what is on or off, or open the values of a setting that has more."""
    value = value_of(table, setting)
    what = f"{setting}={value_text(not value)}" if isinstance(value, bool) else setting
    return option_button(
        table, what, f"{label_of(setting, translator)}: {value_in_words(setting, value, translator)}"
    )


def panel_of(setting: str) -> str:
    """Name the panel on which a setting stands."""
    return next(panel for panel, settings in PANELS.items() if setting in settings)


def option_button(table: Table, what: str, label: str, tone: Tone = Tone.NEUTRAL) -> CallbackButton:
    """Return the button that opens or sets something, as in `ChangeOption`."""
    return CallbackButton(str(ChangeOption(table.id, table.game, what)), label, tone)


# --- Why rules that somebody asked for cannot be had, in a sentence for them ---


NAMES: Mapping[NameProblem, str] = {
    NameProblem.NO_RULE_SET: gettext_noop("No preset “{name}”. Did you mean: {valid}?"),
    NameProblem.NO_VARIATION: gettext_noop("Nothing is saved here as “{name}”. Did you mean: {valid}?"),
    NameProblem.UNPLAYABLE: gettext_noop(
        "“{name}” was saved by an earlier version and cannot be played any more: save it again, or delete it."
    ),
    NameProblem.TAKEN: gettext_noop("“{name}” means something else already: take another name."),
    NameProblem.UNSUITABLE: gettext_noop(
        "“{name}” cannot be the name: take up to 20 letters, digits and hyphens."
    ),
    NameProblem.TOO_MANY: gettext_noop("{n} saved rule sets are the most: delete one first."),
}
"""The sentence for each problem with a name."""


def rule_set_problem_text(
    problem: InvalidName | InvalidSettingError | Clash, translator: Translator, *, is_typed: bool = False
) -> str:
    """Say what is wrong, and what could have been asked for instead."""
    match problem:
        case InvalidName(reason, name, existing):
            return translator.text(
                NAMES[reason],
                name=echo(name),
                valid=nearest_of(name, existing, PRESET_OF),
                n=str(len(existing)),
            )
        case InvalidSettingError():
            return invalid_setting_text(problem, translator)
        case Clash():
            return clash_text(problem, translator, is_typed=is_typed)


# --- What somebody could be typing after a command, by the names they know it by ---


BETWEEN = " · "
"""What stands between settings that were chosen one after the other."""


def preset_suggestions(names: Iterable[str], typed: str, translator: Translator) -> list[Suggestion]:
    """Suggest rule sets: by what they are called here, by their names, or by another word for them."""
    meant = {preset for word, preset in PRESET_OF.items() if word.startswith(typed.casefold())}
    suggestions = [Suggestion(_typable(preset_name(name, translator)), name) for name in names]
    return [each for each in suggestions if each.text in meant or _fits(each, typed)]


def bots_suggestions(typed: str, translator: Translator) -> list[Suggestion]:
    """Suggest a game against bots."""
    bots = Suggestion(translator.text("🤖 Play against bots"), AGAINST_BOTS)
    return [bots] if _fits(bots, typed) else []


def setting_suggestions(typed: str, rules: Rules, translator: Translator) -> list[Suggestion]:
    """Suggest single settings that change these rules, beside those that have been chosen before."""
    known = {
        Suggestion(
            _typable(f"{label_of(setting, translator)}: {value_in_words(setting, value, translator)}"),
            f"{setting}={text}",
        ): value == getattr(rules if setting in SETTINGS else TableOptions(), setting)
        for panel in PANELS.values()
        for setting in panel
        if setting != "preset"
        for value, text in offered(setting, ())
    }
    chosen, rest = _chosen(typed, list(known))
    taken = {each.text.partition("=")[0] for each in chosen}
    more = [
        each
        for each, is_so in known.items()
        if not is_so and each.text.partition("=")[0] not in taken and _fits(each, rest)
    ]
    if rest:
        return [_joined([*chosen, each]) for each in more]
    return [_joined(each) for each in (chosen, *([*chosen, each] for each in _spread(more))) if each]


def server_suggestions(
    names: Sequence[str], variations: Sequence[str], typed: str, translator: Translator
) -> list[Suggestion]:
    """Suggest changes of a server's settings; of all time zones only those with what was typed in them."""
    suggestions = [
        *(
            Suggestion(_typable(f"default {preset_name(name, translator)}"), f"default {name}")
            for name in names
        ),
        *(Suggestion(f"delete {name}", f"delete {name}") for name in variations),
        *(Suggestion(f"language {code}", f"language {code}") for code in LOCALES),
        *(
            Suggestion(f"{setting} {value_in_words(setting, value, translator)}", f"{setting} {value}")
            for setting, values in (("view", VIEWS), ("style", STYLES), ("teasing", TEASING))
            for value in values
        ),
    ]
    zones = [Suggestion(f"timezone {zone}", f"timezone {zone}") for zone in _zones(typed)]
    return [*(each for each in suggestions if _fits(each, typed)), *zones]


def _typable(label: str) -> str:
    """Return a label with the spaces that a keyboard has."""
    return label.replace("\N{NO-BREAK SPACE}", " ")


def _fits(suggestion: Suggestion, typed: str) -> bool:
    sought = typed.strip().casefold()
    return sought in suggestion.label.casefold() or sought in suggestion.text.casefold()


def _chosen(typed: str, known: Sequence[Suggestion]) -> tuple[list[Suggestion], str]:
    """Read what was chosen before, by its label or as it is typed; gives the rest, too."""
    chosen, rest = list[Suggestion](), typed.strip()
    by_length = sorted(known, key=lambda each: -len(each.label))
    while begun := [each for each in by_length if _after(each, rest) is not None]:
        chosen.append(begun[0])
        rest = _after(begun[0], rest) or ""
    return chosen, rest


def _after(suggestion: Suggestion, typed: str) -> str | None:
    """Return what follows a suggestion in a text; None if the text does not begin with it."""
    for start in (suggestion.label, suggestion.text):
        begin, rest = typed[: len(start)], typed[len(start) :]
        if begin.casefold() == start.casefold() and rest[:1] in {"", " "}:
            return rest.lstrip(BETWEEN)
    return None


def _spread(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Begin with one value of each setting: a chat shows the first few only."""
    first: dict[str, Suggestion] = {}
    for each in suggestions:
        first.setdefault(each.text.partition("=")[0], each)
    return [*first.values(), *(each for each in suggestions if each not in first.values())]


def _joined(chosen: Sequence[Suggestion]) -> Suggestion:
    labels, texts = BETWEEN.join(each.label for each in chosen), " ".join(each.text for each in chosen)
    return Suggestion(labels, texts)


def _zones(typed: str) -> list[str]:
    sought = typed.strip().casefold().removeprefix("timezone").strip()
    return [zone for zone in _all_zones() if sought in zone.casefold()] if sought else []


@cache
def _all_zones() -> Sequence[str]:
    return sorted(available_timezones())
