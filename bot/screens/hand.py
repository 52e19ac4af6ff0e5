"""One player's cards and moves; only that player may ever see this screen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import engine
from adapters.port import Accent, CallbackButton, Limits, Mark, MessageRef, Screen, Span, Tone, ViewButton
from bot.locale import Translator, gettext_noop
from bot.model.buttons import (
    AskHint,
    OpenCheating,
    PlayMove,
    QuitAction,
    QuitGame,
    ShowHand,
    SlyAction,
    SortHand,
    WriteInPrivate,
)
from bot.model.profile import NO_CHOICES, HandOrder, Profile
from bot.model.table import Table
from bot.screens.keyboard import button_to, rows_of
from bot.screens.names import safe_name
from bot.screens.story import Scene, drawn_line, latest_news, thrown_in, your_line
from bot.screens.table import bout_lines, others_line, stock_line, title_span
from bot.screens.text import (
    BREAK,
    Line,
    as_lines,
    as_paragraphs,
    card_text,
    cards_text,
    in_hand_order,
    pictured,
    rank_text,
)

# Moves whose buttons are in separate rows below the cards.
CONTROLS = (engine.Take, engine.Done, engine.Exchange, engine.Keep, engine.Redeal)

# Cards stay neutral, so that none looks recommended.
MOVE_TONES: Mapping[type[engine.Move], Tone] = {
    engine.Take: Tone.DANGER,
    engine.Done: Tone.GOOD,
    engine.Keep: Tone.GOOD,
}

_OTHER_ORDER: Mapping[HandOrder, tuple[HandOrder, str]] = {
    HandOrder.RANK: (HandOrder.SUIT, gettext_noop("⇅ By suit")),
    HandOrder.SUIT: (HandOrder.RANK, gettext_noop("⇅ By rank")),
}


@dataclass(frozen=True, slots=True)
class Hand:
    """One seat's view of a scene, with its legal moves.

    Attributes:
        scene: The table.
        view: The position as the seat sees it.
        version: The version of the game at which the moves are offered.
        moves: The moves by the rules.
        page: The page of the move buttons that is open.
        profile: The player's own choices, such as the order of cards.
        advice: An expert's move, if the player asked for it.
        new_cards: The cards drawn since the last bout ended.
        notice: Why the player's last press did nothing; empty otherwise.
        passes_in: The seconds after which the table passes for the player; 0 if the hand doesn't show them.
        has_timed_out: Whether the table has passed for the player in the newest round, with a card to add.
        sly_moves: The moves that cheat, or accuse somebody of it.
        cheating: The choice among `sly_moves` that is open, if any.
    """

    scene: Scene
    view: engine.SeatView
    version: int
    moves: Sequence[engine.Move] = ()
    page: int = 0
    profile: Profile = NO_CHOICES
    advice: engine.Move | None = None
    new_cards: Sequence[engine.Card] = ()
    notice: str = ""
    passes_in: int = 0
    has_timed_out: bool = False
    sly_moves: Sequence[engine.Move] = ()
    cheating: OpenCheating | None = None

    @property
    def accusations(self) -> tuple[engine.Accuse, ...]:
        """The moves that point at a card."""
        return tuple([move for move in self.sly_moves if isinstance(move, engine.Accuse)])

    @property
    def cheats(self) -> tuple[engine.Move, ...]:
        """The moves against the rules."""
        return tuple([move for move in self.sly_moves if not isinstance(move, engine.Accuse)])


def hand_screen(
    hand: Hand,
    limits: Limits,
    *,
    table_message: MessageRef | None = None,
    live_table: ViewButton | None = None,
) -> Screen:
    """Renders a seat's hand, the news of the table, and a button for each legal move.

    The screen links to `table_message`; `live_table` is the button to the live table.
    """
    scene = hand.scene
    seat = hand.view.seat
    cards = in_hand_order(hand.view, hand.profile.hand_order)
    table = scene.table
    view = scene.view
    translator = scene.translator
    choices = list[CallbackButton]()
    controls = list[CallbackButton]()
    others = _cheating_buttons(hand)

    for move in in_order_of(cards, hand.moves):
        button = button_to(
            PlayMove(table.id, hand.version, str(move)),
            move_label(move, view, translator),
            MOVE_TONES.get(type(move), Tone.NEUTRAL),
            icon=move_icon(move, translator),
        )
        (controls if isinstance(move, CONTROLS) else choices).append(button)

    if len(cards) > 1:
        order, label = _OTHER_ORDER[hand.profile.hand_order]
        others.append(button_to(SortHand(table.id, order), translator.text(label)))

    if seat not in view.out:
        leave = QuitGame(table.id, table.game, QuitAction.ASK)
        others.append(button_to(leave, translator.text("🚪 Leave")))

    if table.options.hints and len(hand.moves) > 1 and hand.advice is None:
        others.append(button_to(AskHint(table.id), translator.text("💡 Hint")))

    if live_table is not None:
        others.append(live_table)

    title = replace(title_span(table, translator), mark=Mark.PLAIN, link=table_message)
    heading = () if table_message is None else (title,)
    time = as_lines(bot_plays_line(hand), deadline_line(hand), timed_out_line(hand))

    above_buttons = () if hand.advice is None else advice_line(hand.advice, view, translator)
    opened = opened_cheating(hand)
    if opened is not None:
        above_buttons, choices = opened
        controls = []
        others = [button_to(ShowHand(table.id), translator.text("◀ Back"))]

    return Screen(
        body=as_paragraphs(
            (Span(hand.notice, Mark.BOLD),) if hand.notice else (),
            as_lines(turn_line(hand), time, your_line(scene, seat, hand.new_cards)),
            as_lines(stock_line(view, translator), others_line(scene, seat), drawn_line(scene, to=seat)),
            bout_lines(view, translator),
            pictured(hand_lines(cards, translator)),
            above_buttons,
            lost_room_line(scene),
            heading,
        ),
        rows=rows_of(
            choices,
            controls,
            others,
            limits=limits,
            page=hand.page,
            turn_to=lambda other: str(ShowHand(table.id, other)),
        ),
        accent=_accent_of(hand),
    )


def _accent_of(hand: Hand) -> Accent:
    """Returns whether a player has to attack, to defend or to wait."""
    public = hand.view.public
    seat = hand.view.seat
    if seat not in public.awaited or public.undecided:
        return Accent.WAITING

    return Accent.DEFENCE if seat == public.defender else Accent.ATTACK


# --- cheating: moves against the rules are behind separate buttons, so that nobody cheats by mistake -------


def _cheating_buttons(hand: Hand) -> list[CallbackButton]:
    """Returns the buttons that open a seat's accusations and its cheats."""
    table = hand.scene.table
    translator = hand.scene.translator
    buttons = list[CallbackButton]()

    if hand.accusations:
        token = OpenCheating(table.id, SlyAction.ACCUSE)
        buttons.append(button_to(token, translator.text("👀 Caught!"), Tone.PRIMARY))
    if hand.cheats:
        token = OpenCheating(table.id, SlyAction.CHEAT)
        buttons.append(button_to(token, translator.text("🤫 Against the rules…")))

    return buttons


def opened_cheating(hand: Hand) -> tuple[Line, list[CallbackButton]] | None:
    """Returns the question and the buttons of the open choice of a cheat; None if there is none."""
    opened = hand.cheating
    translator = hand.scene.translator
    if opened is None:
        return None

    if opened.action is SlyAction.ACCUSE:
        question = translator.spans(
            "👀 Which card is wrong? If you're mistaken, you're seeing things: you can't point again this "
            "round."
        )
        buttons = [_sly_button(hand, move, _accused(move.card, hand)) for move in hand.accusations]
    elif not opened.card:
        question = translator.spans("🤫 Which card? Everybody will see it, so look innocent.")
        wrong = {card for move in hand.cheats for card in engine.cards_needed_for(move)}
        cards = in_hand_order(hand.view, hand.profile.hand_order)
        buttons = [_card_to_cheat_with(hand, card) for card in cards if card in wrong]
    else:
        moves = [move for move in hand.cheats if opened.card in map(str, engine.cards_needed_for(move))]
        question = _where_it_goes(moves, translator)
        buttons = [_sly_button(hand, move, _cheat_label(move, hand)) for move in moves]

    return (question, buttons) if buttons else None


def _where_it_goes(moves: Sequence[engine.Move], translator: Translator) -> Line:
    """Asks where the card of these moves goes; empty without moves."""
    if not moves:
        return ()
    card = cards_text(engine.cards_needed_for(moves[0]), translator)
    return translator.spans("🤫 Where does {card} go?", card=card)


def _card_to_cheat_with(hand: Hand, card: engine.Card) -> CallbackButton:
    """Returns the button that plays a card, or asks where it goes if there are several cheats with it."""
    moves = [move for move in hand.cheats if card in engine.cards_needed_for(move)]
    label = card_text(card, hand.scene.translator)
    if len(moves) == 1:
        return _sly_button(hand, moves[0], label)

    return button_to(OpenCheating(hand.scene.table.id, SlyAction.CHEAT, str(card)), label)


def _sly_button(hand: Hand, move: engine.Move, label: str) -> CallbackButton:
    return button_to(PlayMove(hand.scene.table.id, hand.version, str(move)), label)


def _cheat_label(move: engine.Move, hand: Hand) -> str:
    translator = hand.scene.translator
    if isinstance(move, engine.Defend):
        return f"{card_text(move.attack, translator)} ← {card_text(move.card, translator)}"
    return move_label(move, hand.view.public, translator)


def _accused(card: engine.Card, hand: Hand) -> str:
    """Names a card on the table, with the attack card under it if there is one."""
    translator = hand.scene.translator
    beaten = next((pair.attack for pair in hand.view.public.bout if pair.beat is card), None)
    text = card_text(card, translator)
    return text if beaten is None else f"{card_text(beaten, translator)} ← {text}"


def hand_lines(cards: Sequence[engine.Card], translator: Translator) -> Line:
    """Renders the cards of a hand in the given order; empty without cards."""
    if not cards:
        return ()
    heading = translator.count("Your {n} card", "Your {n} cards", len(cards))
    return Span(heading, Mark.BOLD), BREAK, Span(cards_text(cards, translator))


def bot_plays_line(hand: Hand) -> Line:
    """Tells a player that a bot plays for them; empty unless one does."""
    if hand.view.seat not in hand.scene.away:
        return ()
    return hand.scene.translator.spans("🤖 You're away, so a bot plays for you until you press something.")


def deadline_line(hand: Hand) -> Line:
    """Tells an awaited player, in the last minute of the clock, when the table moves for them."""
    waiting = hand.scene.waiting
    if waiting is None or hand.view.seat not in waiting.seats or waiting.seconds_left is None:
        return ()

    translator = hand.scene.translator
    seconds = translator.text("in {n} s", n=waiting.seconds_left)
    time = Span(seconds, Mark.BOLD, when=waiting.moves_at, counts_down=True)
    return translator.spans("⏰ The bot moves for you {time}.", time=time)


def timed_out_line(hand: Hand) -> Line:
    """Tells a player that the table has passed for them; empty unless it has, and they had a card to add."""
    if not hand.has_timed_out:
        return ()

    public = hand.view.public
    is_untouched = not public.taking and all(pair.beat is None for pair in public.bout)
    if public.bout and is_untouched:  # otherwise the pass would seem to be about this new attack
        return hand.scene.translator.spans("⏰ You ran out of time to throw in last round.")

    return hand.scene.translator.spans("⏰ Time ran out: the bot passed for you.")


def advice_line(move: engine.Move, view: engine.PublicView, translator: Translator) -> Line:
    """Renders an expert's move."""
    return translator.spans("💡 An expert would play: {move}", move=move_label(move, view, translator))


def turn_line(hand: Hand, *, is_below_news: bool = False) -> Line:
    """Renders what the owner of a hand should do now, or which player they are waiting for.

    `is_below_news`: the latest event is directly above, and all players and the clock are visible. The line
    repeats none of these.
    """
    public = hand.view.public
    seat = hand.view.seat
    translator = hand.scene.translator
    attacker = hand.scene.names[public.attacker]
    defender = hand.scene.names[public.defender]

    if seat in public.out:
        line = translator.spans("No cards left, well played!")
    elif seat in public.undecided:
        line = translator.spans("Look at your cards, then the game begins.")
    elif public.undecided:
        line = translator.spans("You keep your cards. The others still look at theirs.")
    elif public.is_throw_in_round:
        turn = _turn_in_a_throw_in_round(hand, is_take_named=is_below_news and _is_take_news(hand))
        limit = () if is_below_news else _limit_of_the_round(hand)
        line = as_lines(turn, limit, between=Span(" "))
    elif public.bout and seat == public.defender:
        line = _turn_of_the_defender(hand, is_whose_shown=is_below_news)
    elif public.bout and engine.Attack in map(type, hand.moves):
        line = translator.spans("⏳ {name} is thinking. You may throw in.", name=defender)
    elif public.bout:
        line = translator.spans("⏳ {name} is thinking.", name=defender)
    elif seat == public.attacker:
        line = translator.spans("⚔️ Your turn: attack {name}!", name=defender)
    elif seat == public.defender:
        line = translator.spans("⏳ {name} attacks you next.", name=attacker)
    else:
        line = translator.spans(
            "⏳ {attacker} leads against {defender}.", attacker=attacker, defender=defender
        )

    return tuple([replace(span, mark=Mark.BOLD) for span in line])


def _turn_of_the_defender(hand: Hand, *, is_whose_shown: bool) -> Line:
    """Names the cards to beat and their players, or the take if nothing else is legal.

    `is_whose_shown`: the attackers are visible elsewhere, so the sentence mentions a transfer instead.
    """
    public = hand.view.public
    scene = hand.scene
    translator = hand.scene.translator
    unbeaten = [pair.attack for pair in public.bout if pair.beat is None]
    players = thrown_in(scene.events)
    cards = cards_text(unbeaten, translator)
    whose = scene.listing({players.get(card, public.attacker) for card in unbeaten})

    if list(hand.moves) == [engine.Take()]:
        return translator.spans(
            "🛡 Nothing of yours beats {cards} ({name}): press {button}.",
            cards=cards,
            name=whose,
            button=move_label(engine.Take(), public, translator),
        )

    if not is_whose_shown:
        return translator.spans("🛡 Your turn: beat {cards} ({name})", cards=cards, name=whose)
    if any(isinstance(move, engine.Transfer) for move in hand.moves):
        return translator.spans("🛡 Your turn: beat {cards} or transfer", cards=cards)

    return translator.spans("🛡 Your turn: beat {cards}", cards=cards)


def _limit_of_the_round(hand: Hand) -> Line:
    """Tells a player who may throw in how soon the table passes for them; empty if `passes_in` is 0."""
    is_asked = engine.Done() in hand.moves and hand.view.seat in hand.view.public.awaited
    if not (hand.passes_in and is_asked):
        return ()
    return hand.scene.translator.spans("(passes after {n} s)", n=str(hand.passes_in))


def _is_take_news(hand: Hand) -> bool:
    """Returns whether the latest event is a take."""
    return any(isinstance(event, engine.TakeDeclared) for event in latest_news(hand.scene.events)[:1])


def _turn_in_a_throw_in_round(hand: Hand, *, is_take_named: bool) -> Line:
    """Renders the turn once all cards are beaten or taken, and other players may add some.

    Everybody who may add cards is asked, whatever they hold, and named until the round is over, so that
    the screen gives away no hand. `is_take_named`: the sentence above already names the take.
    """
    public = hand.view.public
    seat = hand.view.seat
    translator = hand.scene.translator
    taker = hand.scene.names[public.defender]
    can_add = engine.Attack in map(type, hand.moves)

    if can_add or (hand.moves and seat in public.awaited):
        button = move_label(engine.Done(), public, translator)
        if hand.accusations and not can_add:
            return translator.spans(
                "👀 Was all that honest? Point at a card, or press {button}.", button=button
            )

        is_take_news = public.taking and not is_take_named
        if is_take_news and can_add:
            return translator.spans(
                "➕ {name} takes. Throw in, or press {button}.", name=taker, button=button
            )
        if is_take_news:
            return translator.spans(
                "👉 {name} takes. Nothing to throw in: press {button}.", name=taker, button=button
            )
        if can_add:
            return translator.spans("➕ Throw in, or press {button}.", button=button)

        return translator.spans("👉 Nothing to throw in: press {button}.", button=button)

    others = public.awaited - {seat}
    names = hand.scene.listing(others)
    if public.rules.cheating:
        return translator.count_spans(
            "⏳ {names} is still looking at the cards.",
            "⏳ {names} are still looking at the cards.",
            len(others),
            names=names,
        )
    if seat in public.awaited:
        return translator.count_spans(
            "✅ You've passed. {names} can still throw in.",
            "✅ You've passed. {names} can still throw in.",
            len(others),
            names=names,
        )
    if not public.taking:
        return translator.count_spans(
            "✅ All beaten. {names} can still throw in.",
            "✅ All beaten. {names} can still throw in.",
            len(others),
            names=names,
        )
    if seat == public.defender:
        return translator.count_spans(
            "📥 You take. {names} can still throw in.",
            "📥 You take. {names} can still throw in.",
            len(others),
            names=names,
        )

    return translator.count_spans(
        "⏳ {name} takes. {names} can still throw in.",
        "⏳ {name} takes. {names} can still throw in.",
        len(others),
        name=taker,
        names=names,
    )


def heading_of(scene: Scene, table_message: MessageRef | None, chat: str) -> Line:
    """Names a table with its chat and players, for a player at several tables; links to `table_message`."""
    title = replace(title_span(scene.table, scene.translator), link=table_message)
    name = safe_name(chat)
    place = (Span(f" · {name}", Mark.BOLD),) if name else ()
    return title, *place, BREAK, Span(" · ".join(scene.names))


def headed(heading: Line, screen: Screen) -> Screen:
    """Puts a heading above the text of a screen."""
    return replace(screen, body=as_paragraphs(heading, screen.body))


def lost_room_line(scene: Scene) -> Line:
    """Tells a player that the table's room no longer shows it, and how the host can move it."""
    if not scene.is_room_lost:
        return ()
    return scene.translator.spans(
        "📪 I can't show this table in its chat any more. Its host can move it: /durak somewhere else there."
    )


def fading_line(translator: Translator) -> Line:
    """Warns that the chat soon stops updating these cards unless the player presses a button."""
    return translator.spans("⏳ Press any button here to keep these cards up to date.")


def elsewhere_screen(table: Table, table_message: MessageRef | None, translator: Translator) -> Screen:
    """Points to the table, where the player's cards are now shown, and offers to show them here."""
    title = replace(title_span(table, translator), link=table_message)
    back = button_to(ShowHand(table.id), translator.text("Show them here"), Tone.NEUTRAL)
    hush = button_to(WriteInPrivate(table.id, wanted=False), translator.text("Don't write to me here"))
    return Screen(translator.spans("Your cards moved to the table: {table}", table=title), ((back,), (hush,)))


def hushed_screen(table: Table, translator: Translator) -> Screen:
    """Confirms that the bot no longer writes here, and offers to switch that back."""
    again = button_to(WriteInPrivate(table.id, wanted=True), translator.text("Write to me here again"))
    body = translator.spans(
        "OK, I won't write to you here. “{button}” at the table shows your cards.",
        button=translator.text("My hand"),
    )
    return Screen(body, ((again,),))


def leaving_screen(scene: Scene) -> Screen:
    """Asks a leaving player how to leave."""
    table = scene.table
    translator = scene.translator

    def button(action: QuitAction, label: str, tone: Tone) -> CallbackButton:
        return button_to(QuitGame(table.id, table.game, action), label, tone)

    return Screen(
        body=translator.spans(
            "Leave? A bot plays on for you: the result stays yours, and any button brings you back. "
            "Or resign: the game ends, and you're the fool."
        ),
        rows=(
            (
                button(QuitAction.LEAVE, translator.text("Let a bot play on"), Tone.NEUTRAL),
                button(QuitAction.RESIGN, translator.text("Resign"), Tone.DANGER),
            ),
            (button(QuitAction.STAY, translator.text("Stay"), Tone.GOOD),),
        ),
    )


def left_screen(scene: Scene) -> Screen:
    """Offers a player who left to come back."""
    back = button_to(ShowHand(scene.table.id), scene.translator.text("Come back"), Tone.GOOD)
    return Screen(body=scene.translator.spans("You have left: a bot plays on for you."), rows=((back,),))


_WITHOUT_CARDS: Mapping[engine.Move, str] = {
    engine.Take(): gettext_noop("Take"),
    engine.Exchange(): gettext_noop("Swap my low trump"),
    engine.Keep(): gettext_noop("Keep my cards"),
    engine.Redeal(): gettext_noop("New deal"),
}


def move_label(move: engine.Move, view: engine.PublicView, translator: Translator) -> str:
    """Names a move for the seat that may make it."""
    match move:
        case engine.Done():
            is_all_beaten = view.bout and not view.taking and all(pair.beat is not None for pair in view.bout)
            return translator.text("Done") if is_all_beaten else translator.text("Pass")
        case engine.Attack(cards):
            return f"+ {cards_text(cards, translator)}" if view.bout else cards_text(cards, translator)
        case engine.Defend(card, attack):
            is_plain = sum(pair.beat is None for pair in view.bout) == 1
            beating = card_text(card, translator)
            return beating if is_plain else f"{card_text(attack, translator)} ← {beating}"
        case engine.Transfer(cards):
            return f"↪ {cards_text(cards, translator)}"
        case engine.ShowTrump(card):
            return translator.text("↪ show {card}", card=card_text(card, translator))
        case engine.LayAway(rank):
            return translator.text("Discard {rank}{rank}{rank}{rank}", rank=rank_text(rank, translator))
        case engine.Accuse(card):
            return translator.text("Caught: {card}", card=card_text(card, translator))

    return translator.text(_WITHOUT_CARDS[move])


def move_icon(move: engine.Move, translator: Translator) -> str:
    """Returns the name of a move's icon: its only card, as text; empty for other moves."""
    cards = engine.cards_needed_for(move)
    return card_text(cards[0], translator) if len(cards) == 1 else ""


def in_order_of(hand: Sequence[engine.Card], moves: Sequence[engine.Move]) -> list[engine.Move]:
    """Sorts moves: within each kind, and within the answers to a card, in the order of the hand.

    Transfers come first, so that their buttons keep their place when another card has to be beaten.
    """

    def kind(move: engine.Move) -> object:
        if isinstance(move, engine.Defend):
            return move.attack
        return type(move), len(engine.cards_needed_for(move))

    transfers_first = sorted(moves, key=lambda move: not isinstance(move, engine.Transfer | engine.ShowTrump))
    ordered: list[engine.Move] = []
    for _, alike in groupby(transfers_first, key=kind):
        ordered += sorted(alike, key=lambda move: list(map(hand.index, engine.cards_needed_for(move))))

    return ordered


def playable_cards(moves: Sequence[engine.Move], view: engine.SeatView) -> frozenset[engine.Card]:
    """Returns the cards of a hand that at least one of these moves uses."""
    return frozenset(card for move in moves for card in cards_used(move, view))


def cards_used(move: engine.Move, view: engine.SeatView) -> tuple[engine.Card, ...]:
    """Returns the cards of a hand that a move uses."""
    match move:
        case engine.LayAway(rank):
            return tuple(card for card in view.hand if card.rank is rank)
        case engine.Exchange():  # the six of trumps, or the lowest trump of a deck without sixes
            trumps = [
                card for card in view.hand if card.suit is view.public.trump and card.rank >= engine.Rank.SIX
            ]
            return (min(trumps),)

    return engine.cards_needed_for(move)
