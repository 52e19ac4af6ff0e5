"""A second engine: plays the moves of a game with piles of cards, as people at a table would.

It is written from docs/rules.md alone, independently of the engine, and does not check whether a move is
legal. It shares only the values with the engine: cards, moves, settings. Both must lead to the same
positions.
"""

from copy import copy
from dataclasses import dataclass
from random import Random

from engine import (
    Accuse,
    Attack,
    Card,
    Defend,
    Done,
    Exchange,
    Keep,
    LayAway,
    Move,
    Rank,
    Redeal,
    Seat,
    ShowTrump,
    State,
    Suit,
    Take,
    Transfer,
)
from tests.engine.oracle.movegen import oracle_beats
from tests.engine.oracle.scoring import Scoring
from tests.engine.oracle.seating import Seating
from tests.engine.rules.games import Moment

QUIET = 50


@dataclass
class Note:
    """What somebody who watches closely notes of an attack card on the table."""

    is_wrong: bool
    # For the first card of a transfer: the seats before it, and the steps until then.
    before: tuple[Seating, int] | None = None


class OracleEngine:
    """A table with piles of cards."""

    def __init__(self, dealt: State) -> None:
        """Sits down at a table with a finished deal."""
        self.rules = dealt.rules
        self.players = len(dealt.hands)
        self.trump = dealt.trump
        self.hands = [list(hand) for hand in dealt.hands]
        self.talon = list(dealt.talon)
        self.turn_up = dealt.turn_up

        self.heap: list[Card] = []
        self.seating = Seating(dealt.rules, self.players, dealt.attacker)
        self.table: list[tuple[Card, Card | None, Seat]] = []
        self.notes: list[Note] = []  # one for each attack card of the table
        self.caught: set[Seat] = set()
        self.ghosts: set[Seat] = set()
        self.thrown_on_take = False
        self.unseen: list[tuple[int, Seat, str]] = []

        self.taking = False
        self.declined: set[Seat] = set()
        self.undecided = set(dealt.undecided)
        self.emptied: list[Seat] = []

        self.bouts = self.beaten_off = self.quiet = 0
        self.six_taken = False
        self.round_start = dealt.attacker
        self.walked = 0
        self.scoring = Scoring(dealt)

    # --- moves --------------------------------------------------------------------------------------------

    def make(self, seat: Seat, move: Move) -> None:
        """Makes a move, and ends the bout when no one can add anything to it."""
        self._make(seat, move)
        if self.table and self._nothing_can_come():
            self._end_bout()
        elif not self.table and self.emptied:
            self._leave()
            if not self._is_over(self.seating.defender):
                self.walked += self.seating.start_from(self.seating.chair)

    def _make(self, seat: Seat, move: Move) -> None:
        match move:
            case Attack(cards):
                if not self.table:
                    self.walked += self.seating.steps_to_defender()
                ranks = {card.rank for *pair, _ in self.table for card in pair if card is not None}
                is_wrong = bool(self.table) and cards[0].rank not in ranks
                self.thrown_on_take |= self.taking
                self._lay(seat, cards, is_wrong=is_wrong)

            case Defend(card, attack):
                at = next(i for i, (laid, beat, _) in enumerate(self.table) if (laid, beat) == (attack, None))
                self.table[at] = (attack, card, self.table[at][2])
                self._played(seat, [card])
                self.declined = set()

            case Transfer(cards):
                before = copy(self.seating), self.walked
                self._lay(seat, cards, is_wrong=cards[0].rank != self.table[0][0].rank)
                self.notes[-len(cards)].before = before
                self.walked += self.seating.push()

            case ShowTrump():
                self.declined = set()
                self.walked += self.seating.push()

            case Take():
                self.taking = True
            case Done():
                self.declined.add(seat)
            case _:
                self._make_aside(seat, move)

    def _make_aside(self, seat: Seat, move: Move) -> None:
        """Makes a move outside the attack."""
        match move:
            case LayAway(rank):
                four = [Card(suit, rank) for suit in Suit]
                self._played(seat, four)
                self.heap += four
                self.quiet = 0
            case Exchange():
                self._exchange(seat)
            case Keep():
                self.undecided.remove(seat)
            case Accuse(card):
                self._accuse(seat, card)

    def _played(self, seat: Seat, cards: list[Card]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
        if not self.hands[seat]:
            self.emptied.append(seat)

    def _lay(self, seat: Seat, cards: tuple[Card, ...], *, is_wrong: bool) -> None:
        self._played(seat, list(cards))
        self.table += [(card, None, seat) for card in cards]
        self.notes += [Note(is_wrong) for _ in cards]
        self.declined = set()

    def _six(self) -> Card:
        """Returns the six of trumps, or the lowest trump of a deck without sixes."""
        trumps = [card for card in self.rules.cards(self.players) if card.suit == self.trump]
        return min((card for card in trumps if card.rank >= Rank.SIX), key=lambda card: card.rank)

    def _exchange(self, seat: Seat) -> None:
        six = self._six()
        at = self.hands[seat].index(six)
        self.hands[seat][at] = self.talon[-1]
        self.talon[-1] = six
        self.turn_up = six

    # --- cheating (chapter 16) ----------------------------------------------------------------------------

    def _wrong(self) -> list[tuple[int, Card, Seat, str]]:
        """Lists the cards that lie wrongly: place, card, owner, and how they came there."""
        found = []
        for at, ((attack, beat, by), note) in enumerate(zip(self.table, self.notes, strict=True)):
            if note.is_wrong:
                found.append((at, attack, by, f"{'X' if note.before else 'A'} {attack}"))
            if beat is not None and not oracle_beats(self.rules, self.trump, beat, attack):
                found.append((at, beat, self.seating.defender, f"D {attack} {beat}"))

        return found

    def _accuse(self, seat: Seat, card: Card) -> None:
        friends = self.seating.team(seat)
        wrong = [
            (at, owner, how)
            for at, other, owner, how in self._wrong()
            if other == card and self.seating.team(owner) != friends
        ]
        if not wrong:
            self.ghosts.add(seat)
            return

        at, owner, how = wrong[0]
        self.caught.add(owner)
        self.declined = set()
        attack, _, by = self.table[at]

        if how[0] == "D":
            self.hands[owner].append(card)
            self.table[at] = (attack, None, by)
        elif how[0] == "A":
            self._pick_up(at)
        else:
            before = self.notes[at].before
            assert before is not None
            while len(self.table) > at:
                self._pick_up(at)

            for place in range(at):
                beaten, answer, of = self.table[place]
                self.hands[self.seating.defender] += [answer] if answer is not None else []
                self.table[place] = (beaten, None, of)

            self.seating, self.walked = before
            self.taking = self.thrown_on_take = False

        self.emptied = [other for other in self.emptied if not self.hands[other]]

    def _pick_up(self, at: int) -> None:
        """Gives an attack card and what has beaten it back to their owners."""
        attack, beat, by = self.table.pop(at)
        self.notes.pop(at)
        self.hands[by].append(attack)
        if beat is not None:
            self.hands[self.seating.defender].append(beat)

    def _someone_looks(self) -> bool:
        """Returns whether anybody who could still point at a card has not said Done."""
        defender = self.seating.defender
        cards = [by for _, _, by in self.table[1:]] + [defender for _, beat, _ in self.table if beat]
        for seat in self.seating.around(0):
            has_looked = seat in self.ghosts or seat in self.declined
            is_asked = seat != defender or self.thrown_on_take
            has_cards = any(self.seating.team(owner) != self.seating.team(seat) for owner in cards)
            if self.rules.cheating and is_asked and has_cards and not has_looked:
                return True

        return False

    # --- the end of a bout --------------------------------------------------------------------------------

    def _nothing_can_come(self) -> bool:
        """Returns whether all is beaten, or the defender takes, and no one may add (rule 7.1)."""
        rules = self.rules
        defender = self.seating.defender
        unbeaten = sum(beat is None for _, beat, _ in self.table)
        if unbeaten and not self.taking:
            return False
        if self._someone_looks():
            return False
        if rules.throw_in == "none" or (self.taking and rules.throw_in_after_take == "none"):
            return True
        if not self.taking and not self.hands[defender]:
            return True
        if rules.limit_by_defender_hand and unbeaten + 1 > len(self.hands[defender]):
            return True

        limit = rules.attack_limit
        solved = self.beaten_off if rules.first_attack_limit_until == "first_discard" else self.bouts
        if rules.first_attack_limit is not None and not solved:
            limit = rules.first_attack_limit

        if limit is not None and len(self.table) + 1 > limit:
            return True

        asked = [seat for seat in self.seating.may_throw_in() if self.hands[seat]]
        return all(seat in self.declined for seat in asked)

    def _end_bout(self) -> None:
        """Moves cards, draws, places players, assigns roles (rule 7.2); under rule 7.8, places first."""
        defender = self.seating.defender
        attacker = self.seating.attacker
        taken = self._cards_moved()

        if self.rules.leave_with_talon:
            self._leave()

        if self.rules.draw == "refill":
            for seat in [*(seat for seat in self.seating.around(attacker) if seat != defender), defender]:
                if seat not in self.seating.out:
                    self._draw(seat, self.rules.hand_size - len(self.hands[seat]))

        if not self.rules.leave_with_talon:
            self._leave()

        if self._is_over(defender):
            return

        self.walked += self.seating.after_bout(taken=taken)
        if self.rules.draw == "one_each_table_round" and self.walked >= self.players:
            for seat in self.seating.around(self.round_start):
                if len(self.hands[seat]) < self.rules.hand_size:
                    self._draw(seat, 1)
            self.walked = 0
            self.round_start = self.seating.attacker

    def _cards_moved(self) -> bool:
        """Moves the cards of the bout to the taker or to the heap; returns whether they were taken."""
        taken = self.taking
        cards = [card for *pair, _ in self.table for card in pair if card is not None]
        self.scoring.remember(self.table, self.seating.defender)

        if taken:
            self.hands[self.seating.defender] += cards
            self.six_taken |= self.rules.trump_six_exchange and self._six() in cards  # rule 8.5
        else:
            self.heap += cards

        self.unseen += [(self.bouts + 1, owner, how) for _, _, owner, how in self._wrong()]
        self.notes = []
        self.caught = set()
        self.ghosts = set()
        self.thrown_on_take = False

        self.taking = False
        self.table = []
        self.declined = set()
        self.bouts += 1
        self.beaten_off += not taken
        self.quiet = self.quiet + 1 if taken else 0

        return taken

    def _draw(self, seat: Seat, count: int) -> None:
        for _ in range(count):
            if self.talon:
                self.hands[seat].append(self.talon.pop(0))

    def _leave(self) -> None:
        """Places players in the order in which their hands became empty (rule 7.9)."""
        for seat in [*self.emptied, *self.seating.around(self.seating.attacker)]:
            may_leave = not self.talon or self.rules.leave_with_talon
            if may_leave and not self.hands[seat] and seat not in self.seating.out:
                self.seating.out.append(seat)
                self.scoring.place(len(self.seating.out), seat, self.turn_up, stock=bool(self.talon))

        self.emptied = []

    def _is_over(self, defender: Seat) -> bool:
        return self.scoring.is_over(self.seating, defender, quiet=self.quiet >= QUIET)

    # --- the comparison -----------------------------------------------------------------------------------

    def compare(self, state: State) -> None:
        """Checks that both engines agree on every card's place, the attacker and the defender."""
        assert [sorted(hand) for hand in self.hands] == [sorted(hand) for hand in state.hands]
        assert (tuple(self.talon), sorted(self.heap)) == (state.talon, sorted(state.discard))
        assert [tuple(pair) for pair in state.bout] == self.table
        assert (self.taking, self.declined) == (state.taking, set(state.declined))
        assert self.undecided == state.undecided
        assert tuple(self.seating.out) == state.out
        assert (self.bouts, self.beaten_off, self.quiet) == (
            state.bouts,
            state.beaten_off,
            state.bouts_without_discard,
        )
        assert (self.turn_up, self.six_taken) == (state.turn_up, state.six_taken)
        assert (self.caught, self.ghosts) == (set(state.caught), set(state.wrong_accusers))
        assert self.unseen == [(each.bout, each.seat, str(each.move)) for each in state.unseen]

        self.scoring.compare(state)
        if state.outcome() is None:
            assert (self.seating.attacker, self.seating.defender) == (state.attacker, state.defender)


class CompareWithOracle:
    """A check that plays a whole game along."""

    def __init__(self) -> None:
        """Waits for the first move."""
        self._table: OracleEngine | None = None

    def __call__(self, moment: Moment, _: Random) -> None:
        """Makes the move on the second engine and compares the two."""
        if self._table is None:
            self._table = OracleEngine(moment.before)

        if isinstance(moment.move, Redeal):
            self._table = OracleEngine(moment.after)  # test_deal.py has the deal
        else:
            self._table.make(moment.seat, moment.move)

        self._table.compare(moment.after)
