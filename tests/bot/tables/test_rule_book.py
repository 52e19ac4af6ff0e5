"""Rules by what people type; what means nothing gets a sentence with what would be valid."""

from collections.abc import Awaitable
from dataclasses import replace

import pytest

from bot.locale import LOCALES, Translator
from bot.model.people import PRESET_OF
from bot.model.table import RuleSet, RuleSetError
from bot.people import Servers
from bot.screens.settings import rule_set_problem_text
from bot.storage import Database, ServerStore, VariationStore
from bot.tables.rule_book import MOST_VARIATIONS, RuleBook
from engine import PRESETS, SETTINGS, Rules
from tests.bot.chat import CELLAR, ROOM

SERVER = ROOM.server
FRIDAY = replace(PRESETS["perevodnoy"], throw_in="neighbours")


@pytest.fixture
def rule_book(database: Database) -> RuleBook:
    return RuleBook(VariationStore(database), Servers(ServerStore(database)))


async def refused(work: Awaitable[object], locale: str = "en") -> str:
    with pytest.raises(RuleSetError) as bad:
        await work
    return rule_set_problem_text(bad.value.problem, Translator(locale), is_typed=True)


@pytest.mark.parametrize("preset", PRESETS)
async def test_every_preset_can_be_asked_for_by_name(rule_book: RuleBook, preset: str) -> None:
    assert await rule_book.read(SERVER, [preset.upper()]) == RuleSet(preset, PRESETS[preset])


@pytest.mark.parametrize(
    ("word", "preset"),
    [
        ("подкидной", "podkidnoy-36"),
        ("Підкидний", "podkidnoy-36"),
        ("Переводной", "perevodnoy"),
        ("schieben", "perevodnoy"),
        ("perduodamas", "perevodnoy"),
        ("24", "podkidnoy-24"),
    ],
)
async def test_a_preset_can_be_asked_for_by_the_word_people_use(
    rule_book: RuleBook, word: str, preset: str
) -> None:
    assert await rule_book.read(SERVER, [word]) == RuleSet(preset, PRESETS[preset])


async def test_a_variation_goes_before_a_word_for_a_preset(rule_book: RuleBook) -> None:
    await rule_book.save(SERVER, "transfer", FRIDAY)
    assert (await rule_book.read(SERVER, ["transfer"])).rules == FRIDAY


def test_every_word_for_a_preset_means_one_and_none_is_its_name() -> None:
    assert set(PRESET_OF.values()) <= set(PRESETS)
    assert not set(PRESET_OF) & set(PRESETS)
    assert all(word == word.lower() for word in PRESET_OF)


async def test_settings_change_a_preset_or_the_common_rules(rule_book: RuleBook) -> None:
    assert await rule_book.read(SERVER, []) == RuleSet("podkidnoy-36", Rules())
    classic = await rule_book.read(SERVER, ["classic", "throw_in=all", "attack_limit=none"])
    assert (classic.name, classic.rules.throw_in, classic.rules.attack_limit) == ("classic", "all", None)
    common = await rule_book.read(SERVER, ["transfer=on"])
    assert (common.name, common.rules.transfer) == ("podkidnoy-36", True)


async def test_an_unknown_preset_is_answered_with_the_names_there_are(rule_book: RuleBook) -> None:
    await rule_book.save(SERVER, "friday", FRIDAY)
    told = await refused(rule_book.read(SERVER, ["poker"]))
    assert "“poker”" in told
    assert "preset “poker”; the nearest are: " in told
    assert "friday" in await refused(rule_book.read(SERVER, ["fryday"]))
    assert "perevodnoy" in await refused(rule_book.read(SERVER, ["Perevodnoi"]))


async def test_an_unknown_setting_is_answered_with_the_nearest_three(rule_book: RuleBook) -> None:
    told = await refused(rule_book.read(SERVER, ["classic", "throwin=all"]))
    _, _, names = told.partition("“throwin”; the nearest are: ")
    assert names.split(", ")[0] == "throw_in"
    assert len(names.split(", ")) == 3
    assert set(names.split(", ")) <= set(SETTINGS)


@pytest.mark.parametrize("locale", LOCALES[1:])
@pytest.mark.parametrize("word", ["jokers=on", "throw_in=some", "deck"])
async def test_a_wrong_setting_is_told_in_every_language(rule_book: RuleBook, locale: str, word: str) -> None:
    told = await refused(rule_book.read(SERVER, [word]), locale)
    assert told != await refused(rule_book.read(SERVER, [word]))
    assert all(english not in told for english in ("There is", "cannot be", "needs a value", "a number"))


async def test_what_can_be_typed_is_explained_in_words(rule_book: RuleBook) -> None:
    told = await refused(rule_book.read(SERVER, ["throw_in=some"]), "de")
    assert "neighbours (die Nachbarn), all (alle)" in told
    told = await refused(rule_book.read(SERVER, ["attack_limit=" + "9" * 5000]), "de")
    assert "eine Zahl" in told
    assert len(told) < 200


@pytest.mark.parametrize(
    "word",
    ["throw_in=some", "throw_in", "hand_size=many", "transfer=maybe", "deck=53", "hand_size=" + "9" * 5000],
)
async def test_a_setting_with_a_wrong_value_is_answered_with_the_values(
    rule_book: RuleBook, word: str
) -> None:
    told = await refused(rule_book.read(SERVER, ["classic", word]))
    assert told.startswith(word.partition("=")[0])
    assert "can be" in told or "needs a value" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["deck=24", "max_players=9"], "9 players need 54 cards, but there are 24."),
        (["max_players=16"], "16 players need 96 cards, but there are 36."),
        (["punktedurak", "decks=8", "hand_size=120"], "“Number of decks (decks)” must be at most 3."),
        (["punktedurak", "decks=3", "hand_size=20"], "“Cards in a hand (hand_size)” must be at most 18."),
        (["redeal_same_suit=1"], "“New deal if one suit (redeal_same_suit)” must be at least 4."),
        (["teams=2x2", "winner=first_out"], "Teams win together: “Winner (winner)” is nobody."),
        (
            ["first_attack_limit=7"],
            "cannot be more than “Most cards in an attack (attack_limit)”.",
        ),
        (["hand_size=0"], "“Cards in a hand (hand_size)” must be at least 1."),
        (["perevodnoy", "teams=2x2"], "Teams do not transfer: switch “Transfer (transfer)” off."),
        (["teams=2x2", "min_players=5"], "“2 against 2” takes exactly 4 players."),
    ],
)
async def test_settings_that_clash_are_answered_with_why(
    rule_book: RuleBook, words: list[str], told: str
) -> None:
    assert told in await refused(rule_book.read(SERVER, words))


@pytest.mark.parametrize(
    "words",
    [
        ["punktedurak", "transfer=off"],
        ["durnius", "deck=by_players"],
        ["deck=24"],
        ["teams=2x2", "max_players=9"],
    ],
)
async def test_what_can_be_played_is_not_refused(rule_book: RuleBook, words: list[str]) -> None:
    assert (await rule_book.read(SERVER, words)).rules.clashes() == ()


async def test_a_variation_has_its_name_on_its_server_alone(rule_book: RuleBook) -> None:
    await rule_book.save(SERVER, "friday", FRIDAY)
    chosen = await rule_book.read(SERVER, ["Friday", "deck=52"])
    assert chosen == RuleSet("friday", replace(FRIDAY, deck=52), house_rules=FRIDAY)
    assert await rule_book.names(SERVER) == ("friday", *PRESETS)
    assert "“friday”" in await refused(rule_book.named(replace(CELLAR.server, id="elsewhere"), "friday"))


async def test_what_is_played_without_a_name_can_be_chosen(rule_book: RuleBook) -> None:
    await rule_book.save(SERVER, "friday", FRIDAY)
    await rule_book.set_default(SERVER, "friday")
    assert (await rule_book.read(SERVER, ["deck=52"])).rules == replace(FRIDAY, deck=52)
    await rule_book.forget(SERVER, "friday")
    assert await rule_book.default(SERVER) == "podkidnoy-36"
    assert "“poker”" in await refused(rule_book.set_default(SERVER, "poker"))


@pytest.mark.parametrize("name", ["perevodnoy", "", "a=b", "-x", "ä", "x" * 21])
async def test_a_name_that_would_confuse_is_refused(rule_book: RuleBook, name: str) -> None:
    assert f"“{name}” cannot be the name" in await refused(rule_book.save(SERVER, name, FRIDAY))


async def test_there_are_not_more_variations_than_a_lobby_can_show(rule_book: RuleBook) -> None:
    for number in range(MOST_VARIATIONS):
        await rule_book.save(SERVER, f"v{number}", FRIDAY)
    await rule_book.save(SERVER, "v0", Rules())
    assert "delete one first" in await refused(rule_book.save(SERVER, "more", FRIDAY))
    assert "“more” here; the nearest are: v" in await refused(rule_book.forget(SERVER, "more"))
