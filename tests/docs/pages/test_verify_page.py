"""docs/verify-a-hand.md: every value on it is recomputed here, mostly by code that is independent of the project."""

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from math import ceil
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.events import FACTS
from domain.protocols.beacon import CHAINS, is_signed
from replay.audit import audit
from replay.history import export_bytes, read_export
from tests.api import fairdeal_reference as fairdeal
from tests.api.log_reference import Key, Receipt, check_export, leaf, roots
from tests.docs.markdown import ROOT, blocks
from tests.generators.events_page import example as opened
from tests.replay.signing import WITNESS
from tests.web.example import PATH, example

PAGE = ROOT / "docs" / "verify-a-hand.md"
TEXT = PAGE.read_text(encoding="utf-8")
SESSION, LEAF, ROOTS, NOTE, VKEY, COSIGNED, _, VECTOR, SHUFFLE, ROUNDS, BEACON_KEY = [
    block.text for block in blocks(PAGE, "text")
]
(EVENT,) = [block.text.rstrip("\n") for block in blocks(PAGE, "json")]
SPEC = json.loads((ROOT / "tests" / "domain" / "fairdeal-vectors.json").read_text(encoding="utf-8"))
SECOND = SPEC["vectors"][1]


def told(block: str) -> dict[str, str]:
    """Return the `name = value` lines of a block."""
    pairs = (re.split(r"\s+=\s+", line, maxsplit=1) for line in block.splitlines() if " = " in line)
    return {pair[0].strip(): pair[1] for pair in pairs}


def root_of(leaves: list[bytes]) -> bytes:
    return roots(leaves)[-1]


def steps(key: bytes, many: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield i, the byte read, its limit, and j; -1 for a rejected byte."""
    source = fairdeal.stream(key, "deck")
    for i in range(many - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        for byte in source:
            yield i, byte, limit, byte % (i + 1) if byte < limit else -1
            if byte < limit:
                break


def round_after(at: str) -> int:
    """Return the first round of quicknet at least 3 seconds after a time."""
    moment = datetime.fromisoformat(at)
    seconds = Fraction(round(moment.timestamp() * 10**6), 10**6) + 3 - 1692803367
    return ceil(seconds / 3) + 1


def test_the_rounds_of_the_beacon_are_those_of_their_times_and_the_signature_is_right() -> None:
    found = re.findall(r"at = (\S+): drand/quicknet/([0-9]+)", ROUNDS)
    assert [round_after(at) for at, _ in found] == [int(number) for _, number in found] == [1000, 1001]
    assert datetime.fromtimestamp(1692803367 + 3 * 999, UTC).isoformat() == "2023-08-23T15:59:24+00:00"
    assert "published at 2023-08-23T15:59:24Z" in ROUNDS
    values = told(ROUNDS)
    signature = values["signature of round 1000"]
    assert values["cut of round 1000"] == sha256(bytes.fromhex(signature)).hexdigest()
    assert is_signed("drand/quicknet/1000", signature)
    assert "".join(BEACON_KEY.split()) == CHAINS["drand/quicknet"].public_key


def test_the_event_and_its_leaf_are_those_of_the_page_about_facts() -> None:
    entry = next(each for each in opened().entries if each.event.fact == "CardsDealt")
    assert EVENT.encode() == entry.raw
    assert told(LEAF)["leaf"].split(" = ")[1] == entry.leaf.hex() == leaf(EVENT.encode()).hex()
    assert EVENT in (ROOT / "docs" / "events.md").read_text(encoding="utf-8")


def test_the_roots_are_right() -> None:
    a, b, c = map(leaf, (b"a", b"b", b"c"))
    assert told(ROOTS) == {
        "root()": root_of([]).hex(),
        "leaf(a)": a.hex(),
        "leaf(b)": b.hex(),
        "leaf(c)": c.hex(),
        "root(a, b)": root_of([a, b]).hex(),
        "root(a, b, c)": root_of([a, b, c]).hex(),
    }


def test_the_receipt_is_that_of_the_small_game_and_signed_as_the_page_says() -> None:
    trailer = json.loads(PATH.read_bytes().splitlines()[-1])
    assert trailer["receipt"] == NOTE
    export, told_of = check_export(PATH.read_bytes()), Receipt.read(NOTE)
    assert (told_of.size, told_of.root) == (len(export.lines), export.roots[-1])
    assert told_of.origin == f"cards.example.org/game/{export.header['game']}"
    assert Key.read(VKEY.strip()).signed(NOTE)


def test_a_witness_signs_the_lines_of_the_page_and_then_the_text_of_the_receipt() -> None:
    seconds = int(COSIGNED.split()[-1])
    line = replace(WITNESS, seconds=seconds).cosign(NOTE).splitlines()[-1]
    _, name, signed = line.split(" ")
    raw, public = b64decode(signed), WITNESS.key.public
    assert raw[:4] == sha256(name.encode() + b"\n\x04" + public).digest()[:4]
    assert int.from_bytes(raw[4:12], "big") == seconds
    text = NOTE.rpartition("\n\n")[0] + "\n"
    Ed25519PublicKey.from_public_bytes(public).verify(raw[12:], f"{COSIGNED}{text}".encode())


def test_the_vector_is_the_second_and_follows_from_the_formulas() -> None:
    values = told(VECTOR)
    seed, of = bytes.fromhex(SECOND["seed"]), (SECOND["game"], SECOND["n"], SECOND["subject"])
    cuts = [(source, bytes.fromhex(cut)) for source, cut in SECOND["cuts"]]
    key = fairdeal.ceremony_key(*of, seed, cuts)
    assert (SECOND["game"], SECOND["n"]) == ("g1", 2)
    assert values == {
        'enc("ab", 7, FF)': fairdeal.encode("ab", 7, b"\xff").hex(),
        "subject": SECOND["subject"],
        "seed": SECOND["seed"],
        "cuts": f"N {SECOND['cuts'][0][1]}, E, S, W the same with 02, 03, 04",
        "commit": fairdeal.commitment(*of, seed),
        "seal N": sha256(fairdeal.encode("fairdeal/1 seal", "g1", *cuts[0])).hexdigest(),
        "key": key.hex(),
        "block 0": bytes(islice(fairdeal.stream(key, "deck"), 32)).hex(),
    }
    assert (values["commit"], values["key"], values["seal N"]) == (
        SECOND["commit"],
        SECOND["key"],
        SECOND["seals"][0][1],
    )
    assert [cut[:2] for _, cut in SECOND["cuts"]] == ["01", "02", "03", "04"]


def test_the_shuffle_has_the_steps_on_the_page() -> None:
    lines = SHUFFLE.splitlines()
    made = list(steps(bytes.fromhex(SECOND["key"]), 52))
    assert lines[:4] == [f"i = {i}: byte {byte}, limit {limit}, j = {j}" for i, byte, limit, j in made[:4]]
    assert lines[4] == f"read in all: {len(made)} bytes"
    assert [j for *_, j in made].count(-1) == 5
    assert "but five later ones did" in " ".join(TEXT.split())
    deck = list(range(52))
    for i, _, _, j in made:
        if j >= 0:
            deck[i], deck[j] = deck[j], deck[i]
    assert deck == SECOND["draws"][0]["result"]
    cards = [SPEC["deck52"][place] for place in deck]
    assert lines[5] == f"deck: {' '.join(cards[:13])} ..."
    for seat, card in ((2, 0), (3, 1), (0, 2), (1, 3)):
        assert re.search(rf"seat\s+{seat}\s+`{cards[card]}`", TEXT)


def test_the_session_on_the_page_is_the_output_of_node() -> None:
    command, *printed = SESSION.splitlines()
    assert command == "$ node api/static/verify/verify.mjs docs/examples/small-game.ndjson"
    trailer = json.loads(PATH.read_bytes().splitlines()[-1])
    assert printed[-2] == f"{trailer['size']} events, 0 withheld, root {trailer['root']}"
    assert printed[:3] == [f"deal hand {event.n}: right, {event.grade}, {how}" for event, how in _deals()]


def _deals() -> list[tuple[Any, str]]:
    dealt = [event.data for event in read_export(PATH.read_bytes()).events if event.fact == "HandDealt"]
    return list(zip(dealt, ["scored", "scored", "broken off"], strict=True))


def test_the_small_game_is_right_by_the_server_s_own_reading_and_can_be_made_again() -> None:
    history = read_export(PATH.read_bytes())
    assert [found for found in audit(history).findings if "receipt" not in found.says] == []
    assert export_bytes(example()) == PATH.read_bytes(), "run python -m tests.web.example to write it again"


def test_every_named_fact_exists() -> None:
    assert set(re.findall(r"`([A-Z][a-z]+[A-Z][A-Za-z]+)`", TEXT)) <= set(FACTS)
