"""The published description of the Bot API, which requests and updates are checked with."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Upload:
    """A file that came with a request."""

    name: str
    content: bytes


class Schema:
    """The published methods and types; without them (`spec` is None), everything passes."""

    def __init__(self, spec: Json | None) -> None:
        self.spec = spec

    def knows(self, method: str) -> bool:
        """Returns whether the published API has this method."""
        return self.spec is None or method in self.spec["methods"]

    def read(self, method: str, given: Json) -> tuple[Json, list[str]]:
        """Decodes the parameters of a form, and returns them with their problems."""
        if self.spec is None:
            return {name: _guess(value) for name, value in given.items()}, []

        described = {
            parameter["name"]: parameter for parameter in self.spec["methods"][method].get("fields", ())
        }
        problems = [f"{method} has no parameter {name}" for name in given if name not in described]
        problems += [
            f"{method} lacks {name}"
            for name, parameter in described.items()
            if parameter["required"] and name not in given
        ]
        decoded: Json = {}

        for name, value in given.items():
            if name in described:
                decoded[name] = _decode(value, described[name]["types"])
                problems += self._check(decoded[name], described[name]["types"], f"{method}.{name}")

        return decoded, problems

    def check(self, value: object, kind: str) -> list[str]:
        """Returns the problems of `value` as an object of the type `kind`."""
        return [] if self.spec is None else self._check(value, [kind], kind)

    def _check(self, value: object, kinds: list[str], where: str) -> list[str]:
        attempts = [self._check_kind(value, kind, where) for kind in kinds]
        return min(attempts, key=len)

    def _check_kind(self, value: object, kind: str, where: str) -> list[str]:
        if kind.startswith("Array of "):
            if not isinstance(value, list):
                return [f"{where} is no array"]

            inner = kind.removeprefix("Array of ")
            return [
                problem
                for n, item in enumerate(value)
                for problem in self._check(item, [inner], f"{where}[{n}]")
            ]

        if kind in _PLAIN:
            return [] if _PLAIN[kind](value) else [f"{where} is no {kind}: {value!r}"]
        if not isinstance(value, dict):
            return [f"{where} is no {kind}: {value!r}"]

        return self._check_object(value, kind, where)

    def _check_object(self, value: Json, kind: str, where: str) -> list[str]:
        assert self.spec is not None
        described = self.spec["types"][kind]
        if "subtypes" in described:
            return self._check(value, described["subtypes"], where)

        fields = {field["name"]: field for field in described.get("fields", ())}
        problems = [f"{where}: {kind} has no field {name}" for name in value if name not in fields]
        for name, field in fields.items():
            if name in value:
                problems += self._check(value[name], field["types"], f"{where}.{name}")
            elif field["required"]:
                problems.append(f"{where}: {kind} lacks {name}")

        return problems


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_PLAIN: dict[str, Callable[[object], bool]] = {
    "Integer": _is_integer,
    "Float": lambda value: isinstance(value, float) or _is_integer(value),
    "String": lambda value: isinstance(value, str),
    "Boolean": lambda value: isinstance(value, bool),
    "True": lambda value: value is True,
    "InputFile": lambda value: isinstance(value, Upload),
}


def _decode(value: object, kinds: list[str]) -> object:
    """Decodes the text of a form by the types of the parameter."""
    if not isinstance(value, str):
        return value
    readable = [kind for kind in kinds if kind not in {"String", "InputFile"}]
    return _guess(value) if readable else value


def _guess(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
