"""Nasty values, and mutations of JSON and of bytes. All randomness comes from the generator that is passed in."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

NUMBERS: tuple[Any, ...] = (
    0, -1, 1, 2, 7, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, 5e-324, True, False,
)  # fmt: skip
TEXTS = (
    "", " ", "0", "01", "+1", "-1", "1.0", "1e3", "9" * 30, "\0", "\n", "\u200b1", "\uff11", "\xe9", "\U0001f0a1",
    "\u202e",
    "../../etc/passwd", "'; DROP TABLE users; --", "%00", "%s%n", "{{7*7}}", "<script>", "=cmd|' /C calc'!A0", "null",
    "NaN", "x" * 300, "x" * 20_000, "bot:simple", "bot:nobody", "2026-11-21T08:00:00Z", "0001-01-01T00:00:00Z", "AS",
    "10h",
    "pass", "text/event-stream", "a" * 64, "0" * 64,
)  # fmt: skip
SHAPES: tuple[Any, ...] = (
    None, [], {}, [[]], [{}], [None], {"": None}, {"__proto__": {}}, {"type": {}}, [1] * 1000, [[[[[[[[[[[[]]]]]]]]]]]],
)  # fmt: skip
RAW_JSON = (
    b"", b"{", b"[]", b"null", b'"x"', b"1", b"NaN", b"{}{}", b'{"a":1,"a":2}', b"\xff\xfe{}", b"\xef\xbb\xbf{}",
    b'{"a":"\\ud800"}',
    b"[" * 20_000, b'{"a":' * 3_000, b'{"n":' + b"9" * 5_000 + b"}", b'{"n":1e999999999}', b"{'a':1}", b'{"a":1,}',
    b" " * 50_000 + b"{}", b"x" * 65_537,
)  # fmt: skip
MAX_STEPS = 4


def any_text(chance: Random) -> str:
    """Return a nasty text, or a few random characters."""
    if chance.random() < 0.7:
        return chance.choice(TEXTS)
    starts = chance.choices((32, 0x7F, 0xE9, 0x4E00), k=chance.randrange(12))
    return "".join(chr(start + chance.randrange(95)) for start in starts)


def any_value(chance: Random) -> Any:
    """Return a nasty JSON value."""
    kind = chance.randrange(3)
    return chance.choice(NUMBERS) if kind == 0 else any_text(chance) if kind == 1 else chance.choice(SHAPES)


def mutate_json(value: Any, chance: Random) -> Any:
    """Return a copy of a JSON value with one change somewhere: another value, or a field more or less."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice(sorted(value))
        change = chance.randrange(8)
        if change == 0:
            return {name: part for name, part in value.items() if name != key}
        if change == 1:
            return value | {any_text(chance): any_value(chance)}
        return value | {key: mutate_json(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        part = [mutate_json(value[at], chance)] * chance.randrange(3)
        return [*value[:at], *part, *value[at + 1 :]]
    return any_value(chance)


def mutated_body(valid: Any, chance: Random) -> bytes:
    """Return a body: often JSON near a valid one, sometimes bytes that aren't JSON."""
    kind = chance.random()
    if kind < 0.35:
        return encode(valid)
    if kind < 0.8:
        for _ in range(chance.randint(1, 2)):
            valid = mutate_json(valid, chance)
        return encode(valid)
    return mutate_bytes(encode(valid), chance) if kind < 0.92 else chance.choice(RAW_JSON)


def encode(value: Any) -> bytes:
    """Return JSON in UTF-8 or ASCII; a lone surrogate stays escaped."""
    return json.dumps(value).encode()


def flip_bits(data: bytes, chance: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8) if changed else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut_short(data: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def cut_out(data: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[at + chance.randrange(40) :]


def insert_bytes(data: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.randbytes(chance.randint(1, 9)) + data[at:]


def repeat_part(data: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[at : at + 30] * chance.choice((2, 3, 300)) + data[at:]


def break_lines(data: bytes, chance: Random) -> bytes:
    """Change the ends of lines, as careless programs and request smugglers do."""
    end = chance.choice((b"\n", b"\r", b"\r\n ", b"\r\r\n", b"\0\r\n", b"\r\n\r\n"))
    return data.replace(b"\r\n", end, chance.randint(1, 5))


BYTE_MUTATIONS: tuple[Callable[[bytes, Random], bytes], ...] = (
    flip_bits, cut_short, cut_out, insert_bytes, repeat_part, break_lines,
)  # fmt: skip


def mutate_bytes(data: bytes, chance: Random) -> bytes:
    """Return the bytes with one to four changes."""
    for _ in range(chance.randint(1, MAX_STEPS)):
        data = chance.choice(BYTE_MUTATIONS)(data, chance)
    return data
