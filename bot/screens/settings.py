"""The settings of the rules and of a table: all that people read about each, and its buttons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from zoneinfo import available_timezones

from adapters.port import CallbackButton, Limits, Suggestion, Tone
from bot.locale import LOCALES, Translator, gettext_noop
from bot.model.buttons import ChangeOption
from bot.model.people import AGAINST_BOTS, ON, PRESET_OF, SERVER_CHOICES
from bot.model.table import CHOICES, InvalidName, NameProblem, Table, TableOptions
from bot.screens.keyboard import button_to, rows_of
from bot.screens.names import preset_name
from bot.screens.text import MAX_NOTICE_LENGTH, echo, nearest_of
from engine import SETTINGS, Clash, ClashReason, InvalidSettingError, Rules, SettingProblem, value_text


@dataclass(frozen=True, slots=True)
class Wording:
    """All that people read about one setting."""

    label: str  # on its button
    # its values' names, by their typed forms; a value without a name is a number
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    # a value's part of a sentence with other settings, in `rules.py`
    says: Mapping[str, str] = field(default_factory=dict[str, str])
    # a value's own sentence at the end of /rules
    sentences: Mapping[str, str] = field(default_factory=dict[str, str])
    about: str = ""  # its meaning, if it's no rule
    # The values on buttons where the rules would take any number; others can be typed.
    offered: tuple[object, ...] = ()
    span: tuple[int, int] = (0, 0)  # the least and the greatest of these numbers


_SWITCH = {"on": gettext_noop("on"), "off": gettext_noop("off")}

# Every setting, on its panel, with all its texts. Sentences about several are in `rules.py`.
PANELS: Mapping[str, Mapping[str, Wording]] = {
    "common": {
        "preset": Wording(gettext_noop("Preset")),
        "deck": Wording(gettext_noop("Deck"), {"by_players": gettext_noop("by players")}),
        "throw_in": Wording(
            gettext_noop("Throwing in"),
            {
                "none": gettext_noop("nobody"),
                "attacker": gettext_noop("the attacker"),
                "neighbours": gettext_noop("the neighbours"),
                "all": gettext_noop("everybody"),
            },
            says={
                "attacker": gettext_noop("only the attacker"),
                "neighbours": gettext_noop("the attacker and the defender's other neighbour"),
                "all": gettext_noop("everybody but the defender"),
            },
        ),
        "transfer": Wording(gettext_noop("Transfers"), _SWITCH),
        "teams": Wording(
            gettext_noop("Teams"),
            {
                "off": gettext_noop("off"),
                "2x2": gettext_noop("2 against 2"),
                "3x2": gettext_noop("three pairs"),
                "2x3": gettext_noop("3 against 3"),
            },
        ),
        "max_players": Wording(gettext_noop("Most players"), offered=(2, 3, 4, 5, 6, 7, 8), span=(2, 16)),
        "clock": Wording(
            gettext_noop("Clock"),
            about=gettext_noop(
                "When time is up, the bot moves for you. With no limit a game can last for days."
            ),
        ),
        "throw_in_seconds": Wording(
            gettext_noop("Throw-in time"),
            about=gettext_noop("Then the bot passes for everybody. With no limit everybody is waited for."),
        ),
        "strength": Wording(
            gettext_noop("Bots"),
            {
                "beginner": gettext_noop("beginners"),
                "regular": gettext_noop("regulars"),
                "expert": gettext_noop("experts"),
            },
            about=gettext_noop(
                "Beginners forget what was played, regulars remember it, experts also think ahead."
            ),
        ),
        "hints": Wording(
            gettext_noop("Hints"),
            _SWITCH,
            about=gettext_noop("Players may ask what an expert would play in their place."),
        ),
    },
    "deal": {
        "decks": Wording(gettext_noop("Number of decks"), offered=(1, 2, 3), span=(1, 3)),
        "hand_size": Wording(
            gettext_noop("Cards in a hand"), offered=(4, 5, 6, 7, 8, 9, 10, 12), span=(1, 18)
        ),
        "rank_order": Wording(
            gettext_noop("Order of ranks"),
            {"standard": gettext_noop("ace high"), "ten_high": gettext_noop("ten above king")},
        ),
        "turn_up": Wording(
            gettext_noop("Face-up trump"),
            {"talon_bottom": gettext_noop("under the deck"), "removed": gettext_noop("out of the game")},
        ),
        "first_attacker_first_game": Wording(
            gettext_noop("First attack"),
            {
                "lowest_trump": gettext_noop("lowest trump"),
                "left_of_dealer": gettext_noop("next after the dealer"),
            },
        ),
        "first_attacker_next_game": Wording(
            gettext_noop("Next game's attack"),
            {
                "attack_fool": gettext_noop("at the fool"),
                "spare_fool": gettext_noop("after the fool"),
                "lowest_trump": gettext_noop("lowest trump"),
                "left_of_dealer": gettext_noop("next after the dealer"),
                "winner": gettext_noop("the winner"),
            },
            says={
                "attack_fool": gettext_noop("the player before the fool attacks the fool"),
                "spare_fool": gettext_noop("the player after the fool attacks first"),
                "lowest_trump": gettext_noop("the lowest trump attacks first"),
                "left_of_dealer": gettext_noop("the player after the dealer (left) attacks first"),
                "winner": gettext_noop("the winner attacks first"),
            },
        ),
        "no_trump_fallback": Wording(
            gettext_noop("If nobody has a trump"),
            {
                "left_of_dealer": gettext_noop("next after the dealer"),
                "lowest_card": gettext_noop("lowest card"),
                "redeal": gettext_noop("deal again"),
            },
            says={
                "left_of_dealer": gettext_noop(
                    "First game: the lowest trump attacks first; "
                    "if nobody has one, the player after the dealer (left)."
                ),
                "lowest_card": gettext_noop(
                    "First game: the lowest trump attacks first; if nobody has one, the lowest card."
                ),
                "redeal": gettext_noop(
                    "First game: the lowest trump attacks first; "
                    "if nobody has one, the cards are dealt again."
                ),
            },
        ),
        "dealer_next": Wording(
            gettext_noop("Next dealer"),
            {"fool": gettext_noop("the fool"), "rotate": gettext_noop("the next one")},
            says={
                "fool": gettext_noop("the fool deals"),
                "rotate": gettext_noop("the next player deals"),
            },
        ),
        "redeal_same_suit": Wording(
            gettext_noop("New deal if one suit"),
            {"0": gettext_noop("off"), "": gettext_noop("{n} or more")},
            offered=(0, 4, 5, 6),
            span=(4, 18),
        ),
        "redeal_needs_no_trump": Wording(gettext_noop("New deal only without trumps"), _SWITCH),
    },
    "attack": {
        "opening_cards": Wording(
            gettext_noop("Attack with"),
            {"one": gettext_noop("one card"), "equal_rank": gettext_noop("one or more of a rank")},
            says={
                "one": gettext_noop("with one card"),
                "equal_rank": gettext_noop("with one card or several of one rank"),
            },
        ),
        "attack_limit": Wording(
            gettext_noop("Most cards in an attack"),
            {"none": gettext_noop("no limit")},
            offered=(4, 5, 6, 7, 8, None),
            span=(1, 99),
        ),
        "first_attack_limit": Wording(
            gettext_noop("Most cards, first attack"),
            {"none": gettext_noop("no limit")},
            offered=(3, 4, 5, 6, None),
            span=(1, 99),
        ),
        "first_attack_limit_until": Wording(
            gettext_noop("First limit until"),
            {
                "first_discard": gettext_noop("first discard"),
                "first_bout": gettext_noop("first round ends"),
            },
            says={
                "first_discard": gettext_noop("Until the first discard, at most {n}."),
                "first_bout": gettext_noop("In the first round, at most {n}."),
            },
        ),
        "limit_by_defender_hand": Wording(gettext_noop("No more than the defender holds"), _SWITCH),
        "throw_in_timing": Wording(
            gettext_noop("Throw in when"),
            {
                "anytime": gettext_noop("at any time"),
                "after_first_beat": gettext_noop("one card is beaten"),
                "when_all_beaten": gettext_noop("all cards are beaten"),
            },
            says={
                "anytime": gettext_noop("At any time"),
                "after_first_beat": gettext_noop("Once one card is beaten,"),
                "when_all_beaten": gettext_noop("Once all cards are beaten,"),
            },
        ),
        "throw_in_order": Wording(
            gettext_noop("Throw-in order"),
            {
                "free": gettext_noop("free"),
                "priority": gettext_noop("attacker wins a tie"),
                "strict": gettext_noop("one after the other"),
            },
            says={
                "free": gettext_noop("First come, first served."),
                "priority": gettext_noop("If two throw in at once, the attacker's card counts."),
                "strict": gettext_noop("One after the other, the attacker first."),
            },
        ),
        "throw_in_after_take": Wording(
            gettext_noop("Throw in on a take"),
            {"none": gettext_noop("nobody"), "up_to_limit": gettext_noop("up to the limit")},
            says={
                "none": gettext_noop("Once the defender takes, nobody adds."),
                "up_to_limit": gettext_noop("While the defender takes, more may be thrown in."),
            },
        ),
    },
    "defence": {
        "voluntary_take": Wording(gettext_noop("Taking even when able to beat"), _SWITCH),
        "transfer_direction": Wording(
            gettext_noop("Transfer to"),
            {"left": gettext_noop("the next (left)"), "right": gettext_noop("the previous (right)")},
            says={
                "left": gettext_noop(
                    "Transfer: while nothing is beaten, the defender may add {cards} instead. "
                    "Then the next player on the left has to answer all."
                ),
                "right": gettext_noop(
                    "Push back: while nothing is beaten, the defender may add {cards} instead. "
                    "Then the previous player on the right has to answer all."
                ),
            },
        ),
        "transfer_cards": Wording(
            gettext_noop("Cards in a transfer"),
            {"one": gettext_noop("one card"), "many": gettext_noop("several cards")},
            says={
                "one": gettext_noop("one card of the same rank"),
                "many": gettext_noop("cards of the same rank"),
            },
        ),
        "transfer_limit_by_hand": Wording(
            gettext_noop("Next must have enough cards"),
            _SWITCH,
            says={"on": gettext_noop("Only if that player has enough cards.")},
        ),
        "transfer_by_showing_trump": Wording(
            gettext_noop("Transfer by showing the trump"),
            _SWITCH,
            says={"on": gettext_noop("Or show the trump of that rank and keep it, once a round.")},
        ),
        "transfer_in_first_bout": Wording(
            gettext_noop("Transfer in the first round"),
            _SWITCH,
            says={"off": gettext_noop("Not in the first round.")},
        ),
        "lay_away_four": Wording(gettext_noop("Discard four of a kind"), _SWITCH),
        "trump_six_exchange": Wording(gettext_noop("Swap the low trump"), _SWITCH),
    },
    "end": {
        "draw": Wording(
            gettext_noop("Drawing"),
            {
                "refill": gettext_noop("full hands after each round"),
                "one_each_table_round": gettext_noop("one card each time round"),
            },
            says={
                "refill": gettext_noop(
                    "After each round all draw back up to {n}, attacker first, defender last."
                ),
                "one_each_table_round": gettext_noop(
                    "When the attack has gone once round the table, "
                    "everybody with fewer than {n} draws one card."
                ),
            },
        ),
        "leave_with_talon": Wording(
            gettext_noop("Out before the deck is empty"),
            _SWITCH,
            says={
                "on": gettext_noop(
                    "No cards after a round: you're out and safe, even while there is a deck."
                ),
                "off": gettext_noop("Once the deck is empty, you're safe when you run out of cards."),
            },
        ),
        "game_end": Wording(
            gettext_noop("The game ends"),
            {
                "last_with_cards": gettext_noop("with one loser"),
                "places_filled": gettext_noop("with three places"),
            },
        ),
        "simultaneous_empty": Wording(
            gettext_noop("All out together"),
            {"draw": gettext_noop("a draw"), "defender_loses": gettext_noop("the defender loses")},
            says={
                "draw": gettext_noop(
                    "Nobody has cards left: a draw. {n} rounds in a row without a discard: also a draw."
                ),
                "defender_loses": gettext_noop(
                    "Nobody has cards left: the last defender loses. "
                    "{n} rounds in a row without a discard: a draw."
                ),
            },
        ),
        "winner": Wording(
            gettext_noop("Winner"),
            {"none": gettext_noop("nobody"), "first_out": gettext_noop("the first one out")},
            says={"first_out": gettext_noop("First out wins.")},
        ),
        "scoring": Wording(
            gettext_noop("Points"),
            {
                "none": gettext_noop("none"),
                "punkte": gettext_noop("by places"),
                "epaulettes": gettext_noop("by epaulettes"),
            },
        ),
        "team_order": Wording(
            gettext_noop("Player out"),
            {"skip": gettext_noop("skipped"), "stand_in": gettext_noop("the partner plays")},
            says={
                "skip": gettext_noop("Players who are out are skipped."),
                "stand_in": gettext_noop("A partner plays for a player who is out."),
            },
        ),
        "epaulettes": Wording(
            gettext_noop("Epaulettes"),
            {
                "off": gettext_noop("off"),
                "announce": gettext_noop("announced"),
                "score": gettext_noop("from six to ace"),
            },
            says={
                "announce": gettext_noop("If the last attack on the fool was sixes, they are epaulettes."),
                "score": gettext_noop(
                    "A fool beaten by a six wears it; next time it's a seven, up to the ace. "
                    "Trumps alone don't count."
                ),
            },
        ),
        "epaulette_non_trump": Wording(gettext_noop("The trump six is no epaulette"), _SWITCH),
        "discard_visible": Wording(
            gettext_noop("All may look at the discard"),
            _SWITCH,
            sentences={"on": gettext_noop("Everybody may look at the discard.")},
        ),
        "min_players": Wording(gettext_noop("Fewest players"), offered=(2, 3, 4, 5, 6), span=(2, 16)),
    },
}

# The words of a chat's own settings.
_SERVER: Mapping[str, Mapping[str, str]] = {
    "view": {"picture": gettext_noop("pictures"), "text": gettext_noop("text")},
    "style": {"dark": gettext_noop("dark"), "light": gettext_noop("light")},
    "quiet": {"off": gettext_noop("none")},
    "cards": {"together": gettext_noop("counted together"), "apart": gettext_noop("counted apart")},
    **{name: _SWITCH for name, values in SERVER_CHOICES.items() if ON in values},
}

FIRST_PANEL = "common"

# the panels' titles
_TITLES: Mapping[str, str] = {
    "common": gettext_noop("Table"),
    "deal": gettext_noop("Deal"),
    "attack": gettext_noop("Attack"),
    "defence": gettext_noop("Defence"),
    "end": gettext_noop("End"),
}

WORDINGS: Mapping[str, Wording] = {
    setting: wording for panel in PANELS.values() for setting, wording in panel.items()
}


def said_of(rules: Rules, setting: str, translator: Translator, **places: object) -> str:
    """Returns the text of /rules for a setting's value; empty if it has none."""
    message = WORDINGS[setting].says.get(value_text(getattr(rules, setting)))
    return translator.text(message, **places) if message else ""


def label_of(setting: str, translator: Translator) -> str:
    """Names a setting."""
    return translator.text(WORDINGS[setting].label)


def value_in_words(setting: str, value: object, translator: Translator) -> str:
    """Names a value of a setting; numbers stay numbers, and variations have names already."""
    if setting == "preset":
        return preset_name(str(value), translator)
    if setting == "clock" and isinstance(value, int):
        return translator.text("{n} min", n=value // 60) if value else translator.text("no time limit")
    if setting == "throw_in_seconds" and isinstance(value, int):
        return translator.text("{n} s", n=value) if value else translator.text("no time limit")

    text = value_text(value)
    words = _SERVER[setting] if setting in _SERVER else WORDINGS[setting].words
    message = words.get(text, words.get(""))

    return text if message is None else translator.text(message, n=text)


def setting_in_words(setting: str, value: object, translator: Translator) -> str:
    """Names a setting with its value."""
    return f"{label_of(setting, translator)}: {value_in_words(setting, value, translator)}"


# the sentence for each unreadable setting
INVALID: Mapping[SettingProblem, str] = {
    SettingProblem.UNKNOWN_SETTING: gettext_noop("No setting “{setting}”. Did you mean: {valid}?"),
    SettingProblem.NO_VALUE: gettext_noop("{setting} needs a value, as in {setting}=…; it can be: {valid}"),
    SettingProblem.WRONG_VALUE: gettext_noop("{setting} can't be “{value}”; it can be: {valid}"),
}


def invalid_setting_text(invalid: InvalidSettingError, translator: Translator) -> str:
    """Explains a wrong setting, with the values in their typed form, translated if there is room."""
    setting = invalid.setting
    typed = list(invalid.valid)
    explained = typed

    if setting in SETTINGS:
        number = value_text(int)
        words = {text: value_in_words(setting, text, translator) for text in typed if text != number}
        typed = ["{}–{}".format(*WORDINGS[setting].span) if text == number else text for text in typed]
        explained = [text if words.get(text, text) == text else f"{text} ({words[text]})" for text in typed]

    whole, short = (
        translator.text(
            INVALID[invalid.problem],
            setting=echo(setting),
            value=echo(invalid.value or ""),
            valid=", ".join(valid),
        )
        for valid in (explained, typed)
    )

    return whole if len(whole) <= MAX_NOTICE_LENGTH else short


# The sentence for each reason.
MESSAGES: Mapping[ClashReason, str] = {
    ClashReason.NUMBER_TOO_SMALL: gettext_noop("“{setting}” can be {range}."),
    ClashReason.NUMBER_TOO_LARGE: gettext_noop("“{setting}” can be {range}."),
    ClashReason.PLAYERS_RANGE: gettext_noop("“{min_players}” can't be more than “{max_players}”."),
    ClashReason.FIRST_LIMIT_ABOVE_LIMIT: gettext_noop(
        "“{first_attack_limit}” can't be more than “{attack_limit}”."
    ),
    ClashReason.TEAMS_AND_TRANSFER: gettext_noop("Teams don't transfer: switch “{transfer}” off."),
    ClashReason.TEAMS_AND_PLACES: gettext_noop("Teams take no places: set “{game_end}” to “with one loser”."),
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
        "One loser wears the epaulettes: set “{game_end}” to “with one loser”."
    ),
    ClashReason.TEAMS_AND_WINNER: gettext_noop("Teams win together: set “{winner}” to “nobody”."),
    ClashReason.TEAMS_AND_POINTS: gettext_noop("Teams take no places, so there are no points by places."),
}


def clash_text(clash: Clash, translator: Translator, *, is_typed: bool = False) -> str:
    """Explains a clash by the labels of buttons; for typed settings by their names, too."""

    def called(setting: str) -> str:
        label = label_of(setting, translator)
        return f"{label} ({setting})" if is_typed else label

    places: dict[str, object] = {setting: called(setting) for setting in WORDINGS}
    for name, value in clash.values:
        places[name] = called(str(value)) if name == "setting" else value
        if name == "teams":
            places[name] = value_in_words(name, value, translator)

    if clash.reason in {ClashReason.NUMBER_TOO_SMALL, ClashReason.NUMBER_TOO_LARGE}:
        least, most = WORDINGS[clash.settings[0]].span
        places["range"] = f"{places.get('least', least)}–{most}"

    return translator.text(MESSAGES[clash.reason], **places)


MAX_DIFFERENCES = 6  # how many fit into one line; /rules lists all


def differences_in_words(table: Table, translator: Translator) -> str:
    """Lists the differences of a table's rules from their preset; empty if there are none."""
    changed = table.rules.differences(table.standard)
    differences = [setting_in_words(name, value, translator) for name, value in changed.items()]
    more = [f"+{len(differences) - MAX_DIFFERENCES}"] if len(differences) > MAX_DIFFERENCES else []
    return " · ".join([*differences[:MAX_DIFFERENCES], *more])


def option_rows(
    table: Table, names: Sequence[str], limits: Limits, translator: Translator
) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lays out the buttons of the open panel, or of the open setting; `names` are the rule sets to choose.

    On a panel, switches change at once; other settings open their values.
    """
    opened = table.panel or FIRST_PANEL
    if opened in PANELS:
        settings = {setting: value_of(table, setting) for setting in PANELS[opened]}
        choices = [
            option_button(
                table,
                f"{setting}={value_text(not value)}" if isinstance(value, bool) else setting,
                setting_in_words(setting, value, translator),
            )
            for setting, value in settings.items()
        ]
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
    """Returns the buttons that lead from one panel to the others."""
    return tuple(
        option_button(table, panel, translator.text(title), Tone.PRIMARY)
        for panel, title in _TITLES.items()
        if panel != opened
    )


def value_of(table: Table, setting: str) -> object:
    """Returns the value that a setting has at this table."""
    if setting == "preset":
        return table.preset
    if setting in CHOICES:
        return table.options.value_of(setting)

    value: object = getattr(table.rules, setting)
    return value


def offered(setting: str, names: Sequence[str]) -> list[tuple[object, str]]:
    """Returns the values on buttons, each with its text in the token."""
    if setting == "preset":
        return [(name, name) for name in names]
    values = CHOICES.get(setting) or WORDINGS[setting].offered or SETTINGS[setting]
    return [(value, value_text(value)) for value in values]


def panel_of(setting: str) -> str:
    """Returns the panel of a setting."""
    return next(panel for panel, settings in PANELS.items() if setting in settings)


def option_button(table: Table, what: str, label: str, tone: Tone = Tone.NEUTRAL) -> CallbackButton:
    """Returns the button that opens or sets something, as in `ChangeOption`."""
    return button_to(ChangeOption(table.id, table.game, what), label, tone)


# The sentence for each problem with a name.
NAME_PROBLEMS: Mapping[NameProblem, str] = {
    NameProblem.NO_RULE_SET: gettext_noop("No preset “{name}”. Did you mean: {valid}?"),
    NameProblem.NO_VARIATION: gettext_noop("Nothing is saved here as “{name}”. Did you mean: {valid}?"),
    NameProblem.UNPLAYABLE: gettext_noop(
        "“{name}” was saved by an earlier version and can't be played any more: save it again, or delete it."
    ),
    NameProblem.TAKEN: gettext_noop("“{name}” already means something else: take another name."),
    NameProblem.UNSUITABLE: gettext_noop(
        "“{name}” can't be the name: take up to 20 letters, digits and hyphens."
    ),
    NameProblem.REPLACED: gettext_noop("“{name}” is gone: after “{valid}” the bot passes for everybody."),
    NameProblem.TOO_MANY: gettext_noop("{n} saved rule sets are the most: delete one first."),
}


def rule_set_problem_text(
    problem: InvalidName | InvalidSettingError | Clash, translator: Translator, *, is_typed: bool = False
) -> str:
    """Explains the problem, and names alternatives."""
    match problem:
        case InvalidName(reason, name, existing):
            return translator.text(
                NAME_PROBLEMS[reason],
                name=echo(name),
                valid=nearest_of(name, existing, PRESET_OF),
                n=str(len(existing)),
            )
        case InvalidSettingError():
            return invalid_setting_text(problem, translator)
        case Clash():
            return clash_text(problem, translator, is_typed=is_typed)


BETWEEN = " · "  # between settings chosen one after the other


def preset_suggestions(names: Iterable[str], typed: str, translator: Translator) -> list[Suggestion]:
    """Suggests rule sets by their translated names, their own names, or another word for them."""
    meant = {preset for word, preset in PRESET_OF.items() if word.startswith(typed.casefold())}
    suggestions = [Suggestion(_typable(preset_name(name, translator)), name) for name in names]
    return [one for one in suggestions if one.text in meant or _fits(one, typed)]


def bots_suggestions(typed: str, translator: Translator) -> list[Suggestion]:
    """Suggests a game against bots."""
    bots = Suggestion(translator.text("🤖 Play against bots"), AGAINST_BOTS)
    return [bots] if _fits(bots, typed) else []


def setting_suggestions(typed: str, rules: Rules, translator: Translator) -> list[Suggestion]:
    """Suggests single settings that change these rules, beside those that have been chosen before.

    Chosen settings are read by their labels or typed forms. Chats show only the first few suggestions: they
    begin with one value of each setting.
    """
    is_set: dict[Suggestion, bool] = {}
    for setting in WORDINGS:
        if setting == "preset":
            continue

        now = getattr(rules, setting) if setting in SETTINGS else TableOptions().value_of(setting)
        for value, text in offered(setting, ()):
            label = _typable(setting_in_words(setting, value, translator))
            is_set[Suggestion(label, f"{setting}={text}")] = value == now

    chosen = list[Suggestion]()
    rest = typed.strip()
    by_length = sorted(is_set, key=lambda suggestion: -len(suggestion.label))
    while begun := [option for option in by_length if _after(option, rest) is not None]:
        chosen.append(begun[0])
        rest = _after(begun[0], rest) or ""

    taken = {_setting_of(option) for option in chosen}
    more = [
        option
        for option, is_so in is_set.items()
        if not is_so and _setting_of(option) not in taken and _fits(option, rest)
    ]
    combined = [[*chosen, further] for further in more]

    if not rest:
        first = {_setting_of(option): option for option in reversed(more)}
        combined.sort(key=lambda several: first[_setting_of(several[-1])] is not several[-1])
        combined[:0] = [chosen] if chosen else []

    return [
        Suggestion(
            BETWEEN.join(option.label for option in together), " ".join(option.text for option in together)
        )
        for together in combined
    ]


def server_suggestions(
    names: Sequence[str], variations: Sequence[str], typed: str, translator: Translator
) -> list[Suggestion]:
    """Suggests changes of a server's settings; of all time zones only those that hold the typed text."""
    suggestions = [
        *(
            Suggestion(_typable(f"default {preset_name(name, translator)}"), f"default {name}")
            for name in names
        ),
        *(Suggestion(f"delete {name}", f"delete {name}") for name in variations),
        *(Suggestion(f"language {code}", f"language {code}") for code in LOCALES),
        *(
            Suggestion(f"{setting} {value_in_words(setting, value, translator)}", f"{setting} {value}")
            for setting, values in SERVER_CHOICES.items()
            for value in values
        ),
    ]
    place = typed.strip().casefold().removeprefix("timezone").strip()
    zones = [f"timezone {zone}" for zone in _time_zones() if place and place in zone.casefold()]

    return [suggestion for suggestion in suggestions if _fits(suggestion, typed)] + [
        Suggestion(zone, zone) for zone in zones
    ]


def _typable(label: str) -> str:
    """Returns a label with the spaces that a keyboard has."""
    return label.replace("\N{NO-BREAK SPACE}", " ")


def _setting_of(suggestion: Suggestion) -> str:
    return suggestion.text.partition("=")[0]


def _fits(suggestion: Suggestion, typed: str) -> bool:
    sought = typed.strip().casefold()
    return sought in suggestion.label.casefold() or sought in suggestion.text.casefold()


def _after(suggestion: Suggestion, typed: str) -> str | None:
    """Returns the rest of a text after a suggestion; None if the text doesn't begin with it."""
    for start in (suggestion.label, suggestion.text):
        begin = typed[: len(start)]
        rest = typed[len(start) :]
        if begin.casefold() == start.casefold() and rest[:1] in {"", " "}:
            return rest.lstrip(BETWEEN)

    return None


@cache
def _time_zones() -> Sequence[str]:
    return sorted(available_timezones())
