"""A game as its caller may see it, and the commands of players with their ids: what routes and command lines do.

A function here takes the caller, asks for the rights, and returns the body of an answer or raises the refusal.
"""

import hashlib
import hmac
import json
import secrets
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import Annotated, Any, TypedDict

from marshmallow import Schema, ValidationError, fields

from api.caller import Caller, charge_for_game, require_player
from api.container import Services
from api.evidence.services.receipts import ENDING_FACTS
from api.monitoring import metrics
from api.people.stored.settings import PRESENCE
from api.people.stored.tokens import READ
from api.people.stored.users import User
from api.play.services.autoplay import waits_for_autoplayer
from api.play.services.game_reader import NO_GAME, CommandResult, GameAnswer, NamedView, SeatView
from api.play.services.gate import GameAccess
from api.play.services.positions import write_position
from api.play.services.presence import State
from api.problem import Problem, RefusedAtTable
from api.schemas import Read, StrictSchema
from api.tables.services.table_views import NamedTable, find_table, see_table, table_answer
from domain.commands import (
    CallPartner,
    Command,
    Discard,
    MakeBid,
    NameTrump,
    PassBid,
    PlayCard,
    SeatCommand,
)
from domain.decide import decide
from domain.decide.commits import fact_audience
from domain.events import (
    BidMade,
    BidPassed,
    CardPlayed,
    CardsBuried,
    CardsDiscarded,
    Event,
    PartnerCalled,
    TrickTaken,
    TrumpNamed,
    TrumpPitched,
)
from domain.json_fields import says
from domain.rejections import NotSeated, Rejected
from domain.store import CommandReused, Commit, Games, NoSuchGame, StaleVersion
from domain.store.aggregate import Entry
from projections.moves.json_moves import MOVES, FieldType, move_to_json, parse_move, require_type
from projections.moves.text_moves import MalformedMove, parse_text_move
from projections.views.audience import FormerHolder, viewer_of
from projections.views.seat import View, view_json

GAMES = uuid.UUID("7c0b1a52-6f0e-5d0b-9a3e-3f5d2a1c8e44")  # an arbitrary namespace for ids of games opened with a key


@dataclass(frozen=True)
class CommandId:
    """The id of a command: `sender` identifies player and key; `request` those, and method, path and body.

    Each part is 16 hex digits of HMAC-SHA-256 with the server's secret. Both stand in the game's log, and mustn't say
    what was sent to somebody who tries short bodies or compares ids. Without a key both are random.
    """

    sender: str
    request: str
    earlier: str | None = None
    """The text that version 0.2 would have stored in place of `request`. It's only compared with what is stored."""

    def __str__(self) -> str:
        return f"{self.sender}-{self.request}"

    @property
    def requests(self) -> tuple[str, ...]:
        """The second halves under which this command may be stored; this version stores the first."""
        return (self.request,) if self.earlier is None else (self.request, self.earlier)

    def as_stored(self, games: Games, game: str) -> "CommandId":
        """Return the id under which the game has this command, or if it doesn't have it, the one to store."""
        ids = [CommandId(self.sender, request) for request in self.requests]
        return next((each for each in ids if games.entries_of_command(game, str(each))), ids[0])

    @property
    def game(self) -> str:
        """The id of the game that this command opens, so that a repeat doesn't open a second game."""
        return str(uuid.uuid5(GAMES, self.sender))


def command_id(secret: bytes, player: str, key: str | None, path: str, body: Mapping[str, object]) -> CommandId:
    """Return the id of a player's POST of `body` to `path`; `path` always contains the game's id, not its board."""
    if key is None:
        drawn = secrets.token_hex(16)
        return CommandId(drawn[:16], drawn[16:])
    asked = "\n".join(("POST", path, json.dumps(body, sort_keys=True, separators=(",", ":"))))
    request, earlier = _request_mac(secret, player, key, asked), _mac(secret, f"what\n{asked}")
    return CommandId(_mac(secret, f"who\n{player}\n{key}"), request, earlier)


def _request_mac(secret: bytes, player: str, key: str, asked: str) -> str:
    return _mac(secret, f"request\n{player}\n{key}\n{asked}")


def _mac(secret: bytes, text: str) -> str:
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()[:16]


NOTHING_YET = "Spectators see this game late, and nothing of it can be seen yet. Try again later."


def game_access(services: Services, caller: Caller, reference: str) -> GameAccess:
    """Return the caller's access to the game. Raise NoSuchGame if it doesn't exist, for all that the caller may know.

    Nothing of the game can be seen yet if its `head` is 0. A heavy request is charged here for the game's length:
    before it reads the game, and not for a game that the caller mustn't know of.
    """
    access = services.gate.access(services.reader.resolve(reference), caller.id)
    charge_for_game(services, caller, access.version)
    return access


def visible_game(services: Services, caller: Caller, reference: str) -> GameAccess:
    """Return the caller's access to the game. Raise Problem also if nothing of it can be seen yet."""
    access = game_access(services, caller, reference)
    if access.head == 0:
        raise Problem("not-found", NOTHING_YET)
    return access


def require_seat(services: Services, reference: str, player: User) -> tuple[str, int]:
    """Return the game's id and the player's seat. Raise NoSuchGame, or NotSeated without one."""
    game = services.reader.resolve(reference)
    seat = services.gate.seat_of(game, player.id)
    if seat is None:
        raise NotSeated("You have no seat in this game.")
    return game, seat


def require_present_seat(services: Services, reference: str, player: User) -> tuple[str, int]:
    """Return the same as `require_seat`, by the newest version of the game: for what no commit judges again.

    In the cache of this process, a player who left the seat may still hold it.
    """
    game = services.reader.resolve(reference)
    viewer = services.gate.access(game, player.id).viewer
    if not isinstance(viewer, int):
        raise NotSeated("You have no seat in this game.")
    return game, viewer


def require_own_seat(services: Services, reference: str, player: User) -> tuple[str, int]:
    """Return the game's id and the seat that the player holds, or lent and can take back; otherwise as require_seat."""
    try:
        return require_seat(services, reference, player)
    except NotSeated:
        game = services.reader.resolve(reference)
        lent = services.games.state(game).lent_seat_of(player.id)
        if lent is None:
            raise
        return game, lent


class TextMove(StrictSchema):
    """A move in the players' notation."""

    text = fields.String(required=True)


TEXT_MOVE = TextMove()


class MoveField(fields.Field[Any]):
    """A field of a move."""

    def __init__(self, field_type: FieldType) -> None:
        self.says, self.read = f"{field_type.says[0].upper()}{field_type.says[1:]}.", field_type.read
        super().__init__(required=True, allow_none=_takes_null(field_type), error_messages={"null": self.says})

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        try:
            return self.read(value)
        except ValueError:
            raise ValidationError(self.says) from None


def _takes_null(field_type: FieldType) -> bool:
    try:
        field_type.read(None)
    except ValueError:
        return False
    return True


def _move_schema(kind: str) -> Schema:
    made = {name: MoveField(field_type) for name, field_type in MOVES[kind].fields.items()}
    return StrictSchema.from_dict({"type": fields.String(), **made}, name="Move" + kind.title().replace("_", ""))()


MOVE_SCHEMAS: Mapping[str, Schema] = {kind: _move_schema(kind) for kind in MOVES}


def load_move(move: Mapping[str, Any], seat: int) -> SeatCommand:
    """Return the command of a move. Raise ValidationError with a message for each field that is invalid."""
    try:
        kind = require_type(move)
    except MalformedMove as error:
        raise ValidationError({"type": [str(error).removeprefix("type ").capitalize() + "."]}) from None
    values = MOVE_SCHEMAS[kind].load(move)
    del values["type"]
    return MOVES[kind].command(seat, **values)


MOVE_EXAMPLES = """: for example {"type": "bid", "bid": 3} or {"text": "3"}."""


def view_game(services: Services, caller: Caller, reference: str) -> GameAnswer[NamedView | NamedTable]:
    """Return the spectators' view, or the table while it forms. Raise NoSuchGame or Problem if nothing can be seen."""
    game = services.reader.resolve(reference)
    try:
        if services.gate.is_open(game):
            return _seen(services, services.reader.view(game, None))
        return _seen(services, services.gate.view(visible_game(services, caller, reference), None))
    except NoSuchGame:
        return table_answer(services, see_table(services, reference, caller.id), caller.id)


def view_seat(services: Services, caller: Caller, reference: str, seat: int) -> GameAnswer[SeatView]:
    """Return the view of the caller's own seat. Raise Problem for any other seat, whether it exists or not."""
    require_player(services, caller, READ)
    access = game_access(services, caller, reference)
    if access.viewer != seat:
        raise Problem("not-found", NO_GAME)
    view = services.reader.view(access.game, seat, access.version)
    shown: SeatView = {**view, "you": view["you"], "names": services.reader.names_in(view)}
    return GameAnswer(shown, str(view["version"]))


class Presences(TypedDict):
    """Where the others at the table are."""

    seats: Annotated[
        list[State | None],
        says(
            "By seat; null for you, bots, those who left or hide it, and, once the game is over, all who are elsewhere."
        ),
    ]


def show_presence(services: Services, caller: Caller, reference: str) -> Presences:
    """Return where the other players are, for those alone who sit at the table now. Raise NotSeated for others.

    Of a game that is over, only those who are still at its table: nobody is followed for having played with somebody.
    """
    player = require_player(services, caller, READ, game=reference)
    game, own = require_present_seat(services, reference, player)
    state, accounts = services.games.state(game), services.accounts
    others = {state.seats[seat].player for seat in state.persons if seat != own}
    hidden = accounts.command_settings.switched_off(others, PRESENCE) | accounts.blocks.hidden_from(player.id)
    found = services.presence.of(game, others - hidden)
    if state.result is not None:
        found = {each: where for each, where in found.items() if where == "table"}
    return {"seats": [found.get(seat.player) if at in state.persons else None for at, seat in enumerate(state.seats)]}


def _seen(services: Services, view: View) -> GameAnswer[NamedView]:
    return GameAnswer({**view, "names": services.reader.names_in(view)}, str(view["version"]))


def make_move(services: Services, caller: Caller, reference: str, read: Read) -> GameAnswer[CommandResult]:
    """Make a move: `{"version", "root", "events", "view", "names", "receipt"}`, with the server's own moves.

    `receipt` is null unless a hand or the game ended. Raise Problem for a body that isn't a move, RefusedAtTable for
    one that the rules refuse, and what `Games.act` raises.
    """
    player, sent = require_player(services, caller, game=reference), read()
    game, seat = _seat_to_move(services, reference, player)
    request_id = command_id(services.secret, player.id, sent.key, f"/games/{game}/moves", sent.body)
    with legal_moves_in_refusals(lambda: _own_part(services, game, player.id), lambda: _variant(services, game)):
        command = _command(services, game, sent.body, seat)
        request_id, commit = act_once(services, game, command, player.id, request_id, sent.expected)
        if not commit.repeated:
            metrics.MOVES.labels(move_to_json(command)["type"]).inc()
        return command_answer(services, game, player.id, request_id, commit)


def preview_move(services: Services, caller: Caller, reference: str, text: str) -> tuple[NamedView, int | None]:
    """Return the caller's view as if they had made a move, and the seat that would take the trick it completes.

    Only the facts of the move itself are folded in, and none that follow from it: those may show the stock, or cards
    of others. Version and root stay those of the log. Raise as `make_move` does, and Problem for a move that changes
    nothing on the board.
    """
    player = require_player(services, caller, READ, game=reference)
    game, seat = require_present_seat(services, reference, player)
    command, state = _command(services, game, {"text": text}, seat), services.games.state(game)
    if not isinstance(command, MOVES_ON_THE_BOARD):  # some others hold a time, which only a commit knows
        raise Problem("malformed", "Preview a bid, a card, trump, a call or a discard. Nothing else changes the board.")
    with legal_moves_in_refusals(lambda: _own_part(services, game, player.id), lambda: _variant(services, game)):
        facts = decide(state, command)
    fold, now = services.gate.fold(game, seat), services.reader.view(game, seat, state.version)
    for fact in takewhile(lambda each: isinstance(each, MOVE_FACTS), facts):
        seen_by = fact_audience(fact, state)
        fold.add(Event(state.at, player.id, "", fact, type(fact).__name__, game, "", seen_by, 1, fold.version + 1))
    view = view_json(fold, now["root"])
    taker = next((fact.seat for fact in facts if isinstance(fact, TrickTaken)), None)
    return {**view, "version": now["version"], "names": services.reader.names_in(view)}, taker


MOVES_ON_THE_BOARD = (MakeBid, PassBid, NameTrump, CallPartner, Discard, PlayCard)
MOVE_FACTS = (BidMade, BidPassed, TrumpNamed, PartnerCalled, CardsDiscarded, CardsBuried, TrumpPitched, CardPlayed)
"""The facts of these moves, without what follows from them."""


@contextmanager
def legal_moves_in_refusals(you: Callable[[], Mapping[str, Any]], variant: Callable[[], str]) -> Iterator[None]:
    """Raise RefusedAtTable for a refusal in this block, with the seat's part of the view and the game's variant."""
    try:
        yield
    except Rejected as refusal:
        raise RefusedAtTable(refusal, you(), variant()) from None


def _own_part(services: Services, game: str, player: str) -> Mapping[str, Any]:
    """Return the part of the view that only the seat sees; empty if the player holds no seat by now."""
    state = services.games.state(game)
    seat = state.seat_of(player)
    return {} if seat is None else services.reader.view(game, seat, state.version)["you"]


def _variant(services: Services, game: str) -> str:
    opened = services.games.state(game).opened
    return "" if opened is None else opened.variant


def _seat_to_move(services: Services, reference: str, player: User) -> tuple[str, int]:
    """Return the game's id and the player's seat; 409 while the table forms."""
    try:
        return require_own_seat(services, reference, player)
    except NoSuchGame:
        if find_table(services, services.reader.resolve(reference), player.id) is None:
            raise
        raise Problem("forming", "Nothing is dealt yet: this table is still forming. Wait until it's full.") from None


def _command(services: Services, game: str, body: Mapping[str, object], seat: int) -> SeatCommand:
    """Return the command for `{"type": ...}` or `{"text": ...}`; 400 for a body that isn't a move of any game."""
    if ("text" in body) is ("type" in body):
        raise Problem("malformed", "Send type or text" + (", not both." if "text" in body else MOVE_EXAMPLES))
    if "type" in body:
        return load_move(body, seat)
    try:
        return parse_move(_parse_text(services, game, body), seat)
    except MalformedMove as error:
        raise Problem("malformed", str(error)[:200]) from None


def _parse_text(services: Services, game: str, body: Mapping[str, object]) -> Mapping[str, object]:
    """Return the move that a text means in this game."""
    text: str = TEXT_MOVE.load(body)["text"]
    return parse_text_move(text, services.games.state(game).rules)


def act_once(
    services: Services,
    game: str,
    command: Command,
    player: str,
    request_id: CommandId,
    expected: int | None = None,
) -> tuple[CommandId, Commit]:
    """Give a player's command, and return its id and its commit; a repeat has those of the first time.

    Raise as `Games.act` does; StaleVersion as the player may see it.
    """
    try:
        commit = services.games.act(game, command, by=player, command_id=str(request_id), if_match=expected)
    except StaleVersion as error:
        raise stale_as_seen(services, game, player, error) from None
    except CommandReused:
        stored = request_id.as_stored(services.games, game)
        if stored.request != request_id.earlier:
            raise
        return stored, services.games.act(game, command, by=player, command_id=str(stored))
    return request_id, commit


def stale_as_seen(services: Services, game: str, player: str, error: StaleVersion) -> StaleVersion:
    """Return the error with the version that the player may see: of a delayed game they may have left the seat."""
    return StaleVersion(error.if_match, services.gate.access(game, player).state)


def command_answer(
    services: Services,
    game: str,
    player: str,
    request_id: CommandId,
    commit: Commit | None,
) -> GameAnswer[CommandResult]:
    """Return the answer to a command by `player`, after the bots whose turn it is have played.

    `commit` is None if an earlier request stored the command. If that request stopped before the bots were done, a
    repeat completes their moves.
    """
    if commit is not None and not commit.repeated and not waits_for_autoplayer(commit.state):
        entries, state, position, root = commit.entries, commit.state, commit.position, commit.root
    else:
        state, root = services.games.state(game), None
        latest = services.games.entries(game, state.version - 1)[0]
        left = isinstance(viewer_of(state, player), FormerHolder)  # they may see the bots' moves late: the worker plays
        if latest.event.command == str(request_id) and not left:  # nothing else has happened
            state = services.autoplayer.play(state, str(request_id))
        entries, position = services.games.entries_of_command(game, str(request_id)), services.games.log.head(game)
    result = services.reader.command_result(state, viewer_of(state, player), entries, root)
    body: CommandResult = {**result, "receipt": receipt_at_end(services, game, entries)}
    return GameAnswer(body, str(result["version"]), write_position(services.secret, [position]))


def receipt_at_end(services: Services, game: str, entries: Sequence[Entry]) -> str | None:
    """Return the note over the log up to the last of `entries` if a hand or the game ends in them, else None."""
    if not any(entry.event.fact in ENDING_FACTS for entry in entries):
        return None
    return services.receipts.issue_now(game, entries[-1].event.version)
