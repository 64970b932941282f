"""Check a rulebook by playing it: games by chance, each of them audited and judged again.

The games draw from their numbers alone, so that the same rulebook gives the same games. Players take moves back, leave,
run out of time and change the rules, if the rulebook lets them.
"""

import json
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, TypeVar

from domain.commands import (
    AnswerProposal,
    AskUndo,
    CallPartner,
    ChangeRules,
    Command,
    Discard,
    OpenGame,
    PassBid,
    Resign,
    Tick,
)
from domain.decide.rule_changes import prospective_rules
from domain.decide.stand_in import stand_in_move
from domain.engine.deadlines import is_clock_due
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.engine.paces import EVENT_TIME
from domain.engine.rule_menu import available_changes
from domain.events import Player, Timing
from domain.rejections import Rejected
from domain.rules.choices import Ending, Phase
from domain.rules.rulebook import Rulebook
from domain.rules.variants.house import HOUSE, RULEBOOK
from domain.state import SERVER, State
from domain.store.aggregate import FOLD_ERRORS, Entry, Game, Request
from replay.audit import GREEN, audit
from replay.history import History, export_bytes, from_entries
from replay.rejudge import rejudge

GAMES = 200
"""How many games check a rulebook."""
MOST_HANDS = 400
"""A game of chance that isn't over after that many hands ends for no table."""
MOST_MOVES = 400
"""A hand that isn't over after that many moves never ends."""
LOWEST_PRIORITY, MOST_CPU_S, MOST_MEMORY = 19, 60, 1024 * 1024 * 1024
PASSES = 3, 4
"""How often a seat passes that can: N times in M."""
START = datetime(2026, 1, 1, tzinfo=UTC)
DAY_S = 24 * 3600
T = TypeVar("T")


@dataclass(frozen=True)
class FaultyGame:
    """The first game that went wrong: its number of players, a sentence, and its export as far as it was played."""

    players: int
    game: int
    says: str
    export: bytes


@dataclass(frozen=True)
class Progress:
    """How many games were played of how many, with how many hands; and the fault that ended the check, if any."""

    games: int
    of: int
    hands: int
    fault: FaultyGame | None = None


def check_by_playing(rulebook: Rulebook, games: int = GAMES) -> Iterator[Progress]:
    """Play `games` games, as many with each number of players; yield the progress after each, and end with a fault."""
    hands, counts = 0, rulebook.rules.seats
    for number in range(games):
        players = counts[number % len(counts)]
        table = _Table(rulebook, players, number)
        says = table.play()
        hands += table.hands
        fault = None if says is None else FaultyGame(players, number, says, table.export)
        yield Progress(number + 1, games, hands, fault)
        if fault is not None:
            return


class _Broken(Exception):
    """The game can't go on."""


@dataclass
class _Table:
    """A game in memory, whose players draw what they do from its number."""

    rulebook: Rulebook
    players: int
    number: int
    entries: list[Entry] = field(default_factory=list)
    clock_s: int = 0
    drawn: int = 0
    hands: int = 0

    def __post_init__(self) -> None:
        mark = self._bytes(16)
        self.game = Game(f"{mark[:4].hex()}-{mark[4:6].hex()}-4000-8000-{mark[6:12].hex()}")

    @property
    def export(self) -> bytes:
        """The log as an export."""
        return export_bytes(self._history) if self.entries else b""

    @property
    def _history(self) -> History:
        return from_entries(self.entries, {f"p{seat}": f"player {seat}" for seat in range(self.players)})

    @property
    def state(self) -> State:
        return self.game.state

    def play(self) -> str | None:
        """Play the game. Return what is wrong with it, or None."""
        try:
            self._open()
            while not self._is_over():
                self._play_hand()
            return self._judge()
        except _Broken as broken:
            return str(broken)
        except Rejected as refused:
            return f"After event {self.game.version} the program offers a move and then refuses it: {refused}"
        except FOLD_ERRORS as error:
            return f"After event {self.game.version} the program can't go on: {type(error).__name__}: {error}"

    def _open(self) -> None:
        people = tuple(Player(f"p{seat}", "human") for seat in range(self.players))
        rules, options = self.rulebook.rules_for(self.players), {RULEBOOK: self.rulebook.address}
        command = OpenGame(self.game.game, 1, HOUSE, options, people, timing=Timing(7, 21), rules=rules)
        self._do(command, "p0")

    def _play_hand(self) -> None:
        """Play to the end of the hand, or of the game."""
        hand, moves = self._hand, 0
        while not self._is_over() and self._hand == hand:
            if not self.state.turn:
                raise _Broken(f"After event {self.game.version} nobody is to move, and the game isn't over.")
            self._aside()
            if not self._is_over() and self.state.turn:
                self._move()
            moves += 1
            if moves > MOST_MOVES:
                raise _Broken(f"Hand {self.hands + 1} isn't over after {MOST_MOVES} moves.")
        self.hands += 1
        if self.hands >= MOST_HANDS:
            if self.state.rules.ending is not Ending.SESSION:
                raise _Broken(f"After {MOST_HANDS} hands nobody has won. The goal may be out of reach.")
            self._leave()

    @property
    def _hand(self) -> tuple[int, int] | None:
        hand = self.state.hand
        return None if hand is None else (hand.number, hand.redeal)

    def _move(self) -> None:
        (seat,) = self.state.turn
        if seat not in self.state.still_in:
            self._do(stand_in_move(self.state, seat), SERVER)
        else:
            self._say(seat, self._choice(seat))

    def _choice(self, seat: int) -> Command:
        """Choose among the legal moves: a pass or the least bid in most cases, else any."""
        options, moves = legal_discards(self.state, seat), legal_moves(self.state, seat)
        if options is not None:
            more = options.minimum + self._pick(options.maximum - options.minimum + 1) - len(options.required)
            return Discard(seat, (*options.required, *self._some(options.optional, more)))
        if self.state.phase in (Phase.CALLING, Phase.WAITING):
            return CallPartner(seat, self._one(self.state.rules.deck))
        if not moves:
            raise _Broken(f"After event {self.game.version} seat {seat} is to move, and has no legal move.")
        if isinstance(moves[0], PassBid):
            return moves[0] if len(moves) == 1 or self._chance(*PASSES) else moves[1]
        return self._one(moves)

    def _aside(self) -> None:
        """Sometimes take a move back, change a rule, run out of time, or leave."""
        what = self._pick(400)
        if what < 8:
            self._undo()
        elif what < 12 and self.state.rules.changes.host and 0 in self.state.still_in:
            with suppress(Rejected):
                self._say(0, ChangeRules(0, self._one(available_changes(prospective_rules(self.state)))))
        elif what == 12 and self.number % 4 == 0:
            self.clock_s += 30 * DAY_S
            self._do(Tick(self._now), SERVER)
        elif what == 13 and self.number % 4 == 1:
            self._leave()

    def _undo(self) -> None:
        before = self.state.undo_point
        if before is None or self.state.proposal is not None or before.seat not in self.state.still_in:
            return
        self._say(before.seat, AskUndo(before.seat))
        for seat in self.state.persons:
            if self._waits_for(seat):
                self._say(seat, AnswerProposal(seat, self._chance(4, 5)))

    def _waits_for(self, seat: int) -> bool:
        """Return whether an open proposal waits for the answer of a seat."""
        proposal = self.state.proposal
        return proposal is not None and seat not in proposal.accepted

    def _is_over(self) -> bool:
        return self.state.result is not None

    def _leave(self) -> None:
        seat = self._one(self.state.persons)
        self._say(seat, Resign(seat))

    def _say(self, seat: int, command: Command) -> None:
        self._do(command, self.state.seats[seat].player)

    def _do(self, command: Command, by: str) -> None:
        """Commit a command a second after the last; if the clock has a duty, commit that instead."""
        self.clock_s += 1
        if is_clock_due(self.state, self._now):
            command, by = Tick(self._now), SERVER
        request = Request(by, f"{self.clock_s:016x}-{0:016x}", max(self._now, self.state.at))
        draft = self.game.draft(command, request, self._bytes)
        self.game.apply_draft(draft)
        self.entries += draft.entries

    def _judge(self) -> str | None:
        """Return what the audit finds in the whole log, or how the rules judge it otherwise today."""
        history = self._history
        report = audit(history, rejudge(history))
        if report.code() == GREEN:
            return None
        found = next((str(each) for each in report.findings), "the audit can't judge it")
        return f"The audit of the game finds a fault: {found}"

    @property
    def _now(self) -> str:
        return (START + timedelta(seconds=self.clock_s)).strftime(EVENT_TIME)

    def _bytes(self, size: int) -> bytes:
        self.drawn += 1
        return sha256(f"{self.rulebook.address} {self.number} {self.drawn}".encode()).digest()[:size]

    def _pick(self, below: int) -> int:
        return int.from_bytes(self._bytes(8)) % below

    def _chance(self, times: int, of: int) -> bool:
        return self._pick(of) < times

    def _one(self, of: Sequence[T]) -> T:
        return of[self._pick(len(of))]

    def _some(self, of: Sequence[T], many: int) -> list[T]:
        left = list(of)
        return [left.pop(self._pick(len(left))) for _ in range(many)]


def main() -> None:
    """Check the canonical rulebook on standard input for a server's worker, and write the progress as lines of JSON.

    The process lets all others go first, and may not take more time and memory than any rulebook needs.
    """
    os.nice(LOWEST_PRIORITY)
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    said: dict[str, Any] = {"games": 0}
    fault: FaultyGame | None = None
    for each in check_by_playing(Rulebook.read(sys.stdin.buffer.read())):
        said, fault = {"games": each.games}, each.fault
        _write(said)
    says, export = (None, None) if fault is None else (fault.says, fault.export.decode())
    _write(said | {"green": fault is None, "says": says, "export": export})


def _write(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
