"""FairDeal v1: the vectors with every intermediate value, a second implementation from the text, and refusals."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.cards import DECK_52
from domain.protocols.fairdeal import _Stream, chance, commit, key, pick, seal, shuffle
from tests.api import fairdeal_reference as reference

SPEC = json.loads((Path(__file__).parents[1] / "fairdeal-vectors.json").read_text(encoding="utf-8"))
SEED = bytes(range(32))


def cuts_of(vector: dict[str, Any]) -> list[tuple[str, bytes]]:
    return [(source, bytes.fromhex(cut)) for source, cut in vector["cuts"]]


# The vectors


@pytest.mark.parametrize("vector", SPEC["vectors"], ids=lambda vector: vector["name"])
def test_every_value_of_a_vector(vector: dict[str, Any]) -> None:
    game, seed = vector["game"], bytes.fromhex(vector["seed"])
    assert commit(game, vector["n"], vector["subject"], seed).hex() == vector["commit"]
    assert [[source, seal(game, source, cut).hex()] for source, cut in cuts_of(vector)] == vector["seals"]
    own = key(game, vector["n"], vector["subject"], seed, cuts_of(vector))
    assert own.hex() == vector["key"]
    stream = _Stream(own, "deck")
    assert bytes(stream.below(256) for _ in range(32)).hex() == vector["block0"]
    for draw in vector["draws"]:
        shuffled, label, stream = draw["op"] == "shuffle", draw["label"], _Stream(own, draw["label"])
        assert (shuffle(own, label, draw["n"]) if shuffled else pick(own, label, draw["m"])) == draw["result"], label
        for m in range(draw["n"], 0, -1) if shuffled else [draw["m"]]:
            stream.below(m)
        assert stream.used == draw["bytes_used"], label
    assert tuple(SPEC["deck52"]) == DECK_52


# The second implementation, from the text


TEXTS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=255)
U32 = st.integers(0, 2**32 - 1)
RAW32 = st.binary(min_size=32, max_size=32)
CUTS = st.lists(st.tuples(TEXTS, RAW32), max_size=6)


@example("", 0, "a" * 255, SEED, [(" ", SEED), ("~", SEED)])
@example("a" * 255, 2**32 - 1, "", SEED, [])
@given(TEXTS, U32, TEXTS, RAW32, CUTS)
def test_commitments_and_keys_agree_with_the_text(
    game: str, n: int, subject: str, seed: bytes, cuts: list[tuple[str, bytes]]
) -> None:
    assert commit(game, n, subject, seed).hex() == reference.commitment(game, n, subject, seed)
    assert seal(game, str(n), seed).hex() == reference.seal(game, n, seed)
    assert key(game, n, subject, seed, cuts) == reference.ceremony_key(game, n, subject, seed, cuts)


@given(RAW32, TEXTS, st.integers(0, 400))
def test_shuffles_agree_with_the_text_and_are_permutations(key: bytes, label: str, n: int) -> None:
    order = shuffle(key, label, n)
    assert order == reference.shuffle(key, label, n)
    assert sorted(order) == list(range(n))


@given(RAW32, TEXTS, st.lists(st.integers(1, 2**32) | st.integers(1, 300) | st.just(65537), min_size=1, max_size=40))
def test_numbers_drawn_one_after_another_agree_with_the_text_across_blocks(
    key: bytes, label: str, sizes: list[int]
) -> None:
    stream, read = _Stream(key, label), reference.stream(key, label)
    drawn = [stream.below(m) for m in sizes]
    assert drawn == [reference.number_below(read, m) for m in sizes]
    assert all(0 <= x < m for x, m in zip(drawn, sizes, strict=True))
    assert pick(key, label, sizes[0]) == drawn[0]


@given(RAW32, TEXTS, st.integers(1, 2**32), st.integers(0, 2**32))
def test_a_chance_of_b_in_a_is_a_number_below_a_compared_with_b(key: bytes, label: str, b: int, a: int) -> None:
    assert chance(key, label, a, b) == (pick(key, label, b) < a)


def test_a_shuffle_of_more_than_65536_cards_agrees_with_the_text() -> None:
    assert shuffle(SEED, "deck", 65_600) == reference.shuffle(SEED, "deck", 65_600)


# Refusals


def refused(says: str, *asked: Callable[[], object]) -> None:
    for number, ask in enumerate(asked):
        with pytest.raises(ValueError, match=says):
            pytest.fail(f"question {number} was answered: {ask()!r}")


def test_seeds_cuts_and_keys_of_another_length_or_type_are_refused() -> None:
    for wrong in ("a" * 32, bytearray(32), None, 32):
        refused("a seed must be exactly 32 bytes", partial(commit, "g", 1, "game", cast(bytes, wrong)))
    for raw in (b"", bytes(31), bytes(33)):
        refused(
            "must be exactly 32 bytes",
            partial(commit, "g", 1, "game", raw),
            partial(seal, "g", "0", raw),
            partial(key, "g", 1, "game", raw, []),
            partial(key, "g", 1, "game", SEED, [("0", SEED), ("1", raw)]),
            partial(shuffle, raw, "deck", 52),
            partial(pick, raw, "coin", 2),
            partial(chance, raw, "coin", 1, 2),
        )


def test_texts_that_are_not_printable_ascii_or_too_long_are_refused() -> None:
    for text in ("a" * 256, "\x1f", "\x7f", "tab\t", "line\n", "Zoë", "\ud800", "10\u2660", "\uff21"):
        refused(
            "printable ASCII of at most 255 characters",
            partial(commit, text, 1, "game", SEED),
            partial(commit, "g", 1, text, SEED),
            partial(seal, text, "0", SEED),
            partial(seal, "g", text, SEED),
            partial(key, text, 1, "game", SEED, []),
            partial(key, "g", 1, text, SEED, []),
            partial(key, "g", 1, "game", SEED, [(text, SEED)]),
            partial(shuffle, SEED, text, 52),
            partial(pick, SEED, text, 2),
        )


def test_numbers_out_of_range_are_refused() -> None:
    n: Any
    m: Any
    for n in (-1, 2**32, 1.0, True):
        says = "number of a ceremony must be a whole number from 0 to 4294967295"
        refused(says, partial(commit, "g", n, "game", SEED), partial(key, "g", n, "game", SEED, []))
    for m in (-1, 0, 2**32 + 1, 2.0, True):
        says = "number to pick from must be a whole number from 1 to 4294967296"
        refused(says, partial(pick, SEED, "coin", m), partial(chance, SEED, "coin", 1, m))
    for n in (-1, 2**32 + 1, 52.0, True):
        refused("number of cards must be a whole number from 0", partial(shuffle, SEED, "deck", n))


def test_a_refusal_does_not_quote_the_secret() -> None:
    for secret in (b"\xab" * 31, b"\xab" * 33):
        with pytest.raises(ValueError, match="32 bytes") as refusal:
            commit("g", 1, "game", secret)
        assert "xab" not in str(refusal.value)
        assert secret.hex() not in str(refusal.value)


def test_a_stream_does_not_show_its_key() -> None:
    assert SEED.hex() not in repr(_Stream(SEED, "deck"))
    assert repr(SEED) not in repr(_Stream(SEED, "deck"))
