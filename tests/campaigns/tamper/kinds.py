"""Kinds of tampering, one a line: the change, and the event that must be named for it.

A change of a fact or of its envelope is made twice: with the old hashes, and with every later hash recomputed, as only
the owner of the whole store can.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.campaigns.tamper.ledgers import Event, Ledger, Row
from tests.campaigns.tamper.places import CONTESTED, CORELLIAN, CUT, DROPPED, LENT, LIVE, OTHER, PITCH

Data = dict[str, Any]
Change = Callable[[Ledger], int | None]
"""Tamper with the ledger. Return the version that must be named; None if only the game can be named."""
STORE, EXPORT = frozenset({"store"}), frozenset({"export"})
EVERYWHERE = STORE | EXPORT


@dataclass(frozen=True)
class Kind:
    """A kind of tampering. `kept`: the log is consistent again, and only a stored receipt or root shows the change."""

    name: str
    change: Change
    game: str = PITCH
    where: frozenset[str] = EVERYWHERE
    kept: bool = False


def fact(
    name: str, of: str, change: Callable[[Data], object], n: int = 0, game: str = PITCH, **more: Any
) -> tuple[Kind, Kind]:
    """Return a change to the data of the n-th such fact."""

    def change_event(event: Event) -> None:
        change(event["data"])

    return envelope(name, change_event, of, n, game, **more)


def envelope(
    name: str,
    change: Callable[[Event], object],
    of: str = "TrickTaken",
    n: int = 0,
    game: str = PITCH,
    *,
    kept: bool = False,
    shows: int = 0,
) -> tuple[Kind, Kind]:
    """Return a change to the n-th such event, with the old hashes and with recomputed ones.

    With recomputed hashes the change `shows` that many events later.
    """

    def left(ledger: Ledger) -> int:
        row = ledger.nth(of, n)
        event = row.event
        change(event)
        assert event != row.event, "nothing was changed"
        row.write(event)
        return row.version

    def redone(ledger: Ledger) -> int:
        version = left(ledger)
        ledger.rehash()
        return version + shows

    last = kept and of == "GameEnded"
    return Kind(name, left, game, kept=last), Kind(f"{name}, all hashes redone", redone, game, kept=kept)


def put(**fields: Any) -> Callable[[Data], object]:
    """Set the fields to another value."""
    return lambda data: data.update(fields)


def more(field: str, by: int = 1) -> Callable[[Data], object]:
    """Add `by` to a number or to the first number of a list."""

    def change(data: Data) -> None:
        if isinstance(data[field], list):
            data[field][0] += by
        else:
            data[field] += by

    return change


def next_of(field: str, seats: int = 3) -> Callable[[Data], object]:
    """Replace a seat with the next one."""
    return lambda data: data.update({field: (data[field] + 1) % seats})


def swapped(field: str) -> Callable[[Data], object]:
    """Swap the first two items of a list."""
    return lambda data: data.update({field: [data[field][1], data[field][0], *data[field][2:]]})


def turned(field: str) -> Callable[[Data], object]:
    """Negate a boolean."""
    return lambda data: data.update({field: not data[field]})


def next_suit(data: Data) -> None:
    """Change the suit."""
    data["suit"] = "DHSC"["CDHS".index(data["suit"])]


def peg(**fields: Any) -> Callable[[Data], object]:
    """Change fields of the first point."""
    return lambda data: data["pegs"][0].update(fields)


def other_peg(data: Data) -> None:
    """Give the first point to another seat."""
    data["pegs"][0]["seat"] = (data["pegs"][0]["seat"] + 1) % 3


def other_winner(data: Data) -> None:
    """Name another winner."""
    data["winners"] = [(data["winners"][0] + 1) % 3] if data["winners"] else [0]


def tampered_rules(data: Data) -> None:
    """Change the goal."""
    data["rules"]["goal"] = 21


FACTS: tuple[tuple[Kind, Kind], ...] = (
    fact("the deck of the game", "GameOpened", swapped("deck")),
    fact("the rules of the game", "GameOpened", tampered_rules),
    fact("a player of the game", "GameOpened", lambda data: data["players"][1].update(player="p9"), shows=9),
    fact("the sides of the game", "GameOpened", swapped("sides")),
    fact("the variant of the game", "GameOpened", put(variant="setback")),
    fact("the delay of spectators", "GameOpened", lambda data: data["watch"].update(delay=1001)),
    fact("a card dealt", "CardsDealt", lambda data: data["cards"].__setitem__(0, "X1")),
    fact("the order of cards dealt", "CardsDealt", swapped("cards"), 1),
    fact("whose cards they are", "CardsDealt", next_of("seat"), 2),
    fact("the ceremony cards are of", "CardsDealt", put(n=9)),
    fact("the order of the stock", "StockLaid", swapped("cards")),
    fact("a card of the stock", "StockLaid", lambda data: data["cards"].__setitem__(0, data["cards"][1])),
    fact("the dealer", "HandDealt", next_of("dealer"), 1),
    fact("the eldest hand", "HandDealt", next_of("eldest"), 1),
    fact("the number of the hand", "HandDealt", more("hand"), 1),
    fact("how many cards each has", "HandDealt", put(counts=[6, 6, 5])),
    fact("how many are in the stock", "HandDealt", more("stock")),
    fact("the grade of the deal", "HandDealt", put(grade="F2")),
    fact("the seats missing", "HandDealt", put(missing=[1])),
    fact("the cuts of the deal", "HandDealt", put(cuts=[["0", "00" * 32]])),
    fact("the commitment", "CeremonyOpened", put(commit="00" * 32)),
    fact("the subject of a ceremony", "CeremonyOpened", put(subject="deal hand 9")),
    fact("the number of a ceremony", "CeremonyOpened", more("n"), 1),
    fact("a seal", "CeremonyOpened", put(seals={"0": "ff"})),
    fact("the seed that was kept", "SeedKept", put(seed="00" * 32)),
    fact("the seed that was revealed", "CeremonyRevealed", put(seed="00" * 32)),
    fact("a bid", "BidMade", put(bid=9)),
    fact("who bid", "BidMade", next_of("seat")),
    fact("who passed", "BidPassed", next_of("seat")),
    fact("the pitcher", "AuctionWon", next_of("seat")),
    fact("the bid that won", "AuctionWon", put(bid=9)),
    fact("a forced bid", "AuctionWon", turned("forced")),
    fact("trump", "TrumpPitched", next_suit),
    fact("a card played", "CardPlayed", put(card="X2"), 3),
    fact("who played a card", "CardPlayed", next_of("seat"), 4),
    fact("whose turn it is", "CardPlayed", lambda data: data.update(next=[(data["next"][0] + 1) % 3]), 3),
    fact("the taker of a trick", "TrickTaken", next_of("seat")),
    fact("a card in a trick", "TrickTaken", lambda data: data["plays"][0].update(card="X1"), 2),
    fact("a card kept from a trick", "TrickTaken", put(kept=[{"seat": 0, "card": "AS"}]), 1),
    fact("the number of a trick", "TrickTaken", more("trick"), 1),
    fact("who won a point", "HandScored", other_peg),
    fact("what a point is worth", "HandScored", peg(worth=2)),
    fact("which point it is", "HandScored", peg(point="five")),
    fact("whether a point counts", "HandScored", lambda data: peg(credited=not data["pegs"][0]["credited"])(data)),
    fact("a point left out", "HandScored", lambda data: data["pegs"].pop()),
    fact("a change of a score", "HandScored", more("changes")),
    fact("a score", "HandScored", more("scores")),
    fact("a count for game", "HandScored", more("counts")),
    fact("tricks taken", "HandScored", more("tricks")),
    fact("bids as scored", "HandScored", put(bids=[5, 5, 5])),
    fact("whether the bid was made", "HandScored", turned("made")),
    fact("the version of an undo request", "UndoAsked", more("to_version", -1)),
    fact("an answer", "UndoAnswered", turned("accept"), shows=1),
    fact("what is taken back", "MovesTakenBack", more("to_version", -1)),
    fact("who proposed a draw", "DrawProposed", next_of("seat")),
    fact("who resigned", "SeatResigned", next_of("seat")),
    fact("who won the game", "GameEnded", other_winner),
    fact("the last scores", "GameEnded", more("scores")),
    fact("why it ended", "GameEnded", put(reason="goal")),
    fact("the first dealer as drawn", "DealerDrawn", next_of("seat", 4), game=CORELLIAN),
    fact("trump as named", "TrumpNamed", next_of("seat", 4), game=CORELLIAN),
    fact("the number of discards", "CardsDiscarded", more("count", 40), game=CORELLIAN),
    fact("cards thrown face down", "CardsBuried", put(cards=["X1"]), game=CORELLIAN),
    fact("cards taken", "CardsTaken", put(cards=["X1"]), game=CORELLIAN),
    fact("the pick of a change", "RulesChanged", more("pick"), game=CORELLIAN),
    fact("the rules after a change", "RulesChanged", tampered_rules, game=CORELLIAN),
    fact("a card of a live hand", "CardsDealt", lambda data: data["cards"].__setitem__(0, "X1"), -1, LIVE),
    fact("the seed of a live hand", "SeedKept", put(seed="00" * 32), -1, LIVE),
)
"""Field by field of the facts."""

CUTS: tuple[tuple[Kind, Kind], ...] = (
    fact("a cut", "CutOpened", put(cut="00" * 32), game=CUT, shows=2),
    fact("a cut that was sealed", "CutOpened", put(cut="00" * 32), 3, CUT),
    fact("an invalid cut", "CutOpened", put(cut="00"), 1, CUT),
    fact("who cut", "CutOpened", next_of("seat"), 2, CUT),
    fact("the ceremony of a cut", "CutOpened", more("n"), 2, CUT),
    fact("the next seal", "CutOpened", put(next_seal="00" * 32), 2, CUT, shows=11),
    fact("no next seal", "CutOpened", put(next_seal=None), 3, CUT, shows=13),
    fact("a seal of the next deal", "CeremonyOpened", put(seals={"2": "00" * 32}), 3, CUT),
    fact("a seal left out", "CeremonyOpened", lambda data: data["seals"].pop("1"), 4, CUT),
    fact("a cut in the deal", "HandDealt", lambda data: data["cuts"][0].__setitem__(1, "00" * 32), 1, CUT),
    fact("a cut left out of the deal", "HandDealt", lambda data: data["cuts"].pop(), 3, CUT),
    fact("the order of cuts", "HandDealt", swapped("cuts"), 1, CUT),
    fact("the seats without a cut", "HandDealt", put(missing=[]), 4, CUT),
    fact("a better grade", "HandDealt", put(grade="F2"), 1, CUT),
    fact("a worse grade", "HandDealt", put(grade="F0"), 3, CUT),
    fact("a seed with cuts", "CeremonyRevealed", put(seed="00" * 32), 3, CUT),
    fact("why a ceremony is void", "CeremonyVoided", put(reason="ruling"), game=CUT),
    fact("the seed of a void ceremony", "CeremonyVoided", put(seed="00" * 32), game=CUT),
)
"""Cuts, seals and what they make of a deal."""

DISPUTES: tuple[tuple[Kind, Kind], ...] = (
    fact("the number of a dispute", "DisputeOpened", more("dispute", 6), game=CONTESTED),
    fact("who disputes", "DisputeOpened", put(seat=9), game=CONTESTED),
    fact("the hand that is disputed", "DisputeOpened", more("hand", 6), game=CONTESTED),
    fact("the moment that is disputed", "DisputeOpened", put(at_version=1), game=CONTESTED),
    fact("what is disputed", "DisputeOpened", put(kind="deal"), game=CONTESTED, kept=True),
    fact("the grounds of a dispute", "DisputeOpened", put(note="00" * 32), game=CONTESTED, kept=True),
    fact("a ruling", "RulingGiven", put(decision="none"), game=CONTESTED),
    fact("what a ruling changes", "RulingGiven", put(changes=[3, -1, 0]), game=CONTESTED),
    fact(
        "what a ruling comes to", "RulingGiven", lambda data: data["ruled"]["scores"].__setitem__(0, 9), game=CONTESTED
    ),
    fact(
        "the evidence of a ruling", "RulingGiven", lambda data: data["evidence"].update(root="00" * 32), game=CONTESTED
    ),
    fact("how much evidence there was", "RulingGiven", lambda data: data["evidence"].update(size=40), game=CONTESTED),
    fact("the clause of a ruling", "RulingGiven", put(basis="S35"), game=CONTESTED, kept=True),
    fact("how sure a ruling is", "RulingGiven", put(standard="recorded"), game=CONTESTED, kept=True),
    fact("what a ruling is about", "RulingGiven", put(dispute=2), game=CONTESTED, shows=3),
    fact("a deal that a ruling ends", "RulingGiven", put(voids=2), game=CONTESTED),
    fact("a hand taken back", "RulingGiven", put(decision="adjust"), 1, CONTESTED, kept=True),
    fact("until when a ruling can be appealed", "RulingGiven", put(appeal_until="2026-11-21"), game=CONTESTED),
    fact("who withdraws", "DisputeWithdrawn", put(seat=0), game=CONTESTED),
    fact("what is withdrawn", "DisputeWithdrawn", put(dispute=2), game=CONTESTED),
    fact("who appeals", "RulingAppealed", put(seat=9), game=CONTESTED),
    fact("an appeal decided", "RulingDecided", put(decision="reversed"), game=CONTESTED),
    fact("a ruling that stands again", "RulingDecided", put(decision="upheld"), 1, CONTESTED),
    fact("the end as ruled", "GameEnded", lambda data: data["ruled"].update(winners=[0]), game=CONTESTED),
    fact("an end without the ruled scores", "GameEnded", put(ruled=None), game=CONTESTED),
    envelope("an arbiter who plays", lambda event: event.update(by="p0"), "RulingGiven", 0, CONTESTED),
    envelope("a ruling by the server", lambda event: event.update(by="server"), "RulingGiven", 0, CONTESTED),
    envelope("an appeal to the same arbiter", lambda event: event.update(by="ann"), "RulingDecided", 0, CONTESTED),
    envelope("an arbiter for a player", lambda event: event.update(by="ann"), "RulingAppealed", 0, CONTESTED),
)
"""Disputes and rulings."""

SEATS: tuple[tuple[Kind, Kind], ...] = (
    fact("the player who is to get a seat", "HandoverAsked", put(to="p0"), game=LENT),
    fact("a bot that is to get a seat", "HandoverAsked", put(bot=None), 1, LENT),
    fact("which seat is asked about", "HandoverAsked", next_of("seat", 4), game=LENT),
    fact("an answer about a seat", "HandoverAnswered", turned("accept"), game=LENT, shows=1),
    fact("who answers about a seat", "HandoverAnswered", put(seat=1), game=LENT),
    fact("the player who gets a seat", "SeatHandedOver", put(to="p7"), game=LENT),
    fact("the player who leaves a seat", "SeatHandedOver", put(**{"from": "p0"}), game=LENT),
    fact("a bot as a person", "SeatHandedOver", put(kind="human", bot=None), 1, LENT),
    fact("the player who takes a seat back", "SeatReturned", put(to="p9"), game=LENT),
    envelope("who says that a seat is returned", lambda event: event.update(by="p9"), "SeatReturned", 0, LENT),
    envelope(
        "another author of a question about a seat", lambda event: event.update(by="p9"), "HandoverAsked", 0, LENT
    ),
    fact(
        "how many proposals a hand allows",
        "GameOpened",
        put(limits={"events": 170, "proposals": 1}),
        game=LENT,
        shows=85,
    ),
    fact(
        "how many events a game allows", "GameOpened", put(limits={"events": 60, "proposals": 2}), game=LENT, shows=61
    ),
    fact("a game without limits", "GameOpened", put(limits=None), game=LENT, shows=180),
    fact("who made a call that is dropped", "DelayDropped", next_of("seat", 4), game=DROPPED),
    fact("about whom a call is dropped", "DelayDropped", next_of("accused", 4), game=DROPPED),
)
"""Seats that change hands, limits, and calls that a ruling drops."""

ENVELOPES: tuple[tuple[Kind, Kind], ...] = (
    envelope("an earlier time", lambda event: event.update(at="2020-01-01T00:00:00.000000Z")),
    envelope("a later time", lambda event: event.update(at="2030-01-01T00:00:00.000000Z")),
    envelope("another author", lambda event: event.update(by="p9")),
    envelope("the server for a player", lambda event: event.update(by="server"), "CardPlayed", 2),
    envelope("a player for the server", lambda event: event.update(by="p1"), "HandScored"),
    envelope("another command within a commit", lambda event: event.update(command="ffff-ffff")),
    envelope("another game in the bytes", lambda event: event.update(game=OTHER)),
    envelope("another salt", lambda event: event.update(salt="00" * 16), kept=True),
    envelope("a salt too short", lambda event: event.update(salt="00")),
    envelope("fewer who see it", lambda event: event.update(seen_by=[])),
    envelope("more who see it", lambda event: event.update(seen_by=None), "CardsDealt"),
    envelope("others who see it", lambda event: event.update(seen_by=[0, 1]), "CardsDealt", 1),
    envelope("a seed for everybody", lambda event: event.update(seen_by=None), "SeedKept"),
    envelope("another salt in the last event", lambda event: event.update(salt="00" * 16), "GameEnded", kept=True),
)
"""Field by field of the envelope."""


def in_place(name: str, change: Callable[[Row], object], where: frozenset[str] = EVERYWHERE, version: int = 20) -> Kind:
    """Return a change to one row without other changes."""

    def changed(ledger: Ledger) -> int:
        row = ledger.at(version)
        change(row)
        return version

    return Kind(name, changed, where=where)


def raw(change: Callable[[bytes], bytes]) -> Callable[[Row], None]:
    """Return a change to the event's bytes."""

    def write(row: Row) -> None:
        row.raw = change(row.raw)

    return write


def title(topic: str) -> Callable[[Row], None]:
    """Return a change of the row's topic."""

    def write(row: Row) -> None:
        row.topic = topic

    return write


def _field(name: str, value: Any) -> Callable[[Row], None]:
    return lambda row: row.write({**row.event, name: value})


def _link(row: Row) -> None:
    row.prev = bytes(32)


def _leaf(row: Row) -> None:
    row.leaf = bytes(32)


def _number(row: Row) -> None:
    row.version = 999


BYTES: tuple[Kind, ...] = (
    in_place("a link", _link),
    in_place("a leaf", _leaf, EXPORT),
    in_place("a row renumbered", _number),
    in_place("another version in the bytes", _field("version", 21)),
    in_place("another version of the fact", _field("v", 2)),
    in_place("another fact in the bytes", _field("fact", "BidPassed")),
    in_place("an unknown fact", _field("fact", "CardPeeked")),
    in_place("a field more", _field("note", "x")),
    in_place("another fact in the topic", title("TrickTaken/1"), STORE),
    in_place("another version in the topic", title("CardPlayed/2"), STORE),
    in_place("an unknown topic", title("CardPeeked/1"), STORE),
    in_place("a topic to be imported", title("this:d"), STORE),
    in_place("an empty topic", title(""), STORE),
    in_place("no event at all", raw(lambda text: text[:0]), STORE),
    in_place("bytes that aren't JSON", raw(lambda text: text[:-9]), STORE),
    in_place("a space", raw(lambda text: text.replace(b',"by"', b', "by"'))),
    in_place("a key twice", raw(lambda text: text.replace(b'"by"', b'"by":"p9","by"'))),
    in_place("another spelling of a key", raw(lambda text: text.replace(b'"by"', b'"\\u0062y"'))),
    in_place("a byte that isn't text", raw(lambda text: text.replace(b'"by"', b'"b\xff"'))),
)
"""The parts of a row or a line."""


def _swapped_states(ledger: Ledger) -> int:
    one, two = ledger.at(20), ledger.at(21)
    one.raw, two.raw, one.prev, two.prev, one.leaf, two.leaf = two.raw, one.raw, two.prev, one.prev, two.leaf, one.leaf
    return 20


def _swapped_numbers(ledger: Ledger) -> int:
    one, two = ledger.at(20), ledger.at(21)
    one.version, two.version = 21, 20
    return 20


def _gone(*versions: int) -> Change:
    def change(ledger: Ledger) -> int:
        gone = [version % len(ledger.own) for version in versions]
        ledger.replace([row for row in ledger.own if row.version % len(ledger.own) not in gone])
        return versions[-1] + 1

    return change


def _cut(rows: int) -> Change:
    def change(ledger: Ledger) -> int:
        ledger.replace(ledger.own[:-rows])
        return len(ledger.own) + 1

    return change


def _copied(ledger: Ledger) -> int:
    row, other = ledger.at(20), ledger.of(OTHER, 20)
    row.topic, row.prev, row.raw, row.leaf = other.topic, other.prev, other.raw, other.leaf
    return 20


def _appended(ledger: Ledger) -> int:
    last = len(ledger.own) + 1
    ledger.replace([*ledger.own, replace(ledger.at(20), version=last)])
    return last


def _from_other(ledger: Ledger) -> int:
    last = len(ledger.own) + 1
    ledger.replace([*ledger.own, replace(ledger.of(OTHER, 20), game=PITCH, version=last)])
    return last


def _put_between(ledger: Ledger) -> int:
    own = ledger.own
    ledger.replace(
        [*own[:20], replace(own[19], version=21), *(replace(row, version=row.version + 1) for row in own[20:])]
    )
    return 21


def _moved_away(ledger: Ledger) -> int:
    ledger.at(20).game = "55555555-eeee-4eee-8eee-000000000005"
    return 21


def _moved_between(ledger: Ledger) -> int:
    row = ledger.own[-1]
    row.game, row.version = OTHER, len([each for each in ledger.rows if each.game == OTHER]) + 1
    return len(ledger.own) + 1


def _games_exchanged(ledger: Ledger) -> int:
    exchanged = {PITCH: OTHER, OTHER: PITCH}
    for row in ledger.rows:
        row.game = exchanged.get(row.game, row.game)
    return 1


def _game_gone(ledger: Ledger) -> None:
    ledger.rows = [row for row in ledger.rows if row.game != PITCH]


def _positions_exchanged(ledger: Ledger) -> int:
    place = next(place for place, row in enumerate(ledger.rows) if row.game == PITCH and row.version == 20)
    rows = ledger.rows
    rows[place], rows[place + 1] = rows[place + 1], rows[place]
    return 20


ROWS: tuple[Kind, ...] = (
    Kind("two states swapped", _swapped_states),
    Kind("two numbers swapped", _swapped_numbers),
    Kind("a row gone", _gone(20)),
    Kind("the first row gone", _gone(1)),
    Kind("two rows gone", _gone(20, 21)),
    Kind("the last row cut off", _cut(1), kept=True),
    Kind("the last commit cut off", _cut(4), kept=True),
    Kind("half of the log cut off", _cut(60), kept=True),
    Kind("a row of another game over one of this", _copied),
    Kind("a row twice, at the end", _appended),
    Kind("a row of another game at the end", _from_other),
    Kind("a row twice, in the middle", _put_between),
    Kind("a row moved to a game that doesn't exist", _moved_away, where=STORE),
    Kind("the last row moved to another game", _moved_between, where=STORE),
    Kind("two games exchanged", _games_exchanged, where=STORE),
    Kind("a whole game gone", _game_gone, where=STORE, kept=True),
    Kind("two positions exchanged", _positions_exchanged, where=STORE),
)
"""Whole rows."""


def _exchanged(version: int) -> Callable[[Ledger], list[Row]]:
    def change(ledger: Ledger) -> list[Row]:
        own = ledger.own
        own[version - 1], own[version] = own[version], own[version - 1]
        return own

    return change


def _twice(version: int) -> Callable[[Ledger], list[Row]]:
    return lambda ledger: [*ledger.own[:version], replace(ledger.at(version)), *ledger.own[version:]]


def _order(
    name: str,
    of: str,
    change: Callable[[int], Callable[[Ledger], list[Row]]],
    n: int = 0,
    shows: int = 0,
    game: str = PITCH,
) -> Kind:
    """Return a change to the order of facts, which `shows` that many events after the n-th such fact."""

    def redone(ledger: Ledger) -> int:
        version = ledger.nth(of, n).version
        ledger.replace(change(version)(ledger))
        ledger.rehash()
        return version + shows

    return Kind(f"{name}, all hashes redone", redone, game)


def _left_out(version: int) -> Callable[[Ledger], list[Row]]:
    return lambda ledger: [row for row in ledger.own if row.version != version]


ORDER: tuple[Kind, ...] = (
    _order("a trick left out", "TrickTaken", _left_out),
    _order("a card played left out", "CardPlayed", _left_out, 4),
    _order("a commitment left out", "CeremonyOpened", _left_out),
    _order("a reveal left out", "CeremonyRevealed", _left_out),
    _order("a score left out", "HandScored", _left_out),
    _order("cards dealt in another order", "CardsDealt", _exchanged),
    _order("a deal before its commitment", "CeremonyOpened", _exchanged, 1),
    _order("a bid before another", "BidPassed", _exchanged),
    _order("a card played twice", "CardPlayed", _twice, 4, 1),
    _order("a cut left out", "CutOpened", _left_out, 2, game=CUT),
    _order("a cut twice", "CutOpened", _twice, 3, 1, CUT),
    _order("two cuts in another order", "CutOpened", _exchanged, 4, 1, CUT),
    _order("a dispute left out", "DisputeOpened", _left_out, game=CONTESTED),
    _order("a ruling left out", "RulingGiven", _left_out, game=CONTESTED),
    _order("a ruling twice", "RulingGiven", _twice, 0, 1, CONTESTED),
    _order("an appeal left out", "RulingAppealed", _left_out, game=CONTESTED),
    _order("an appeal before its ruling", "RulingGiven", _exchanged, game=CONTESTED),
    _order("a question about a seat left out", "HandoverAsked", _left_out, game=LENT),
    _order("an answer about a seat left out", "HandoverAnswered", _left_out, shows=2, game=LENT),
    _order("a hand-over left out", "SeatHandedOver", _left_out, game=LENT),
    _order("a hand-over twice", "SeatHandedOver", _twice, 0, 1, LENT),
    _order("a return left out", "SeatReturned", _left_out, shows=2, game=LENT),
    _order("a dropped call left out", "DelayDropped", _left_out, game=DROPPED),
    _order("a call dropped twice", "DelayDropped", _twice, 0, 1, DROPPED),
)
"""The order of facts."""


KINDS: tuple[Kind, ...] = (
    *(kind for pair in (*FACTS, *CUTS, *DISPUTES, *SEATS, *ENVELOPES) for kind in pair),
    *BYTES,
    *ROWS,
    *ORDER,
)
"""All of them."""
