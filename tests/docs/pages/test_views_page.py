"""docs/views.md names every field of a view and every type of move, and its example is the view of a real table."""

import json
import re
from typing import Any

from domain.commands import MakeBid, NameTrump, PassBid
from domain.events import Fairness
from domain.rules.choices import Phase
from domain.rules.variants import PITCH
from projections.moves.json_moves import MOVES, move_to_json, parse_move
from projections.moves.text_moves import COMMON_WORDS, VERBS, parse_text_move
from projections.views.own_seat import OUT_OF_TURN_MOVES
from projections.views.seat import view_at
from replay.history import from_entries
from tests.docs.markdown import ROOT, blocks
from tests.games.random_rules import RulesTable
from tests.games.tables import Table
from tests.replay.practising import practice

PATH = ROOT / "docs" / "views.md"
PAGE = PATH.read_text(encoding="utf-8")


def view_of(table: Table, seat: int) -> dict[str, Any]:
    """Return the seat's current view of a table."""
    lines = from_entries([entry for commit in table.commits for entry in commit], {}).lines
    return dict(view_at(lines, seat, len(lines)))


def mid_trick() -> dict[str, Any]:
    """The table of the first example."""
    table = Table(4, seed=0, win=11).plays_out(hands=1)
    for bid in (MakeBid(1, 2), MakeBid(2, 3), PassBid(3), PassBid(0)):
        table.says(bid)
    while table.state.trick is None or (table.state.trick.number, len(table.state.trick.plays)) != (4, 2):
        table.moves(table.entropy(1)[0])
    return view_of(table, 1)


def with_pitcher() -> Table:
    """Corellian Pitch after an auction that seat 2 won."""
    table = Table(4, variant="corellian", seed=0, randomizer=None, host_changes=True)
    for bid in (PassBid(3), PassBid(0), PassBid(1), MakeBid(2, 4)):
        table.says(bid)
    return table


def discarding() -> dict[str, Any]:
    table = with_pitcher()
    table.says(NameTrump(2, "H"))
    return view_of(table, 3)


def waiting() -> dict[str, Any]:
    return view_of(Table(4, seed=0, fairness=Fairness("open", 30)), 0)


def blind() -> dict[str, Any]:
    return view_of(Table(4, variant="blackout", seed=0), 1)


def heads_under(heading: str) -> list[str]:
    """Return the texts in backticks with which the items of the lists below a heading begin."""
    part = PAGE.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    heads = re.findall(r"^\* ((?:`[^`]+`(?:, )?)+)", part, re.MULTILINE)
    return [text for head in heads for text in re.findall(r"`([^`]+)`", head)]


def test_the_first_example_is_the_view_of_a_real_hand() -> None:
    real, shown = mid_trick(), json.loads(blocks(PATH, "json")[0].text)
    for whole, part in ((real, shown), (real["hand"], shown["hand"])):
        cut = {name: value.removesuffix("...") for name, value in part.items() if str(value).endswith("...")}
        assert all(whole[name].startswith(value) for name, value in cut.items())
        part.update({name: whole[name] for name in cut})
    assert shown | {"board": 1} == real


def test_every_field_has_its_row() -> None:
    view = mid_trick()
    for heading, part in {
        "### Fields of a view": view | {"clock": None, "unrated": None},
        "### Fields of a seat": view["seats"][0],
        "### Fields of a hand": discarding()["hand"] | {"beacon": None},
        "### Fields of a ceremony": waiting()["ceremony"] | {"beacon": None},
        "## What only the seat sees": view["you"],
    }.items():
        assert sorted(heads_under(heading)) == sorted(part), heading


def test_every_field_of_the_rules_has_its_row() -> None:
    timed = view_of(Table(4, variant="corellian", seed=0, host_changes=True, ends_at="2126-11-21T22:00:00Z"), 0)
    low = view_of(Table(4, variant="setback", seed=0, low=2), 0)
    moon = view_of(Table(6, variant="ten-point-teams", seed=0), 0)
    lines = practice("Pitch").history.lines
    practised = view_at(lines, None, len(lines))
    house = view_of(RulesTable(PITCH, 4, 0), 0)
    views = (timed, moon, low, house, blind(), mid_trick(), practised)
    real = {name for view in views for name in view["rules"]}
    assert sorted(heads_under("### Fields of rules")) == sorted(real)


def test_every_phase_a_view_may_have_has_its_row() -> None:
    assert sorted(heads_under("### Phases")) == sorted(phase.value for phase in Phase if phase is not Phase.UNOPENED)


def test_the_moves_out_of_turn_are_in_their_order() -> None:
    item = PAGE.partition("\n* `may`: ")[2].partition("\n\n")[0]
    assert re.findall(r"`([a-z_]+)`", item) == list(OUT_OF_TURN_MOVES)


def test_the_list_of_moves_is_valid_and_complete() -> None:
    moves = [json.loads(text) for text in heads_under("## Moves as JSON")]
    assert [move_to_json(parse_move(move, 0)) for move in moves] == moves
    assert [move["type"] for move in moves] == list(MOVES)


def test_the_list_of_texts_is_valid_and_complete() -> None:
    texts = heads_under("## Moves as text")
    assert all(parse_text_move(text) for text in texts)
    assert {*COMMON_WORDS, *VERBS} <= {text.split(" ")[0] for text in texts}
    assert {"smudge", "guilty", "not guilty", "hearts", "tc"} <= set(texts)
