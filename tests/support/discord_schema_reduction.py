"""Reduce Discord's published schema to the parts about requests.

`python -m tests.support.discord_schema_reduction openapi.json` keeps every operation's method, path and JSON body and
the schemas that these refer to, without descriptions and answers. `tests/data/discord/README.md` says where the whole
document is published.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

KEPT: Final = Path(__file__).parents[1] / "data" / "discord" / "openapi.json"
METHODS: Final = ("get", "put", "post", "patch", "delete")
TOLD: Final = frozenset({"description", "title", "summary", "example", "examples", "operationId", "security", "tags"})
"""Keys that are only for human readers, unless they are names of properties."""
JSON: Final = "application/json"


def reduce_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of the document that `tests.support.discord_schema` reads."""
    paths = {
        path: {method: _body_schema(operations[method]) for method in METHODS if method in operations}
        for path, operations in document["paths"].items()
    }
    schemas: dict[str, Any] = {}
    _gather_schemas(paths, document["components"]["schemas"], schemas)
    return {"paths": paths, "components": {"schemas": dict(sorted(schemas.items()))}}


def _body_schema(operation: Mapping[str, Any]) -> dict[str, Any]:
    content = operation.get("requestBody", {}).get("content", {})
    return (
        {"requestBody": {"content": {JSON: {"schema": _without_descriptions(content[JSON]["schema"])}}}}
        if JSON in content
        else {}
    )


def _without_descriptions(value: Any, *, named: bool = False) -> Any:
    """Return a part of the schema without its descriptions; keys below `named` are property names, and stay."""
    if isinstance(value, dict):
        kept = {key: inner for key, inner in value.items() if named or key not in TOLD}
        return {
            key: _without_descriptions(inner, named=key == "properties" and not named) for key, inner in kept.items()
        }
    return [_without_descriptions(inner) for inner in value] if isinstance(value, list) else value


def _gather_schemas(value: Any, every: Mapping[str, Any], schemas: dict[str, Any]) -> None:
    """Add to `schemas` each schema that the value refers to, and those that these refer to."""
    if isinstance(value, list):
        for inner in value:
            _gather_schemas(inner, every, schemas)
    elif isinstance(value, dict):
        name = str(value.get("$ref", "")).removeprefix("#/components/schemas/")
        if name and name not in schemas:
            schemas[name] = _without_descriptions(every[name])
            _gather_schemas(schemas[name], every, schemas)
        for inner in value.values():
            _gather_schemas(inner, every, schemas)


def document_text(document: Mapping[str, Any]) -> str:
    """Return the text of the document for its file: one line for each path and each schema."""
    paths, schemas = (
        ",\n".join(f"{json.dumps(name)}:{json.dumps(one, separators=(',', ':'))}" for name, one in those.items())
        for those in (document["paths"], document["components"]["schemas"])
    )
    return f'{{"paths":{{\n{paths}\n}},"components":{{"schemas":{{\n{schemas}\n}}}}}}\n'


if __name__ == "__main__":
    KEPT.write_text(document_text(reduce_document(json.loads(Path(sys.argv[1]).read_text("utf-8")))), encoding="utf-8")
