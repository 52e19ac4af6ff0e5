"""How Durak is played, in eight sentences that are true for the rules of one table."""

from collections.abc import Iterator, Mapping

from bot.locale import Translator, gettext_noop
from bot.screens.cards import rank_text
from engine import Rank, Rules

FEW_CARDS, MANY_CARDS = 32, 52
"""The decks of `by_players`."""

_FEW_PLAYERS, _MANY_PLAYERS = 3, 4
_TWO = 2

_WHEN: Mapping[str, str] = {
    "anytime": gettext_noop("At any time"),
    "after_first_beat": gettext_noop("Once one card is beaten,"),
    "when_all_beaten": gettext_noop("Once all cards are beaten,"),
}
_WHO: Mapping[str, str] = {
    "attacker": gettext_noop("only the attacker"),
    "neighbours": gettext_noop("the attacker and the defender's other neighbour"),
    "all": gettext_noop("everybody but the defender"),
}
_ORDER: Mapping[str, str] = {
    "free": gettext_noop("First come, first served."),
    "priority": gettext_noop("If two throw in at once, the attacker's card counts."),
    "strict": gettext_noop("One after the other, the attacker first."),
}


def how_to_play(rules: Rules, players: int | None, translator: Translator) -> Iterator[str]:
    """Return the eight sentences; `players` is how many play, if that is known."""
    yield _goal(rules, translator)
    yield _deal(rules, players, translator)
    yield _attack(rules, translator)
    yield translator.text(
        "Beat a card with a higher one of its suit; a trump beats any other suit. ({ranks})",
        ranks=_ranks(rules, players, translator),
    )
    yield _throwing_in(rules, players, translator)
    if rules.throw_in == "none":
        yield translator.text("When all is beaten, the cards are out and the defender attacks.")
    else:
        yield translator.text(
            "When all is beaten and nobody adds, the cards are out and the defender attacks."
        )
    yield _taking(rules, translator)
    yield f"{_drawing(rules, translator)} {_leaving(rules, translator)}"


def cards_in_game(rules: Rules, players: int | None) -> int:
    """Return how many cards one deck has; for few players, where their number decides and is not known."""
    return rules.deck_size(_TWO if players is None else players)


def hands_take_all(rules: Rules, players: int) -> bool:
    """Return whether so many hands use up the deck, so that one of them shows the trump."""
    is_whole = players * rules.hand_size == rules.decks * rules.deck_size(players)
    return is_whole and rules.turn_up == "talon_bottom"


def lowest_rank(cards: int) -> Rank:
    """Return where a deck of so many cards begins."""
    return Rank(Rank.ACE + 1 - cards // 4)


def _goal(rules: Rules, translator: Translator) -> str:
    if rules.game_end == "places_filled":
        return translator.text(
            "Get rid of your cards early: the first three to do so take the places; "
            "with two or three players, all but the last."
        )
    if rules.teams != "off":
        return translator.text("Get rid of all your cards: the last team left with cards loses.")
    return translator.text("Get rid of all your cards: the last player left with cards is the fool.")


def _deal(rules: Rules, players: int | None, translator: Translator) -> str:
    hand = translator.count("Everybody gets {n} card.", "Everybody gets {n} cards.", rules.hand_size)
    if players is not None and hands_take_all(rules, players):
        trump = translator.text("The dealer's last card shows the trump and stays in hand.")
    elif rules.turn_up == "removed":
        trump = translator.text("The next one is turned face up: its suit is trump, and it leaves the game.")
    else:
        trump = translator.text(
            "The next one lies face up under the deck: its suit is trump, and it is drawn last."
        )
    return f"{hand} {trump}"


def _attack(rules: Rules, translator: Translator) -> str:
    cards = (
        translator.text("with one card")
        if rules.opening_cards == "one"
        else translator.text("with one card or several of one rank")
    )
    if rules.teams != "off":
        return translator.text(
            "You attack the next opponent in the list, on your left, {cards}.", cards=cards
        )
    return translator.text("You attack the next player in the list, on your left, {cards}.", cards=cards)


def _ranks(rules: Rules, players: int | None, translator: Translator) -> str:
    cards = cards_in_game(rules, players)
    ranks = [Rank(rank) for rank in range(Rank.ACE, lowest_rank(cards) - 1, -1)]
    ranks.sort(key=lambda rank: rank.strength(rules.rank_order), reverse=True)
    told = " ".join(rank_text(rank, translator) for rank in ranks)
    if rules.deck == "by_players" and players is None:
        low = rank_text(lowest_rank(MANY_CARDS), translator)
        return translator.text("{ranks}, with four or more players down to {low}", ranks=told, low=low)
    return told


def _throwing_in(rules: Rules, players: int | None, translator: Translator) -> str:
    if rules.throw_in == "none":
        return translator.text("Nobody may throw in.")
    who = "attacker" if players == _TWO else rules.throw_in
    if who == "all" and rules.teams != "off":
        named = translator.text("everybody but the defender and the defender's partners")
    else:
        named = translator.text(_WHO[who])
    told = translator.text(
        "{when} {who} may throw in cards of ranks on the table.",
        when=translator.text(_WHEN[rules.throw_in_timing]),
        who=named,
    )
    return told if who == "attacker" else f"{told} {translator.text(_ORDER[rules.throw_in_order])}"


def _taking(rules: Rules, translator: Translator) -> str:
    if rules.voluntary_take:
        why = translator.text("If you cannot or will not beat,")
    elif rules.transfer:
        why = translator.text("If you can neither beat everything nor transfer,")
    else:
        why = translator.text("If you cannot beat everything,")
    return translator.text(
        "{why} you take all the cards and lose your turn: the player after you attacks.", why=why
    )


def _drawing(rules: Rules, translator: Translator) -> str:
    if rules.draw == "refill":
        return translator.text(
            "After each round all draw back up to {n}, attacker first, defender last.", n=rules.hand_size
        )
    return translator.text(
        "When the attack has gone once round the table, everybody with fewer than {n} draws one card.",
        n=rules.hand_size,
    )


def _leaving(rules: Rules, translator: Translator) -> str:
    if rules.leave_with_talon:
        return translator.text("No cards after a round: you're out and safe, even while there is a deck.")
    return translator.text("Once the deck is empty, you're safe when you run out of cards.")
