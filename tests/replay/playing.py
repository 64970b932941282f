"""Whole games played in memory, each from one number: the same number, the same bytes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from domain.commands import (
    AnswerProposal,
    AskUndo,
    Command,
    OpenGame,
    PassBid,
    ProposeDraw,
    Resign,
)
from domain.croupier import stand_in
from domain.events import Player
from domain.game import Entry, Game, Request
from domain.legal import legal_moves
from domain.state import SERVER
from projections.audience import revealed_in, visible
from replay.history import History, from_entries

GAME = "0f8fad5b-d9cb-469f-a165-70867728950e"


@dataclass
class Table:
    """A game in memory, and everything that has been written down of it."""

    random: Random
    game: Game = field(default_factory=lambda: Game(GAME))
    entries: list[Entry] = field(default_factory=list)
    clock: int = 0

    def do(self, command: Command, by: str) -> None:
        """One commit."""
        self.clock += 1
        at = f"2026-11-21T08:{self.clock // 60 % 60:02}:{self.clock % 60:02}.{self.clock // 3600:06}Z"
        request = Request(by, f"{self.clock:016x}-{0:016x}", max(at, self.game.state.at))
        draft = self.game.draft(command, request, self.random.randbytes)
        self.game.keep(draft)
        self.entries.extend(draft.entries)

    def says(self, command: Command) -> None:
        """A seat's own command."""
        self.do(command, self.game.state.seats[getattr(command, "seat", 0)].player)

    def move(self) -> None:
        """The next move of the turn: three times in four a pass, else the least bid; any legal card."""
        state = self.game.state
        (seat,) = state.turn
        if seat not in state.still_in:
            return self.do(stand_in(state, seat), SERVER)
        moves = legal_moves(state, seat)
        if isinstance(moves[0], PassBid):
            return self.says(moves[0] if len(moves) == 1 or self.random.random() < 0.75 else moves[1])
        return self.says(self.random.choice(moves))

    def undo(self) -> None:
        """The last move is taken back by consent, where it can be."""
        before = self.game.state.before
        if before is None or self.game.state.proposal is not None:
            return
        self.says(AskUndo(before.seat))
        self.answer(accept=self.random.random() < 0.8)

    def draw(self, *, accept: bool) -> None:
        """A draw is proposed and answered."""
        self.says(ProposeDraw(self.game.state.persons[0]))
        self.answer(accept=accept)

    def answer(self, *, accept: bool) -> None:
        """Everybody answers what is proposed, until it is decided."""
        while (proposal := self.game.state.proposal) is not None and self.game.state.result is None:
            awaited = [seat for seat in self.game.state.persons if seat not in proposal.accepted]
            self.says(AnswerProposal(awaited[0], accept))

    def resign(self, seat: int) -> None:
        """A seat leaves."""
        self.says(Resign(seat))

    def play(self, often: float = 0.0, most: int = 10**9) -> "Table":
        """To the end, or `most` moves; with undo asked for as `often`."""
        while self.game.state.result is None and most:
            most -= 1
            self.move()
            if self.random.random() < often:
                self.undo()
        return self

    @property
    def history(self) -> History:
        """All of it."""
        return from_entries(self.entries, NAMES)

    def seen_by(self, viewer: int | None) -> History:
        """As much as `viewer` may see now."""
        revealed = revealed_in(self.game.state)
        return from_entries(self.entries, NAMES, lambda entry: visible(entry.event, viewer, revealed))


NAMES = {f"p{seat}": name for seat, name in enumerate(["ann", "bob", "cat", "Dörte", "eve", "fox", "gus"])}


def table(
    seed: int, players: int = 4, *, win: int = 11, bots: Iterable[int] = (), reveal: str = "hand"
) -> Table:
    """A game just opened."""
    made = Table(Random(seed))
    served = set(bots)
    people = tuple(
        Player(f"bot:random:{seat}", "bot", "random") if seat in served else Player(f"p{seat}", "human")
        for seat in range(players)
    )
    made.do(OpenGame(GAME, 7, "pitch", {"win": win}, people, reveal=reveal), "p0")
    return made


def played(seed: int, players: int = 4, *, often: float = 0.0, win: int = 7, reveal: str = "hand") -> Table:
    """A whole game."""
    return table(seed, players, win=win, reveal=reveal).play(often)


def until(made: Table, when: Callable[[Table], bool]) -> Table:
    """Play on until `when`."""
    while not when(made):
        made.move()
    return made
