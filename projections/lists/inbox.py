"""The inbox of each player: what happens in their games that they may have to act on, or want to know.

Entries name things by id and never hold a card, a name or a text. A player's entries are counted, so that a client says
after which one it goes on. Notes from the accounts, such as invitations, get into the same count.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Unpack

from domain.decide.commits import TURN_ENDING_FACTS
from domain.events import (
    FACTS,
    CeremonyOpened,
    DelayCalled,
    DelayJudged,
    DisputeOpened,
    DisputeWithdrawn,
    DrawAnswered,
    DrawProposed,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    HandoverAnswered,
    HandoverAsked,
    MisdealDeclared,
    PartnerCalled,
    RulesChanged,
    RulingAppealed,
    RulingDecided,
    RulingGiven,
    SeatForfeited,
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    SeatsDrawn,
    TurnReminded,
    UndoAnswered,
    UndoAsked,
)
from domain.rules.choices import Cuts
from projections.lists.inbox_entries import DisputeStep, EntryKind, EventDetails, Question
from projections.storage.page_rows import heads_table
from projections.storage.tables import Index, Numbering, Projection, Row, Rows, TableColumns

MOST_ENTRIES = 1000
"""How many entries a player's inbox holds, or a few more, and how many of `TALK` apart from them."""
TALK = frozenset(("chat", "message"))
"""The kinds of entries that others can write often, which push out no turn, question or ruling."""
OUTBOX = "outbox"
"""The source of entries from the accounts, instead of a game's id. The table `sources` says how far they are taken."""
TURN_CONTINUES = (RulesChanged, PartnerCalled)
"""Facts that may come while a seat is thinking; its turn goes on."""
QUESTIONS: Mapping[type[Any], Question] = {HandoverAsked: "handover", UndoAsked: "undo", DrawProposed: "draw"}
"""The proposals to which all others must agree."""
ANSWERS: Mapping[type[Any], Question] = {HandoverAnswered: "handover", UndoAnswered: "undo", DrawAnswered: "draw"}
"""The same by the fact of an answer."""
DISPUTE_STEPS: Mapping[type[Any], DisputeStep] = {
    DisputeOpened: "opened",
    DisputeWithdrawn: "withdrawn",
    RulingGiven: "ruled",
    RulingAppealed: "appealed",
    RulingDecided: "decided",
    DelayCalled: "delay-called",
    DelayJudged: "delay-judged",
}


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's seats by `event`, and add the entries that follow from it."""
    fact = event.data
    game = _new_game(event, fact) if isinstance(fact, GameOpened) else rows.get("games", event.game)
    if game is None:
        raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
    change = _CHANGES.get(type(fact))
    if change is not None:
        change(rows, game, event)
    turn = getattr(fact, "next", None)
    if turn is not None:
        _change_turn(rows, game, event, list(turn))
    rows.put("games", game)


def _new_game(event: Event[Any], opened: GameOpened) -> Row:
    players = [sitting.player if sitting.kind == "human" else None for sitting in opened.players]
    cuts = int(opened.fairness.cuts != Cuts.NONE)
    seats: Row = {"players": players, "left": [], "barred": [], "turn": [], "asked": {}}
    return {"game": event.game, "cuts": cuts, **seats}


def _open(_rows: Rows, _game: Row, _event: Event[GameOpened]) -> None:
    """Add nothing: the opener has been answered, and the others get their turns."""


def _reseat(_rows: Rows, game: Row, event: Event[SeatsDrawn]) -> None:
    game["players"] = [game["players"][index] for index in event.data.order]


def _ask_others(rows: Rows, game: Row, event: Event[HandoverAsked | UndoAsked | DrawProposed]) -> None:
    asks = QUESTIONS[type(event.data)]
    others = [seat for seat in _everybody(game) if seat != event.data.seat]
    _add(rows, game, event, "question", others, asks=asks)
    game["asked"] = {**game["asked"], asks: event.data.seat}


def _answer(rows: Rows, game: Row, event: Event[HandoverAnswered | UndoAnswered | DrawAnswered]) -> None:
    """Tell the asker of a refusal by another. An agreement shows in what follows: a turn, an end, or another player."""
    asks = ANSWERS[type(event.data)]
    if not event.data.accept and event.data.seat != game["asked"][asks]:
        _add(rows, game, event, "refusal", [game["asked"][asks]], asks=asks)


def _remind(rows: Rows, game: Row, event: Event[TurnReminded]) -> None:
    _add(rows, game, event, "deadline", [event.data.seat])


def _leave(rows: Rows, game: Row, event: Event[SeatResigned | SeatForfeited]) -> None:
    if isinstance(event.data, SeatForfeited):
        _add(rows, game, event, "seat", [event.data.seat], now="table")
    game["left"] = sorted({*game["left"], event.data.seat})


def _seat_player(rows: Rows, game: Row, event: Event[SeatHandedOver | SeatReturned]) -> None:
    """Tell the seat's player that it's gone, and send its entries to the new one, beginning with its turn."""
    fact = event.data
    person = isinstance(fact, SeatReturned) or fact.kind == "human"
    _add(rows, game, event, "seat", [fact.seat], now="person" if person else "bot")
    game["players"] = [
        (fact.to if person else None) if seat == fact.seat else player for seat, player in enumerate(game["players"])
    ]
    if fact.seat in game["turn"]:
        _add(rows, game, event, "turn", [fact.seat], awaits="move")


def _change_turn(rows: Rows, game: Row, event: Event[Any], turn: list[int]) -> None:
    """Tell the seats whose turn begins; a turn that goes on doesn't begin again."""
    goes_on = game["turn"] if isinstance(event.data, TURN_CONTINUES) else []
    _add(rows, game, event, "turn", [seat for seat in turn if seat not in goes_on], awaits="move")
    game["turn"] = turn or (game["turn"] if isinstance(event.data, TURN_CONTINUES) else [])


def _await_cuts(rows: Rows, game: Row, event: Event[CeremonyOpened]) -> None:
    if game["cuts"] and event.data.subject.startswith("deal "):
        seats = [seat for seat in range(len(game["players"])) if seat not in game["barred"]]
        _add(rows, game, event, "turn", seats, awaits="cut")


def _deal(_rows: Rows, game: Row, event: Event[HandDealt]) -> None:
    if game["cuts"]:
        game["barred"] = sorted({*game["barred"], *event.data.missing})


def _end_hand(rows: Rows, game: Row, event: Event[Any]) -> None:
    game["turn"] = []
    if not isinstance(event.data, MisdealDeclared):
        _add(rows, game, event, "hand-over", range(len(game["players"])), hand=event.data.hand)


def _end_game(rows: Rows, game: Row, event: Event[GameEnded]) -> None:
    game["turn"] = []
    _add(rows, game, event, "game-over", _everybody(game), reason=event.data.reason)


def _dispute(rows: Rows, game: Row, event: Event[Any]) -> None:
    fact = event.data
    about: EventDetails = {"step": DISPUTE_STEPS[type(fact)]}
    if hasattr(fact, "dispute"):
        about["dispute"] = fact.dispute
    else:
        about["accused"] = fact.accused
    others = [seat for seat in _everybody(game) if game["players"][seat] != event.by]
    _add(rows, game, event, "dispute", others, **about)
    if isinstance(fact, RulingGiven) and fact.voids is not None:
        game["turn"] = []


def _everybody(game: Row) -> list[int]:
    return list(range(len(game["players"])))


def _add(
    rows: Rows, game: Row, event: Event[Any], kind: EntryKind, seats: Iterable[int], **about: Unpack[EventDetails]
) -> None:
    """Add an entry for each person at these seats; those who left only of disputes and the end."""
    hears_all = kind in ("dispute", "game-over")
    for seat in seats:
        player = game["players"][seat]
        if player is not None and (hears_all or seat not in game["left"]):
            data = {"version": event.version, "seat": seat, **about}
            rows.put("entries", new_entry(event.game, event.version, player, kind, event.game, event.at, data))


def new_entry(
    source: str, version: int, player: str, kind: EntryKind, about: str | None, at: str, data: Mapping[str, object]
) -> Row:
    """Return the row of an entry without its number: event `version` of a game, or item `version` of another source.

    `about` is the id of the game or table that it's about, if any.
    """
    row = {"game": source, "version": version, "player": player, "kind": kind}
    return row | {"n": None, "about": about, "at": at, "data": data}


_CHANGES: dict[type[Any], Callable[[Rows, Row, Event[Any]], None]] = {
    **dict.fromkeys(TURN_ENDING_FACTS, _end_hand),
    **dict.fromkeys(DISPUTE_STEPS, _dispute),
    GameOpened: _open,
    SeatsDrawn: _reseat,
    **dict.fromkeys(QUESTIONS, _ask_others),
    **dict.fromkeys(ANSWERS, _answer),
    TurnReminded: _remind,
    SeatResigned: _leave,
    SeatForfeited: _leave,
    SeatHandedOver: _seat_player,
    SeatReturned: _seat_player,
    CeremonyOpened: _await_cuts,
    HandDealt: _deal,
    GameEnded: _end_game,
}

INBOX = Projection(
    name="inbox",
    version=3,
    tables=(
        TableColumns(
            "games",
            {
                "game": "text",
                "players": "json",
                "left": "json",
                "barred": "json",
                "turn": "json",
                "asked": "json",
                "cuts": "number",
            },
        ),
        TableColumns(
            "entries",
            {
                "game": "text",
                "version": "number",
                "player": "text",
                "kind": "text",
                "n": "number",
                "about": "text",
                "at": "text",
                "data": "json",
            },
            key=4,
            indexes=(Index(("player", "n")),),
            numbering=Numbering("n", owner="player", heads="heads", most=MOST_ENTRIES, apart=("kind", TALK)),
        ),
        heads_table("heads"),
        TableColumns("sources", {"source": "text", "last": "number"}),
    ),
    fold=fold,
    facts=frozenset({*_CHANGES, *(fact for fact in FACTS.values() if "next" in fact.__struct_fields__)}),
)
