"""The scoreboard: a line for each hand and seat, the score line as text, and the totals (S38-S45, R-S20)."""

from collections.abc import Callable
from typing import Any, TypedDict

from domain.events import (
    AuctionWon,
    BidScaled,
    DelayJudged,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    HandScored,
    PartnerRevealed,
    PartnersChanged,
    RulesChanged,
    RulingDecided,
    RulingGiven,
    SeatHandedOver,
    SeatReturned,
    SeatsDrawn,
)
from domain.rules.choices import Award, Tally
from domain.rules.model import Rules
from projections.storage.tables import Projection, Row, Rows, TableColumns
from projections.views.results import (
    DISPUTE_FOLD,
    reason_at_opening,
    result_json,
    ruled_json,
)
from projections.views.rules import setting_json


class ScorePeg(TypedDict):
    """A point won."""

    point: str
    worth: int
    credited: bool


class DelayVerdict(TypedDict):
    """A verdict on delay of game."""

    hand: int
    seat: int
    guilty: bool
    change: int


SWEEPS = (Award.SWEEP, Award.SWEEP_BID)
"""The points shown as a mark at the end of the line. Every other point has a column."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's board by `event`."""
    fact = event.data
    if isinstance(fact, GameOpened):
        rows.put("boards", _new_board(event.game, fact))
        return
    change = CHANGES.get(type(fact))
    if change is None:
        return
    board = rows.get("boards", event.game)
    if board is None:
        raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
    if isinstance(fact, HandScored):
        rows.put("hands", _hand(board, fact) | {"last_version": event.version})
        for seat in range(len(fact.scores)):
            rows.put("lines", _line(board, fact, seat))
    changes = change(board, fact)
    if isinstance(fact, HandDealt):
        changes["dealt_at"] = event.version
    rows.put("boards", board | changes)


def _new_board(game: str, opened: GameOpened) -> Row:
    return {
        "game": game,
        "players": [sitting.player for sitting in opened.players],
        "sides": [list(side) for side in opened.sides],
        "goal": opened.rules.goal,
        **_columns(opened.rules),
        "hand": 0,
        "dealt_at": None,
        "pitcher": None,
        "bid": None,
        "hand_sides": None,
        "totals": [0] * len(opened.players),
        "delays": [],
        "disputes": [],
        "result": None,
        "unrated": reason_at_opening(opened),
    }


def _columns(rules: Rules) -> Row:
    """Return the columns and marks of a score line in pegging order (S39), and the setting they come from.

    A point that can be won twice in a hand has two columns.
    """
    columns = [[point.name] * (point.offers // point.worth) for point in rules.points if point.award not in SWEEPS]
    return {
        "words": [name for names in columns for name in names],
        "marks": [point.name for point in rules.points if point.award in SWEEPS],
        "exact": int(rules.tally is Tally.EXACT),
        "setting": setting_json(rules) if rules.version else None,
    }


def _reseat(board: Row, fact: SeatsDrawn) -> Row:
    return {"players": [board["players"][index] for index in fact.order]}


def _seat_player(board: Row, fact: SeatHandedOver | SeatReturned) -> Row:
    players = list(board["players"])
    players[fact.seat] = fact.to
    return {"players": players}


def _change_sides(board: Row, fact: PartnersChanged | PartnerRevealed) -> Row:
    return {"hand_sides": [list(side) for side in fact.sides]}


def _win_auction(board: Row, fact: AuctionWon) -> Row:
    return {"pitcher": fact.seat, "bid": fact.bid, "hand_sides": [list(side) for side in fact.sides]}


def _judge_delay(board: Row, fact: DelayJudged) -> Row:
    """Apply the penalty for delay of game at once, outside the hand's score (C29)."""
    change = fact.scores[fact.accused] - board["totals"][fact.accused]
    delay: DelayVerdict = {"hand": board["hand"], "seat": fact.accused, "guilty": fact.guilty, "change": change}
    return {"totals": list(fact.scores), "delays": [*board["delays"], delay]}


def _update_disputes(board: Row, fact: Any) -> Row:
    """Update the disputes. After the end of the game, a ruling also records the ruled result."""
    changes: Row = {"disputes": DISPUTE_FOLD[type(fact)](board["disputes"], fact)}
    if board["result"] is not None and isinstance(fact, RulingGiven | RulingDecided):
        changes["result"] = board["result"] | {"ruled": ruled_json(fact.ruled)}
    return changes


def _end_game(board: Row, fact: GameEnded) -> Row:
    return {"result": result_json(fact, fact.ruled)}


CHANGES: dict[type[Any], Callable[[Row, Any], Row]] = {
    SeatsDrawn: _reseat,
    SeatHandedOver: _seat_player,
    SeatReturned: _seat_player,
    HandDealt: lambda _, fact: {"hand": fact.hand, "pitcher": None, "bid": None, "hand_sides": None},
    AuctionWon: _win_auction,
    BidScaled: lambda board, fact: {"bid": fact.after} if fact.seat == board["pitcher"] else {},
    PartnersChanged: _change_sides,
    PartnerRevealed: _change_sides,
    RulesChanged: lambda _, fact: _columns(fact.rules),
    DelayJudged: _judge_delay,
    HandScored: lambda _, fact: {"totals": list(fact.scores)},
    **dict.fromkeys(DISPUTE_FOLD, _update_disputes),
    GameEnded: _end_game,
}
"""The columns of the board that each fact changes."""


def _hand(board: Row, scored: HandScored) -> Row:
    """Return the row of a scored hand, with its setting and sides, without its last version."""
    return {
        "game": board["game"],
        "hand": scored.hand,
        "pitcher": board["pitcher"],
        "bid": board["bid"],
        "made": None if scored.made is None else int(scored.made),
        "sides": board["hand_sides"] or board["sides"],
        "words": board["words"],
        "marks": board["marks"],
        "setting": board["setting"],
        "first_version": board["dealt_at"],
    }


def _line(board: Row, scored: HandScored, seat: int) -> Row:
    pegs = [peg for peg in scored.pegs if peg.seat == seat]
    shown: list[ScorePeg] = [{"point": peg.point, "worth": peg.worth, "credited": peg.credited} for peg in pegs]
    bidders = board["hand_sides"][0] if board["hand_sides"] else []
    return {
        "game": board["game"],
        "hand": scored.hand,
        "seat": seat,
        "points": sum(peg.worth for peg in pegs if peg.credited),
        "pegs": shown,
        "count": scored.counts[seat] if scored.counts else None,
        "tricks": scored.tricks[seat],
        "bid": scored.bids[seat],
        "made": None if scored.made is None or seat not in bidders else int(scored.made),
        "exact": int(scored.bids[seat] == scored.tricks[seat]) if board["exact"] else None,
        "change": scored.changes[seat],
        "total": scored.scores[seat],
    }


SCOREBOARD = Projection(
    name="scoreboard",
    version=6,
    tables=(
        TableColumns(
            "boards",
            {
                "game": "text",
                "players": "json",
                "sides": "json",
                "goal": "number",
                "words": "json",
                "marks": "json",
                "exact": "number",
                "setting": "json",
                "hand": "number",
                "dealt_at": "number",
                "pitcher": "number",
                "bid": "number",
                "hand_sides": "json",
                "totals": "json",
                "delays": "json",
                "disputes": "json",
                "result": "json",
                "unrated": "text",
            },
        ),
        TableColumns(
            "hands",
            {
                "game": "text",
                "hand": "number",
                "pitcher": "number",
                "bid": "number",
                "made": "number",
                "sides": "json",
                "words": "json",
                "marks": "json",
                "setting": "json",
                "first_version": "number",
                "last_version": "number",
            },
            key=2,
        ),
        TableColumns(
            "lines",
            {
                "game": "text",
                "hand": "number",
                "seat": "number",
                "points": "number",
                "pegs": "json",
                "count": "number",
                "tricks": "number",
                "bid": "number",
                "made": "number",
                "exact": "number",
                "change": "number",
                "total": "number",
            },
            key=3,
        ),
    ),
    fold=fold,
    facts=frozenset({GameOpened, *CHANGES}),
)
