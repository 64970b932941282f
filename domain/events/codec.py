"""Encode events as canonical bytes and decode them, by a closed list of fact names: no stored name is ever imported.

The bytes are canonical JSON of RFC 8785 (cardlog/1): keys in order, no floats, and no text that needs escaping.
"""

import dataclasses
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, cast

import msgspec

from domain.events import FACT_VERSIONS, FACTS, Event
from domain.events.fields import fields_fault, fields_of, known_part, record_fault
from domain.events.upcasts import NoUpcast, upcast, upcast_rules
from domain.memo import memoize_by_identity
from domain.rules.model import RULES_VERSION, Rules
from domain.struct import replace

T = TypeVar("T")


class Unreadable(Exception):
    """The bytes aren't an event that this program can read. The message says why and quotes nothing of them."""


class TooNew(Unreadable):
    """The event is of a fact or a version that this program doesn't know; a newer program may read it."""


class WrongFields(Unreadable):
    """The event hasn't exactly the fields of its fact and version. If it has more, `event` is it without them."""

    def __init__(self, says: str, event: Event[Any] | None = None) -> None:
        super().__init__(says)
        self.event = event


class _Head(msgspec.Struct):
    fact: str
    v: int


def _event_type(kind: type[Any]) -> type[Event[Any]]:
    return cast(type[Event[Any]], cast(Any, Event)[kind])


_encoder = msgspec.json.Encoder(order="sorted")
_head = msgspec.json.Decoder(_Head)
_HOLDING_RULES = frozenset(name for name, kind in FACTS.items() if "rules" in kind.__annotations__)
_NUMBERS = bytes.maketrans(b",[123456789", b"::000000000")
_LONG = b":" + b"0" * 16
"""The beginning of a number of 16 digits or more, which may be too long for canonical JSON, once digits are zeros."""
FACTS_WITH_ANY_FIELDS = frozenset({"GameOpened"})
"""Facts with a field of type Any."""
MAX_OPTION_DEPTH = 8
"""How deep options can nest to pass the quick check of their bytes."""
_SCALARS = frozenset({str, int, bool, type(None)})


def _with_raw_rules(kind: type[Any]) -> type[Any]:
    """Return the struct of a fact with its rules as raw bytes."""
    fields = [
        (each.name, msgspec.Raw if each.name == "rules" else each.type, *_default(each))
        for each in msgspec.structs.fields(kind)
    ]
    return msgspec.defstruct(kind.__name__, cast(Any, fields), frozen=True, gc=False, forbid_unknown_fields=True)


def _default(field: msgspec.structs.FieldInfo) -> tuple[Any, ...]:
    return () if field.required else (field.default,)


def _is_lenient(kind: type[Any]) -> bool:
    """Return whether decoding may accept a fact without one of its fields, or with one more.

    It does so in dataclasses, and in structs of which a field has a default. Rules are checked apart.
    """
    if not issubclass(kind, msgspec.Struct):
        return kind is not Rules
    parts = [part for part in fields_of(kind).values() if part is not None]
    return any(not field.required for field in msgspec.structs.fields(kind)) or any(map(_is_lenient, parts))


_RAW_FACTS = {name: _with_raw_rules(FACTS[name]) for name in _HOLDING_RULES}
"""The facts that hold rules, which are read apart from them: rules are long, and the same ones come again and again."""
_decoders = {name: msgspec.json.Decoder(_event_type(_RAW_FACTS.get(name, kind))) for name, kind in FACTS.items()}
_LENIENT = frozenset(name for name, kind in FACTS.items() if _is_lenient(kind))
_rules_decoder = msgspec.json.Decoder(Rules)


def _rules_in(raw: msgspec.Raw) -> Rules:
    return _read_rules(bytes(raw))


@lru_cache(maxsize=256)
def _read_rules(raw: bytes) -> Rules:
    """Return the rules in these bytes: the same object for the same bytes, so that games share what comes of it.

    Rules that differ share their equal parts, too, which makes them quick to compare. Those of an older version are
    upcast: a field that they lack has no value until then, though its default equals one. Raise ValidationError unless
    they have exactly their fields.
    """
    written = msgspec.json.decode(raw)
    if fault := record_fault(Rules, written):
        raise msgspec.ValidationError(fault)
    rules = _rules_decoder.decode(raw)
    if 0 < rules.rules_v < RULES_VERSION:
        rules = msgspec.convert(upcast_rules(written), Rules)
    changes = _share(rules.changes)
    points = next((each.points for each in changes.versions if each.points == rules.points), rules.points)
    return dataclasses.replace(rules, changes=changes, points=points, auction=_share(rules.auction))


@lru_cache(maxsize=64)
def _share(part: T) -> T:
    """Return the first part that was equal to this one."""
    return part


@memoize_by_identity
def _raw_rules(rules: Rules) -> msgspec.Raw:
    return msgspec.Raw(_encoder.encode(rules))


def topic(event: Event[Any]) -> str:
    """Return the stable name and version that an event is stored under, such as "CardPlayed/1"."""
    return f"{event.fact}/{event.v}"


def encode(event: Event[Any]) -> bytes:
    """Return the canonical bytes of `event`."""
    return _encoder.encode(event)


def is_surely_canonical(raw: bytes, event: Event[Any]) -> bool:
    """Return whether `raw`, which decodes to `event`, is surely its canonical encoding.

    False means that only a slower check can tell: for text beyond plain ASCII, long numbers, older versions, and for
    options that hold floats or nest deeply.
    """
    if event.fact in FACTS_WITH_ANY_FIELDS and not _has_one_spelling(event.data.options, MAX_OPTION_DEPTH):
        return False
    if event.fact in _HOLDING_RULES:
        event = _convert_rules(event, _RAW_FACTS[event.fact], _raw_rules)
    plain = raw.isascii() and b"\\" not in raw and _LONG not in raw.translate(_NUMBERS, b"-")
    return plain and _encoder.encode(event) == raw


def _has_one_spelling(value: object, depth: int) -> bool:
    """Return whether no value in `value` is a float, and none nests deeper than `depth`."""
    if type(value) in _SCALARS:
        return True
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return depth > 0 and parts is not None and all(_has_one_spelling(part, depth - 1) for part in parts)


def _convert_rules(event: Event[Any], kind: type[Any], convert: Callable[[Any], Any]) -> Event[Any]:
    """Return `event` with a fact of type `kind`, which has the same fields, with its rules converted."""
    data = event.data
    fields = {name: getattr(data, name) for name in kind.__struct_fields__}
    return replace(event, data=kind(**fields | {"rules": convert(data.rules)}))


def decode(raw: bytes, fact: str | None = None) -> Event[Any]:
    """Decode an event from its canonical bytes, upcast if it's of an older version. `fact` is its name, if known.

    Raise Unreadable if the fact or its version is unknown, and WrongFields if it hasn't exactly the fields of those.
    """
    try:
        if fact is None:
            fact = _head.decode(raw).fact
        decoder = _decoders.get(fact)
        if decoder is None:
            raise TooNew("it names an unknown fact")
        try:
            event: Event[Any] = decoder.decode(raw)
            is_whole = fact not in _LENIENT or _encoder.encode(event) == raw
            if fact in _HOLDING_RULES:
                event = _convert_rules(event, FACTS[fact], _rules_in)
        except msgspec.ValidationError:
            return _decode_slowly(raw, fact)
        is_newest = fact not in _HOLDING_RULES or event.data.rules.rules_v == RULES_VERSION
        if is_whole and is_newest and event.v == FACT_VERSIONS[fact]:
            return event
        return _decode_slowly(raw, fact)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable("it isn't an event in canonical JSON") from error


def _decode_slowly(raw: bytes, fact: str) -> Event[Any]:
    """Decode an event of an older version, or one whose fields don't fit. Raise TooNew or WrongFields."""
    written = msgspec.json.decode(raw, type=dict[str, Any])
    v = written.get("v")
    if type(v) is not int or v < 1:
        raise WrongFields("its v isn't the number of a version")
    fault = fields_fault(fact, v, written) if v <= FACT_VERSIONS[fact] else None
    if fault is not None:
        written = known_part(fact, v, written)
        if missing := fields_fault(fact, v, written):
            raise WrongFields(missing)
    try:
        event = _convert(fact, v, written)
    except NoUpcast as error:
        raise TooNew(str(error)) from error
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise WrongFields(f"its fields aren't those of {fact}") from error
    if fault is not None:
        raise WrongFields(fault, event)
    return event


def _convert(fact: str, v: int, written: dict[str, Any]) -> Event[Any]:
    data = upcast(fact, v, written["data"], FACT_VERSIONS[fact])
    return cast(Event[Any], msgspec.convert(written | {"data": data}, _event_type(FACTS[fact])))
