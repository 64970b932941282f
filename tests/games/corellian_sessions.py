"""Whole sessions of Corellian Pitch in memory, random but the same in every run."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, TypeVar

from domain.cards import DECK_54
from domain.commands import CallDelay, CallPartner, ChangeRules, Command, Discard, OpenGame, PassBid, VoteDelay
from domain.decide.rule_changes import prospective_rules
from domain.decide.stand_in import stand_in_move
from domain.decide.table_talk import can_vote
from domain.engine.legal_moves import can_call_partner, legal_discards, legal_moves
from domain.engine.rule_menu import available_changes
from domain.rules.choices import Phase
from domain.state import SERVER
from domain.store.aggregate import Entry, Request
from tests.games.tables import Table
from tests.step_limit import check_steps

T = TypeVar("T")


class Dice:
    """Random numbers from a seed that are the same in every version of Python."""

    def __init__(self, seed: int) -> None:
        self.seed, self.thrown = seed, 0

    def randrange(self, many: int) -> int:
        """Return a number in 0..many-1."""
        self.thrown += 1
        return int.from_bytes(sha256(f"dice {self.seed} {self.thrown}".encode()).digest()[:8], "big") % many

    def random(self) -> float:
        """Return a number from 0, below 1."""
        return self.randrange(1000) / 1000

    def randint(self, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`."""
        return least + self.randrange(most - least + 1)

    def choice(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.randrange(len(values))]

    def sample(self, values: Sequence[T], many: int) -> list[T]:
        """Return `many` of the values, each once."""
        left = list(values)
        return [left.pop(self.randrange(len(left))) for _ in range(many)]


class Session(Table):
    """A session of p0 to p3 with p0 as the host; ten seconds pass with every command.

    `said` holds the commands so far, except the opening.
    """

    def __init__(self, seed: int, **options: Any) -> None:
        self.seconds, self.random, self.said = 0, Dice(seed), list[Any]()
        super().__init__(variant="corellian", seed=seed, **options)

    def send(self, command: Command, by: str) -> tuple[Entry, ...]:
        """Make one commit, ten seconds after the one before."""
        self.seconds += 10
        return self.at(self.time, command, by)

    def at(self, time: str, command: Command, by: str = SERVER) -> tuple[Entry, ...]:
        """Make one commit at this time."""
        check_steps(len(self.commits))
        draft = self.game.draft(command, Request(by, f"c{len(self.commits) + 1}", time), self.entropy)
        self.game.apply_draft(draft)
        self.commits.append(draft.entries)
        self.said += [] if isinstance(command, OpenGame) else [command]
        return draft.entries

    @property
    def time(self) -> str:
        """Return the time of the last command."""
        hours, minutes = divmod(self.seconds // 60, 60)
        return f"2026-11-{21 + hours // 24:02}T{hours % 24:02}:{minutes:02}:{self.seconds % 60:02}.000000Z"

    def turns(self, many: int = 1) -> "Session":
        """Play that many turns, or fewer if the session ends."""
        for _ in range(many):
            if self.state.result is None:
                seat = self.state.turn[0]
                left = self.state.seats[seat].state != "in"
                self.send(self.choice(seat), SERVER if left else self.state.seats[seat].player)
        return self

    def to(self, phase: Phase) -> "Session":
        """Play until the table is in that phase."""
        while self.state.phase is not phase and self.state.result is None:
            self.turns()
        return self

    def plays_out(self, *, hands: int = 0, most: int = 4000) -> "Session":
        """Play to the end of the session, or of that many hands."""
        while self.state.result is None and not 0 < hands <= len(self.hands_scored) and len(self.commits) < most:
            self.turns()
        return self

    def choice(self, seat: int) -> Command:
        """Return a seat's move: a pass more often than a bid, otherwise any legal move."""
        state = self.state
        if state.seats[seat].state != "in":
            return stand_in_move(state, seat)
        if moves := legal_moves(state, seat):
            passes = isinstance(moves[0], PassBid) and self.random.random() < 0.6
            return moves[0] if passes else self.random.choice(moves)
        if (may := legal_discards(state, seat)) is not None:
            others = [card for card in may.optional if card not in may.required]
            many = self.random.randint(may.minimum, may.maximum) - len(may.required)
            return Discard(seat, (*may.required, *self.random.sample(others, many)))
        return CallPartner(seat, self.random.choice(DECK_54))

    def lively(self, many: int) -> "Session":
        """Play that many turns, with calls out of turn, delay of game, votes and changes by the host between them."""
        for _ in range(many):
            if self.state.result is None and self.state.turn:
                self._aside()
                self.turns()
        return self

    def _aside(self) -> None:
        caller = self.state.hand.pitcher if self.state.hand else None
        if caller is not None and can_call_partner(self.state, caller) and self.random.random() < 0.5:
            self.says(CallPartner(caller, self.random.choice(DECK_54)))
        elif self.state.delay is not None and self.random.random() < 0.3:
            voters = [seat for seat in range(4) if can_vote(self.state, seat)]
            self.says(VoteDelay(voters[0], guilty=self.random.random() < 0.7))
        elif (menu := self._hosts_menu()) and self.random.random() < 0.1:
            self.says(ChangeRules(0, self.random.choice(menu)))
        elif self._late() and self.random.random() < 0.2:
            accused = self.state.turn[0]
            self.seconds += 10
            self.says(CallDelay((accused + 1) % 4, accused))

    def _hosts_menu(self) -> tuple[str, ...]:
        return available_changes(prospective_rules(self.state)) if self.state.rules.changes.host else ()

    def _late(self) -> bool:
        hand = self.state.hand
        free = self.state.delay is None and hand is not None and self.state.delay_turn != self.state.turn_version
        return free and self.state.phase is Phase.PLAY
