"""FairDeal v1: the vectors with every intermediate value, a second implementation from the text, and refusals."""

import json
from collections.abc import Iterator
from hashlib import sha256
from hmac import new as hmac
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import DECK_52
from domain.protocols.fairdeal import _Stream, chance, commit, key, pick, seal, shuffle

SPEC = json.loads((Path(__file__).parents[1] / "fairdeal-vectors.json").read_text(encoding="utf-8"))
VECTORS = [pytest.param(vector, id=vector["name"]) for vector in SPEC["vectors"]]
DRAWS = [
    pytest.param(vector, draw, id=f"{vector['name'][:2]} {draw['label']}")
    for vector in SPEC["vectors"]
    for draw in vector["draws"]
]
SEED = bytes(range(32))


def cuts_of(vector: dict[str, Any]) -> list[tuple[str, bytes]]:
    return [(source, bytes.fromhex(cut)) for source, cut in vector["cuts"]]


def key_of(vector: dict[str, Any]) -> bytes:
    seed = bytes.fromhex(vector["seed"])
    return key(vector["game"], vector["n"], vector["subject"], seed, cuts_of(vector))


# The vectors


def test_there_are_three_vectors_over_the_canonical_deck() -> None:
    assert len(VECTORS) == 3
    assert len(DRAWS) == 11
    assert tuple(SPEC["deck52"]) == DECK_52


@pytest.mark.parametrize("vector", VECTORS)
def test_commitment_seals_and_key(vector: dict[str, Any]) -> None:
    game, seed = vector["game"], bytes.fromhex(vector["seed"])
    assert commit(game, vector["n"], vector["subject"], seed).hex() == vector["commit"]
    assert [[source, seal(game, source, cut).hex()] for source, cut in cuts_of(vector)] == vector["seals"]
    assert key_of(vector).hex() == vector["key"]


@pytest.mark.parametrize("vector", VECTORS)
def test_first_block_of_the_deck_stream(vector: dict[str, Any]) -> None:
    stream = _Stream(key_of(vector), "deck")
    assert bytes(stream.below(256) for _ in range(32)).hex() == vector["block0"]
    assert stream.used == 32


@pytest.mark.parametrize(("vector", "draw"), DRAWS)
def test_draws(vector: dict[str, Any], draw: dict[str, Any]) -> None:
    if draw["op"] == "shuffle":
        assert shuffle(key_of(vector), draw["label"], draw["n"]) == draw["result"]
    else:
        assert pick(key_of(vector), draw["label"], draw["m"]) == draw["result"]


@pytest.mark.parametrize(("vector", "draw"), DRAWS)
def test_bytes_each_draw_reads(vector: dict[str, Any], draw: dict[str, Any]) -> None:
    stream = _Stream(key_of(vector), draw["label"])
    sizes = range(draw["n"], 0, -1) if draw["op"] == "shuffle" else [draw["m"]]
    for m in sizes:
        stream.below(m)
    assert stream.used == draw["bytes_used"]


# A second implementation from the text, as simple as possible


def ref_enc(*parts: str | int | bytes) -> bytes:
    out = b""
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        raw = raw.to_bytes(4, "big") if isinstance(raw, int) else raw
        out += len(raw).to_bytes(4, "big") + raw
    return out


def ref_stream(key: bytes, label: str) -> Iterator[int]:
    for i in range(2**32):
        yield from hmac(key, ref_enc("fairdeal/1 draw", label, i), "sha256").digest()


def ref_below(stream: Iterator[int], m: int) -> int:
    k = next(k for k in range(5) if 256**k >= m)
    limit = 256**k - (256**k % m)
    while (x := int.from_bytes(bytes(islice(stream, k)), "big")) >= limit:
        pass
    return x % m


def ref_shuffle(key: bytes, label: str, n: int) -> list[int]:
    stream = ref_stream(key, label)
    p = list(range(n))
    for i in reversed(range(n)):
        j = ref_below(stream, i + 1)
        p[i], p[j] = p[j], p[i]
    return p


TEXTS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=255)
U32 = st.integers(0, 2**32 - 1)
RAW32 = st.binary(min_size=32, max_size=32)
CUTS = st.lists(st.tuples(TEXTS, RAW32), max_size=6)


@given(TEXTS, U32, TEXTS, RAW32, CUTS)
def test_commitments_and_keys_agree_with_the_text(
    game: str, n: int, subject: str, seed: bytes, cuts: list[tuple[str, bytes]]
) -> None:
    assert commit(game, n, subject, seed) == sha256(ref_enc("fairdeal/1 commit", game, n, subject, seed)).digest()
    assert seal(game, subject, seed) == sha256(ref_enc("fairdeal/1 seal", game, subject, seed)).digest()
    flat = [part for source_and_cut in cuts for part in source_and_cut]
    message = ref_enc("fairdeal/1 key", game, n, subject, len(cuts), *flat)
    assert key(game, n, subject, seed, cuts) == hmac(seed, message, "sha256").digest()


@given(RAW32, TEXTS, st.integers(0, 400))
def test_shuffles_agree_with_the_text_and_are_permutations(key: bytes, label: str, n: int) -> None:
    order = shuffle(key, label, n)
    assert order == ref_shuffle(key, label, n)
    assert sorted(order) == list(range(n))


@given(RAW32, TEXTS, st.lists(st.integers(1, 2**32) | st.integers(1, 300) | st.just(65537), min_size=1, max_size=40))
def test_numbers_drawn_one_after_another_agree_with_the_text_across_blocks(
    key: bytes, label: str, sizes: list[int]
) -> None:
    stream, reference = _Stream(key, label), ref_stream(key, label)
    drawn = [stream.below(m) for m in sizes]
    assert drawn == [ref_below(reference, m) for m in sizes]
    assert all(0 <= x < m for x, m in zip(drawn, sizes, strict=True))
    assert pick(key, label, sizes[0]) == drawn[0]


@given(RAW32, TEXTS, st.integers(1, 2**32), st.integers(0, 2**32))
def test_a_chance_of_b_in_a_is_a_number_below_a_compared_with_b(key: bytes, label: str, b: int, a: int) -> None:
    assert chance(key, label, a, b) == (pick(key, label, b) < a)


def test_a_chance_of_none_never_happens_and_of_all_always() -> None:
    keys = [bytes([i]) * 32 for i in range(50)]
    assert not any(chance(key, "coin", 0, 6) for key in keys)
    assert all(chance(key, "coin", 6, 6) for key in keys)
    assert {chance(key, "coin", 1, 6) for key in keys} == {True, False}


def test_a_shuffle_of_more_than_65536_cards_agrees_with_the_text() -> None:
    assert shuffle(SEED, "deck", 65_600) == ref_shuffle(SEED, "deck", 65_600)


# Changes that must change the result


def test_every_part_of_a_ceremony_changes_its_key_and_its_commitment() -> None:
    cuts = [("0", b"a" * 32), ("1", b"b" * 32)]
    keys = [
        key("g", 1, "game", SEED, cuts),
        key("h", 1, "game", SEED, cuts),
        key("g", 2, "game", SEED, cuts),
        key("g", 1, "coin", SEED, cuts),
        key("g", 1, "game", b"s" * 32, cuts),
        key("g", 1, "game", SEED, cuts[:1]),
        key("g", 1, "game", SEED, cuts[::-1]),
        key("g", 1, "game", SEED, [("0", b"a" * 32), ("2", b"b" * 32)]),
        key("g", 1, "game", SEED, [("0", b"a" * 32), ("1", b"c" * 32)]),
    ]
    commits = [commit("g", 1, "game", SEED), commit("h", 1, "game", SEED), commit("g", 2, "game", SEED)]
    commits += [commit("g", 1, "coin", SEED), commit("g", 1, "game", b"s" * 32)]
    seals = [seal("g", "0", SEED), seal("h", "0", SEED), seal("g", "1", SEED), seal("g", "0", b"s" * 32)]
    assert len({*keys, *commits, *seals}) == len(keys) + len(commits) + len(seals)


def test_text_moved_from_one_part_to_the_next_changes_the_commitment() -> None:
    assert commit("ab", 1, "c", SEED) != commit("a", 1, "bc", SEED)


def test_each_label_has_its_own_stream_the_same_each_time() -> None:
    labels = ["deck", "seats", "dealer", "coin", "randomizer 1 when", "randomizer 1 what", "randomizer 1 end"]
    drawn = [pick(SEED, label, 2**32) for label in labels]
    assert len(set(drawn)) == len(labels)
    assert drawn == [pick(SEED, label, 2**32) for label in labels]


# Refusals

LENGTHS = [b"", bytes(31), bytes(33)]


@pytest.mark.parametrize("raw", LENGTHS, ids=["0 bytes", "31 bytes", "33 bytes"])
def test_seeds_cuts_and_keys_of_another_length_are_refused(raw: bytes) -> None:
    for refused in (
        lambda: commit("g", 1, "game", raw),
        lambda: seal("g", "0", raw),
        lambda: key("g", 1, "game", raw, []),
        lambda: key("g", 1, "game", SEED, [("0", SEED), ("1", raw)]),
        lambda: shuffle(raw, "deck", 52),
        lambda: pick(raw, "coin", 2),
        lambda: chance(raw, "coin", 1, 2),
    ):
        with pytest.raises(ValueError, match="must be exactly 32 bytes"):
            refused()


@pytest.mark.parametrize("value", ["a" * 32, bytearray(32), None, 32], ids=["text", "bytearray", "none", "number"])
def test_a_seed_that_is_not_bytes_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="a seed must be exactly 32 bytes"):
        commit("g", 1, "game", cast(bytes, value))


BAD_TEXTS = ["a" * 256, "\x1f", "\x7f", "tab\t", "line\n", "Zoë", "\ud800", "10\u2660", "\uff21"]


@pytest.mark.parametrize("text", BAD_TEXTS, ids=ascii)
def test_texts_that_are_not_printable_ascii_or_too_long_are_refused(text: str) -> None:
    for refused in (
        lambda: commit(text, 1, "game", SEED),
        lambda: commit("g", 1, text, SEED),
        lambda: seal(text, "0", SEED),
        lambda: seal("g", text, SEED),
        lambda: key(text, 1, "game", SEED, []),
        lambda: key("g", 1, text, SEED, []),
        lambda: key("g", 1, "game", SEED, [(text, SEED)]),
        lambda: shuffle(SEED, text, 52),
        lambda: pick(SEED, text, 2),
    ):
        with pytest.raises(ValueError, match="printable ASCII of at most 255 characters"):
            refused()


@pytest.mark.parametrize("text", ["", " ", "~", "a" * 255], ids=["empty", "space", "tilde", "255 long"])
def test_texts_at_the_limits_are_accepted(text: str) -> None:
    assert commit(text, 0, text, SEED) == sha256(ref_enc("fairdeal/1 commit", text, 0, text, SEED)).digest()


@pytest.mark.parametrize("n", [-1, 2**32, 1.0, True], ids=str)
def test_a_ceremony_number_outside_u32_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="number of a ceremony must be a whole number from 0 to 4294967295"):
        commit("g", n, "game", SEED)
    with pytest.raises(ValueError, match="number of a ceremony"):
        key("g", n, "game", SEED, [])


def test_the_highest_ceremony_number_is_accepted() -> None:
    expected = sha256(ref_enc("fairdeal/1 commit", "g", 2**32 - 1, "game", SEED)).digest()
    assert commit("g", 2**32 - 1, "game", SEED) == expected


@pytest.mark.parametrize("m", [-1, 0, 2**32 + 1, 2.0, True], ids=str)
def test_a_pick_from_none_or_from_too_many_is_refused(m: int) -> None:
    with pytest.raises(ValueError, match="number to pick from must be a whole number from 1 to 4294967296"):
        pick(SEED, "coin", m)
    with pytest.raises(ValueError, match="number to pick from"):
        chance(SEED, "coin", 1, m)


@pytest.mark.parametrize("n", [-1, 2**32 + 1, 52.0, True], ids=str)
def test_a_deck_of_a_negative_or_too_large_number_of_cards_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="number of cards must be a whole number from 0"):
        shuffle(SEED, "deck", n)


def test_a_refusal_does_not_quote_the_secret() -> None:
    for secret in (b"\xab" * 31, b"\xab" * 33):
        with pytest.raises(ValueError, match="32 bytes") as refusal:
            commit("g", 1, "game", secret)
        assert "xab" not in str(refusal.value)
        assert secret.hex() not in str(refusal.value)


def test_a_stream_does_not_show_its_key() -> None:
    assert SEED.hex() not in repr(_Stream(SEED, "deck"))
    assert repr(SEED) not in repr(_Stream(SEED, "deck"))


def test_cuts_can_be_any_sequence() -> None:
    assert key("g", 1, "game", SEED, [("0", SEED)]) == key("g", 1, "game", SEED, (("0", SEED),))
