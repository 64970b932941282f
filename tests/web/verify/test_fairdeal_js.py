"""fairdeal/1 in JavaScript: the vectors, and random ceremonies compared with Python.

No vector reads the number limit - 1, so random ceremonies find the faults that the vectors miss.
"""

import json
from random import Random
from typing import Any

from domain.protocols import fairdeal
from tests.docs.markdown import ROOT
from tests.web.engines import STATIC, Engine

SPEC = json.loads((ROOT / "tests" / "domain" / "fairdeal-vectors.json").read_text(encoding="utf-8"))
VECTORS = SPEC["vectors"]
CEREMONIES = 300
FAIRDEAL = "fairdeal.js"


def asked_of(vector: dict[str, Any]) -> dict[str, Any]:
    """Return the vector as a job. Its draws use its own key, even if the code computes another one."""
    return {**vector, "drawn_with": vector["key"]}


def due_of(vector: dict[str, Any]) -> dict[str, Any]:
    results = [draw["result"] for draw in vector["draws"]]
    return {
        "commit": vector["commit"],
        "seals": [seal for _, seal in vector["seals"]],
        "key": vector["key"],
        "results": results,
    }


def ran(engine: Engine, asked: list[dict[str, Any]]) -> Any:
    return engine.run(STATIC, {"do": "ceremonies", "module": FAIRDEAL, "asked": asked})


def test_the_vectors(engine: Engine) -> None:
    answers = ran(engine, [asked_of(vector) for vector in VECTORS])
    assert answers == [due_of(vector) for vector in VECTORS]


def test_bytes_each_draw_of_the_vectors_reads(engine: Engine) -> None:
    asked, due = [], []
    for vector in VECTORS:
        for draw in vector["draws"]:
            sizes = list(range(draw["n"], 1, -1)) if draw["op"] == "shuffle" else [draw["m"]]
            asked.append({"key": vector["key"], "label": draw["label"], "sizes": sizes})
            due.append(draw["bytes_used"])
    assert engine.run(STATIC, {"do": "stream", "module": FAIRDEAL, "asked": asked}) == due


# The same ceremonies in Python and in JavaScript


def random_ceremonies(many: int) -> list[dict[str, Any]]:
    """Return ceremonies of every kind: subjects, labels, 0 to 4 cuts, beacons, decks of 52 and 54, odds and menus."""
    chosen = Random(2026)
    return [_ceremony(chosen) for _ in range(many)]


def _ceremony(chosen: Random) -> dict[str, Any]:
    hand, turn = chosen.randrange(1, 40), chosen.randrange(60)
    subjects = ["game", "coin", f"deal hand {hand}", f"deal hand {hand} redeal {chosen.randrange(1, 4)}"]
    cuts = [[str(seat), chosen.randbytes(32).hex()] for seat in sorted(chosen.sample(range(7), chosen.randrange(5)))]
    beacons = [[f"drand/quicknet/{chosen.randrange(10**7)}", chosen.randbytes(32).hex()]] * (chosen.random() < 0.2)
    b = chosen.choice([1, 2, 6, 16, 240, 256, 257, 30_000, 65_536, 65_537, 2**24, 2**32])
    return {
        "game": str(chosen.choice(["g1", chosen.randbytes(16).hex(), "~ ", ""])),
        "n": chosen.choice([0, hand, 2**32 - 1]),
        "subject": chosen.choice(subjects),
        "seed": chosen.randbytes(32).hex(),
        "cuts": cuts + beacons,
        "draws": [
            {"op": "shuffle", "label": "deck", "n": chosen.choice([52, 54])},
            {"op": "shuffle", "label": "seats", "n": chosen.randrange(2, 8)},
            {"op": "pick", "label": "dealer", "m": chosen.randrange(2, 8)},
            {"op": "pick", "label": "coin", "m": chosen.randrange(1, 5)},
            {"op": "chance", "label": f"randomizer {turn} when", "a": chosen.randrange(b + 1), "m": b},
            {"op": "pick", "label": f"randomizer {turn} what", "m": chosen.randrange(1, 20)},
            {"op": "chance", "label": f"randomizer {turn} end", "a": 1, "m": b},
        ],
    }


def in_python(asked: dict[str, Any]) -> dict[str, Any]:
    of = asked["game"], asked["n"], asked["subject"], bytes.fromhex(asked["seed"])
    cuts = [(source, bytes.fromhex(cut)) for source, cut in asked["cuts"]]
    key = fairdeal.key(*of, cuts)
    return {
        "commit": fairdeal.commit(*of).hex(),
        "seals": [fairdeal.seal(asked["game"], source, cut).hex() for source, cut in cuts],
        "key": key.hex(),
        "results": [_drawn(key, draw) for draw in asked["draws"]],
    }


def _drawn(key: bytes, draw: dict[str, Any]) -> Any:
    if draw["op"] == "shuffle":
        return fairdeal.shuffle(key, draw["label"], draw["n"])
    if draw["op"] == "pick":
        return fairdeal.pick(key, draw["label"], draw["m"])
    return fairdeal.chance(key, draw["label"], draw["a"], draw["m"])


def test_random_ceremonies_are_the_same_in_python_and_in_javascript(engine: Engine) -> None:
    asked = random_ceremonies(CEREMONIES)
    answers = ran(engine, asked)
    assert len(answers) == CEREMONIES
    different = [each for each, answer in zip(asked, answers, strict=True) if answer != in_python(each)]
    assert different == []


# Refusals

SEED = {"hex": "00" * 32}
SHORT = {"hex": "00" * 31}
TOO_LONG = {"hex": "00" * 33}
REFUSED = [
    ("commit", ["g", 1, "game", SHORT], "a seed must be exactly 32 bytes"),
    ("commit", ["g", 1, "game", "0" * 32], "a seed must be exactly 32 bytes"),
    ("seal", ["g", "0", TOO_LONG], "a cut must be exactly 32 bytes"),
    ("key", ["g", 1, "game", SEED, {"pairs": [["0", "00"]]}], "a cut must be exactly 32 bytes"),
    ("key", ["g", 1, "game", SHORT, {"pairs": []}], "a seed must be exactly 32 bytes"),
    ("shuffle", [SHORT, "deck", 52], "a key must be exactly 32 bytes"),
    ("commit", ["Zo\u00eb", 1, "game", SEED], "a text of a ceremony must be printable ASCII of at most 255 characters"),
    ("commit", ["g", 1, "game\n", SEED], "a text of a ceremony must be printable ASCII of at most 255 characters"),
    ("seal", ["g", "a" * 256, SEED], "a text of a ceremony must be printable ASCII of at most 255 characters"),
    ("commit", ["g", -1, "game", SEED], "the number of a ceremony must be a whole number from 0 to 4294967295"),
    ("commit", ["g", 2**32, "game", SEED], "the number of a ceremony must be a whole number from 0 to 4294967295"),
    ("commit", ["g", 1.5, "game", SEED], "the number of a ceremony must be a whole number from 0 to 4294967295"),
    ("pick", [SEED, "coin", 0], "the number to pick from must be a whole number from 1 to 4294967296"),
    ("pick", [SEED, "coin", 2**32 + 1], "the number to pick from must be a whole number from 1 to 4294967296"),
    ("shuffle", [SEED, "deck", -1], "the number of cards must be a whole number from 0 to 4294967296"),
]


def test_inputs_that_python_refuses_are_refused_and_no_secret_is_quoted(engine: Engine) -> None:
    asked = [{"name": name, "args": args} for name, args, _ in REFUSED]
    answers = engine.run(STATIC, {"do": "refusals", "module": FAIRDEAL, "asked": asked})
    assert answers == [f"RangeError: {says}" for _, _, says in REFUSED]
