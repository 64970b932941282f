"""What if: a hand branched from a step, played on in a sandbox that is never appended to any log.

The cards are the true ones, so a hand can be branched once it is revealed. What comes after it - another deal, a bot's
choice - takes its chance from a hash of words that anybody can repeat, and never from the server.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import msgspec

from domain.commands import SeatCommand
from domain.decide.stand_in import stand_in_move
from domain.events import Event, HandScored, HandThrownIn
from domain.events.codec import topic
from domain.rejections import Rejected
from domain.state import SERVER, State
from domain.store.aggregate import Entry, Game, Request
from projections.bots import choose
from projections.moves.json_moves import parse_move
from projections.moves.text_moves import MalformedMove, parse_text_move
from projections.views.audience import Viewer
from projections.views.seat import View, ViewFold, view_json
from replay.history import History
from replay.queries.answer import Answer
from replay.queries.compare import root_of
from replay.text import terminal
from replay.text.narrate import narrate

Move = str | Mapping[str, Any]
MOVES_AT_MOST = 300
"""Moves one branch is given, at most."""
STEPS_AT_MOST = 500
"""Moves that are made in one branch, the bots' and those of seats that left included."""
HANDS_AT_MOST = 20
MARK = "trickbook sandbox, of no server"
"""What every seed, salt and choice of a sandbox is the hash of, with the game, the step and a count."""


class Unbranchable(LookupError):
    """There is no hand to branch at that step, or none that is revealed; the sentence says which."""


class MoveRefused(Exception):
    """The rules refuse the move number `number`, counted from 1; `you` is what its seat may do then."""

    def __init__(self, number: int, seat: int, refused: Rejected, you: Mapping[str, Any]) -> None:
        super().__init__(f"move {number}, of seat {seat}: {refused}")
        self.number, self.refused, self.you = number, refused, you


@dataclass(frozen=True)
class BranchRequest:
    """From which step a hand is branched, and what is played: `moves` first, then by `bots` where a strategy is named.

    It stops with the hand, or after so many `hands`; `seat` is whose view is shown in the end, None everybody's.
    """

    at: int
    moves: Sequence[Move] = ()
    bots: str | None = None
    hands: int = 1
    seat: Viewer = None


def branch(history: History, wanted: BranchRequest) -> Answer:
    """The facts of the branch, the views and the score it ends with.

    Unbranchable, MoveRefused, or Malformed for what is no move of any game.
    """
    sandbox = _Sandbox(history, wanted)
    for number, move in enumerate(wanted.moves, 1):
        sandbox.stands_in()
        if sandbox.over:
            break
        sandbox.plays(number, move)
    sandbox.plays_on()
    return _answer(history, sandbox)


def game_at(history: History, at: int) -> Game:
    """The game after event `at`, in memory; Unbranchable where a card of it is not shown, or no hand is in play."""
    if not 1 <= at <= len(history.lines):
        raise Unbranchable(f"there are events 1 to {len(history.lines)}, no event {at}")
    rows, game = list[tuple[int, str, bytes]](), Game(history.header.game)
    for line in history.lines[:at]:
        if line.event is None or line.raw is None:
            raise Unbranchable(f"event {line.version} is withheld: a hand can be branched once it is revealed")
        rows.append((line.version, topic(line.event), line.prev + line.raw))
    if _is_inside_commit(history, at):
        raise Unbranchable(f"event {at} stands inside a commit: branch before or after what one move brought about")
    game.read(rows)
    if game.state.hand is None or game.state.hand.over or game.state.result is not None:
        raise Unbranchable(f"no hand is in play after event {at}")
    return game


def _is_inside_commit(history: History, at: int) -> bool:
    """Whether the event after `at` is of its commit; one that is withheld never begins one."""
    if at == len(history.lines):
        return False
    here, after = history.lines[at - 1].event, history.lines[at].event
    return here is None or after is None or (here.at, here.command) == (after.at, after.command)


class _Sandbox:
    """A game in memory that is played on; `played` are the entries since the branch."""

    def __init__(self, history: History, wanted: BranchRequest) -> None:
        self.wanted, self.game = wanted, game_at(history, wanted.at)
        self.before = [line.event for line in history.lines[: wanted.at]]
        self.played, self.seen = list[Entry](), dict[Viewer, ViewFold]()
        self.hashed = self.steps = self.hands = 0

    @property
    def state(self) -> State:
        """The game as it stands in the sandbox."""
        return self.game.state

    @property
    def over(self) -> bool:
        """Whether nothing more is to be played here."""
        return self.hands >= self.wanted.hands or not self.state.turn or self.steps >= STEPS_AT_MOST

    @property
    def stopped(self) -> str:
        """Why it goes no further."""
        if self.state.result is not None and self.hands <= self.wanted.hands:
            return "the game is over"
        if self.hands >= self.wanted.hands:
            return "the hand is over" if self.hands == 1 else f"{self.hands} hands are over"
        turn = ", ".join(map(str, self.state.turn))
        return f"seat {turn} is to move" if turn else "the table waits for cuts"

    def entropy(self, size: int) -> bytes:
        """Bytes for a seed or a salt, the same every time."""
        self.hashed += 1
        return sha256(f"{MARK} {self.game.id} {self.wanted.at} {self.hashed}".encode()).digest()[:size]

    def pick(self, below: int) -> int:
        """A bot's chance."""
        return int.from_bytes(self.entropy(32)) % below

    def plays(self, number: int, move: Move) -> None:
        """A move that was given: of the seat it names, else of the one to move."""
        seat, command = _parse_move(move, self.state)
        try:
            self.makes(command)
        except Rejected as refused:
            raise MoveRefused(number, seat, refused, self.view(seat)["you"]) from None

    def plays_on(self) -> None:
        """The bots, where there are any, and the table for seats that left."""
        self.stands_in()
        while self.wanted.bots is not None and not self.over:
            seat = self.state.turn[0]
            self.makes(parse_move(choose(self.wanted.bots, self.view(seat), self.pick), seat))
            self.stands_in()

    def stands_in(self) -> None:
        """The table plays for seats that left."""
        while not self.over and (seat := self.state.turn[0]) not in self.state.still_in:
            self.makes(stand_in_move(self.state, seat), SERVER)

    def makes(self, command: SeatCommand, by: str | None = None) -> None:
        """One commit, a second after the one before; what follows the last hand that is wanted is left out."""
        time = datetime.fromisoformat(self.state.at) + timedelta(seconds=1)
        author, at = by or self.state.seats[command.seat].player, time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        draft = self.game.draft(command, Request(author, f"sandbox-{self.steps + 1}", at), self.entropy)
        self.game.keep(draft)
        self.steps += 1
        for entry in draft.entries:
            if self.hands >= self.wanted.hands and entry.event.fact == "CeremonyOpened":
                return
            self.hands += isinstance(entry.event.data, HandScored | HandThrownIn)
            self.played.append(entry)
            for seen in self.seen.values():
                seen.add(entry.event)

    def view(self, viewer: Viewer) -> View:
        """The view of a seat, or of everybody; its root is null: no log has it."""
        if viewer not in self.seen:
            self.seen[viewer] = ViewFold(viewer)
            for event in [*self.before, *(entry.event for entry in self.played)]:
                self.seen[viewer].add(event)
        return view_json(self.seen[viewer], "") | {"root": None, "sandbox": True}


def _parse_move(move: Move, state: State) -> tuple[int, SeatCommand]:
    """The seat and the command that a move means: "ad", "2: ad", {"type": "play", "card": "AD"}, with "seat" or not."""
    if isinstance(move, str):
        named, _, text = move.rpartition(":") if _SEAT_PREFIX.match(move) else ("", "", move)
        seat = int(named) if named else state.turn[0]
        said: Mapping[str, Any] = parse_text_move(text, state.rules)
    else:
        said = {name: value for name, value in move.items() if name != "seat"}
        seat = move.get("seat", state.turn[0])
    if type(seat) is not int or not 0 <= seat < len(state.seats):
        raise MalformedMove(f"this table has seats 0 to {len(state.seats) - 1}")
    return seat, parse_move(said, seat)


_SEAT_PREFIX = re.compile(r"[0-9]{1,2}:", re.ASCII)


def _answer(history: History, sandbox: _Sandbox) -> Answer:
    wanted, state = sandbox.wanted, sandbox.state
    viewers: list[Viewer] = [None, *range(len(state.seats))] if wanted.seat is None else [wanted.seat]
    views = {viewer: sandbox.view(viewer) for viewer in viewers}
    who = {seat: history.header.players.get(each.player, each.player) for seat, each in enumerate(state.seats)}
    body: dict[str, Any] = {
        "sandbox": MARK,
        "at": wanted.at,
        "root": root_of(history, wanted.at),
        "facts": [_fact(entry.event, who) for entry in sandbox.played],
        "score": _score(entry.event for entry in sandbox.played),
        "as_played": _score(event for event in history.events if event.version > wanted.at),
        "stopped": sandbox.stopped,
        "views": [{"seat": viewer, "view": shown} for viewer, shown in views.items()],
    }
    said = [f"a sandbox, branched from event {wanted.at}; nothing of it is in any log"]
    said += [f"{fact['version']}: {fact['says']}" for fact in body["facts"]]
    said += [f"{name}: {_score_text(body[key], who)}" for key, name in SCORES.items() if body[key] is not None]
    below = (terminal.view_table(views[wanted.seat], history.header.players),)
    return Answer(history, "branch", body, notes=(*said, sandbox.stopped), below=below)


SCORES = {"score": "the hand in the sandbox", "as_played": "the hand as it was played"}


def _fact(event: Event[Any], who: Mapping[int, str]) -> dict[str, Any]:
    data = msgspec.to_builtins(event.data)
    return {
        "version": event.version,
        "fact": event.fact,
        "by": event.by,
        "data": data,
        "says": narrate(event.data, who),
    }


def _score(events: Iterable[Event[Any]]) -> dict[str, Any] | None:
    """The score of the first hand that is scored."""
    scored = next((event.data for event in events if isinstance(event.data, HandScored)), None)
    if scored is None:
        return None
    return {"hand": scored.hand, "made": scored.made, "changes": list(scored.changes), "scores": list(scored.scores)}


def _score_text(score: Mapping[str, Any], who: Mapping[int, str]) -> str:
    changes, scores = score["changes"], score["scores"]
    return ", ".join(f"{who[seat]} {change:+} to {scores[seat]}" for seat, change in enumerate(changes))
