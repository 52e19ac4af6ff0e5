"""Jokes about memorable moments of a game, in one line each.

Each moment has several lines. The choice depends only on the table, its game and the bout, so that it does
not change when a message is edited. Jokes use only public facts.
"""

from collections.abc import Mapping, Sequence
from zlib import crc32

import engine
from adapters.port import Mark
from bot.locale import Phrase, gettext_noop
from bot.screens.standings import games_text
from bot.screens.story import Scene, latest_news, running_bout
from bot.screens.text import Line, times_in_a_row

MANY_CARDS_LEFT = 6  # in the fool's hand at the end
BIG_TAKE_CARDS = 8  # taken at once
BIG_HAND_CARDS = 12  # once held by a player who still went out

STREAK_GAMES = 3  # games lost in a row
LONG_STREAK_GAMES = 5  # games lost in a row, for stronger jokes

_FOOL = (
    gettext_noop("Somebody had to be."),
    gettext_noop("The fool deals: the deck is yours, {name}."),
    gettext_noop("Next time the cards will be kinder."),
    gettext_noop("It's only cards. And the hat looks good."),
)
_MANY_LEFT = (
    gettext_noop("{name} and {cards}: they just wouldn't let go."),
    gettext_noop("{cards} left in hand. A whole collection."),
)
_ONE_LEFT = (gettext_noop("One card. One!"), gettext_noop("So close: a single card left."))
_STREAK = (
    gettext_noop("{name} again: {times}. That's no longer luck."),
    gettext_noop("{times}. The cards have a favourite."),
)
_LONG_STREAK = (
    gettext_noop("👑 {times}. {name}, keep the hat."),
    gettext_noop("👑 {times}: this is a reign."),
)
_STREAK_ENDS = (
    gettext_noop("😌 {name} got away: {curse}."),
    gettext_noop("😌 {games}, and the hat moves on."),
)
_EPAULETTES = (
    gettext_noop("🎖 {name}, congratulations on the promotion!"),
    gettext_noop("🎖 New stripes. Salute!"),
)
_LADDER = (
    gettext_noop("🎖 Up to the ace: {name} retires as Marshal of Fools."),
    gettext_noop("🎖 No rank is higher. {name}, at ease."),
)
_COMEBACK = (
    gettext_noop("✅ {name} had {cards} and still got away!"),
    gettext_noop("✅ From {cards} to none: well played, {name}."),
)
_DRAW = (
    gettext_noop("No fools tonight!"),
    gettext_noop("So many cards, and nobody to blame."),
    gettext_noop("The hat stays on its hook."),
)
_BOT_LOSES = (
    gettext_noop("🤖 Humanity lives to deal another day."),
    gettext_noop("🤖 It will be recalculating for a while."),
    gettext_noop("🤖 No bolts were hurt."),
)
_BEATEN_BY_BOTS = (
    gettext_noop("🤖 Beaten by bots. We won't tell anyone. Oops."),
    gettext_noop("🤖 The bots promise not to gloat."),
)
_LAST_CARD = (gettext_noop("☝️ {name}: last card!"), gettext_noop("☝️ {name} holds one card!"))
_TWO_LEFT = (
    gettext_noop("⚔️ {one} and {other} are left. One hat, two heads."),
    gettext_noop("⚔️ The final: {one} – {other}."),
)
_BIG_TAKE = (
    gettext_noop("📦 {cards}. Need a bag?"),
    gettext_noop("📦 {cards} at once: a fine harvest."),
    gettext_noop("📦 {cards}. Nothing goes to waste."),
)
_ROUND = (
    gettext_noop("↪ Once round the table: {name}, it's yours again!"),
    gettext_noop("↪ What goes around comes around, {name}."),
)


def result_tease(
    scene: Scene,
    outcome: engine.Outcome,
    opening: engine.Opening,
    streaks_before: Mapping[engine.Seat, int],
) -> Line:
    """Comments on the end of a game; empty unless there is a single fool or a draw.

    `streaks_before` is the number of games in a row that each person had lost before this one.
    """
    fool = outcome.fool
    players = scene.table.players
    names = scene.names

    if outcome.is_draw:
        return _pick(scene, _DRAW)
    if fool is None:
        return ()
    if engine.Match.of(opening).after(outcome).is_over:
        return _pick(scene, _LADDER, name=names[fool])
    if streak := _streak(scene, fool, streaks_before):
        return streak
    if outcome.epaulettes:
        return _pick(scene, _EPAULETTES, name=names[fool])
    if players[fool].user is None:
        return _pick(scene, _BOT_LOSES)

    people = [seat for seat, player in enumerate(players) if player.user is not None]
    if len(players) > 1 and people == [fool]:
        return _pick(scene, _BEATEN_BY_BOTS)

    return _about_cards(scene, outcome, fool)


def _streak(scene: Scene, fool: engine.Seat, streaks_before: Mapping[engine.Seat, int]) -> Line:
    """Comments on a losing streak or its end; empty if there is none."""
    in_a_row = streaks_before[fool] + 1 if fool in streaks_before else 0
    if in_a_row >= STREAK_GAMES:
        lines = _LONG_STREAK if in_a_row >= LONG_STREAK_GAMES else _STREAK
        times = times_in_a_row(in_a_row, scene.translator)
        return _pick(scene, lines, name=scene.names[fool], times=times)

    for seat, streak in streaks_before.items():
        if seat != fool and streak >= STREAK_GAMES:
            games = games_text(streak, scene.translator)
            curse = scene.translator.count("the curse lasted {n} game", "the curse lasted {n} games", streak)
            return _pick(scene, _STREAK_ENDS, name=scene.names[seat], games=games, curse=curse)

    return ()


def _about_cards(scene: Scene, outcome: engine.Outcome, fool: engine.Seat) -> Line:
    """Comments on a comeback from many cards, or on the fool's last cards."""
    names = scene.names
    most = _most_held(scene)
    left = scene.view.hand_counts[fool]

    for seat in outcome.order:
        if most[seat] >= BIG_HAND_CARDS > scene.view.rules.hand_size:
            return _pick(scene, _COMEBACK, name=names[seat], cards=_cards(scene, most[seat]))

    if left >= MANY_CARDS_LEFT:
        return _pick(scene, _MANY_LEFT, name=names[fool], cards=_cards(scene, left))

    lines = _ONE_LEFT if left == 1 else _FOOL
    return _pick(scene, lines, name=names[fool])


def table_tease(scene: Scene) -> Line:
    """Comments on the latest event of a running game, if it is remarkable."""
    view = scene.view
    names = scene.names
    news = latest_news(scene.events)
    if view.outcome is not None or not news:
        return ()

    newest = news[0]
    if isinstance(newest, engine.Transferred | engine.TrumpShown):
        bout = running_bout(scene.events)
        first = next(
            event.seat for event in bout if isinstance(event, engine.Transferred | engine.TrumpShown)
        )
        if newest.defender == first:
            return _pick(scene, _ROUND, name=names[first])

    if isinstance(newest, engine.TakenUp) and len(newest.cards) >= BIG_TAKE_CARDS:
        return _pick(scene, _BIG_TAKE, cards=_cards(scene, len(newest.cards)))

    playing = [seat for seat in range(view.seats) if seat not in view.out]
    has_no_teams = view.rules.teams == "off"
    if (
        has_no_teams
        and len(playing) == 2 < view.seats
        and any(isinstance(event, engine.WentOut) for event in news)
    ):
        return _pick(scene, _TWO_LEFT, one=names[playing[0]], other=names[playing[1]])

    if (
        not isinstance(newest, engine.Attacked | engine.Defended | engine.Transferred)
        or view.talon
        or newest.seat not in playing
    ):
        return ()

    return _pick(scene, _LAST_CARD, name=names[newest.seat]) if view.hand_counts[newest.seat] == 1 else ()


def _pick(scene: Scene, lines: Sequence[str], **values: Phrase) -> Line:
    """Picks one of several lines, always the same within a bout."""
    bouts = len([event for event in scene.events if isinstance(event, engine.BoutOpened)])
    choice = crc32(f"{scene.table.id}:{scene.table.game}:{bouts}".encode())
    return scene.translator.spans(lines[choice % len(lines)], mark=Mark.ITALIC, **values)


def _cards(scene: Scene, number: int) -> str:
    return scene.translator.count("{n} card", "{n} cards", number)


def _most_held(scene: Scene) -> list[int]:
    """Returns the most cards that each seat has held since the last deal, counted back from the end."""
    hands = list(scene.view.hand_counts)
    most = list(hands)
    for event in reversed(scene.events):
        match event:
            case (
                engine.Attacked(seat, cards) | engine.Transferred(seat, cards) | engine.LaidAway(seat, cards)
            ):
                hands[seat] += len(cards)
            case engine.Defended(seat):
                hands[seat] += 1
            case engine.TakenUp(seat, cards):
                hands[seat] -= len(cards)
            case engine.Caught(returned=returned):
                for seat, _ in returned:
                    hands[seat] -= 1
            case engine.Drew(seat, count):
                hands[seat] -= count
            case engine.Redealt():
                break

        most = list(map(max, most, hands))

    return most
