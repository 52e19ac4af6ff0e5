"""What the settings of the rules and of a table are called, and their values, in words."""

from collections.abc import Iterable, Mapping

from bot.locale import Translator, gettext_noop
from bot.screens.arguments import LONGEST_NOTICE, echo
from bot.screens.presets import preset_name
from engine import SETTINGS, InvalidSettingError, SettingProblem, value_text

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
    "lay_away_four": gettext_noop("Lay four of a kind away"),
    "trump_six_exchange": gettext_noop("Swap the low trump"),
    "first_attacker_first_game": gettext_noop("First attack"),
    "first_attacker_next_game": gettext_noop("First attack of the next game"),
    "no_trump_fallback": gettext_noop("Nobody holds a trump"),
    "dealer_next": gettext_noop("Next dealer"),
    "opening_cards": gettext_noop("An attack begins with"),
    "attack_limit": gettext_noop("Most cards in an attack"),
    "first_attack_limit": gettext_noop("Most cards in the first attack"),
    "first_attack_limit_until": gettext_noop("First attack lasts until"),
    "limit_by_defender_hand": gettext_noop("No more than the defender holds"),
    "throw_in": gettext_noop("Throwing in"),
    "throw_in_timing": gettext_noop("Throw in when"),
    "throw_in_order": gettext_noop("Order of throwing in"),
    "throw_in_after_take": gettext_noop("Throw in after a take"),
    "voluntary_take": gettext_noop("Taking even when able to beat"),
    "transfer": gettext_noop("Transfer"),
    "transfer_direction": gettext_noop("Transfer to"),
    "transfer_cards": gettext_noop("Cards in a transfer"),
    "transfer_limit_by_hand": gettext_noop("Transfer only if the next has cards enough"),
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
    "left_of_dealer": gettext_noop("next after the dealer"),
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
    "first_discard": gettext_noop("cards are beaten off"),
    "first_bout": gettext_noop("the first round is over"),
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
    SettingProblem.UNKNOWN_SETTING: gettext_noop("There is no setting “{setting}”; the nearest are: {valid}"),
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
    return said(invalid.valid)


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
        return translator.text("a number")
    words = value_in_words(setting, text, translator)
    return text if words == text else f"{text} ({words})"
