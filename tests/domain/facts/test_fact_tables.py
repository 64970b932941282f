"""If a table of facts lacks a fact, its import fails with a message that names the fact and the table."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from domain import events
from domain.events import FACTS, require_every_fact, upcasts
from tests.docs.markdown import ROOT

PLACES = {
    "domain.events.Fact": "domain/events/__init__.py",
    "domain.events.declaring": "domain/events/declaring.py",
    "domain.evolve": "domain/evolve/__init__.py",
    "replay.fold": "replay/fold/__init__.py",
    "replay.audit.ledger": "replay/audit/ledger.py",
    "replay.audit.log.event_order": "replay/audit/log/event_order.py",
    "replay.rejudge.commands": "replay/rejudge/commands.py",
    "replay.text.narrate": "replay/text/narrate.py",
}
"""Each place that must know every fact, and its file."""
ADD_A_FACT = """
import importlib, json, sys

import domain.events as events
from domain.events.declaring import DECLARATIONS
from domain.struct import Value

class StakesRaised(Value, frozen=True):
    seat: int

StakesRaised.__module__ = "domain.events.play"
said = {}

def reload(module, place):
    try:
        importlib.reload(importlib.import_module(module))
    except TypeError as error:
        said[place] = str(error)

tables = sys.argv[3:]
for place in tables:
    importlib.import_module(place)
events.FACTS["StakesRaised"] = StakesRaised
for place in tables:
    reload(place, place)
reload("domain.events", "domain.events.Fact")
StakesRaised.__module__ = "elsewhere"
del DECLARATIONS[events.GameOpened]
reload("domain.events", "domain.events.declaring")
print(json.dumps(said))
"""
"""Adds a made-up fact to the registry of a fresh process and imports each place again, then drops a declaration."""


@pytest.mark.process
def test_a_place_that_lacks_a_fact_names_it_and_fails_at_import() -> None:
    command = [sys.executable, "-c", ADD_A_FACT, *PLACES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    wanted = {place: f"{place} has no entry for StakesRaised" for place in PLACES}
    wanted["domain.events.declaring"] = "domain.events.declaring has no entry for GameOpened"
    assert json.loads(done.stdout) == wanted


def test_a_record_that_is_neither_a_fact_nor_a_part_of_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PARTS", tuple(part for part in events.PARTS if part is not events.Peg))
    with pytest.raises(TypeError, match=r"^domain\.events\.Fact has no entry for Peg$"):
        events._require_every_record()


def test_a_version_of_the_rules_that_cannot_be_read_any_more_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upcasts, "RULES_VERSION", 4)
    with pytest.raises(TypeError, match=r"^domain\.events\.upcasts has no entry for rules version 2, rules version 3$"):
        upcasts._require_every_upcast()


def test_a_table_can_hold_types_or_names() -> None:
    require_every_fact(FACTS.values(), "here")
    require_every_fact(FACTS.keys(), "here")
    with pytest.raises(TypeError, match=r"^here has no entry for CardPlayed, GameEnded$"):
        require_every_fact(FACTS.keys() - {"CardPlayed", "GameEnded"}, "here")


def test_every_module_that_requires_every_fact_is_a_place() -> None:
    callers = {
        str(path.relative_to(ROOT))
        for folder in ("domain", "projections", "replay", "api")
        for path in (ROOT / folder).rglob("*.py")
        if "\nrequire_every_fact(" in path.read_text(encoding="utf-8")
    }
    assert callers == set(PLACES.values()) - {"domain/events/declaring.py"}


def test_the_paragraph_on_adding_a_fact_names_every_place() -> None:
    text = Path(ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paragraph = text[text.index("**a fact.**") : text.index("**a command.**")]
    assert [file for file in PLACES.values() if f"`{file}`" not in paragraph] == []
