"""One line of fun for the moments of a game that people remember; a server can switch it off.

Each moment has several lines. Which one is said depends on the table, its game and the bout alone, so that a
message says the same when it is edited. All that a line tells can be seen by everybody at the table.
"""

from collections.abc import Mapping, Sequence
from zlib import crc32

from adapters.port import Mark
from bot.locale import Phrase, Translator, gettext_noop
from bot.screens.standings import games_text
from bot.screens.story import Scene, latest_news, running_bout
from bot.screens.words import Line
from engine import (
    Attacked,
    BoutOpened,
    Defended,
    Drew,
    Event,
    LaidAway,
    Match,
    Opening,
    Outcome,
    Redealt,
    Seat,
    TakenUp,
    Transferred,
    TrumpShown,
    WentOut,
)

MANY_LEFT = 6
BIG_TAKE = 8
BIG_HAND = 12
"""Cards that make a moment: left with the fool, taken at once, held by a player who is out at the end."""

STREAK, LONG_STREAK = 3, 5
"""Games lost in a row."""

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
    gettext_noop("{name} again: {n} in a row. That's no longer luck."),
    gettext_noop("{n} in a row. The cards have a favourite."),
)
_LONG_STREAK = (
    gettext_noop("👑 {n} in a row. {name}, keep the hat."),
    gettext_noop("👑 {n} in a row: this is a reign."),
)
_STREAK_ENDS = (
    gettext_noop("😌 {name} got away! The curse lasted {games}."),
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
    scene: Scene, outcome: Outcome, opening: Opening, lost_before: Mapping[Seat, int], translator: Translator
) -> Line:
    """Say something about the end of a game; nothing where teams lose, or no one does.

    `lost_before` is how many games in a row each person had lost before this one.
    """
    tease = _Tease(scene, translator)
    if outcome.is_draw:
        return tease.say(_DRAW)
    fool = outcome.fool
    if fool is None:
        return ()
    if Match.of(opening).after(outcome).is_over:
        return tease.say(_LADDER, name=scene.names[fool])
    return (
        _streak(tease, scene, fool, lost_before)
        or (tease.say(_EPAULETTES, name=scene.names[fool]) if outcome.epaulettes else ())
        or _about_bots(tease, scene, fool)
        or _comeback(tease, scene, outcome)
        or _about_the_fool(tease, scene, fool)
    )


def _streak(tease: "_Tease", scene: Scene, fool: Seat, lost_before: Mapping[Seat, int]) -> Line:
    """Tell of a row of lost games that has become long, or has ended."""
    in_a_row = lost_before[fool] + 1 if fool in lost_before else 0
    if in_a_row >= STREAK:
        lines = _LONG_STREAK if in_a_row >= LONG_STREAK else _STREAK
        return tease.say(lines, name=scene.names[fool], n=str(in_a_row))
    for seat, lost in lost_before.items():
        if seat != fool and lost >= STREAK:
            return tease.say(_STREAK_ENDS, name=scene.names[seat], games=tease.games(lost))
    return ()


def _about_bots(tease: "_Tease", scene: Scene, fool: Seat) -> Line:
    if scene.table.players[fool].is_house:
        return tease.say(_BOT_LOSES)
    people = [seat for seat, player in enumerate(scene.table.players) if not player.is_house]
    return tease.say(_BEATEN_BY_BOTS) if people == [fool] and len(scene.table.players) > 1 else ()


def _comeback(tease: "_Tease", scene: Scene, outcome: Outcome) -> Line:
    most = _most_held(scene)
    seat = next((seat for seat in outcome.order if most[seat] >= BIG_HAND > scene.view.rules.hand_size), None)
    if seat is None:
        return ()
    return tease.say(_COMEBACK, name=scene.names[seat], cards=tease.cards(most[seat]))


def _about_the_fool(tease: "_Tease", scene: Scene, fool: Seat) -> Line:
    left = scene.view.hand_counts[fool]
    if left >= MANY_LEFT:
        return tease.say(_MANY_LEFT, name=scene.names[fool], cards=tease.cards(left))
    return tease.say(_ONE_LEFT if left == 1 else _FOOL, name=scene.names[fool])


def table_tease(scene: Scene, translator: Translator) -> Line:
    """Say something about what has just happened in a running game, if it is worth it."""
    view, tease = scene.view, _Tease(scene, translator)
    news = latest_news(scene.events)
    if view.outcome is not None or not news:
        return ()
    newest = news[0]
    if isinstance(newest, Transferred | TrumpShown) and newest.defender == _first_defender(scene.events):
        return tease.say(_ROUND, name=scene.names[newest.defender])
    if isinstance(newest, TakenUp) and len(newest.cards) >= BIG_TAKE:
        return tease.say(_BIG_TAKE, cards=tease.cards(len(newest.cards)))
    playing = [seat for seat in range(view.seats) if seat not in view.out]
    is_alone = view.rules.teams == "off"
    if is_alone and len(playing) == 2 < view.seats and any(isinstance(event, WentOut) for event in news):
        one, other = (scene.names[seat] for seat in playing)
        return tease.say(_TWO_LEFT, one=one, other=other)
    if not isinstance(newest, Attacked | Defended | Transferred) or view.talon or newest.seat not in playing:
        return ()
    return tease.say(_LAST_CARD, name=scene.names[newest.seat]) if view.hand_counts[newest.seat] == 1 else ()


class _Tease:
    """Says one of several lines, the same for everybody who looks at the same moment of a game."""

    def __init__(self, scene: Scene, translator: Translator) -> None:
        bout = len([event for event in scene.events if isinstance(event, BoutOpened)])
        self._choice = crc32(f"{scene.table.id}:{scene.table.game}:{bout}".encode())
        self._translator = translator

    def say(self, lines: Sequence[str], **places: Phrase) -> Line:
        line = lines[self._choice % len(lines)]
        return self._translator.spans(line, mark=Mark.ITALIC, **places)

    def games(self, number: int) -> str:
        return games_text(number, self._translator)

    def cards(self, number: int) -> str:
        return self._translator.count("{n} card", "{n} cards", number)


def _first_defender(events: Sequence[Event]) -> Seat | None:
    """Return who was to defend in the running bout before it was transferred."""
    transfers = (event for event in running_bout(events) if isinstance(event, Transferred | TrumpShown))
    return next((event.seat for event in transfers), None)


def _most_held(scene: Scene) -> list[int]:
    """Return the most cards that each seat has held, counted from the end back to the deal."""
    held = list(scene.view.hand_counts)
    most = list(held)
    for event in reversed(scene.events):
        match event:
            case Attacked(seat, cards) | Transferred(seat, cards) | LaidAway(seat, cards):
                held[seat] += len(cards)
            case Defended(seat):
                held[seat] += 1
            case TakenUp(seat, cards):
                held[seat] -= len(cards)
            case Drew(seat, count):
                held[seat] -= count
            case Redealt():
                break
        most = list(map(max, most, held))
    return most
