"""Counts the games of a length from a position, as chess programs do."""

from pathlib import Path

from engine import Opening, State

FILE = Path(__file__).parent / "perft.txt"
_COUNT = "games of "


def count(state: State, moves: int) -> int:
    """Returns the number of ways to make this many moves; a game that ends earlier isn't counted."""
    if moves == 0:
        return 1

    steps = [(seat, move) for seat in sorted(state.actors) for move in state.legal_moves(seat)]
    if moves == 1:
        return len(steps)

    return sum(count(state.apply(seat, move).state, moves - 1) for seat, move in steps)


def blocks(text: str) -> list[str]:
    """Returns the positions of the file, each with its title and its counts."""
    return [f"# {block.strip()}\n" for block in text.split("\n# ")[1:]]


def recounted(block: str) -> str:
    """Returns the block with its counts recomputed, to the same lengths."""
    title, *lines = block.splitlines()
    start = [line for line in lines if not line.startswith(_COUNT)]
    lengths = [int(line.removeprefix(_COUNT).split()[0]) for line in lines if line.startswith(_COUNT)]
    state = Opening.from_text(start[0]).deal() if len(start) == 1 else State.from_text("\n".join(start))
    return "\n".join(
        [title, *start, *(f"{_COUNT}{length} moves: {count(state, length)}" for length in lengths), ""]
    )


def regenerated(text: str) -> str:
    """Returns the file with all its counts recomputed."""
    heading = text.partition("\n# ")[0]
    return "\n".join([heading, *map(recounted, blocks(text))])
