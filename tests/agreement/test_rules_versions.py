"""Rules of version 1 are read as version 2 says them, and no reader takes fields of the one for the other's."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from domain.events.upcasts import upcast
from replay.audit import CANNOT_TELL
from replay.history import History, export_bytes, read_export
from tests.agreement.fields import cut
from tests.agreement.verdicts import FOUND, RIGHT, Verdicts, unlike, verdicts
from tests.replay.forging import forged, in_each
from tests.stored.test_stored import HERE
from tests.verifiers.go import Verifier
from tests.web.engines import Engine

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program

Data = dict[str, Any]
Change = Callable[[Data], object]
OLD = HERE / "v7" / "corellian-drawn.ndjson"
HANDS = 137
"""The events of its first two hands and the deal of the third, with changes of each kind."""
OPENING, CHANGED, DEFERRED = "GameOpened", "RulesChanged", "RulesChangeDeferred"


def written_again(rules: Data) -> None:
    """Write rules of version 1 as version 2 has them."""
    rules.update(upcast(OPENING, 1, {"rules": deepcopy(rules)}, 1)["rules"])


def written_otherwise(**fields: Any) -> Change:
    """Return a change that writes rules as version 2 has them, with other fields."""

    def change(rules: Data) -> None:
        written_again(rules)
        rules.update(fields)

    return change


def moon_in_auction(rules: Data) -> None:
    written_again(rules)
    rules["auction"] = rules["auction"] | {"moon": "game"}


def moon_too_early(rules: Data) -> None:
    rules["auction"]["moon"] = "none"


@cache
def old() -> History:
    """Return the old game up to its third deal."""
    return forged(cut(read_export(OLD.read_bytes()), HANDS), lambda _: None)


def export(*changes: tuple[str, Change]) -> bytes:
    """Return an old game in which the rules in some facts are changed, with all hashes recomputed."""
    history = old()
    for fact, change in changes:
        history = forged(history, in_each(fact, in_rules(change)))
    return export_bytes(history)


def in_rules(change: Change) -> Change:
    """Return a change of an event that changes its rules."""
    return lambda event: change(event["data"]["rules"])


def test_an_old_game_goes_on_under_rules_of_the_newest_version(engine: Engine, verifier: Verifier) -> None:
    cases = {
        "as it was": export(),
        "changes": export((CHANGED, written_again), (DEFERRED, written_again)),
        "a change that waited": export((CHANGED, written_again)),
        "all facts": export((OPENING, written_again), (CHANGED, written_again), (DEFERRED, written_again)),
    }
    assert unlike(verdicts(cases, engine, verifier), RIGHT) == {}


def test_a_change_of_the_rules_changes_no_choice_of_house_rules(engine: Engine, verifier: Verifier) -> None:
    cases = {
        "no quirks any more": export((CHANGED, written_otherwise(quirks=[]))),
        "a kitty": export((CHANGED, written_otherwise(kitty=1))),
        "a removed card": export((CHANGED, written_otherwise(removed=["X2"]))),
        "a moon": export((CHANGED, moon_in_auction)),
        "a game opened without quirks": export((OPENING, written_otherwise(quirks=[]))),
    }
    assert unlike(verdicts(cases, engine, verifier), FOUND) == {}


def test_rules_have_exactly_the_fields_of_their_version(engine: Engine, verifier: Verifier) -> None:
    cases = {
        "a field of version 2": export((OPENING, lambda rules: rules.update(kitty=0))),
        "a nested field of version 2": export((OPENING, moon_too_early)),
        "the number of version 2": export((OPENING, lambda rules: rules.update(rules_v=2))),
        "the number of version 1": export((OPENING, written_otherwise(rules_v=1))),
        "a field of version 2 in a change": export((CHANGED, lambda rules: rules.update(quirks=[]))),
    }
    assert unlike(verdicts(cases, engine, verifier), FOUND) == {}


def test_rules_of_an_unknown_version_are_not_judged(engine: Engine, verifier: Verifier) -> None:
    """After a change that it can't read, the audit goes on by the rules that it knows."""
    openings = {f"{v}": export((OPENING, written_otherwise(rules_v=v))) for v in (0, 3)}
    assert unlike(verdicts(openings, engine, verifier), Verdicts(CANNOT_TELL, CANNOT_TELL, CANNOT_TELL)) == {}
    changes = {f"{v}": export((CHANGED, written_otherwise(rules_v=v))) for v in (0, 3)}
    assert {each[1:] for each in verdicts(changes, engine, verifier).values()} == {(CANNOT_TELL, CANNOT_TELL)}
