"""Explanations of rule sets, generated from their settings so that they never contradict the game."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from adapters.port import Mark, RuleGuide, RuleSetCard, RuleSketch, Screen, Span, Tone
from bot.locale import Translator, gettext_noop
from bot.model.buttons import CommandInPlace, TypedCommand
from bot.model.table import Phase, Table
from bot.screens.directions import learn_button
from bot.screens.keyboard import button_to
from bot.screens.names import PRESET_SENTENCES, preset_name
from bot.screens.settings import WORDINGS, said_of, value_in_words
from bot.screens.text import BREAK, NO_BREAK, Line, as_paragraphs, rank_text
from engine import MAX_QUIET_BOUTS, PRESETS, SETTINGS, Rank, Rules, value_text

MAX_RULES_LENGTH = 1800  # characters that fit every chat; the list of other rules gets what is left


# Arguments of /rules: explain how to play as well, and show it to everyone in the room.
IN_FULL = "full"
TO_ALL = "all"

_OFFERS: Mapping[str, str] = {IN_FULL: gettext_noop("How to play"), TO_ALL: gettext_noop("Show to all")}


def rules_screen(
    name: str,
    rules: Rules,
    others: tuple[str, ...],
    translator: Translator,
    players: int | None = None,
    *,
    is_short: bool = False,
    words: Sequence[str] = (),
    offered: Sequence[str] = (),
) -> Screen:
    """Explains rules, for `players` if their number is known; `others` are other names to type after /rules.

    `is_short` leaves out how to play. Each of `offered` (`IN_FULL`, `TO_ALL`) becomes a button that repeats
    the command with its `words`.
    """
    if players is None and rules.fewest_seats == rules.most_seats:
        players = rules.fewest_seats

    guide = rule_guide(name, rules, players, translator)
    special = (f"• {sentence}" for sentence in guide.special)
    if is_short:
        guide = replace(guide, sentences=(), heading="")
        explained = _render_section(guide.title, special)
    else:
        sentences = enumerate(guide.sentences, start=1)
        title = translator.text("{name} · how to play", name=guide.title)
        explained = as_paragraphs(
            _render_section(title, (f"{n}. {sentence}" for n, sentence in sentences)),
            _render_section(guide.heading, special),
        )

    room = MAX_RULES_LENGTH - sum(len(span.text) for span in explained)
    kinds = {wish: CommandInPlace if wish == IN_FULL else TypedCommand for wish in offered}
    tokens = {wish: kind(" ".join(["rules", wish, *words])) for wish, kind in kinds.items()}
    row = tuple(
        button_to(token, translator.text(_OFFERS[wish])) for wish, token in tokens.items() if token.fits
    )

    learn = learn_button(translator, Tone.PRIMARY)
    rows = [buttons for buttons in (row, () if is_short else (learn,)) if buttons]

    text = _others(others, room, translator)

    return Screen(
        body=as_paragraphs(explained, text),
        rows=tuple(rows),
        facts=replace(guide, text=text),
    )


def players_of(table: Table) -> int | None:
    """Returns the number of players in a running game; None at other times, when it may change."""
    return len(table.players) if table.phase is Phase.PLAYING else None


def rule_guide(name: str, rules: Rules, players: int | None, translator: Translator) -> RuleGuide:
    """Returns the sentences about a rule set; `players` is the number of players, if known.

    Some sentences depend on that number, so the title has it.
    """
    title = preset_name(name, translator)
    if players is not None:
        title = f"{title} · {translator.count('{n} player', '{n} players', players)}"

    return RuleGuide(
        title,
        tuple(how_to_play(rules, players, translator)),
        tuple(special_rules(rules, players, translator)),
        translator.text("By these rules"),
    )


def _render_section(heading: str, sentences: Iterator[str]) -> Line:
    lines = [Span(heading, Mark.BOLD)]
    for sentence in sentences:
        lines += [BREAK, Span(sentence)]
    return tuple(lines)


def _others(names: tuple[str, ...], room: int, translator: Translator) -> Line:
    """Lists the other arguments of /rules, with their display names if these fit into `room` characters.

    If not even all the arguments fit, it lists the first ones.
    """
    if not names:
        return ()

    def list_names(names: list[str]) -> Line:
        return translator.spans(
            "Other rules (type them after /rules): {names}", mark=Mark.ITALIC, names=" · ".join(names)
        )

    labels = [f"{name} ({preset_name(name, translator)})" if name in PRESETS else name for name in names]
    first_ones = ([*names[:count], "…"] for count in range(len(names) - 1, 0, -1))
    for listed in (labels, list(names), *first_ones):
        line = list_names(listed)
        if sum(len(span.text) for span in as_paragraphs((BREAK,), line)) <= room:
            return line

    return ()


# The decks of `by_players`.
FEW_CARDS = 32
MANY_CARDS = 52

_FEW_PLAYERS = 3
_MANY_PLAYERS = 4
_TWO = 2


def how_to_play(rules: Rules, players: int | None, translator: Translator) -> Iterator[str]:
    """Yields the eight sentences on how to play; `players` is the number of players, if known."""
    yield _goal(rules, translator)
    yield _deal(rules, players, translator)
    yield _attack(rules, translator)
    yield translator.text(
        "Beat a card with a higher one of its suit. A trump beats any card of another suit. "
        "From high to low: {ranks}.",
        ranks=_ranks(rules, players, translator),
    )
    yield _throwing_in(rules, players, translator)

    if rules.throw_in == "none":
        yield translator.text("If every card is beaten, they are discarded, and the defender attacks next.")
    else:
        yield translator.text(
            "If every card is beaten and nobody adds another, they are discarded, "
            "and the defender attacks next."
        )

    yield _taking(rules, translator)
    drawing = said_of(rules, "draw", translator, n=rules.hand_size)
    yield f"{drawing} {_leaving(rules, translator)}"


def cards_in_game(rules: Rules, players: int | None) -> int:
    """Returns the number of cards in one deck, for two players if their number is unknown."""
    most = _TWO if players is None else players
    return rules.deck_size(most)


def hands_take_all(rules: Rules, players: int) -> bool:
    """Returns whether the deal uses up the deck, so that the dealer's last card shows the trump."""
    is_whole = players * rules.hand_size == rules.decks * rules.deck_size(players)
    return is_whole and rules.turn_up == "talon_bottom"


def lowest_rank(cards: int) -> Rank:
    """Returns the lowest rank of a deck of this size."""
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
        trump = translator.text("The next card is turned up. Its suit is trump, and it leaves the game.")
    else:
        trump = translator.text(
            "The next card lies face up under the deck: its suit is trump, and that card is drawn last."
        )

    return f"{hand} {trump}"


def _attack(rules: Rules, translator: Translator) -> str:
    cards = said_of(rules, "opening_cards", translator)
    if rules.teams != "off":
        return translator.text(
            "You attack the opponent on your left (the next in the list) {cards}.", cards=cards
        )

    return translator.text("You attack the player on your left (the next in the list) {cards}.", cards=cards)


def _ranks(rules: Rules, players: int | None, translator: Translator) -> str:
    cards = cards_in_game(rules, players)
    ranks = [Rank(rank) for rank in range(Rank.ACE, lowest_rank(cards) - 1, -1)]
    ranks.sort(key=lambda rank: rank.strength(rules.rank_order), reverse=True)
    ranks_text = NO_BREAK.join(rank_text(rank, translator) for rank in ranks)
    if rules.deck == "by_players" and players is None:
        low = rank_text(lowest_rank(MANY_CARDS), translator)
        return translator.text("{ranks}, with four or more players down to {low}", ranks=ranks_text, low=low)

    return ranks_text


def _throwing_in(rules: Rules, players: int | None, translator: Translator) -> str:
    if rules.throw_in == "none":
        return translator.text("Nobody may throw in.")

    is_alone = players == _TWO or rules.throw_in == "attacker"
    if is_alone:
        who = translator.text(WORDINGS["throw_in"].says["attacker"])
    elif rules.throw_in == "all" and rules.teams != "off":
        who = translator.text("everybody but the defender and the defender's partners")
    else:
        who = said_of(rules, "throw_in", translator)

    when = said_of(rules, "throw_in_timing", translator)
    sentence = translator.text(
        "{when} {who} may throw in cards whose rank is on the table.", when=when, who=who
    )
    return sentence if is_alone else f"{sentence} {said_of(rules, 'throw_in_order', translator)}"


def _taking(rules: Rules, translator: Translator) -> str:
    if rules.voluntary_take:
        why = translator.text("If you can't beat a card, or don't want to,")
    elif rules.transfer:
        why = translator.text("If you can neither beat everything nor transfer,")
    else:
        why = translator.text("If you can't beat everything,")

    return translator.text(
        "{why} you take all the cards and miss your turn: the player after you attacks.", why=why
    )


def _leaving(rules: Rules, translator: Translator) -> str:
    if rules.teams != "off" and rules.leave_with_talon:
        return translator.text(
            "No cards after a round: you're out, even while there is a deck. "
            "A team is safe when all of it is out."
        )

    if rules.teams != "off":
        return translator.text(
            "Once the deck is empty, you're out when you run out of cards. "
            "A team is safe when all of it is out."
        )

    return said_of(rules, "leave_with_talon", translator)


# Values of `first_attacker_next_game` that decide nothing after a draw.
_AFTER_A_DRAW = {"attack_fool", "spare_fool", "winner"}


def special_rules(rules: Rules, players: int | None, translator: Translator) -> Iterator[str]:
    """Yields the particular rules in the order of play; `players` is the number of players, if known."""
    yield _cards(rules, players, translator)
    yield from _before_the_game(rules, players, translator)
    yield from _first_attack(rules, translator)

    if rules.transfer:
        yield _transfer(rules, translator)

    yield _limits(rules, translator)
    yield from _teams(rules, translator)
    yield from _end(rules, translator)

    for setting in SETTINGS:
        if sentence := WORDINGS[setting].sentences.get(value_text(getattr(rules, setting))):
            yield translator.text(sentence)


def _cards(rules: Rules, players: int | None, translator: Translator) -> str:
    if rules.deck == "by_players" and players is None:
        cards = translator.text("32 cards with two or three players, 52 with more")
    else:
        deck = cards_in_game(rules, players)
        cards = translator.count("{n} card", "{n} cards", deck)

    least = rules.fewest_seats
    most = rules.most_seats
    people = translator.count("{n} player", "{n} players", most)
    sentences = [f"{cards}, {least}–{people}." if least < most else f"{cards}, {people}."]

    if rules.decks > 1:
        sentences.append(
            translator.text("{n} decks together: equal cards don't beat each other.", n=rules.decks)
        )

    whole = [seats for seats in range(least, most + 1) if hands_take_all(rules, seats)]
    if whole and players is None:
        sentences.append(
            translator.text(
                "With {n} nothing is left to draw, and the dealer's last card shows the trump.", n=whole[-1]
            )
        )

    return " ".join(sentences)


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
        card = _render_swap(cards_in_game(rules, players), translator)
        if rules.deck == "by_players" and players is None:
            card = f"{_render_swap(FEW_CARDS, translator)} ({_render_swap(MANY_CARDS, translator)})"

        yield translator.text(
            "The {card} of trumps, if dealt or drawn, may be swapped for the face-up trump under the deck.",
            card=card,
        )


def _render_swap(cards: int, translator: Translator) -> str:
    return rank_text(max(Rank.SIX, lowest_rank(cards)), translator)


def _first_attack(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.first_attacker_first_game == "left_of_dealer":
        yield translator.text("First game: the player after the dealer (left) attacks first.")
    else:
        yield said_of(rules, "no_trump_fallback", translator)

    attacker = said_of(rules, "first_attacker_next_game", translator)
    if rules.teams != "off" and rules.first_attacker_next_game == "winner":
        attacker = translator.text("the lowest trump of the first team out attacks first")

    dealer = said_of(rules, "dealer_next", translator)
    later = translator.text("Later games: {dealer}, and {attacker}.", dealer=dealer, attacker=attacker)
    if rules.first_attacker_next_game in _AFTER_A_DRAW:
        later = f"{later} {translator.text('After a draw the lowest trump attacks.')}"

    yield later


def _transfer(rules: Rules, translator: Translator) -> str:
    cards = said_of(rules, "transfer_cards", translator)
    about = ("transfer_limit_by_hand", "transfer_in_first_bout", "transfer_by_showing_trump")
    sentences = (said_of(rules, setting, translator) for setting in about)
    return " ".join(filter(None, (said_of(rules, "transfer_direction", translator, cards=cards), *sentences)))


def _limits(rules: Rules, translator: Translator) -> str:
    most = rules.attack_limit
    by_hand = rules.limit_by_defender_hand
    if most is not None and by_hand:
        sentences = [
            translator.count(
                "At most {n} card in one attack, and never more than the defender can answer.",
                "At most {n} cards in one attack, and never more than the defender can answer.",
                most,
            )
        ]
    elif most is not None:
        sentences = [
            translator.count("At most {n} card in one attack.", "At most {n} cards in one attack.", most)
        ]
    elif by_hand:
        sentences = [translator.text("Never more cards in one attack than the defender can answer.")]
    else:
        sentences = [translator.text("An attack may have any number of cards.")]

    if rules.first_attack_limit is not None:
        sentences.append(said_of(rules, "first_attack_limit_until", translator, n=rules.first_attack_limit))

    if rules.throw_in != "none":
        sentences.append(said_of(rules, "throw_in_after_take", translator))

    return " ".join(sentences)


def _teams(rules: Rules, translator: Translator) -> Iterator[str]:
    if rules.teams == "off":
        return

    teams = value_in_words("teams", rules.teams, translator)
    teams = teams[0].upper() + teams[1:]
    sentence = translator.text(
        "{teams}: partners sit apart and never attack or throw in against each other.", teams=teams
    )
    yield f"{sentence} {said_of(rules, 'team_order', translator)}"

    if rules.dealer_next == "fool" or rules.first_attacker_next_game in {"attack_fool", "spare_fool"}:
        yield translator.text("The first of the losing team in the list counts as the fool.")


def _end(rules: Rules, translator: Translator) -> Iterator[str]:
    sentences = [said_of(rules, "winner", translator)]
    if rules.game_end == "places_filled":
        sentences += [
            translator.text("When the places are taken, those left have lost; one alone is the fool."),
            translator.text("{n} rounds in a row without a discard: a draw.", n=MAX_QUIET_BOUTS),
        ]
    elif rules.simultaneous_empty == "defender_loses" and rules.teams != "off":
        sentences.append(
            translator.text(
                "Nobody has cards left: the last defender's team loses. "
                "{n} rounds in a row without a discard: a draw.",
                n=MAX_QUIET_BOUTS,
            )
        )
    else:
        sentences.append(said_of(rules, "simultaneous_empty", translator, n=MAX_QUIET_BOUTS))

    yield " ".join(filter(None, sentences))
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

    sentences = [said_of(rules, "epaulettes", translator)]
    if rules.epaulettes == "announce" and rules.epaulette_non_trump:
        sentences.append(translator.text("The six of trumps is no epaulette."))
    if rules.scoring == "epaulettes":
        sentences.append(translator.text("Each epaulette costs a point."))

    yield " ".join(sentences)


# The rule sets that most people play, the simplest first.
USUAL = ("podkidnoy-36", "perevodnoy", "podkidnoy-24")

_SENTENCE_END = re.compile(r"(?<=[.!])\s+")


def rule_set_cards(rule_sets: Mapping[str, Rules], translator: Translator) -> tuple[RuleSetCard, ...]:
    """Describes rule sets for a choice: the usual ones first, then the server's own, then the others."""
    usual = [name for name in USUAL if name in rule_sets]
    own = [name for name in rule_sets if name not in PRESETS]
    leaders = [*usual, *own]

    special = _rarest_differences({name: rule_sets[name] for name in own}, translator)
    cards = []

    for name in dict.fromkeys([*leaders, *rule_sets]):
        rules = rule_sets[name]
        title = preset_name(name, translator)
        sentence = _SENTENCE_END.split(_cards(rules, None, translator))[0]
        shortened = sentence.removeprefix(f"{title.rpartition(', ')[2]}, ")  # the title may name the cards
        about = special[name] if name in special else translator.text(PRESET_SENTENCES[name])
        cards.append(RuleSetCard(name, title, shortened, about, sketch_of(rules), name in leaders))

    return tuple(cards)


def _rarest_differences(own: Mapping[str, Rules], translator: Translator) -> Mapping[str, str]:
    """Returns each variation's sentence that the fewest others share; empty if only its cards differ."""
    plain = set(_openings(Rules(), translator))
    openings_of = {name: list(_openings(rules, translator)) for name, rules in own.items()}
    shared = Counter(opening for openings in openings_of.values() for opening in openings)
    rarest = dict[str, str]()

    for name, openings in openings_of.items():
        special = [opening for opening in openings if opening not in plain]
        rarest[name] = min(special, key=lambda opening: shared[opening], default="")

    return rarest


def _openings(rules: Rules, translator: Translator) -> Iterator[str]:
    """Yields the first sentence of each paragraph, which makes sense by itself.

    Leaves out the paragraph about cards.
    """
    _, *special = special_rules(rules, None, translator)
    for paragraph in (*special, *how_to_play(rules, None, translator)):
        yield _SENTENCE_END.split(paragraph)[0]


def sketch_of(rules: Rules) -> RuleSketch:
    """Returns the facts of a picture of rules; its cards are those for the fewest players."""
    deck = rules.cards(rules.min_players)
    lowest = min(deck, key=lambda card: card.rank)
    return RuleSketch(str(lowest)[0], len(deck), transfers=rules.transfer)


def rule_sentences(rules: Rules, translator: Translator, *, with_cards: bool = True) -> Iterator[str]:
    """Yields all sentences about rules; `with_cards` includes those about the cards, at the beginning."""
    cards, *special = special_rules(rules, None, translator)
    for paragraph in (*([cards] if with_cards else ()), *special, *how_to_play(rules, None, translator)):
        yield from _SENTENCE_END.split(paragraph)
