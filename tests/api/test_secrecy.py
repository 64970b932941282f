"""Non-interference: nothing a seat receives depends on what it cannot see (issue: what it must show, 5).

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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from api import create_app
from api.config import NO_LIMITS, Config
from api.house import House
from api.seen import Seen
from domain.cards import DECK_52, Card
from domain.commands import SeatCommand
from domain.events import CardsDealt, CeremonyOpened, Event, Fact, GameOpened, Player, SeedKept, StockLaid
from domain.legal import legal_moves
from domain.state import State
from domain.store import Games
from projections.moves import move_json
from projections.views import Views
from tests.api.conftest import Caller, services_of
from tests.api.given_http import store
from tests.given import AT, GAME, Given, deal, events, opened
from tests.given import given as given_facts

HASHES = re.compile(rb'("(?:root|leaf|prev|commit)": ?")[0-9a-f]{64}"|(\[Commit ")[0-9a-f]{64}"|(root )[0-9a-f]{64}')
READS = (
    "/games/1", "/games/1/seats/0", "/games/1/seats/1", "/games/1/seats/2", "/games/1/seats/3", "/games/1/seats/9",
    "/games/1/events", "/games/1/events?after=6", "/games/1/export", "/games/1/hands/1", "/games/1/hands/1/replay",
    "/games/1/hands/1/replay?at=9", "/games/1/hands/1/replay?at=9&seat=0", "/games/1/hands/1/replay?at=9&seat=2",
    "/games/1/hands/1/transcript", "/games/1/hands/1/audit", "/games/1/audit", "/games/1/scoreboard", "/games",
)  # fmt: skip
OFFERS: tuple[dict[str, Any], ...] = (
    *({"type": "play", "card": card} for card in DECK_52),
    *({"type": "bid", "bid": bid} for bid in range(-1, 7)),
    {"type": "pass"}, {"type": "accept"}, {"type": "reject"}, {"text": "xx"}, {"type": "fly"},
)  # fmt: skip


@dataclass(frozen=True)
class World:
    """A server with one game, and a caller for each seat, then one for a stranger."""

    app: Flask
    callers: tuple[Caller, ...]

    def close(self) -> None:
        services_of(self.app).close()


def played(chance: random.Random, players: int, moves: int) -> Given:
    """A hand dealt and played by anybody, `moves` moves far but never to its end."""
    deck = chance.sample(DECK_52, 52)
    hands = [" ".join(deck[6 * seat : 6 * seat + 6]) for seat in range(players)]
    at = given_facts(opened(players), *deal(hands))
    for _ in range(moves):
        if at.state.hand is None or sum(at.state.hand.counts) == 1 or thrown_in_next(at.state):
            break
        at = at.when(any_move(chance, at.state)).happens()
    return at


def any_move(chance: random.Random, state: State) -> SeatCommand:
    return chance.choice(legal_moves(state, state.turn[0]))


def thrown_in_next(state: State) -> bool:
    hand = state.hand
    return hand is not None and hand.asked == len(state.seats) - 1 and not any(hand.bids)


def elsewhere(facts: Iterable[Fact], viewer: int | None, chance: random.Random) -> list[Fact]:
    """The same facts to the viewer: cards he has not seen change places, seed and commitment are others."""
    facts = list(facts)
    seen = {getattr(fact, "card", None) for fact in facts if not isinstance(fact, CardsDealt)}
    hidden = [fact for fact in facts if isinstance(fact, CardsDealt | StockLaid) and not sees(fact, viewer)]
    unseen = [card for fact in hidden for card in fact.cards if card not in seen]
    other = dict(zip(unseen, chance.sample(unseen, len(unseen)), strict=True))
    return [moved(fact, other, viewer, chance) for fact in facts]


def sees(fact: Fact, viewer: int | None) -> bool:
    return isinstance(fact, CardsDealt) and fact.seat == viewer


def moved(fact: Fact, other: dict[Card, Card], viewer: int | None, chance: random.Random) -> Fact:
    match fact:
        case CardsDealt() | StockLaid() if not sees(fact, viewer):
            return replace(fact, cards=tuple(other.get(card, card) for card in fact.cards))
        case SeedKept():
            return replace(fact, seed=chance.randbytes(32).hex())
        case CeremonyOpened():
            return replace(fact, commit=chance.randbytes(32).hex())
    return fact


def salted(happened: Sequence[Event[Any]], viewer: int | None, chance: random.Random) -> list[Event[Any]]:
    """Other salts for what the viewer does not see."""
    return [
        event if event.seen_by is None or viewer in event.seen_by else replace(event, salt=chance.randbytes(16).hex())
        for event in happened
    ]


def serve(data: Path, happened: Iterable[Event[Any]], tokens: Sequence[str | None]) -> World:
    """Serve these events; what is random or timed in the store is the same in every world."""
    app = create_app(Config(data=data, hashing="cheapest", limits=NO_LIMITS))
    here = services_of(app)
    here.games.close()
    here.games = Games(data, entropy=lambda size: b"\7" * size, clock=lambda: AT)
    views = Views(here.games)
    here.seen, here.house = Seen(here.games, views, here.office), House(here.games, views)
    here.patience_s = 0.0
    store(here.games, happened)
    return World(app, tuple(Caller(app.test_client(), token) for token in tokens))


def received(answer: TestResponse) -> tuple[int, bytes, bytes]:
    """All of an answer, but for the hashes over what is hidden."""
    return answer.status_code, str(answer.headers).encode(), HASHES.sub(rb"\1\2\3?", answer.data)


def everything(caller: Caller, state: State, seat: int | None) -> list[tuple[int, bytes, bytes]]:
    """What reads, moves that are refused and, at last, a move that is not, have for the caller."""
    told = [received(caller.get(path)) for path in READS]
    told += [received(caller.get(path, Accept="text/plain")) for path in READS if "audit" in path]
    legal = [] if seat is None else [move_json(move) for move in legal_moves(state, seat)]
    for offer in OFFERS:
        if offer not in legal and offer != {"type": "bid", "bid": 0}:
            answer = caller.post("/games/1/moves", offer)
            assert answer.status_code >= 400
            told.append(received(answer))
    if legal and state.hand is not None and sum(state.hand.counts) > 1 and not thrown_in_next(state):
        told.append(received(caller.post("/games/1/moves", legal[-1], Idempotency_Key="k")))
        told += [received(caller.get(path)) for path in READS]
    return told


@pytest.fixture(scope="module")
def registered(tmp_path_factory: pytest.TempPathFactory) -> "Office":
    """An office with players and their tokens, to be copied into every world."""
    data = tmp_path_factory.mktemp("office")
    app = create_app(Config(data=data, hashing="cheapest", limits=NO_LIMITS))
    here, tokens = services_of(app), list[str | None]()
    for seat in range(7):
        tokens.append(Caller(app.test_client()).join(f"p{seat}").token)
    found = [here.office.player_by_name(f"p{seat}") for seat in range(7)]
    here.office.bind_board(1, GAME)
    here.close()
    return data, [Player(player.id, "human") for player in found if player is not None], [*tokens, None]


Office = tuple[Path, list[Player], list[str | None]]


def told_in_both(
    office: Office, folder: pytest.TempPathFactory, at: Given, hidden_from: int | None, asker: int | None, seed: int
) -> list[list[tuple[int, bytes, bytes]]]:
    """What `asker` receives in a world, and in one that differs in what `hidden_from` cannot see."""
    kept, people, tokens = office
    answers, chance = [], random.Random(seed)
    for facts in (list(at.facts), elsewhere(at.facts, hidden_from, chance)):
        first = facts[0]
        assert isinstance(first, GameOpened)
        happened = events([replace(first, players=tuple(people[: len(at.state.seats)])), *facts[1:]])
        data = folder.mktemp("world")
        shutil.copytree(kept, data, dirs_exist_ok=True, ignore=shutil.ignore_patterns("log.db*", "views.db*"))
        served = serve(data, salted(happened, hidden_from, chance), tokens)
        answers.append(everything(served.callers[-1 if asker is None else asker], at.state, asker))
        served.close()
        shutil.rmtree(data)
    return answers


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), players=st.integers(2, 5), moves=st.integers(0, 30), spectator=st.booleans())
def test_nothing_a_viewer_receives_depends_on_what_it_cannot_see(
    registered: Office, tmp_path_factory: pytest.TempPathFactory, seed: int, players: int, moves: int, spectator: bool
) -> None:
    chance = random.Random(seed)
    at = played(chance, players, moves)
    seat = None if spectator else chance.choice([*at.state.turn, chance.randrange(players)])
    one, other = told_in_both(registered, tmp_path_factory, at, seat, seat, seed)
    for first, second in zip(one, other, strict=True):
        assert first == second


def test_a_seat_that_does_see_the_difference_is_told_it(
    registered: Office, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Or the test above would show nothing."""
    at = played(random.Random(1), 4, 8)
    one, other = told_in_both(registered, tmp_path_factory, at, 0, at.state.turn[0] or 1, 1)
    assert sum(first != second for first, second in zip(one, other, strict=True)) > 5


def test_the_two_worlds_do_differ() -> None:
    """Or the test above would show nothing: some card that the seat cannot see lies elsewhere."""
    chance = random.Random(5)
    at = played(chance, 4, 6)
    there = elsewhere(at.facts, 1, chance)
    dealt = [(one, other) for one, other in zip(at.facts, there, strict=True) if isinstance(one, CardsDealt)]
    assert [one == other for one, other in dealt] == [False, True, False, False]
    assert sorted(card for _, fact in dealt for card in getattr(fact, "cards", ())) != []
    hidden = [fact.cards for fact in there if isinstance(fact, CardsDealt | StockLaid)]
    assert sorted(card for cards in hidden for card in cards) == sorted(DECK_52)


def test_a_leak_would_be_noticed() -> None:
    """What the comparison leaves out is the four hashes and nothing else."""
    line = b'{"leaf":"%b","prev":"%b","card":"AS","salt":"%b"}' % (b"a" * 64, b"b" * 64, b"c" * 32)
    assert HASHES.sub(rb"\1\2\3?", line) == b'{"leaf":"?,"prev":"?,"card":"AS","salt":"' + b"c" * 32 + b'"}'
