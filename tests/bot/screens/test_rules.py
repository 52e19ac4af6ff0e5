"""The rules on the screen are generated from the settings, so every active setting is explained."""

import re
from collections.abc import Iterator

import pytest

from bot.locale import LOCALES, Translator
from bot.screens.names import PRESET_NAMES
from bot.screens.rules import MAX_RULES_LENGTH, how_to_play, rule_guide, rules_screen
from bot.screens.settings import WORDINGS
from bot.screens.text import NO_BREAK
from engine import MAX_QUIET_BOUTS, PRESETS, SETTINGS, Rules, value_text
from engine.rules.settings import DECLARATIONS
from tests.bot.messages import text_of
from tests.bot.screens.scenes import CHATS, TRANSLATOR

MAX_LINES = 18
PLAYERS = (None, *range(2, 9))
OTHERS = ("friday", *PRESETS)


def rules_beside(setting: str) -> Rules:
    """Returns rules by which a setting makes a difference."""
    return Rules().with_options(DECLARATIONS[setting].beside.split())


def rules_text(rules: Rules, players: int | None = None, translator: Translator = TRANSLATOR) -> str:
    return text_of(rules_screen("these", rules, OTHERS, translator, players))


def explained(rules: Rules, players: int | None, translator: Translator) -> str:
    """Returns the text without its last line, which holds the command to type."""
    return rules_text(rules, players, translator).rpartition("\n\n")[0]


def values_of(setting: str) -> list[object]:
    return [4 if value is int else value for value in SETTINGS[setting]]


def every_rule_set() -> Iterator[Rules]:
    """Yields every preset, and the common rules with one setting changed."""
    yield from PRESETS.values()
    for setting in SETTINGS:
        beside = rules_beside(setting)
        yield from (beside.with_options([f"{setting}={value_text(value)}"]) for value in values_of(setting))


def in_one_line(cards: str) -> str:
    return cards.replace(" ", NO_BREAK)


@pytest.mark.parametrize("locale", LOCALES)
def test_any_rules_fit_a_screen_and_hold_no_word_of_the_code(locale: str) -> None:
    translator = Translator(locale)
    words = [word for word in (*PRESETS, *SETTINGS) if "_" in word or "-" in word]
    for rules in every_rule_set():
        for players in PLAYERS:
            if players is not None and rules.clashes(players):
                continue

            whole = rules_text(rules, players, translator)
            text = explained(rules, players, translator)
            assert len(whole) <= min(limits.body for limits in CHATS), (rules.to_text(), players)
            assert len([line for line in whole.splitlines() if line]) <= MAX_LINES, (
                rules.to_text(),
                players,
            )
            assert not [word for word in words if word in text]
            assert not re.search(r"[{}]|None|  ", text)


def test_how_to_play_is_always_eight_sentences() -> None:
    for rules in every_rule_set():
        assert len(list(how_to_play(rules, None, TRANSLATOR))) == 8
        assert re.match(r"these( · \d players)? · how to play\n1\. ", rules_text(rules))
        assert f"{MAX_QUIET_BOUTS} rounds" in rules_text(rules)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_preset_has_a_name_of_its_own_in_every_language(locale: str) -> None:
    names = [Translator(locale).text(PRESET_NAMES[preset]) for preset in PRESETS]
    assert len(set(names)) == len(PRESETS) == len(PRESET_NAMES)
    assert not set(names) & set(PRESETS)


def test_no_two_presets_sound_the_same() -> None:
    assert len({rules_text(rules) for rules in PRESETS.values()}) == len(PRESETS)


def test_other_rules_are_listed_by_what_to_type_and_what_people_call_it() -> None:
    others = rules_text(PRESETS["classic"]).rpartition("\n\n")[2]
    assert others.startswith("Other rules (type them after /rules): friday · podkidnoy-36 ")
    few = text_of(rules_screen("pure", PRESETS["pure"], ("perevodnoy",), TRANSLATOR))
    assert few.startswith("Pure, no six-card cap · how to play")
    assert few.endswith("Other rules (type them after /rules): perevodnoy (Transfer)")


def test_as_many_names_are_listed_as_find_room() -> None:
    many = tuple(f"evening-number-{number:05}" for number in range(60))
    text = text_of(rules_screen("these", Rules(), many, TRANSLATOR))
    assert MAX_RULES_LENGTH - len(many[0]) < len(text) <= MAX_RULES_LENGTH
    others = text.rpartition("\n\n")[2]
    assert others.startswith("Other rules (type them after /rules): evening-number-00000 · ")
    assert others.endswith(" · …")


def test_rules_that_leave_no_room_list_no_others() -> None:
    long_name = "n" * MAX_RULES_LENGTH
    assert "Other rules" not in text_of(rules_screen("these", Rules(), (long_name,), TRANSLATOR))


@pytest.mark.parametrize(
    ("rules", "players", "sentence"),
    [
        (Rules(deck=24), None, "24 cards, 2–4 players. With 4 nothing is left to draw"),
        (Rules(), 6, "The dealer’s last card shows the trump"),
        (Rules(), 3, "The next card lies face up under the deck"),
        (Rules(hand_size=1), None, "Everybody gets 1 card."),
        (Rules(), None, f": {in_one_line('A K Q J 10 9 8 7 6')}."),
        (Rules(deck=24), None, f": {in_one_line('A K Q J 10 9')}."),
        (
            PRESETS["punktedurak"],
            None,
            f": {in_one_line('A 10 K Q J 9 8 7')}, with four or more players down to 2.",
        ),
        (PRESETS["punktedurak"], 5, f": {in_one_line('A 10 K Q J 9 8 7 6 5 4 3 2')}."),
        (PRESETS["punktedurak"], None, "32 cards with two or three players, 52 with more"),
        (Rules(decks=2), None, "2 decks together"),
        (Rules(turn_up="removed"), None, "it leaves the game"),
        (Rules(redeal_same_suit=5), None, "5 or more of one suit and no trump?"),
        (Rules(lay_away_four=True), None, "Four of a kind may be discarded"),
        (Rules(trump_six_exchange=True), None, "The 6 of trumps, if dealt or drawn"),
        (Rules(trump_six_exchange=True, deck=24), None, "The 9 of trumps, if dealt or drawn"),
        (Rules(trump_six_exchange=True, deck="by_players"), None, "The 7 (6) of trumps, if dealt or drawn"),
        (Rules(opening_cards="equal_rank"), None, "with one card or several of one rank"),
        (Rules(throw_in="none"), None, "5. Nobody may throw in."),
        (Rules(throw_in="none"), None, "6. If every card is beaten, they are discarded"),
        (Rules(throw_in="attacker"), None, "Once all cards are beaten, only the attacker may throw in"),
        (Rules(throw_in="neighbours"), None, "the attacker and the defender’s other neighbour may throw in"),
        (Rules(throw_in="all"), None, "everybody but the defender may throw in"),
        (Rules(throw_in="all"), 2, "only the attacker may throw in cards whose rank is on the table.\n"),
        (
            Rules(throw_in_order="priority"),
            None,
            "If two players throw in at the same moment, the attacker’s card goes first.",
        ),
        (Rules(attack_limit=5, first_attack_limit=3), None, "Until the first discard, at most 3."),
        (Rules(attack_limit=1), None, "At most 1 card in one attack, and never more than"),
        (Rules(voluntary_take=False), None, "7. If you can’t beat everything, you take"),
        (
            Rules(voluntary_take=False, transfer=True),
            None,
            "If you can neither beat everything nor transfer,",
        ),
        (Rules(transfer=True), None, "the next player on the left has to answer all"),
        (
            Rules(transfer=True, transfer_direction="right"),
            None,
            "the previous player on the right has to answer all",
        ),
        (Rules(transfer=True, transfer_by_showing_trump=True), None, "Or show the trump of that rank"),
        (Rules(teams="2x2"), None, "2 against 2: partners"),
        (Rules(teams="3x2"), None, "Three pairs: partners"),
        (Rules(teams="3x2"), None, "The dealer’s last card shows the trump"),
        (Rules(teams="2x2"), None, "A team is safe when all of it is out."),
        (Rules(teams="2x2", leave_with_talon=True), None, "A team is safe when all of it is out."),
        (Rules(teams="2x2"), None, "The first of the losing team in the list counts as the fool."),
        (Rules(teams="2x2", simultaneous_empty="defender_loses"), None, "the last defender’s team loses"),
        (
            Rules(teams="2x2", first_attacker_next_game="winner"),
            None,
            "the lowest trump of the first team out attacks first",
        ),
        (Rules(teams="2x2"), None, "the last team left with cards loses"),
        (Rules(epaulettes="announce"), None, "epaulettes"),
        (Rules(simultaneous_empty="defender_loses"), None, "the last defender loses"),
    ],
)
def test_each_setting_has_its_sentence(rules: Rules, players: int | None, sentence: str) -> None:
    assert sentence in rules_text(rules, players)


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_has_its_wording_and_its_values_are_told_apart(setting: str) -> None:
    wording = WORDINGS[setting]
    assert wording.label != setting, f"bot/screens/settings.py has no wording for {setting}"

    words = [value_text(value) for value in SETTINGS[setting] if isinstance(value, bool | str)]
    unnamed = [value for value in words if value not in wording.words]
    assert not unnamed, f"bot/screens/settings.py: {setting} has no words for these values"

    if int in SETTINGS[setting]:
        assert wording.offered, f"bot/screens/settings.py offers no numbers of {setting}"
        assert wording.span[1], f"bot/screens/settings.py has no span of {setting}"

    rules = rules_beside(setting)
    values = values_of(setting)
    texts = {rules_text(rules.with_options([f"{setting}={value_text(value)}"])) for value in values}
    assert len(texts) == len(values), f"/rules does not tell the values of {setting} apart"


def test_what_is_off_is_not_told() -> None:
    text = rules_text(Rules(throw_in="none", attack_limit=None, limit_by_defender_hand=False)).lower()
    for word in ("transfer:", "the defender takes", "at most", "epaulettes", "partners", "decks together"):
        assert word not in text


def test_rules_that_depend_on_the_number_of_players_have_it_in_their_title() -> None:
    rules = PRESETS["perevodnoy"]
    assert rule_guide("perevodnoy", rules, None, TRANSLATOR).title == "Transfer"
    assert rule_guide("perevodnoy", rules, 2, TRANSLATOR).title == "Transfer · 2 players"
