"""The table and a hand as data, for chats that draw them live."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import engine
from adapters.port import (
    Board,
    BoardIdle,
    BoardMove,
    BoardPair,
    BoardSeat,
    GameResult,
    HandBoard,
    MoveKind,
    Role,
    Span,
)
from bot.locale import Translator, gettext_noop
from bot.model.buttons import OpenCheating, PlayMove, SlyAction
from bot.model.table import Table
from bot.screens.hand import (
    Hand,
    advice_line,
    cards_used,
    in_order_of,
    move_label,
    playable_cards,
    timed_out_line,
    turn_line,
)
from bot.screens.names import team_sign
from bot.screens.story import Scene, latest_line, latest_line_for, running_bout
from bot.screens.table import own_questions, question_line, title_span, waiting_line
from bot.screens.text import Line, as_lines, card_text, cards_text, in_hand_order

KINDS: Mapping[type[engine.Move], MoveKind] = {
    engine.Attack: MoveKind.ATTACK,
    engine.Defend: MoveKind.BEAT,
    engine.Transfer: MoveKind.TRANSFER,
    engine.ShowTrump: MoveKind.SHOW,
    engine.Take: MoveKind.TAKE,
    engine.Done: MoveKind.DONE,
    engine.LayAway: MoveKind.LAY_AWAY,
    engine.Exchange: MoveKind.EXCHANGE,
    engine.Keep: MoveKind.KEEP,
    engine.Redeal: MoveKind.REDEAL,
}


def board_of(scene: Scene, fools_hand: Sequence[engine.Card] = (), result: GameResult | None = None) -> Board:
    """Returns the public facts of a table; after a game with its result and the cards the fool still held."""
    view = scene.view
    # Counts from the move, because the time at which it was seen may only change with a hidden pass.
    waiting = None if scene.waiting is None else replace(scene.waiting, since=scene.waiting.moved_at)

    pairs = list[BoardPair]()
    laid_by = _laid_by(running_bout(scene.events))
    for pair in view.bout:
        beat = None if pair.beat is None else str(pair.beat)
        pairs.append(BoardPair(str(pair.attack), beat, laid_by.get(pair.attack)))

    lies_under_talon = view.talon > 0 and view.rules.turn_up == "talon_bottom"
    losers = () if view.outcome is None else view.outcome.losers
    since = None if waiting is None else waiting.since
    until = waiting.moves_at if waiting is not None and waiting.is_limited else None
    discarded = () if view.discarded is None else _texts(sorted(view.discarded))
    last_bout = () if pairs else _last_bout(scene.events)
    turn_up = str(view.turn_up) if view.turn_up is not None and lies_under_talon else None

    return Board(
        id=_id(scene.table),
        step=len(scene.events),
        title=title_span(scene.table, scene.translator).text,
        seats=tuple(_seat(scene, seat) for seat in range(view.seats)),
        trump=view.trump.value,
        turn_up=turn_up,
        talon=view.talon,
        discard=view.discard,
        discarded=discarded,
        bout=tuple(pairs),
        is_taking=view.taking,
        status=waiting_line(replace(scene, waiting=None)),
        latest=latest_line(scene),
        asked=question_line(scene),
        own_questions=own_questions(scene),
        since=since,
        until=until,
        is_over=view.outcome is not None,
        losers=losers,
        fools_hand=_texts(fools_hand),
        last_bout=last_bout,
        result=result,
    )


def _laid_by(events: Sequence[engine.Event]) -> Mapping[engine.Card, engine.Seat]:
    """Maps the attack cards of a bout to the seats that laid them."""
    laid_by: dict[engine.Card, engine.Seat] = {}
    for event in events:
        if isinstance(event, engine.Attacked | engine.Transferred):
            laid_by |= dict.fromkeys(event.cards, event.seat)

    return laid_by


def _last_bout(events: Sequence[engine.Event]) -> tuple[BoardPair, ...]:
    """Returns the cards of the newest finished bout, as they lay at its end."""
    ends = [
        place for place, event in enumerate(events) if isinstance(event, engine.BeatenOff | engine.TakenUp)
    ]
    if not ends:
        return ()

    pairs = list[BoardPair]()
    for event in running_bout(events[: ends[-1]]):
        match event:
            case engine.Attacked(seat, cards) | engine.Transferred(seat, cards):
                pairs += [BoardPair(str(card), None, seat) for card in cards]
            case engine.Defended(_, attack, card):
                open_pair = next(pair for pair in pairs if pair.attack == str(attack) and pair.beat is None)
                pairs[pairs.index(open_pair)] = replace(open_pair, beat=str(card))
            case engine.Caught(bout=bout):
                pairs = [
                    BoardPair(str(pair.attack), None if pair.beat is None else str(pair.beat), pair.by)
                    for pair in bout
                ]

    return tuple(pairs)


def hand_board(hand: Hand, *, note: Line = (), lesson: Line = ()) -> HandBoard:
    """Returns one seat's cards and legal moves.

    With a `note`, no idle card can be tapped. Advice that the player asked for replaces the note; without
    either, a beginner's `lesson` is shown.
    """
    scene = hand.scene
    view = hand.view
    advice = hand.advice
    translator = hand.scene.translator
    public = view.public
    cards = in_hand_order(view, hand.profile.hand_order)
    moves = in_order_of(cards, hand.moves)
    playable = playable_cards(hand.moves, view)
    wrong = playable_cards(hand.cheats, view)
    unbeaten = [pair.attack for pair in public.bout if pair.beat is None]
    defends = view.seat == public.defender and unbeaten and not public.taking

    def token(move: engine.Move) -> str:
        return str(PlayMove(scene.table.id, hand.version, str(move)))

    def tapped(card: engine.Card) -> str:
        """Returns the token of a tap on a card that fits nowhere.

        If the card can be used to cheat, it opens that choice. Otherwise it is a move that will be refused,
        so that the player sees the reason.
        """
        if card in wrong:
            return str(OpenCheating(scene.table.id, SlyAction.CHEAT, str(card)))
        return token(engine.Defend(card, unbeaten[0]) if defends else engine.Attack((card,)))

    idle = () if note else [card for card in view.hand if card not in playable]
    advised = None
    shown_note = note or lesson
    if advice is not None:
        advised = token(advice)
        shown_note = advice_line(advice, scene.view, translator)

    return HandBoard(
        id=_id(scene.table),
        step=len(scene.events),
        seat=view.seat,
        cards=_texts(cards),
        moves=tuple(board_move(move, view, token(move), translator) for move in moves),
        idle=tuple([BoardIdle(str(card), tapped(card)) for card in sorted(view.hand) if card in idle]),
        is_awaited=view.seat in public.awaited and bool(moves),
        says=_says(hand),
        note=shown_note,
        advice=advised,
        one_tap=hand.profile.one_tap,
        latest=as_lines(timed_out_line(hand), latest_line_for(scene, view.seat), between=Span(" ")),
        cheats=tuple(board_move(move, view, token(move), translator) for move in hand.cheats),
    )


def board_move(move: engine.Move, view: engine.SeatView, token: str, translator: Translator) -> BoardMove:
    """Returns a move of a seat with the cards that it uses; a press sends `token`."""
    attack = str(move.attack) if isinstance(move, engine.Defend) else None

    return BoardMove(
        token=token,
        kind=KINDS[type(move)],
        cards=_texts(cards_used(move, view)),
        attack=attack,
        label=_label(move, view.public, translator),
    )


def _says(hand: Hand) -> Line:
    """Returns the seat's turn, or during a pause its reason if the seat has nothing to do."""
    scene = hand.scene
    is_still = scene.table.options.is_paused or scene.is_asleep
    is_awaited = hand.view.seat in hand.view.public.awaited and bool(hand.moves)
    if is_still and not is_awaited:
        return waiting_line(replace(scene, waiting=None))

    return turn_line(hand, is_below_news=True)


def _label(move: engine.Move, view: engine.PublicView, translator: Translator) -> str:
    """Labels a move for its already chosen card, so that a defence only names the card it beats."""
    match move:
        case engine.Attack(cards):
            sentence = gettext_noop("Throw in {cards}") if view.bout else gettext_noop("Lay {cards}")
            return translator.text(sentence, cards=cards_text(cards, translator))
        case engine.Defend(_, attack):
            return translator.text("Beat {card}", card=card_text(attack, translator))
        case engine.Transfer(cards):
            return translator.text("Transfer {cards}", cards=cards_text(cards, translator))

    return move_label(move, view, translator)


def _id(table: Table) -> str:
    return f"{table.id}:{table.game}"


def _texts(cards: Sequence[engine.Card]) -> tuple[str, ...]:
    return tuple(map(str, cards))


def _seat(scene: Scene, seat: engine.Seat) -> BoardSeat:
    view = scene.view
    is_over = view.outcome is not None

    role = Role.NONE
    if seat == view.attacker and not is_over:
        role = Role.ATTACKER
    elif seat == view.defender and not is_over:
        role = Role.DEFENDER

    return BoardSeat(
        name=scene.names[seat],
        user=scene.table.players[seat].user,
        cards=view.hand_counts[seat],
        role=role,
        is_awaited=not is_over and seat in view.awaited,
        is_out=seat in view.out,
        is_away=seat in scene.away,
        team=team_sign(view.rules, seat),
        seen=tuple(str(card) for holder, card in view.seen_cards if holder == seat),
        place=_place(view, seat),
    )


def _place(view: engine.PublicView, seat: engine.Seat) -> int:
    """Returns the place of a seat that is out of cards; 0 without one, as for the last two of a draw."""
    with_places = view.out
    if view.outcome is not None and view.outcome.is_draw:
        with_places = view.out[: view.seats - 2]
    return with_places.index(seat) + 1 if seat in with_places else 0
