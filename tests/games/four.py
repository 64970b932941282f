"""A store with games of all four variants, one running and one finished of each, played by four users."""

import random
from collections.abc import Sequence
from uuid import UUID

from api.accounts.accounts import open_accounts
from api.config import Config
from domain.commands import OpenGame, Resign
from domain.events import Player
from domain.store import Games
from tests.games.tables import entropy
from tests.games.whole_games import OFTEN, Clock, chosen
from tests.step_limit import steps

VARIANTS = ("pitch", "setback", "blackout", "corellian")
OPTIONS = {"corellian": {"randomizer": OFTEN | {"end": None}}}
NAMES = ("ann", "bob", "cat", "dan")
RUNNING, OVER = (1, 3, 5, 7), (2, 4, 6, 8)
"""The boards of the games, variant by variant."""


def id_of(board: int) -> str:
    """Return the id of the game on a board."""
    return str(UUID(int=board))


class Four:
    """The store and its accounts; `seed` and the moves so far decide the next move."""

    def __init__(self, config: Config, seed: int = 7) -> None:
        self.config, self.seed, self.rng, self.asked = config, seed, random.Random(seed), steps()
        self.accounts = open_accounts(config)
        known = self.accounts.users.by_name
        self.people = [known(name) or self.accounts.users.register(name, "correct-horse") for name in NAMES]
        sealed = {"CIPHER_KEY": config.cipher_key} if config.cipher_key else None
        self.games = Games(config.data, config.database_url, clock=Clock(), entropy=entropy(seed), settings=sealed)

    def close(self) -> None:
        """Close the store."""
        self.games.close()
        self.accounts.close()

    def fill(self, moves: int = 26) -> "Four":
        """Open eight games: of each variant a running one and one that all players have left."""
        for place, variant in enumerate(VARIANTS):
            for board in (RUNNING[place], OVER[place]):
                self.open(board, variant)
                self.play(board, moves)
            self.leave(OVER[place])
        return self

    def open(self, board: int, variant: str, players: Sequence[int] = range(4)) -> None:
        """Open a game of `players` of the four, on the next board."""
        assert self.accounts.boards.reserve(id_of(board), "p0") == board
        people = tuple(Player(self.people[each].id, "human") for each in players)
        opening = OpenGame(id_of(board), board, variant, OPTIONS.get(variant, {}), people)
        self.games.open(opening, by=people[0].player, command_id=self._id())

    def play(self, board: int, moves: int) -> None:
        """Make that many moves, or fewer if the game ends."""
        for _ in range(moves):
            state = self.games.state(id_of(board))
            if state.result is not None:
                return
            seat = state.turn[0]
            command = chosen(state, seat, self.rng)
            self.games.act(id_of(board), command, by=state.seats[seat].player, command_id=self._id())

    def leave(self, board: int) -> None:
        """Let all players leave, until the game is over."""
        while (state := self.games.state(id_of(board))).result is None:
            seat = state.persons[0]
            self.games.act(id_of(board), Resign(seat), by=state.seats[seat].player, command_id=self._id())

    def _id(self) -> str:
        return f"{self.seed:08x}{next(self.asked):08x}-{0:016x}"
