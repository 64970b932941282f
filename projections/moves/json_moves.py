"""Moves in JSON, as players post them, and the commands that they mean (docs/views.md)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, get_args

from domain.cards import SUITS, Card, parse_exact_card
from domain.commands import (
    AnswerHandover,
    AnswerProposal,
    AskUndo,
    CallDelay,
    CallPartner,
    ChangeRules,
    ClaimTime,
    CutDeck,
    Discard,
    MakeBid,
    NameTrump,
    PassBid,
    PlayCard,
    ProposeDraw,
    RecordBeacon,
    Resign,
    ReturnSeat,
    SeatCommand,
    VoteDelay,
    require_every_command,
)
from domain.engine.cuts import is_hex
from domain.json_fields import refers_to
from domain.protocols.beacon import SIGNATURE_DIGITS, is_signature
from projections.moves.text_moves import MalformedMove

MoveJson = Annotated[dict[str, Any], refers_to("Move")]
"""A move: its `type`, and the fields of that type in `MOVES`."""
MAX_CARDS = 54
"""The most cards in one move: a deck."""
MAX_SOURCE = 255
"""The longest source of a beacon, in characters."""
CHANGE_PATTERN = "[a-z]{1,16}:[a-z0-9]{1,16}"


@dataclass(frozen=True)
class FieldType:
    """The type of a field of a move: `read` returns its value, or raises ValueError if it isn't as `says` says."""

    says: str
    read: Callable[[object], Any]


@dataclass(frozen=True)
class MoveType:
    """A type of move: its fields without `type`, and the command that a seat gives by their values."""

    fields: Mapping[str, FieldType]
    command: Callable[..., SeatCommand]


def _exactly(kind: type[Any], is_valid: Callable[[Any], bool] = lambda _: True) -> Callable[[object], Any]:
    """Return a reader of values of this very type, so that true is no whole number."""

    def read(value: object) -> Any:
        if type(value) is not kind or not is_valid(value):
            raise ValueError
        return value

    return read


_text = _exactly(str)


def _card(value: object) -> Card:
    return parse_exact_card(_text(value))  # NotACard is a ValueError


def _cards(value: object) -> tuple[Card, ...]:
    return tuple(_card(each) for each in _exactly(list, lambda cards: len(cards) <= MAX_CARDS)(value))


def _hash_or_none(value: object) -> str | None:
    return None if value is None else _exactly(str, is_hex)(value)


WHOLE = FieldType("must be a whole number", _exactly(int))
FLAG = FieldType("must be true or false", _exactly(bool))
CARD = FieldType('must be a card, the rank and then the suit, such as "AD", "10C", "KH" or "2S"', _card)
CARDS = FieldType(f'must be a list of cards like ["2C", "10D"], of at most {MAX_CARDS}', _cards)
SUIT = FieldType(f"must be one of {', '.join(SUITS)}", _exactly(str, lambda suit: suit in SUITS))
CHANGE = FieldType(
    'must be a text like "points:7", "dirty:on" or "partners:call"',
    _exactly(str, lambda text: re.fullmatch(CHANGE_PATTERN, text) is not None),
)
HASH = FieldType("must be 32 bytes as 64 lower-case hex digits", _exactly(str, is_hex))
HASH_OR_NONE = FieldType("must be 32 bytes as 64 lower-case hex digits, or null", _hash_or_none)
SOURCE = FieldType(
    f'must be a text like "drand/quicknet/1000", of at most {MAX_SOURCE} characters',
    _exactly(str, lambda text: len(text) <= MAX_SOURCE),
)
SIGNATURE = FieldType(f"must be 48 bytes as {SIGNATURE_DIGITS} lower-case hex digits", _exactly(str, is_signature))
MOVES: Mapping[str, MoveType] = {
    "bid": MoveType({"bid": WHOLE}, MakeBid),
    "pass": MoveType({}, PassBid),
    "name_trump": MoveType({"suit": SUIT}, NameTrump),
    "call_partner": MoveType({"card": CARD}, CallPartner),
    "discard": MoveType({"cards": CARDS}, Discard),
    "play": MoveType({"card": CARD}, PlayCard),
    "call_delay": MoveType({"accused": WHOLE}, CallDelay),
    "vote": MoveType({"guilty": FLAG}, VoteDelay),
    "undo": MoveType({}, AskUndo),
    "propose_draw": MoveType({}, ProposeDraw),
    "accept": MoveType({}, partial(AnswerProposal, accept=True)),
    "reject": MoveType({}, partial(AnswerProposal, accept=False)),
    "resign": MoveType({}, Resign),
    "cut": MoveType({"n": WHOLE, "commit": HASH, "cut": HASH, "next_seal": HASH_OR_NONE}, CutDeck),
    "beacon": MoveType({"n": WHOLE, "source": SOURCE, "signature": SIGNATURE}, RecordBeacon),
    "change_rules": MoveType({"change": CHANGE}, ChangeRules),
    "answer_handover": MoveType({"accept": FLAG}, AnswerHandover),
    "claim_time": MoveType({}, ClaimTime),
    "return_seat": MoveType({}, ReturnSeat),
}
"""Every type of move. All that reads or describes moves as JSON follows this table."""


def require_type(move: Mapping[str, Any]) -> str:
    """Return the type of a move. Raise MalformedMove if it isn't one of `MOVES`."""
    kind = move.get("type")
    if not isinstance(kind, str) or kind not in MOVES:
        raise MalformedMove(f"type must be one of {', '.join(MOVES)}")
    return kind


def parse_move(move: Mapping[str, Any], seat: int) -> SeatCommand:
    """Return the command of a move.

    Raise MalformedMove unless the move has a known type and exactly the fields of that type.
    """
    kind = require_type(move)
    fields = MOVES[kind].fields
    if move.keys() - {"type"} != fields.keys():
        if missing := sorted(fields.keys() - move.keys()):
            raise MalformedMove(f"a move of type {kind} needs {', '.join(missing)}")
        raise MalformedMove(f"a move of type {kind} has no fields but {', '.join(['type', *sorted(fields)])}")
    values = {}
    for name, field in fields.items():
        try:
            values[name] = field.read(move[name])
        except ValueError:
            raise MalformedMove(f"{name} {field.says}") from None
    return MOVES[kind].command(seat, **values)


_WRITERS: dict[type[Any], Callable[[Any], MoveJson]] = {
    MakeBid: lambda command: {"type": "bid", "bid": command.bid},
    PassBid: lambda _: {"type": "pass"},
    NameTrump: lambda command: {"type": "name_trump", "suit": command.suit},
    CallPartner: lambda command: {"type": "call_partner", "card": command.card},
    Discard: lambda command: {"type": "discard", "cards": list(command.cards)},
    PlayCard: lambda command: {"type": "play", "card": command.card},
    CallDelay: lambda command: {"type": "call_delay", "accused": command.accused},
    VoteDelay: lambda command: {"type": "vote", "guilty": command.guilty},
    AskUndo: lambda _: {"type": "undo"},
    ProposeDraw: lambda _: {"type": "propose_draw"},
    AnswerProposal: lambda command: {"type": "accept" if command.accept else "reject"},
    Resign: lambda _: {"type": "resign"},
    CutDeck: lambda command: {
        "type": "cut",
        "n": command.n,
        "commit": command.commit,
        "cut": command.cut,
        "next_seal": command.next_seal,
    },
    RecordBeacon: lambda command: {
        "type": "beacon",
        "n": command.n,
        "source": command.source,
        "signature": command.signature,
    },
    ChangeRules: lambda command: {"type": "change_rules", "change": command.change},
    AnswerHandover: lambda command: {"type": "answer_handover", "accept": command.accept},
    ReturnSeat: lambda _: {"type": "return_seat"},
    ClaimTime: lambda _: {"type": "claim_time"},
}
require_every_command(get_args(SeatCommand), _WRITERS, "projections.moves.json_moves")


def move_to_json(command: SeatCommand) -> MoveJson:
    """Return the move that posts `command`; `parse_move` reads it back."""
    return _WRITERS[type(command)](command)
