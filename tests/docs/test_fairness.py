"""The program docs/examples/fairdeal.py: it agrees with the vectors and finds broken promises."""

import json
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from domain.protocols import fairdeal
from domain.store.aggregate import Entry
from tests.docs.markdown import ROOT
from tests.games.corellian_sessions import Session
from tests.games.tables import Table
from tests.generators.events_page import example
from tests.given import GAME

VECTORS = json.loads((ROOT / "tests" / "domain" / "fairdeal-vectors.json").read_text())["vectors"]
PATH = ROOT / "docs" / "examples" / "fairdeal.py"
PROGRAM = PATH.read_text(encoding="utf-8")
SHUFFLES = [(vector, draw) for vector in VECTORS for draw in vector["draws"] if draw["op"] == "shuffle"]
PICKS = [draw for draw in VECTORS[-1]["draws"] if draw["op"] == "pick" and 1 < draw["m"] <= 256]


@pytest.fixture(scope="module")
def program() -> Any:
    """The page's program as a module."""
    module = types.ModuleType("fairdeal_of_the_page")
    exec(compile(PROGRAM, str(PATH), "exec"), vars(module))
    return module


def told(vector: dict[str, Any]) -> tuple[Any, ...]:
    """Return a vector's ceremony as the page's program expects it."""
    cuts = [(source, bytes.fromhex(cut)) for source, cut in vector["cuts"]]
    return vector["game"], vector["n"], vector["subject"], bytes.fromhex(vector["seed"]), cuts


def test_its_commitments_shuffles_and_picks_are_those_of_the_vectors(program: Any) -> None:
    for vector in VECTORS:
        seed = bytes.fromhex(vector["seed"])
        assert program.commit(vector["game"], vector["n"], vector["subject"], seed) == vector["commit"], vector["name"]
    assert SHUFFLES
    for vector, draw in SHUFFLES:
        assert program.shuffle(*told(vector), draw["label"], size=draw["n"]) == draw["result"], vector["name"]
    assert PICKS
    for draw in PICKS:
        assert program.pick(*told(VECTORS[-1]), draw["label"], draw["m"]) == [draw["result"]]


def exported(entries: tuple[Entry, ...]) -> list[str]:
    """Return the lines of an export after a deal, with its seed revealed."""
    lines = [json.dumps({"event": json.loads(entry.raw)}) for entry in entries]
    kept = next(json.loads(entry.raw) for entry in entries if entry.event.fact == "SeedKept")
    return [*lines, json.dumps({"event": kept | {"fact": "CeremonyRevealed"}}), json.dumps({"size": len(lines)})]


def test_a_deal_as_promised_is_accepted_and_one_card_exchanged_or_left_out_is_found(program: Any) -> None:
    lines = exported(example().entries)
    assert list(program.check(lines)) == ["deal hand 1: as promised"]
    assert sum('"7H"' in line for line in lines) == 2, "once in the canonical deck, once dealt"
    changed = [line if "GameOpened" in line else line.replace('"7H"', '"7C"') for line in lines]
    dealt = next(line for line in lines if '"CardsDealt"' in line)
    for wrong in (changed, [line for line in lines if line != dealt]):
        assert list(program.check(wrong)) == ["deal hand 1: NOT AS PROMISED"]


def open_lines(table: Table) -> list[str]:
    """Return the lines of an export of `table` after every seed is public."""
    return [entry.raw.decode().join(('{"event":', "}")) for commit in table.commits for entry in commit]


def subjects(table: Table) -> list[str]:
    """Return the expected output of the page's program if everything is as promised."""
    facts = [event.data for event in table.events]
    closed = {each.n for each in facts if type(each).__name__ == "CeremonyRevealed"}
    return [
        f"{each.subject}: as promised" for each in facts if type(each).__name__ == "CeremonyOpened" if each.n in closed
    ]


def test_draws_as_promised_are_accepted(program: Any) -> None:
    for fact, played in {
        "DealerDrawn": Table(4, variant="setback", seed=3).plays_out(hands=1),
        "SeatsDrawn": Table(4, variant="blackout", seed=3).plays_out(hands=1),
        "RulesChanged": Session(18).plays_out(hands=1),
        "MisdealDeclared": Session(1).plays_out(hands=30),
    }.items():
        assert any(event.fact == fact for event in played.events)
        assert list(program.check(open_lines(played))) == subjects(played)


def with_another(lines: list[str], fact: str, field: str) -> list[str]:
    """Return the lines with one number of the first such fact raised by one, or one list rotated by one place."""
    at = next(place for place, line in enumerate(lines) if f'"fact":"{fact}"' in line)
    line = json.loads(lines[at])
    said = line["event"]["data"][field]
    line["event"]["data"][field] = [*said[1:], said[0]] if isinstance(said, list) else said + 1
    return [*lines[:at], json.dumps(line), *lines[at + 1 :]]


def test_other_draws_than_promised_are_found(program: Any) -> None:
    lines = open_lines(Session(18).plays_out(hands=1))
    for fact, field, subject in (
        ("DealerDrawn", "seat", "game"),
        ("CardsDealt", "cards", "deal hand 1"),
        ("StockLaid", "cards", "deal hand 1"),
        ("RulesChanged", "pick", "deal hand 1"),
    ):
        told_of = dict(line.split(": ") for line in program.check(with_another(lines, fact, field)))
        assert {each for each, says in told_of.items() if says == "NOT AS PROMISED"} == {subject}, fact


def test_seats_in_another_order_are_found(program: Any) -> None:
    lines = open_lines(Table(4, variant="blackout", seed=3))
    assert list(program.check(with_another(lines, "SeatsDrawn", "order"))) == ["game: NOT AS PROMISED"]


def test_a_coin_flip_is_recomputed(program: Any) -> None:
    seed, tied = bytes(range(32)), [0, 1, 3]
    due = tied[fairdeal.pick(fairdeal.key(GAME, 14, "coin", seed, []), "coin", 3)]
    for winner in tied:
        facts = {
            "GameOpened": {"players": [], "deck": []},
            "CeremonyOpened": {"n": 14, "subject": "coin", "commit": program.commit(GAME, 14, "coin", seed)},
            "CoinFlipped": {"n": 14, "seats": tied, "winner": winner},
            "CeremonyRevealed": {"n": 14, "seed": seed.hex()},
        }
        lines = [json.dumps({"event": {"game": GAME, "fact": fact, "data": data}}) for fact, data in facts.items()]
        assert list(program.check(lines)) == [f"coin: {'as promised' if winner == due else 'NOT AS PROMISED'}"]


def ran(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the program as the page says."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_file_that_the_program_cannot_check_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    whole = exported(example().entries)
    (tmp_path / "live").write_text("\n".join(line for line in whole if "CeremonyRevealed" not in line))
    (tmp_path / "whole").write_text("\n".join(whole))
    assert ran().stderr == "usage: fairdeal.py EXPORT.ndjson\n"
    assert ran(str(tmp_path / "empty")).stderr == "this file isn't the export of a game\n"
    assert ran(str(tmp_path / "live")).stdout == "nothing to check yet: no deal of this game is revealed\n"
    assert ran(str(tmp_path / "whole")).stdout == "deal hand 1: as promised\n"


def test_it_is_as_short_as_the_page_says_and_needs_nothing_but_python() -> None:
    assert len([line for line in PROGRAM.splitlines() if line.strip()]) <= 45
    imported = [line for line in PROGRAM.splitlines() if line.startswith(("import", "from"))]
    assert imported == ["import json, sys", "from hashlib import sha256", "from hmac import digest"]
