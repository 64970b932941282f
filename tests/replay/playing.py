"""Whole games played in memory. Each is seeded by a number: the same number gives the same bytes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from domain.commands import (
    AnswerProposal,
    AskUndo,
    CallDelay,
    CallPartner,
    ChangeRules,
    Command,
    CutDeck,
    Discard,
    OpenGame,
    PassBid,
    ProposeDraw,
    RecordBeacon,
    Resign,
    Tick,
    VoteDelay,
)
from domain.decide.rule_changes import prospective_rules
from domain.decide.stand_in import stand_in_move
from domain.engine.cuts import ceremony_awaiting_cuts, missing_cutters
from domain.engine.deadlines import is_clock_due
from domain.engine.legal_moves import can_call_partner, legal_discards, legal_moves
from domain.engine.rule_menu import available_changes
from domain.events import Player, Timing
from domain.protocols import fairdeal
from domain.protocols.beacon import LEAD_S
from domain.rules.choices import Cuts, Phase
from domain.state import SERVER, Ceremony, State
from domain.store.aggregate import ALWAYS_OPEN, Draft, Entry, Game, Hours, Request
from projections.views.audience import ceremonies_revealed_in, visible
from replay.history import History, from_entries
from tests.beacons.rounds import SIGNATURES, source_of
from tests.step_limit import check_steps

GAME = "0f8fad5b-d9cb-469f-a165-70867728950e"
START = datetime(2026, 11, 21, tzinfo=UTC)
RECORDED = {source_of(number): signature for number, signature in SIGNATURES.items()}
"""The recorded rounds of the beacon, by source."""


@dataclass
class Table:
    """A game in memory, with all its log entries."""

    random: Random
    game: Game = field(default_factory=lambda: Game(GAME))
    entries: list[Entry] = field(default_factory=list)
    clock: int = 0
    held_ms: int = 0
    commands: int = 0
    sealed: dict[int, bytes] = field(default_factory=dict)
    hours: Hours = ALWAYS_OPEN
    start: datetime = START

    @property
    def now(self) -> str:
        """Return the time: each commit takes a second."""
        return f"{self.start + timedelta(seconds=self.clock):%Y-%m-%dT%H:%M:%S.000000Z}"

    def do(self, command: Command, by: str) -> None:
        """Commit a command. If the clock has a duty, commit that instead, as the store does."""
        check_steps(self.commands)
        self.commands += 1
        self.clock += 1
        self.take(self.draft(command, by))

    def draft(self, command: Command, by: str) -> Draft:
        """Return the commit of a command now, or of the clock's duty if it has one."""
        if is_clock_due(self.game.state, self.now):
            command, by = Tick(self.now), SERVER
        at = max(self.now, self.game.state.at)
        request = Request(by, f"{self.clock:016x}-{0:016x}", at, self.held_ms)
        return self.game.draft(command, request, self.random.randbytes, self.hours)

    def take(self, draft: Draft) -> None:
        """Take a commit into the log."""
        self.game.apply_draft(draft)
        self.entries.extend(draft.entries)

    def fork(self) -> "Table":
        """Return a table that plays on from here by itself."""
        game = Game(self.game.game, self.game.state, self.game.frontier)
        return replace(self, random=Random(self.clock), game=game, entries=[*self.entries], sealed=dict(self.sealed))

    def says(self, command: Command) -> None:
        """Commit a command of the seat itself."""
        self.do(command, self.game.state.seats[getattr(command, "seat", 0)].player)

    def move(self) -> None:
        """Make the next move: in three of four cases a pass, otherwise the least bid; any legal card, suit, discard."""
        state = self.game.state
        if (deal := ceremony_awaiting_cuts(state, state.at)) is not None:
            return self.cut_or_wait(deal)
        (seat,) = state.turn
        if seat not in state.still_in:
            return self.do(stand_in_move(state, seat), SERVER)
        return self.says(self.choice(seat))

    def cut_or_wait(self, deal: Ceremony) -> None:
        """Cut for the deal as the next seat, then bring its beacon; or wait until the window closes."""
        state = self.game.state
        if not missing_cutters(state, deal):
            return self.bring_or_wait(deal)
        if self.random.random() < 0.15:
            self.clock += WINDOW_S
            return self.do(Tick(self.now), SERVER)
        seat = self.random.choice(missing_cutters(state, deal))
        promised = dict(deal.seals).get(seat)
        cut = self.random.randbytes(32) if promised is None else self.sealed[seat]
        seal = None
        if state.opened is not None and state.opened.fairness.cuts == Cuts.SEALED and self.random.random() < 0.9:
            self.sealed[seat] = self.random.randbytes(32)
            seal = fairdeal.seal(self.game.game, str(seat), self.sealed[seat]).hex()
        return self.says(CutDeck(seat, deal.n, deal.commit, cut.hex(), seal))

    def bring_or_wait(self, deal: Ceremony) -> None:
        """Bring the deal's beacon if its round is recorded, or wait until the window closes."""
        named = deal.beacon or ""
        if named not in RECORDED:
            self.clock += WINDOW_S
            return self.do(Tick(self.now), SERVER)
        self.clock += LEAD_S + 1
        seat = self.random.choice(self.game.state.persons)
        return self.says(RecordBeacon(seat, deal.n, named, RECORDED[named]))

    def choice(self, seat: int) -> Command:
        """Choose a move for a seat in its turn."""
        state, moves = self.game.state, legal_moves(self.game.state, seat)
        if (options := legal_discards(state, seat)) is not None:
            many = self.random.randint(options.minimum, options.maximum) - len(options.required)
            return Discard(seat, (*options.required, *self.random.sample(options.optional, many)))
        if state.phase in (Phase.CALLING, Phase.WAITING):
            return CallPartner(seat, self.random.choice(state.rules.deck))
        if isinstance(moves[0], PassBid):
            return moves[0] if len(moves) == 1 or self.random.random() < 0.75 else moves[1]
        return self.random.choice(moves)

    def call(self) -> None:
        """Call a partner out of turn as the pitcher, if allowed."""
        state = self.game.state
        seat = state.hand.pitcher if state.hand is not None and state.turn else None
        if seat in state.still_in and can_call_partner(state, seat):
            self.says(CallPartner(seat, self.random.choice(state.rules.deck)))

    def delay(self) -> None:
        """Let a seat wait too long, accuse it, and let the others judge it."""
        self.accuse()
        self.judge()

    def judge(self) -> None:
        """Let the others judge the open delay call, if there is one."""
        while (call := self.game.state.delay) is not None:
            others = [seat for seat in self.game.state.still_in if seat != call.accused]
            awaited = [seat for seat in others if seat not in dict(call.votes)]
            self.says(VoteDelay(awaited[0], self.random.random() < 0.8))

    def accuse(self) -> None:
        """Let a seat wait too long and accuse it, if a delay call is allowed."""
        state, hand = self.game.state, self.game.state.hand
        if state.phase is not Phase.PLAY or state.rules.delay is None or state.delay or hand is None:
            return
        (accused,) = state.turn
        others = [seat for seat in state.still_in if seat != accused]
        if state.delay_turn == state.turn_version or not others:
            return
        self.clock += 20
        self.says(CallDelay(self.random.choice(others), accused, at=self.now))

    def change(self) -> None:
        """Change a rule as the host, if allowed."""
        state = self.game.state
        seat = state.seat_of(state.host)
        if state.rules.changes.host and seat in state.still_in and state.turn:
            self.says(ChangeRules(seat, self.random.choice(available_changes(prospective_rules(state)))))

    def undo(self) -> None:
        """Take back the last move, by consent if there is anybody to ask, if possible."""
        before = self.game.state.undo_point
        if before is None or self.game.state.proposal is not None:
            return
        self.says(AskUndo(before.seat))
        self.answer(accept=self.random.random() < 0.8)

    def draw(self, *, accept: bool) -> None:
        """Propose a draw and answer it."""
        self.says(ProposeDraw(self.game.state.persons[0]))
        self.answer(accept=accept)

    def answer(self, *, accept: bool) -> None:
        """Answer a proposal for each seat until it is decided."""
        while (proposal := self.game.state.proposal) is not None and self.game.state.result is None:
            awaited = [seat for seat in self.game.state.persons if seat not in proposal.accepted]
            self.says(AnswerProposal(awaited[0], accept))

    def resign(self, seat: int) -> None:
        """Resign a seat."""
        self.says(Resign(seat))

    def play(self, often: float = 0.0, most: int = 10**9, also: float = 0.0) -> "Table":
        """Play to the end or `most` moves, with undos at the rate `often` and other asides at the rate `also`."""
        while not self.over and most:
            most -= 1
            self.move()
            if self.random.random() < often:
                self.undo()
            if also:
                self.asides(also)
        return self

    def asides(self, also: float) -> None:
        """Make each kind of move out of turn at the rate `also`."""
        for aside in (self.call, self.delay, self.change):
            if not self.over and self.random.random() < also:
                aside()

    def hands(self, many: int, also: float = 0.0, often: float = 0.0) -> "Table":
        """Play until `many` hands are scored, or to the end."""
        while not self.over and self.scored < many:
            self.play(often, 1, also)
        return self

    @property
    def state(self) -> State:
        """Return the state now."""
        return self.game.state

    @property
    def commits(self) -> list[int]:
        """Return 0 and the version of the last event of each commit."""
        pairs = pairwise([*(entry.event.command for entry in self.entries), None])
        return [0, *(version for version, (this, following) in enumerate(pairs, 1) if this != following)]

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.game.state.result is not None

    @property
    def scored(self) -> int:
        """Return the number of scored hands."""
        return sum(entry.event.fact == "HandScored" for entry in self.entries)

    def stop(self) -> "Table":
        """Let the clock do its duty."""
        self.do(Tick(self.now), SERVER)
        return self

    def waits(self, days: float) -> "Table":
        """Wait for `days` days, then let the clock do its duty."""
        self.clock += round(days * 24 * 3600)
        return self.stop()

    @property
    def history(self) -> History:
        """Return the whole history."""
        return from_entries(self.entries, NAMES)

    def seen_by(self, viewer: int | None) -> History:
        """Return the history as `viewer` may see it now."""
        revealed = ceremonies_revealed_in(self.game.state)
        return from_entries(self.entries, NAMES, [visible(entry.event, viewer, revealed) for entry in self.entries])


TIMING = Timing()
WINDOW_S = 20
SETTINGS = ("timing", "fairness", "reveal", "limits", "undo", "autopilot", "watch", "guests")
NAMES = {f"p{seat}": name for seat, name in enumerate(["ann", "bob", "cat", "Dörte", "eve", "fox", "gus"])}


def table(
    seed: int,
    players: int = 4,
    *,
    variant: str = "pitch",
    bots: Iterable[int] = (),
    game: str = GAME,
    board: int = 7,
    hours: Hours = ALWAYS_OPEN,
    start: datetime = START,
    **options: Any,
) -> Table:
    """Open a game as p0, or as the `opener` among the options, which may also hold SETTINGS."""
    made = Table(Random(seed), Game(game), hours=hours, start=start)
    settings = {name: options.pop(name) for name in SETTINGS if name in options}
    opener = options.pop("opener", "p0")
    served = set(bots)
    people = tuple(
        Player(f"bot:random:{seat}", "bot", "random") if seat in served else Player(f"p{seat}", "human")
        for seat in range(players)
    )
    made.do(OpenGame(game, board, variant, options, people, **settings), opener)
    return made


def played(seed: int, players: int = 4, *, often: float = 0.0, win: int = 7, reveal: str = "hand") -> Table:
    """Play a whole game of Pitch."""
    return table(seed, players, win=win, reveal=reveal).play(often)


@cache
def long(seed: int) -> History:
    """Return a whole game of Pitch of four, played once and shared by tests."""
    return played(seed, 4).history


def until(made: Table, when: Callable[[Table], bool]) -> Table:
    """Play until `when` is true."""
    while not when(made):
        made.move()
    return made
