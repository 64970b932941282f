"""Lists of games, of tables that form, of standings and ratings, as text."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.evidence.services.dispute_commands import DisputeOutcome, QueuedDispute
from api.evidence.services.disputes import ShownDispute, ShownDisputeAnswer, ShownText
from api.tables.services.table_views import ListedTable, TableSeat
from projections.lists.lobby_pages import LobbyGame
from projections.lists.standings_pages import HistoryGame, StandingLine
from projections.ratings.ratings_pages import PoolRating, RatingChange, RatingLine
from projections.views.results import NO_RESULT
from replay.text.layout import columns, in_words, minute_of, sanitize
from replay.text.narrate import score_changes_text

Names = Mapping[str, str]
NAMELESS = "?"
HEADINGS = ("board", "game", "players", "waiting for")


def games_text(items: Sequence[LobbyGame], names: Names, nothing: str) -> str:
    """Return games as lines, the newest first."""
    rows = [(each["board"], each["variant"], _players(each, names), _waiting(each, names)) for each in items]
    return "\n".join(columns([HEADINGS, *rows], right=(0,))) if rows else nothing


def _players(item: LobbyGame, names: Names) -> str:
    return " ".join(names.get(seat["player"], seat["player"]) for seat in item["seats"])


def _waiting(item: LobbyGame, names: Names) -> str:
    if item["status"] == "finished":
        return "over"
    return in_words([names.get(each, each) for each in item["waiting"]]) or "the server"


def forming_text(items: Sequence[ListedTable], names: Names) -> str:
    """Return tables that wait for players as lines, or an empty text without tables."""
    if not items:
        return ""
    rows = [(each["board"], each["variant"], " ".join(_seats(each, names))) for each in items]
    return "\n".join(["Tables that wait for players:", *columns([("board", "game", "seats"), *rows], right=(0,))])


def table_text(table: Mapping[str, Any], names: Names) -> str:
    """Return a table that waits for players."""
    asked = [names.get(seat["player"], NAMELESS) for seat in table["seats"] if seat["state"] == "asked"]
    waits = in_words(asked) if asked else "players"
    expires = minute_of(table["expires"])
    lines = [f"Waiting for: {waits}", f"Board {table['board']}, {table['variant']}, forming until {expires} UTC", ""]
    lines += columns([(seat["seat"], text) for seat, text in zip(table["seats"], _seats(table, names), strict=True)])
    return "\n".join(lines)


def _seats(table: Mapping[str, Any], names: Names) -> list[str]:
    return [_seat(seat, names) for seat in table["seats"]]


def _seat(seat: TableSeat, names: Names) -> str:
    if seat["player"] is None:
        return f"({seat['state']})"
    name = names.get(seat["player"], seat["player"])
    return f"{name} (asked)" if seat["state"] == "asked" else name


OUTCOMES = {"none": "it stands as played", "void": "the hand is void"}
NO_TEXT = {"erased": "(erased)", "withheld": "(shown once the hand is over)"}


def dispute_lines(item: ShownDispute, who: Mapping[int, str]) -> list[str]:
    """Return a dispute with its ruling, appeal and decision, each with its reasons if the reader may read them."""
    opened, ruling, appeal, decision = item["opened"], item["ruling"], item["appeal"], item["decision"]
    lines = [f"Dispute {item['dispute']} on hand {opened['hand']} ({opened['kind']}), {item['status']}"]
    lines.append(f"  {who[opened['seat']]} disputes the hand{_reason(opened)}")
    lines += [f"  {who[each['seat']]} answers{_reason(each)}" for each in item.get("answers", ())]
    if item["withdrawal"] is not None:
        lines.append(f"  {who[opened['seat']]} withdraws the dispute")
    if ruling is not None:
        changes = score_changes_text(ruling["changes"], who) if any(ruling["changes"]) else ""
        outcome = ", ".join(filter(None, (OUTCOMES.get(ruling["decision"], ""), changes)))
        basis = "" if ruling["basis"] is None else f" by {ruling['basis']}"
        lines.append(f"  An arbiter rules{basis}, {outcome}{_reason(ruling)}")
        if item["status"] == "ruled" and ruling["appeal_until"] is not None:
            lines.append(f"  It can be appealed until {minute_of(ruling['appeal_until'])} UTC")
    if appeal is not None:
        lines.append(f"  {who[appeal['seat']]} appeals{_reason(appeal)}")
    if decision is not None:
        lines.append(f"  Another arbiter decides, {decision['decision']}{_reason(decision)}")
    return lines


def _reason(part: ShownText | ShownDisputeAnswer) -> str:
    """Return the text of a part, or why it isn't there; nothing for a reader whom it isn't for."""
    if part.get("text") is not None:
        return f": {part['text']}"
    return next((f" {says}" for name, says in NO_TEXT.items() if part.get(name)), "")


STANDING_HEADINGS = ("rank", "player", "games", "won", "hands", "bids", "made", "set", "points")
CHANGES = ("ruled", "board", "dispute", "ruling", "player", "before", "after")
NO_RULINGS = "No ruling is like this yet."
NO_RATINGS = "Nobody has met five opponents yet."
NO_CHANGES = "No ruling on a finished game has moved a rating."
RULINGS = {"adjust": "score changed", "void": "points taken back", "reversed": "ruling reversed"}


def outcome_text(outcome: DisputeOutcome, who: Mapping[int, str]) -> str:
    """Return what became of a dispute by a ruling, or by the decision on an appeal, with the reasons."""
    changes = outcome["changes"] or ()
    decided = filter(
        None, (OUTCOMES.get(outcome["decision"] or "", ""), score_changes_text(changes, who) if any(changes) else "")
    )
    basis = "" if outcome["basis"] is None else f" by {outcome['basis']}"
    head = f"Dispute {outcome['dispute']} on hand {outcome['hand']} ({outcome['kind']}) is {outcome['status']}"
    reasons = "" if outcome["text"] is None else f": {sanitize(outcome['text'])}"
    return f"{head}{basis}, {', '.join(decided)}{reasons}"


def rulings_text(items: Sequence[QueuedDispute], names: Names) -> str:
    """Return rulings, the newest first, each with its reasons."""
    return "\n".join(line for each in items for line in _ruling_lines(each, names)) or NO_RULINGS


def _ruling_lines(item: QueuedDispute, names: Names) -> list[str]:
    basis = "" if item["basis"] is None else f" by {item['basis']}"
    status = "" if item["status"] == "ruled" else f", {item['status']}"
    where = f"board {item['board']}, dispute {item['dispute']} on hand {item['hand']} ({item['kind']})"
    outcome = f"{(RULINGS | OUTCOMES)[item['decision'] or 'none']}{basis}{status}"
    head = f"{minute_of(item['ruled'] or '')} {where}: {outcome}, by {names.get(item['arbiter'] or '', NAMELESS)}"
    return [head, f"  {sanitize(item['text']) if item['text'] is not None else '(the reasons were erased)'}"]


def standings_text(items: Sequence[StandingLine], names: Names) -> str:
    """Return a line for each player, the one with the most games won first."""
    rows = [
        (each["rank"], names.get(each["player"], each["player"]), each["games"], each["won"], each["hands"],
         each["bids"], each["made"], each["set"], each["points"])
        for each in items
    ]  # fmt: skip
    numbers = (0, *range(2, len(STANDING_HEADINGS)))
    return "\n".join(columns([STANDING_HEADINGS, *rows], right=numbers)) if rows else "No game that counts is over."


def ratings_text(items: Sequence[RatingLine], names: Names) -> str:
    """Return a line for each player, established ones first."""
    rows = [
        (each["rank"], names.get(each["player"], each["player"]), each["shown"], each["games"], each["last"][:10])
        for each in items
    ]
    heads = ("rank", "player", "rating", "games", "last game")
    return "\n".join(columns([heads, *rows], right=(0, 3))) if rows else NO_RATINGS


def rating_changes_text(items: Sequence[RatingChange], names: Names) -> str:
    """Return a line for each player whom a ruling moved, the latest ruling first."""
    rows = [change_cells(each, names.get(each["player"], each["player"])) for each in items]
    return "\n".join(columns([CHANGES, *rows], right=(1, 2))) if rows else NO_CHANGES


def change_cells(item: RatingChange, name: str) -> tuple[object, ...]:
    """Return what CHANGES names, for a player whom a ruling moved."""
    why = RULINGS.get(item["decision"], item["decision"])
    return item["at"][:10], item["board"], item["dispute"], why, name, item["before"]["shown"], item["after"]["shown"]


def player_ratings_text(items: Sequence[PoolRating]) -> str:
    """Return a line for each of a player's ratings."""
    rows = [
        (each["kind"], each["shown"], each["rank"], each["games"], each["opponents"], each["last"][:10])
        for each in items
    ]
    heads = ("table", "rating", "rank", "games", "opponents", "last game")
    return "\n".join(columns([heads, *rows], right=(2, 3, 4))) if rows else "No game that counts is over."


def history_text(items: Sequence[HistoryGame]) -> str:
    """Return a line for each finished game, the newest first."""
    rows = [(each["board"], each["ended"][:10], _outcome(each), each["points"], each["reason"]) for each in items]
    heads = ("board", "ended", "", "points", "doesn't count")
    return "\n".join(columns([heads, *rows], right=(0, 3))) if rows else "There are no finished games."


def _outcome(item: HistoryGame) -> str:
    if item["reason"] in NO_RESULT:
        return ""
    return "won" if item["won"] else "lost"
