"""Reads of the scoreboard: a game's hands with a line for each seat, from the rows or from a fold of one game."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from domain.events import Event
from domain.json_fields import Outcome, Sides, Uuid, says
from projections.lists.scoreboard import SCOREBOARD, DelayVerdict, ScorePeg, fold
from projections.storage.rows import RowSnapshot
from projections.storage.tables import MemoryRows, Row
from projections.views.results import OPENING_SAYS, DisputeLine, GameResult, UnratedReason, ruled_scores_from_rows
from projections.views.rules import GameSetting


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


def score_line(
    name: str, line: Mapping[str, Any], words: Sequence[str], marks: Sequence[str] = (), width: int = 0
) -> str:
    """Return `name  total  high low jack game  count` (S40, S41, R-S20).

    A word is left blank if its point wasn't credited. A word appears twice if its point can be won twice. Each of
    `marks` that was won follows at the end. In a game of exact bids the columns are `taken of bid` and `exact` (B12).
    `width` is the width of the names.
    """
    begins = f"{name:<{width or len(name)}}  {line['total']:>3}  "
    if line.get("exact") is not None:
        return f"{begins}{line['tricks']:>2} of {line['bid']:>2}  {'exact' if line['exact'] else ''}".rstrip()
    won = Counter(peg["point"] for peg in line["pegs"] if peg["credited"])
    columns = " ".join(_columns(words, won))
    count = "" if line["count"] is None else f"{line['count']:>3}"
    trailing = "".join(f"  {_in_words(mark)}" for mark in marks if mark in won)
    return f"{begins}{columns}  {count}{trailing}".rstrip()


def _columns(words: Sequence[str], won: Mapping[str, int]) -> list[str]:
    seen = Counter[str]()
    columns = []
    for word in words:
        seen[word] += 1
        columns.append(_in_words(word) if seen[word] <= won.get(word, 0) else " " * len(word))
    return columns


def _in_words(point: str) -> str:
    """Return a point's name without its underscore, as `off jack`."""
    return point.replace("_", " ")
