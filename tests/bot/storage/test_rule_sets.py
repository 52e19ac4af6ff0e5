"""What servers play: variations and defaults."""

from dataclasses import replace

from adapters.port import RoomRef, ServerRef
from bot.storage import Database, Lobbies, RuleSets
from engine import PRESETS, Rules
from tests.bot.storage.samples import SERVER, open_table

OTHER = ServerRef("telegram", "-200")
FRIDAY = replace(PRESETS["perevodnoy"], throw_in="neighbours")


async def test_a_variation_is_known_on_its_server_alone(database: Database) -> None:
    rule_sets = RuleSets(database)
    await rule_sets.save(SERVER, "friday", FRIDAY)
    assert await rule_sets.variations(SERVER) == {"friday": FRIDAY}
    assert await rule_sets.variations(OTHER) == {}


async def test_the_same_name_again_means_the_newer_rules(database: Database) -> None:
    rule_sets = RuleSets(database)
    await rule_sets.save(SERVER, "friday", Rules())
    await rule_sets.save(SERVER, "friday", FRIDAY)
    assert await rule_sets.variations(SERVER) == {"friday": FRIDAY}


async def test_a_server_has_no_default_until_one_is_chosen(database: Database) -> None:
    rule_sets = RuleSets(database)
    assert await rule_sets.default(SERVER) == ""
    await rule_sets.set_default(SERVER, "perevodnoy")
    assert await rule_sets.default(SERVER) == "perevodnoy"
    assert await rule_sets.default(OTHER) == ""


async def test_a_forgotten_variation_is_no_default_any_more(database: Database) -> None:
    rule_sets = RuleSets(database)
    await rule_sets.save(SERVER, "friday", FRIDAY)
    await rule_sets.set_default(SERVER, "friday")
    await rule_sets.forget(SERVER, "friday")
    assert (await rule_sets.variations(SERVER), await rule_sets.default(SERVER)) == ({}, "")
    await rule_sets.forget(OTHER, "friday")


async def test_a_server_under_a_new_id_keeps_its_rules(database: Database) -> None:
    rule_sets = RuleSets(database)
    await open_table(database, RoomRef(SERVER, "-100"))
    for name in ("friday", "sunday"):
        await rule_sets.save(SERVER, name, FRIDAY)
    await rule_sets.set_default(SERVER, "friday")
    await rule_sets.save(OTHER, "sunday", Rules())
    await Lobbies(database).rename_room(RoomRef(SERVER, "-100"), RoomRef(OTHER, "-200"))
    assert await rule_sets.variations(OTHER) == {"friday": FRIDAY, "sunday": Rules()}
    assert await rule_sets.default(OTHER) == "friday"
