"""Branches: a hand played on from one of its events in a sandbox that is never added to a log.

The cards are the real ones, so only a revealed hand can be branched. Later chances (another deal, a bot's choice) come
from a hash that anybody can recompute, never from the server."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any, TypedDict

import msgspec

from domain.commands import SeatCommand
from domain.decide.stand_in import stand_in_move
from domain.engine.paces import EVENT_TIME
from domain.events import Event, HandScored, HandThrownIn
from domain.events.codec import topic
from domain.json_fields import says
from domain.rejections import Rejected
from domain.rules.model import Rules
from domain.state import SERVER, State
from domain.store.aggregate import Entry, Game, Request
from projections.bots import choose
from projections.moves.json_moves import parse_move
from projections.moves.text_moves import MalformedMove, parse_text_move
from projections.views.audience import Viewer
from projections.views.seat import OwnPart, ViewFold, ViewParts, view_json
from replay.history import History
from replay.queries.answer import Answer, QuestionAnswer, findings_json, question_json
from replay.queries.compare import recompute_root
from replay.text import terminal
from replay.text.narrate import narrate


class Unbranchable(LookupError):
    """There's no hand to branch after that event, or it isn't revealed; the message says which."""


def game_at(history: History, at: int) -> Game:
    """Return the game after event `at`, in memory. Raise Unbranchable if events are withheld or no hand is in play."""
    if not 1 <= at <= len(history.lines):
        raise Unbranchable(f"there are events 1 to {len(history.lines)}, no event {at}{_nearest(history, at)}")
    rows, game = list[tuple[int, str, bytes]](), Game(history.header.game)
    for line in history.lines[:at]:
        if line.event is None or line.raw is None:
            hidden = f"event {line.version} is withheld: a hand can be branched once it is revealed"
            raise Unbranchable(f"{hidden}{_nearest(history, at)}")
        rows.append((line.version, topic(line.event), line.prev + line.raw))
    if _is_inside_commit(history, at):
        inside = f"event {at} is inside a commit: branch before or after the events of one move"
        raise Unbranchable(f"{inside}{_nearest(history, at)}")
    game.read(rows)
    if not _is_in_play(game.state):
        raise Unbranchable(f"no hand is in play after event {at}{_nearest(history, at)}")
    return game


def _nearest(history: History, at: int) -> str:
    """Return which event is the next one after `at` that a hand can be branched from, otherwise the last one before."""
    good = list(_good_steps(history))
    later = next((each for each in good if each > at), None)
    if later is not None:
        return f"; the next good step is event {later}"
    return f"; the last good step is event {good[-1]}" if good else "; no hand of this game can be branched yet"


def _good_steps(history: History) -> Iterator[int]:
    """Yield each event that a hand can be branched from: the last of a commit, while the hand is in play."""
    game = Game(history.header.game)
    for line in history.lines:
        if line.event is None or line.raw is None:
            return
        game.read([(line.version, topic(line.event), line.prev + line.raw)])
        if _is_in_play(game.state) and not _is_inside_commit(history, line.version):
            yield line.version


def _is_in_play(state: State) -> bool:
    return state.hand is not None and not state.hand.over and state.result is None


def _is_inside_commit(history: History, at: int) -> bool:
    """Return whether the event after `at` is in the same commit; a withheld event never begins a commit."""
    if at == len(history.lines):
        return False
    event, after = history.lines[at - 1].event, history.lines[at].event
    return event is None or after is None or (event.at, event.command) == (after.at, after.command)


Move = str | Mapping[str, Any]
MAX_MOVES = 300
"""The most moves that a request may contain."""
MAX_STEPS = 500
"""The most moves in one branch, including those of bots and of seats that left."""
MAX_HANDS = 20
MARK = "trickbook sandbox, of no server"
"""Each seed, salt and choice of a sandbox is the hash of this text, the game, the event and a count."""


class SandboxView(ViewParts, OwnPart):
    """A view of a branch: it's of no game, so it has no root."""

    root: None
    sandbox: bool


class BranchFact(TypedDict):
    """A fact of a branch."""

    version: int
    fact: str
    by: str
    data: dict[str, Any]
    says: str


class BranchScore(TypedDict):
    """A hand's score."""

    hand: int
    made: bool | None
    changes: list[int]
    scores: list[int]


class BranchView(TypedDict):
    """A view of a branch."""

    seat: Annotated[int | None, says("null for a spectator.")]
    view: SandboxView


class Branch(QuestionAnswer):
    """A hand played on in a sandbox."""

    sandbox: str
    at: int
    root: str | None
    facts: list[BranchFact]
    score: BranchScore | None
    as_played: BranchScore | None
    stopped: Annotated[str, says("Why the branch ended.")]
    views: list[BranchView]


class MoveRefused(Exception):
    """The rules refuse move `number` (from 1); `you` holds the seat's legal moves at that point."""

    def __init__(self, number: int, seat: int, refused: Rejected, you: Mapping[str, Any]) -> None:
        super().__init__(f"move {number}, of seat {seat}: {refused}")
        self.number, self.refused, self.you = number, refused, you


@dataclass(frozen=True)
class BranchRequest:
    """A branch after event `at`: first the given `moves`, then moves of `bots` if a strategy is named.

    The branch ends after `hands` hands. The answer shows the view of `seat`, or of every seat if it's None.
    """

    at: int
    moves: Sequence[Move] = ()
    bots: str | None = None
    hands: int = 1
    seat: int | None = None


def branch(history: History, request: BranchRequest) -> Answer[Branch]:
    """Play a branch and return its facts, and the views and score at its end.

    Raise Unbranchable, MoveRefused, or MalformedMove if a move isn't a move of any game.
    """
    sandbox = _Sandbox(history, request)
    for number, move in enumerate(request.moves, 1):
        sandbox.stand_in()
        if sandbox.over:
            break
        sandbox.play(number, move)
    sandbox.play_on()
    return _answer(history, sandbox)


class _Sandbox:
    """A game that continues in memory; `played` are the entries since the branch."""

    def __init__(self, history: History, request: BranchRequest) -> None:
        self.request, self.game = request, game_at(history, request.at)
        self.before = [line.event for line in history.lines[: request.at]]
        self.played, self.seen = list[Entry](), dict[Viewer, ViewFold]()
        self.hashed = self.steps = self.hands = 0

    @property
    def state(self) -> State:
        """The state of the game in the sandbox."""
        return self.game.state

    @property
    def over(self) -> bool:
        """Whether the branch is at its end."""
        return self.hands >= self.request.hands or not self.state.turn or self.steps >= MAX_STEPS

    @property
    def stop_reason(self) -> str:
        """Why the branch ends here."""
        if self.state.result is not None and self.hands <= self.request.hands:
            return "the game is over"
        if self.hands >= self.request.hands:
            return "the hand is over" if self.hands == 1 else f"{self.hands} hands are over"
        turn = ", ".join(map(str, self.state.turn))
        return f"seat {turn} is to move" if turn else "the table waits for cuts"

    def entropy(self, size: int) -> bytes:
        """Return bytes for a seed or a salt, the same in each run."""
        self.hashed += 1
        return sha256(f"{MARK} {self.game.game} {self.request.at} {self.hashed}".encode()).digest()[:size]

    def pick(self, below: int) -> int:
        """Return a number below `below` for a bot's random choice."""
        return int.from_bytes(self.entropy(32)) % below

    def play(self, number: int, move: Move) -> None:
        """Make a move of the request: of the seat it names, else of the seat to move."""
        seat, command = _parse_move(move, self.state)
        try:
            self.make(command)
        except Rejected as refused:
            raise MoveRefused(number, seat, refused, self.view(seat)["you"]) from None

    def play_on(self) -> None:
        """Let the bots play, if requested, and the table play for seats that left."""
        self.stand_in()
        while self.request.bots is not None and not self.over:
            seat = self.state.turn[0]
            self.make(parse_move(choose(self.request.bots, self.view(seat), self.state.rules, self.pick), seat))
            self.stand_in()

    def stand_in(self) -> None:
        """Let the table play for seats that left."""
        while not self.over and (seat := self.state.turn[0]) not in self.state.still_in:
            self.make(stand_in_move(self.state, seat), SERVER)

    def make(self, command: SeatCommand, by: str | None = None) -> None:
        """Make one commit, a second after the last; drop the facts that follow the last requested hand."""
        time = datetime.fromisoformat(self.state.at) + timedelta(seconds=1)
        author, at = by or self.state.seats[command.seat].player, time.strftime(EVENT_TIME)
        draft = self.game.draft(command, Request(author, f"sandbox-{self.steps + 1}", at), self.entropy)
        self.game.apply_draft(draft)
        self.steps += 1
        for entry in draft.entries:
            if self.hands >= self.request.hands and entry.event.fact == "CeremonyOpened":
                return
            self.hands += isinstance(entry.event.data, HandScored | HandThrownIn)
            self.played.append(entry)
            for seen in self.seen.values():
                seen.add(entry.event)

    def view(self, viewer: Viewer) -> SandboxView:
        """Return the view of a seat, or the public one."""
        if viewer not in self.seen:
            self.seen[viewer] = ViewFold(viewer)
            for event in [*self.before, *(entry.event for entry in self.played)]:
                self.seen[viewer].add(event)
        return {**view_json(self.seen[viewer], ""), "root": None, "sandbox": True}


def _parse_move(move: Move, state: State) -> tuple[int, SeatCommand]:
    """Return the seat and command of a move: "ad", "2: ad" or {"type": "play", "card": "AD"}, "seat" optional."""
    if isinstance(move, str):
        named, _, text = move.rpartition(":") if _SEAT_PREFIX.match(move) else ("", "", move)
        seat = int(named) if named else state.turn[0]
        fields: Mapping[str, Any] = parse_text_move(text, state.rules)
    else:
        fields = {name: value for name, value in move.items() if name != "seat"}
        seat = move.get("seat", state.turn[0])
    if type(seat) is not int or not 0 <= seat < len(state.seats):
        raise MalformedMove(f"this table has seats 0 to {len(state.seats) - 1}")
    return seat, parse_move(fields, seat)


_SEAT_PREFIX = re.compile(r"[0-9]{1,2}:", re.ASCII)


def _answer(history: History, sandbox: _Sandbox) -> Answer[Branch]:
    request, state = sandbox.request, sandbox.state
    viewers: list[int | None] = [None, *range(len(state.seats))] if request.seat is None else [request.seat]
    views: list[BranchView] = [{"seat": viewer, "view": sandbox.view(viewer)} for viewer in viewers]
    who = {seat: history.header.players.get(each.player, each.player) for seat, each in enumerate(state.seats)}
    score, as_played = (
        _score(entry.event for entry in sandbox.played),
        _score(event for event in history.events if event.version > request.at),
    )
    body: Branch = {
        **question_json(history, "branch"),
        "sandbox": MARK,
        "at": request.at,
        "root": recompute_root(history, request.at),
        "facts": [_fact(entry.event, who, sandbox.state.rules) for entry in sandbox.played],
        "score": score,
        "as_played": as_played,
        "stopped": sandbox.stop_reason,
        "views": views,
        **findings_json(),
    }
    lines = [f"a sandbox, branched from event {request.at}; it isn't part of any log"]
    lines += [f"{fact['version']}: {fact['says']}" for fact in body["facts"]]
    scores = (("the hand in the sandbox", score), ("the hand as it was played", as_played))
    lines += [f"{name}: {_score_text(each, who)}" for name, each in scores if each is not None]
    below = (terminal.view_lines(views[0]["view"], history.header.players),)
    return Answer(history, body, notes=(*lines, sandbox.stop_reason), below=below)


def _fact(event: Event[Any], who: Mapping[int, str], rules: Rules) -> BranchFact:
    data = msgspec.to_builtins(event.data)
    return {
        "version": event.version,
        "fact": event.fact,
        "by": event.by,
        "data": data,
        "says": narrate(event.data, who, rules),
    }


def _score(events: Iterable[Event[Any]]) -> BranchScore | None:
    """Return the score of the first scored hand, or None."""
    scored = next((event.data for event in events if isinstance(event.data, HandScored)), None)
    if scored is None:
        return None
    return {"hand": scored.hand, "made": scored.made, "changes": list(scored.changes), "scores": list(scored.scores)}


def _score_text(score: BranchScore, who: Mapping[int, str]) -> str:
    changes, scores = score["changes"], score["scores"]
    return ", ".join(f"{who[seat]} {change:+} to {scores[seat]}" for seat, change in enumerate(changes))
