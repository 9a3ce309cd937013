"""Discord's published schema of its HTTP API, and a walker that says what is wrong with a request's body.

The project keeps what requests carry of it (`tests.support.reduced`). The walker follows Discord's own discriminator
(``type``), which a general validator does not know, so that each fault is one line. What a part of the schema asks is
worked out once, as a function of the value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from tests.support.reduced import KEPT

FLAT = {"type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"}
SENT_AND_IGNORED = {"nsfw", "tts"}
"""Keys the library sends and Discord ignores."""

PLAIN = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}

Schema = Mapping[str, Any]
Fault = tuple[str, str]
"""Where in the value, and what is wrong there."""

Check = Callable[[Any], list[Fault]]


class Api:
    """The schema, asked by method and path."""

    def __init__(self, document: Schema) -> None:
        self._document = document
        self._paths = [(_pattern(path), operations) for path, operations in document["paths"].items()]
        self._checks: dict[int, Check] = {}

    def faults(self, method: str, path: str, body: Any) -> list[str]:
        """What is wrong with a request; empty if nothing is."""
        for pattern, operations in self._paths:
            if pattern.fullmatch(path) and method.lower() in operations:
                request = operations[method.lower()].get("requestBody")
                if request is None:
                    return [] if body is None else ["a body where none is expected"]
                check = self._check(request["content"]["application/json"]["schema"])
                return [f"body{where}: {what}" for where, what in check(body)]
        return [f"no such operation: {method} {path}"]

    def _resolved(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            found: Any = self._document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            schema = found
        return schema

    def _check(self, schema: Schema) -> Check:
        """What a schema asks, worked out once.

        A schema is known by its place in memory, which is its own for as long as the document is kept.
        """
        schema = self._resolved(schema)
        place = id(schema)
        if place not in self._checks:
            # A schema may contain itself: inside, what it asks is looked up when a value is there.
            self._checks[place] = lambda value: self._checks[place](value)  # noqa: PLW0108 - another one by then
            self._checks[place] = self._worked_out(schema)
        return self._checks[place]

    def _worked_out(self, schema: Schema) -> Check:
        branches = schema.get("oneOf") or schema.get("anyOf")
        if branches:
            return self._choice([self._resolved(branch) for branch in branches])
        checks = [self._check(part) for part in schema.get("allOf", ())]
        if FLAT & schema.keys():
            checks.append(_flat(schema))
        checks.append(self._object(schema))
        if "items" in schema:
            checks.append(_each(self._check(schema["items"])))
        return lambda value: [fault for check in checks for fault in check(value)]

    def _choice(self, branches: list[Schema]) -> Check:
        """The faults of the branch that the value's type names, else of the one with the fewest."""
        if all("const" in branch for branch in branches):
            constants = [branch["const"] for branch in branches]
            return lambda value: [] if value in constants else [("", f"{value!r:.80} is none")]
        checks = [self._check(branch) for branch in branches]
        kinds = [self._types(branch) for branch in branches]

        def check(value: Any) -> list[Fault]:
            possible = checks
            if isinstance(value, dict) and "type" in value:
                of_type = [one for one, known in zip(checks, kinds, strict=True) if value["type"] in known]
                possible = of_type or possible
            found: list[list[Fault]] = []
            for one in possible:
                found.append(one(value))
                if not found[-1]:
                    break
            return min(found, key=len)

        return check

    def _types(self, schema: Schema) -> list[Any]:
        """The values that a branch's ``type`` may have."""
        named = self._resolved(schema.get("properties", {}).get("type", {}))
        found = list(named.get("enum", ()))
        found += [one["const"] for one in map(self._resolved, named.get("oneOf", ())) if "const" in one]
        return found + [kind for part in named.get("allOf", ()) for kind in self._types({"properties": {"type": part}})]

    def _object(self, schema: Schema) -> Check:
        properties = {name: self._check(inner) for name, inner in schema.get("properties", {}).items()}
        required = schema.get("required", ())
        further = schema.get("additionalProperties", not properties)
        others = self._check(further) if isinstance(further, Mapping) else None

        def check(value: Any) -> list[Fault]:
            if not isinstance(value, dict):
                return []
            found = [("", f"{name} is missing") for name in required if name not in value]
            for name, inner in value.items():
                of_value = properties.get(name, others)
                if of_value is not None:
                    found += [(f".{name}{where}", what) for where, what in of_value(inner)]
                elif not further and name not in SENT_AND_IGNORED:
                    found.append(("", f"{name} is not known"))
            return found

        return check


def _each(check: Check) -> Check:
    """What is asked of every item of a list."""

    def of_list(value: Any) -> list[Fault]:
        if not isinstance(value, list):
            return []
        return [(f"[{number}]{where}", what) for number, item in enumerate(value) for where, what in check(item)]

    return of_list


def _flat(schema: Schema) -> Check:
    """What is asked of the value itself; snowflakes may be written as numbers.

    A general validator finds the words for what is wrong; what is plainly sound never comes to it.
    """
    flat = {key: rule for key, rule in schema.items() if key in FLAT}
    validator, snowflake = Draft202012Validator(flat), schema.get("format") == "snowflake"

    def check(value: Any) -> list[Fault]:
        if (snowflake and isinstance(value, int)) or _plainly_sound(flat, value):
            return []
        return [("", f"{error.validator} {error.message[-80:]}") for error in validator.iter_errors(value)]

    return check


def _plainly_sound(flat: Schema, value: Any) -> bool:
    """Whether a value keeps the plain words of a schema; where that is not plain, it is said not to."""
    kinds = flat.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    if kinds and type(value) not in [PLAIN[kind] for kind in kinds]:
        return False
    if {"enum", "const"} & flat.keys():
        allowed = flat.get("enum", [flat.get("const")])
        return not flat.keys() - {"type", "enum", "const"} and any(
            type(one) is type(value) and one == value for one in allowed
        )
    if isinstance(value, str):
        pattern = flat.get("pattern")
        return _between(flat, "Length", len(value)) and (pattern is None or bool(re.search(pattern, value)))
    if isinstance(value, list):
        return _between(flat, "Items", len(value))
    if isinstance(value, int | float):
        return bool(flat.get("minimum", value) <= value <= flat.get("maximum", value))
    return True


def _between(flat: Schema, what: str, size: int) -> bool:
    return bool(flat.get(f"min{what}", size) <= size <= flat.get(f"max{what}", size))


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)))


@cache
def api() -> Api:
    """The schema that is kept."""
    return Api(json.loads(KEPT.read_text(encoding="utf-8")))
