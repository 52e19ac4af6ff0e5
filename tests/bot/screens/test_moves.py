"""Every move of rule 15.1 has its own button."""

from bot.locale import Translator
from bot.screens.hand import move_label
from engine import Move, Rules, State
from tests.docs.pages import page, table_rows

MOVES = [row[0] for row in table_rows(page("docs/rules.md"), "move", "what it does", "rule")]
VIEW = State.setup(Rules(), hands=["6S 9D", "7S 8D"], talon="", trump="H", attacker=0).public_view()


def test_every_kind_of_move_has_a_label_that_no_other_has() -> None:
    labels = {text: move_label(Move.parse(text), VIEW, Translator("en")) for text in MOVES}
    assert all(labels.values())
    assert len(set(labels.values())) == len(MOVES)
