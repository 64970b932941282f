"""The tables that the verifiers in JavaScript and Go read: the fields of facts, and what options make of the rules.

`python -m tests.generators.field_table` writes them from domain/. A test compares them with new ones.
"""

import dataclasses
import json
import re
import types
import typing
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from domain.events import FACT_VERSIONS, FACTS
from domain.events.declaring import DECLARATIONS, Author
from domain.events.fields import GAINED, RULES_GAINED, fields_of
from domain.events.upcasts import RULES_UPCASTS
from domain.rules.model import RULES_VERSION, Rules
from domain.rules.variants import VARIANTS
from domain.rules.variants.corellian_options import MAX_TURNS
from replay.audit.play.openings import ENDS_AT, RANDOMIZER, shown_by

ROOT = Path(__file__).parents[2]
AUTHORS = {
    Author.OPENER: "opener",
    Author.SEAT: "seat",
    Author.TABLE: "server",
    Author.PARTY: "anyholder",
    Author.ARBITER: "arbiter",
    Author.LENDER: "player",
    Author.BRINGER: "bringer",
    Author.CAUSE: "any",
}
HEAD = """The facts and the records in them: name, newest version, author, fields and their types.
n is a number, t text, b true or false, o an object, [] a list, ? may be null, +2 gained with version 2 of the fact, and
in rules with version 2 of the rules.
Written by `python -m tests.generators.field_table`; changes here are lost."""


def kind_of(kind: Any) -> str:
    """Return a field's type as the table writes it."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        (some,) = [each for each in args if each is not type(None)]
        return f"{kind_of(some)}?"
    if origin is tuple:
        (item,) = {kind_of(each) for each in args if each is not Ellipsis}
        return f"[{item}]"
    if origin is dict:
        return "o"
    if origin is typing.Literal or kind is str or isinstance(kind, typing.NewType):
        return "t"
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return "t"
    return {int: "n", bool: "b"}.get(kind) or kind.__name__


def row(name: str, record: type[Any], *head: object, gained: dict[str, int]) -> str:
    """Return the row of a fact or record; `gained` are the fields that later versions added, by their names."""
    hints = typing.get_type_hints(record)
    declared = dataclasses.fields(record) if dataclasses.is_dataclass(record) else msgspec.structs.fields(record)
    hint = {getattr(each, "encode_name", each.name): hints[each.name] for each in declared}
    fields = [f"{each}:{kind_of(hint[each])}" + (f"+{gained[each]}" if each in gained else "") for each in hint]
    return " ".join(map(str, (name, *head, *fields)))


def fact_rows() -> Iterator[str]:
    """Yield the rows of the facts, then those of the records in them.

    Raise ValueError if a record has gained fields in one fact and not in another: its one row can't say that.
    """
    records = dict[str, type[Any]]()
    gained_in = dict[str, dict[str, int]]()
    for name, fact in FACTS.items():
        later = {path: v for (of, v), paths in GAINED.items() if of == name for path in paths}
        yield row(name, fact, FACT_VERSIONS[name], AUTHORS[DECLARATIONS[fact].author], gained=_directly_in("", later))
        for path, record in _records(fact):
            records[record.__name__] = record
            inside = _directly_in(path, later)
            if gained_in.setdefault(record.__name__, inside) != inside:
                raise ValueError(f"{record.__name__} has gained other fields in {name} than in another fact")
    of_rules = {path: v for v, paths in RULES_GAINED.items() for path in paths}
    gained_in |= {record.__name__: _directly_in(path, of_rules) for path, record in (("", Rules), *_records(Rules))}
    for name, record in records.items():
        yield row(name, record, "-", "-", gained=gained_in[name])


def _directly_in(path: str, gained: dict[str, int]) -> dict[str, int]:
    """Return the fields that the record at this path has gained itself, by their names."""
    inside = {each.removeprefix(path): v for each, v in gained.items() if each.startswith(path)}
    return {name: v for name, v in inside.items() if "." not in name}


def _records(record: type[Any], path: str = "") -> Iterator[tuple[str, type[Any]]]:
    for name, inner in fields_of(record).items():
        if inner is not None:
            yield f"{path}{name}.", inner
            yield from _records(inner, f"{path}{name}.")


def rules_gained() -> list[Any]:
    """Return what each version of the rules after the first gained, with the values of rules that lack it."""
    gained = list[Any]()
    for v in range(1, RULES_VERSION):
        holders = {path.partition(".")[0] for path in RULES_GAINED[v + 1] if "." in path}
        gained.append(dict(RULES_UPCASTS[v]({name: {} for name in holders})))
    return gained


def options() -> dict[str, Any]:
    """Return each variant's options: pairs of a value and what it makes of the rules, or null for free values."""
    return {
        variant: {
            option.name: None
            if option.name in (RANDOMIZER, ENDS_AT)
            else [[value, made] for value, made in shown_by(variant, option.name).items()]
            for option in VARIANTS[variant].options
        }
        for variant in VARIANTS
    } | {"house": {"rulebook": None}}


def option_rows() -> Iterator[str]:
    """Yield the options as JSON, one in a line."""
    known = options()
    yield "{"
    for variant, own in known.items():
        yield f' "{variant}": {{'
        rows = [f'  "{name}": {json.dumps(values, separators=(",", ":"))}' for name, values in own.items()]
        yield ",\n".join(rows)
        yield " }" + ("" if variant == list(known)[-1] else ",")
    yield "}"


def constants() -> dict[str, str]:
    """Return each table by its name in JavaScript; in Go the name begins in lower case."""
    randomizer = next(option for option in VARIANTS["corellian"].options if option.name == RANDOMIZER)
    choices = {field.name: field.choices for field in randomizer.fields if field.choices}
    return {
        "RULES_VERSION": str(RULES_VERSION),
        "FACTS": "\n".join(("", *fact_rows(), "")),
        "RULES_GAINED": json.dumps(rules_gained()),
        "OPTIONS": "\n".join(("", *option_rows(), "")),
        "RANDOMIZER": json.dumps({"usual": randomizer.default, "turns": MAX_TURNS} | choices),
    }


GO = ROOT / "docs" / "verifiers" / "go" / "tables.go"
JAVASCRIPT = tuple(ROOT / "api" / "static" / "verify" / name for name in ("fields.js", "opening.js"))
IN_GO = {
    "RULES_VERSION": "rulesVersion",
    "FACTS": "factTable",
    "RULES_GAINED": "rulesGained",
    "OPTIONS": "optionTable",
    "RANDOMIZER": "randomizerTable",
}
MEANS = {
    "RULES_VERSION": "The newest version of the fields of rules.",
    "FACTS": HEAD,
    "RULES_GAINED": "The fields that versions of the rules gained from 2 on, and their values in rules without them.",
    "OPTIONS": "The options of each variant: their values, and what each makes of the rules. Null takes free values.",
    "RANDOMIZER": "The rules that a randomizer changes if the option doesn't say, and the most that it may change.",
}


def in_go() -> str:
    """Return the file of the tables in Go."""
    parts = ["package main\n"]
    for name, text in constants().items():
        comment = "\n".join(f"// {line}" for line in MEANS[name].splitlines())
        parts.append(f"{comment}\nconst {IN_GO[name]} = {text if text.isdecimal() else f'`{text}`'}\n")
    return "\n".join(parts)


def in_javascript(module: Path) -> str:
    """Return a module with its tables written again."""
    text = module.read_text(encoding="utf-8")
    for name, table in constants().items():
        whole = table if table.isdecimal() else f"`{table}`"
        pattern = rf"const {name} = (?:`[^`]*`|[0-9]+);"
        text = re.sub(pattern, f"const {name} = {whole};".replace("\\", r"\\"), text)
    return text


def tables() -> dict[Path, str]:
    """Return the content of each file that holds tables."""
    return {GO: in_go()} | {module: in_javascript(module) for module in JAVASCRIPT}


if __name__ == "__main__":
    for path, text in tables().items():
        path.write_text(text, encoding="utf-8")
