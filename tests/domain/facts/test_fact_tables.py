"""If a table of facts lacks a fact, its import fails with a message that names the fact and the table."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from domain import events
from domain.events import FACTS, codec, require_every_fact, upcasts
from tests.docs.markdown import ROOT

PLACES = {
    "domain.events.Fact": "domain/events/__init__.py",
    "domain.evolve": "domain/evolve/__init__.py",
    "domain.decide.envelope": "domain/decide/envelope.py",
    "replay.fold": "replay/fold/__init__.py",
    "replay.audit.dispatch": "replay/audit/dispatch.py",
    "replay.audit.log.event_order": "replay/audit/log/event_order.py",
    "replay.audit.log.commit_order": "replay/audit/log/commit_order.py",
    "replay.rejudge.commands": "replay/rejudge/commands.py",
    "replay.text.narrate": "replay/text/narrate.py",
    "domain.events.upcasts": "domain/events/upcasts.py",
}
"""Each place that must know every fact, and its file."""
ADD_A_FACT = """
import importlib, json, sys

import domain.events as events
import domain.events.codec as codec
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

tables = [place for place in sys.argv[1:] if place not in ("domain.events.Fact", "domain.events.upcasts")]
for place in tables:
    importlib.import_module(place)
events.FACTS["StakesRaised"] = StakesRaised
for place in tables:
    reload(place, place)
events.FACT_VERSIONS["StakesRaised"] = 2
reload("domain.events.codec", "domain.events.upcasts")
reload("domain.events", "domain.events.Fact")
print(json.dumps(said))
"""
"""Adds a made-up fact to the registry of a fresh process and imports each place again."""


@pytest.mark.process
def test_a_place_that_lacks_a_fact_names_it_and_fails_at_import() -> None:
    command = [sys.executable, "-c", ADD_A_FACT, *PLACES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    wanted = {place: f"{place} has no entry for StakesRaised" for place in PLACES}
    wanted["domain.events.upcasts"] += " version 1"
    assert json.loads(done.stdout) == wanted


def test_a_record_that_is_neither_a_fact_nor_a_part_of_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PARTS", tuple(part for part in events.PARTS if part is not events.Peg))
    with pytest.raises(TypeError, match=r"^domain\.events\.Fact has no entry for Peg$"):
        events._require_every_record()


def test_a_version_that_cannot_be_read_any_more_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(upcasts.FACT_UPCASTS, ("GameOpened", 2))
    with pytest.raises(TypeError, match=r"^domain\.events\.upcasts has no entry for GameOpened version 2$"):
        codec._require_every_upcast()


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
    assert callers == set(PLACES.values()) - {"domain/events/__init__.py", "domain/events/upcasts.py"}


def test_the_paragraph_on_adding_a_fact_names_every_place() -> None:
    text = Path(ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paragraph = text[text.index("**a fact.**") : text.index("**a command.**")]
    assert [file for file in PLACES.values() if f"`{file}`" not in paragraph] == []
