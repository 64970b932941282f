"""Ratings: the games that count with their places, and the ratings that follow from them.

The fold keeps a row for each game that may count. When the outcome of a finished one is new or changes, `rerating`
rates it and every later game of its pools again.
"""

from typing import Any

from domain.events import (
    Event,
    GameEnded,
    GameOpened,
    HandScored,
    RulingDecided,
    RulingGiven,
    SeatForfeited,
    SeatResigned,
)
from projections.lists.seated_games import COLUMNS, SEAT_CHANGES, Change, is_person, new_row
from projections.ratings.places import entries_of, join_people, kind_of_table
from projections.ratings.rerating import rerate
from projections.ratings.skill import LIBRARY
from projections.storage.tables import Derivation, Index, Projection, Row, Rows, TableColumns
from projections.views.results import NO_RESULT, reason_at_opening

FORMULA = 1
"""The version of what this package computes."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's row by `event`. A game that doesn't count by its opening has none."""
    fact = event.data
    if isinstance(fact, GameOpened):
        if reason_at_opening(fact) is None:
            rows.put("games", _new_game(event, fact))
        return
    change = _CHANGES.get(type(fact))
    game = rows.get("games", event.game) if change is not None else None
    if change is not None and game is not None:
        rows.put("games", game | change(game, event) | {"command": event.command})


def _new_game(event: Event[Any], opened: GameOpened) -> Row:
    row = new_row(event, opened)
    return row | {"kind": kind_of_table(row["sides"]), "left": [], "people": None, "ruled": None, "outcomes": []}


def _leave(game: Row, event: Event[SeatResigned | SeatForfeited]) -> Row:
    return {"left": [*game["left"], event.data.seat]}


def _score_hand(game: Row, _event: Event[HandScored]) -> Row:
    """Count the hand for the people who hold the seats now."""
    tallies = dict(game["tallies"])
    for player in [each["player"] for each in game["seats"] if is_person(each)]:
        tallies[player] = tallies[player] | {"hands": tallies[player]["hands"] + 1}
    return {"tallies": tallies, "hands": game["hands"] + 1}


def _end_game(game: Row, event: Event[GameEnded]) -> Row:
    ended = event.data
    if ended.reason in NO_RESULT:
        return {}
    result = {"reason": ended.reason, "winners": list(ended.winners), "scores": list(ended.scores)}
    game = game | {"result": result}
    entries = entries_of(game, _ruled(ended))
    if entries is None:
        return {}
    outcome = {"at": event.at, "version": event.version, "dispute": None, "what": "end", "entries": entries}
    people = join_people(player for player, _, _ in entries)
    return {"result": result, "ended": event.at, "people": people, "outcomes": [outcome]}


def _rule(game: Row, event: Event[RulingGiven | RulingDecided]) -> Row:
    """Note the outcome as ruled, if the ruling changes it. Before the end of the game, GameEnded will say it."""
    if game["people"] is None:
        return {}
    fact = event.data
    entries = entries_of(game, _ruled(fact))
    if entries == game["outcomes"][-1]["entries"]:
        return {}
    outcome = {"at": event.at, "version": event.version, "dispute": fact.dispute, "what": fact.decision}
    return {"ruled": event.at, "outcomes": [*game["outcomes"], outcome | {"entries": entries}]}


def _ruled(fact: GameEnded | RulingGiven | RulingDecided) -> Row | None:
    return None if fact.ruled is None else {"winners": fact.ruled.winners, "scores": fact.ruled.scores}


_CHANGES: dict[type[Any], Change] = {
    **SEAT_CHANGES,
    SeatResigned: _leave,
    SeatForfeited: _leave,
    HandScored: _score_hand,
    GameEnded: _end_game,
    RulingGiven: _rule,
    RulingDecided: _rule,
}

RATINGS = Projection(
    name="ratings",
    version=FORMULA * 1_000_000 + int("".join(f"{int(part):02}" for part in LIBRARY.split(".")[:3])),
    tables=(
        TableColumns(
            "games",
            {
                **COLUMNS,
                "kind": "text",
                "left": "json",
                "people": "text",
                "ruled": "text",
                "outcomes": "json",
            },
            indexes=(
                Index(("variant", "ended", "game"), "people IS NOT NULL"),
                Index(("people", "variant", "ended", "game"), "people IS NOT NULL"),
                Index(("variant", "ruled"), "ruled IS NOT NULL"),
            ),
            derivation=Derivation("people", ("histories", "players", "meetings", "months", "changes"), rerate),
        ),
        TableColumns(
            "histories",
            {
                "pool": "text",
                "ended": "text",
                "game": "text",
                "player": "text",
                "board": "number",
                "place": "number",
                "sides": "number",
                "halves": "number",
                "value": "number",
                "spread": "number",
                "value_before": "number",
                "spread_before": "number",
                "played": "number",
                "opponents": "number",
                "state": "json",
            },
            key=4,
            indexes=(Index(("player", "ended", "game", "pool")),),
        ),
        TableColumns(
            "players",
            {
                "line": "text",
                "pool": "text",
                "player": "text",
                "established": "number",
                "value": "number",
                "spread": "number",
                "played": "number",
                "opponents": "number",
                "last": "text",
                "state": "json",
            },
            indexes=(
                Index(("pool", "established", "value", "player"), "opponents >= 5"),
                Index(("player", "pool")),
            ),
        ),
        TableColumns(
            "meetings",
            {"line": "text", "pool": "text", "ended": "text", "game": "text"},
            indexes=(Index(("pool", "ended", "game")),),
        ),
        TableColumns("months", {"pool": "text", "month": "text", "total": "number", "count": "number"}, key=2),
        TableColumns(
            "changes",
            {
                "pool": "text",
                "at": "text",
                "game": "text",
                "version": "number",
                "player": "text",
                "board": "number",
                "dispute": "number",
                "what": "text",
                "played": "number",
                "value_before": "number",
                "spread_before": "number",
                "value": "number",
                "spread": "number",
            },
            key=5,
        ),
    ),
    fold=fold,
    facts=frozenset({GameOpened, *_CHANGES}),
)
