"""Non-interference: nothing a seat receives depends on what it cannot see (issue: what it must show, 6).

Two worlds are served whose facts a seat may see are the same; the cards it cannot see lie elsewhere, and seeds and the
salts of hidden facts are others. Every byte it gets must be the same, but the values of root, leaf, prev and commit.
"""

import random
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from api.app import create_app
from api.config import NO_LIMITS, Config
from api.play.services.autoplay import AutoPlayer
from api.play.services.gate import GameGate
from api.web.context import attach_services
from domain.cards import DECK_54
from domain.commands import CallDelay, CallPartner, SeatCommand
from domain.engine.legal_moves import legal_moves
from domain.events import Player
from domain.rules.choices import Phase
from domain.state import State
from domain.store import Games
from projections.moves.json_moves import MalformedMove, move_to_json, parse_move
from projections.views.cache import ViewCache
from tests.api.conftest import Caller, services_of
from tests.api.given_http import store_events
from tests.api.secrecy.read_routes import GAME as GAME_RULE
from tests.api.secrecy.read_routes import HAND, SHOWS_NO_GAME, addresses
from tests.api.worlds import (
    Events,
    facts_if_legal,
    play_random_game,
    shows_nothing_new,
    state_of,
    time_after,
    vary_hidden_facts,
)
from tests.given import GAME

HASHES = re.compile(
    rb'("(?:root|leaf|prev|commit)": ?")[0-9a-f]{64}"|(\[Commit ")[0-9a-f]{64}"|((?:root|commitment) +)[0-9a-f]{64}'
    rb'|("keys": ?\[)[^\]]*|("receipt": ?)"[^"]*"'
)
OFFERS: tuple[dict[str, Any], ...] = (
    *({"type": "play", "card": card} for card in DECK_54),
    *({"type": "bid", "bid": bid} for bid in range(-1, 18)),
    *({"type": "name_trump", "suit": suit} for suit in "CDHS"),
    *({"type": "call_partner", "card": card} for card in ("AC", "X1", "2S")),
    *({"type": "discard", "cards": cards} for cards in ([], ["AC"], ["2C", "2D", "2H"], ["2C", "2C"], list(DECK_54))),
    *({"type": "call_delay", "accused": seat} for seat in range(5)),
    *({"type": "vote", "guilty": guilty} for guilty in (True, False)),
    *({"type": "change_rules", "change": change} for change in ("points:7", "dirty:on", "partners:call", "points:3")),
    {"type": "pass"}, {"type": "accept"}, {"type": "reject"}, {"type": "undo"}, {"type": "propose_draw"},
    {"text": "xx"}, {"type": "fly"},
)  # fmt: skip
OFTEN = {"when": [1, 3], "end": None}
TABLES: dict[str, tuple[str, tuple[int, ...], tuple[dict[str, Any], ...]]] = {
    "pitch": ("pitch", (2, 3, 4, 5), ({}, {"around": "right", "fifth": "bid"})),
    "setback": ("setback", (3, 4), ({}, {"low": 2, "dealer": "ties_or_raises", "stick": "any"})),
    "blackout": ("blackout", (4,), ({}, {"hook": False, "inorder": True})),
    "corellian with a randomizer": (
        "corellian",
        (4,),
        ({"randomizer": OFTEN}, {"randomizer": OFTEN, "deal": "all", "follow": "suit_or_trump", "call": "secret"}),
    ),
    "corellian with a host": (
        "corellian",
        (4,),
        (
            {"randomizer": None, "host_changes": True},
            {"randomizer": None, "host_changes": True, "call": "secret", "deal": "all"},
            {"randomizer": None, "host_changes": True, "follow": "suit_or_trump", "hold": "verdict"},
        ),
    ),
}
CALLS = {"when": [1, 4], "end": None, "points": [], "dirty": False, "reverse": False, "partners": ["call"]}
TABLES["corellian with calls"] = ("corellian", (4,), ({"randomizer": CALLS}, {"randomizer": CALLS, "call": "secret"}))
Told = tuple[int, bytes, bytes]
Registered = tuple[Path, list[Player], dict[str, str | None]]


@dataclass(frozen=True)
class World:
    """A server with one game."""

    app: Flask

    def close(self) -> None:
        """Close its stores."""
        services_of(self.app).close()


OPAQUE_HEADERS = ("X-Request-Id", "Trickbook-Position")
"""A random id, and an encrypted position, which names the last event's hash: both differ between equal games."""


def serve(data: Path, events: Events, now: str) -> World:
    """Serve these events; random values and times in the store are the same in every world."""
    app = create_app(Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once"))
    here = services_of(app)
    here.games.close()
    here.games = Games(data, entropy=lambda size: b"\7" * size, clock=lambda: now)
    views = ViewCache(here.games)
    here.views, here.autoplayer = views, AutoPlayer(here.games, views)
    here.gate = GameGate(here.games, views, here.accounts.roles)
    attach_services(app, here)
    here.followers = type(here.followers)(here.games, here.rows)
    store_events(here.games, events)
    here.followers.catch_up()
    return World(app)


def visible_response(answer: TestResponse) -> Told:
    """Return the whole answer, without the hashes of hidden data and the random id of the request."""
    headers = [pair for pair in answer.headers if pair[0] not in OPAQUE_HEADERS]
    return answer.status_code, str(headers).encode(), HASHES.sub(rb"\1\2\3\4\5?", answer.data)


TRIED = ("ad", "2", "call%20kh", "throw%202c")
"""Moves that are asked about, some of them legal."""

QUERIES = {
    "/games": ("",),
    GAME_RULE: ("",),
    f"{GAME_RULE}/events": ("", "?after={middle}"),
    f"{GAME_RULE}/export": ("",),
    f"{GAME_RULE}/scoreboard": ("",),
    f"{GAME_RULE}/audit": ("",),
    f"{GAME_RULE}/replay": ("?at={before}",),
    **{f"{GAME_RULE}/{query}": ("",) for query in ("revokes", "draws", "score", "clock", "sight", "commits")},
    f"{GAME_RULE}/legal": tuple(f"?move={word}" for word in TRIED),
    f"{GAME_RULE}/seats/<strictint:seat>": ("",),
    HAND: ("",),
    f"{HAND}/replay": ("", "?at={before}", "?at={at}&seat={seat}"),
    f"{HAND}/transcript": ("",),
    f"{HAND}/audit": ("",),
    f"{HAND}/deal": ("",),
    f"{HAND}/choices": ("", "?at={before}"),
    f"{GAME_RULE}/hint": ("",),
}
"""How to read each route that shows something of a game."""

NOT_READ = SHOWS_NO_GAME | {
    "/disputes": "only facts that everybody may see, and only for arbiters",
    "/exports/games": "the exports of many games, each the same as /export",
    "/me/handovers": "offers beside the log, which name only ids",
    f"{GAME_RULE}/handovers": "offers beside the log, which name only ids",
    f"{GAME_RULE}/disputes": "only facts that everybody may see, and texts beside the log",
    f"{GAME_RULE}/compare": "roots, which differ between the two worlds",
    f"{GAME_RULE}/receipt": "a signed root, which differs between the two worlds",
    f"{GAME_RULE}/proofs/inclusion": "hashes, which differ between the two worlds",
    f"{GAME_RULE}/proofs/consistency": "hashes, which differ between the two worlds",
}


def read_paths(app: Flask, state: State) -> list[str]:
    """Return the addresses to read, for the first hand and the current one."""
    hand, at, seats = state.hand.number if state.hand else 1, state.version, len(state.seats)
    values = {"reference": 1, "middle": at // 2, "before": at - 1, "at": at}
    paths = [
        address
        for number in sorted({1, hand})
        for seat in range(seats + 1)
        for address in addresses(app, QUERIES, NOT_READ, hand=number, seat=seat, **values)
    ]
    return list(dict.fromkeys(paths))


def command_of(offer: dict[str, Any], seat: int, now: str) -> SeatCommand | None:
    """Return the command of an offer, or None."""
    try:
        command = parse_move(offer, seat)
    except MalformedMove:
        return None
    return replace(command, at=now) if isinstance(command, CallDelay) else command


def all_responses(caller: Caller, state: State, seat: int | None, now: str, *, accept: bool) -> list[Told]:
    """Return the answers to all reads, to refused moves and, if `accept`, to one legal move at the end."""
    paths = read_paths(caller.client.application, state)
    told = read_all(caller, paths)
    for offer in OFFERS:
        command = None if seat is None else command_of(offer, seat, now)
        if command is None or facts_if_legal(state, command) is None:
            answer = caller.post("/games/1/moves", offer)
            assert answer.status_code >= 400, answer.text
            told.append(visible_response(answer))
    if accept and seat is not None and (move := harmless_move(state, seat)) is not None:
        answer = caller.post("/games/1/moves", move, Idempotency_Key="k")
        assert answer.status_code == 201, answer.text
        told += [visible_response(answer), *(visible_response(caller.get(path)) for path in paths)]
    return told


def read_all(caller: Caller, paths: Iterable[str]) -> list[Told]:
    """Return the answers at these paths."""
    told = [visible_response(caller.get(path)) for path in paths]
    return told + [visible_response(caller.get(path, Accept="text/plain")) for path in paths if "audit" in path]


def harmless_move(state: State, seat: int) -> dict[str, Any] | None:
    """Return a move of the turn that shows nothing new, or None."""
    may: list[Any] = list(legal_moves(state, seat)) or [CallPartner(seat, card) for card in DECK_54]
    return next((move_to_json(each) for each in reversed(may) if shows_nothing_new(state, each)), None)


@pytest.fixture(scope="module")
def registered(tmp_path_factory: pytest.TempPathFactory) -> Registered:
    """A data folder with players and their tokens, to copy into every world."""
    data = tmp_path_factory.mktemp("office")
    app = create_app(Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once"))
    here, tokens, people = services_of(app), dict[str, str | None](), list[Player]()
    for number in range(5):
        token = Caller(app.test_client()).join(f"p{number}").token
        found = here.accounts.users.by_name(f"p{number}")
        assert found is not None
        people.append(Player(found.id, "human"))
        tokens[found.id] = token
    here.accounts.boards.reserve(GAME, "p0")
    here.close()
    return data, people, tokens


def responses_in_both(
    office: Registered,
    folder: pytest.TempPathFactory,
    worlds: Sequence[Events],
    player: str | None,
    *,
    accept: bool,
    moves: bool = True,
) -> list[list[Told]]:
    """Return what a player receives in each of two worlds by reading and, with `moves`, by sending moves."""
    kept, _, tokens = office
    state, answers = state_of(worlds[0]), list[list[Told]]()
    seat, now = None if player is None else state.seat_of(player), time_after(state.at, 20)
    for events in worlds:
        data = folder.mktemp("world")
        shutil.copytree(kept, data, dirs_exist_ok=True, ignore=shutil.ignore_patterns("log.db*", "views.db*"))
        served = serve(data, events, now)
        caller = Caller(served.app.test_client(), None if player is None else tokens[player])
        answers.append(
            all_responses(caller, state, seat, now, accept=accept)
            if moves
            else read_all(caller, read_paths(served.app, state))
        )
        served.close()
        shutil.rmtree(data)
    return answers


MOMENTS = (
    ("setback", Phase.PLAY, 1),
    ("blackout", Phase.AUCTION, 1),
    ("corellian with a randomizer", Phase.DISCARDING, 1),
    ("corellian with calls", Phase.WAITING, 1),
)
MORE_MOMENTS = (
    ("setback", Phase.AUCTION, 1),
    ("blackout", Phase.AUCTION, 2),
    ("blackout", Phase.PLAY, 3),
    ("corellian with a randomizer", Phase.AUCTION, 1),
    ("corellian with a randomizer", Phase.NAMING, 1),
    ("corellian with a randomizer", Phase.PLAY, 1),
    ("corellian with calls", Phase.CALLING, 1),
    ("corellian with a host", Phase.DISCARDING, 2),
)


def events_until(people: list[Player], table: str, phase: Phase, hand: int) -> Events:
    """Return the events of a game of this kind up to a moment in this phase."""
    variant, players, options = TABLES[table]
    for seed in range(20_000):
        chance = random.Random(f"{table} {phase} {hand} {seed}")
        chosen = chance.choice(options)
        events = play_random_game(chance, people[: players[-1]], variant, chance.randrange(40 * hand), **chosen)
        state = state_of(events)
        if state.phase is phase and state.hand is not None and state.hand.number == hand:
            return events
    raise AssertionError(f"no game is in {phase} of hand {hand}")


@pytest.mark.parametrize(
    ("table", "phase", "hand"),
    [*MOMENTS, *(pytest.param(*moment, marks=pytest.mark.slow) for moment in MORE_MOMENTS)],
    ids=str,
)
def test_in_every_phase_the_seat_to_move_and_another_learn_nothing(
    registered: Registered, tmp_path_factory: pytest.TempPathFactory, table: str, phase: Phase, hand: int
) -> None:
    events, chance = events_until(registered[1], table, phase, hand), random.Random(hand)
    state = state_of(events)
    for seat in (state.turn[0], (state.turn[0] + 1) % len(state.seats)):
        worlds = (events, vary_hidden_facts(events, seat, chance))
        one, other = responses_in_both(registered, tmp_path_factory, worlds, state.seats[seat].player, accept=True)
        assert one == other


@pytest.mark.parametrize("table", ["pitch", "corellian with a host"])
def test_a_seat_that_can_see_the_difference_receives_it(
    registered: Registered, tmp_path_factory: pytest.TempPathFactory, table: str
) -> None:
    """Otherwise the tests above would show nothing."""
    events = events_until(registered[1], table, Phase.PLAY, 2)
    state = state_of(events)
    turn, player = state.turn[0], state.seats[state.turn[0]].player
    worlds = (events, vary_hidden_facts(events, (turn + 1) % len(state.seats), random.Random(1), alike=False))
    one, other = responses_in_both(registered, tmp_path_factory, worlds, player, accept=False, moves=False)
    assert sum(first != second for first, second in zip(one, other, strict=True)) > 3
