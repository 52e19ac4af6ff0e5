"""The rules of servers: variations and defaults."""

from dataclasses import replace
from typing import Any

from adapters.port import RoomRef, ServerRef
from bot.features.week.store import WeekStore
from bot.model.server_choices import ServerChoices
from bot.storage import Database, ServerStore, TableStore, VariationStore
from bot.storage.models import ServerRow
from bot.storage.people import CHOICE_COLUMNS
from engine import PRESETS, Rules
from tests.bot.storage.samples import SERVER, open_table

OTHER = ServerRef("telegram", "-200")
FRIDAY = replace(PRESETS["perevodnoy"], throw_in="neighbours")


async def test_a_variation_is_known_on_its_server_alone(database: Database) -> None:
    variation_store = VariationStore(database)
    await variation_store.save(SERVER, "friday", FRIDAY)
    assert await variation_store.variations(SERVER) == {"friday": FRIDAY}
    assert await variation_store.variations(OTHER) == {}


async def test_the_same_name_again_means_the_newer_rules(database: Database) -> None:
    variation_store = VariationStore(database)
    await variation_store.save(SERVER, "friday", Rules())
    await variation_store.save(SERVER, "friday", FRIDAY)
    assert await variation_store.variations(SERVER) == {"friday": FRIDAY}


async def test_a_server_has_chosen_nothing_until_it_does(database: Database) -> None:
    servers = ServerStore(database)
    assert await servers.choices(SERVER) == ServerChoices()
    await servers.choose(SERVER, preset="perevodnoy")
    await servers.choose(SERVER, locale="lt", time_zone="Europe/Vilnius")
    assert await servers.choices(SERVER) == ServerChoices("perevodnoy", "lt", "Europe/Vilnius")
    assert await servers.choices(OTHER) == ServerChoices()


async def test_a_forgotten_variation_is_no_default_any_more(database: Database) -> None:
    variation_store, servers = VariationStore(database), ServerStore(database)
    await variation_store.save(SERVER, "friday", FRIDAY)
    await servers.choose(SERVER, preset="friday")
    await variation_store.forget(SERVER, "friday")
    assert (await variation_store.variations(SERVER), await servers.choices(SERVER)) == ({}, ServerChoices())
    await variation_store.forget(OTHER, "friday")


async def test_a_server_under_a_new_id_keeps_its_rules(database: Database) -> None:
    variation_store = VariationStore(database)
    await open_table(database, RoomRef(SERVER, "-100"))
    for name in ("friday", "sunday"):
        await variation_store.save(SERVER, name, FRIDAY)

    await ServerStore(database).choose(SERVER, preset="friday", view="text")
    await ServerStore(database).choose(OTHER, view="picture")
    await variation_store.save(OTHER, "sunday", Rules())
    await TableStore(database).rename_room(RoomRef(SERVER, "-100"), RoomRef(OTHER, "-200"))
    assert await variation_store.variations(OTHER) == {"friday": FRIDAY, "sunday": Rules()}
    assert await ServerStore(database).choices(OTHER) == ServerChoices("friday", view="picture")


async def test_a_server_under_a_new_id_keeps_everything_it_chose(database: Database) -> None:
    columns: dict[str, Any] = {name: f"some {name}" for name in CHOICE_COLUMNS}
    of_features = {"teasing": "off", "cups": "on"}
    chosen = replace(ServerChoices(**columns), of_features=of_features)
    await ServerStore(database).choose(SERVER, **columns, **of_features)
    await WeekStore(database).note_end(SERVER, 12.0)
    await TableStore(database).rename_room(RoomRef(SERVER, "-100"), RoomRef(OTHER, "-200"))
    assert await ServerStore(database).choices(OTHER) == chosen
    assert await WeekStore(database).newest_end(OTHER) == 12.0


def test_what_is_kept_about_a_server_is_who_it_is_what_it_chose_and_its_newest_week() -> None:
    """A new column must also be transferred, or it would get lost when the server's id changes."""
    assert set(ServerRow.model_fields) == {"id", "platform", "ref", "week_until", *CHOICE_COLUMNS}
