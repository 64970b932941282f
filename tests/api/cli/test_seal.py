"""`trickbook hand seal` prints a cut and its seal (docs/fairness.md, "Definitions")."""

import json

import pytest

from domain.protocols import fairdeal
from tests.api import fairdeal_reference
from tests.commands import run
from tests.given import GAME

CUT = "5a" * 32


def test_the_seal_fits_the_printed_cut() -> None:
    said = json.loads(run("hand", "seal", GAME, "2", "--json").output)
    assert said["seal"] == fairdeal.seal(GAME, "2", bytes.fromhex(said["cut"])).hex()


def test_two_cuts_are_never_the_same() -> None:
    assert len({run("hand", "seal", GAME, "2").output for _ in range(2)}) == 2


def test_a_given_cut_is_sealed() -> None:
    said = run("hand", "seal", GAME, "0", "--cut", CUT).output
    assert said == f"cut  {CUT}\nseal {fairdeal_reference.seal(GAME, 0, bytes.fromhex(CUT))}\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param([GAME.upper(), "0"], "UUID in lower case", id="upper case"),
        pytest.param(["12", "0"], "not a board number", id="a board"),
        pytest.param([GAME, "-1"], "No such option", id="no seat"),
        pytest.param([GAME, "8"], "0<=x<=7", id="a seat no table has"),
        pytest.param([GAME, "0", "--cut", "5a" * 31], "32 bytes", id="31 bytes"),
    ],
)
def test_an_invalid_argument_is_named(arguments: list[str], says: str) -> None:
    said = run("hand", "seal", *arguments)
    assert said.exit_code == 2
    assert says in said.output
