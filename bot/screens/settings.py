"""What the settings of the rules and of a table are called, and their values, in words."""

from collections.abc import Iterable, Mapping

from bot.locale import Voice, sentence
from bot.screens.arguments import LONGEST_NOTICE, echo
from engine import SETTINGS, InvalidSettingError, SettingProblem, value_text

LABELS: Mapping[str, str] = {
    "preset": sentence("Preset"),
    "clock": sentence("Clock"),
    "auto_done": sentence("Done by itself"),
    "strength": sentence("House players"),
    "hints": sentence("Hints"),
    "deck": sentence("Deck"),
    "decks": sentence("Number of decks"),
    "min_players": sentence("Fewest players"),
    "max_players": sentence("Most players"),
    "rank_order": sentence("Order of ranks"),
    "hand_size": sentence("Cards in a hand"),
    "turn_up": sentence("The turn-up"),
    "redeal_same_suit": sentence("New deal for cards of one suit"),
    "redeal_needs_no_trump": sentence("New deal only without trumps"),
    "lay_away_four": sentence("Lay four of a kind away"),
    "trump_six_exchange": sentence("Swap the trump six"),
    "first_attacker_first_game": sentence("First attack"),
    "first_attacker_next_game": sentence("First attack of the next game"),
    "no_trump_fallback": sentence("Nobody holds a trump"),
    "dealer_next": sentence("Next dealer"),
    "opening_cards": sentence("An attack begins with"),
    "attack_limit": sentence("Most cards in an attack"),
    "first_attack_limit": sentence("Most cards in the first attack"),
    "first_attack_limit_until": sentence("First attack lasts until"),
    "limit_by_defender_hand": sentence("No more than the defender holds"),
    "throw_in": sentence("Throwing in"),
    "throw_in_timing": sentence("Throw in when"),
    "throw_in_order": sentence("Order of throwing in"),
    "throw_in_after_take": sentence("Throw in after a take"),
    "voluntary_take": sentence("Take although one could beat"),
    "transfer": sentence("Transfer"),
    "transfer_direction": sentence("Transfer to the"),
    "transfer_cards": sentence("Cards in a transfer"),
    "transfer_limit_by_hand": sentence("Transfer only what the next one can answer"),
    "transfer_by_showing_trump": sentence("Transfer by showing the trump"),
    "transfer_in_first_bout": sentence("Transfer in the first bout"),
    "draw": sentence("Drawing"),
    "leave_with_talon": sentence("Out while cards can be drawn"),
    "game_end": sentence("The game ends"),
    "simultaneous_empty": sentence("All run out together"),
    "winner": sentence("A winner"),
    "scoring": sentence("Points"),
    "teams": sentence("Teams"),
    "team_order": sentence("Turns of who is out"),
    "epaulettes": sentence("Epaulettes"),
    "epaulette_non_trump": sentence("The trump six is no epaulette"),
    "discard_visible": sentence("Discard can be looked through"),
}
"""Every setting, in the words of a button."""

_VALUES: Mapping[str, str] = {
    "on": sentence("on"),
    "off": sentence("off"),
    "none": sentence("none"),
    "by_players": sentence("by players"),
    "standard": sentence("ace high"),
    "ten_high": sentence("ten above king"),
    "talon_bottom": sentence("under the talon"),
    "removed": sentence("out of the game"),
    "lowest_trump": sentence("lowest trump"),
    "left_of_dealer": sentence("left of the dealer"),
    "attack_fool": sentence("at the fool"),
    "spare_fool": sentence("left of the fool"),
    "winner": sentence("by the winner"),
    "lowest_card": sentence("lowest card"),
    "redeal": sentence("deal again"),
    "fool": sentence("the fool"),
    "rotate": sentence("the next one"),
    "one": sentence("one card"),
    "many": sentence("several cards"),
    "equal_rank": sentence("one card or several of a rank"),
    "first_discard": sentence("cards are beaten off"),
    "first_bout": sentence("the first bout is over"),
    "attacker": sentence("by the attacker"),
    "neighbours": sentence("by the neighbours"),
    "all": sentence("by all"),
    "anytime": sentence("at any time"),
    "after_first_beat": sentence("one card is beaten"),
    "when_all_beaten": sentence("all cards are beaten"),
    "free": sentence("free"),
    "priority": sentence("attacker first"),
    "strict": sentence("one after the other"),
    "up_to_limit": sentence("up to the limit"),
    "left": sentence("left"),
    "right": sentence("right"),
    "refill": sentence("full hands after each bout"),
    "one_each_table_round": sentence("one card each round"),
    "last_with_cards": sentence("with one loser"),
    "places_filled": sentence("with three places"),
    "draw": sentence("a draw"),
    "defender_loses": sentence("the defender loses"),
    "first_out": sentence("who is out first"),
    "punkte": sentence("by places"),
    "epaulettes": sentence("by epaulettes"),
    "skip": sentence("nobody's"),
    "stand_in": sentence("the partner's"),
    "announce": sentence("announced"),
    "score": sentence("from six to ace"),
    "beginner": sentence("beginners"),
    "regular": sentence("regulars"),
    "expert": sentence("experts"),
    "picture": sentence("pictures"),
    "text": sentence("text"),
    "dark": sentence("dark"),
    "light": sentence("light"),
}


INVALID: Mapping[SettingProblem, str] = {
    SettingProblem.UNKNOWN_SETTING: sentence("There is no setting “{setting}”; the nearest are: {valid}"),
    SettingProblem.NO_VALUE: sentence("{setting} needs a value, as in {setting}=…; it can be: {valid}"),
    SettingProblem.WRONG_VALUE: sentence("{setting} cannot be “{value}”; it can be: {valid}"),
}
"""What is wrong with a setting that cannot be read."""


def invalid_setting_text(invalid: InvalidSettingError, voice: Voice) -> str:
    """Say what is wrong with a setting; what can be typed stays so, explained if there is room."""

    def said(valid: Iterable[str]) -> str:
        return voice.say(
            INVALID[invalid.problem],
            setting=echo(invalid.setting),
            value=echo(invalid.value or ""),
            valid=", ".join(valid),
        )

    if invalid.setting in SETTINGS:
        explained = said(_explained(text, voice) for text in invalid.valid)
        if len(explained) <= LONGEST_NOTICE:
            return explained
    return said(invalid.valid)


def label_of(setting: str, voice: Voice) -> str:
    """Name a setting."""
    return voice.say(LABELS[setting])


def value_in_words(setting: str, value: object, voice: Voice) -> str:
    """Name a value of a setting; numbers stay numbers, and rule sets have names already."""
    if setting == "preset":
        return str(value)
    if setting == "clock":
        return voice.say("{n} s", n=value) if value else voice.say("none")
    text = value_text(value)
    return voice.say(_VALUES[text]) if text in _VALUES else text


def _explained(text: str, voice: Voice) -> str:
    if text == value_text(int):
        return voice.say("a number")
    words = voice.say(_VALUES[text]) if text in _VALUES else text
    return text if words == text else f"{text} ({words})"
