"""Encode events as canonical bytes and decode them, by a closed list of fact names: no stored name is ever imported.

The bytes are canonical JSON of RFC 8785 (cardlog/1): keys in order, no floats, and no text that needs escaping.
"""

from typing import Any, cast

import msgspec

from domain.events import FACT_VERSIONS, FACTS, Event
from domain.events.upcasts import FACT_UPCASTS, RULES_UPCASTS, NoUpcast, upcast
from domain.rules.model import RULES_VERSION


class Unreadable(Exception):
    """The bytes aren't an event that this program can read. The message says why and quotes nothing of them."""


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
_decoders = {name: msgspec.json.Decoder(_event_type(kind)) for name, kind in FACTS.items()}


def topic(event: Event[Any]) -> str:
    """Return the stable name and version that an event is stored under, such as "CardPlayed/1"."""
    return f"{event.fact}/{event.v}"


def encode(event: Event[Any]) -> bytes:
    """Return the canonical bytes of `event`."""
    return _encoder.encode(event)


def is_surely_canonical(raw: bytes, event: Event[Any]) -> bool:
    """Return whether `raw`, which decodes to `event`, is surely its canonical encoding.

    False means that only a slower check can tell: for text beyond plain ASCII, long numbers, older versions, options.
    """
    if event.fact in FACTS_WITH_ANY_FIELDS:
        return False
    plain = raw.isascii() and b"\\" not in raw and _LONG not in raw.translate(_NUMBERS, b"-")
    return plain and _encoder.encode(event) == raw


def decode(raw: bytes, fact: str | None = None) -> Event[Any]:
    """Decode an event from its canonical bytes, upcast if it's of an older version. `fact` is its name, if known.

    Raise Unreadable if the fact or its version is unknown, or its fields don't fit.
    """
    try:
        if fact is None:
            fact = _head.decode(raw).fact
        if fact not in _decoders:
            raise Unreadable("it names an unknown fact")
        try:
            event: Event[Any] = _decoders[fact].decode(raw)
        except msgspec.ValidationError:
            return _decode_older(raw, fact)
        if event.v == FACT_VERSIONS[fact] and (fact not in _HOLDING_RULES or event.data.rules.rules_v == RULES_VERSION):
            return event
        return _decode_older(raw, fact)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable("it isn't an event in canonical JSON") from error


def _decode_older(raw: bytes, fact: str) -> Event[Any]:
    """Decode an event of another version the slow way. Raise Unreadable if its fields don't fit."""
    try:
        event = msgspec.json.decode(raw, type=dict[str, Any])
        event["data"] = upcast(fact, event["v"], event["data"], FACT_VERSIONS[fact])
        return cast(Event[Any], msgspec.convert(event, _event_type(FACTS[fact])))
    except NoUpcast as error:
        raise Unreadable(str(error)) from error
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise Unreadable(f"its fields aren't those of {fact}") from error


def _require_every_upcast() -> None:
    """Raise TypeError if an older version of a fact or of the rules can't be read."""
    facts = [(name, v) for name, newest in FACT_VERSIONS.items() for v in range(1, newest)]
    missing = [f"{name} version {v}" for name, v in facts if (name, v) not in FACT_UPCASTS]
    missing += [f"rules version {v}" for v in range(1, RULES_VERSION) if v not in RULES_UPCASTS]
    if missing:
        raise TypeError(f"domain.events.upcasts has no entry for {', '.join(missing)}")


_require_every_upcast()
