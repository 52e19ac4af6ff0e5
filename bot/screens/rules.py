"""A rule set in a screenful, made from its settings, so that it never disagrees with what is played."""

from collections.abc import Iterator, Mapping

from adapters.port import Mark, Screen, Span
from bot.locale import Translator, gettext_noop
from bot.screens.table import BREAK, stacked
from engine import MOST_QUIET_BOUTS, Rules

_THROW_IN: Mapping[str, str] = {
    "none": gettext_noop("Nobody throws in."),
    "attacker": gettext_noop("The attacker may throw in ranks that lie on the table"),
    "neighbours": gettext_noop("The defender's neighbours may throw in ranks that lie on the table"),
    "all": gettext_noop("Everybody but the defender may throw in ranks that lie on the table"),
}
_TIMING: Mapping[str, str] = {
    "anytime": gettext_noop("at any time"),
    "after_first_beat": gettext_noop("once a card is beaten"),
    "when_all_beaten": gettext_noop("when all cards are beaten"),
}
_ORDER: Mapping[str, str] = {
    "free": gettext_noop("whoever is quicker"),
    "priority": gettext_noop("the attacker before the others"),
    "strict": gettext_noop("one after the other, the attacker first"),
}
_NO_TRUMP: Mapping[str, str] = {
    "left_of_dealer": gettext_noop(
        "The lowest trump attacks first, or without trumps whoever sits left of the dealer."
    ),
    "lowest_card": gettext_noop("The lowest trump attacks first, or without trumps the lowest card."),
    "redeal": gettext_noop("The lowest trump attacks first; without trumps the cards are dealt again."),
}
_NEXT_GAME: Mapping[str, str] = {
    "attack_fool": gettext_noop("In the next game the fool is attacked first"),
    "spare_fool": gettext_noop("In the next game the player left of the fool attacks first"),
    "lowest_trump": gettext_noop("In the next game the lowest trump attacks again"),
    "left_of_dealer": gettext_noop("In the next game whoever sits left of the dealer attacks first"),
    "winner": gettext_noop("In the next game the winner attacks first"),
}
_TEAMS: Mapping[str, str] = {
    "2x2": gettext_noop("Two teams of two sit in turn and never attack their own"),
    "3x2": gettext_noop("Three teams of two sit in turn and never attack their own"),
    "2x3": gettext_noop("Two teams of three sit in turn and never attack their own"),
}


def rules_screen(name: str, rules: Rules, presets: tuple[str, ...], translator: Translator) -> Screen:
    """Explain rules; `presets` are the other names one can ask for."""
    lines: list[Span] = []
    for line in rule_sentences(rules, translator):
        lines += [BREAK] if lines else []
        lines.append(Span(f"• {line}"))
    return Screen(
        body=stacked(
            [
                (Span(translator.text("Rules · {name}", name=name), Mark.BOLD),),
                tuple(lines),
                translator.spans("Others: {names}", mark=Mark.ITALIC, names=", ".join(presets)),
            ]
        )
    )


def rule_sentences(rules: Rules, translator: Translator) -> Iterator[str]:
    """Return the rules in sentences, in the order in which one meets them."""
    yield from _deal(rules, translator)
    yield from _first_attack(rules, translator)
    yield from _attack(rules, translator)
    yield from _limits(rules, translator)
    yield from _defence(rules, translator)
    yield from _transfer(rules, translator)
    yield from _after_a_bout(rules, translator)
    yield from _end(rules, translator)
    yield from _score(rules, translator)


def _deal(rules: Rules, translator: Translator) -> Iterator[str]:
    deck = (
        translator.text("32 cards for two or three players, 52 for more")
        if rules.deck == "by_players"
        else translator.text("{n} cards", n=rules.deck)
    )
    players = translator.text("{least} to {most} players", least=rules.fewest_seats, most=rules.most_seats)
    hand = translator.count("{n} card each", "{n} cards each", rules.hand_size)
    yield f"{deck}, {players}, {hand}." if rules.teams == "off" else f"{deck}, {hand}."
    if rules.decks > 1:
        yield translator.text("{n} decks together; equal cards do not beat each other.", n=rules.decks)
    if rules.rank_order == "ten_high":
        yield translator.text("The ten ranks above the king, below the ace.")
    if rules.turn_up == "removed":
        yield translator.text("The turn-up names the trumps and is out of the game.")
    if rules.redeal_same_suit and rules.redeal_needs_no_trump:
        yield translator.text(
            "{n} cards of one suit and no trump give the right to a new deal.", n=rules.redeal_same_suit
        )
    elif rules.redeal_same_suit:
        yield translator.text("{n} cards of one suit give the right to a new deal.", n=rules.redeal_same_suit)
    if rules.redeal_same_suit:
        yield translator.text("Before the first attack everybody is asked, and may keep their cards.")
    if rules.lay_away_four:
        yield translator.text("Four of a kind may be laid away.")
    if rules.trump_six_exchange:
        yield translator.text("The six of trumps may be exchanged for the turn-up.")


def _first_attack(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.first_attacker_first_game == "left_of_dealer":
        yield translator.text("Whoever sits left of the dealer attacks first.")
    else:
        yield translator.text(_NO_TRUMP[rules.no_trump_fallback])
    dealer = (
        translator.text("the fool deals")
        if rules.dealer_next == "fool"
        else translator.text("the next one deals")
    )
    yield f"{translator.text(_NEXT_GAME[rules.first_attacker_next_game])}; {dealer}."


def _attack(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.opening_cards == "one":
        yield translator.text("An attack begins with one card.")
    else:
        yield translator.text("An attack begins with one card or several of one rank.")
    who = translator.text(_THROW_IN[rules.throw_in])
    if rules.throw_in == "none":
        yield who
        return
    timing = translator.text(_TIMING[rules.throw_in_timing])
    yield f"{who}: {timing}, {translator.text(_ORDER[rules.throw_in_order])}."
    if rules.throw_in_after_take == "up_to_limit":
        yield translator.text("So they may after a take, up to the limit.")
    else:
        yield translator.text("After a take nobody throws in.")


def _limits(rules: Rules, translator: Translator) -> Iterator[str]:
    limits = []
    if rules.first_attack_limit is not None and rules.first_attack_limit_until == "first_discard":
        limits.append(
            translator.count(
                "{n} card until cards are beaten off",
                "{n} cards until cards are beaten off",
                rules.first_attack_limit,
            )
        )
    elif rules.first_attack_limit is not None:
        limits.append(
            translator.count(
                "{n} card in the first bout", "{n} cards in the first bout", rules.first_attack_limit
            )
        )
    if rules.attack_limit is not None:
        limits.append(translator.count("{n} card", "{n} cards", rules.attack_limit))
    if rules.limit_by_defender_hand:
        limits.append(translator.text("no more than the defender held"))
    if limits:
        yield translator.text("Limit of an attack: {limits}.", limits=", ".join(limits))


def _defence(rules: Rules, translator: Translator) -> Iterator[str]:
    yield translator.text("A higher card of the suit beats a card; any trump beats a card of another suit.")
    if rules.voluntary_take:
        yield translator.text("The defender may take at any time; then the next player attacks.")
    else:
        yield translator.text("Who can beat must beat; otherwise the defender takes.")


def _transfer(rules: Rules, translator: Translator) -> Iterator[str]:
    if not rules.transfer:
        return
    side = translator.text("left") if rules.transfer_direction == "left" else translator.text("right")
    if rules.transfer_cards == "one":
        yield translator.text(
            "Before beating, the attack may be transferred to the {side} by a card of its rank.", side=side
        )
    else:
        yield translator.text(
            "Before beating, the attack may be transferred to the {side} by cards of its rank.", side=side
        )
    if rules.transfer_limit_by_hand:
        yield translator.text("Only to somebody who holds cards enough to answer it.")
    if not rules.transfer_in_first_bout:
        yield translator.text("The first attack of a game is not transferred.")
    if rules.transfer_by_showing_trump:
        yield translator.text("Showing the trump of that rank transfers, too; the card stays in the hand.")


def _after_a_bout(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.draw == "refill":
        yield translator.text("After a bout all draw up to the full hand: attacker first, defender last.")
    else:
        yield translator.text("After a round of the table everybody short of cards draws one.")
    if rules.leave_with_talon:
        yield translator.text(
            "Who has no cards left after a bout is out, even while there are cards to draw."
        )
    else:
        yield translator.text("With no cards to draw, who has none left is out.")
    if rules.discard_visible:
        yield translator.text("Everybody may look through the discard.")


def _end(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.teams != "off":
        turns = (
            translator.text("a partner takes the turns of who is out")
            if rules.team_order == "stand_in"
            else translator.text("the turns of who is out are nobody's")
        )
        yield f"{translator.text(_TEAMS[rules.teams])}; {turns}."
        yield translator.text("The last team that holds cards has lost.")
    elif rules.game_end == "places_filled":
        yield translator.text("The game ends when three places are taken, or all but one.")
    else:
        yield translator.text("The last one who holds cards is the fool.")
    if rules.game_end == "places_filled":
        pass  # who ran out first has the better place
    elif rules.simultaneous_empty == "draw":
        yield translator.text("If nobody has cards left, it is a draw.")
    else:
        yield translator.text("If the last two run out together, the defender loses.")
    if rules.winner == "first_out":
        yield translator.text("Who is out first has won.")
    yield translator.text("{n} bouts in a row without a discard are a draw, too.", n=MOST_QUIET_BOUTS)


def _score(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.scoring == "punkte":
        yield translator.text(
            "The first place wins the points of the turn-up, each further one half as much; "
            "twice as much while there are cards to draw."
        )
    if rules.epaulettes == "announce":
        yield translator.text("Sixes in the last attack are the fool's epaulettes.")
    elif rules.epaulettes == "score":
        yield translator.text("A fool lost to a six wears it; next time it is a seven, and so on to the ace.")
    if rules.epaulettes == "announce" and rules.epaulette_non_trump:
        yield translator.text("The six of trumps is no epaulette.")
    if rules.scoring == "epaulettes":
        yield translator.text("Each epaulette costs a point.")
