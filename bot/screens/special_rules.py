"""What is special about the rules of one table: all that how to play does not say."""

from collections.abc import Iterator, Mapping

from bot.locale import Translator, gettext_noop
from bot.screens.cards import rank_text
from bot.screens.how_to_play import FEW_CARDS, MANY_CARDS, cards_in_game, hands_take_all, lowest_rank
from bot.screens.settings import value_in_words
from engine import MOST_QUIET_BOUTS, Rank, Rules

_NO_TRUMP: Mapping[str, str] = {
    "left_of_dealer": gettext_noop(
        "First game: the lowest trump attacks first; if nobody has one, the player left of the dealer."
    ),
    "lowest_card": gettext_noop(
        "First game: the lowest trump attacks first; if nobody has one, the lowest card."
    ),
    "redeal": gettext_noop(
        "First game: the lowest trump attacks first; if nobody has one, the cards are dealt again."
    ),
}
_DEALER: Mapping[str, str] = {
    "fool": gettext_noop("the fool deals"),
    "rotate": gettext_noop("the next player deals"),
}
_NEXT_GAME: Mapping[str, str] = {
    "attack_fool": gettext_noop("the player before the fool attacks the fool"),
    "spare_fool": gettext_noop("the player after the fool attacks first"),
    "lowest_trump": gettext_noop("the lowest trump attacks first"),
    "left_of_dealer": gettext_noop("the player left of the dealer attacks first"),
    "winner": gettext_noop("the winner attacks first"),
}
_AFTER_A_DRAW = {"attack_fool", "spare_fool", "winner"}
"""Who attacks first by these, nobody is after a draw."""


def special_rules(rules: Rules, players: int | None, translator: Translator) -> Iterator[str]:
    """Return the sentences in the order in which one meets them; `players` is how many play, if known."""
    yield _cards(rules, players, translator)
    yield from _before_the_game(rules, players, translator)
    yield from _first_attack(rules, translator)
    if rules.transfer:
        yield _transfer(rules, translator)
    yield _limits(rules, translator)
    yield from _teams(rules, translator)
    yield from _end(rules, translator)
    if rules.discard_visible:
        yield translator.text("Everybody may look at the discard.")


def _cards(rules: Rules, players: int | None, translator: Translator) -> str:
    if rules.deck == "by_players" and players is None:
        cards = translator.text("32 cards with two or three players, 52 with more")
    else:
        deck = cards_in_game(rules, players)
        cards = translator.count("{n} card", "{n} cards", deck)
    least, most = rules.fewest_seats, rules.most_seats
    people = translator.count("{n} player", "{n} players", most)
    told = [f"{cards}, {least}–{people}." if least < most else f"{cards}, {people}."]
    if rules.decks > 1:
        told.append(translator.text("{n} decks together: equal cards do not beat each other.", n=rules.decks))
    whole = [seats for seats in range(least, most + 1) if hands_take_all(rules, seats)]
    if whole and players is None:
        told.append(
            translator.text(
                "With {n} nothing is left to draw, and the dealer's last card shows the trump.",
                n=whole[-1],
            )
        )
    return " ".join(told)


def _before_the_game(rules: Rules, players: int | None, translator: Translator) -> Iterator[str]:
    number = rules.redeal_same_suit
    if number and rules.redeal_needs_no_trump:
        yield translator.text(
            "{n} or more of one suit and no trump? Before the first card you may ask for a new deal.",
            n=number,
        )
    elif number:
        yield translator.text(
            "{n} or more of one suit? Before the first card you may ask for a new deal.", n=number
        )
    if rules.lay_away_four and rules.leave_with_talon:
        yield translator.text("Four of a kind may be discarded while the table is empty.")
    elif rules.lay_away_four:
        yield translator.text(
            "Four of a kind may be discarded while the table is empty; keep one card while there is a deck."
        )
    if rules.trump_six_exchange:
        card = _swapped(cards_in_game(rules, players), translator)
        if rules.deck == "by_players" and players is None:
            card = f"{_swapped(FEW_CARDS, translator)} ({_swapped(MANY_CARDS, translator)})"
        yield translator.text(
            "The {card} of trumps, if dealt or drawn, may be swapped for the face-up trump under the deck.",
            card=card,
        )


def _swapped(cards: int, translator: Translator) -> str:
    return rank_text(max(Rank.SIX, lowest_rank(cards)), translator)


def _first_attack(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.first_attacker_first_game == "left_of_dealer":
        yield translator.text("First game: the player left of the dealer attacks first.")
    else:
        yield translator.text(_NO_TRUMP[rules.no_trump_fallback])
    later = translator.text(
        "Later games: {dealer}, and {attacker}.",
        dealer=translator.text(_DEALER[rules.dealer_next]),
        attacker=translator.text(_NEXT_GAME[rules.first_attacker_next_game]),
    )
    if rules.first_attacker_next_game in _AFTER_A_DRAW:
        later = f"{later} {translator.text('After a draw the lowest trump attacks.')}"
    yield later


def _transfer(rules: Rules, translator: Translator) -> str:
    is_left, is_one = rules.transfer_direction == "left", rules.transfer_cards == "one"
    cards = (
        translator.text("one card of the same rank") if is_one else translator.text("cards of the same rank")
    )
    if is_left:
        told = [
            translator.text(
                "Transfer: while nothing is beaten, the defender may add {cards} instead. "
                "Then the next player on the left has to answer all.",
                cards=cards,
            )
        ]
    else:
        told = [
            translator.text(
                "Push back: while nothing is beaten, the defender may add {cards} instead. "
                "Then the player on the right has to answer all.",
                cards=cards,
            )
        ]
    if rules.transfer_limit_by_hand:
        told.append(translator.text("Only if that player has enough cards."))
    if not rules.transfer_in_first_bout:
        told.append(translator.text("Not in the first round."))
    if rules.transfer_by_showing_trump:
        told.append(translator.text("Or show the trump of that rank and keep it, once a round."))
    return " ".join(told)


def _limits(rules: Rules, translator: Translator) -> str:
    most, by_hand = rules.attack_limit, rules.limit_by_defender_hand
    if most is not None and by_hand:
        told = [
            translator.count(
                "At most {n} card in one attack, and never more than the defender can answer.",
                "At most {n} cards in one attack, and never more than the defender can answer.",
                most,
            )
        ]
    elif most is not None:
        told = [translator.count("At most {n} card in one attack.", "At most {n} cards in one attack.", most)]
    elif by_hand:
        told = [translator.text("Never more cards in one attack than the defender can answer.")]
    else:
        told = [translator.text("An attack may have any number of cards.")]
    if rules.first_attack_limit is not None:
        first = (
            translator.text("Until the first discard, at most {n}.", n=rules.first_attack_limit)
            if rules.first_attack_limit_until == "first_discard"
            else translator.text("In the first round, at most {n}.", n=rules.first_attack_limit)
        )
        told.append(first)
    if rules.throw_in != "none" and rules.throw_in_after_take == "up_to_limit":
        told.append(translator.text("While the defender takes, more may be thrown in."))
    elif rules.throw_in != "none":
        told.append(translator.text("Once the defender takes, nobody adds."))
    return " ".join(told)


def _teams(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.teams == "off":
        return
    teams = value_in_words("teams", rules.teams, translator)
    told = translator.text(
        "{teams}: partners sit apart and never attack or throw in against each other.", teams=teams
    )
    out = (
        translator.text("A partner plays for a player who is out.")
        if rules.team_order == "stand_in"
        else translator.text("Players who are out are skipped.")
    )
    yield f"{told} {out}"


def _end(rules: Rules, translator: Translator) -> Iterator[str]:
    told = [translator.text("First out wins.")] if rules.winner == "first_out" else []
    if rules.game_end == "places_filled":
        told += [
            translator.text("When the places are taken, those left have lost; one alone is the fool."),
            translator.text("{n} rounds in a row without a discard: a draw.", n=MOST_QUIET_BOUTS),
        ]
    elif rules.simultaneous_empty == "draw":
        drawn = translator.text(
            "Nobody has cards left: a draw. {n} rounds in a row without a discard: also a draw.",
            n=MOST_QUIET_BOUTS,
        )
        told.append(drawn)
    else:
        lost = translator.text(
            "Nobody has cards left: the last defender loses. {n} rounds in a row without a discard: a draw.",
            n=MOST_QUIET_BOUTS,
        )
        told.append(lost)
    yield " ".join(told)
    if rules.scoring == "punkte":
        yield translator.text(
            "First place wins the face-up trump's points ({ace} 15, {king} 13, {queen} 12, {jack} 11, "
            "others their number), second half, third a quarter; double while there is a deck.",
            **{rank.name.lower(): rank_text(rank, translator) for rank in Rank if rank >= Rank.JACK},
        )
    yield from _epaulettes(rules, translator)


def _epaulettes(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.epaulettes == "off":
        return
    if rules.epaulettes == "announce":
        told = [translator.text("If the last attack on the fool was sixes, they are epaulettes.")]
    else:
        told = [
            translator.text(
                "A fool beaten by a six wears it; next time it is a seven, up to the ace. "
                "Trumps alone do not count."
            )
        ]
    if rules.epaulettes == "announce" and rules.epaulette_non_trump:
        told.append(translator.text("The six of trumps is no epaulette."))
    if rules.scoring == "epaulettes":
        told.append(translator.text("Each epaulette costs a point."))
    yield " ".join(told)
