"""A hand has one button for each legal move and for nothing else, on every chat."""

import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.port import CallbackButton, Limits, MessageRef, Span
from bot.model.profile import HandOrder
from bot.screens.hand import CONTROLS, Hand, hand_screen, playable_cards, turn_line
from bot.screens.table import title_span
from bot.screens.text import NO_BREAK, card_text
from engine import (
    PRESETS,
    Attack,
    Card,
    Done,
    Event,
    Keep,
    Move,
    Opening,
    Redeal,
    Rules,
    State,
    Take,
    seen_by,
)
from tests.bot.messages import buttons_of, text_of
from tests.bot.screens.scenes import (
    CHATS,
    TINY,
    TRANSLATOR,
    VERSION,
    hand_of,
    moves_on,
    pages_of,
    played,
    scene_of,
    with_names,
)
from tests.engine.rules.games import openings
from tests.engine.rules.test_secrecy import dealt_again
from tests.examples import examples

quick = examples(10)
chances = st.integers(0, 1_000_000).map(Random)
limits_of_chats = st.sampled_from([*CHATS, TINY])
HOLDS_ALL = State.setup(
    PRESETS["podkidnoy-52"],
    hands=[
        "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
        "2D 3D 4D 5D 6D 7D",
    ],
    talon="",
    trump="D",
    attacker=0,
)


@quick
@given(openings(), chances, limits_of_chats)
def test_every_legal_move_has_one_button_and_nothing_else_has(
    opening: Opening, chance: Random, limits: Limits
) -> None:
    for state, _ in played(opening, chance):
        for seat in state.actors:
            moves = state.fair_moves(seat)
            pages = pages_of(state, seat, limits)
            pressed = Counter(move for page in pages for move in moves_on(page))
            controls = {str(move) for move in moves if isinstance(move, CONTROLS)}
            assert set(pressed) == {str(move) for move in moves}
            for move, times in pressed.items():
                assert times == (len(pages) if move in controls else 1)


@quick
@given(openings(), chances, limits_of_chats)
def test_every_page_fits_into_a_message(opening: Opening, chance: Random, limits: Limits) -> None:
    for state, _ in played(opening, chance):
        for seat in state.actors:
            for page in pages_of(state, seat, limits):
                assert len(buttons_of(page)) <= limits.buttons
                assert len(page.rows) <= limits.buttons // limits.per_row
                assert all(0 < len(row) <= limits.per_row for row in page.rows)
                assert all(0 < len(button.label) <= limits.label for button in buttons_of(page))
                assert all(len(button.token.encode()) <= 64 for button in buttons_of(page))
                assert len({button.label for button in buttons_of(page)}) == len(buttons_of(page))
                assert len(text_of(page)) <= limits.body


@quick
@given(openings(), chances)
def test_a_hand_shows_its_own_cards_and_depends_on_no_hidden_one(opening: Opening, chance: Random) -> None:
    if opening.rules.throw_in_order == "strict":  # that rule asks whether those before one can add
        opening = replace(opening, rules=replace(opening.rules, throw_in_order="priority"))

    for state, events in played(opening, chance):
        for seat in range(state.players):
            shown = hand_of(state, seat, CHATS[0], events=events)
            hidden = seen_by(events, seat)
            assert hand_of(dealt_again(state, seat, chance), seat, CHATS[0], events=hidden) == shown


def test_who_may_not_act_has_no_button() -> None:
    labels = [button.label for button in buttons_of(hand_of(HOLDS_ALL, 1, CHATS[0]))]
    assert labels == ["⇅ By suit", "🚪 Leave"]


def test_a_hand_is_enough_to_follow_the_game_from() -> None:
    state = State.setup(
        PRESETS["podkidnoy-36"], hands=["6S 7H", "9S 6H 7D", "TD 7C"], talon="JC QH", trump="H", attacker=0
    )
    attack = state.apply(0, Move.parse("A 6S"))
    text = text_of(hand_of(attack.state, 2, CHATS[0], events=attack.events)).replace(NO_BREAK, " ")

    for line in (
        *("⏳ Player 1 is thinking.", "Player 0 attacks with 6♠.", "Trump Q♥ · deck 2 · discard 0"),
        *("⚔️ Player 0 (1) · 🛡 Player 1 (3)", "  6♠ ← …", "Your 2 cards"),
    ):
        assert f"{line}\n" in text


THREE = State.setup(
    PRESETS["podkidnoy-36"],
    hands=["6S 7H 9C", "9S 6H 7D", "9D 7C AD"],
    talon="JC QH",
    trump="H",
    attacker=0,
)


@pytest.mark.parametrize(
    ("moves", "first_lines"),
    [
        (
            "",
            (
                "⚔️ Your turn: attack Player 1!",
                "⏳ Player 0 attacks you next.",
                "⏳ Player 0 leads against Player 1.",
            ),
        ),
        (
            "0 A 6S",
            ("⏳ Player 1 is thinking.", "🛡 Your turn: beat 6♠ (Player 0)", "⏳ Player 1 is thinking."),
        ),
        (
            "0 A 6S|1 D 6S 9S",
            (
                "➕ Throw in, or press Done.",
                "✅ All beaten. Player 0 and Player 2 can still throw in.",
                "➕ Throw in, or press Done.",
            ),
        ),
        (
            "0 A 6S|1 D 6S 9S|0 P",
            (
                "✅ You’ve passed. Player 2 can still throw in.",
                "✅ All beaten. Player 0 and Player 2 can still throw in.",
                "➕ Throw in, or press Done.",
            ),
        ),
        (
            "0 A 7H|1 T",
            (
                "👉 Player 1 takes. Nothing to throw in: press Pass.",
                "📥 You take. Player 0 and Player 2 can still throw in.",
                "➕ Player 1 takes. Throw in, or press Pass.",
            ),
        ),
        (
            "0 A 6S|1 D 6S 9S|2 A 9D",
            ("⏳ Player 1 is thinking.", "🛡 Your turn: beat 9♦ (Player 2)", "⏳ Player 1 is thinking."),
        ),
    ],
)
def test_the_first_line_of_a_hand_says_whether_its_owner_has_to_act_or_whom_they_wait_for(
    moves: str, first_lines: tuple[str, ...]
) -> None:
    state = THREE
    events = tuple[Event, ...]()
    for each in filter(None, moves.split("|")):
        seat, _, move = each.partition(" ")
        step = state.apply(int(seat), Move.parse(move))
        state = step.state
        events = (*events, *step.events)

    shown = [text_of(hand_of(state, seat, CHATS[0], events=events)).partition("\n")[0] for seat in range(3)]
    assert shown == list(first_lines)


@pytest.mark.parametrize(
    ("preset", "moves", "seat", "line"),
    [
        ("podkidnoy-36", "0 A 6S", 1, "🛡 Your turn: beat 6♠"),
        ("perevodnoy", "0 A 6S", 1, "🛡 Your turn: beat 6♠ or transfer"),
        ("podkidnoy-36", "0 A 6S|1 T", 0, "➕ Throw in, or press Pass."),
        ("podkidnoy-36", "0 A 6S|1 T|0 A 6C", 0, "➕ Player 1 takes. Throw in, or press Pass."),
    ],
)
def test_the_line_of_a_turn_below_the_news_repeats_no_name_and_mentions_a_transfer(
    preset: str, moves: str, seat: int, line: str
) -> None:
    hands = ["6S 6C 6H", "6D 9S KH", "7C 8C 9C"]
    state = State.setup(PRESETS[preset], hands=hands, talon="AH", trump="H", attacker=0)
    events = tuple[Event, ...]()
    for each in moves.split("|"):
        mover, _, move = each.partition(" ")
        step = state.apply(int(mover), Move.parse(move))
        state = step.state
        events = (*events, *step.events)

    hand = Hand(scene_of(state, events), state.view_for(seat), VERSION, state.legal_moves(seat))
    assert "".join(span.text for span in turn_line(hand, is_below_news=True)) == line


def test_the_line_of_a_turn_beside_a_clock_does_not_repeat_its_time() -> None:
    state = State.setup(PRESETS["podkidnoy-36"], hands=["6S 7H", "9S KH"], talon="AH", trump="H", attacker=0)
    for seat, move in ((0, "A 6S"), (1, "D 6S 9S")):
        state = state.apply(seat, Move.parse(move)).state

    hand = Hand(scene_of(state), state.view_for(0), VERSION, state.legal_moves(0), passes_in=20)
    assert "(passes after 20" in "".join(span.text for span in turn_line(hand))
    assert "(passes after" not in "".join(span.text for span in turn_line(hand, is_below_news=True))


def test_the_first_line_of_a_hand_calls_somebody_to_move_exactly_where_they_have_to() -> None:
    acting = set[str]()
    waiting = set[str]()
    for preset in PRESETS:
        for state, _ in played(Opening(PRESETS[preset], 4, "5eed", shuffle=1, edition=1), Random(3)):
            for seat in range(state.players) if state.outcome() is None else ():
                line = text_of(hand_of(state, seat, CHATS[0])).partition("\n")[0]
                sort = line.partition(" ")[0]
                if seat in state.awaited:
                    acting.add(sort)
                elif not any(isinstance(move, Attack) for move in state.fair_moves(seat)):
                    waiting.add(sort)  # a player who may add a card early also has a choice

    assert acting == {"⚔️", "🛡", "➕", "👉"}
    assert {"⏳", "✅", "📥"} < waiting
    assert not acting & waiting


@pytest.mark.parametrize("preset", PRESETS)
def test_no_card_on_the_table_is_told_three_times_in_one_hand(preset: str) -> None:
    for state, events in played(Opening(PRESETS[preset], 4, "5eed", shuffle=1, edition=1), Random(3)):
        for seat in range(state.players) if state.outcome() is None else ():
            shown = text_of(hand_of(state, seat, CHATS[0], events=seen_by(events, seat)))
            told = Counter(re.findall(r"(?:10|[2-9JQKA])[♠♥♦♣]", shown))
            for pair in state.bout:
                assert told[card_text(pair.attack, TRANSLATOR)] <= 2, shown


def test_a_hand_leads_back_to_the_table() -> None:
    hand = Hand(scene_of(HOLDS_ALL), HOLDS_ALL.view_for(1), VERSION)
    message = MessageRef("chat", "7")
    screen = hand_screen(hand, CHATS[0], table_message=message)
    title = title_span(scene_of(HOLDS_ALL).table, TRANSLATOR).text
    assert (screen.body[-1].text, screen.body[-1].link) == (title, message)


@quick
@given(openings(), chances)
def test_a_hand_is_as_short_as_a_message_must_be_that_one_member_sees(
    opening: Opening, chance: Random
) -> None:
    names = tuple("W" * 64 + str(seat) for seat in range(8))
    for state, events in played(opening, chance):
        scene = with_names(scene_of(state, events), names[: state.players])
        for seat in range(state.players):
            assert len(text_of(hand_of(state, seat, CHATS[1], 0, scene))) <= 1000


@pytest.mark.parametrize("limits", CHATS)
def test_a_hand_of_twenty_six_cards_fits_with_the_longest_names(limits: Limits) -> None:
    scene = with_names(scene_of(HOLDS_ALL), ("🐊" * 64, "W" * 64))
    screen = hand_of(HOLDS_ALL, 0, limits, 0, scene)
    assert len(text_of(screen)) <= limits.body
    assert "Your 26 cards" in text_of(screen)
    assert sum(len(moves_on(page)) for page in pages_of(HOLDS_ALL, 0, limits)) == 26


def test_pages_turn_round_and_a_page_beyond_the_last_is_some_page() -> None:
    pages = pages_of(HOLDS_ALL, 0, TINY)
    assert len(pages) == 5
    assert [button.label for page in pages for button in buttons_of(page) if "▶" in button.label] == [
        f"▶ {page}/5" for page in range(1, 6)
    ]
    assert hand_of(HOLDS_ALL, 0, TINY, page=5) == pages[0]
    assert hand_of(HOLDS_ALL, 0, TINY, page=10**9)


def test_cards_stand_from_low_to_high_with_the_trumps_last() -> None:
    state = State.setup(
        PRESETS["podkidnoy-36"],
        hands=["AS 6H TD 7C 9H", "6S 7S 8S"],
        talon="QH",
        trump="H",
        attacker=0,
    )
    assert text_of(hand_of(state, 0, TINY)).endswith("7♣ 10♦ A♠ 6♥ 9♥")


SORTED = State.setup(
    PRESETS["perevodnoy"], hands=["6S 9S 7D AS 7C", "8S TD 8C 9C 6H"], talon="QH", trump="H", attacker=0
)


def test_cards_and_their_buttons_stand_suit_by_suit_where_somebody_wants_that() -> None:
    by_suit = hand_of(SORTED, 0, TINY, order=HandOrder.SUIT)
    assert text_of(by_suit).endswith("7♣ 7♦ 6♠ 9♠ A♠")
    assert [button.label for button in buttons_of(by_suit)] == [
        *("7♣", "7♦", "6♠", "9♠", "A♠", "⇅ By rank", "🚪 Leave", "💡 Hint")
    ]

    by_rank = hand_of(SORTED, 0, TINY)
    assert text_of(by_rank).endswith("6♠ 7♣ 7♦ 9♠ A♠")
    assert [button.label for button in buttons_of(by_rank)] == [
        *("6♠", "7♣", "7♦", "9♠", "A♠", "⇅ By suit", "🚪 Leave", "💡 Hint")
    ]


def test_a_ten_stands_where_the_rules_rank_it() -> None:
    state = State.setup(
        PRESETS["punktedurak"], hands=["9S TD JC AD KC", "8S 9C 6H"], talon="QH", trump="H", attacker=0
    )
    assert text_of(hand_of(state, 0, TINY)).endswith("9♠ J♣ K♣ 10♦ A♦")
    assert text_of(hand_of(state, 0, TINY, order=HandOrder.SUIT)).endswith("J♣ K♣ 10♦ A♦ 9♠")


def test_answers_to_one_attack_stay_together_however_a_hand_is_sorted() -> None:
    state = SORTED.apply(0, SORTED.legal_moves(0)[0]).state
    for order in HandOrder:
        labels = [button.label for button in buttons_of(hand_of(state, 1, CHATS[1], order=order))]
        assert labels[:3] == ["↪ 6♥", "8♠", "6♥"]


def test_buttons_stay_where_they_are_when_more_is_to_be_beaten() -> None:
    state = (
        State.setup(
            replace(PRESETS["perevodnoy"], throw_in_timing="anytime"),
            hands=["8S 8D 7C", "8H 9S 9D TS JC", "KH KS KC AC"],
            talon="QC",
            trump="C",
            attacker=0,
        )
        .apply(0, Move.parse("A 8S"))
        .state
    )
    before = moves_on(hand_of(state, 1, TINY))
    after = moves_on(hand_of(state.apply(0, Move.parse("A 8D")).state, 1, TINY))

    assert before[:-1] == ["X 8H", "D 8S 9S", "D 8S TS", "D 8S JC"]
    assert after[: len(before) - 1] == before[:-1]


def test_a_single_card_needs_no_order() -> None:
    state = State.setup(PRESETS["podkidnoy-36"], hands=["6S", "7S"], talon="QH", trump="H", attacker=0)
    assert [button.label for button in buttons_of(hand_of(state, 0, TINY))] == ["6♠", "🚪 Leave"]


def test_a_hint_is_offered_where_there_is_a_choice_unless_the_table_wants_none() -> None:
    assert f"i:{10**9}" in [button.token for button in buttons_of(hand_of(SORTED, 0, TINY))]
    assert f"i:{10**9}" not in [button.token for button in buttons_of(hand_of(SORTED, 1, TINY))]
    scene = scene_of(SORTED)
    options = replace(scene.table.options, hints=False)
    without = replace(scene, table=replace(scene.table, options=options))
    assert f"i:{10**9}" not in [
        button.token for button in buttons_of(hand_of(SORTED, 0, TINY, scene=without))
    ]


DECK_24 = replace(PRESETS["podkidnoy-24"], trump_six_exchange=True)
DECK_52 = replace(PRESETS["podkidnoy-52"], trump_six_exchange=True)
FOURS = replace(PRESETS["podkidnoy-36"], lay_away_four=True)
NO_ATTACK = "9S 9D 9C TD"


@pytest.mark.parametrize(
    ("rules", "hand", "moves", "playable"),
    [
        (DECK_24, "9S 9H AD", "A 9S", "9S"),
        (DECK_24, "9S TH AD", "A AD|A TH", "TH AD"),
        (DECK_24, "9S 9H AD", "E", "9H"),
        (DECK_52, "2H 6H 7H AH AS", "E", "6H"),
        (FOURS, "8S 8H 8D 8C 9D", "L 8|A 9D", "8S 8H 8D 8C 9D"),
        (FOURS, "8S 8H 8D 8C 9D", "T", ""),
        (FOURS, "8S 8H 8D 8C 9D", "D 6D 9D|D 6D 8H|X 8C 8S|V 8D", "9D 8H 8C 8S 8D"),
    ],
)
def test_the_cards_that_a_move_uses_are_playable(rules: Rules, hand: str, moves: str, playable: str) -> None:
    state = State.setup(rules, hands=[hand, NO_ATTACK], talon="KH KS", trump="H", attacker=0)
    found = playable_cards([Move.parse(move) for move in moves.split("|")], state.view_for(0))
    assert found == frozenset(map(Card.parse, playable.split()))


@quick
@given(openings(), chances)
def test_a_card_is_playable_if_a_button_needs_it(opening: Opening, chance: Random) -> None:
    for state, _ in played(opening, chance):
        for seat in state.actors:
            moves = state.fair_moves(seat)
            cards = playable_cards(moves, state.view_for(seat))
            assert cards <= set(state.hands[seat])
            assert bool(cards) is any(not isinstance(move, Take | Done | Keep | Redeal) for move in moves)


def test_take_warns_and_no_card_looks_recommended() -> None:
    state = State.setup(
        PRESETS["podkidnoy-36"], hands=["6S 7H 8D", "9S 6H 7D"], talon="QH", trump="H", attacker=0
    )
    others = {"⇅ By suit": "NEUTRAL", "💡 Hint": "NEUTRAL", "🚪 Leave": "NEUTRAL"}

    attack = {button.label: button.tone.name for button in buttons_of(hand_of(state, 0, TINY))}
    assert attack == {"6♠": "NEUTRAL", "8♦": "NEUTRAL", "7♥": "NEUTRAL", **others}

    state = state.apply(0, state.legal_moves(0)[0]).state
    defence = {button.label: button.tone.name for button in buttons_of(hand_of(state, 1, TINY))}
    assert defence == {"9♠": "NEUTRAL", "6♥": "NEUTRAL", "Take": "DANGER", **others}


def test_a_button_says_which_version_it_was_offered_at() -> None:
    *tokens, sort, leave, hint = [button.token for button in buttons_of(hand_of(HOLDS_ALL, 0, CHATS[1]))]
    assert len(tokens) == 26
    assert sort == f"s:{10**9}:suit"
    assert hint == f"i:{10**9}"
    assert leave == f"q:{10**9}:1:ask"
    assert all(token.startswith(f"m:{10**9}:{VERSION}:A ") for token in tokens)


def test_a_hostile_name_stays_inside_its_own_span() -> None:
    scene = with_names(scene_of(HOLDS_ALL), ("*_~`||", "<b>@everyone</b>"))
    body = hand_of(HOLDS_ALL, 0, CHATS[0], 0, scene).body
    assert any(isinstance(span, Span) and span.text == "<b>@everyone</b>" for span in body)


@pytest.mark.parametrize("limits", [*CHATS, TINY])
def test_taking_or_passing_never_stands_beside_leaving(limits: Limits) -> None:
    opening = Opening(PRESETS["perevodnoy"], 3, "5eed", shuffle=1)
    for state, _ in played(opening, Random(7)):
        for seat in state.actors:
            for page in pages_of(state, seat, limits):
                for row in page.rows:
                    tokens = {button.token[0] for button in row if isinstance(button, CallbackButton)}
                    assert "m" not in tokens or tokens == {"m"}
