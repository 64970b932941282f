"""The scoreboard: a line for each hand and seat, the score line as text, and the totals (S38-S45, R-S20)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypedDict

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
from domain.json_fields import Outcome, Sides, Uuid, says
from domain.rules.choices import Award, Tally
from domain.rules.model import Rules
from projections.lists.score_lines import score_line
from projections.storage.memory_rows import MemoryRows
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Projection, Row, Rows, TableColumns
from projections.views.ruled_scores import (
    DISPUTE_FOLD,
    DisputeLine,
    GameResult,
    result_json,
    ruled_json,
    ruled_scores_from_rows,
)
from projections.views.rules import GameSetting, setting_json
from projections.views.uncounted_games import OPENING_SAYS, UnratedReason, reason_at_opening


class ScorePeg(TypedDict):
    """A point won."""

    point: str
    worth: int
    credited: bool


class ScoreLine(TypedDict):
    """A hand's line for a seat."""

    seat: int
    points: Annotated[int, says("The points credited.")]
    pegs: Annotated[list[ScorePeg], says("All points that it won.")]
    count: Annotated[int | None, says("The game count.")]
    tricks: int
    bid: int | None
    made: Annotated[bool | None, says("Whether its side made the bid; null for other seats.")]
    exact: Annotated[bool | None, says("In Blackout, whether it took exactly as many tricks as it bid.")]
    change: int
    total: int
    text: Annotated[str, says("The line as text.")]


class ScoredHand(TypedDict):
    """A hand, as it was scored."""

    hand: int
    pitcher: int | None
    bid: int | None
    made: bool | None
    sides: Sides
    words: Annotated[list[str], says("The points that there were, in pegging order.")]
    marks: Annotated[list[str], says("The points that stand at the end of a line.")]
    setting: GameSetting | None
    first_version: Annotated[int | None, says("The version at which the hand was dealt.")]
    last_version: Annotated[int | None, says("The version at which it was scored.")]
    lines: list[ScoreLine]


class DelayVerdict(TypedDict):
    """A verdict on delay of game."""

    hand: int
    seat: int
    guilty: bool
    change: int


class GameScores(TypedDict):
    """The hands of a game, with a line for each seat."""

    game: Uuid
    players: Annotated[list[str], says("The ids by seat.")]
    sides: Sides
    goal: int | None
    words: list[str]
    marks: list[str]
    setting: GameSetting | None
    totals: list[int]
    delays: list[DelayVerdict]
    disputes: list[DisputeLine]
    result: GameResult | None
    unrated: Annotated[UnratedReason | None, OPENING_SAYS]
    ruled: Outcome | None
    hands: list[ScoredHand]


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


def scoreboard(
    reading: RowSnapshot, game: str, names: Mapping[str, str] | None = None, hand: int | None = None
) -> GameScores | None:
    """Return a game's players, hands in order with a line for each seat, totals and result; None for an unknown game.

    With `hand`, only that hand is among the hands, and no other is read.

    In a line, `points` are credited to the seat and `pegs` lists all points that it won. `made` is null for seats that
    weren't on the bidding side, `exact` is null unless bids promise tricks. The `words` and `setting` of a hand are
    those it was scored by; those of the board are the current ones. A hand was dealt at `first_version` and scored at
    `last_version`; rows of an older version have neither. `delays` are verdicts on delay of game, which
    change the totals outside the hands. `totals` and `result` are as played. `ruled` has the rulings in force, or is
    null if they change nothing. `unrated` says why the game doesn't count by its opening. `names` gives the name of
    each player id in the `text` of a line.
    """
    boards = reading.find("boards", "WHERE game = ?", game)
    if not boards:
        return None
    where, values = ("", (game,)) if hand is None else (" AND hand = ?", (game, hand))
    hands = reading.find("hands", f"WHERE game = ?{where} ORDER BY hand", *values)
    lines = reading.find("lines", f"WHERE game = ?{where} ORDER BY hand, seat", *values)
    return _board_json(boards[0], hands, lines, names or {})


class ScoreboardFold:
    """The scoreboard of one game, folded from its events in order; `version` is that of the last one."""

    def __init__(self) -> None:
        self._rows, self.version = MemoryRows(SCOREBOARD), 0

    def add(self, event: Event[Any]) -> None:
        """Fold the next event."""
        fold(self._rows, event)
        self.version = event.version

    def board(self, names: Mapping[str, str], hand: int | None = None) -> GameScores | None:
        """Return what `scoreboard` returns, as of the last event."""
        boards = self._rows.all("boards")
        hands, lines = (
            [row for row in self._rows.all(table) if hand in (None, row["hand"])] for table in ("hands", "lines")
        )
        return _board_json(boards[0], hands, lines, names) if boards else None


def _board_json(board: Row, hands: Sequence[Row], lines: Sequence[Row], names: Mapping[str, str]) -> GameScores:
    player_names = [names.get(player, player) for player in board["players"]]
    scored = {row["hand"]: _hand_json(row) for row in hands}
    for line in lines:
        hand = scored[line["hand"]]
        hand["lines"].append(_line_json(line, hand, player_names))
    result = board["result"]
    return {
        "game": board["game"],
        "players": board["players"],
        "sides": board["sides"],
        "goal": board["goal"],
        "words": board["words"],
        "marks": board["marks"],
        "setting": board["setting"],
        "totals": board["totals"],
        "delays": board["delays"],
        "disputes": board["disputes"],
        "result": result,
        "unrated": board["unrated"],
        "ruled": result["ruled"] if result else ruled_scores_from_rows(board["disputes"], board["totals"]),
        "hands": list(scored.values()),
    }


def _hand_json(row: Row) -> ScoredHand:
    return {
        "hand": row["hand"],
        "pitcher": row["pitcher"],
        "bid": row["bid"],
        "made": _bool(row["made"]),
        "sides": row["sides"],
        "words": row["words"],
        "marks": row["marks"],
        "setting": row["setting"],
        "first_version": row["first_version"],
        "last_version": row["last_version"],
        "lines": [],
    }


def _line_json(line: Row, hand: ScoredHand, names: Sequence[str]) -> ScoreLine:
    return {
        "seat": line["seat"],
        "points": line["points"],
        "pegs": line["pegs"],
        "count": line["count"],
        "tricks": line["tricks"],
        "bid": line["bid"],
        "made": _bool(line["made"]),
        "exact": _bool(line["exact"]),
        "change": line["change"],
        "total": line["total"],
        "text": score_line(names[line["seat"]], line, hand["words"], hand["marks"], max(map(len, names))),
    }


def _bool(number: int | None) -> bool | None:
    return None if number is None else bool(number)
