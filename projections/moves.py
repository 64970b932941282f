"""Moves as players post them, and the commands they mean (contract.md section 4)."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from domain.cards import NotACard, parse_card, read_card
from domain.commands import AnswerProposal, AskUndo, MakeBid, PassBid, PlayCard, ProposeDraw, Resign, SeatCommand

SMUDGE = 5
"""What a `smudge` bids (S12)."""
WORDS = {
    "pass": "pass",
    "undo": "undo",
    "propose": "propose_draw",
    "propose(draw)": "propose_draw",
    "accept": "accept",
    "reject": "reject",
    "resign": "resign",
}
"""The words of the command line that are moves by themselves, and their types."""
SAYABLE = ", ".join(word for word in WORDS if word.isalpha())
LONGEST = 40
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")


class Malformed(ValueError):
    """It is no move of any game; a move that is one and breaks a rule is the domain's to refuse."""


def _bid(move: Mapping[str, Any], seat: int) -> MakeBid:
    bid = move["bid"]
    if type(bid) is not int:
        raise Malformed("bid must be a whole number")
    return MakeBid(seat, bid)


def _play(move: Mapping[str, Any], seat: int) -> PlayCard:
    card = move["card"]
    if not isinstance(card, str):
        raise Malformed('card must be a text like "AD" or "10C"')
    try:
        return PlayCard(seat, read_card(card))
    except NotACard as error:
        raise Malformed(str(error)) from error


_READERS: dict[str, tuple[frozenset[str], Callable[[Mapping[str, Any], int], SeatCommand]]] = {
    "bid": (frozenset({"bid"}), _bid),
    "pass": (frozenset(), lambda _, seat: PassBid(seat)),
    "play": (frozenset({"card"}), _play),
    "undo": (frozenset(), lambda _, seat: AskUndo(seat)),
    "propose_draw": (frozenset(), lambda _, seat: ProposeDraw(seat)),
    "accept": (frozenset(), lambda _, seat: AnswerProposal(seat, accept=True)),
    "reject": (frozenset(), lambda _, seat: AnswerProposal(seat, accept=False)),
    "resign": (frozenset(), lambda _, seat: Resign(seat)),
}
TYPES = tuple(_READERS)
"""Every type of move there is."""


def command_of(move: Mapping[str, Any], seat: int) -> SeatCommand:
    """The command a move of `seat` means; Malformed unless it has a known type and exactly that type's fields."""
    kind = move.get("type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise Malformed(f"type must be one of {', '.join(TYPES)}")
    fields, read = _READERS[kind]
    if missing := sorted(fields - move.keys()):
        raise Malformed(f"a move of type {kind} needs {', '.join(missing)}")
    if move.keys() - fields - {"type"}:
        raise Malformed(f"a move of type {kind} has no fields but {', '.join(['type', *sorted(fields)])}")
    return read(move, seat)


def text_move(text: str) -> dict[str, Any]:
    """The move that `text` is in the words of the command line, in either case, blanks around it or not (R-P12).

    A number or smudge is a bid (S11, S12), a card is a card (S19, R-S18), whichever the phase hears: one that comes in
    the wrong phase is a move all the same, and the rules refuse it (S8, R-S6). Malformed when it is neither.
    """
    if len(text) > LONGEST:
        raise Malformed(f"a move as text has at most {LONGEST} characters")
    text = text.strip(" ")
    said = text.lower() if text.isascii() else text
    if said in WORDS:
        return {"type": WORDS[said]}
    if said == "smudge" or _NUMBER.fullmatch(said):
        return {"type": "bid", "bid": SMUDGE if said == "smudge" else int(said)}
    try:
        return {"type": "play", "card": parse_card(text)}
    except NotACard:
        raise Malformed(f"{text!r} is no move; say a number, a card like AD, or one of smudge, {SAYABLE}") from None


def move_json(command: SeatCommand) -> dict[str, Any]:
    """The move that posts `command`; `command_of` reads it back."""
    match command:
        case MakeBid():
            return {"type": "bid", "bid": command.bid}
        case PassBid():
            return {"type": "pass"}
        case PlayCard():
            return {"type": "play", "card": command.card}
        case AskUndo():
            return {"type": "undo"}
        case ProposeDraw():
            return {"type": "propose_draw"}
        case AnswerProposal():
            return {"type": "accept" if command.accept else "reject"}
    return {"type": "resign"}
