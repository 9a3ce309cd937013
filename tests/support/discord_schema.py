"""Discord's published schema of its HTTP API, and a checker for the bodies of requests.

The project keeps the parts about requests (`tests.support.discord_schema_reduction`). The checker follows Discord's own
discriminator (``type``), which a general validator does not know, so that each fault is one line. Each part of the
schema is compiled once to a function of the value.
"""

from __future__ import annotations

import json
import marshal
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from tests.support.checked_request_bodies import add_to_checked_body_count
from tests.support.discord_limits import FORM_PARTS, broken_command_limits, broken_limits
from tests.support.discord_schema_reduction import KEPT

FLAT = {"type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"}
SENT_AND_IGNORED = {"nsfw", "tts"}
"""Keys the library sends and Discord ignores."""

FORM = 9
"""The kind of answer that opens a form."""

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
"""A place in the value, and the fault there."""

Check = Callable[[Any], Sequence[Fault]]

SOUND: Sequence[Fault] = ()


class ApiSchema:
    """Discord's schema of its API, with its parts found by method and path."""

    def __init__(self, document: Schema) -> None:
        self._document = document
        self._paths = [(_path_pattern(path), operations) for path, operations in document["paths"].items()]
        self._checks: dict[int, Check] = {}

    def faults(self, method: str, path: str, body: Any) -> list[str]:
        """Return what is wrong with a request's body; empty if nothing is."""
        for pattern, operations in self._paths:
            if pattern.fullmatch(path) and method.lower() in operations:
                request = operations[method.lower()].get("requestBody")
                if request is None:
                    return [] if body is None else ["a body where none is expected"]
                check = self._compiled_check(request["content"]["application/json"]["schema"])
                return [f"body{where}: {what}" for where, what in check(body)]
        return [f"no such operation: {method} {path}"]

    def _resolve_reference(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            found: Any = self._document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            schema = found
        return schema

    def _compiled_check(self, schema: Schema) -> Check:
        """Return the compiled check of a schema.

        A schema is identified by its address in memory, which is unique as long as the document is kept.
        """
        schema = self._resolve_reference(schema)
        place = id(schema)
        if place not in self._checks:
            # A schema may contain itself: an inner check is looked up only when there is a value.
            self._checks[place] = lambda value: self._checks[place](value)  # noqa: PLW0108 - another one by then
            self._checks[place] = self._compile(schema)
        return self._checks[place]

    def _compile(self, schema: Schema) -> Check:
        branches = schema.get("oneOf") or schema.get("anyOf")
        if branches:
            return self._compile_choice([self._resolve_reference(branch) for branch in branches])
        checks = [self._compiled_check(part) for part in schema.get("allOf", ())]
        if FLAT & schema.keys():
            checks.append(_compile_value_check(schema))
        if {"properties", "required", "additionalProperties"} & schema.keys():
            checks.append(self._compile_object(schema))
        if "items" in schema:
            checks.append(_check_items(self._compiled_check(schema["items"])))
        return checks[0] if len(checks) == 1 else _check_all(checks)

    def _compile_choice(self, branches: list[Schema]) -> Check:
        """Return a check of a value that must match one of several alternative schemas.

        It lists the faults by the alternative for the value's type, else by the one with the fewest faults.
        """
        if all("const" in branch for branch in branches):
            constants = [branch["const"] for branch in branches]
            return lambda value: SOUND if value in constants else [("", f"{value!r:.80} is none")]
        checks = [self._compiled_check(branch) for branch in branches]
        types = [self._branch_types(branch) for branch in branches]
        taken = {check: _types_named(branch) for check, branch in zip(checks, branches, strict=True)}

        @cache
        def branches_for(kind: Any, named: Any) -> tuple[list[Check], list[Check]]:
            """Return the alternatives with this ``type``, and those of them for a value of this Python type."""
            of_type = [one for one, known in zip(checks, types, strict=True) if named is not None and named in known]
            possible = of_type or checks
            return possible, [one for one in possible if kind in taken[one]]

        def check_alternatives(value: Any) -> Sequence[Fault]:
            kind: Any = type(value)
            named = value.get("type") if isinstance(value, dict) else None
            possible, likely = branches_for(kind, named if isinstance(named, int | str) else None)
            # Describing a fault is expensive, so branches for other kinds of values are tried only if all others fail.
            for one in likely:
                if not one(value):
                    return SOUND
            return min((one(value) for one in possible), key=len)

        return check_alternatives

    def _branch_types(self, schema: Schema) -> list[Any]:
        """Return the values that the property ``type`` may have in this alternative."""
        named = self._resolve_reference(schema.get("properties", {}).get("type", {}))
        found = list(named.get("enum", ()))
        found += [one["const"] for one in map(self._resolve_reference, named.get("oneOf", ())) if "const" in one]
        # `allOf` refers to the enumeration of all types, but the branch itself names only its own.
        return found or [
            one for part in named.get("allOf", ()) for one in self._branch_types({"properties": {"type": part}})
        ]

    def _compile_object(self, schema: Schema) -> Check:
        properties = {name: self._compiled_check(inner) for name, inner in schema.get("properties", {}).items()}
        required = frozenset(schema.get("required", ()))
        further = schema.get("additionalProperties", not properties)
        others = self._compiled_check(further) if isinstance(further, Mapping) else None

        def check_object(value: Any) -> Sequence[Fault]:
            if not isinstance(value, dict):
                return SOUND
            found = [] if required <= value.keys() else [("", f"{name} is missing") for name in required - value.keys()]
            for name, inner in value.items():
                of_value = properties.get(name, others)
                if of_value is not None:
                    if faults := of_value(inner):
                        found += [(f".{name}{where}", what) for where, what in faults]
                elif not further and name not in SENT_AND_IGNORED:
                    found.append(("", f"{name} is not known"))
            return found

        return check_object


def _check_items(check: Check) -> Check:
    """Return a check that applies `check` to every item of a list."""

    def check_each_item(value: Any) -> Sequence[Fault]:
        found: list[Fault] = []
        for number, item in enumerate(value if isinstance(value, list) else ()):
            if faults := check(item):
                found += [(f"[{number}]{where}", what) for where, what in faults]
        return found

    return check_each_item


def _check_all(checks: list[Check]) -> Check:
    """Return a check that a value satisfies all of these checks."""

    def check_every_part(value: Any) -> Sequence[Fault]:
        found: list[Fault] = []
        for one in checks:
            found += one(value)
        return found

    return check_every_part


def _compile_value_check(schema: Schema) -> Check:
    """Return a check of the value itself; snowflakes may be written as numbers.

    A general validator describes the faults; values that are plainly valid never reach it.
    """
    flat = {key: rule for key, rule in schema.items() if key in FLAT}
    plainly_sound = _compile_quick_check(flat)
    validator, snowflake = Draft202012Validator(flat), schema.get("format") == "snowflake"

    def list_value_faults(value: Any) -> list[Fault]:
        return [("", f"{error.validator} {error.message[-80:]}") for error in validator.iter_errors(value)]

    # 1 and true are equal in Python, but not in a schema.
    of_number = cache(lambda _kind, value: list_value_faults(value))

    def check_value(value: Any) -> Sequence[Fault]:
        if plainly_sound(value) or (snowflake and isinstance(value, int)):
            return SOUND
        return of_number(type(value).__name__, value) if isinstance(value, int) else list_value_faults(value)

    return check_value


def _types_named(schema: Schema) -> frozenset[type]:
    """Return the Python types that a schema allows, all if it names none."""
    named = schema.get("type", tuple(PLAIN))
    return frozenset(PLAIN[kind] for kind in ((named,) if isinstance(named, str) else named))


def _compile_quick_check(flat: Schema) -> Callable[[Any], bool]:
    """Return a quick check that accepts only values that are certainly valid."""
    kinds = _types_named(flat) if "type" in flat else frozenset()
    named = bool({"enum", "const"} & flat.keys())
    allowed = flat.get("enum", [flat.get("const")])
    alone = not flat.keys() - {"type", "enum", "const"}
    pattern = re.compile(flat.get("pattern", ""))
    length, items = (
        _compile_size_check(flat, "minLength", "maxLength"),
        _compile_size_check(flat, "minItems", "maxItems"),
    )
    size = _compile_size_check(flat, "minimum", "maximum")

    if len(kinds) == 1 and not flat.keys() - {"type", "maxLength"}:
        (only,) = kinds
        longest = flat.get("maxLength")
        if longest is None or only is not str:
            return lambda value: type(value) is only
        return lambda value: type(value) is str and len(value) <= longest

    def is_sound(value: Any) -> bool:
        kind = type(value)
        if kinds and kind not in kinds:
            return False
        if named:
            return alone and any(type(one) is kind and one == value for one in allowed)
        if kind is str:
            return length(len(value)) and bool(pattern.search(value))
        if kind is list:
            return items(len(value))
        return size(value) if kind in (int, float, bool) else True

    return is_sound


def _compile_size_check(flat: Schema, least: str, most: str) -> Callable[[float], bool]:
    """Return a function that says whether a size is within the schema's limits under these two keys."""
    lowest, highest = flat.get(least, -math.inf), flat.get(most, math.inf)
    return lambda size: bool(lowest <= size <= highest)


def _path_pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)))


@cache
def load_api() -> ApiSchema:
    """Return the stored schema."""
    return ApiSchema(json.loads(KEPT.read_text(encoding="utf-8")))


_sound_lists: set[bytes] = set()
"""Sent lists without a fault, as bytes: every start registers the same commands."""


def request_faults(requests: Iterable[Any]) -> list[str]:
    """Return what is wrong with request bodies, by the schema and by Discord's further limits.

    The checked bodies are counted.
    """
    found, count = list[str](), 0
    for one in requests:
        # Tests set permissions through the bot's connection, as a moderator would; the bot itself never does.
        if one.method == "GET" or one.json is None or "/permissions/" in one.path:
            continue
        count += 1
        found += _faults_of_list_request(one) if isinstance(one.json, list) else _faults_of_request(one)
    add_to_checked_body_count(count)
    return sorted(set(found))


def _faults_of_list_request(sent: Any) -> list[str]:
    """Return the faults of a request whose body is a list; equal lists are checked only once."""
    # Unlike equality, this tells 1 from true. Its second version depends on values alone, not on who else holds them.
    told = marshal.dumps([sent.method, sent.path, sent.json], 2)
    found = [] if told in _sound_lists else _faults_of_request(sent)
    if not found:
        _sound_lists.add(told)
    return found


def _faults_of_request(sent: Any) -> list[str]:
    faults = (*load_api().faults(sent.method, sent.path, sent.json), *_faults_beyond_schema(sent.json))
    return [f"{sent.method} {sent.path}: {fault}" for fault in faults]


def _faults_beyond_schema(body: Any) -> list[str]:
    """Return the limits that a body breaks although the schema does not contain them."""
    if isinstance(body, list):
        return broken_command_limits(body)
    message = body.get("data") or body
    parts = message.get("components") if isinstance(message, dict) else None
    if not parts:
        return []
    if body.get("type") == FORM:
        return [f"a form of {len(parts)} parts"] if len(parts) > FORM_PARTS else []
    return broken_limits(parts)
