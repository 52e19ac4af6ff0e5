"""Errors of the rules can be passed between processes unchanged."""

import pickle

import pytest

from engine.rules import errors, opening
from engine.rules.errors import (
    IllegalMoveError,
    InvalidRulesError,
    InvalidSettingError,
    InvalidTextError,
    Reason,
    SettingProblem,
)
from engine.rules.opening import InvalidOpeningError

EXAMPLES = (
    InvalidTextError("That is no card", 2, 3),
    InvalidSettingError(SettingProblem.WRONG_VALUE, "deck", "53", ("24", "36"), column=7),
    InvalidRulesError("too many players"),
    InvalidOpeningError("dealer", "There is no such seat"),
    IllegalMoveError(Reason.LIMIT, 1, "A 6H", "trump H"),
)


def test_every_error_has_an_example() -> None:
    names = vars(errors) | vars(opening)
    classes = {each for each in names.values() if isinstance(each, type) and issubclass(each, Exception)}
    assert classes == {type(each) for each in EXAMPLES}


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_in_another_process(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))
