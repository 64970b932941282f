"""A game as rows of one table, for programs that analyze many games: a row for each bid, card, and hand of a seat.

    rows = flat_rows(read_export(Path("f.ndjson").read_bytes()))
    [row.card for row in rows if row.row == "card" and not row.taken_back]

docs/tables.md describes the columns. A value that the history withholds is None.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from domain import events as facts
from domain.cards import Card
from domain.events import HandDealt, HandScored
from replay.fold import HandRead, Position
from replay.history import History
from replay.queries.reading import Transition, transitions

BID, CARD, HAND = "bid", "card", "hand"


@dataclass(slots=True)
class FlatRow:
    """A row. The order of the fields is that of the columns; times are in UTC with six decimals."""

    row: str
    game: str
    board: int
    variant: str
    opened: str
    hand: int
    redeal: int
    version: int
    at: str
    seat: int
    player: str
    name: str | None
    bot: str | None
    by: str | None
    dealer: int
    pitcher: int | None
    trump: str | None
    bid: int | None = None
    passed: bool | None = None
    trick: int | None = None
    place: int | None = None
    card: str | None = None
    taker: int | None = None
    taken_back: bool = False
    cards: str | None = None
    tricks: int | None = None
    count: int | None = None
    change: int | None = None
    score: int | None = None
    made: bool | None = None
    result: str | None = None


COLUMNS: Mapping[str, type] = {
    each.name: next(kind for kind in (bool, int, str) if kind.__name__ in str(each.type)) for each in fields(FlatRow)
}
"""The type of each column; every value can be None."""


@dataclass
class _Deal:
    """The rows of a deal so far, and how it ended: the event, the position after it, and a word."""

    dealt: HandDealt
    end: Transition
    moves: list[FlatRow] = field(default_factory=list)
    cards: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    scored: HandScored | None = None
    result: str = "in play"

    def close(self, transition: Transition, result: str) -> None:
        if self.result == "in play":
            self.end, self.result = transition, result


def flat_rows(history: History) -> list[FlatRow]:
    """Return the rows of a game: its bids and cards in the order of the log, and after those of a hand its seats.

    Raise MisplacedFact if an event can't follow the events before it.
    """
    table = _Table(history.header.players)
    for transition in transitions(history):
        table.add(transition)
    return [row for deal in table.deals for row in (*deal.moves, *table.hands(deal))]


class _Table:
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self.deals: list[_Deal] = []

    def add(self, transition: Transition) -> None:
        """Add an event to the deal that it belongs to."""
        fact = transition.event.data
        if isinstance(fact, HandDealt):
            self.deals.append(_Deal(fact, transition))
        elif self.deals:
            deal = self.deals[-1]
            if deal.result == "in play":
                deal.end = transition
            self._add_move(deal, transition)
            self._add_end(deal, transition)

    def _add_move(self, deal: _Deal, transition: Transition) -> None:
        match transition.event.data:
            case facts.BidMade(seat, bid):
                deal.moves.append(self._row(BID, deal, transition, seat, bid=bid, passed=False))
            case facts.BidPassed(seat):
                deal.moves.append(self._row(BID, deal, transition, seat, passed=True))
            case facts.CardPlayed(seat, card):
                hand = transition.before.live
                trick, place = len(hand.takers) + 1, len(hand.table) + 1
                deal.moves.append(self._row(CARD, deal, transition, seat, card=card, trick=trick, place=place))
            case facts.TrickTaken(trick=trick, seat=seat):
                for row in deal.moves:
                    if row.row == CARD and row.trick == trick and not row.taken_back:
                        row.taker = seat
            case facts.MovesTakenBack(to_version=to_version):
                gathered = len(transition.after.live.takers)
                for row in deal.moves:
                    row.taken_back = row.taken_back or row.version > to_version
                    row.taker = None if (row.trick or 0) > gathered else row.taker

    def _add_end(self, deal: _Deal, transition: Transition) -> None:
        match transition.event.data:
            case facts.CardsDealt(_, seat, cards):
                deal.cards[seat] = cards
            case facts.HandScored() as scored:
                deal.close(transition, "scored")
                deal.scored = scored
            case facts.HandThrownIn():
                deal.close(transition, "thrown in")
            case facts.MisdealDeclared():
                deal.close(transition, "misdeal")
            case facts.RulingGiven(voids=n) if n == deal.dealt.n:
                deal.close(transition, "void")
            case facts.GameEnded():
                deal.close(transition, "broken off")

    def _row(
        self, row: str, deal: _Deal, transition: Transition, seat: int, *, own: bool = True, **values: Any
    ) -> FlatRow:
        event, after = transition.event, transition.after
        player, opening, hand = after.players[seat], after.opening, _hand_of(deal, after)
        return FlatRow(
            row=row,
            game=event.game,
            board=opening.board,
            variant=opening.variant,
            opened=after.opened_at,
            hand=deal.dealt.hand,
            redeal=deal.dealt.redeal,
            version=event.version,
            at=event.at,
            seat=seat,
            player=player.player,
            name=self._names.get(player.player),
            bot=player.bot,
            by=event.by if own else None,
            dealer=deal.dealt.dealer,
            pitcher=None if hand is None or hand.won is None else hand.won.seat,
            trump=None if hand is None else hand.trump,
            **values,
        )

    def hands(self, deal: _Deal) -> list[FlatRow]:
        """Return the rows of the seats: what each was dealt, bid and won."""
        return [self._hand(deal, seat) for seat in range(len(deal.dealt.counts))]

    def _hand(self, deal: _Deal, seat: int) -> FlatRow:
        scored, hand = deal.scored, _hand_of(deal, deal.end.after)
        calls = {} if hand is None else dict(hand.calls)
        bids = scored.bids if scored is not None else () if hand is None else hand.bids
        row = self._row(HAND, deal, deal.end, seat, own=False, result=deal.result)
        row.bid = bids[seat] if bids else None
        row.passed = calls[seat] is None if seat in calls else None
        row.cards = " ".join(deal.cards[seat]) if seat in deal.cards else None
        if scored is not None:
            row.tricks, row.change, row.score = scored.tricks[seat], scored.changes[seat], scored.scores[seat]
            row.count = scored.counts[seat] if scored.counts else None
            row.made = scored.made if row.pitcher == seat else None
        return row


def _hand_of(deal: _Deal, position: Position) -> HandRead | None:
    """Return the deal's hand at a position; None if another one has begun."""
    hand = position.hand
    return hand if hand is not None and hand.dealt.n == deal.dealt.n else None
