"""The screens around a game: lobby, result, standings, help, and the sentences of refusals."""

from dataclasses import replace
from random import Random

import pytest
from telegram.constants import ReactionEmoji

from adapters.port import CallbackButton, GameRef, Limits, Screen, Span, Tone
from adapters.telegram.ephemeral import MAX_EDIT_LENGTH as EPHEMERAL_EDIT
from bot.app import REGISTRY
from bot.locale import LOCALES, Translator
from bot.model.refusal import RefusedError, TableRefusal
from bot.model.server_choices import ON, ServerChoices
from bot.model.standings import Standing
from bot.model.table import Phase, Player, Table
from bot.screens import refusals
from bot.screens.around import around_choice_screen, around_screen
from bot.screens.help import help_screen
from bot.screens.lobby import closed_screen, lobby_board, lobby_screen
from bot.screens.names import preset_name
from bot.screens.result import GameEnd, ending_screen, game_result, own_result, result_screen
from bot.screens.server import ServerState
from bot.screens.standings import fool_screen, leaderboard_screen, stats_screen
from bot.screens.table import title_span
from bot.screens.text import plain_text
from engine import (
    PRESETS,
    BeatenOff,
    Card,
    Opening,
    Outcome,
    Rank,
    Reason,
    Resigned,
    Rules,
    State,
    Stop,
    WentOut,
)
from tests.bot.chat import person
from tests.bot.messages import buttons_of, text_of
from tests.bot.screens.scenes import CHATS, TRANSLATOR, lobby_of, played, scene_of

SHORTEST = min(limits.body for limits in CHATS)
LONG = "W" * 64
OPENING = Opening(PRESETS["podkidnoy-36"], 3, "5eed", shuffle=1)
STATE = State.setup(PRESETS["podkidnoy-36"], hands=["6S 7H", "9S", "AD"], talon="", trump="H", attacker=0)


def gathering(*names: str) -> Table:
    return replace(lobby_of(PRESETS["podkidnoy-36"], names), phase=Phase.LOBBY)


def labels(screen: Screen) -> list[str]:
    return [button.label for button in buttons_of(screen)]


def fared(name: str, games: int, fools: int) -> Standing:
    return Standing(person(name).ref, name, games, fools, 0, 0, games / 2)


# --- lobby ------------------------------------------------------------------------------------------------


def test_a_lobby_says_who_sits_by_which_rules_and_what_can_be_pressed() -> None:
    screen = lobby_screen(gathering("Anna", "Boris"), "0123456789abcdef0123", (), CHATS[1], TRANSLATOR)
    text = text_of(screen)
    assert text.startswith("Durak · Throw-in, 36 cards · game 1")
    assert "\nAnna (host), Boris · 2 of 6\n" in text
    assert "\nAnna, press Start when everyone’s in.\n" in text
    assert "0123456789abcdef" in text
    assert "5eed" not in text
    assert labels(screen) == ["Join", "Leave", "Add bot", "Settings", "Start", "Close the table"]


@pytest.mark.parametrize(
    ("names", "most", "bright"),
    [
        (("Anna",), 6, {"Join": Tone.PRIMARY, "Add bot": Tone.PRIMARY}),
        (("Anna", "Boris"), 6, {"Join": Tone.PRIMARY, "Start": Tone.GOOD}),
        (("Anna", "Boris"), 2, {"Start": Tone.GOOD}),
    ],
)
def test_bright_is_what_brings_the_game_nearer_and_no_start_that_would_be_refused(
    names: tuple[str, ...], most: int, bright: dict[str, Tone]
) -> None:
    rules = replace(PRESETS["podkidnoy-36"], max_players=most)
    screen = lobby_screen(replace(gathering(*names), rules=rules), "", (), CHATS[1], TRANSLATOR)
    tones = {button.label: button.tone for button in buttons_of(screen)}
    assert {label: tone for label, tone in tones.items() if tone is not Tone.NEUTRAL} == bright


def test_a_full_lobby_offers_no_seat_and_one_with_a_house_player_lets_it_go() -> None:
    full = gathering("A", "B", "C", "D", "E", "F")
    assert labels(lobby_screen(full, "", (), CHATS[1], TRANSLATOR)) == [
        "Leave",
        "🔔 Notify me of the next game",
        "Settings",
        "Change seat",
        "Start",
        "Close the table",
    ]

    housed = replace(gathering("A"), players=(Player("Anna", person("0").ref), Player("Ada")))
    assert "Remove bot" in labels(lobby_screen(housed, "", (), CHATS[1], TRANSLATOR))


def test_whoever_sits_at_a_table_may_change_seats_and_with_teams_the_button_says_team() -> None:
    plain = gathering("A", "B", "C", "D")
    teams = replace(plain, rules=replace(PRESETS["podkidnoy-36"], teams="2x2"))
    for table, label in (plain, "Change seat"), (teams, "Change team"):
        (button,) = [
            button
            for button in buttons_of(lobby_screen(table, "", (), CHATS[1], TRANSLATOR))
            if button.label == label
        ]
        assert button.token in lobby_board(table, "", TRANSLATOR).for_seated.tokens


def test_a_lobby_board_marks_the_button_that_brings_bots_and_the_one_that_closes_the_table() -> None:
    housed = replace(gathering("A"), players=(Player("Anna", person("0").ref), Player("Ada")))
    view = lobby_board(housed, "", TRANSLATOR).for_host
    buttons = buttons_of(lobby_screen(housed, "", (), CHATS[1], TRANSLATOR))
    labels = {button.token: button.label for button in buttons}

    assert [labels[token] for token in view.bots] == ["Add bot"]
    assert labels[view.closes] == "Close the table"


def test_settings_that_were_changed_are_shown() -> None:
    table = replace(gathering("A"), rules=replace(PRESETS["podkidnoy-36"], transfer=True))
    assert "\nTransfers: on" in text_of(lobby_screen(table, "", (), CHATS[1], TRANSLATOR))


@pytest.mark.parametrize("locale", LOCALES)
def test_a_title_says_if_the_rules_are_not_those_that_it_names(locale: str) -> None:
    translator = Translator(locale)
    plain = gathering("A")
    changed = replace(plain, rules=replace(plain.rules, transfer=True, deck=52, decks=3))
    roomy = replace(plain, rules=replace(plain.rules, max_players=5))

    named = preset_name("podkidnoy-36", translator)
    says = translator.text("{preset}, with changes", preset=named)

    assert title_span(changed, translator).text.split(" · ")[1] == says
    assert title_span(plain, translator) == title_span(roomy, translator)
    assert title_span(plain, translator).text.split(" · ")[1] == named

    for screen in (
        closed_screen(changed, CHATS[0], translator),
        lobby_screen(changed, "", (), CHATS[0], translator),
    ):
        assert says in text_of(screen)


def test_a_closed_table_has_no_buttons() -> None:
    assert closed_screen(gathering("A"), CHATS[0], TRANSLATOR).rows == ()


def test_the_end_of_a_game_names_the_game_and_a_lobby_that_was_closed_names_none() -> None:
    stopped = replace(gathering("A", "B"), phase=Phase.CLOSED, stopped=Stop.MODERATOR)
    assert closed_screen(stopped, CHATS[0], TRANSLATOR).finished_game == GameRef(stopped.id, stopped.game)
    assert closed_screen(gathering("A"), CHATS[0], TRANSLATOR).finished_game is None
    scene = scene_of(STATE)
    ended = result_screen(scene, outcome(), OPENING).finished_game
    assert ended == GameRef(scene.table.id, scene.table.game)


def test_the_longest_lobby_fits() -> None:
    everything = replace(PRESETS["punktedurak"], max_players=16, deck=52, decks=2, hand_size=4)
    table = replace(gathering(*(LONG + str(number) for number in range(16))), rules=everything)
    assert "· +" in text_of(lobby_screen(table, "", (), CHATS[1], TRANSLATOR))
    assert len(text_of(lobby_screen(table, "a" * 64, (), CHATS[1], TRANSLATOR))) <= SHORTEST


# --- result -----------------------------------------------------------------------------------------------


def outcome(**different: object) -> Outcome:
    fool = Outcome(fool=0, losers=(0,), is_draw=False, order=(2, 1), points=(0, 0, 0))
    return replace(fool, **different)  # type: ignore[arg-type] # by name


def test_the_result_names_the_fool_the_order_and_the_length() -> None:
    screen = result_screen(scene_of(STATE), outcome(), OPENING)
    text = text_of(screen)
    assert text == "🃏 Player 0 is the fool!\n1. Player 2 · 2. Player 1\n0 rounds, 1\N{NO-BREAK SPACE}min"
    after = ["Rematch", "My mistakes", "🏆 Leaderboard", "🎞 How it ended"]
    assert labels(screen) == [*after, "🔔 Notify me of the next game", "📣 Let these players invite me"]


@pytest.mark.parametrize(
    ("different", "reaction"),
    [
        ({}, "🤡"),
        ({"fool": None, "losers": (), "is_draw": True}, "🤝"),
        ({"fool": None, "losers": (0, 2)}, "🏆"),
    ],
)
def test_the_reaction_to_a_result_is_one_that_chats_take(different: dict[str, object], reaction: str) -> None:
    screen = result_screen(scene_of(STATE), outcome(**different), OPENING)
    assert screen.reaction == reaction
    assert reaction in set(ReactionEmoji)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (5.0, "1\N{NO-BREAK SPACE}min"),
        (540.0, "9\N{NO-BREAK SPACE}min"),
        (7000.0, "117\N{NO-BREAK SPACE}min"),
        (7200.0, "2 hours"),
        (172_800.0, "2 days"),
    ],
)
def test_the_result_tells_how_long_the_game_was(seconds: float, told: str) -> None:
    *_, (end, events) = played(OPENING, Random(7))
    scene = replace(scene_of(end, events), seconds=seconds)
    length = text_of(result_screen(scene, outcome(), OPENING)).splitlines()[2]
    assert length == f"{end.bouts} rounds, {told}"


@pytest.mark.parametrize(
    ("different", "sentence"),
    [
        ({"fool": None, "losers": (), "is_draw": True}, "A draw: nobody is the fool."),
        ({"fool": None, "losers": (0, 2)}, "Lost: Player 0, Player 2"),
        ({"epaulettes": 2, "epaulette_rank": Rank.SIX}, "🎖 Epaulettes for Player 0: 2 × 6"),
        ({"points": (0, 3, 1)}, "Points: Player 1 3, Player 2 1"),
    ],
)
def test_every_kind_of_end_is_told(different: dict[str, object], sentence: str) -> None:
    assert sentence in text_of(result_screen(scene_of(STATE), outcome(**different), OPENING))


def test_the_result_of_a_team_game_speaks_of_teams_and_not_of_places() -> None:
    rules = replace(PRESETS["podkidnoy-36"], teams="2x2")
    state = State.setup(rules, hands=["6S", "9S", "AD", "KD"], talon="", trump="H", attacker=0)
    lost = Outcome(fool=None, losers=(1, 3), is_draw=False, order=(2, 3, 0), points=(0,) * 4)
    scene = scene_of(state, names=("Anna", "Boris", "Clara", "Dima"))
    first, second, *others = text_of(result_screen(scene, lost, replace(OPENING, players=4))).splitlines()
    assert first == "🏆 🔴 Anna and Clara win! 🃏 🔵 Boris and Dima."
    assert (second, others) == ("0 rounds, 1\N{NO-BREAK SPACE}min", [])


def test_a_resignation_is_told_with_the_order_and_the_rounds_until_then() -> None:
    scene = scene_of(STATE, events=(BeatenOff(1, 2), WentOut(2, 1), Resigned(0)))
    text = text_of(result_screen(scene, outcome(order=(2,)), OPENING))
    assert text.splitlines() == [
        "🃏 Player 0 is the fool!",
        "🏳️ Player 0 resigned.",
        "1. Player 2",
        "1 round, 1\N{NO-BREAK SPACE}min",
    ]

    ended = GameEnd(1, OPENING, outcome(order=()), resigned=0)
    for seat, line in ((0, "🃏 You’re the fool!"), (1, "✅ You’re not the fool! 🏳️ Player 0 resigned.")):
        assert text_of(ending_screen(scene.table, ended, seat, None, TRANSLATOR)).endswith(line)


def test_the_result_shows_what_the_fool_has_left() -> None:
    hand = tuple(STATE.view_for(0).hand)
    text = text_of(result_screen(scene_of(STATE), outcome(), OPENING, fools_hand=hand))
    assert "\nStill in hand: " in text
    assert "Still in hand" not in text_of(result_screen(scene_of(STATE), outcome(), OPENING))


def test_points_of_the_whole_match_are_told_from_the_second_game_on() -> None:
    opening = replace(OPENING, rules=PRESETS["punktedurak"], points=(5, 0, 2))
    text = text_of(result_screen(scene_of(STATE), outcome(points=(0, 3, 1)), opening))
    assert "Points: Player 1 3, Player 2 1\nIn all games: Player 0 5, Player 1 3, Player 2 3" in text


def test_the_end_of_a_ladder_of_epaulettes_is_told() -> None:
    opening = Opening(Rules(epaulettes="score"), 3, "5eed", shuffle=1, levels=(14, 6, 6))
    text = text_of(result_screen(scene_of(STATE), outcome(epaulettes=1, epaulette_rank=Rank.ACE), opening))
    assert "1 × A\n🎖 Epaulettes up to the ace: match over!" in text


def test_a_table_put_away_offers_no_rematch() -> None:
    scene = scene_of(STATE)
    closed = replace(scene, table=scene.table.close())
    assert labels(result_screen(closed, outcome(), OPENING)) == [
        "My mistakes",
        "🏆 Leaderboard",
        "🎞 How it ended",
        "🔔 Notify me of the next game",
        "📣 Let these players invite me",
    ]


@pytest.mark.parametrize(
    ("rules", "different", "told"),
    [
        (Rules(), {}, "🃏 You’re the fool!"),
        (
            Rules(),
            {"fool": 1, "losers": (1,), "order": (2, 0)},
            "✅ You’re safe! Place 2 of 3. The fool: Player 1.",
        ),
        (Rules(), {"fool": None, "losers": (), "is_draw": True}, "🤝 A draw: nobody is the fool."),
        (
            Rules(),
            {"fool": None, "losers": (), "is_draw": True, "order": (2, 1, 0)},
            "🤝 A draw: nobody is the fool.",
        ),
        (
            Rules(),
            {"fool": None, "losers": (), "is_draw": True, "order": (0, 2, 1)},
            "✅ You’re safe! Place 1 of 3. 🤝 A draw: nobody is the fool.",
        ),
        (Rules(), {"fool": None, "losers": ()}, "🏆 Nobody has cards left: nobody loses."),
        (Rules(), {"fool": None, "losers": (0, 2)}, "🃏 You lose."),
        (Rules(teams="2x2"), {"fool": None, "losers": (0, 2)}, "🃏 Your team loses."),
        (Rules(teams="2x2"), {"fool": None, "losers": (1,)}, "🏆 Your team wins!"),
        (Rules(teams="3x2"), {"fool": None, "losers": (1,)}, "🏆 Your team wins! Lost: 🔵 Player 1."),
        (Rules(), {"points": (2, 3, 1)}, "🃏 You’re the fool!\nYour points: 2\nIn all games: 7"),
    ],
)
def test_a_hand_becomes_the_end_of_its_game_for_its_owner(
    rules: Rules, different: dict[str, object], told: str
) -> None:
    points = (5, 0, 2) if "points" in different else ()
    ended = GameEnd(1, replace(OPENING, points=points), outcome(**{"order": (), **different}))
    table = replace(scene_of(STATE).table, rules=rules)
    assert text_of(ending_screen(table, ended, 0, None, TRANSLATOR)) == told


@pytest.mark.parametrize(
    ("change", "told"),
    [(-2.5, " Rating −2.5."), (-0.04, ""), (0.6, ""), (None, "")],
)
def test_the_rating_is_told_where_it_has_changed(change: float | None, told: str) -> None:
    ended = GameEnd(1, OPENING, outcome())
    screen = ending_screen(scene_of(STATE).table, ended, 0, None, TRANSLATOR, rating_change=change)
    assert text_of(screen) == f"🃏 You’re the fool!{told}"


@pytest.mark.parametrize(
    ("change", "told"), [(-2.5, " Rating −2.5."), (0.04, ""), (0.06, " Rating +0.1."), (None, "")]
)
def test_of_who_is_safe_a_rating_is_told_that_rose_or_fell(change: float | None, told: str) -> None:
    ended = GameEnd(1, OPENING, outcome(fool=1, losers=(1,), order=(2, 0)))
    screen = ending_screen(scene_of(STATE).table, ended, 0, None, TRANSLATOR, rating_change=change)
    assert text_of(screen) == f"✅ You’re safe! Place 2 of 3.{told} The fool: Player 1."


@pytest.mark.parametrize(
    ("rules", "different", "verdict", "caption"),
    [
        (Rules(), {}, "🃏 You’re the fool!", ""),
        (
            Rules(),
            {"fool": 1, "losers": (1,), "order": (2, 0)},
            "✅ You’re safe! Place 2 of 3.",
            "The fool: Player 1",
        ),
        (Rules(), {"fool": None, "losers": (), "is_draw": True}, "🤝 A draw!", "Nobody is the fool."),
        (
            Rules(),
            {"fool": None, "losers": (), "is_draw": True, "order": (0, 2, 1)},
            "✅ You’re safe! Place 1 of 3.",
            "🤝 A draw: nobody is the fool.",
        ),
        (Rules(), {"fool": None, "losers": ()}, "🏆 Nobody loses!", "Nobody has cards left."),
        (
            Rules(teams="3x2"),
            {"fool": None, "losers": (1,)},
            "🏆 Your team wins!",
            "Lost: 🔵 Player 1.",
        ),
    ],
)
def test_a_chat_that_draws_the_result_gets_the_words_of_its_reader_apart(
    rules: Rules, different: dict[str, object], verdict: str, caption: str
) -> None:
    ended = GameEnd(1, OPENING, outcome(**{"order": (), **different}))
    table = replace(scene_of(STATE).table, rules=rules)
    words = own_result(table, ended, 0, TRANSLATOR, rating_change=-2.5)
    assert words is not None
    assert (plain_text(words.verdict), plain_text(words.caption)) == (verdict, caption)
    assert words.rating == "−2.5"


def test_a_chat_that_draws_the_result_gets_each_line_but_the_places_once() -> None:
    opening = replace(OPENING, rules=PRESETS["punktedurak"], points=(5, 0, 2))
    hand = tuple(STATE.view_for(0).hand)
    extras = [(Span("Boris is on a streak."),)]
    ended = outcome(points=(0, 3, 1))
    scene = scene_of(STATE)

    shown = text_of(
        result_screen(scene, ended, opening, fools_hand=hand, extras=extras, has_more=True)
    ).splitlines()
    words = game_result(scene, ended, opening, fools_hand=hand, extras=extras, has_more=True)
    apart = [
        plain_text(words.verdict),
        *map(plain_text, words.notes),
        words.left,
        words.length.replace(" · ", ", "),
    ]
    assert sorted(apart) == sorted(line for line in shown if not line.startswith("1. "))


# --- standings --------------------------------------------------------------------------------------------


def test_boards_fit_however_many_play() -> None:
    rows = [fared(f"{LONG}{number}", 1000, 500) for number in range(200)]
    assert len(text_of(leaderboard_screen(rows, "Leaderboard", "all", TRANSLATOR))) <= SHORTEST
    assert len(text_of(fool_screen(rows, "Fools", TRANSLATOR))) <= SHORTEST


def test_games_against_house_players_alone_are_told_apart() -> None:
    text = "Against bots alone: 3 games, fool in 1 (33%)"
    practice = fared("Anna", 3, 1)
    assert text_of(stats_screen(None, "Anna", TRANSLATOR, practice=practice)) == f"Anna\n{text}"
    assert text_of(stats_screen(fared("Anna", 2, 0), "Anna", TRANSLATOR, practice=practice)).endswith(text)


def test_without_games_there_is_a_sentence_and_names_are_safe() -> None:
    assert "No game counts yet" in text_of(fool_screen([], "Fools", TRANSLATOR))
    assert "Player hasn’t finished a game" in text_of(stats_screen(None, "\u202e", TRANSLATOR))
    text = text_of(leaderboard_screen([fared("A\nB", 1, 0)], "L", "all", TRANSLATOR))
    assert "\n" not in text.removeprefix("L\n\n")


# --- sentences --------------------------------------------------------------------------------------------


def help_text(limits: Limits, *, is_private: bool) -> str:
    return text_of(help_screen(TRANSLATOR, limits, commands=REGISTRY.specs, is_private=is_private))


@pytest.mark.parametrize("is_private", [False, True])
def test_help_fits(*, is_private: bool) -> None:
    for limits in CHATS:
        assert len(help_text(limits, is_private=is_private)) <= SHORTEST


def test_help_shows_how_arguments_are_typed_or_chosen_by_name() -> None:
    typed, named = (replace(CHATS[0], named_arguments=each) for each in (False, True))
    assert "/durak 20:30" in help_text(typed, is_private=False)
    text = help_text(named, is_private=False)
    assert "/durak time:20:30" in text
    assert "/durak friend:@anna" in text
    assert "/durak 20:30" not in text
    assert "/durak @anna" not in text


def test_help_in_private_offers_nothing_for_which_one_needs_others() -> None:
    text = help_text(CHATS[0], is_private=True)
    assert "against bots" in text
    assert not [word for word in ("20:30", "@anna", "/fool", "/leaderboard") if word in text]


@pytest.mark.parametrize("locale", LOCALES)
def test_every_setting_around_the_game_has_a_sentence_and_an_example(locale: str) -> None:
    translator = Translator(locale)
    state = ServerState(REGISTRY.settings, ServerChoices(home_closed=ON), "")

    for limits in CHATS:
        listed = around_screen(state, REGISTRY.settings.around_the_game, limits, translator)
        assert len(text_of(listed)) <= EPHEMERAL_EDIT

        for setting in REGISTRY.settings.around_the_game:
            assert setting.example is not None
            text = text_of(around_choice_screen(setting, state, limits, translator))
            assert translator.text(setting.about) in text
            assert setting.example(translator) in text
            assert len(text) <= EPHEMERAL_EDIT


def test_the_result_of_people_offers_to_be_called_with_this_company() -> None:
    label = "📣 Let these players invite me"
    assert label in labels(result_screen(scene_of(STATE), outcome(), OPENING))

    on_the_page = result_screen(scene_of(STATE), outcome(), OPENING, has_film=False, can_call=False)
    assert label not in labels(on_the_page)


def test_a_result_beside_its_picture_repeats_neither_places_nor_cards() -> None:
    screen = result_screen(scene_of(STATE), outcome(), OPENING, fools_hand=[Card.parse("6S")])
    assert plain_text(screen.beside_picture) == "🃏 Player 0 is the fool!\n0 rounds, 1\N{NO-BREAK SPACE}min"
    assert plain_text(screen.pictured) == "1. Player 2 · 2. Player 1\nStill in hand: 6♠"


def test_where_buttons_fold_a_result_has_one_row_of_them() -> None:
    screen = result_screen(scene_of(STATE), outcome(), OPENING, folds_buttons=True)
    (row,) = screen.rows
    assert [button.label for button in row] == [
        "Rematch",
        "My mistakes",
        "🏆 Leaderboard",
        "🎞 How it ended",
        "🔔 Notify me of the next game",
    ]


def test_a_chat_without_files_offers_all_but_the_film_under_a_result() -> None:
    everything = labels(result_screen(scene_of(STATE), outcome(), OPENING))
    without = labels(result_screen(scene_of(STATE), outcome(), OPENING, has_film=False))
    assert [label for label in everything if label not in without] == ["🎞 How it ended"]


@pytest.mark.parametrize("reason", Reason)
def test_every_refused_move_has_a_sentence(reason: Reason) -> None:
    text = refusals.move_refusal(reason, TRANSLATOR)
    assert text.endswith(".")
    assert len(text) <= min(limits.toast for limits in CHATS)


@pytest.mark.parametrize("reason", TableRefusal)
def test_every_refused_change_of_a_lobby_has_a_sentence(reason: TableRefusal) -> None:
    text = refusals.refusal_text(RefusedError(reason), TRANSLATOR)
    assert text.endswith(".")
    assert len(text) <= min(limits.toast for limits in CHATS)


def test_every_label_is_short_enough_for_every_chat() -> None:
    screens = (
        lobby_screen(gathering("A"), "", (), CHATS[1], TRANSLATOR),
        result_screen(scene_of(STATE), outcome(), OPENING),
    )

    shortest = min(limits.label for limits in CHATS)
    rows = [row for screen in screens for row in screen.rows]
    buttons = [button for row in rows for button in row if isinstance(button, CallbackButton)]
    assert all(len(button.label) <= shortest for button in buttons)


def test_a_chat_with_a_button_for_the_next_table_names_no_command() -> None:
    closed = {limits.boards: closed_screen(gathering("A"), limits, TRANSLATOR) for limits in CHATS}
    assert "/durak" in text_of(closed[False])
    assert "/" not in text_of(closed[True])
