"""Which messages of the page nobody will see again."""

from typing import Any

from sqlalchemy import Select, case, func, select
from sqlmodel import col

from bot.storage.page_models import MessageRow


def old_messages(public: int, pressable: int, private: int) -> Select[Any]:
    """The ids of the messages that no page shows any more."""
    message = MessageRow
    buttons = func.coalesce(func.json_array_length(col(message.content)["rows"]), 0)
    place = func.row_number().over(
        partition_by=(col(message.room), col(message.guest_id)), order_by=col(message.id).desc()
    )
    every = select(
        col(message.id),
        col(message.room),
        col(message.guest_id),
        buttons.label("buttons"),
        place.label("place"),
    ).subquery()
    is_public, has_buttons = every.c.guest_id.is_(None), every.c.buttons > 0
    place = func.row_number().over(
        partition_by=(every.c.room, every.c.guest_id, has_buttons), order_by=every.c.id.desc()
    )
    older = (
        select(every.c.id, (is_public & has_buttons).label("may_stay"), place.label("place"))
        .where(every.c.place > case((is_public, public), else_=private))
        .subquery()
    )
    return select(older.c.id).where(~(older.c.may_stay & (older.c.place <= pressable)))
