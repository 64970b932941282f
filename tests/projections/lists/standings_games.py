"""Games of all variants in a store, of a few people: whole, resigned, private, with bots, handed over, and ruled on."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from domain.commands import (
    AnswerHandover,
    AppealRuling,
    AskHandover,
    DecideAppeal,
    GiveRuling,
    OpenDispute,
    OpenGame,
    Resign,
    ReturnSeat,
)
from domain.events import Evidence, Player, Watch
from domain.rejections import GameOver, Rejected
from domain.state import State
from domain.store import Games
from projections.bots import choose
from projections.views.audience import visible
from replay.history import export_bytes, from_entries
from tests.games.whole_games import OFTEN
from tests.projections.playing_stored import Play

PEOPLE = [f"p{number}" for number in range(8)]
KINDS: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("pitch", {"win": 7}, 3),
    ("setback", {}, 4),
    ("corellian", {"randomizer": OFTEN}, 4),
    ("blackout", {"inorder": True}, 4),
    ("pitch", {"win": 7}, 2),
    ("blackout", {}, 4),
    ("setback", {}, 3),
)
MOST_MOVES = 130
ANN, BEN = "arbiter-ann", "arbiter-ben"
NOTE = "cd" * 32


class PlayedGames(Play):
    """Plays games in one store; the seed decides everything."""

    def __init__(self, games: Games, seed: int, people: Sequence[str] = PEOPLE) -> None:
        super().__init__(games, seed)
        self.people, self.played = people, list[str]()

    def play(self, number: int) -> str:
        """Play a game to its end, with rulings, and return its id."""
        variant, options, seats = KINDS[number % len(KINDS)]
        game = self._open(number, variant, options, self._seated(number, seats))
        for move in range(MOST_MOVES):
            if not self.step(game):
                break
            if move % 17 == 16:
                self._interrupt(game, number)
        while self.games.state(game).result is None:
            self._try(game, Resign(self.rng.choice(self.games.state(game).turn or (0,))))
            self.step(game)
        for _ in range(6):
            self._dispute(game)
        return game

    def export(self, game: str) -> bytes:
        """Return the export of a finished game."""
        return export_of(self.games, game)

    def _seated(self, number: int, seats: int) -> list[Player]:
        people = [Player(each, "human") for each in self.rng.sample(self.people, seats)]
        if number % 5 == 4:
            people[-1] = Player("bot:random:9", "bot", "random")
        return people

    def _open(self, number: int, variant: str, options: dict[str, Any], players: Sequence[Player]) -> str:
        game = str(UUID(bytes=self.rng.randbytes(16), version=4))
        watch = Watch(public=number % 6 != 5, delay=3 * (number % 3))
        guests = number % 11 == 10
        opening = OpenGame(game, number + 1, variant, options, tuple(players), watch=watch, guests=guests)
        self.games.open(opening, by=players[0].player, command_id=self._id())
        self.played.append(game)
        return game

    def choice(self, game: str, seat: int) -> dict[str, Any]:
        """Return the move of a random bot that bids more often."""
        view = self.views.view(game, seat)
        legal: list[dict[str, Any]] = view["you"]["legal"]
        if legal and legal[0]["type"] == "pass":
            return legal[0] if len(legal) == 1 or self.rng.random() < 0.6 else legal[1]
        return choose("random", view, self.games.state(game).rules, self.rng.randrange)

    def _interrupt(self, game: str, number: int) -> None:
        """Dispute something, or hand a seat over or back, if the rules allow it."""
        self._dispute(game)
        if number % 4 != 3:
            return
        state = self.games.state(game)
        seat = self.rng.randrange(len(state.seats))
        lent = [each for each in self.people if state.lent_seat_of(each) is not None]
        if lent and self.rng.random() < 0.5:
            self._try(game, ReturnSeat(state.lent_seat_of(lent[0]) or 0, lent[0]), lent[0])
            return
        free = [each for each in self.people if each not in {seated.player for seated in state.seats}]
        to = ("bot:random:8", "bot", "random") if self.rng.random() < 0.3 else (self.rng.choice(free), "human")
        self._try(game, AskHandover(seat, *to))
        for other in range(len(state.seats)):
            self._try(game, AnswerHandover(other, accept=True))

    def _dispute(self, game: str) -> None:
        """Make a random move of a dispute."""
        state, rng = self.games.state(game), self.rng
        open_disputes = len(state.disputes)
        hand = 1 if state.hand is None else max(1, state.hand.number - rng.randrange(2))
        seat, some = rng.randrange(len(state.seats)), rng.randint(1, max(1, open_disputes))
        changes = {place: rng.randint(-4, 4) for place in range(len(state.seats))}
        for side in state.rules.sides(len(state.seats)):
            changes.update(dict.fromkeys(side, changes[side[0]]))
        root = self.games.snapshot(game)[1]
        decision = rng.choice(("adjust", "adjust", "void"))
        by_seat = tuple(changes.values()) if decision == "adjust" else ()
        ruling = GiveRuling(ANN, some, decision, by_seat, "S34", "recorded", Evidence(state.version, root), NOTE)
        self._try(game, OpenDispute(seat, hand, state.version, "revoke", NOTE))
        self._try(game, ruling, ANN)
        self._try(game, AppealRuling(seat, some))
        self._try(game, DecideAppeal(BEN, some, rng.choice(("upheld", "reversed"))), BEN)

    def _try(self, game: str, command: Any, by: str | None = None) -> None:
        state: State = self.games.state(game)
        with suppress(Rejected, GameOver, ValueError, IndexError):
            self.act(game, command, state.seats[command.seat].player if by is None else by)


def export_of(games: Games, game: str) -> bytes:
    """Return the export of a finished game, as everybody sees it."""
    entries = games.entries(game)
    return export_bytes(from_entries(entries, {}, [visible(entry.event, None, set()) for entry in entries]))
