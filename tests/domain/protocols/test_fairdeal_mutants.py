"""The tests of FairDeal find mutants: the vectors find wrong shuffles, and the counts find biased ones."""

import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from itertools import permutations
from math import erfc, exp, factorial, lgamma, log, sqrt
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from domain.protocols import fairdeal
from tests.domain.protocols.test_fairdeal import ref_shuffle

SOURCE = Path(fairdeal.__file__).read_text(encoding="utf-8")
VECTORS = json.loads((Path(__file__).parents[1] / "fairdeal-vectors.json").read_text(encoding="utf-8"))["vectors"]

KEYS = [sha256(b"fairness %d" % i).digest() for i in range(200 * factorial(5))]
Shuffle = Callable[[bytes, str, int], list[int]]

EACH = "_Stream(key, label).each_below(range(n, 1, -1))"
STEPS = "range(n, 1, -1))\n    for i, j in zip(range(n - 1, 0, -1)"
NUMBER = 'int.from_bytes(read[start:end], "big")'
U32 = 'part.to_bytes(4, "big")'

MUTANTS = {
    "modulo without rejection": ("if x < limit:", "if x < 256**width:"),
    "x = limit accepted": ("if x < limit:", "if x <= limit:"),
    "Sattolo, j < i": ("range(n, 1, -1)", "range(n - 1, 0, -1)"),
    "naive, j < n": (EACH, "[each.below(n) for each in [_Stream(key, label)] for _ in range(n - 1)]"),
    "ascending loop": (STEPS, "range(2, n + 1))\n    for i, j in zip(range(1, n)"),
    "swap forgotten halfway": ("order[i], order[j] = order[j], order[i]", "order[i] = order[j]"),
    "32-bit words": ("width = ((m - 1).bit_length() + 7) // 8", "width = 4"),
    "a byte more than needed": ("width = ((m - 1).bit_length() + 7) // 8", "width = m.bit_length() // 8 + 1"),
    "little-endian numbers": (NUMBER, NUMBER.replace("big", "little")),
    "little-endian counts": (U32, U32.replace("big", "little")),
    "little-endian lengths": ('len(part).to_bytes(4, "big")', 'len(part).to_bytes(4, "little")'),
    "no lengths": ('len(part).to_bytes(4, "big") + part', "part"),
    "one block over and over": ("self._blocks += 1", "self._blocks += 0"),
    "blocks counted from 1": ("self._blocks = 0", "self._blocks = 1"),
    "one stream for all labels": ('_enc("fairdeal/1 draw", label)', '_enc("fairdeal/1 draw", "deck")'),
    "cuts not counted": ("subject, len(cuts), *parts", "subject, *parts"),
    "sources left out": ("parts += (source, cut)", "parts += (cut,)"),
    "cuts left out": ("parts += (source, cut)", "parts += (source,)"),
    "seed as the message": ("return digest(seed, _enc(", "return digest(bytes(32), _enc("),
    "commitment without its number": ('commit", game, n, subject', 'commit", game, subject'),
    "commitment without its subject": ('commit", game, n, subject', 'commit", game, n'),
    "seal without its game": ('seal", game, seat', 'seal", seat'),
    "seal without its seat": ('seal", game, seat', 'seal", game'),
    "another version": ('"fairdeal/1 draw"', '"fairdeal/2 draw"'),
}

SURVIVORS = {
    "limit one too small": ("if x < limit:", "if x < limit - 1 or m == 1:"),
    "loop one short": (STEPS, "range(n, 2, -1))\n    for i, j in zip(range(n - 1, 1, -1)"),
}
"""Mutants that the three vectors miss: none reads limit - 1, and all three leave the last two cards in place."""


def mutated(old: str, new: str) -> ModuleType:
    """Return the module with one piece of its text replaced, which must occur in it exactly once."""
    assert SOURCE.count(old) == 1, f"{old!r} stands {SOURCE.count(old)} times in fairdeal.py"
    module = ModuleType("mutant")
    exec(compile(SOURCE.replace(old, new), "mutant", "exec"), module.__dict__)
    return module


def differences(module: ModuleType, vector: dict[str, Any]) -> list[str]:
    """Return the values that differ between module and vector; an error counts as a difference."""
    seed, subject = bytes.fromhex(vector["seed"]), (vector["game"], vector["n"], vector["subject"])
    cuts = [(source, bytes.fromhex(cut)) for source, cut in vector["cuts"]]
    checks: dict[str, Callable[[], bool]] = {
        "commit": lambda: module.commit(*subject, seed).hex() == vector["commit"],
        "seals": lambda: [[s, module.seal(subject[0], s, cut).hex()] for s, cut in cuts] == vector["seals"],
        "key": lambda: module.key(*subject, seed, cuts).hex() == vector["key"],
    }
    for draw in vector["draws"]:
        checks[draw["label"]] = partial(drawn, module, bytes.fromhex(vector["key"]), draw)
    return [name for name, check in checks.items() if not holds(check)]


def drawn(module: ModuleType, key: bytes, draw: dict[str, Any]) -> bool:
    how, size = (module.shuffle, draw["n"]) if draw["op"] == "shuffle" else (module.pick, draw["m"])
    return bool(how(key, draw["label"], size) == draw["result"])


def holds(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return False


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["name"]) for vector in VECTORS])
def test_the_module_itself_has_no_difference(vector: dict[str, Any]) -> None:
    assert differences(fairdeal, vector) == []
    assert differences(mutated("numbers.append(x % m)", "numbers.append(x % m + 0)"), vector) == []


@pytest.mark.parametrize(("old", "new"), [pytest.param(*change, id=name) for name, change in MUTANTS.items()])
def test_a_vector_finds_the_mutant(old: str, new: str) -> None:
    mutant = mutated(old, new)
    assert any(differences(mutant, vector) for vector in VECTORS)


@pytest.mark.parametrize(("old", "new"), [pytest.param(*change, id=name) for name, change in SURVIVORS.items()])
def test_the_second_implementation_finds_the_mutants_that_the_vectors_miss(old: str, new: str) -> None:
    mutant = mutated(old, new)
    orders = [ref_shuffle(key, "deck", 52) for key in KEYS[:40]]
    assert [mutant.shuffle(key, "deck", 52) for key in KEYS[:40]] != orders
    assert [fairdeal.shuffle(key, "deck", 52) for key in KEYS[:40]] == orders


# The counts, over a fixed list of keys


def chance_of_worse(chi_square: float, degrees: int) -> float:
    """Return the exact upper tail of chi-square: Q(x; k + 2) = Q(x; k) + (x/2)^(k/2) e^(-x/2) / Gamma(k/2 + 1)."""
    half = chi_square / 2
    tail = erfc(sqrt(half)) if degrees % 2 else 0.0
    return tail + sum(exp(k / 2 * log(half) - half - lgamma(k / 2 + 1)) for k in range(degrees % 2, degrees, 2))


def fairness_of_orders(shuffle: Shuffle, n: int) -> float:
    """Return how likely a fair shuffle is to spread its n! orders of n cards less evenly, with 200 expected of each."""
    orders = factorial(n)
    counts = Counter(tuple(shuffle(key, "deck", n)) for key in KEYS[: 200 * orders])
    return chance_of_worse(sum((counts[order] - 200) ** 2 / 200 for order in permutations(range(n))), orders - 1)


def fairness_of_places(shuffle: Shuffle) -> float:
    """Return the same for the table of card by place of 52 cards.

    Each shuffle puts one card in each place, so rows and columns have fixed sums and 51^2 of the 52^2 squares are free.
    (O - E)^2 / E is 51/52 on average (O binomial, E = deals / 52), so the sum of all is 51 * 52; times 51/52, 51^2.
    """
    deals = 6000
    counts = Counter(pair for key in KEYS[:deals] for pair in enumerate(shuffle(key, "deck", 52)))
    expected = deals / 52
    squares = sum((counts[place, card] - expected) ** 2 / expected for place in range(52) for card in range(52))
    return chance_of_worse(squares * 51 / 52, 51**2)


BIASED = {name: (MUTANTS | SURVIVORS)[name] for name in ("Sattolo, j < i", "naive, j < n", "loop one short")}
BIASED_PARAMS = [pytest.param(*change, id=name) for name, change in BIASED.items()]


@pytest.mark.parametrize(
    ("chi_square", "degrees", "tail"),
    [(3.841459, 1, 0.05), (6.634897, 1, 0.01), (5.991465, 2, 0.05), (11.0705, 5, 0.05), (149.4493, 100, 0.001)],
)
def test_the_tail_equals_published_values(chi_square: float, degrees: int, tail: float) -> None:
    assert chance_of_worse(chi_square, degrees) == pytest.approx(tail, rel=1e-4)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_all_orders_of_a_few_cards_are_equally_frequent(n: int) -> None:
    assert 0.001 < fairness_of_orders(fairdeal.shuffle, n) < 0.999


def test_each_of_52_cards_is_equally_frequent_in_each_place() -> None:
    assert 0.001 < fairness_of_places(fairdeal.shuffle) < 0.999


@pytest.mark.parametrize(("old", "new"), BIASED_PARAMS)
def test_the_orders_of_a_biased_shuffle_reveal_it(old: str, new: str) -> None:
    assert fairness_of_orders(mutated(old, new).shuffle, 4) < 1e-9


@pytest.mark.parametrize(("old", "new"), BIASED_PARAMS)
def test_the_places_of_a_biased_shuffle_reveal_it(old: str, new: str) -> None:
    assert fairness_of_places(mutated(old, new).shuffle) < 1e-9
