"""Moves in JSON, as players post them, and the commands that they mean (docs/views.md)."""

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from domain.cards import SUITS, Card, NotACard, parse_exact_card
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
from domain.protocols.beacon import SIGNATURE_DIGITS, is_signature
from projections.moves.text_moves import MalformedMove

__all__ = ["MOVE_FIELDS", "MOVE_TYPES", "MalformedMove", "move_to_json", "parse_move"]

MAX_CARDS = 54
"""The most cards in one move: a deck."""
MAX_SOURCE = 255
"""The longest source of a beacon, in characters."""
_CHANGE = re.compile(r"[a-z]{1,16}:[a-z0-9]{1,16}")


def _bid(move: Mapping[str, Any], seat: int) -> MakeBid:
    return MakeBid(seat, _whole_number(move, "bid"))


def _call_delay(move: Mapping[str, Any], seat: int) -> CallDelay:
    return CallDelay(seat, _whole_number(move, "accused"))


def _whole_number(move: Mapping[str, Any], field: str) -> int:
    number = move[field]
    if type(number) is not int:
        raise MalformedMove(f"{field} must be a whole number")
    return number


def _play(move: Mapping[str, Any], seat: int) -> PlayCard:
    return PlayCard(seat, _card(move["card"], "card"))


def _call_partner(move: Mapping[str, Any], seat: int) -> CallPartner:
    return CallPartner(seat, _card(move["card"], "card"))


def _discard(move: Mapping[str, Any], seat: int) -> Discard:
    cards = move["cards"]
    if not isinstance(cards, list) or len(cards) > MAX_CARDS:
        raise MalformedMove(f'cards must be a list like ["2C", "3D"], of at most {MAX_CARDS}')
    return Discard(seat, tuple(_card(each, "each of cards") for each in cards))


def _card(card: object, what: str) -> Card:
    if not isinstance(card, str):
        raise MalformedMove(f'{what} must be a text like "AD" or "10C"')
    try:
        return parse_exact_card(card)
    except NotACard as error:
        raise MalformedMove(str(error)) from error


def _name_trump(move: Mapping[str, Any], seat: int) -> NameTrump:
    for suit in SUITS:
        if move["suit"] == suit:
            return NameTrump(seat, suit)
    raise MalformedMove(f"suit must be one of {', '.join(SUITS)}")


def _vote(move: Mapping[str, Any], seat: int) -> VoteDelay:
    if type(move["guilty"]) is not bool:
        raise MalformedMove("guilty must be true or false")
    return VoteDelay(seat, guilty=move["guilty"])


def _change_rules(move: Mapping[str, Any], seat: int) -> ChangeRules:
    change = move["change"]
    if not isinstance(change, str) or _CHANGE.fullmatch(change) is None:
        raise MalformedMove('change must be a text like "points:7", "dirty:on" or "partners:call"')
    return ChangeRules(seat, change)


def _cut(move: Mapping[str, Any], seat: int) -> CutDeck:
    seal = move["next_seal"]
    promised = None if seal is None else _hash(seal, "next_seal")
    return CutDeck(seat, _whole_number(move, "n"), _hash(move["commit"], "commit"), _hash(move["cut"], "cut"), promised)


def _beacon(move: Mapping[str, Any], seat: int) -> RecordBeacon:
    source, signature = move["source"], move["signature"]
    if not isinstance(source, str) or len(source) > MAX_SOURCE:
        raise MalformedMove('source must be a text like "drand/quicknet/1000"')
    if not isinstance(signature, str) or not is_signature(signature):
        raise MalformedMove(f"signature must be 48 bytes as {SIGNATURE_DIGITS} lower-case hex digits")
    return RecordBeacon(seat, _whole_number(move, "n"), source, signature)


def _hash(text: object, what: str) -> str:
    if not isinstance(text, str) or not is_hex(text):
        raise MalformedMove(f"{what} must be 32 bytes as 64 lower-case hex digits")
    return text


def _answer_handover(move: Mapping[str, Any], seat: int) -> AnswerHandover:
    if type(move["accept"]) is not bool:
        raise MalformedMove("accept must be true or false")
    return AnswerHandover(seat, accept=move["accept"])


_NOTHING = frozenset[str]()
_READERS: dict[str, tuple[frozenset[str], Callable[[Mapping[str, Any], int], SeatCommand]]] = {
    "bid": (frozenset({"bid"}), _bid),
    "pass": (_NOTHING, lambda _, seat: PassBid(seat)),
    "name_trump": (frozenset({"suit"}), _name_trump),
    "call_partner": (frozenset({"card"}), _call_partner),
    "discard": (frozenset({"cards"}), _discard),
    "play": (frozenset({"card"}), _play),
    "call_delay": (frozenset({"accused"}), _call_delay),
    "vote": (frozenset({"guilty"}), _vote),
    "undo": (_NOTHING, lambda _, seat: AskUndo(seat)),
    "propose_draw": (_NOTHING, lambda _, seat: ProposeDraw(seat)),
    "accept": (_NOTHING, lambda _, seat: AnswerProposal(seat, accept=True)),
    "reject": (_NOTHING, lambda _, seat: AnswerProposal(seat, accept=False)),
    "resign": (_NOTHING, lambda _, seat: Resign(seat)),
    "cut": (frozenset({"n", "commit", "cut", "next_seal"}), _cut),
    "beacon": (frozenset({"n", "source", "signature"}), _beacon),
    "change_rules": (frozenset({"change"}), _change_rules),
    "answer_handover": (frozenset({"accept"}), _answer_handover),
    "claim_time": (_NOTHING, lambda _, seat: ClaimTime(seat)),
    "return_seat": (_NOTHING, lambda _, seat: ReturnSeat(seat)),
}
MOVE_FIELDS: Mapping[str, frozenset[str]] = {kind: fields for kind, (fields, _) in _READERS.items()}
"""The fields of each type of move, without `type`."""
_ALL_FIELDS = {kind: fields | {"type"} for kind, fields in MOVE_FIELDS.items()}
MOVE_TYPES = tuple(_READERS)
"""Every type of move."""


def parse_move(move: Mapping[str, Any], seat: int) -> SeatCommand:
    """Return the command of a move.

    Raise MalformedMove unless the move has a known type and exactly the fields of that type.
    """
    kind = move.get("type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise MalformedMove(f"type must be one of {', '.join(MOVE_TYPES)}")
    fields, read = _READERS[kind]
    if move.keys() != _ALL_FIELDS[kind]:
        if missing := sorted(fields - move.keys()):
            raise MalformedMove(f"a move of type {kind} needs {', '.join(missing)}")
        raise MalformedMove(f"a move of type {kind} has no fields but {', '.join(['type', *sorted(fields)])}")
    return read(move, seat)


_WRITERS: dict[type[Any], Callable[[Any], dict[str, Any]]] = {
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


def move_to_json(command: SeatCommand) -> dict[str, Any]:
    """Return the move that posts `command`; `parse_move` reads it back."""
    return _WRITERS[type(command)](command)
