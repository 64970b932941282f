"""The types of the answers for the pages' scripts, in TypeScript: an interface for each component of the description.

`make types` writes them to build/answers.d.ts before it checks the scripts.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

METHODS = ("Get", "Post", "Put", "Delete")
PREFIXES = ("/api/v1", "/session")
"""Where the scripts' requests go; they leave out the first."""
HEAD = """// The JSON that the server sends and takes. Written by `make openapi`; changes here are lost.

declare namespace Api {
  type Method = "GET" | "POST" | "PUT" | "DELETE";
  type Query = "" | `?${string}`;

  /** The bodies of a request and of its answer. */
  type Bodies<How extends Method, Path extends string> =
    How extends "GET" ? Get<Path> : How extends "POST" ? Post<Path> : How extends "PUT" ? Put<Path> : Delete<Path>;
  type Sent<How extends Method, Path extends string> = Bodies<How, Path>[0];
  type Answer<How extends Method, Path extends string> = Bodies<How, Path>[1];"""
TABLE = """  /** The bodies of %s and its answer: none if there is no such path, any if its beginning isn't known. */
  type %s<Path extends string> =
%s
    Path extends `/${string}` ? never : any;"""


def answer_types(document: Mapping[str, Any]) -> str:
    """Return the declarations for a description of OpenAPI 3.1."""
    tables = [TABLE % (method.upper(), method, "\n".join(_bodies(document, method.lower()))) for method in METHODS]
    parts = [_declared(name, schema) for name, schema in sorted(document["components"]["schemas"].items())]
    return "\n\n".join((HEAD, *tables, *parts)) + "\n}\n"


def _declared(name: str, schema: Mapping[str, Any]) -> str:
    body = f"interface {name} {type_of(schema)}" if schema.get("properties") else f"type {name} = {type_of(schema)};"
    return f"{_comment(schema, '  ')}  {body}"


def type_of(schema: Mapping[str, Any], indent: str = "  ") -> str:
    """Return the type of a schema's values."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for key, glue in (("anyOf", " | "), ("oneOf", " | "), ("allOf", " & ")):
        if key in schema:
            return glue.join(dict.fromkeys(type_of(each, indent) for each in schema[key]))
    if "enum" in schema or "const" in schema:
        return " | ".join(map(json.dumps, schema.get("enum", [schema.get("const")])))
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return " | ".join(_kind(kind, schema, indent) for kind in kinds) or "any"


def _kind(kind: str, schema: Mapping[str, Any], indent: str) -> str:
    if kind == "array":
        item = type_of(schema.get("items", {}), indent)
        return f"({item})[]" if re.search(r" [|&] ", item) else f"{item}[]"
    if kind == "object":
        return _object(schema, indent)
    return {"integer": "number"}.get(kind, kind)


def _object(schema: Mapping[str, Any], indent: str) -> str:
    fields = schema.get("properties", {})
    others = schema.get("additionalProperties", not fields)
    lines = [
        f"{_comment(field, indent + '  ')}{indent}  {_name(name)}{'' if name in schema.get('required', ()) else '?'}: "
        f"{type_of(field, indent + '  ')};"
        for name, field in fields.items()
    ]
    if not fields:
        return f"Record<string, {type_of(others, indent) if isinstance(others, Mapping) else 'any'}>"
    return "\n".join(("{", *lines, f"{indent}}}"))


def _name(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _comment(schema: Mapping[str, Any], indent: str) -> str:
    said = " ".join(schema.get("description", "").split())
    return f"{indent}/** {said} */\n" if said else ""


def _bodies(document: Mapping[str, Any], method: str) -> Iterator[str]:
    """Yield a line for each path: of those that a longer path could be, the longer and the plainer first."""
    found = dict[str, str]()
    for path, item in document["paths"].items():
        if method in item and path.startswith(PREFIXES) and (answer := _answer(item[method]["responses"])):
            sent = _json(item[method].get("requestBody", {}))
            found[path.removeprefix(PREFIXES[0])] = f"[{type_of(sent) if sent else 'undefined'}, {answer}]"
    for path in sorted(found, key=lambda each: (-each.count("/"), each.count("{"), each)):
        pattern = re.sub(r"\{\w+\}", "${string}", path)
        yield f"    Path extends `{pattern}${{Query}}` ? {found[path]} :"


def _answer(responses: Mapping[str, Any]) -> str:
    """Return the type of what succeeds, "null" without a body, "" for texts alone."""
    good = [response for status, response in responses.items() if status.startswith("2")]
    bodies = [body for response in good if (body := _json(response))]
    return type_of({"anyOf": bodies}) if bodies else "" if any("content" in each for each in good) else "null"


def _json(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a request's or a response's JSON, or nothing."""
    return part.get("content", {}).get("application/json", {}).get("schema", {})  # type: ignore[no-any-return]
