"""The scoreboard: a line per hand and seat, the seed's score line and what it adds up to (S38-S45, R-S20)."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.choices import Award
from domain.events import AuctionWon, Event, GameEnded, GameOpened, HandDealt, HandScored
from domain.rules import Rules
from projections.rows import Reading
from projections.tables import Projection, Row, Rows, Table

SWEEPS = (Award.SWEEP, Award.SWEEP_BID)
"""Points that trail the line as a mark; every other point has a column of its own."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Bring the game's board up to `event`."""
    fact = event.data
    if isinstance(fact, GameOpened):
        rows.put("boards", _opened(event.game, fact))
    elif isinstance(fact, HandDealt | AuctionWon | HandScored | GameEnded):
        board = rows.get("boards", event.game)
        if board is None:
            raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
        if isinstance(fact, HandScored):
            for line in _lines(board, fact):
                rows.put("lines", line)
        rows.put("boards", board | _after(fact))


def _opened(game: str, opened: GameOpened) -> Row:
    return {
        "game": game,
        "players": [sitting.player for sitting in opened.players],
        "goal": opened.rules.goal,
        **_words(opened.rules),
        "pitcher": None,
        "bid": None,
        "bidders": [],
        "totals": [0] * len(opened.players),
        "result": None,
    }


def _words(rules: Rules) -> Row:
    """The columns and the trailing marks of a score line, in pegging order (S39)."""
    return {
        "words": [point.name for point in rules.points if point.award not in SWEEPS],
        "marks": [point.name for point in rules.points if point.award in SWEEPS],
    }


def _after(fact: HandDealt | AuctionWon | HandScored | GameEnded) -> Row:
    """What `fact` changes of the board itself."""
    match fact:
        case HandDealt():
            return {"pitcher": None, "bid": None, "bidders": []}
        case AuctionWon():
            return {"pitcher": fact.seat, "bid": fact.bid, "bidders": list(fact.sides[0])}
        case HandScored():
            return {"totals": list(fact.scores)}
    return {"result": {"reason": fact.reason, "winners": list(fact.winners), "scores": list(fact.scores)}}


def _lines(board: Row, scored: HandScored) -> list[Row]:
    return [_line(board, scored, seat) for seat in range(len(scored.scores))]


def _line(board: Row, scored: HandScored, seat: int) -> Row:
    pegs = [peg for peg in scored.pegs if peg.seat == seat]
    return {
        "game": board["game"],
        "hand": scored.hand,
        "seat": seat,
        "points": sum(peg.worth for peg in pegs if peg.credited),
        "pegs": [{"point": peg.point, "worth": peg.worth, "credited": peg.credited} for peg in pegs],
        "count": scored.counts[seat] if scored.counts else None,
        "tricks": scored.tricks[seat],
        "bid": scored.bids[seat],
        "pitcher": board["pitcher"],
        "contract": board["bid"],
        "made": None if scored.made is None or seat not in board["bidders"] else int(scored.made),
        "change": scored.changes[seat],
        "total": scored.scores[seat],
    }


SCOREBOARD = Projection(
    name="scoreboard",
    version=1,
    tables=(
        Table(
            "boards",
            {
                "game": "text",
                "players": "json",
                "goal": "number",
                "words": "json",
                "marks": "json",
                "pitcher": "number",
                "bid": "number",
                "bidders": "json",
                "totals": "json",
                "result": "json",
            },
        ),
        Table(
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
                "pitcher": "number",
                "contract": "number",
                "made": "number",
                "change": "number",
                "total": "number",
            },
            key=3,
        ),
    ),
    fold=fold,
)

SHOWN = ("seat", "points", "pegs", "count", "tricks", "bid", "made", "change", "total")


def scoreboard(reading: Reading, game: str, names: Mapping[str, str] | None = None) -> Row | None:
    """A game's board: players, the hands in order with a line per seat, totals and result; None for an unknown game.

    `points` are those credited to the seat, `pegs` all it won, `made` is null for who did not bid the hand. `names` are
    what players are called in the `text` of a line, by player id.
    """
    boards = reading.find("boards", "WHERE game = ?", game)
    if not boards:
        return None
    board = boards[0]
    called = [(names or {}).get(player, player) for player in board["players"]]
    width, hands = max(map(len, called)), dict[int, Row]()
    for line in reading.find("lines", "WHERE game = ? ORDER BY hand, seat", game):
        new = {"hand": line["hand"], "pitcher": line["pitcher"], "bid": line["contract"], "made": None, "lines": []}
        hand = hands.setdefault(line["hand"], new)
        made = None if line["made"] is None else bool(line["made"])
        hand["made"] = hand["made"] if made is None else made
        text = score_line(called[line["seat"]], line, board["words"], board["marks"], width)
        hand["lines"].append({name: line[name] for name in SHOWN} | {"made": made, "text": text})
    shown = {name: board[name] for name in ("players", "goal", "words", "marks", "totals", "result")}
    return {"game": game, **shown, "hands": list(hands.values())}


def score_line(
    name: str, line: Mapping[str, Any], words: Sequence[str], marks: Sequence[str] = (), width: int = 0
) -> str:
    """`name  total  high low jack game  count`, each word or blanks of its width, a mark trailing (S40, S41, R-S20).

    A word stands where its point was credited; `width` is the width of the names.
    """
    won = {peg["point"] for peg in line["pegs"] if peg["credited"]}
    columns = " ".join(word if word in won else " " * len(word) for word in words)
    count = "" if line["count"] is None else f"{line['count']:>3}"
    trailing = "".join(f"  {mark}" for mark in marks if mark in won)
    return f"{name:<{width or len(name)}}  {line['total']:>3}  {columns}  {count}{trailing}".rstrip()
