"""The screens of one evening as text, in any language.

`python -m tests.bot.screens.evening de` shows them in German.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from adapters.port import (
    BadgeTrouble,
    CallbackButton,
    MessageRef,
    OfferedBadge,
    RoomRef,
    Screen,
    ServerRef,
    Span,
    User,
    UserRef,
)
from adapters.telegram.render import LIMITS
from bot.app import REGISTRY
from bot.features.cups.model import Cup, CupPhase
from bot.features.cups.screens import begins_screen, cup_is_here_screen, cup_screen, ended_screen, season_line
from bot.features.puzzles.model import PuzzleTally
from bot.features.puzzles.screens import puzzle_screen, solution_screen
from bot.features.real_cards.game_sheets import Unread, UnreadableLine
from bot.features.real_cards.model import Entered
from bot.features.real_cards.screens import (
    entered_screen,
    fool_notice_screen,
    no_table_screen,
    preview_screen,
    taken_back_screen,
    taken_out_screen,
    unreadable_screen,
)
from bot.features.teasing.screens import result_tease
from bot.features.titles.screens import new_titles_line
from bot.features.week.model import Week
from bot.features.week.screens import week_screen
from bot.locale import Translator
from bot.model.career import Career, Duel, GameResult, Title
from bot.model.findings import NoFindings
from bot.model.profile import Profile
from bot.model.rating import RatingPlace
from bot.model.server_choices import ON, ServerChoices
from bot.model.standings import Rivalry, Season, Standing, Summary
from bot.model.table import ANNOUNCEMENT, Phase, Table
from bot.model.waiting import COUNTDOWN_SECONDS, Countdown
from bot.screens.around import around_choice_screen, around_screen
from bot.screens.calls import called_screen, invitation_screen, kept_screen
from bot.screens.fools_mark import FOOLS_MARK, Choice, Obstacle, mark_screen, trouble_screen
from bot.screens.hand import Hand, hand_screen, leaving_screen, left_screen
from bot.screens.help import help_screen
from bot.screens.lobby import (
    ZONE_GUESSED,
    Gathering,
    announced_already_screen,
    announced_screen,
    closed_screen,
    lobby_screen,
    moment_span,
    settings_screen,
)
from bot.screens.me import own_choice_screen, own_choices, own_screen
from bot.screens.result import GameEnd, ending_screen, result_screen
from bot.screens.review import looking_screen, review_screen
from bot.screens.rules import rules_screen
from bot.screens.seasons import seasons_screen
from bot.screens.server import ServerState, home_closed_screen, server_screen
from bot.screens.standings import counting_screen, fool_screen, leaderboard_screen, stats_screen
from bot.screens.story import Scene, drawn_by, latest_news
from bot.screens.table import host_screen, table_screen
from bot.screens.turn_call import call_screen
from engine import (
    PRESETS,
    Attacked,
    BeatenOff,
    Decision,
    Defended,
    Event,
    Memory,
    Opening,
    Regret,
    Seat,
    State,
    Stop,
    TakenUp,
    Transferred,
    cards_of,
    puzzle_of,
)
from tests.bot.screens.scenes import played, scene_of, silent

# An ending and the line that wins, as they are kept.
PUZZLE = (
    "rules podkidnoy-36\ntrump C\nhand JC KC\nhand AD QC AC\nturn_up KC\ndiscard 6S 7S 8S 9S TS JS QS KS AS "
    "6H 7H 8H 9H TH JH QH KH AH 6D 7D 8D 9D TD JD QD KD 6C 7C 8C 9C\nattacker 0\ndefender 1\nbout TC@0\n"
    "known 0:KC\nbouts 15\nbeaten_off 12\nmoved 19\n",
    "1 D TC QC\n0 P\n1 A AD\n0 D AD JC\n1 A AC\n0 T",
)

FILE = Path(__file__).with_name("evening.txt")
OPENING = Opening(PRESETS["perevodnoy"], 3, "5eed", shuffle=1)
SEAL = "0123456789abcdef"
TONIGHT = 1_795_465_800.0


def calls(kept: Table, at: Span, translator: Translator) -> Iterator[tuple[str, Screen]]:
    """Yields the calls to a table with a kept seat, or to one that is announced."""
    invited = kept.note_called({player.user for player in kept.kept if player.user is not None}, ())
    yield "invitation", invitation_screen(invited, None, None, translator)
    yield "invitation to tonight", invitation_screen(invited, at, None, translator)
    yield "called", called_screen(kept, None, "Friends", translator)
    yield "called from somewhere", called_screen(kept, None, "", translator)
    yield "kept", kept_screen(kept, kept.kept[0], None, "Friends", translator)
    yield "kept somewhere", kept_screen(kept, kept.kept[0], None, "", translator)


def screens(translator: Translator) -> Iterator[tuple[str, Screen]]:
    """Yields the screens between the opening of a table and the end of a game."""
    *positions, (end, all_events) = played(OPENING, Random(7))
    state, events = positions[len(positions) // 2]
    scene = scene_of(state, events, (), translator)
    over = scene_of(end, all_events, (), translator)
    table = replace(scene.table, phase=Phase.LOBBY, preset="podkidnoy-36")
    yield "lobby", lobby_screen(table, SEAL, (), LIMITS, translator)

    at = moment_span(TONIGHT, ServerChoices(), translator)
    yield from announcements(table, at, translator)

    alone = replace(table, players=table.players[:1])
    counted = Countdown(ends_at=COUNTDOWN_SECONDS, now=0.0)
    full = replace(table, rules=replace(table.rules, max_players=len(table.players)))
    yield "lobby full", lobby_screen(full, SEAL, (), LIMITS, translator, gathering=Gathering(counted))
    yield "lobby alone", lobby_screen(alone, SEAL, (), LIMITS, translator)

    kept = replace(alone, kept=(replace(table.players[1], kept_until=TONIGHT),))
    yield (
        "lobby with a kept seat",
        lobby_screen(
            kept, SEAL, (), LIMITS, translator, gathering=Gathering(minutes_kept=4, has_company=True)
        ),
    )
    yield from calls(kept, at, translator)
    yield from cups(at, translator)

    for panel in ("common", "deal", "attack", "defence", "end", "throw_in"):
        yield f"settings: {panel}", lobby_screen(replace(table, panel=panel), SEAL, (), LIMITS, translator)

    yield "settings alone", settings_screen(replace(table, panel="common"), (), LIMITS, translator)
    yield from tables(scene, positions, state)
    for seat in range(state.players):
        yield f"hand {seat}", _hand(scene, state, seat, events)

    for clock, waited in ((120, 20), (120, 60), (0, 14_400), (0, 259_200)):
        waiting = replace(silent(state, waited, state.awaited, clock), translator=translator)
        call = call_screen(waiting)
        if call is not None:
            yield f"call after {waited} s", call

    after_a_day = replace(silent(state, 86_400, state.awaited), translator=translator)
    yield "table after a day", table_screen(after_a_day, LIMITS)
    yield "leaving", leaving_screen(scene)
    yield "left", left_screen(scene)

    outcome = end.outcome()
    if outcome is not None:
        tease = result_tease(over, outcome, OPENING, {0: 0})
        yield "result", result_screen(over, outcome, OPENING, extras=[tease])
        for seat in range(end.players):
            yield (
                f"ending {seat}",
                ending_screen(
                    replace(over.table, phase=Phase.OVER),
                    GameEnd(1, OPENING, outcome),
                    seat,
                    None,
                    translator,
                    rating_change=(-2.5, 0.0, 1.44)[seat],
                ),
            )

    yield from reviews(state, translator)
    yield from tallies(translator)
    yield from weeks_and_seasons(translator)
    yield from around_the_game(translator)
    yield "closed", closed_screen(table, LIMITS, translator)

    for stop in Stop:
        yield f"stopped by {stop}", closed_screen(replace(table, stopped=stop), LIMITS, translator)

    commands = REGISTRY.specs
    named = replace(LIMITS, named_arguments=True)
    named_help = help_screen(translator, named, commands=commands, is_private=False)
    yield "help", help_screen(translator, LIMITS, commands=commands, is_private=False)
    yield "help where arguments have names", named_help
    yield "help in private", help_screen(translator, LIMITS, commands=commands, is_private=True)
    yield (
        "server",
        server_screen(
            ServerState(REGISTRY.settings, ServerChoices(), "podkidnoy-36", ("friday",)),
            translator,
            LIMITS,
            has_table=True,
        ),
    )

    for preset, rules in PRESETS.items():
        yield f"rules of {preset}", rules_screen(preset, rules, (), translator)


def announcements(table: Table, at: Span, translator: Translator) -> Iterator[tuple[str, Screen]]:
    """Yields the screens of an evening that is announced for later."""
    announced = replace(table, phase=Phase.ANNOUNCED, game=ANNOUNCEMENT, starts_at=TONIGHT)
    yield "announced", announced_screen(announced, at, translator)
    yield "called off", announced_screen(replace(announced, phase=Phase.CLOSED), at, translator)
    yield "announced for the night", announced_screen(announced, at, translator, is_quiet=True)
    yield "already announced", announced_already_screen(MessageRef("telegram", "7:1"), translator)


def tables(
    scene: Scene, positions: Sequence[tuple[State, tuple[Event, ...]]], state: State
) -> Iterator[tuple[str, Screen]]:
    """Yields the public table and the hands of a game."""
    yield "table", table_screen(scene, LIMITS)
    for kind in (Attacked, Transferred, Defended, TakenUp, BeatenOff):
        position, told = next(each for each in positions if kind in map(type, latest_news(each[1])[:1]))
        now = scene_of(position, told, (), scene.translator)
        yield f"table, newest: {kind.__name__}", table_screen(now, LIMITS)
        for seat in range(position.players):
            yield f"hand {seat}, newest: {kind.__name__}", _hand(now, position, seat, told)

    asked = replace(scene, table=replace(scene.table, agreed=frozenset(scene.table.people()[:1])))
    yield "table to be stopped", table_screen(asked, LIMITS)
    called = replace(silent(state, 20, state.awaited), translator=scene.translator)
    for title, each in (("table with its host", scene), ("table with its host after a call", called)):
        yield title, table_screen(replace(each, table=replace(each.table, panel="host")), LIMITS)

    yield (
        "host alone",
        host_screen(replace(called, table=replace(called.table, panel="host")), LIMITS),
    )


def _hand(scene: Scene, state: State, seat: int, events: tuple[Event, ...]) -> Screen:
    hand = Hand(scene, state.view_for(seat), 1, state.legal_moves(seat), new_cards=drawn_by(events, seat))
    return hand_screen(hand, LIMITS, table_message=MessageRef("chat", "7"))


def tallies(translator: Translator) -> Iterator[tuple[str, Screen]]:
    """Yields the answers of the commands about past games."""
    people = (("Anna", 9, 1, 3.0), ("Boris", 12, 5, 4.5), ("Clara", 21, 11, 7.0))
    rows = [
        Standing(UserRef("chat", name), name, games, fools, draws=1, first_out=2, expected=expected)
        for name, games, fools, expected in people
    ]
    rivalry = Rivalry(("Anna", "Boris"), (4, 3), 9)
    summary = Summary(21, 8.6, 840.0, (("H", 5), ("S", 4)), rivalry)

    duel = Duel(UserRef("chat", "Boris"), "Boris", games=9, own_fools=4, their_fools=3)
    career = Career(
        (GameResult.FOOL, GameResult.DRAW, GameResult.SAFE, GameResult.FIRST_OUT),
        fool_streak=0,
        safe_streak=3,
        longest_safe_streak=7,
        houses_beaten=2,
        duels=(duel,),
    )

    title = translator.text("Leaderboard")
    yield "leaderboard", leaderboard_screen(rows, title, "all", translator, rivalry)
    yield "how it is counted", counting_screen(rows, summary, translator)
    yield "fools", fool_screen(rows[::-1], translator.text("Who is the fool most often"), translator)

    rating = RatingPlace(4.25, 2, 7)
    yield "statistics", stats_screen(rows[0], "Anna", translator, career=career, rating=rating)
    yield (
        "statistics of a rival",
        stats_screen(rows[0], "Anna", translator, career=career, rating=rating, against_asker=duel),
    )

    houses = {"beginner": (1, 12), "regular": (3, 9), "expert": (5, 9)}
    losing = replace(career, fool_streak=2, safe_streak=0)
    yield (
        "statistics while losing",
        stats_screen(rows[0], "Anna", translator, career=losing, practice=rows[1], houses=houses),
    )
    yield "statistics of nothing", stats_screen(None, "Anna", translator)
    yield "no games", leaderboard_screen([], title, "all", translator)


def weeks_and_seasons(translator: Translator) -> Iterator[tuple[str, Screen]]:
    """Yields the honours of a week and of a season, alone and shared."""
    standings = [
        Standing(UserRef("chat", name), name, 9, fools, draws=0, first_out=2, expected=3.0)
        for name, fools in (("Boris", 5), ("Clara", 3), ("Anna", 1))
    ]
    tied = [replace(standing, fools=min(standing.fools, 3)) for standing in standings]
    spared = [replace(standing, fools=1) for standing in standings[1:]]

    rivalry = Rivalry(("Boris", "Clara"), (5, 3), 9)
    week = Week(9, standings, ("Boris", 4), ("Clara", 14), rivalry)
    sunday = datetime(2026, 11, 29, tzinfo=UTC)
    yield "week", week_screen(week, sunday, translator)
    yield "week with a tie", week_screen(Week(9, tied), sunday, translator)

    began = datetime(2026, 7, 1, tzinfo=UTC)
    season = Season(began.timestamp(), sunday.timestamp(), 21, standings[:1], standings[2:])
    shared = Season(began.timestamp(), sunday.timestamp(), 21, tied[:2], spared)
    cups = [season_line("Anna", "Boris", translator), season_line("Clara", None, translator)]
    yield "seasons", seasons_screen([(began, season, cups), (began, shared, ())], translator)


def around_the_game(translator: Translator) -> Iterator[tuple[str, Screen]]:
    """Yields the screens between games, and those of their settings."""
    anna, boris, clara = (User(UserRef("chat", name), name) for name in ("Anna", "Boris", "Clara"))
    puzzle = puzzle_of(*PUZZLE)
    yield "puzzle", puzzle_screen(1, puzzle, LIMITS, translator, is_of_the_day=True)

    for move in puzzle.moves[:2]:
        yield "puzzle answered", solution_screen(1, puzzle, move, PuzzleTally(5, 3), translator)

    known = solution_screen(1, puzzle, puzzle.answer, PuzzleTally(5, 3), translator, knew_answer=True)
    yield "puzzle answered again", known

    seats: Mapping[Title, Sequence[Seat]] = {title: [0] for title in Title}
    yield "titles", Screen(new_titles_line(seats, ["Anna"], translator))

    at = datetime(2026, 7, 1, tzinfo=UTC).timestamp()
    club = RoomRef(ServerRef("chat", "club"), "club")
    alone = Entered(
        1,
        club,
        translator.locale,
        anna,
        at,
        counts=False,
        is_file=False,
        games=1,
        first=at,
        last=at,
        fools=((boris, 1),),
        players=(boris, anna, clara),
    )

    four = replace(alone, players=(*alone.players, User(UserRef("chat", "Dan"), "Dan")), is_fool_known=True)
    yield "game with real cards", entered_screen(alone, translator)
    yield "game that others can confirm", entered_screen(four, translator)
    yield (
        "game that one confirms",
        entered_screen(replace(four, confirmed_by=frozenset({clara.ref})), translator),
    )
    yield "game that counts", entered_screen(replace(four, counts=True), translator)

    for called, game in (("alone", alone), ("of four", four), ("counts", replace(alone, counts=True))):
        yield f"told of a game, {called}", fool_notice_screen(game, boris, None, translator)

    yield "told in the room", fool_notice_screen(alone, boris, None, translator, is_in_room=True)
    for by in (anna, boris):
        yield "taken back", taken_back_screen(alone, by, translator)

    file = replace(alone, is_file=True, games=2, fools=((boris, 2),), last=at + 1e6)
    problems = [UnreadableLine(number, why, "13.13.") for number, why in enumerate(Unread, start=2)]
    zone = ZoneInfo("Europe/Vilnius")
    yield "file of games", preview_screen(file, problems, zone, translator)

    yield "file without a game", unreadable_screen(problems[:1], translator)
    yield "file that is no table", no_table_screen("On Saturday we played", translator)

    unsure = replace(file, first_uncertain=at, month_first=at + 1e6)
    yield "file of games of uncertain days", preview_screen(unsure, (), zone, translator)
    yield "file that counts", entered_screen(replace(file, counts=True), translator)
    yield "told of a file", fool_notice_screen(file, boris, None, translator)
    yield "taken out of a file", taken_out_screen(translator)

    here = ServerRef("chat", "club")
    chosen = Choice(here, is_on=True, badge="1", are_chosen=True)
    offered = [OfferedBadge("1", "Jester")]
    yield "worn", mark_screen(replace(chosen, are_chosen=False), (), translator, LIMITS)

    for trouble in BadgeTrouble:
        shown = mark_screen(chosen, offered, translator, LIMITS, trouble=trouble, right="Manage Roles")
        yield f"worn, {trouble.name.lower()}", shown

    choices = ServerChoices(home_closed=ON)
    state = ServerState(REGISTRY.settings, choices, "")
    yield "around", around_screen(state, REGISTRY.settings.around_the_game, LIMITS, translator)
    for setting in (each for each in REGISTRY.settings.around_the_game if each is not FOOLS_MARK):
        yield f"around {setting.name}", around_choice_screen(setting, state, LIMITS, translator)
    yield "week not posted", home_closed_screen(REGISTRY.settings["week"], translator, "Friends")
    ranked = Obstacle(BadgeTrouble.RANKED, fool="Anna", platform="telegram")
    for name, obstacle in (("", ranked), (" to the fool", replace(ranked, is_reader=True))):
        shown = trouble_screen(obstacle, ServerRef("telegram", "-1"), translator, "Friends")
        yield f"not worn, told{name}", shown

    yield "own choices", own_screen(Profile(), LIMITS, translator)
    for choice in own_choices(LIMITS).values():
        yield f"own choice: {choice.name}", own_choice_screen(choice, Profile(), LIMITS, translator)


def cups(at: Span, translator: Translator) -> Iterator[tuple[str, Screen]]:
    """Yields a cup from its sign-up to its end."""
    friends = [
        User(UserRef("chat", name), name) for name in ("Anna", "Boris", "Clara", "Dan", "Eva", "Fritz")
    ]
    room = RoomRef(ServerRef("chat", "club"), "club")
    cup = Cup(1, room, friends[0].ref, "perevodnoy", PRESETS["perevodnoy"], "5eed", TONIGHT)

    for friend in friends[:5]:
        cup = cup.join(friend)

    yield "cup", cup_screen(cup, at, {}, translator, hint=translator.text(ZONE_GUESSED))
    off = replace(cup, entrants=cup.entrants[:3]).call_off()
    yield "cup called off", cup_screen(off, at, {}, translator)

    cup = cup.begin("5a17", TONIGHT).join(friends[5])
    yield "cup, round 1", cup_screen(cup, at, {}, translator)
    yield "cup begins", begins_screen(cup.note_called([friends[0].ref]), None, translator)

    while cup.phase is CupPhase.PLAYING:
        (game, *_) = cup.current_games
        last = len(game.players) - 1
        ended = replace(game, is_over=True, out_at=(*range(1, last + 1), None), fools=frozenset({last}))
        cup = replace(cup, games=tuple(ended if each is game else each for each in cup.games))
        if cup.round == 1:
            yield "cup, a game is over", cup_screen(cup.leave(game.players[0]), at, {}, translator)

        rest = tuple(replace(each, is_over=True) for each in cup.games)
        cup = replace(cup, games=rest).advance((), TONIGHT)
        yield f"cup, round {cup.round}, {cup.phase}", cup_screen(cup, at, {}, translator)

    yield "cup ended", ended_screen(cup, MessageRef("chat", "1"), translator)
    yield "cup without a winner", ended_screen(replace(cup, winner=None, fool=None), None, translator)
    yield "cup is here", cup_is_here_screen(MessageRef("chat", "1"), translator)


def reviews(state: State, translator: Translator) -> Iterator[tuple[str, Screen]]:
    """Yields the answers of `/review`."""
    seat = max(state.awaited, key=lambda each: len(state.legal_moves(each)))
    moves = state.legal_moves(seat)
    decision = Decision(3, state.view_for(seat), Memory(), moves, moves[-1])
    yield "looking", looking_screen(translator)
    regret = Regret(decision, moves[0], risk=0.51, least=0.34)
    yield "review", review_screen(1, (regret,), translator)

    wrong = frozenset(cards_of(decision.view.public.bout)[-1:])
    beside_a_cheat = replace(regret, decision=replace(decision, wrong_cards=wrong))
    yield "review, a wrong card", review_screen(1, (beside_a_cheat,), translator)
    yield "review without regrets", review_screen(1, (), translator)
    for why in NoFindings:
        yield f"review, {why.name.lower()}", review_screen(1, why, translator)


def evening(locale: str) -> str:
    """Returns all screens as text, buttons in brackets."""
    return "\n\n".join(f"=== {name}\n{_text(screen)}" for name, screen in screens(Translator(locale))) + "\n"


def _text(screen: Screen) -> str:
    rows = [
        " ".join(f"[{button.label}]" for button in row if isinstance(button, CallbackButton))
        for row in screen.rows
    ]
    return "\n".join(["".join(span.text for span in screen.text), *rows])


if __name__ == "__main__":
    for spoken in sys.argv[1:]:
        sys.stdout.write(evening(spoken))
