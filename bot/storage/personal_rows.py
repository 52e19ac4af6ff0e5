"""Rows about people: what `/mydata` calls them, and what `/forgetme` does with them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, delete, update

# Removes a person from the rows that refer to them in a column.
Erase = Callable[[Session, Any, int], None]


def delete_rows(session: Session, person: Any, number: int) -> None:
    """Deletes the rows."""
    session.exec(delete(person.class_).where(col(person) == number))


def clear(session: Session, person: Any, number: int) -> None:
    """Sets the person in the rows to NULL."""
    session.exec(update(person.class_).where(col(person) == number).values({col(person): None}))


def keep(_session: Session, _person: Any, _number: int) -> None:
    """Changes nothing, as the person in the rows is nameless from now on."""


@dataclass(frozen=True, slots=True)
class PersonalRows:
    """Rows about people; the column `person` has the id of the person a row is about."""

    name: str
    person: Any
    erase: Erase = delete_rows

    def forget(self, session: Session, number: int) -> None:
        """Deletes the rows about a person, clears the person in them, or keeps them, as `erase` decides."""
        self.erase(session, self.person, number)
