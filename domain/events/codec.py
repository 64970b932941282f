"""Events to their canonical bytes and back: typed, by a closed list of names, with no topic ever imported.

The bytes are RFC 8785 canonical (cardlog/1): keys in order, no floats, nothing in a fact that would need escaping.
"""

from typing import Any, cast

import msgspec

from domain.events import FACT_VERSIONS, FACTS, Event
from domain.events.upcasts import NoUpcast, upcast
from domain.rules.model import RULES_VERSION


class Unreadable(Exception):
    """Bytes that are no event this program can read; the sentence says why and quotes nothing of them."""


class _Head(msgspec.Struct):
    fact: str
    v: int


def _typed(kind: type[Any]) -> type[Event[Any]]:
    return cast(type[Event[Any]], cast(Any, Event)[kind])


_encoder = msgspec.json.Encoder(order="sorted")
_head = msgspec.json.Decoder(_Head)
_RULED = frozenset(name for name, kind in FACTS.items() if "rules" in kind.__annotations__)
_NUMBERS = bytes.maketrans(b",[123456789", b"::000000000")
_LONG = b":" + b"0" * 16
"""What a number too long for canonical JSON begins with, one of 2^53 or more, where all digits are written as 0."""
LOOSE = frozenset({"GameOpened"})
"""Facts with a field for values of any kind."""
_decoders = {name: msgspec.json.Decoder(_typed(kind)) for name, kind in FACTS.items()}


def topic(event: Event[Any]) -> str:
    """The stable name and version an event is stored under, as "CardPlayed/1"."""
    return f"{event.fact}/{event.v}"


def encode(event: Event[Any]) -> bytes:
    """The canonical bytes of `event`."""
    return _encoder.encode(event)


def surely_canonical(raw: bytes, event: Event[Any]) -> bool:
    """Whether `raw`, which was decoded to `event`, is its canonical spelling: never True of another.

    False also where only a closer look can tell: texts that are not plain ASCII, long numbers, older versions, options.
    """
    if event.fact in LOOSE:
        return False
    plain = raw.isascii() and b"\\" not in raw and _LONG not in raw.translate(_NUMBERS, b"-")
    return plain and _encoder.encode(event) == raw


def decode(raw: bytes, fact: str | None = None) -> Event[Any]:
    """The event whose canonical bytes are `raw`, older versions upcast; `fact` is its name where that is known.

    Raises Unreadable for a name or version unknown here and for fields that do not fit it.
    """
    try:
        if fact is None:
            fact = _head.decode(raw).fact
        if fact not in _decoders:
            raise Unreadable("it names a fact unknown here")
        try:
            event: Event[Any] = _decoders[fact].decode(raw)
        except msgspec.ValidationError:
            return _older(raw, fact)
        if event.v == FACT_VERSIONS[fact] and (fact not in _RULED or event.data.rules.rules_v == RULES_VERSION):
            return event
        return _older(raw, fact)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable("it is no event in canonical JSON") from error


def _older(raw: bytes, fact: str) -> Event[Any]:
    """The slow way, for what was written by another version, or does not fit this one."""
    try:
        written = msgspec.json.decode(raw, type=dict[str, Any])
        written["data"] = upcast(fact, written["v"], written["data"], FACT_VERSIONS[fact])
        return cast(Event[Any], msgspec.convert(written, _typed(FACTS[fact])))
    except NoUpcast as error:
        raise Unreadable(str(error)) from error
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise Unreadable(f"its fields are not those of {fact}") from error
