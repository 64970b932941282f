"""The verifier in Go finds nothing wrong in sound games, as `trickbook game verify` does."""

import re

import pytest

from replay.history import export_bytes
from tests.campaigns.tamper.places import tables
from tests.stored.stories import all_tables
from tests.verifiers.go import Answer, Verifier
from tests.web.example import with_receipt
from tests.web.games import views

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program


def made_before() -> dict[str, bytes]:
    """Return games with cuts, disputes, seats that change hands, practice, clocks and every variant."""
    stories = {f"story {name}": export_bytes(with_receipt(made.history)) for name, made in all_tables()}
    seen = {f"seat 1 of {game}": export_bytes(with_receipt(made.seen_by(1))) for game, made in tables().items()}
    return stories | seen | views()


def wrong(answers: dict[str, Answer]) -> dict[str, str]:
    """Return what the program says about games that it doesn't find right."""
    return {name: answer.text for name, answer in answers.items() if answer.code != 0}


def test_games_of_every_kind_are_right_and_every_deal_is_reported(verifier: Verifier) -> None:
    exports = made_before()
    answers = verifier.verify_all(exports)
    assert wrong(answers) == {}
    for name, export in exports.items():
        (counted,) = re.findall(r"checked: (\d+) events, (\d+) withheld", answers[name].text)
        assert (int(counted[0]), int(counted[1])) == (export.count(b'"prev":'), export.count(b'\n{"leaf":'))
    said = "\n".join(line for answer in answers.values() for line in answer.lines("checked"))
    for end in ("scored", "thrown in", "misdealt", "void", "broken off"):
        assert re.search(rf"deal hand \d+( redeal \d+)?: right, F\d, {end}", said), end
    for grade in ("F0", "F1", "F2"):
        assert f"right, {grade}" in said
    assert {"game: right, drawn", "coin: right, drawn"} < set(said.splitlines())
    unseen = [line for answer in answers.values() for line in answer.lines("not checked") if "unrevealed" in line]
    assert unseen
