"""Whole games in process, every variant: the rules alone, and as the commits a store would keep.

    python -m bench.rules.games [--games 40]

Random legal moves. "The rules" are legal moves, decide, what the table owes, and evolve; "commits" are the same through
Game.draft and keep: enveloped, encoded, hashed, every link made. Processor time, since other work shares the machine.
"""

import argparse
import random
from collections.abc import Callable
from hashlib import sha256
from time import process_time
from typing import Any

from domain.commands import CallPartner, Command, Discard, MakeBid, OpenGame, PassBid
from domain.decide import decide
from domain.decide.dealer_duties import next_duty
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.events import Event, Fact, Player
from domain.evolve import evolve
from domain.rules.choices import Phase
from domain.state import EMPTY_STATE, SERVER, State
from domain.store.aggregate import Game, Request

GAME = "0f8fad5b-d9cb-469f-a165-70867728950e"
AT = "2026-11-21T08:00:00.000000Z"
TABLES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("pitch", 4, {}),
    ("setback", 4, {}),
    ("blackout", 4, {}),
    ("corellian", 4, {}),
)


def chosen(state: State, rng: random.Random) -> Command:
    """Return a random legal move of the seat to move. Bids are low, so that games to a goal end."""
    (seat,) = state.turn
    moves = legal_moves(state, seat)
    if moves:
        if isinstance(moves[0], PassBid) or (isinstance(moves[0], MakeBid) and state.rules.auction.contract):
            return moves[1] if len(moves) > 1 and rng.random() < 0.25 else moves[0]
        return moves[int(rng.random() * len(moves))]
    may = legal_discards(state, seat) if state.phase is Phase.DISCARDING else None
    if may is None:
        return CallPartner(seat, rng.choice(state.rules.deck))
    return Discard(seat, (*may.required, *rng.sample(may.optional, may.minimum - len(may.required))))


def opening(variant: str, players: int, options: dict[str, Any]) -> OpenGame:
    """Return an opening with persons only, so that only the loop plays."""
    people = tuple(Player(f"p{seat}", "human") for seat in range(players))
    return OpenGame(GAME, 1, variant, options, people)


class Rules:
    """A game as a state without a log."""

    def __init__(self, seed: int) -> None:
        self.state, self.facts = EMPTY_STATE, 0
        self._seeds = (sha256(f"{seed} {n}".encode()).digest() for n in range(10**6))

    def send(self, command: Command, by: str) -> None:
        """The command, and all that the table makes of it."""
        due: Command | None = command
        while due is not None:
            for fact in decide(self.state, due):
                self._fold(fact, by)
            due = next_duty(self.state, lambda: next(self._seeds))

    def _fold(self, fact: Fact, by: str) -> None:
        event = Event(AT, by, "c", fact, type(fact).__name__, GAME, "", None, 1, self.state.version + 1)
        self.state = evolve(self.state, event)
        self.facts += 1


class Commits:
    """A game with its log."""

    def __init__(self, seed: int) -> None:
        self.game, self._rng = Game(GAME), random.Random(seed)

    @property
    def state(self) -> State:
        """Return the current state."""
        return self.game.state

    @property
    def facts(self) -> int:
        """Return the number of facts."""
        return self.game.version

    def send(self, command: Command, by: str) -> None:
        self.game.apply_draft(self.game.draft(command, Request(by, f"c{self.facts}", AT), self._rng.randbytes))


def play(table: Rules | Commits, variant: str, players: int, options: dict[str, Any], seed: int) -> int:
    """Play a whole game. Return the number of moves."""
    rng, moves = random.Random(seed), 0
    table.send(opening(variant, players, options), "p0")
    while table.state.result is None:
        state = table.state
        table.send(chosen(state, rng), state.seats[state.turn[0]].player if state.turn else SERVER)
        moves += 1
    return moves


def rates(
    make: Callable[[int], Rules | Commits], variant: str, players: int, options: dict[str, Any], games: int
) -> tuple[float, float, float]:
    """Return games, moves and facts a second."""
    moves = facts = 0
    begun = process_time()
    for seed in range(games):
        table = make(seed)
        moves += play(table, variant, players, options, seed)
        facts += table.facts
    took = process_time() - begun
    return games / took, moves / took, facts / took


def main() -> None:
    """Print a row for each variant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    asked = parser.parse_args()
    print("| variant | rules: games/s | moves/s | facts/s | commits: games/s | moves/s | facts/s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for variant, players, options in TABLES:
        figures = [*rates(Rules, variant, players, options, asked.games)]
        figures += rates(Commits, variant, players, options, max(1, asked.games // 4))
        row = " | ".join(f"{figure:,.0f}" for figure in figures)
        print(f"| {variant}, {players} players | {row} |", flush=True)


if __name__ == "__main__":
    main()
