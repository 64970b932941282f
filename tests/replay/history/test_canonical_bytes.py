"""Bytes that survive typed decoding and encoding are canonical JSON; all others get the full check."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from domain.events import FACTS
from domain.events.codec import FACTS_WITH_ANY_FIELDS, Unreadable, decode, is_surely_canonical
from replay import history
from replay.history import History, export_bytes, is_canonical, read_export
from tests.replay.playing import played
from tests.replay.variety import of

TABLES = ["gamerz Pitch", "Setback with partners", "Blackout", "Corellian that changes all the time"]


Odd = Callable[[bytes], bytes]


def raws_of(told: History) -> list[bytes]:
    return [line.raw for line in told.lines if line.raw is not None]


@pytest.fixture(scope="module")
def raws() -> list[bytes]:
    """Return events of each kind that some hands of the four games make."""
    return [raw for name in TABLES for raw in raws_of(of(name).play(0.1, most=60, also=0.05).history)]


def surely(raw: bytes) -> bool:
    """Return whether the quick check accepts the bytes; False if they aren't an event."""
    try:
        return is_surely_canonical(raw, decode(raw))
    except Unreadable:
        return False


def test_bytes_that_the_server_writes_pass_the_quick_check(raws: list[bytes]) -> None:
    assert len({decode(raw).fact for raw in raws}) > 20
    assert all(map(surely, raws))
    assert all(map(is_canonical, raws))


def test_no_event_of_a_whole_export_needs_the_full_check(monkeypatch: pytest.MonkeyPatch) -> None:
    data = export_bytes(played(2, 4).history)
    looked = list[bytes]()

    def look(raw: bytes) -> bool:
        looked.append(raw)
        return True

    monkeypatch.setattr(history, "is_canonical", look)
    read_export(data)
    header, *_, trailer = data.split(b"\n")[:-1]
    assert looked == [header, trailer]


@pytest.mark.parametrize(
    "option",
    ["1.0", "[1,[2e0]]", "[[[[[[[[1]]]]]]]]", '{"b":1,"a":2}', "-0", "10000000000000000", '"\\u0041"', '"\u00e9"'],
)
def test_an_option_that_can_be_spelled_in_two_ways_gets_the_full_check(option: str) -> None:
    opened = raws_of(played(2, 4).history)[0]
    changed = re.sub(rb'"options":\{[^}]*\}', lambda _: b'"options":{"win":%b}' % option.encode(), opened)
    assert changed != opened
    assert surely(opened)
    assert not surely(changed)


ODD: dict[str, Odd] = {
    "a blank after a colon": lambda raw: raw.replace(b'"v":', b'"v": '),
    "a blank after a comma": lambda raw: raw.replace(b',"v":', b', "v":'),
    "a blank before the end": lambda raw: raw[:-1] + b" }",
    "a line end after it": lambda raw: raw + b"\n",
    "a letter escaped in a value": lambda raw: raw.replace(b'"by":"p', b'"by":"\\u0070'),
    "a letter escaped in a key": lambda raw: raw.replace(b'"by":', b'"\\u0062y":'),
    "a slash escaped": lambda raw: raw.replace(b'"by":"p', b'"by":"\\/p'),
    "minus zero": lambda raw: raw.replace(b'"seat":0', b'"seat":-0'),
    "a whole number with a fraction": lambda raw: raw.replace(b'"v":1', b'"v":1.0'),
    "a whole number with an exponent": lambda raw: raw.replace(b'"v":1', b'"v":1e0'),
    "a leading zero": lambda raw: raw.replace(b'"v":1', b'"v":01'),
    "a number with a sign": lambda raw: raw.replace(b'"v":1', b'"v":+1'),
    "2 to the 53rd": lambda raw: re.sub(rb'"version":\d+', b'"version":9007199254740992', raw),
    "2 to the 53rd in a list": lambda raw: re.sub(rb'"next":\[\d*\]', b'"next":[9007199254740992]', raw),
    "2 to the 53rd second in a list": lambda raw: re.sub(rb'"next":\[\d*\]', b'"next":[0,9007199254740992]', raw),
    "less than minus 2 to the 53rd": lambda raw: re.sub(rb'"version":\d+', b'"version":-9007199254740993', raw),
    "a key twice": lambda raw: raw.replace(b'"v":1', b'"v":1,"v":1'),
    "a key twice in the fact": lambda raw: raw.replace(b'"seat":0', b'"seat":0,"seat":0'),
    "an unknown key": lambda raw: raw.replace(b'"v":1', b'"u":1,"v":1'),
    "an unknown key in the fact": lambda raw: raw.replace(b'"seat":0', b'"seat":0,"team":0'),
    "keys out of order": lambda raw: re.sub(rb'"v":1,("version":\d+)', rb'\1,"v":1', raw),
    "a fraction among the options": lambda raw: re.sub(rb'"options":\{[^}]*\}', b'"options":{"win":1.5}', raw),
    "a byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "a raw tab": lambda raw: raw.replace(b'"by":"p', b'"by":"\tp'),
    "half a surrogate pair": lambda raw: raw.replace(b'"by":"p', b'"by":"\\ud800p'),
    "bytes that aren't text": lambda raw: raw.replace(b'"by":"p', b'"by":"\xffp'),
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_another_spelling_never_passes_the_quick_check(odd: Odd, raws: list[bytes]) -> None:
    changed = [odd(raw) for raw in raws if odd(raw) != raw]
    assert changed
    for raw in changed:
        assert not surely(raw)
        if b'"team"' not in raw and b'"u":1' not in raw:
            assert not is_canonical(raw)


@pytest.mark.parametrize("name", ["Dörte", "\x7f", "𝄞", "a\\b", 'say "x"'])
def test_a_text_with_escapes_gets_the_full_check_and_passes_it(name: str, raws: list[bytes]) -> None:
    event = json.loads(raws[-1]) | {"by": name}
    raw = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert is_canonical(raw)
    assert surely(raw) == (name == "\x7f")


PIECES = [b" ", b"0", b"-", b".0", b"e1", b"9" * 16, b"\\u0041", b"\\", b'"', b",", b":", b"null", b"[]", b"\xc3\xa4"]


@given(seed=st.integers(0, 2**32), piece=st.sampled_from(PIECES), edits=st.integers(1, 3))
def test_bytes_that_pass_the_quick_check_are_canonical(raws: list[bytes], seed: int, piece: bytes, edits: int) -> None:
    chance = random.Random(seed)
    raw = chance.choice(raws)
    for _ in range(edits):
        first = chance.randrange(len(raw))
        last = first + chance.choice([0, 0, 1, 2])
        raw = raw[:first] + chance.choice([piece, bytes([chance.randrange(256)])]) + raw[last:]
    assert is_canonical(raw) or not surely(raw)


def _kinds(hint: Any) -> set[Any]:
    """Yield every scalar type in a type."""
    if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, Struct)):
        return {kind for each in get_type_hints(hint).values() for kind in _kinds(each)}
    if get_origin(hint) is None:
        return {getattr(hint, "__supertype__", hint)}
    return {kind for each in get_args(hint) for kind in _kinds(each)}


def test_no_fact_has_a_field_whose_values_can_be_spelled_in_two_ways() -> None:
    told = {kind for name, fact in FACTS.items() if name not in FACTS_WITH_ANY_FIELDS for kind in _kinds(fact)}
    told -= {kind for kind in told if isinstance(kind, str) or (isinstance(kind, type) and issubclass(kind, str))}
    assert told == {int, bool, type(None), Ellipsis}
