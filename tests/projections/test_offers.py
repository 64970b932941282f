"""In every game, at the end of every commit and only there, each move that a view offers is accepted unchanged."""

import random
from itertools import pairwise
from typing import Any

import pytest

from domain.cards import DECK_54, SUITS
from domain.commands import (
    AnswerProposal,
    AskUndo,
    CallDelay,
    CallPartner,
    ChangeRules,
    MakeBid,
    NameTrump,
    PassBid,
    PlayCard,
    ProposeDraw,
    Resign,
    SeatCommand,
    VoteDelay,
)
from domain.decide import decide
from domain.events import RulesChangeDeferred
from domain.evolve import evolve
from domain.rejections import Rejected
from domain.state import EMPTY_STATE, State
from projections.moves.json_moves import move_to_json, parse_move
from projections.views.own_seat import LATEST_TIME
from projections.views.seat import View, ViewFold, view_json
from tests.games.whole_games import KINDS, Kind, looks_like_others
from tests.projections.offered_moves import any_choice
from tests.replay.playing import Table, table

LISTED = ("bid", "pass", "name_trump", "play")
TABLES = [pytest.param(kind, marks=pytest.mark.slow if looks_like_others(kind) else ()) for kind in KINDS]


def restless_game(rng: random.Random, kind: Kind) -> Table:
    """Return the beginning of a game in which seats ask for undos and draws, call delay of game, and one leaves."""
    made = table(rng.randrange(2**32), kind.players, variant=kind.variant, **kind.options).play(0.2, 45, 0.2)
    if not made.over:
        made.draw(accept=False)
        made.resign(rng.choice(made.state.still_in))
    return made.play(0.2, 45, 0.2)


def everything(seat: int, seats: int) -> list[SeatCommand]:
    """Return every command of a seat that a view can list, in its order; a view doesn't list discards or calls."""
    bids: list[SeatCommand] = [PassBid(seat), *(MakeBid(seat, bid) for bid in range(-1, 18))]
    named = [NameTrump(seat, suit) for suit in SUITS]
    plays = [PlayCard(seat, card) for card in DECK_54]
    delays = [CallDelay(seat, accused, LATEST_TIME) for accused in range(seats)]
    votes = [VoteDelay(seat, guilty) for guilty in (True, False)]
    answers = [AnswerProposal(seat, accept) for accept in (True, False)]
    return [*bids, *named, *plays, *delays, *votes, AskUndo(seat), ProposeDraw(seat), *answers, Resign(seat)]


def is_accepted(state: State, command: SeatCommand) -> bool:
    """Return whether the rules accept `command`, judged by the whole state."""
    try:
        decide(state, command)
    except Rejected:
        return False
    return command.seat in state.still_in


def waits_unseen(made: Table) -> set[int]:
    """Return the versions after which only a waiting change follows in the commit: no view can foresee that draw."""
    found = set()
    for first, last in pairwise(made.commits):
        for version in range(last - 1, first, -1):
            if not isinstance(made.entries[version].event.data, RulesChangeDeferred):
                break
            found.add(version)
    return found


@pytest.mark.lengthy
@pytest.mark.parametrize("kind", TABLES, ids=str)
def test_every_offered_move_is_accepted_unchanged_and_no_other(kind: Kind) -> None:
    rng, checked = random.Random(str(kind)), 0
    while checked < 25:
        checked += _offers(rng, restless_game(rng, kind))


def _offers(rng: random.Random, made: Table) -> int:
    """Check every seat's view at every version; return how often one had moves of its turn."""
    seats = len(made.state.seats)
    ends, unseen = set(made.commits), waits_unseen(made)
    seen, state, checked = [ViewFold(seat) for seat in range(seats)], EMPTY_STATE, 0
    for entry in made.entries:
        state = evolve(state, entry.event)
        for seat, each in enumerate(seen):
            each.add(entry.event)
            shown = view_json(each, "")
            if entry.event.version in ends:
                _check_offered_moves_are_accepted(state, seat, shown, rng)
                checked += bool(shown["you"]["legal"])
                if rng.random() < 0.05:
                    _check_accepted_moves_are_offered(state, seat, shown)
            elif entry.event.version not in unseen:
                assert (shown["turn"]["seats"], shown["you"]["legal"], shown["you"]["may"]) == ([], [], []), shown
                assert shown["you"]["choose"] is None
    return checked


def _check_offered_moves_are_accepted(state: State, seat: int, shown: View, rng: random.Random) -> None:
    you = shown["you"]
    assert shown["turn"]["seats"] == list(state.turn)
    asked = you["legal"] or you["choose"]
    assert bool(asked) >= (seat in state.turn and seat in state.still_in), (state.phase, shown)
    chosen = [any_choice(you["choose"], rng) for _ in range(3)] if you["choose"] else []
    for move in [*you["legal"], *chosen]:
        command = parse_move(move, seat)
        assert is_accepted(state, command), (state.phase, move)
        assert move_to_json(command) == move
    if "change_rules" in you["may"]:
        for change in shown["rules"]["changes"]:
            assert is_accepted(state, ChangeRules(seat, change)), change


def _check_accepted_moves_are_offered(state: State, seat: int, shown: View) -> None:
    """Assert that the view lists every accepted command: its moves, in order, then the kinds possible at any time."""
    you, kinds = shown["you"], dict[str, Any]()
    heard = [move_to_json(command) for command in everything(seat, len(state.seats)) if is_accepted(state, command)]
    moves = [move for move in heard if move["type"] in LISTED]
    kinds = dict.fromkeys(move["type"] for move in heard if move["type"] not in LISTED)
    if is_accepted(state, ChangeRules(seat, next(iter(shown["rules"].get("changes", [])), "dirty:on"))):
        kinds["change_rules"] = None
    assert you["legal"] == [move for move in moves if not _is_a_pass_too(state, move)]
    assert you["may"] == list(kinds)
    calls = [is_accepted(state, CallPartner(seat, card)) for card in DECK_54]
    wanted = (you["choose"] or {}).get("type")
    assert all(calls) if wanted == "call_partner" else not any(calls) or wanted == "discard"


def _is_a_pass_too(state: State, move: dict[str, Any]) -> bool:
    """Return whether a move is a bid of 0 that is another way to pass (S11)."""
    return move == {"type": "bid", "bid": 0} and state.rules.auction.zero_passes
