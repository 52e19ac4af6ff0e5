"""Builders of the boards and hands that the bot gives to chats that draw them."""

from collections.abc import Sequence

from adapters.port import (
    Board,
    BoardMove,
    BoardPair,
    BoardSeat,
    CallbackButton,
    HandBoard,
    LobbyBoard,
    LobbySeat,
    LobbyView,
    Mark,
    MoveKind,
    Role,
    Screen,
    Span,
    UserRef,
)

ID = "1:1"
HOSTS = ("t:Add bot", "t:Settings", "t:Start", "t:Leave", "t:Close")


def board(
    name: str = "Anna",
    user: str = "anna",
    *others: str,
    bout: Sequence[tuple[str, str | None]] = (),
    step: int = 1,
    counts: Sequence[int] = (),
    attacker: int = 0,
    **different: object,
) -> Board:
    """Builds the board of a table with `name` and others; the player after the attacker defends."""
    names = (name, *(others or ("🤖 Ada",)))
    defender = (attacker + 1) % len(names)
    roles = {attacker: Role.ATTACKER, defender: Role.DEFENDER}
    users = {0: UserRef("web", user)}
    sizes = counts or (6,) * len(names)

    facts: dict[str, object] = {
        "id": ID,
        "step": step,
        "title": "Durak · game 1",
        "seats": tuple(
            BoardSeat(
                player,
                users.get(seat),
                sizes[seat],
                roles.get(seat, Role.NONE),
                is_awaited=seat == attacker,
            )
            for seat, player in enumerate(names)
        ),
        "trump": "H",
        "turn_up": "7H",
        "talon": 24,
        "discard": 0,
        "discarded": (),
        "bout": tuple(BoardPair(attack, beat, attacker) for attack, beat in bout),
        "is_taking": False,
        "status": (Span(f"{names[attacker]} attacks."),),
        "latest": (),
    }

    return Board(**(facts | different))  # type: ignore[arg-type] # by name


def move(text: str, kind: MoveKind | None = None, version: int = 1, label: str = "") -> BoardMove:
    """Builds a move from its text, such as `A 9H 9S`."""
    letter, *cards = text.split()
    kinds = {
        "A": MoveKind.ATTACK,
        "D": MoveKind.BEAT,
        "X": MoveKind.TRANSFER,
        "V": MoveKind.SHOW,
        "T": MoveKind.TAKE,
        "P": MoveKind.DONE,
        "E": MoveKind.EXCHANGE,
        "K": MoveKind.KEEP,
        "R": MoveKind.REDEAL,
    }
    attack = cards.pop(0) if letter == "D" else None

    return BoardMove(f"m:1:{version}:{text}", kind or kinds[letter], tuple(cards), attack, label or text)


def hand(cards: str, *moves: str, version: int = 1, seat: int = 0, **different: object) -> HandBoard:
    """Builds a hand that may make these moves."""
    facts: dict[str, object] = {
        "id": ID,
        "step": 1,
        "seat": seat,
        "cards": tuple(cards.split()),
        "moves": tuple(move(text, version=version) for text in moves),
        "is_awaited": bool(moves),
        "says": (Span("You attack Ada."),),
    }
    return HandBoard(**(facts | different))  # type: ignore[arg-type] # by name


def lobby(*names: str, user: str = "anna", **different: object) -> LobbyBoard:
    """Builds the lobby of a table before the deal, opened by the first of its players.

    Its message has the buttons `l:Join`, `l:Start` and others of `screen`.
    """
    users = {0: UserRef("web", user)}
    players = tuple(LobbySeat(name, users.get(place), is_host=not place) for place, name in enumerate(names))

    facts: dict[str, object] = {
        "id": ID,
        "about": (Span("Durak · game 1", Mark.BOLD),),
        "heading": f"Players {len(names)} of 4",
        "players": players,
        "most": 4,
        "seal": (Span("Deal sealed"),),
        "for_host": LobbyView((Span("Press Start."),), HOSTS, "t:Start"),
        "for_seated": LobbyView((Span(f"Waiting for {names[0]} to start."),), ("t:Leave",)),
        "for_others": LobbyView((Span("There is a seat for you."),), ("t:Join",), "t:Join"),
    }

    return LobbyBoard(**(facts | different))  # type: ignore[arg-type] # by name


def screen(of: Board | LobbyBoard | HandBoard, *others: str) -> Screen:
    """Builds a screen with a table or a hand, buttons for its moves, and other buttons."""
    moves = of.moves if isinstance(of, HandBoard) else ()

    rows = (
        tuple(CallbackButton(move.token, move.label) for move in moves),
        tuple(CallbackButton(f"t:{label}", label) for label in others),
    )
    return Screen((Span("in words"),), tuple(row for row in rows if row), board=of)
