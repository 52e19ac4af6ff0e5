"""aiogram's models of the Bot API, which check the bot's requests, and from which random updates are drawn.

It takes seconds to import, so it is imported at the first need.
"""

import datetime
from collections.abc import Iterable, Iterator
from importlib import import_module
from random import Random
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from tests.wire.telegram.schema import Json, Upload
from tests.wire.telegram.transcript import Sent

DEEPEST = 3
TEXTS = ("", " ", "Anna", "Зоя", "\u202eabc", "a\nb", "🃏" * 40, "<b>&amp;", "/durak@other", "x" * 5000)
NUMBERS = (0, 1, -1, 7, 2**31, -(2**31), 1_700_000_000)


def problems_of(sent: Sent) -> list[str]:
    """Returns the differences between a request and the model of its method."""
    methods = import_module("aiogram.methods")
    types = import_module("aiogram.types")
    name = sent.method[:1].upper() + sent.method[1:]
    model: type[BaseModel] | None = getattr(methods, name, None)
    if model is None:
        return [f"{sent.method} is unknown"]

    given = {
        name: types.BufferedInputFile(value.content, value.name) if isinstance(value, Upload) else value
        for name, value in sent.parameters.items()
        if name in model.model_fields
        or not isinstance(value, Upload)  # unless it is attached to another field
    }

    try:
        request = model.model_validate(given)
    except ValidationError as error:
        return [
            f"{sent.method}.{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
            for problem in error.errors()
        ]

    return [f"{sent.method}{where} is unknown" for where in _unknown_fields(request)]


def _unknown_fields(value: object, where: str = "") -> Iterator[str]:
    if isinstance(value, BaseModel):
        yield from (f"{where}.{name}" for name in value.model_extra or ())
        for name in value.model_fields_set & type(value).model_fields.keys():
            yield from _unknown_fields(getattr(value, name), f"{where}.{name}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _unknown_fields(item, f"{where}[{number}]")


# --- Random updates ---------------------------------------------------------------------------------------


def drawn_updates(kinds: Iterable[str], chance: Random) -> Iterator[tuple[str, Json]]:
    """Yields kinds and contents of random updates: each existing kind once, and then these `kinds`."""
    fields = import_module("aiogram.types").Update.model_fields
    for kind in [*(name for name in fields if name != "update_id"), *kinds]:
        yield kind, _drawn(fields[kind].annotation, chance, 0)


def _drawn(kind: Any, chance: Random, depth: int) -> Any:
    origin = get_origin(kind)
    parts = get_args(kind)
    if origin is Annotated:
        return _drawn(parts[0], chance, depth)
    if origin is Literal:
        return chance.choice(parts)
    if origin in {Union, UnionType}:
        return _drawn(chance.choice([part for part in parts if part is not type(None)]), chance, depth)
    if origin is list:
        return [_drawn(parts[0], chance, depth + 1) for _ in range(chance.randrange(3))]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _drawn_model(kind, chance, depth)

    if kind is bool:
        return chance.random() < 0.5
    if kind is float:
        return chance.random() * 100
    if kind in {datetime.datetime, datetime.timedelta}:
        return chance.randrange(2**31)
    if kind is int:
        return chance.choice(NUMBERS)

    return chance.choice(TEXTS)


def _drawn_model(model: type[BaseModel], chance: Random, depth: int) -> Json:
    likely = 0.25 if depth < DEEPEST else 0.0
    return {
        field.alias or name: _drawn(field.annotation, chance, depth + 1)
        for name, field in model.model_fields.items()
        if field.is_required() or get_origin(field.annotation) is Literal or chance.random() < likely
    }
