"""Changes of a lobby, and the permission for each."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.model.choices import TableOptions
from bot.model.refusal import RefusedError, TableRefusal, Why
from bot.model.table import FORGOTTEN, HOUSE_NAMES, Phase, Player, Table
from bot.screens.names import names_of
from engine import PRESETS, Rules
from tests.bot.chat import ROOM, person

ANNA = person("Anna")
BORIS = person("Boris")
CLARA = person("Clara")


def gathered(*names: str, rules: Rules = PRESETS["podkidnoy-36"], phase: Phase = Phase.LOBBY) -> Table:
    players = tuple(Player(name, person(name).ref) for name in names)
    return Table(1, ROOM, ANNA.ref, "podkidnoy-36", rules, "5eed", 0.0, players, phase=phase)


def house_names(table: Table) -> list[str]:
    return [player.name for player in table.players if player.user is None]


def refusal(change: Callable[[], Table]) -> Why:
    with pytest.raises(RefusedError) as refused:
        change()
    return refused.value.why


def test_people_join_on_the_next_free_seat() -> None:
    table = gathered("Anna").join(BORIS).join(CLARA)
    assert [table.seat_of(each.ref) for each in (ANNA, BORIS, CLARA)] == [0, 1, 2]
    assert table.people() == (ANNA.ref, BORIS.ref, CLARA.ref)


def test_nobody_sits_twice_even_under_another_name() -> None:
    renamed = replace(ANNA, name="Annette")
    assert refusal(lambda: gathered("Anna").join(renamed)) is TableRefusal.ALREADY_SEATED


def test_a_full_table_takes_nobody_and_no_house_player() -> None:
    full = gathered("Anna", "B", "C", "D", "E", "F")
    assert refusal(lambda: full.join(person("G"))) is TableRefusal.FULL
    assert refusal(lambda: full.add_house(ANNA.ref)) is TableRefusal.FULL


def test_who_leaves_makes_room_and_the_others_move_up() -> None:
    table = gathered("Anna", "Boris", "Clara").leave(BORIS.ref)
    assert table.seat_of(CLARA.ref) == 1
    assert table.opener == ANNA.ref


def test_when_the_opener_leaves_the_next_person_opens_and_no_house_player() -> None:
    table = gathered("Anna").add_house(ANNA.ref).join(BORIS).leave(ANNA.ref)
    assert table.opener == BORIS.ref
    assert table.phase is Phase.LOBBY
    assert gathered("Anna", "Boris", "Clara").leave(ANNA.ref).opener == BORIS.ref


def test_a_table_without_people_is_put_away() -> None:
    assert gathered("Anna").add_house(ANNA.ref).leave(ANNA.ref).phase is Phase.CLOSED


def test_who_does_not_sit_changes_nothing() -> None:
    table = gathered("Anna").add_house(ANNA.ref)
    for change in (
        lambda: table.leave(BORIS.ref),
        lambda: table.add_house(BORIS.ref),
        lambda: table.remove_house(BORIS.ref),
    ):
        assert refusal(change) is TableRefusal.NOT_SEATED


def test_house_players_have_different_names_and_the_last_one_leaves_first() -> None:
    table = gathered("Anna")
    for _ in range(5):
        table = table.add_house(ANNA.ref)

    assert house_names(table) == list(HOUSE_NAMES[:5])
    assert house_names(table.remove_house(ANNA.ref)) == list(HOUSE_NAMES[:4])
    assert refusal(lambda: gathered("Anna").remove_house(ANNA.ref)) is TableRefusal.NO_HOUSE_PLAYER

    around = gathered("Anna").add_house(ANNA.ref).join(BORIS).join(CLARA)
    assert around.remove_house(ANNA.ref) == gathered("Anna", "Boris", "Clara")


def test_there_are_names_for_any_number_of_house_players() -> None:
    table = gathered("Anna", rules=Rules(max_players=16, hand_size=1))
    for _ in range(15):
        table = table.add_house(ANNA.ref)
    assert len(set(names_of(table.players))) == 16


def test_only_the_opener_starts() -> None:
    assert refusal(lambda: gathered("Anna", "Boris").start(BORIS.ref)) is TableRefusal.ONLY_OPENER
    assert gathered("Anna", "Boris").start(ANNA.ref).phase is Phase.PLAYING


def test_nobody_starts_alone() -> None:
    assert refusal(lambda: gathered("Anna").start(ANNA.ref)) is TableRefusal.ALONE
    assert gathered("Anna").add_house(ANNA.ref).start(ANNA.ref).phase is Phase.PLAYING


def test_house_players_do_not_play_by_themselves() -> None:
    table = replace(gathered("Anna"), players=(Player("Ada"), Player("Boris")))
    assert refusal(lambda: table.start(ANNA.ref)) is TableRefusal.NOBODY_HUMAN
    assert not table.can_start


def test_rules_that_do_not_fit_the_number_of_players_do_not_start() -> None:
    rules = Rules(deck=24, hand_size=6)
    table = gathered("Anna", "B", "C", "D", "E", rules=rules)
    assert refusal(lambda: table.start(ANNA.ref)) in rules.clashes(5)


@pytest.mark.parametrize("phase", [Phase.PLAYING, Phase.OVER, Phase.CLOSED])
def test_after_the_deal_nobody_comes_goes_or_starts(phase: Phase) -> None:
    table = gathered("Anna", "Boris", phase=phase)
    for change in (
        lambda: table.join(CLARA),
        lambda: table.leave(ANNA.ref),
        lambda: table.add_house(ANNA.ref),
        lambda: table.remove_house(ANNA.ref),
        lambda: table.start(ANNA.ref),
        table.call_off,
    ):
        assert refusal(change) is TableRefusal.NOT_GATHERING


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.PLAYING, Phase.CLOSED])
def test_there_is_a_rematch_only_of_a_game_that_is_over(phase: Phase) -> None:
    table = gathered("Anna", "Boris", phase=phase)
    assert refusal(lambda: table.rematch(ANNA, "new")) is TableRefusal.NOT_OVER


def test_a_rematch_asks_those_who_played_and_seats_who_asks_and_house_players() -> None:
    over = replace(
        gathered("Anna", "Boris", "Clara", phase=Phase.LOBBY).add_house(ANNA.ref), phase=Phase.OVER
    )
    assert refusal(lambda: over.rematch(person("D"), "new")) is TableRefusal.NOT_SEATED

    again = over.rematch(BORIS, "new")
    assert (again.phase, again.game, again.opener, again.seed) == (Phase.LOBBY, 2, BORIS.ref, "new")
    assert [player.name for player in again.players] == ["Boris", "Ada"]
    assert again.before == over.players
    assert [player.name for player in again.expected_players] == ["Anna", "Clara"]
    assert again.expects(CLARA.ref)
    assert not again.expects(BORIS.ref)


def test_who_comes_back_sits_where_they_sat_and_who_is_new_sits_last() -> None:
    over = gathered("Anna", "Boris", "Clara", phase=Phase.OVER)
    again = over.rematch(BORIS, "new").join(person("D")).join(CLARA).join(ANNA)
    assert [player.name for player in again.players] == ["Anna", "Boris", "Clara", "D"]
    assert again.expected_players == ()
    assert again.leave(person("D").ref).is_same_company


def test_who_leaves_a_rematch_is_not_expected_again() -> None:
    again = gathered("Anna", "Boris", "Clara", phase=Phase.OVER).rematch(BORIS, "new").join(CLARA)
    left = again.leave(CLARA.ref)
    assert [player.name for player in left.expected_players] == ["Anna"]
    assert left.join(CLARA).join(ANNA).is_same_company

    declined = left.leave(ANNA.ref)
    assert declined.players == left.players
    assert declined.expected_players == ()
    assert refusal(lambda: declined.leave(ANNA.ref)) is TableRefusal.NOT_SEATED


def test_where_all_seats_are_taken_or_the_cards_are_dealt_nobody_is_expected() -> None:
    rules = replace(PRESETS["podkidnoy-36"], max_players=2)
    again = replace(gathered("Anna", "Boris", phase=Phase.OVER), rules=rules).rematch(ANNA, "new")
    assert again.expects(BORIS.ref)
    full = again.join(CLARA)
    assert not full.expects(BORIS.ref)
    assert full.leave(CLARA.ref).expects(BORIS.ref)
    assert not full.start(ANNA.ref).expects(BORIS.ref)


@pytest.mark.parametrize("phase", Phase)
def test_a_table_can_be_put_away_at_any_time(phase: Phase) -> None:
    assert gathered("Anna", phase=phase).close().phase is Phase.CLOSED


def test_the_seed_of_a_deal_is_in_no_representation() -> None:
    assert "5eed" not in repr(gathered("Anna"))


def test_people_swap_seats_with_the_next_one_clockwise() -> None:
    table = gathered("Anna", "Boris", "Clara").change_seats(CLARA.ref)
    assert [player.name for player in table.players] == ["Clara", "Boris", "Anna"]
    assert refusal(lambda: table.change_seats(person("D").ref)) is TableRefusal.NOT_SEATED


def test_only_the_opener_chooses_rules_and_only_such_as_fit() -> None:
    table = gathered("Anna", "Boris", "Clara")
    for_two = replace(PRESETS["podkidnoy-36"], max_players=2)
    assert refusal(lambda: table.play_by(BORIS.ref, "x", for_two)) is TableRefusal.ONLY_OPENER
    assert refusal(lambda: table.play_by(ANNA.ref, "x", for_two)) in for_two.clashes(3)
    assert table.leave(CLARA.ref).play_by(ANNA.ref, "x", for_two).rules == for_two

    changed = table.play_by(ANNA.ref, "friday", PRESETS["pure"], PRESETS["classic"])
    assert (changed.preset, changed.rules, changed.standard) == (
        "friday",
        PRESETS["pure"],
        PRESETS["classic"],
    )


def test_the_same_people_on_other_seats_are_another_company() -> None:
    over = gathered("Anna", "Boris", "Clara", phase=Phase.OVER)
    again = over.rematch(BORIS, "seed").join(CLARA).join(ANNA)
    assert again.is_same_company
    assert not again.change_seats(ANNA.ref).is_same_company
    assert not again.leave(CLARA.ref).is_same_company


def test_people_are_known_by_who_they_are_and_house_players_by_their_names() -> None:
    anna = Player("Anna", ANNA.ref)
    ada = Player("Ada")
    over = replace(gathered("Anna"), before=(anna, ada))
    assert replace(over, players=(replace(anna, name="Annette"), ada)).is_same_company
    assert not replace(over, players=(Player("Anna", BORIS.ref), ada)).is_same_company
    assert not replace(over, players=(anna, Player("Dima"))).is_same_company


def test_who_has_left_and_asks_for_a_rematch_plays_again() -> None:
    playing = gathered("Anna", "Boris", phase=Phase.PLAYING).with_presence(ANNA.ref, has_left=True)
    assert playing.players[0].has_left
    again = playing.with_phase(Phase.OVER).rematch(ANNA, "seed")
    assert [(player.name, player.has_left) for player in again.players] == [("Anna", False)]


def test_a_table_that_a_group_has_opened_is_taken_care_of_by_who_joins_first() -> None:
    table = gathered("Anna", "Boris").leave(ANNA.ref).leave(BORIS.ref)
    opened = replace(table, phase=Phase.LOBBY, opener=ANNA.ref).join(BORIS)
    assert opened.opener == opened.join(CLARA).opener == BORIS.ref


def test_when_all_seats_are_taken_the_first_game_starts_by_itself() -> None:
    for_two = replace(PRESETS["podkidnoy-36"], max_players=2)
    full = gathered("Anna", "Boris", rules=for_two)
    assert full.starts_by_itself
    assert not gathered("Anna", rules=for_two).starts_by_itself
    assert not full.start(ANNA.ref).starts_by_itself
    assert not full.call_off().starts_by_itself


def test_a_rematch_waits_for_somebody_to_press_start_even_if_all_seats_are_taken() -> None:
    over = gathered("Anna", "Boris", rules=replace(PRESETS["podkidnoy-36"], max_players=2), phase=Phase.OVER)
    again = over.rematch(ANNA, "new").join(BORIS)
    assert again.is_full
    assert not again.starts_by_itself


def test_no_game_starts_by_itself_with_rules_that_fit_nobody() -> None:
    table = gathered("Anna", "Boris", rules=Rules(deck=24, hand_size=20, max_players=2))
    assert table.is_full
    assert not table.starts_by_itself


def test_a_table_involves_who_opened_it_who_sits_there_and_who_sat_there() -> None:
    table = replace(gathered("Boris"), before=(Player("Clara", CLARA.ref),))
    assert all(table.involves(each.ref) for each in (ANNA, BORIS, CLARA))
    assert not table.involves(person("D").ref)


def test_house_players_and_who_was_forgotten_are_told_nothing() -> None:
    forgotten = Player("Somebody", replace(BORIS.ref, platform=FORGOTTEN))
    table = replace(gathered("Anna"), players=(Player("Ada"), forgotten, Player("Anna", ANNA.ref)))
    assert table.people() == (ANNA.ref,)


def test_who_has_agreed_or_is_away_or_no_person_is_not_asked_to_stop_the_game() -> None:
    table = gathered("Anna", "Boris", "Clara", "D").add_house(ANNA.ref)
    assert replace(table, agreed=frozenset({ANNA.ref})).seats_to_ask(away={2}) == [1, 3]


def test_only_the_opener_chooses_options_and_opens_panels() -> None:
    table = gathered("Anna", "Boris")
    options = TableOptions(clock=60)
    assert refusal(lambda: table.play_with(BORIS.ref, options)) is TableRefusal.ONLY_OPENER
    assert refusal(lambda: table.open_panel(BORIS.ref, "deal")) is TableRefusal.ONLY_OPENER
    assert table.play_with(ANNA.ref, options).options == options
    assert table.open_panel(ANNA.ref, "deal").panel == "deal"


def test_the_start_and_a_pause_close_the_open_panel() -> None:
    started = gathered("Anna", "Boris").open_panel(ANNA.ref, "deal").start(ANNA.ref)
    assert started.panel is None
    paused = started.host("host").pause(is_paused=True)
    assert (paused.panel, paused.options.is_paused) == (None, True)
    assert not paused.pause(is_paused=False).options.is_paused


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.OVER, Phase.CLOSED])
def test_nobody_hosts_or_leaves_a_game_that_is_not_played(phase: Phase) -> None:
    table = gathered("Anna", "Boris", phase=phase)
    for change in (
        lambda: table.pause(is_paused=True),
        lambda: table.host("host"),
        lambda: table.with_presence(ANNA.ref, has_left=True),
        lambda: table.with_presence(ANNA.ref, has_left=False),
    ):
        assert refusal(change) is TableRefusal.NOT_PLAYING


def test_who_leaves_the_running_game_gets_their_own_seat_back() -> None:
    playing = gathered("Anna", "Boris", phase=Phase.PLAYING)
    assert [player.has_left for player in playing.with_presence(BORIS.ref, has_left=True).players] == [
        False,
        True,
    ]
    assert playing.with_presence(BORIS.ref, has_left=True).with_presence(BORIS.ref, has_left=False) == playing
    assert refusal(lambda: playing.with_presence(CLARA.ref, has_left=True)) is TableRefusal.NOT_SEATED


def test_a_rematch_is_without_those_who_left_and_forgets_pause_panel_and_wishes_to_stop() -> None:
    playing = gathered("Anna", "Boris", "Clara", phase=Phase.PLAYING).with_presence(BORIS.ref, has_left=True)
    stopped = replace(playing.pause(is_paused=True).host("host"), agreed=frozenset({ANNA.ref}))
    again = stopped.with_phase(Phase.OVER).rematch(CLARA, "new")
    assert [player.name for player in again.players] == ["Clara"]
    assert [player.name for player in again.expected_players] == ["Anna"]
    assert (again.agreed, again.options.is_paused, again.panel) == (frozenset(), False, None)


@pytest.mark.parametrize("name", ["Ada", " ada "])
def test_nobody_meets_a_house_player_of_their_name(name: str) -> None:
    ada = replace(BORIS, name=name)
    assert house_names(gathered("Anna").join(ada).add_house(ANNA.ref)) == [HOUSE_NAMES[1]]
    table = gathered("Anna").add_house(ANNA.ref).add_house(ANNA.ref).join(ada)
    assert house_names(table) == [HOUSE_NAMES[2], HOUSE_NAMES[1]]
    assert [player.name for player in table.players] == ["Anna", HOUSE_NAMES[2], HOUSE_NAMES[1], name]


def test_the_time_of_a_change_makes_no_other_table() -> None:
    assert replace(gathered("Anna"), touched_at=5.0) == gathered("Anna")


def test_a_new_table_is_at_its_first_game_and_sound() -> None:
    table = gathered("Anna")
    assert (table.game, table.is_damaged, table.touched_at) == (1, False, 0.0)


def test_a_house_player_takes_the_first_name_that_is_free() -> None:
    table = gathered("Anna").add_house(ANNA.ref).add_house(ANNA.ref).add_house(ANNA.ref)
    without_first = replace(table, players=(table.players[0], *table.players[2:]))
    assert house_names(without_first.add_house(ANNA.ref)) == [*HOUSE_NAMES[1:3], HOUSE_NAMES[0]]
    crowd = replace(
        gathered("Anna", rules=Rules(max_players=16, hand_size=1)),
        players=(Player("Anna", ANNA.ref), *map(Player, HOUSE_NAMES)),
    )
    assert house_names(crowd.add_house(ANNA.ref).add_house(ANNA.ref))[-2:] == list(HOUSE_NAMES[:2])
