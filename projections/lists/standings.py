"""Standings: who finished, won and scored how much, by variant and period, and the history of each player's games.

Nothing is known of a game until it has ended. From then on its results count as ruled. `standings_results` says which
of them count at all.
"""

from typing import Any

from domain.events import (
    AuctionWon,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    HandScored,
    RulesChanged,
    RulingDecided,
    RulingGiven,
)
from domain.rules.choices import Tally
from projections.lists.seated_games import COLUMNS, SEAT_CHANGES, Change, is_person, new_row
from projections.lists.standings_results import COUNTS, figures, meetings, results
from projections.storage.tables import Index, Projection, Row, Rows, TableColumns, Totals
from projections.views.results import reason_at_opening, result_json, ruled_json


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's row by `event`, and once it has ended, the results of its players."""
    fact = event.data
    if isinstance(fact, GameOpened):
        rows.put("games", _new_game(event, fact))
        return
    change = _CHANGES.get(type(fact))
    if change is None:
        return
    game = rows.get("games", event.game)
    if game is None:
        raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
    game |= change(game, event) | {"command": event.command}
    rows.put("games", game)
    if game["result"] is not None:
        for result in results(game):
            rows.put("results", result)


def _new_game(event: Event[Any], opened: GameOpened) -> Row:
    return new_row(event, opened) | {
        "public": int(opened.watch.public),
        "reason": reason_at_opening(opened),
        "exact": int(opened.rules.tally is Tally.EXACT),
        "pitcher": None,
    }


def _score_hand(game: Row, event: Event[HandScored]) -> Row:
    """Count the hand for the people who hold the seats now."""
    scored, tallies = event.data, dict(game["tallies"])
    best = max(scored.changes)
    for seat, sitting in enumerate(game["seats"]):
        if not is_person(sitting):
            continue
        bid, made = _bid(game, scored, seat)
        before = tallies[sitting["player"]]
        tallies[sitting["player"]] = before | {
            "hands": before["hands"] + 1,
            "hands_won": before["hands_won"] + int(scored.changes[seat] == best > 0),
            "bids": before["bids"] + bid,
            "made": before["made"] + made,
        }
    return {"tallies": tallies, "hands": game["hands"] + 1, "pitcher": None}


def _bid(game: Row, scored: HandScored, seat: int) -> tuple[int, int]:
    """Return 1 if the seat had to make a bid in this hand, and 1 if it made it.

    In a game of exact bids every seat has, otherwise the pitcher alone.
    """
    if game["exact"]:
        return 1, int(scored.bids[seat] == scored.tricks[seat])
    return (1, int(bool(scored.made))) if seat == game["pitcher"] else (0, 0)


def _end_game(_game: Row, event: Event[GameEnded]) -> Row:
    fact = event.data
    return {"ended": event.at, "result": result_json(fact, fact.ruled)}


def _rule(game: Row, event: Event[RulingGiven | RulingDecided]) -> Row:
    """Take over the result as ruled. Before the end of the game, GameEnded will say it."""
    if game["result"] is None:
        return {}
    return {"result": game["result"] | {"ruled": ruled_json(event.data.ruled)}}


_CHANGES: dict[type[Any], Change] = {
    **SEAT_CHANGES,
    HandDealt: lambda _game, _event: {"pitcher": None},
    AuctionWon: lambda _game, event: {"pitcher": event.data.seat},
    RulesChanged: lambda _game, event: {"exact": int(event.data.rules.tally is Tally.EXACT)},
    HandScored: _score_hand,
    GameEnded: _end_game,
    RulingGiven: _rule,
    RulingDecided: _rule,
}

STANDINGS = Projection(
    name="standings",
    version=2,
    tables=(
        TableColumns(
            "games",
            {**COLUMNS, "public": "number", "reason": "text", "exact": "number", "pitcher": "number"},
        ),
        TableColumns(
            "results",
            {
                "game": "text",
                "player": "text",
                "variant": "text",
                "ended": "text",
                "public": "number",
                "seat": "number",
                "reason": "text",
                "won": "number",
                **dict.fromkeys(COUNTS, "number"),
                "points": "number",
                "opponents": "text",
            },
            key=2,
            indexes=(Index(("player", "public", "ended", "game")),),
            totals=(Totals("figures", figures), Totals("meetings", meetings)),
        ),
        TableColumns(
            "figures",
            {
                "player": "text",
                "period": "text",
                "variant": "text",
                "games": "number",
                "won": "number",
                **dict.fromkeys(COUNTS, "number"),
                "points": "number",
            },
            key=3,
            indexes=(Index(("variant", "period", "won", "points", "player")),),
        ),
        TableColumns(
            "meetings",
            {"player": "text", "opponent": "text", "variant": "text", "games": "number", "won": "number"},
            key=3,
        ),
    ),
    fold=fold,
    facts=frozenset({GameOpened, *_CHANGES}),
)
