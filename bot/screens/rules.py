"""A rule set in a screenful, made from its settings, so that it never disagrees with what is played."""

from collections.abc import Iterator, Mapping

from adapters.port import Mark, Screen, Span
from bot.locale import Voice, sentence
from bot.screens.table import BREAK, stacked
from engine import MOST_QUIET_BOUTS, Rules

_THROW_IN: Mapping[str, str] = {
    "none": sentence("Nobody throws in."),
    "attacker": sentence("The attacker may throw in ranks that lie on the table"),
    "neighbours": sentence("The defender's neighbours may throw in ranks that lie on the table"),
    "all": sentence("Everybody but the defender may throw in ranks that lie on the table"),
}
_TIMING: Mapping[str, str] = {
    "anytime": sentence("at any time"),
    "after_first_beat": sentence("once a card is beaten"),
    "when_all_beaten": sentence("when all cards are beaten"),
}
_ORDER: Mapping[str, str] = {
    "free": sentence("whoever is quicker"),
    "priority": sentence("the attacker before the others"),
    "strict": sentence("one after the other, the attacker first"),
}
_NO_TRUMP: Mapping[str, str] = {
    "left_of_dealer": sentence(
        "The lowest trump attacks first, or without trumps whoever sits left of the dealer."
    ),
    "lowest_card": sentence("The lowest trump attacks first, or without trumps the lowest card."),
    "redeal": sentence("The lowest trump attacks first; without trumps the cards are dealt again."),
}
_NEXT_GAME: Mapping[str, str] = {
    "attack_fool": sentence("In the next game the fool is attacked first"),
    "spare_fool": sentence("In the next game the player left of the fool attacks first"),
    "lowest_trump": sentence("In the next game the lowest trump attacks again"),
    "left_of_dealer": sentence("In the next game whoever sits left of the dealer attacks first"),
    "winner": sentence("In the next game the winner attacks first"),
}
_TEAMS: Mapping[str, str] = {
    "2x2": sentence("Two teams of two sit in turn and never attack their own"),
    "3x2": sentence("Three teams of two sit in turn and never attack their own"),
    "2x3": sentence("Two teams of three sit in turn and never attack their own"),
}


def rules_screen(name: str, rules: Rules, presets: tuple[str, ...], voice: Voice) -> Screen:
    """Explain rules; `presets` are the other names one can ask for."""
    lines: list[Span] = []
    for line in rule_sentences(rules, voice):
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


def rule_sentences(rules: Rules, voice: Voice) -> Iterator[str]:
    """Give the rules in sentences, in the order in which one meets them."""
    yield from _deal(rules, voice)
    yield from _first_attack(rules, voice)
    yield from _attack(rules, voice)
    yield from _limits(rules, voice)
    yield from _defence(rules, voice)
    yield from _transfer(rules, voice)
    yield from _after_a_bout(rules, voice)
    yield from _end(rules, voice)
    yield from _score(rules, voice)


def _deal(rules: Rules, voice: Voice) -> Iterator[str]:
    deck = (
        voice.say("32 cards for two or three players, 52 for more")
        if rules.deck == "by_players"
        else voice.say("{n} cards", n=rules.deck)
    )
    players = voice.say("{least} to {most} players", least=rules.fewest_seats, most=rules.most_seats)
    hand = voice.count("{n} card each", "{n} cards each", rules.hand_size)
    yield f"{deck}, {players}, {hand}." if rules.teams == "off" else f"{deck}, {hand}."
    if rules.decks > 1:
        yield voice.say("{n} decks together; equal cards do not beat each other.", n=rules.decks)
    if rules.rank_order == "ten_high":
        yield voice.say("The ten ranks above the king, below the ace.")
    if rules.turn_up == "removed":
        yield voice.say("The turn-up names the trumps and is out of the game.")
    if rules.redeal_same_suit and rules.redeal_needs_no_trump:
        yield voice.say(
            "{n} cards of one suit and no trump give the right to a new deal.", n=rules.redeal_same_suit
        )
    elif rules.redeal_same_suit:
        yield voice.say("{n} cards of one suit give the right to a new deal.", n=rules.redeal_same_suit)
    if rules.redeal_same_suit:
        yield voice.say("Before the first attack everybody is asked, and may keep their cards.")
    if rules.lay_away_four:
        yield voice.say("Four of a kind may be laid away.")
    if rules.trump_six_exchange:
        yield voice.say("The six of trumps may be exchanged for the turn-up.")


def _first_attack(rules: Rules, voice: Voice) -> Iterator[str]:
    if rules.first_attacker_first_game == "left_of_dealer":
        yield voice.say("Whoever sits left of the dealer attacks first.")
    else:
        yield voice.say(_NO_TRUMP[rules.no_trump_fallback])
    dealer = voice.say("the fool deals") if rules.dealer_next == "fool" else voice.say("the next one deals")
    yield f"{voice.say(_NEXT_GAME[rules.first_attacker_next_game])}; {dealer}."


def _attack(rules: Rules, voice: Voice) -> Iterator[str]:
    if rules.opening_cards == "one":
        yield voice.say("An attack begins with one card.")
    else:
        yield voice.say("An attack begins with one card or several of one rank.")
    who = voice.say(_THROW_IN[rules.throw_in])
    if rules.throw_in == "none":
        yield who
        return
    yield f"{who}: {voice.say(_TIMING[rules.throw_in_timing])}, {voice.say(_ORDER[rules.throw_in_order])}."
    if rules.throw_in_after_take == "up_to_limit":
        yield voice.say("So they may after a take, up to the limit.")
    else:
        yield voice.say("After a take nobody throws in.")


def _limits(rules: Rules, voice: Voice) -> Iterator[str]:
    limits = []
    if rules.first_attack_limit is not None and rules.first_attack_limit_until == "first_discard":
        limits.append(
            voice.count(
                "{n} card until cards are beaten off",
                "{n} cards until cards are beaten off",
                rules.first_attack_limit,
            )
        )
    elif rules.first_attack_limit is not None:
        limits.append(
            voice.count("{n} card in the first bout", "{n} cards in the first bout", rules.first_attack_limit)
        )
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


def _transfer(rules: Rules, voice: Voice) -> Iterator[str]:
    if not rules.transfer:
        return
    side = voice.say("left") if rules.transfer_direction == "left" else voice.say("right")
    if rules.transfer_cards == "one":
        yield voice.say(
            "Before beating, the attack may be transferred to the {side} by a card of its rank.", side=side
        )
    else:
        yield voice.say(
            "Before beating, the attack may be transferred to the {side} by cards of its rank.", side=side
        )
    if rules.transfer_limit_by_hand:
        yield voice.say("Only to somebody who holds cards enough to answer it.")
    if not rules.transfer_in_first_bout:
        yield voice.say("The first attack of a game is not transferred.")
    if rules.transfer_by_showing_trump:
        yield voice.say("Showing the trump of that rank transfers, too; the card stays in the hand.")


def _after_a_bout(rules: Rules, voice: Voice) -> Iterator[str]:
    if rules.draw == "refill":
        yield voice.say("After a bout all draw up to the full hand: attacker first, defender last.")
    else:
        yield voice.say("After a round of the table everybody short of cards draws one.")
    if rules.leave_with_talon:
        yield voice.say("Who has no cards left after a bout is out, even while there are cards to draw.")
    else:
        yield voice.say("With no cards to draw, who has none left is out.")
    if rules.discard_visible:
        yield voice.say("Everybody may look through the discard.")


def _end(rules: Rules, voice: Voice) -> Iterator[str]:
    if rules.teams != "off":
        turns = (
            voice.say("a partner takes the turns of who is out")
            if rules.team_order == "stand_in"
            else voice.say("the turns of who is out are nobody's")
        )
        yield f"{voice.say(_TEAMS[rules.teams])}; {turns}."
        yield voice.say("The last team that holds cards has lost.")
    elif rules.game_end == "places_filled":
        yield voice.say("The game ends when three places are taken, or all but one.")
    else:
        yield voice.say("The last one who holds cards is the fool.")
    if rules.game_end == "places_filled":
        pass  # who ran out first has the better place
    elif rules.simultaneous_empty == "draw":
        yield voice.say("If nobody has cards left, it is a draw.")
    else:
        yield voice.say("If the last two run out together, the defender loses.")
    if rules.winner == "first_out":
        yield voice.say("Who is out first has won.")
    yield voice.say("{n} bouts in a row without a discard are a draw, too.", n=MOST_QUIET_BOUTS)


def _score(rules: Rules, voice: Voice) -> Iterator[str]:
    if rules.scoring == "punkte":
        yield voice.say(
            "The first place wins the points of the turn-up, each further one half as much; "
            "twice as much while there are cards to draw."
        )
    if rules.epaulettes == "announce":
        yield voice.say("Sixes in the last attack are the fool's epaulettes.")
    elif rules.epaulettes == "score":
        yield voice.say("A fool lost to a six wears it; next time it is a seven, and so on to the ace.")
    if rules.epaulettes == "announce" and rules.epaulette_non_trump:
        yield voice.say("The six of trumps is no epaulette.")
    if rules.scoring == "epaulettes":
        yield voice.say("Each epaulette costs a point.")
