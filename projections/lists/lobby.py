"""The lobby: one row for each game, with its players, turn, status and result."""

from collections.abc import Callable, Iterator
from typing import Any

from domain.decide.commits import TURN_ENDING_FACTS
from domain.events import (
    AuctionWon,
    CeremonyOpened,
    CeremonyVoided,
    CutOpened,
    DelayCalled,
    DelayJudged,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    MovesTakenBack,
    PartnerCalled,
    RulesChanged,
    RulingDecided,
    RulingGiven,
    SeatForfeited,
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    SeatsDrawn,
    Watch,
)
from domain.rules.choices import Cuts, Partners
from domain.rules.variants.house import RULEBOOK
from projections.storage.tables import Index, Projection, Row, Rows, TableColumns
from projections.views.results import reason_at_opening, result_json, ruled_json


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's rows by `event`, reading nothing that only some viewers may see."""
    fact = event.data
    if isinstance(fact, GameOpened):
        _add_game(rows, event, fact)
        return
    game = _require(rows.get("games", event.game), event)
    game["version"], game["updated"] = event.version, event.at
    change = _CHANGES.get(type(fact))
    if change is not None:
        change(rows, game, event)
    turn = _turn(fact)
    if turn is not None and turn != game["turn"]:
        _change_turn(rows, game, event, turn)
    _note_times_of_bots(game)
    _note_time_seen(game)
    rows.put("games", game)


def _add_game(rows: Rows, event: Event[Any], opened: GameOpened) -> None:
    game = {"id": event.game, "board": opened.board, "variant": opened.variant, "status": "active"}
    game |= {"cuts": opened.fairness.cuts, "public": int(opened.watch.public), "delay": opened.watch.delay}
    game |= {"unrated": reason_at_opening(opened), "rulebook": opened.options.get(RULEBOOK)}
    status = {"turn": [], "version": event.version, "created": event.at, "updated": event.at, "result": None}
    bots = sum(sitting.kind != "human" for sitting in opened.players)
    choices = {"calls": int(opened.rules.partners is Partners.CALL), "partner_due": 0, "delay_open": 0}
    row = game | status | choices | {"people_waiting": 0, "bots": bots}
    _note_times_of_bots(row)
    _note_time_seen(row)
    rows.put("games", row)
    for seat, sitting in enumerate(opened.players):
        player = {"player": sitting.player, "kind": sitting.kind, "bot": sitting.bot, "state": "in", "place": seat}
        restricted = {"restricted": int(opened.watch != Watch()), "created": event.at}
        row = {"game": event.game, "seat": seat, "waiting": 0, "running": 1, "barred": 0} | player | restricted
        rows.put("seats", row | _seen(row))


def _seen(seat: Row) -> Row:
    """Return the columns of a seat that everybody may know of, as the seat is now."""
    return {"seen_player": seat["player"], "seen_kind": seat["kind"]}


def _is_late(game: Row) -> bool:
    """Return whether everybody knows nothing but the opening yet."""
    return bool(game["delay"]) and game["status"] == "active"


def _change_seat(rows: Rows, game: Row, seat: Row, **change: Any) -> None:
    """Change a seat's row, and count in the game's row the people it waits for and the bots that play."""
    waited, played = _waits(seat), _plays_as_bot(seat)
    seat.update(change)
    rows.put("seats", seat)
    game["people_waiting"] += _waits(seat) - waited
    game["bots"] += _plays_as_bot(seat) - played


def _waits(seat: Row) -> int:
    return int(seat["kind"] == "human" and seat["waiting"])


def _plays_as_bot(seat: Row) -> int:
    return int(seat["kind"] != "human" and seat["state"] == "in")


def _note_times_of_bots(game: Row) -> None:
    """Note since when a running game waits for no person, and since when a bot may act outside its turn, or None."""
    active, acts = game["status"] == "active", game["bots"] and (game["partner_due"] or game["delay_open"])
    game["idle_since"] = game["updated"] if active and not game["people_waiting"] else None
    game["bots_act_at"] = game["updated"] if active and acts else None


def _note_time_seen(game: Row) -> None:
    """Note the time of the last event that everybody may know of: of a delayed game its opening, until it ends."""
    game["seen"] = game["created"] if _is_late(game) else game["updated"]


def _reseat(rows: Rows, _game: Row, event: Event[SeatsDrawn]) -> None:
    """Move the players to the seats drawn for them (R-B1)."""
    order = event.data.order
    invited = [_require(rows.get("seats", event.game, index), event) for index in range(len(order))]
    for seat, index in enumerate(order):
        rows.put("seats", invited[index] | {"seat": seat})


def _leave(rows: Rows, game: Row, event: Event[SeatResigned | SeatForfeited]) -> None:
    seat = _require(rows.get("seats", event.game, event.data.seat), event)
    left = "resigned" if isinstance(event.data, SeatResigned) else "forfeited"
    _change_seat(rows, game, seat, state=left, waiting=0)


def _seat_player(rows: Rows, game: Row, event: Event[SeatHandedOver | SeatReturned]) -> None:
    """Show the new player. The game goes on waiting for the seat if it's the seat's turn."""
    fact = event.data
    kind, bot = ("human", None) if isinstance(fact, SeatReturned) else (fact.kind, fact.bot)
    seat = _require(rows.get("seats", event.game, fact.seat), event)
    _change_seat(rows, game, seat, player=fact.to, kind=kind, bot=bot)
    if not _is_late(game):
        _change_seat(rows, game, seat, **_seen(seat))


def _end_hand(_rows: Rows, game: Row, _event: Event[Any]) -> None:
    game["partner_due"] = 0


def _end_game(rows: Rows, game: Row, event: Event[GameEnded]) -> None:
    fact = event.data
    game["status"], game["partner_due"] = "finished", 0
    game["result"] = result_json(fact, fact.ruled)
    for seat in _all_seats(rows, event.game):
        _change_seat(rows, game, seat, running=0, **(_seen(seat) if game["delay"] else {}))


def _rule(_rows: Rows, game: Row, event: Event[RulingGiven | RulingDecided]) -> None:
    if game["result"] is not None:
        game["result"] |= {"ruled": ruled_json(event.data.ruled)}


# Choices: whether a bot may have to vote on delay of game or call a partner, which it does outside its turn. The
# columns may say so in vain; the worker then looks at a game in which there is nothing to do.


def _change_rules(_rows: Rows, game: Row, event: Event[RulesChanged]) -> None:
    game["calls"] = game["partner_due"] = int(event.data.rules.partners is Partners.CALL)


def _take_back(_rows: Rows, game: Row, _event: Event[MovesTakenBack]) -> None:
    game["partner_due"] = game["calls"]


def _win_auction(rows: Rows, game: Row, event: Event[AuctionWon]) -> None:
    pitcher = _require(rows.get("seats", event.game, event.data.seat), event)
    game["partner_due"] = int(game["calls"] and pitcher["kind"] != "human")


def _open_delay(_rows: Rows, game: Row, _event: Event[DelayCalled]) -> None:
    game["delay_open"] = 1


def _close_delay(_rows: Rows, game: Row, _event: Event[DelayJudged]) -> None:
    game["delay_open"] = 0


# Cuts: the people whose cuts a deal waits for, until they cut or the deal goes on without them.


def _open_cuts(rows: Rows, game: Row, event: Event[CeremonyOpened]) -> None:
    if game["cuts"] != Cuts.NONE and event.data.subject.startswith("deal "):
        for seat in _all_seats(rows, event.game):
            cuts = seat["kind"] == "human" and seat["state"] == "in" and not seat["barred"]
            _change_seat(rows, game, seat, waiting=int(cuts))


def _cut(rows: Rows, game: Row, event: Event[CutOpened]) -> None:
    if game["cuts"] != Cuts.NONE:
        _change_seat(rows, game, _require(rows.get("seats", event.game, event.data.seat), event), waiting=0)


def _close_cuts(rows: Rows, game: Row, event: Event[HandDealt | CeremonyVoided]) -> None:
    missing = event.data.missing if isinstance(event.data, HandDealt) else ()
    if game["cuts"] != Cuts.NONE:
        for seat in _all_seats(rows, event.game):
            _change_seat(rows, game, seat, waiting=0, barred=int(seat["barred"] or seat["seat"] in missing))


def _deal(rows: Rows, game: Row, event: Event[HandDealt]) -> None:
    _close_cuts(rows, game, event)
    game["partner_due"] = 0


def _all_seats(rows: Rows, game: str) -> Iterator[Row]:
    seat = rows.get("seats", game, 0)
    while seat is not None:
        yield seat
        seat = rows.get("seats", game, seat["seat"] + 1)


def _require(row: Row | None, event: Event[Any]) -> Row:
    if row is None:
        raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
    return row


_CHANGES: dict[type[Any], Callable[[Rows, Row, Event[Any]], None]] = {
    **dict.fromkeys((*TURN_ENDING_FACTS, PartnerCalled), _end_hand),
    SeatsDrawn: _reseat,
    SeatResigned: _leave,
    SeatForfeited: _leave,
    SeatHandedOver: _seat_player,
    SeatReturned: _seat_player,
    GameEnded: _end_game,
    RulingGiven: _rule,
    RulingDecided: _rule,
    RulesChanged: _change_rules,
    MovesTakenBack: _take_back,
    AuctionWon: _win_auction,
    DelayCalled: _open_delay,
    DelayJudged: _close_delay,
    CeremonyOpened: _open_cuts,
    CutOpened: _cut,
    CeremonyVoided: _close_cuts,
    HandDealt: _deal,
}


def _turn(fact: object) -> list[int] | None:
    """Return the seats in turn after `fact`, or None if the fact doesn't change the turn."""
    following = getattr(fact, "next", None)
    if following is not None:
        return list(following)
    is_voided = isinstance(fact, RulingGiven) and fact.voids is not None
    return [] if is_voided or isinstance(fact, TURN_ENDING_FACTS) else None


def _change_turn(rows: Rows, game: Row, event: Event[Any], after: list[int]) -> None:
    """Mark the seats that the game waits for; it doesn't wait for a seat that left, since the table plays for it."""
    for seat in {*game["turn"], *after}:
        row = _require(rows.get("seats", event.game, seat), event)
        waiting = int(seat in after and row["state"] == "in")
        if waiting != row["waiting"]:
            row["waiting"] = waiting
            rows.put("seats", row)
            if row["kind"] == "human":
                game["people_waiting"] += 1 if waiting else -1
    game["turn"] = after


LOBBY = Projection(
    name="lobby",
    version=10,
    tables=(
        TableColumns(
            "games",
            {
                "id": "text",
                "board": "number",
                "variant": "text",
                "cuts": "text",
                "public": "number",
                "delay": "number",
                "unrated": "text",
                "rulebook": "text",
                "status": "text",
                "turn": "json",
                "version": "number",
                "created": "text",
                "updated": "text",
                "seen": "text",
                "result": "json",
                "calls": "number",
                "partner_due": "number",
                "delay_open": "number",
                "people_waiting": "number",
                "bots": "number",
                "idle_since": "text",
                "bots_act_at": "text",
            },
            indexes=(
                Index(("public", "created", "id")),
                Index(("public", "status", "created", "id")),
                Index(("public", "variant", "created", "id")),
                Index(("public", "variant", "status", "created", "id")),
                Index(("updated",), by_range=True),
                Index(("idle_since", "id"), where="idle_since IS NOT NULL"),
                Index(("bots_act_at", "id"), where="bots_act_at IS NOT NULL"),
            ),
            in_place=True,
        ),
        TableColumns(
            "seats",
            {
                "game": "text",
                "seat": "number",
                "player": "text",
                "kind": "text",
                "seen_player": "text",
                "seen_kind": "text",
                "bot": "text",
                "state": "text",
                "waiting": "number",
                "running": "number",
                "barred": "number",
                "place": "number",
                "restricted": "number",
                "created": "text",
            },
            key=2,
            indexes=(
                Index(("player", "created", "game")),
                Index(("player", "game"), where="running = 1"),
                Index(("player", "created", "game"), where="restricted = 1"),
                Index(("seen_player", "created", "game")),
            ),
            in_place=True,
        ),
    ),
    fold=fold,
)
