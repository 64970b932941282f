"""Inclusion and consistency proofs (docs/trust.md; RFC 6962 2.1, RFC 9162 2.1.3 and 2.1.4), also broken ones."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.protocols.merkle_log import EMPTY_ROOT, leaf, node, root_of
from domain.protocols.proofs import consistency, inclusion, verify_consistency, verify_inclusion
from tests.domain.protocols.test_merkle_log import CT_LEAVES

SIZES = range(1, 71)
LEAVES = [leaf(bytes([number])) for number in range(72)]
ROOTS = [root_of(LEAVES[:size]) for size in range(73)]

A = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
B = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
AB = "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
CD = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
E = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
EF = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"
GH = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
ABCD = "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"
EFGH = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"


def in_hex(proof: Sequence[bytes]) -> list[str]:
    return [each.hex() for each in proof]


@pytest.mark.parametrize(
    ("index", "size", "path"),
    [(0, 1, []), (0, 8, [B, CD, EFGH]), (5, 8, [E, GH, ABCD]), (2, 3, [AB]), (1, 5, [A, CD, E])],
)
def test_inclusion_proofs_equal_the_published_ones_of_certificate_transparency(
    index: int, size: int, path: list[str]
) -> None:
    assert in_hex(inclusion(CT_LEAVES, index, size)) == path
    assert verify_inclusion(
        CT_LEAVES[index], index, size, [bytes.fromhex(each) for each in path], root_of(CT_LEAVES[:size])
    )


@pytest.mark.parametrize(
    ("first", "second", "path"), [(1, 1, []), (1, 8, [B, CD, EFGH]), (6, 8, [EF, GH, ABCD]), (2, 5, [CD, E])]
)
def test_consistency_proofs_equal_the_published_ones(first: int, second: int, path: list[str]) -> None:
    assert in_hex(consistency(CT_LEAVES, first, second)) == path
    proof = [bytes.fromhex(each) for each in path]
    assert verify_consistency(first, second, proof, root_of(CT_LEAVES[:first]), root_of(CT_LEAVES[:second]))


def by_levels(leaves: Sequence[bytes]) -> bytes:
    """Return the root by hashing level by level, independent of the proof code."""
    level = list(leaves)
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [node(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return level[0]


def test_the_proof_of_each_leaf_of_each_size_fits_no_other_leaf() -> None:
    for size in SIZES:
        assert by_levels(LEAVES[:size]) == ROOTS[size]
        for index in range(size):
            proof = inclusion(LEAVES, index, size)
            assert verify_inclusion(LEAVES[index], index, size, proof, ROOTS[size])
            other = (index + 1) % size
            assert other == index or not verify_inclusion(LEAVES[other], index, size, proof, ROOTS[size])
            assert other == index or not verify_inclusion(LEAVES[index], other, size, proof, ROOTS[size])
            assert not verify_inclusion(LEAVES[index], index, size, proof, ROOTS[size + 1])


def test_the_proof_of_each_pair_of_sizes_fits_no_other_pair() -> None:
    for second in SIZES:
        for first in range(second + 1):
            proof = consistency(LEAVES, first, second)
            assert verify_consistency(first, second, proof, ROOTS[first], ROOTS[second])
            assert not verify_consistency(first, second, proof, ROOTS[first + 1], ROOTS[second])
            assert not first or not verify_consistency(first, second, proof, ROOTS[first], ROOTS[second + 1])


def broken(proof: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Yield every way to mutate, reorder, truncate or extend a proof by one step."""
    for place, each in enumerate(proof):
        yield [*proof[:place], bytes([each[0] ^ 1]) + each[1:], *proof[place + 1 :]]
        yield [*proof[:place], *proof[place + 1 :]]
        yield [*proof[:place], each, *proof[place:]]
        yield [*proof[:place], each[:-1], *proof[place + 1 :]]
    for place, (one, two) in enumerate(pairwise(proof)):
        if one != two:
            yield [*proof[:place], two, one, *proof[place + 2 :]]
    yield [*proof, LEAVES[0]]
    yield [LEAVES[0], *proof]
    yield [*proof, b""]


def test_no_broken_proof_of_inclusion_is_accepted() -> None:
    for size in range(1, 34):
        for index in range(size):
            for wrong in broken(inclusion(LEAVES, index, size)):
                assert not verify_inclusion(LEAVES[index], index, size, wrong, ROOTS[size])


def test_no_broken_proof_of_consistency_is_accepted() -> None:
    for second in range(1, 34):
        for first in range(second + 1):
            for wrong in broken(consistency(LEAVES, first, second)):
                assert not verify_consistency(first, second, wrong, ROOTS[first], ROOTS[second])


@given(st.lists(st.binary(min_size=32, max_size=32), max_size=8), st.integers(-2, 40), st.integers(-2, 40))
def test_invalid_values_are_refused_without_an_exception(proof: list[bytes], one: int, two: int) -> None:
    assert not verify_inclusion(LEAVES[0], one, two, proof, LEAVES[71])
    assert not verify_consistency(one, two, proof, LEAVES[70], LEAVES[71])


def test_wrong_sizes_are_refused() -> None:
    proof = inclusion(LEAVES, 5, 13)
    accepted = [size for size in range(80) if verify_inclusion(LEAVES[5], 5, size, proof, ROOTS[13])]
    assert 13 in accepted
    assert all(len(inclusion(LEAVES, 5, size)) == len(proof) for size in accepted)  # the signed note fixes the size
    assert not verify_consistency(3, 2, [], ROOTS[3], ROOTS[2])
    assert not verify_consistency(0, 2, [], ROOTS[1], ROOTS[2])
    assert verify_consistency(0, 0, [], EMPTY_ROOT, EMPTY_ROOT)
    assert not verify_inclusion(LEAVES[0][:31], 0, 1, [], LEAVES[0][:31])


@pytest.mark.parametrize(("index", "size"), [(0, 0), (1, 1), (-1, 3), (2, 80)])
def test_a_proof_of_a_missing_leaf_is_refused(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="there is no leaf"):
        inclusion(LEAVES, index, size)


@pytest.mark.parametrize(("first", "second"), [(2, 1), (-1, 3), (2, 80)])
def test_a_proof_between_missing_logs_is_refused(first: int, second: int) -> None:
    with pytest.raises(ValueError, match="there are no logs"):
        consistency(LEAVES, first, second)
