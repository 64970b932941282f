"""Games to rate: played, resigned, ruled on, lost to the clock, and one for each reason why a game doesn't count."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from domain.commands import AnswerHandover, AskHandover, OpenGame, Resign, Tick
from domain.events import GameLimits, Player, Timing, TurnPace, Watch
from domain.state import SERVER
from tests.projections.lists.standings_games import PlayedGames
from tests.step_limit import steps

DAILY = Timing(None, None, pace=TurnPace("daily", move_s=86_400))
SHORT = (("pitch", 3), ("setback", 4), ("blackout", 4), ("corellian", 4), ("setback", 3), ("pitch", 4))
"""Variants and numbers of seats of games that are resigned at once."""
BOT = Player("bot:random:1", "bot", "random")


class RatedGames(PlayedGames):
    """Plays games in one store. Their boards count from 1."""

    @property
    def exports(self) -> list[bytes]:
        """The exports of all games, as everybody sees them."""
        return [self.export(game) for game in self.played]

    def play_all(self, whole: int, resigned: int, wait: Callable[[], None]) -> None:
        """Play games of every kind; `wait` lets days pass."""
        for number in range(whole):
            self.play(number)
        first, *others = self.people
        for number in range(resigned):
            other = others[number // 2 % len(others) if number % 2 else 0]
            self.resign_all(self.opened("pitch", [first, other]))
        for variant, seats in SHORT:
            self.resign_all(self.opened(variant, self.rng.sample(list(self.people), seats)))
        self.play_uncounted()
        self.play_late(wait)
        for game in self.played:
            for _ in range(4):
                self._dispute(game)

    def opened(self, variant: str, people: list[str], **more: Any) -> str:
        """Open a game of these people and return its id."""
        game = str(UUID(bytes=self.rng.randbytes(16), version=4))
        seats = more.pop("seats", tuple(Player(each, "human") for each in people))
        opening = OpenGame(game, len(self.played) + 1, variant, {}, seats, **more)
        self.games.open(opening, by=people[0], command_id=self._id())
        self.played.append(game)
        return game

    def resign_all(self, game: str) -> None:
        """Let one seat after another resign until the game is over."""
        for seat in self.rng.sample(range(4), 4):
            if seat < len(self.games.state(game).seats):
                self._try(game, Resign(seat))

    def play_uncounted(self) -> None:
        """Play a game for each reason why it doesn't count."""
        a, b, c, *rest = self.people
        with_bot = (Player(a, "human"), BOT)
        self.resign_all(self.opened("pitch", [a], seats=with_bot, undo="practice"))
        self.resign_all(self.opened("pitch", [a], seats=with_bot))
        self.resign_all(self.opened("pitch", [a, b], guests=True))
        self.resign_all(self.opened("pitch", [a, b], watch=Watch(public=False)))
        self._play_on(self.opened("pitch", [a, b], limits=GameLimits(20, 4)))
        nobody_left = self.opened("pitch", [a, b, c])
        for seat in (0, 1):
            self._hand_over(nobody_left, seat, f"bot:random:{seat}", "bot", "random")
        self._try(nobody_left, Resign(2))
        changed = self.opened("pitch", [a, b, c])
        self._hand_over(changed, 1, rest[0], "human")
        self.resign_all(changed)

    def play_late(self, wait: Callable[[], None]) -> None:
        """Let the clock take seats: one is forfeit, and one is played by a bot to the end of the game."""
        for autopilot in ("forfeit", "bot:random"):
            game = self.opened("setback", list(self.people[:4]), timing=DAILY, autopilot=autopilot)
            for _ in range(5):
                self.step(game)
            for _ in range(2):  # set the clock, then take the seat
                wait()
                self.act(game, Tick(), SERVER)
            self._play_on(game)

    def _play_on(self, game: str) -> None:
        for _ in steps():
            if not self.step(game):
                return

    def _hand_over(self, game: str, seat: int, *to: str) -> None:
        self._try(game, AskHandover(seat, *to))
        for other in range(len(self.games.state(game).seats)):
            self._try(game, AnswerHandover(other, accept=True))
