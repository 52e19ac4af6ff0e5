"""A rule set in a screenful, made from its settings, so that it never disagrees with what is played."""

from collections.abc import Iterator

from adapters.port import Mark, Screen, Span
from bot.locale import Voice
from bot.screens.table import BREAK, stacked
from engine import MOST_QUIET_BOUTS, Rules


def rules_screen(name: str, rules: Rules, presets: tuple[str, ...], voice: Voice) -> Screen:
    """Explain rules; `presets` are the other names one can ask for."""
    lines: list[Span] = []
    for line in _lines(rules, voice):
        lines += [BREAK] if lines else []
        lines.append(Span(f"• {line}"))
    return Screen(
        body=stacked(
            [
                (Span(voice.say("Rules · {name}", name=name), Mark.BOLD),),
                tuple(lines),
                voice.spans("Others: {names}", mark=Mark.ITALIC, names=", ".join(presets)),
            ]
        )
    )


def _lines(rules: Rules, voice: Voice) -> Iterator[str]:
    yield from _deal(rules, voice)
    yield from _attack(rules, voice)
    yield from _defence(rules, voice)
    yield from _end(rules, voice)


def _deal(rules: Rules, voice: Voice) -> Iterator[str]:
    deck = (
        voice.say("32 cards for two or three players, 52 for more")
        if rules.deck == "by_players"
        else voice.say("{n} cards", n=rules.deck)
    )
    players = voice.say("{least} to {most} players", least=rules.min_players, most=rules.max_players)
    hand = voice.count("{n} card each", "{n} cards each", rules.hand_size)
    yield f"{deck}, {players}, {hand}."
    if rules.decks > 1:
        yield voice.say("{n} decks together; equal cards do not beat each other.", n=rules.decks)
    if rules.rank_order == "ten_high":
        yield voice.say("The ten ranks above the king, below the ace.")
    if rules.turn_up == "removed":
        yield voice.say("The turn-up names the trumps and is out of the game.")
    if rules.redeal_same_suit:
        yield voice.say("{n} cards of one suit give the right to a new deal.", n=rules.redeal_same_suit)
    if rules.lay_away_four:
        yield voice.say("Four of a kind may be laid away.")
    if rules.trump_six_exchange:
        yield voice.say("The six of trumps may be exchanged for the turn-up.")


def _attack(rules: Rules, voice: Voice) -> Iterator[str]:
    if rules.opening_cards == "one":
        yield voice.say("An attack begins with one card.")
    else:
        yield voice.say("An attack begins with one card or several of one rank.")
    match rules.throw_in:
        case "none":
            yield voice.say("Nobody throws in.")
        case "attacker":
            yield voice.say("The attacker may throw in ranks that lie on the table.")
        case "neighbours":
            yield voice.say("The defender's neighbours may throw in ranks that lie on the table.")
        case "all":
            yield voice.say("Everybody but the defender may throw in ranks that lie on the table.")
    if rules.throw_in != "none" and rules.throw_in_after_take == "up_to_limit":
        yield voice.say("So they may after a take, up to the limit.")
    yield from _limits(rules, voice)


def _limits(rules: Rules, voice: Voice) -> Iterator[str]:
    limits = []
    if rules.first_attack_limit is not None:
        limits.append(voice.count("{n} card at first", "{n} cards at first", rules.first_attack_limit))
    if rules.attack_limit is not None:
        limits.append(voice.count("{n} card", "{n} cards", rules.attack_limit))
    if rules.limit_by_defender_hand:
        limits.append(voice.say("no more than the defender held"))
    if limits:
        yield voice.say("Limit of an attack: {limits}.", limits=", ".join(limits))


def _defence(rules: Rules, voice: Voice) -> Iterator[str]:
    yield voice.say("A higher card of the suit beats a card; any trump beats a card of another suit.")
    if rules.voluntary_take:
        yield voice.say("The defender may take at any time; then the next player attacks.")
    else:
        yield voice.say("Who can beat must beat; otherwise the defender takes.")
    if rules.transfer:
        side = voice.say("left") if rules.transfer_direction == "left" else voice.say("right")
        yield voice.say("Before beating, the attack may be transferred to the {side} by its rank.", side=side)
    if rules.transfer_by_showing_trump:
        yield voice.say("Showing the trump of that rank transfers, too; the card stays in the hand.")


def _end(rules: Rules, voice: Voice) -> Iterator[str]:
    if rules.draw == "refill":
        yield voice.say("After a bout all draw up to the full hand: attacker first, defender last.")
    else:
        yield voice.say("After a round of the table everybody short of cards draws one.")
    if rules.teams != "off":
        yield voice.say("Teams: {teams}.", teams=rules.teams)
    if rules.epaulettes != "off":
        yield voice.say("Sixes in the last attack are the fool's epaulettes.")
    if rules.game_end == "places_filled":
        yield voice.say("The first three to get rid of their cards win points.")
    else:
        yield voice.say("With no cards to draw, who has none left is out. The last one is the fool.")
    if rules.simultaneous_empty == "draw":
        yield voice.say("If nobody has cards left, it is a draw.")
    else:
        yield voice.say("If the last two run out together, the defender loses.")
    yield voice.say("{n} bouts in a row without a discard are a draw, too.", n=MOST_QUIET_BOUTS)
