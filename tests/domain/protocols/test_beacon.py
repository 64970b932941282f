"""Rounds of a public beacon: times, names, and signatures, with recorded rounds of drand's quicknet."""

from hashlib import sha256

import pytest
from py_arkworks_bls12381 import G1Point, Scalar

from domain.engine.timestamps import add_time
from domain.protocols import beacon
from domain.protocols.beacon import CHAINS, LEAD_S, is_signed, parse_source, publication_time, round_to_name
from tests.beacons.rounds import CHAIN, RECORDED, SIGNATURES, last_moment_for, published, source_of

ON_CURVE_OUTSIDE_SUBGROUP = "80" + "00" * 46 + "04"
NOT_ON_CURVE = "80" + "00" * 46 + "01"
INFINITY = "c0" + "00" * 47
SIGNATURE = SIGNATURES[1000]


def flipped(text: str, bit: int) -> str:
    raw = bytearray.fromhex(text)
    raw[bit // 8] ^= 128 >> bit % 8
    return raw.hex()


def test_every_recorded_round_verifies_and_gives_the_published_randomness() -> None:
    for recorded in RECORDED:
        assert is_signed(f"{CHAIN}/{recorded['round']}", recorded["signature"])
        assert beacon.cut_of(recorded["signature"]) == recorded["randomness"]


def test_a_signature_is_that_of_its_round_alone() -> None:
    for number in SIGNATURES:
        assert [other for other in SIGNATURES if is_signed(source_of(number), SIGNATURES[other])] == [number]
    assert not is_signed(source_of(999), SIGNATURE)


def test_other_bytes_are_no_signature() -> None:
    outside = G1Point.from_compressed_bytes_unchecked(bytes.fromhex(ON_CURVE_OUTSIDE_SUBGROUP))
    assert not outside.is_in_subgroup()
    with pytest.raises(ValueError, match="invalid"):
        G1Point.from_compressed_bytes_unchecked(bytes.fromhex(NOT_ON_CURVE))
    other_encodings = ["ff" * 48, "80" + "ff" * 47, "00" * 48, SIGNATURE.upper(), SIGNATURE[:-2], SIGNATURE + "00", ""]
    bits = (*range(4), 40, 200, 383)
    wrong = [
        INFINITY,
        NOT_ON_CURVE,
        ON_CURVE_OUTSIDE_SUBGROUP,
        *other_encodings,
        *(flipped(SIGNATURE, bit) for bit in bits),
    ]
    assert [text for text in wrong if is_signed(source_of(1000), text)] == []


def test_points_of_the_subgroup_by_another_key_are_no_signature() -> None:
    message = G1Point.hash_to_curve(sha256((1000).to_bytes(8, "big")).digest(), beacon._DOMAIN)
    for point in (G1Point(), message, message * Scalar(7)):
        assert point.is_in_subgroup()
        assert not is_signed(source_of(1000), bytes(point.to_compressed_bytes()).hex())


def test_a_source_has_one_spelling() -> None:
    wrong = [f"drand/quicknet{end}" for end in ("", "/", "/0", "/01", "/-1", "/1 ", "/1/1", "/٣", f"/{2**63}")]
    for source in (*wrong, "drand/default/1", "quicknet/1", "1", ""):
        assert (parse_source(source), publication_time(source)) == (None, None), source
        assert not is_signed(source, SIGNATURE), source


def test_rounds_come_every_three_seconds_from_the_first_on() -> None:
    assert published(1) == "2023-08-23T15:09:27.000000Z"
    assert published(2) == "2023-08-23T15:09:30.000000Z"
    assert published(1000) == "2023-08-23T15:59:24.000000Z"
    assert publication_time(source_of(2**62)) is None


def test_a_commitment_names_the_first_round_after_the_lead() -> None:
    latest = last_moment_for(1000)
    assert round_to_name(CHAIN, latest) == source_of(1000)
    assert round_to_name(CHAIN, str(add_time(latest, milliseconds=1))) == source_of(1001)
    assert round_to_name(CHAIN, str(add_time(latest, seconds=-3, milliseconds=1))) == source_of(1000)
    assert round_to_name(CHAIN, str(add_time(latest, seconds=-3))) == source_of(999)
    assert round_to_name(CHAIN, "2000-01-01T00:00:00.000000Z") == source_of(1)
    assert CHAINS[CHAIN].period_s <= LEAD_S, "no round may be under way when the table commits itself"


def test_a_time_in_another_format_names_no_round() -> None:
    moments = ("", "2023-08-23", "2023-08-23T15:59:24Z", "now", "9999-12-31T23:59:59.000000Z")
    assert [moment for moment in moments if round_to_name(CHAIN, moment) is not None] == []
