"""Which facts may come next: one commit's facts follow each other in a fixed order (contract.md, Order)."""

from replay.fold import HandRead, Position

MOVES = frozenset({"BidMade", "BidPassed", "TrumpPitched", "CardPlayed"})
"""What a seat does in turn."""
WORDS = frozenset({"UndoAsked", "UndoAnswered", "DrawProposed", "DrawAnswered", "SeatResigned"})
"""What a seat says out of turn."""
FREE = MOVES | WORDS
"""What may come when the table waits for a seat; each begins a commit, but for the card of a pitched trump."""
SECRET = frozenset({"SeedKept", "CardsDealt", "StockLaid"})
"""What may be withheld until its ceremony is revealed."""
_ENDED = frozenset({"GameEnded"})
_HAND_OVER = frozenset({"HandThrownIn", "HandScored"})
_REVEALS = frozenset({"CeremonyRevealed", "CeremonyVoided"})
_DECISIVE = _HAND_OVER | _REVEALS | {"DrawProposed", "DrawAnswered", "SeatResigned"}
_AUCTION_CLOSED = frozenset({"AuctionWon", "HandThrownIn"})
_OPENED = frozenset({"GameOpened"})
_DUE = {
    "GameOpened": frozenset({"CeremonyOpened"}),
    "CeremonyOpened": frozenset({"SeedKept"}),
    "SeedKept": frozenset({"HandDealt"}),
    "TrumpPitched": frozenset({"CardPlayed"}),
    "GameEnded": frozenset[str](),
}
_AFTER = {
    "BidMade": _AUCTION_CLOSED,
    "BidPassed": _AUCTION_CLOSED,
    "CardPlayed": frozenset({"TrickTaken"}),
    "TrickTaken": frozenset({"HandScored"}),
}


def due(position: Position, last: str, laid: int) -> frozenset[str]:
    """The facts one of which must come next: `last` was the last one, `laid` counts the CardsDealt of this deal."""
    if position.opened is None:
        return _OPENED
    if last in _DUE:
        return _DUE[last]
    if last in {"HandDealt", "CardsDealt"} and position.hand is not None:
        return _dealing(position.hand, position.seats, laid)
    if last in _DECISIVE and game_over(position):
        return _ENDED if all(each.closed for each in position.promises.values()) else _REVEALS
    if last in _HAND_OVER and position.opening.reveal == "hand":
        return frozenset({"CeremonyRevealed"})
    if last in _HAND_OVER | _REVEALS:
        return _DUE["GameOpened"]
    return _in_play(position, last)


def _dealing(hand: HandRead, seats: int, laid: int) -> frozenset[str]:
    if laid < seats:
        return frozenset({"CardsDealt"})
    return frozenset({"StockLaid"}) if hand.dealt.stock else FREE


def _in_play(position: Position, last: str) -> frozenset[str]:
    if undo_granted(position):
        return frozenset({"MovesTakenBack"})
    if position.turn:
        return FREE
    return _AFTER.get(last, FREE)


def undo_granted(position: Position) -> bool:
    """Whether every person still in agrees to the open undo (R-P7)."""
    asked = position.asked
    return asked is not None and asked.to_version is not None and set(position.persons) <= set(asked.agreed)


def draw_granted(position: Position) -> bool:
    """Whether every person still in agrees to the open draw (R-P8)."""
    asked = position.asked
    return asked is not None and asked.to_version is None and set(position.persons) <= set(asked.agreed)


def last_side(position: Position) -> tuple[int, ...]:
    """The seats still in when some have left and all that have not are of one side, else none (R-P9)."""
    alive = [still for side in position.opening.sides if (still := set(side) & set(position.still_in))]
    return tuple(sorted(alive[0])) if position.left and len(alive) == 1 else ()


def at_goal(position: Position) -> tuple[int, ...]:
    """The seats still in that stand at the goal."""
    return tuple(seat for seat in position.still_in if position.scores[seat] >= position.opening.rules.goal)


def game_over(position: Position) -> bool:
    """Whether the facts so far end the game."""
    return bool(at_goal(position) or last_side(position)) or draw_granted(position) or not position.persons
