"""Discord's published schema of its HTTP API, and a walker that says what is wrong with a request's body.

The project keeps what requests carry of it (`tests.support.reduced`). The walker follows Discord's own discriminator
(``type``), which a general validator does not know, so that each fault is one line.
"""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from tests.support.reduced import KEPT

FLAT = {"type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"}
SENT_AND_IGNORED = {"nsfw", "tts"}
"""Keys the library sends and Discord ignores."""

Schema = Mapping[str, Any]


class Api:
    """The schema, asked by method and path."""

    def __init__(self, document: Schema) -> None:
        self._document = document
        self._paths = [(_pattern(path), operations) for path, operations in document["paths"].items()]
        self._kinds: dict[int, list[Any]] = {}
        self._sound: set[tuple[int, str]] = set()
        self._ends: dict[int, Schema] = {}
        self._flats: dict[int, Draft202012Validator | None] = {}
        self._sound_values: set[tuple[int, type, Any]] = set()

    def faults(self, method: str, path: str, body: Any) -> list[str]:
        """What is wrong with a request; empty if nothing is."""
        for pattern, operations in self._paths:
            if pattern.fullmatch(path) and method.lower() in operations:
                request = operations[method.lower()].get("requestBody")
                if request is None:
                    return [] if body is None else ["a body where none is expected"]
                return list(self._check(request["content"]["application/json"]["schema"], body, "body"))
        return [f"no such operation: {method} {path}"]

    def _resolved(self, schema: Schema) -> Schema:
        """What a reference leads to, followed once: a schema is known by its place in memory, as in `_faults`."""
        if "$ref" not in schema:
            return schema
        if id(schema) not in self._ends:
            self._ends[id(schema)] = self._followed(schema)
        return self._ends[id(schema)]

    def _followed(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            found: Any = self._document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            schema = found
        return schema

    def _check(self, schema: Schema, value: Any, where: str) -> Iterator[str]:
        schema = self._resolved(schema)
        branches = schema.get("oneOf") or schema.get("anyOf")
        if branches:
            yield from self._best(branches, value, where)
            return
        for part in schema.get("allOf", ()):
            yield from self._check(part, value, where)
        yield from self._flat_faults(schema, value, where)
        if isinstance(value, Mapping):
            yield from self._check_object(schema, value, where)
        if isinstance(value, list) and "items" in schema:
            for number, item in enumerate(value):
                yield from self._check(schema["items"], item, f"{where}[{number}]")

    def _faults(self, schema: Schema, value: Any, where: str) -> list[str]:
        """All faults. Buttons and menus come again with every message: one found sound is not looked at again.

        A schema is known by its place in memory, which is its own for as long as the document is kept.
        """
        met = (id(schema), json.dumps(value, sort_keys=True))
        if met in self._sound:
            return []
        found = list(self._check(schema, value, where))
        if not found:
            self._sound.add(met)
        return found

    def _best(self, branches: list[Schema], value: Any, where: str) -> list[str]:
        """The faults of the branch that the value's type names, else of the one with the fewest."""
        possible = [self._resolved(branch) for branch in branches]
        if all("const" in branch for branch in possible):
            return [] if any(branch["const"] == value for branch in possible) else [f"{where}: {value!r:.80} is none"]
        if isinstance(value, Mapping) and "type" in value:
            of_type = [branch for branch in possible if value["type"] in self._kinds_of(branch)]
            possible = of_type or possible
        found: list[list[str]] = []
        for branch in possible:
            found.append(self._faults(branch, value, where))
            if not found[-1]:
                break
        return min(found, key=len)

    def _kinds_of(self, branch: Schema) -> list[Any]:
        """What `_types` says, worked out once a branch."""
        if id(branch) not in self._kinds:
            self._kinds[id(branch)] = self._types(branch)
        return self._kinds[id(branch)]

    def _types(self, schema: Schema) -> list[Any]:
        """The values that a branch's ``type`` may have."""
        named = self._resolved(schema.get("properties", {}).get("type", {}))
        found = list(named.get("enum", ()))
        found += [one["const"] for one in map(self._resolved, named.get("oneOf", ())) if "const" in one]
        return found + [kind for part in named.get("allOf", ()) for kind in self._types({"properties": {"type": part}})]

    def _check_object(self, schema: Schema, value: Mapping[str, Any], where: str) -> Iterator[str]:
        properties = schema.get("properties", {})
        yield from (f"{where}: {name} is missing" for name in schema.get("required", ()) if name not in value)
        further = schema.get("additionalProperties", not properties)
        for name, inner in value.items():
            if name in properties:
                yield from self._check(properties[name], inner, f"{where}.{name}")
            elif isinstance(further, Mapping):
                yield from self._check(further, inner, f"{where}.{name}")
            elif not further and name not in SENT_AND_IGNORED:
                yield f"{where}: {name} is not known"

    def _flat_faults(self, schema: Schema, value: Any, where: str) -> list[str]:
        """Faults of the value itself; snowflakes may be written as numbers. What was found sound is not asked again."""
        if schema.get("format") == "snowflake" and isinstance(value, int):
            return []
        if id(schema) not in self._flats:
            self._flats[id(schema)] = _validator_of(schema)
        validator = self._flats[id(schema)]
        if validator is None:
            return []
        met = (id(schema), type(value), value) if isinstance(value, str | int | None) else None
        if met in self._sound_values:
            return []
        found = [f"{where}: {error.validator} {error.message[-80:]}" for error in validator.iter_errors(value)]
        if met is not None and not found:
            self._sound_values.add(met)
        return found


def _validator_of(schema: Schema) -> Draft202012Validator | None:
    """What checks a value by the plain words of a schema; None where it has none."""
    flat = tuple((key, repr(rule)) for key, rule in schema.items() if key in FLAT)
    return _validator(flat) if flat else None


@cache
def _validator(flat: tuple[tuple[str, str], ...]) -> Draft202012Validator:
    return Draft202012Validator({key: literal_eval(rule) for key, rule in flat})


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)))


@cache
def api() -> Api:
    """The schema that is kept."""
    return Api(json.loads(KEPT.read_text(encoding="utf-8")))
