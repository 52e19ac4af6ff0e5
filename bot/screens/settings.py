"""The settings of the rules and of a table: their labels, panels and buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from adapters.port import CallbackButton, Limits, Tone
from bot.locale import Translator, gettext_noop
from bot.model.buttons import ChangeOption
from bot.model.choices import CHOICES, TableOptions
from bot.model.table import Table
from bot.screens.keyboard import button_to, in_menu, in_settings_menu, listed, rows_of
from bot.screens.names import SAID_BY_NAMES, preset_name
from bot.screens.server_settings import ON_OR_OFF
from bot.screens.text import Line
from engine import DECLARATIONS, SETTINGS, Panel, Rules, value_text


@dataclass(frozen=True, slots=True)
class Wording:
    """All texts of one setting; mappings are by the typed forms of its values."""

    label: str  # on its button
    # The names of its values. The empty key names any other number.
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    # The texts of values that `rules.py` puts into its sentences.
    says: Mapping[str, str] = field(default_factory=dict[str, str])
    # The meanings of values on the form, in place of the sentences of the rules.
    explained: Mapping[str, str] = field(default_factory=dict[str, str])
    # The sentences of values at the end of /rules.
    sentences: Mapping[str, str] = field(default_factory=dict[str, str])
    about: str = ""  # its meaning, if it's not a rule
    # The values on buttons if the setting takes any number; others can be typed.
    offered: tuple[object, ...] = ()
    span: tuple[int, int] = (0, 0)  # the least and the greatest of these numbers


# In the order of the buttons on each panel. Sentences about several settings are in `rules.py`.
_WORDINGS: Mapping[str, Wording] = {
    # --- common
    "preset": Wording(gettext_noop("Rules")),
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
    "transfer": Wording(gettext_noop("Transfers"), ON_OR_OFF),
    "teams": Wording(
        gettext_noop("Teams"),
        {
            "off": gettext_noop("off"),
            "2x2": gettext_noop("2 against 2"),
            "3x2": gettext_noop("three pairs"),
            "2x3": gettext_noop("3 against 3"),
        },
        explained={"off": gettext_noop("Everybody plays for themselves.")},
    ),
    "cheating": Wording(
        gettext_noop("Cheating"),
        ON_OR_OFF,
        explained={"off": gettext_noop("Everybody plays by the rules.")},
        sentences={
            "on": gettext_noop(
                "🤫 You may play a card that doesn't fit: to beat, to throw in or to transfer. Until the "
                "round ends, anybody may point at it, and it goes back. Point at a legal card, and "
                "you're seeing things: you can't point again until the next round."
            )
        },
    ),
    "max_players": Wording(gettext_noop("Most players"), offered=(2, 3, 4, 5, 6, 7, 8), span=(2, 16)),
    "clock": Wording(
        gettext_noop("Clock"),
        about=gettext_noop("When time is up, the bot moves for you. With no limit a game can last for days."),
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
        ON_OR_OFF,
        about=gettext_noop("Players may ask what an expert would play in their place."),
    ),
    # --- deal
    "decks": Wording(gettext_noop("Number of decks"), offered=(1, 2, 3), span=(1, 3)),
    "hand_size": Wording(gettext_noop("Cards in a hand"), offered=(4, 5, 6, 7, 8, 9, 10, 12), span=(1, 18)),
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
                "First game: the lowest trump attacks first; if nobody has one, the cards are dealt again."
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
    "redeal_needs_no_trump": Wording(gettext_noop("New deal only without trumps"), ON_OR_OFF),
    # --- attack
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
    "limit_by_defender_hand": Wording(gettext_noop("No more than the defender holds"), ON_OR_OFF),
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
            "priority": gettext_noop(
                "If two players throw in at the same moment, the attacker's card goes first."
            ),
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
    # --- defence
    "voluntary_take": Wording(gettext_noop("Taking even when able to beat"), ON_OR_OFF),
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
        ON_OR_OFF,
        says={"on": gettext_noop("Only if that player has enough cards.")},
    ),
    "transfer_by_showing_trump": Wording(
        gettext_noop("Transfer by showing the trump"),
        ON_OR_OFF,
        says={"on": gettext_noop("Or show the trump of that rank and keep it, once a round.")},
    ),
    "transfer_in_first_bout": Wording(
        gettext_noop("Transfer in the first round"),
        ON_OR_OFF,
        says={"off": gettext_noop("Not in the first round.")},
    ),
    "lay_away_four": Wording(gettext_noop("Discard four of a kind"), ON_OR_OFF),
    "trump_six_exchange": Wording(gettext_noop("Swap the low trump"), ON_OR_OFF),
    # --- end
    "draw": Wording(
        gettext_noop("Drawing"),
        {
            "refill": gettext_noop("full hands after each round"),
            "one_each_table_round": gettext_noop("one card each time round"),
        },
        says={
            "refill": gettext_noop(
                "After each round everybody draws up to {n} cards, the attacker first and the defender last."
            ),
            "one_each_table_round": gettext_noop(
                "When the attack has gone once round the table, everybody with fewer than {n} draws one card."
            ),
        },
    ),
    "leave_with_talon": Wording(
        gettext_noop("Out before the deck is empty"),
        ON_OR_OFF,
        says={
            "on": gettext_noop("No cards after a round: you're out and safe, even while there is a deck."),
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
    "epaulette_non_trump": Wording(gettext_noop("The trump six is no epaulette"), ON_OR_OFF),
    "discard_visible": Wording(
        gettext_noop("All may look at the discard"),
        ON_OR_OFF,
        sentences={"on": gettext_noop("Everybody may look at the discard.")},
    ),
    "min_players": Wording(gettext_noop("Fewest players"), offered=(2, 3, 4, 5, 6), span=(2, 16)),
}


def _wording_without_words(setting: str) -> Wording:
    """Returns placeholders for a setting without texts, labelled with its name; a test fails on them."""
    if int not in SETTINGS[setting]:
        return Wording(setting)

    default = getattr(Rules(), setting)
    return Wording(setting, offered=(default, (default or 0) + 1))


WORDINGS: Mapping[str, Wording] = {
    **_WORDINGS,
    **{setting: _wording_without_words(setting) for setting in SETTINGS if setting not in _WORDINGS},
}


def panel_of(setting: str) -> Panel:
    """Returns the panel of a setting; choices of a table, which are not rules, are on the first one."""
    return DECLARATIONS[setting].panel if setting in DECLARATIONS else FIRST_PANEL


_TITLES: Mapping[Panel, str] = {
    Panel.COMMON: gettext_noop("Table"),
    Panel.DEAL: gettext_noop("Deal rules"),
    Panel.ATTACK: gettext_noop("Attack rules"),
    Panel.DEFENCE: gettext_noop("Defence rules"),
    Panel.END: gettext_noop("End rules"),
}
FIRST_PANEL = Panel.COMMON

# The settings on each panel.
PANELS: Mapping[str, Sequence[str]] = {
    panel: [setting for setting in WORDINGS if panel_of(setting) is panel] for panel in _TITLES
}


def said_of(rules: Rules, setting: str, translator: Translator, **places: object) -> str:
    """Returns the text of /rules for a setting's value; empty if it has none."""
    message = WORDINGS[setting].says.get(value_text(getattr(rules, setting)))
    return translator.text(message, **places) if message else ""


def label_of(setting: str, translator: Translator) -> str:
    """Names a setting."""
    return translator.text(WORDINGS[setting].label)


def value_in_words(setting: str, value: object, translator: Translator) -> str:
    """Names a value of a setting; a number without a name stays a number."""
    if setting == "preset":
        return preset_name(str(value), translator)
    if setting == "clock" and isinstance(value, int):
        return translator.text("{n} min", n=value // 60) if value else translator.text("no time limit")
    if setting == "throw_in_seconds" and isinstance(value, int):
        return translator.text("{n} s", n=value) if value else translator.text("no time limit")

    text = value_text(value)
    words = WORDINGS[setting].words
    message = words.get(text, words.get(""))

    return text if message is None else translator.text(message, n=text)


def setting_in_words(setting: str, value: object, translator: Translator) -> str:
    """Names a setting with its value."""
    return f"{label_of(setting, translator)}: {value_in_words(setting, value, translator)}"


MAX_DIFFERENCES = 6  # differences that fit into one line; /rules lists all


def differences_in_words(table: Table, translator: Translator) -> str:
    """Lists a table's choices that differ from the defaults, and its rules that differ from their preset.

    Empty without differences. The strength of the bots is left out, because the table shows it anyway.
    """
    values = {**_unusual_choices(table.options), **table.rules.differences(table.standard)}
    differences = [setting_in_words(name, value, translator) for name, value in values.items()]
    more = [f"+{len(differences) - MAX_DIFFERENCES}"] if len(differences) > MAX_DIFFERENCES else []
    return " · ".join([*differences[:MAX_DIFFERENCES], *more])


def _unusual_choices(options: TableOptions) -> dict[str, object]:
    usual_moment = TableOptions(clock=options.clock).value_of("throw_in_seconds")  # depends on the clock
    usual = {
        "clock": TableOptions().clock,
        "throw_in_seconds": usual_moment,
        "hints": TableOptions().hints,
    }
    return {name: options.value_of(name) for name, value in usual.items() if options.value_of(name) != value}


def option_rows(
    table: Table, names: Sequence[str], limits: Limits, translator: Translator
) -> tuple[tuple[CallbackButton, ...], ...]:
    """Lays out the buttons of the open panel or setting; `names` are the rule sets to choose from.

    On a panel, a press toggles a switch, and opens the values of any other setting. In chats with menus, one
    menu has the settings of the panel and the other panels, and a second one the values of the open setting.
    """
    here = table.panel or FIRST_PANEL
    is_panel = here in PANELS
    panel = here if is_panel else panel_of(here)
    values = [] if is_panel else _value_buttons(table, here, names, translator)
    ok = option_button(table, "", translator.text("OK"), Tone.GOOD)

    if limits.menu:
        menu = _setting_menu(table, panel, here, translator)
        left = replace(limits, buttons=limits.buttons - 2 * limits.per_row)
        return menu, *rows_of(values, limits=left), (ok,)

    if is_panel:
        choices = [_setting_button(table, setting, translator) for setting in PANELS[here]]
        ways = ways_between(table, panel, translator)
        return rows_of(choices, (*ways, ok), limits=limits, is_aligned=False)

    back = option_button(table, panel, translator.text("Back"))
    return rows_of(values, [back], limits=limits)


def listed_settings(table: Table, limits: Limits, translator: Translator) -> Line:
    """Lists the settings of the open panel if a menu hides them; empty otherwise.

    It leaves out what is in the title: the name of the rules, and the settings that the name implies.
    """
    here = table.panel or FIRST_PANEL
    settings = PANELS[here if here in PANELS else panel_of(here)]
    in_name = SAID_BY_NAMES.get(table.preset, frozenset()) - table.rules.differences(table.standard).keys()
    values = [
        setting_in_words(setting, value_of(table, setting), translator)
        for setting in settings
        if setting not in {"preset", *in_name}
    ]
    return listed(values, limits)


def _setting_menu(table: Table, panel: str, here: str, translator: Translator) -> tuple[CallbackButton, ...]:
    """Returns the settings of a panel and the other panels as one menu, with the open setting selected."""
    buttons = list[CallbackButton]()
    for setting in PANELS[panel]:
        label = setting_in_words(setting, value_of(table, setting), translator)
        tone = Tone.PRIMARY if setting == here else Tone.NEUTRAL
        buttons.append(option_button(table, setting, label, tone))

    for way in ways_between(table, panel, translator):
        buttons.append(replace(way, label=f"{way.label} …", tone=Tone.NEUTRAL))

    return tuple(in_settings_menu(buttons, translator))


def _value_buttons(
    table: Table, setting: str, names: Sequence[str], translator: Translator
) -> list[CallbackButton]:
    """Returns the values of a setting as the choices of one menu, with the current one selected."""
    values = []
    for value, text in offered(setting, names):
        is_chosen = value == value_of(table, setting)
        tone = Tone.PRIMARY if is_chosen else Tone.NEUTRAL
        label = value_in_words(setting, value, translator)
        values.append(option_button(table, f"{setting}={text}", label, tone))

    return in_menu(values, label_of(setting, translator))


def _setting_button(table: Table, setting: str, translator: Translator) -> CallbackButton:
    """Returns the button that toggles a switch, or opens the values of any other setting."""
    value = value_of(table, setting)
    change = f"{setting}={value_text(not value)}" if isinstance(value, bool) else setting
    return option_button(table, change, setting_in_words(setting, value, translator))


def ways_between(table: Table, here: str, translator: Translator) -> tuple[CallbackButton, ...]:
    """Returns the buttons that lead from one panel to the others."""
    return tuple(
        option_button(table, panel, translator.text(title), Tone.PRIMARY)
        for panel, title in _TITLES.items()
        if panel != here
    )


def value_of(table: Table, setting: str) -> object:
    """Returns the value that a setting has at this table; for the most players, as many as can sit down."""
    if setting == "preset":
        return table.preset
    if setting == "max_players":
        return table.rules.most_seats
    if setting in CHOICES:
        return table.options.value_of(setting)

    value: object = getattr(table.rules, setting)
    return value


def offered(setting: str, names: Sequence[str]) -> list[tuple[object, str]]:
    """Returns the values of a setting that have buttons, each with its typed form."""
    if setting == "preset":
        return [(name, name) for name in names]
    values = CHOICES.get(setting) or WORDINGS[setting].offered or SETTINGS[setting]
    return [(value, value_text(value)) for value in values]


def option_button(table: Table, what: str, label: str, tone: Tone = Tone.NEUTRAL) -> CallbackButton:
    """Returns the button that opens or sets `what`, in the form of `ChangeOption`."""
    return button_to(ChangeOption(table.id, table.game, what), label, tone)
