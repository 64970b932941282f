"""The fields of each version of each fact: an event has exactly these, at every depth, and no others.

Those of the newest version are the fields of the types; GAINED says which of them a version added. The verifiers in
JavaScript and Go have the same as text (tests/generators/field_table.py).
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

import msgspec

from domain.events import FACTS, Event
from domain.events.declaring import DECLARATIONS, Data
from domain.rules.model import RULES_VERSION, Rules

GAINED: Mapping[tuple[str, int], tuple[str, ...]] = {
    (name, v): older.fields for name, kind in FACTS.items() for v, older in enumerate(DECLARATIONS[kind].older, 2)
}
"""By fact and version, the fields that this version added, with the fields that hold them."""
RULES_GAINED: Mapping[int, tuple[str, ...]] = {
    2: (
        *("auction.moon", "removed", "kitty", "throw", "most_thrown", "opening_lead", "miss", "fixed_trump"),
        *("joker_count", "quirks"),
    )
}
"""The same for the rules inside any fact, by the version of the rules."""
ENVELOPE = frozenset(field.encode_name for field in msgspec.structs.fields(Event))


def later_fields(fact: str, v: int) -> frozenset[str]:
    """Return the fields that only versions after `v` of a fact have."""
    return frozenset(name for (of, since), names in GAINED.items() if of == fact and since > v for name in names)


def _later_in(record: type[Any], value: Data, path: str, later: frozenset[str]) -> frozenset[str]:
    """Return the fields that a record doesn't have yet: in rules it depends on the version of the rules."""
    if record is not Rules:
        return later
    v = value.get("rules_v")
    known = v if isinstance(v, int) else RULES_VERSION
    return frozenset(path + name for since, names in RULES_GAINED.items() if since > known for name in names)


_FIELDS: dict[type[Any], dict[str, type[Any] | None]] = {}


def fields_of(record: type[Any]) -> dict[str, type[Any] | None]:
    """Return the fields of a fact, or of a record in one, by their stored names; with the record that they hold."""
    if record not in _FIELDS:
        hints = get_type_hints(record)
        names = {field.name: getattr(field, "encode_name", field.name) for field in _declared(record)}
        _FIELDS[record] = {names[name]: _record_in(hints[name]) for name in names}
    return _FIELDS[record]


def _declared(record: type[Any]) -> tuple[Any, ...]:
    return dataclasses.fields(record) if dataclasses.is_dataclass(record) else msgspec.structs.fields(record)


def _record_in(kind: Any) -> type[Any] | None:
    """Return the record that a field of this type holds by itself, in a list, or as an alternative to null."""
    if isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, msgspec.Struct)):
        return kind
    return next(filter(None, map(_record_in, get_args(kind))), None)


def fields_fault(fact: str, v: int, event: Data) -> str | None:
    """Return which field is missing in an event of a known fact and version, or isn't one of it; else None."""
    if event.keys() != ENVELOPE:
        return _difference("", ENVELOPE, event, "an event")
    return _fault(FACTS[fact], event["data"], "", later_fields(fact, v), f"{fact} of version {v}")


def record_fault(record: type[Any], value: Any) -> str | None:
    """Return which field of a record in its newest version is missing in `value`, or is one too many; else None."""
    return _fault(record, value, "", frozenset(), record.__name__)


def _fault(record: type[Any], value: Any, path: str, later: frozenset[str], of: str) -> str | None:
    if isinstance(value, list):
        return next(filter(None, (_fault(record, each, path, later, of) for each in value)), None)
    if not isinstance(value, dict):
        return None  # null, or of another type
    fields, later = fields_of(record), _later_in(record, value, path, later)
    due = {name for name in fields if path + name not in later}
    if value.keys() != due:
        return _difference(path, due, value, of)
    nested = ((record_in, name) for name in sorted(due) if (record_in := fields[name]) is not None)
    return next(filter(None, (_fault(kind, value[name], f"{path}{name}.", later, of) for kind, name in nested)), None)


def _difference(path: str, due: set[str] | frozenset[str], value: Data, of: str) -> str:
    if missing := sorted(due - value.keys()):
        return f"the field {path}{missing[0]} is missing"
    return f"it has a field {path}{min(value.keys() - due)}, which {of} doesn't have"


def known_part(fact: str, v: int, event: Data) -> Data:
    """Return an event without the fields that this version of its fact doesn't have."""
    known = {name: value for name, value in event.items() if name in ENVELOPE}
    if "data" in known:
        known["data"] = _known(FACTS[fact], known["data"], "", later_fields(fact, v))
    return known


def _known(record: type[Any], value: Any, path: str, later: frozenset[str]) -> Any:
    if isinstance(value, list):
        return [_known(record, each, path, later) for each in value]
    if not isinstance(value, dict):
        return value
    later = _later_in(record, value, path, later)
    known = {name: kind for name, kind in fields_of(record).items() if path + name not in later and name in value}
    return {
        name: value[name] if kind is None else _known(kind, value[name], f"{path}{name}.", later)
        for name, kind in known.items()
    }
