"""Names may come from strangers, and contain anything."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.table import Player
from bot.screens.names import MAX_NAME_LENGTH, names_of, safe_name
from tests.bot.chat import person

JOINERS = "\u200d\ufe0f"

hostile = st.one_of(
    st.text(max_size=80),
    st.text("Anna (2)#1\u200d\ufe0f\u202e\u0301 ", max_size=12),
    st.sampled_from(
        ["Anna", "ANNA", "Anna (2)", "#1", "#2", "🤖 Ada", "", "\u3164", "🐊" * 64, "e\u0301" * 40]
    ),
)


@given(hostile)
def test_a_name_stays_on_one_line_of_readable_length(raw: str) -> None:
    name = safe_name(raw)
    assert len(name) <= MAX_NAME_LENGTH
    assert name == " ".join(name.split())
    assert not [each for each in name if unicodedata.category(each)[0] == "C" and each not in JOINERS]


@given(hostile)
def test_a_safe_name_is_safe_already(raw: str) -> None:
    assert safe_name(safe_name(raw)) == safe_name(raw)


@pytest.mark.parametrize(
    "raw",
    ["", " ", "\u200b", "\u202e\u202d", "\u3164", "\u2800\u2800", "\n\t", "\u0301\u0301", "\ufe0f\u200d"],
)
def test_what_cannot_be_seen_is_no_name(raw: str) -> None:
    assert safe_name(raw) == ""


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Anna", "Anna"),
        ("  Anna\u202e \n B.  ", "Anna B."),
        ("*_~`<b>Anna</b>`~_*", "*_~`<b>Anna</b>`~_*"),  # the chat escapes it
        ("Żółć Ґанна", "Żółć Ґанна"),
        ("Nguyễn", "Nguyễn"),
        ("👩\u200d🚀 Ada", "👩\u200d🚀 Ada"),
        ("🐊" * 64, "🐊" * 23 + "…"),
        ("Z" + "\u0301" * 50, "Ź\u0301\u0301"),
        ("👩\u200d" * 40, "👩\u200d" * 11 + "👩…"),
    ],
)
def test_names_people_have(raw: str, name: str) -> None:
    assert safe_name(raw) == name


@given(st.lists(hostile, max_size=8), st.data())
def test_no_two_seats_are_called_the_same_and_nobody_is_nameless(
    raws: list[str], data: st.DataObject
) -> None:
    players = []
    for seat, raw in enumerate(raws):
        user = None if data.draw(st.booleans()) else person(str(seat)).ref
        players.append(Player(raw, user))

    names = names_of(players)
    looks = {"".join(each for each in name.casefold() if each not in JOINERS) for name in names}
    assert len(looks) == len(raws)
    assert all(names)


def test_namesakes_are_told_apart_even_from_who_pretends() -> None:
    players = [Player(name, person(name).ref) for name in ("Anna", "Anna (2)", "anna")]
    assert names_of(players) == ("Anna", "Anna (2)", "anna (3)")


def test_house_players_are_known_by_their_sign() -> None:
    assert names_of([Player("Ada"), Player("Ada", person("Ada").ref)]) == ("🤖 Ada", "Ada")
