"""Whole games in memory: every command is one commit, exactly as in the store, with a seed instead of random bytes."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import pytest

from domain.commands import CallPartner, Command, Discard, OpenGame, SeatCommand
from domain.decide.commits import fact_audience, fact_author
from domain.decide.stand_in import stand_in_move
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.events import Event, Fact, Fairness, HandScored, Player
from domain.events.codec import topic
from domain.evolve import evolve
from domain.rejections import Rejected
from domain.rules.choices import Phase
from domain.state import SERVER, State
from domain.store.aggregate import Entropy, Entry, Game, Request
from tests.given import AT, GAME
from tests.step_limit import check_steps

NO_CUTS = Fairness()


def entropy(seed: int) -> Entropy:
    """Return a source of bytes that look random and are the same in every run."""
    drawn = iter(range(10**9))

    def draw(size: int) -> bytes:
        return sha256(f"{seed} {next(drawn)}".encode()).digest()[:size]

    return draw


class Table:
    """A game and its commits, played by p0, p1 ... and by bots at the seats in `bots`."""

    def __init__(
        self,
        players: int = 4,
        *,
        variant: str = "pitch",
        seed: int = 0,
        bots: Iterable[int] = (),
        reveal: str = "hand",
        fairness: Fairness = NO_CUTS,
        at: str = AT,
        **options: Any,
    ) -> None:
        self.now = at
        self.game, self.entropy, self.commits = Game(GAME), entropy(seed), list[tuple[Entry, ...]]()
        bot = tuple(bots)
        people = tuple(
            Player(f"bot:random:{seat}", "bot", "random") if seat in bot else Player(f"p{seat}", "human")
            for seat in range(players)
        )
        self.send(OpenGame(GAME, 1, variant, options, people, fairness=fairness, reveal=reveal), "p0")

    @property
    def state(self) -> State:
        """Return the current state."""
        return self.game.state

    @property
    def events(self) -> list[Event[Any]]:
        """Return all events."""
        return [entry.event for commit in self.commits for entry in commit]

    def send(self, command: Command, by: str) -> tuple[Entry, ...]:
        """Make one commit: the command and the table's duties after it."""
        check_steps(len(self.commits))
        request = Request(by, f"c{len(self.commits) + 1}", self.now)
        draft = self.game.draft(command, request, self.entropy)
        self.game.apply_draft(draft)
        self.commits.append(draft.entries)
        return draft.entries

    def says(self, command: SeatCommand) -> tuple[Entry, ...]:
        """Send a command of the player in its seat."""
        return self.send(command, self.state.seats[command.seat].player)

    def refuses(self, command: Command, offence: type[Rejected], by: str | None = None) -> str:
        """Assert that a command is refused with this class and writes nothing, and return what the refusal says.

        The command comes from the player in its seat unless `by` names another one.
        """
        before = (self.state, self.game.root)
        with pytest.raises(Rejected) as refused:
            self.send(command, by or self.state.seats[getattr(command, "seat", 0)].player)
        assert type(refused.value) is offence, repr(refused.value)
        assert (self.state, self.game.root) == before
        return str(refused.value)

    def choices(self) -> tuple[Command, ...]:
        """Return the choices of the seat whose turn it is; the table's own choice for a seat that left."""
        (seat,) = self.state.turn
        if self.state.seats[seat].state != "in":
            return (stand_in_move(self.state, seat),)
        return legal_moves(self.state, seat) or (self._unlisted(seat),)

    def _unlisted(self, seat: int) -> Command:
        """Return an allowed discard or called card, which legal moves don't list."""
        may = legal_discards(self.state, seat)
        if may is None:
            return CallPartner(seat, self.state.rules.deck[self.entropy(1)[0] % len(self.state.rules.deck)])
        others = [card for card in may.optional if card not in may.required]
        return Discard(seat, (*may.required, *others[: may.minimum - len(may.required)]))

    def moves(self, choice: int) -> tuple[Entry, ...]:
        """Let the seat whose turn it is make its move number `choice`, modulo the number of moves."""
        (seat,) = self.state.turn
        choices, sitting = self.choices(), self.state.seats[seat]
        return self.send(choices[choice % len(choices)], sitting.player if sitting.state == "in" else SERVER)

    def hears(self, asked: Iterable[Command]) -> None:
        """Send a command that may be refused; a refusal must give a reason and leave the game unchanged."""
        for command in asked:
            seat = getattr(command, "seat", 0)
            if seat >= len(self.state.seats):
                continue
            before, root, version = self.state, self.game.root, self.game.version
            try:
                self.send(command, self.state.seats[seat].player)
            except Rejected as refused:
                assert str(refused)
                assert (self.state, self.game.root, self.game.version) == (before, root, version)
            else:
                assert self.game.version > version

    def read_again(self) -> Game:
        """Return the game read from its log."""
        again = Game(GAME)
        again.read((each.event.version, topic(each.event), each.stored) for commit in self.commits for each in commit)
        return again

    def plays_out(self, *, hands: int = 0) -> "Table":
        """Play to the end of the game or of that many hands: the eldest bids two, and the others pass."""
        while self.state.result is None and not 0 < hands <= len(self.hands_scored):
            low = self.state.hand is not None and self.state.hand.auction_turns == 0
            self.moves(int(low) if self.state.phase is Phase.AUCTION else self.entropy(1)[0])
        return self

    @property
    def hands_scored(self) -> list[HandScored]:
        """Return the hands scored so far."""
        return [event.data for event in self.events if isinstance(event.data, HandScored)]


def folded(state: State, facts: Iterable[Fact]) -> State:
    """Return the state after `facts` of one command, without a log."""
    command = f"c{state.version + 1}"
    for fact in facts:
        name = type(fact).__name__
        by = fact_author(fact, state, SERVER)
        version = state.version + 1
        state = evolve(state, Event(AT, by, command, fact, name, GAME, "", fact_audience(fact, state), 1, version))
    return state
