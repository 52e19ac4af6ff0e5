"""Discord's published OpenAPI document, which every request and every answer is checked with."""

import json
from copy import deepcopy
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator, Registry, ValidationError

from tests.wire.discord.component_tree import walk
from tests.wire.specs import load_spec

DOCUMENT = "urn:discord"


class Schema:
    """The document with its paths."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = _strict(deepcopy(document))
        self._registry = Registry([(DOCUMENT, self._document)])
        self._validators: dict[str, Draft202012Validator] = {}

    def request_problems(self, method: str, path: str, body: object) -> list[str]:
        """Returns the errors in a request's JSON; `path` has placeholders, as in the document."""
        operation = self._operation(method, path)
        if operation is None:
            return [f"{method} {path} is not in Discord's API"]
        if "requestBody" not in operation:
            return [] if body is None else [f"{method} {path} takes no body"]
        return self._problems(_pointer(path, method, "requestBody", "content", _JSON, "schema"), body)

    def answer_problems(self, method: str, path: str, status: int, body: object) -> list[str]:
        """Returns the errors in an answer's JSON."""
        operation = self._operation(method, path) or {}
        content = operation.get("responses", {}).get(str(status), {}).get("content", {})
        if _JSON not in content:
            return []
        return self._problems(
            _pointer(path, method, "responses", str(status), "content", _JSON, "schema"), body
        )

    def _operation(self, method: str, path: str) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self._document["paths"].get(path, {}).get(method.lower())
        return found

    def _problems(self, pointer: str, body: object) -> list[str]:
        return [_sentence(error) for error in self._validator(pointer).iter_errors(body)]

    def _validator(self, pointer: str) -> Draft202012Validator:
        if pointer not in self._validators:
            schema = {"$ref": f"{DOCUMENT}#{pointer}"}
            self._validators[pointer] = Draft202012Validator(schema, registry=self._registry)
        return self._validators[pointer]


_JSON = "application/json"


def _sentence(error: ValidationError) -> str:
    """Describes the innermost error; among alternatives, that of the one with a fitting `type`."""
    while branches := [branch for branch in getattr(error.kind, "context", ()) if branch]:
        kind = [*error.instance_path, "type"]
        fitting = [branch for branch in branches if all(nested.instance_path != kind for nested in branch)]
        error = min(fitting or branches, key=len)[0]
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.instance_path)
    return f"${path}: {error.message[:200]}"


@cache
def schema() -> Schema | None:
    """Loads the schema once, since that takes a moment; None: there is no document."""
    document = load_spec("discord-openapi.json")
    return None if document is None else Schema(document)


def _pointer(path: str, method: str, *rest: str) -> str:
    parts = ("paths", path, method.lower(), *rest)
    return "".join("/" + part.translate(_ESCAPES) for part in parts)


_ESCAPES = str.maketrans({"~": "~0", "/": "~1", "{": "%7B", "}": "%7D"})


def _strict(document: dict[str, Any]) -> dict[str, Any]:
    """Forbids unlisted properties wherever the document lists any, so that misspelt ones are found."""
    for component in document["components"]["schemas"].values():
        if component.get("type") == "object" and "properties" in component and component["properties"]:
            component.setdefault("additionalProperties", False)
    return document


def without_quirks(path: str, body: object) -> object:
    """Rewrites the deviations of discord.py from the document that Discord accepts."""
    copy = json.loads(json.dumps(body))
    inner = copy
    if isinstance(copy, list):
        for command in copy:
            command.pop("nsfw", None)  # in Discord's guide, but not in the document

    if isinstance(copy, dict) and path.endswith("/callback"):
        inner = copy.get("data")

    if not isinstance(inner, dict):
        return copy

    _straighten(inner)
    return copy


def _straighten(inner: dict[str, Any]) -> None:
    """Rewrites the deviations within a message."""
    inner.pop("tts", None)  # also sent with edits
    if isinstance(inner.get("recipient_id"), int):  # a direct message's recipient as a number
        inner["recipient_id"] = str(inner["recipient_id"])

    for attachment in inner.get("attachments") or ():
        if isinstance(attachment["id"], int):  # an attachment's place in the upload as a number
            attachment["id"] = str(attachment["id"])

    for component in walk(inner.get("components") or ()):
        if isinstance((component.get("emoji") or {}).get("id"), int):  # an emoji's id as a number
            component["emoji"]["id"] = str(component["emoji"]["id"])

    mentions = inner.get("allowed_mentions") or {}
    if "users" in mentions:  # allowed people as numbers
        mentions["users"] = [str(user) for user in mentions["users"]]
