"""Rules from typed text; nonsense gets a sentence with valid examples."""

from collections.abc import Awaitable
from dataclasses import replace

import pytest

from bot.locale import LOCALES, Translator
from bot.model.buttons import ChangeOption
from bot.model.choices import RuleSet
from bot.model.preset_words import PRESET_OF
from bot.model.refusal import RefusedError
from bot.people import Servers
from bot.screens.refusals import refusal_text
from bot.screens.settings import WORDINGS
from bot.screens.text import echo
from bot.storage import Database, ServerStore, VariationStore
from bot.tables.rule_book import MAX_VARIATIONS, RuleBook
from engine import PRESETS, SETTINGS, Rules
from tests.bot.chat import CELLAR, ROOM

SERVER = ROOM.server
FRIDAY = replace(PRESETS["perevodnoy"], throw_in="neighbours")


@pytest.fixture
def rule_book(database: Database) -> RuleBook:
    return RuleBook(VariationStore(database), Servers(ServerStore(database)))


async def refused(work: Awaitable[object], locale: str = "en") -> str:
    with pytest.raises(RefusedError) as bad:
        await work
    return refusal_text(bad.value, Translator(locale), is_typed=True)


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


async def test_a_variation_goes_before_a_word_for_a_preset(rule_book: RuleBook, database: Database) -> None:
    await VariationStore(database).save(SERVER, "transfer", FRIDAY)  # as earlier versions did
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
    text = await refused(rule_book.read(SERVER, ["poker"]))
    assert "“poker”" in text
    assert "No rules are called “poker”. Did you mean: " in text
    assert "friday" in await refused(rule_book.read(SERVER, ["fryday"]))
    assert "perevodnoy" in await refused(rule_book.read(SERVER, ["Perevodnoi"]))


@pytest.mark.parametrize(
    "words",
    [
        "Throw-in=all PEREVODNOY deck=52",
        "deck=52 переводной Throw_In=ALL",
        "deck = 52 perevodnoy throw-in= all",
    ],
)
async def test_name_and_settings_are_understood_in_any_order_and_spelling(
    rule_book: RuleBook, words: str
) -> None:
    read = await rule_book.read(SERVER, words.split())
    assert (read.name, read.rules) == ("perevodnoy", replace(PRESETS["perevodnoy"], deck=52, throw_in="all"))


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        ("clock=5", 300),
        ("Clock=2min", 120),
        ("clock=900", 900),
        ("clock=off", 0),
        ("throw-in-seconds=20s", 20),
    ],
)
async def test_what_is_chosen_for_a_table_can_be_typed_with_its_rules(
    rule_book: RuleBook, typed: str, chosen: object
) -> None:
    read = await rule_book.read(SERVER, [typed, "classic"])
    assert list(read.choices.values()) == [chosen]
    assert read.rules == PRESETS["classic"]


@pytest.mark.parametrize("typed", ["auto_done=off", "Auto-Done=on", "auto_done"])
async def test_a_choice_of_earlier_versions_is_answered_with_what_came_in_its_place(
    rule_book: RuleBook, typed: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        await rule_book.read(SERVER, ["classic", typed])
    text = refusal_text(refused.value, Translator("en"))
    assert text == "“auto_done” is gone: after “throw_in_seconds” the bot passes for everybody."


async def test_a_wrong_clock_is_answered_with_the_ones_there_are(rule_book: RuleBook) -> None:
    for typed in ("clock=7", "clock"):
        assert "1min, 2min, 5min, 15min, off" in await refused(rule_book.read(SERVER, [typed]))


@pytest.mark.parametrize(
    ("typed", "meant"), [("перевадной", "переводной"), ("подкидно", "подкидной"), ("schiben", "schieben")]
)
async def test_a_misspelt_name_is_answered_with_the_word_that_people_know(
    rule_book: RuleBook, typed: str, meant: str
) -> None:
    text = await refused(rule_book.read(SERVER, [typed]))
    _, _, names = text.partition("Did you mean: ")
    assert names.split(", ")[0] == meant


@pytest.mark.parametrize(
    ("setting", "least", "most"), [(name, *told.span) for name, told in WORDINGS.items() if told.span[1]]
)
async def test_the_numbers_that_a_setting_may_have_are_named(
    rule_book: RuleBook, setting: str, least: int, most: int
) -> None:
    assert f"{least}–{most}" in await refused(rule_book.read(SERVER, [f"{setting}=many"]))
    if setting != "max_players":  # below the fewest players it contradicts that setting
        too_few = least - 1
        assert f"{least}–{most}" in await refused(rule_book.read(SERVER, [f"{setting}={too_few}"]))


async def test_an_unknown_setting_is_answered_with_the_nearest_three(rule_book: RuleBook) -> None:
    text = await refused(rule_book.read(SERVER, ["classic", "throwin=all"]))
    _, _, names = text.removesuffix("?").partition("“throwin”. Did you mean: ")
    assert names.split(", ")[0] == "throw_in"
    assert len(names.split(", ")) == 3
    assert set(names.split(", ")) <= set(SETTINGS)


@pytest.mark.parametrize("locale", LOCALES[1:])
@pytest.mark.parametrize("word", ["jokers=on", "throw_in=some", "deck"])
async def test_a_wrong_setting_is_told_in_every_language(rule_book: RuleBook, locale: str, word: str) -> None:
    text = await refused(rule_book.read(SERVER, [word]), locale)
    assert text != await refused(rule_book.read(SERVER, [word]))
    assert all(english not in text for english in ("There is", "cannot be", "needs a value", "a number"))


async def test_what_can_be_typed_is_explained_in_words(rule_book: RuleBook) -> None:
    text = await refused(rule_book.read(SERVER, ["throw_in=some"]), "de")
    assert "neighbours (die Nachbarn), all (alle)" in text
    text = await refused(rule_book.read(SERVER, ["attack_limit=" + "9" * 5000]), "de")
    assert "1–99" in text
    assert len(text) < 200


@pytest.mark.parametrize(
    "word",
    ["throw_in=some", "throw_in", "hand_size=many", "transfer=maybe", "deck=53", "hand_size=" + "9" * 5000],
)
async def test_a_setting_with_a_wrong_value_is_answered_with_the_values(
    rule_book: RuleBook, word: str
) -> None:
    text = await refused(rule_book.read(SERVER, ["classic", word]))
    assert text.startswith(word.partition("=")[0])
    assert "can be" in text or "needs a value" in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["deck=24", "max_players=9"], "9 players need 54 cards, but there are 24."),
        (["max_players=16"], "16 players need 96 cards, but there are 36."),
        (["punktedurak", "decks=8", "hand_size=120"], "“Number of decks (decks)” can be 1–3."),
        (["punktedurak", "decks=3", "hand_size=20"], "“Cards in a hand (hand_size)” can be 1–18."),
        (["redeal_same_suit=1"], "“New deal if one suit (redeal_same_suit)” can be 4–18."),
        (["teams=2x2", "winner=first_out"], "Teams win together: set “Winner (winner)” to “nobody”."),
        (
            ["first_attack_limit=7"],
            "can’t be more than “Most cards in an attack (attack_limit)”.",
        ),
        (["hand_size=0"], "“Cards in a hand (hand_size)” can be 1–18."),
        (["perevodnoy", "teams=2x2"], "Teams don’t transfer: switch “Transfers (transfer)” off."),
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
    assert "“friday”" in await refused(rule_book.find(replace(CELLAR.server, id="elsewhere"), "friday"))


async def test_what_is_played_without_a_name_can_be_chosen(rule_book: RuleBook) -> None:
    await rule_book.save(SERVER, "friday", FRIDAY)
    await rule_book.set_default(SERVER, "friday")
    assert (await rule_book.read(SERVER, ["deck=52"])).rules == replace(FRIDAY, deck=52)
    await rule_book.forget(SERVER, "friday")
    assert await rule_book.default(SERVER) == "podkidnoy-36"
    assert "“poker”" in await refused(rule_book.set_default(SERVER, "poker"))


@pytest.mark.parametrize("name", ["", "a=b", "-x", "x" * 21, "水" * 14, "two words", "a\u202eb", "🃏"])
async def test_a_name_that_would_confuse_is_refused(rule_book: RuleBook, name: str) -> None:
    assert f"“{echo(name)}” can’t be the name" in await refused(rule_book.save(SERVER, name, FRIDAY))


@pytest.mark.parametrize("name", ["perevodnoy", "bots", "Переводной", "clock", "throw-in"])
async def test_a_name_that_means_something_else_is_refused(rule_book: RuleBook, name: str) -> None:
    assert "already means something else" in await refused(rule_book.save(SERVER, name, FRIDAY))


@pytest.mark.parametrize("name", ["пятница", "päivä", "šventė", "金曜日", "شب-جمعه", "शुक्रवार"])
async def test_rules_may_have_a_name_in_any_script(rule_book: RuleBook, name: str) -> None:
    await rule_book.save(SERVER, name.upper(), FRIDAY)
    assert (await rule_book.read(SERVER, [name.title()])).rules == FRIDAY
    token = str(ChangeOption(10**9, 999, f"preset={name.lower()}"))
    assert len(token.encode()) <= 64


async def test_a_default_that_cannot_be_played_any_more_gives_way(
    rule_book: RuleBook, database: Database
) -> None:
    store = VariationStore(database)
    await store.save(SERVER, "huge", replace(FRIDAY, hand_size=99))
    await rule_book.save(SERVER, "friday", FRIDAY)
    await Servers(ServerStore(database)).choose(SERVER, preset="huge")

    assert await rule_book.default(SERVER) == "podkidnoy-36"
    assert await rule_book.read(SERVER, []) == RuleSet("podkidnoy-36", Rules(), unplayable="huge")
    assert (await rule_book.unplayable(SERVER), await rule_book.names(SERVER)) == (
        ("huge",),
        ("friday", *PRESETS),
    )
    assert "saved by an earlier version" in await refused(rule_book.find(SERVER, "huge"))

    await rule_book.forget(SERVER, "huge")
    assert not await rule_book.unplayable(SERVER)


async def test_only_what_was_typed_is_objected_to(rule_book: RuleBook, database: Database) -> None:
    worn = replace(FRIDAY, redeal_same_suit=2)
    await VariationStore(database).save(SERVER, "worn", worn)
    assert (await rule_book.read(SERVER, ["worn", "deck=52"])).rules == replace(worn, deck=52)
    assert "can be 4–18" in await refused(rule_book.read(SERVER, ["worn", "redeal_same_suit=3"]))


async def test_there_are_not_more_variations_than_a_lobby_can_show(rule_book: RuleBook) -> None:
    for number in range(MAX_VARIATIONS):
        await rule_book.save(SERVER, f"v{number}", FRIDAY)
    await rule_book.save(SERVER, "v0", Rules())
    assert "delete one first" in await refused(rule_book.save(SERVER, "more", FRIDAY))
    assert "as “more”. Did you mean: v" in await refused(rule_book.forget(SERVER, "more"))
