"""cardlog/1 against RFC 6962 (roots) and RFC 8785 (canonical bytes)."""

from collections.abc import Callable
from decimal import Decimal
from enum import IntEnum, StrEnum
from hashlib import sha256
from typing import Any, NamedTuple, cast

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.protocols.merkle_log import (
    EMPTY,
    EMPTY_ROOT,
    MAX_DEPTH,
    Frontier,
    NotCanonical,
    canonical,
    leaf,
    node,
    root_of,
    roots,
)

# The inputs and roots of the Certificate Transparency reference tests (merkletree test data of RFC 6962's authors).
TEXTS_OF_CT = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
CT_LEAVES = [leaf(bytes.fromhex(text)) for text in TEXTS_OF_CT]
CT_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def grown(leaves: list[bytes]) -> Frontier:
    frontier = EMPTY
    for one in leaves:
        frontier = frontier.append(one)
    return frontier


def test_the_first_byte_distinguishes_a_leaf_from_a_node() -> None:
    left, right = leaf(b"a"), leaf(b"b")
    assert left == sha256(b"\x00a").digest()
    assert node(left, right) == sha256(b"\x01" + left + right).digest()
    assert node(left, right) != leaf(left + right)


def test_roots_are_those_of_the_certificate_transparency_reference() -> None:
    for size, root in enumerate(CT_ROOTS):
        assert grown(CT_LEAVES[:size]).root().hex() == root_of(CT_LEAVES[:size]).hex() == root
    assert EMPTY.root() == EMPTY_ROOT == sha256(b"").digest()


def test_every_root_up_to_300_leaves_is_the_one_the_definition_gives() -> None:
    leaves = [leaf(i.to_bytes(2, "big")) for i in range(300)]
    frontier, seen = EMPTY, list[bytes]()
    for size, one in enumerate(leaves, 1):
        frontier = frontier.append(one)
        seen.append(frontier.root())
        assert (frontier.size, seen[-1]) == (size, root_of(leaves[:size]))
    assert list(roots(leaves)) == seen
    assert list(roots([])) == []


def test_a_frontier_is_a_value_that_cannot_be_changed_and_takes_hashes_alone() -> None:
    one, other = grown([leaf(b"a")]), grown([leaf(b"b")])
    assert grown([leaf(b"a")]) == one != other
    assert hash(grown([leaf(b"a")])) == hash(one)
    assert repr(one) == "Frontier(size=1)"
    for name in ("size", "last", "left", "before"):
        with pytest.raises(AttributeError):
            setattr(one, name, None)
    for length in (0, 31, 33):
        with pytest.raises(ValueError, match="a leaf hash must be 32 bytes"):
            EMPTY.append(bytes(length))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = st.text(st.characters(max_codepoint=127))
WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLE | TEXTS,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(KEYS, inner),
)


@pytest.mark.lengthy
@settings(max_examples=30)
@given(VALUES)
def test_canonical_bytes_are_those_of_rfc_8785(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(cast(Any, value))


def test_canonical_bytes_of_an_event_and_of_values_at_the_limits() -> None:
    event = {"version": 7, "seen_by": None, "fact": "CardPlayed", "data": {"seat": 2, "card": "10C"}, "by": "ü\n"}
    text = '{"by":"ü\\n","data":{"card":"10C","seat":2},"fact":"CardPlayed","seen_by":null,"version":7}'
    assert canonical(event) == text.encode()
    limits: tuple[object, ...] = (2**53 - 1, -(2**53) + 1, "\U0001f0a1", {"\x7f": "\x00"}, [], {}, ())
    for value in limits:
        assert canonical(value) == rfc8785.dumps(cast(Any, value))


class Suit(StrEnum):
    CLUBS = "C"


class Bid(IntEnum):
    SMUDGE = 5


class Seat(NamedTuple):
    number: int


NUMBER, TEXT, KEY = "a whole number must lie", "half a surrogate pair", "keys of an object must be ASCII"
REFUSED: list[tuple[object, str]] = [
    (2**53, NUMBER),
    (-(2**53), NUMBER),
    (10**5000, NUMBER),
    ("\ud800", TEXT),
    ("a\udc00b", TEXT),
    ({"é": 1}, KEY),
    ({"\ud800": 1}, KEY),
    ({1: 1}, KEY),
    ({True: 1}, KEY),
    ({None: 1}, KEY),
    ({Suit.CLUBS: 1}, KEY),
    (0.0, "type float"),
    (7.0, "type float"),
    (float("nan"), "type float"),
    (float("inf"), "type float"),
    (Decimal(1), "type Decimal"),
    (b"AD", "type bytes"),
    ({1}, "type set"),
    (iter([1]), "type list_iterator"),
    (object(), "type object"),
    (Suit.CLUBS, "type Suit"),
    (Bid.SMUDGE, "type Bid"),
    (Seat(1), "type Seat"),
]


def test_a_value_without_canonical_bytes_is_refused_at_any_depth_and_not_quoted() -> None:
    for value, says in REFUSED:
        for wrapped in (value, [1, value], {"a": {"b": (value,)}}):
            with pytest.raises(NotCanonical, match=says) as refusal:
                pytest.fail(f"refused with {says!r} should be {canonical(wrapped)!r}")
            assert refusal.value.__cause__ is None
    with pytest.raises(NotCanonical) as refusal:
        canonical({"seed": b"\xab" * 32})
    assert "xab" not in str(refusal.value)


def nested(depth: int, wrap: Callable[[object], object]) -> object:
    value: object = 1
    for _ in range(depth):
        value = wrap(value)
    return value


def test_nesting_is_refused_only_beyond_the_deepest_level() -> None:
    wraps: list[Callable[[object], object]] = [lambda x: [x], lambda x: (x,), lambda x: {"a": x}]
    for wrap in wraps:
        assert canonical(nested(MAX_DEPTH, wrap)).count(b"1") == 1
        for depth in (MAX_DEPTH + 1, 8000):
            with pytest.raises(NotCanonical, match="nest deeper than 100"):
                canonical(nested(depth, wrap))
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(NotCanonical, match="nest deeper"):
        canonical(loop)
