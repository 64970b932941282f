"""Forgeries with recomputed hashes that tests/campaigns/tamper/kinds.py lacks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from replay.history import export_bytes
from tests.replay.forging import events_of, rewritten
from tests.web.games import game

Event = dict[str, Any]
Data = dict[str, Any]


@dataclass(frozen=True)
class Forgery:
    """A change to the n-th `fact` of a game; the finding is on that event, or on the first `at_fact`."""

    game: str
    fact: str
    change: Callable[[Data], object]
    n: int = 0
    at_fact: str | None = None


def put_to(name: str, value: Any) -> Callable[[Data], object]:
    return lambda data: data.update({name: value})


def raised(name: str, place: int | None = None) -> Callable[[Data], object]:
    def change(data: Data) -> None:
        if place is None:
            data[name] += 1
        else:
            data[name][place] += 1

    return change


def turned(name: str) -> Callable[[Data], object]:
    return lambda data: data.update({name: [*data[name][1:], data[name][0]]})


ZERO, SEED = "00" * 32, "11" * 32
WILD, HELD = "Corellian that changes all the time", "Corellian held back until a verdict"
ENDED, BOTS = "Corellian ended by a draw after the hand", "Corellian with bots, revealed at the end"
SETBACK, BLACKOUT = "Setback with three and low as dealt", "Blackout"
HOST = "Corellian with a host who changes rules"


def another_taker(data: Data) -> None:
    data["seat"] = next(seat for seat in range(4) if seat not in [play["seat"] for play in data["plays"]])


def swapped(data: Data) -> None:
    data["seat"] = 1 - data["seat"]


def other_rank(data: Data) -> None:
    data["card"] = ("2" if data["card"][0] != "2" else "3") + data["suit"]


def sealed_otherwise(data: Data) -> None:
    data["seals"]["0"] = ZERO


of_cuts, of_lent, of_disputes = (partial(Forgery, name) for name in ("cuts", "lent", "disputes"))
FORGERIES = {
    "a seal the cut does not fit": of_cuts("CeremonyOpened", sealed_otherwise, n=1, at_fact="CutOpened:2"),
    "a sealed cut": of_cuts("CutOpened", put_to("cut", ZERO), n=2),
    "a cut of nobody": of_cuts("CutOpened", put_to("n", 9)),
    "a cut twice": of_cuts("CutOpened", put_to("seat", 0), n=1),
    "the seat that withheld a cut": Forgery("kept back", "HandDealt", put_to("missing", []), n=1),
    "why it is voided": Forgery("kept back", "CeremonyVoided", put_to("reason", "luck")),
    "what is voided instead": Forgery("kept back", "CeremonyVoided", put_to("n", 1)),
    "a reveal of another": of_cuts("CeremonyRevealed", put_to("n", 2)),
    "a dealer": of_cuts("HandDealt", put_to("dealer", 0)),
    "the number of a hand": of_cuts("HandDealt", raised("hand")),
    "the stock told": of_cuts("HandDealt", raised("stock")),
    "cards in another order": of_cuts("CardsDealt", turned("cards")),
    "a card less": of_cuts("CardsDealt", lambda data: data["cards"].pop()),
    "another upcard": Forgery(BLACKOUT, "TrumpTurnedUp", put_to("card", "2C")),
    "another suit turned up": Forgery(BLACKOUT, "TrumpTurnedUp", put_to("suit", "X")),
    "a coin": Forgery(
        "coin",
        "CoinFlipped",
        lambda data: data.update(winner=next(seat for seat in data["seats"] if seat != data["winner"])),
    ),
    "a misdeal that nobody declares": of_cuts(
        "GameOpened", lambda data: data["rules"].update(misdeal=["X"]), at_fact="BidMade"
    ),
    "a misdeal": Forgery(
        "misdeal", "MisdealDeclared", lambda data: data.update(seats=[3] if data["seats"] != [3] else [2])
    ),
    "a draw's label": Forgery(WILD, "RulesChanged", put_to("label", "randomizer 99 what")),
    "a draw recorded as the host's": Forgery(WILD, "RulesChanged", put_to("cause", "host")),
    "a host's change recorded as drawn": Forgery(
        HOST, "RulesChanged", lambda data: data.update(cause="randomizer"), n=-1
    ),
    "a change that waited": Forgery(HELD, "RulesChanged", raised("of"), n=-1),
    "an end that is drawn": Forgery(ENDED, "GameEnded", put_to("label", "randomizer 0 end")),
    "an end without its draw": Forgery(ENDED, "GameEnded", put_to("label", None)),
    "the odds": Forgery(
        WILD,
        "GameOpened",
        lambda data: data["rules"]["changes"]["randomizer"].update(when=[0, 3]),
        at_fact="RulesChanged",
    ),
    "a card played": of_cuts("CardPlayed", put_to("card", "X1")),
    "cards thrown away": Forgery(WILD, "CardsBuried", lambda data: data["cards"].__setitem__(0, "XX")),
    "a taker": of_cuts("TrickTaken", swapped, at_fact="HandScored"),
    "a trick's number": of_cuts("TrickTaken", raised("trick")),
    "a taker who doesn't exist": of_cuts("TrickTaken", put_to("seat", 7)),
    "a taker who did not play": Forgery(WILD, "TrickTaken", another_taker, n=-1),
    "the hand scored": of_cuts("HandScored", raised("hand")),
    "where moves go back to": of_cuts("MovesTakenBack", put_to("to_version", 1)),
    "moves taken back past a discard": Forgery("practice", "MovesTakenBack", put_to("to_version", 40), n=2),
    "an undo asked for by a bot": Forgery("practice", "UndoAsked", raised("seat")),
    "an undo in a game without undos": Forgery("practice", "GameOpened", put_to("undo", "none"), at_fact="UndoAsked"),
    "another kind of undo": of_cuts("GameOpened", put_to("undo", "always")),
    "practice of more than one person": of_cuts("GameOpened", put_to("undo", "practice")),
    "what is voided": of_disputes("RulingGiven", put_to("voids", 1), n=3),
    "a dispute about luck": of_disputes("DisputeOpened", put_to("kind", "luck")),
    "grounds that are no hash": of_disputes("DisputeOpened", put_to("note", "x")),
    "a decision": of_disputes("RulingGiven", put_to("decision", "maybe")),
    "a proof": of_disputes("RulingGiven", put_to("standard", "felt")),
    "a ruling that drops a call itself": of_disputes("RulingGiven", put_to("drops_call", True)),
    "a decision on an appeal": of_disputes("RulingDecided", put_to("decision", "maybe")),
    "who voids a deal": Forgery("kept back", "CeremonyVoided", put_to("by", "p0")),
    "who voids a deal by a ruling": Forgery("void", "CeremonyVoided", put_to("by", "p0")),
    "the seat that asks for an undo": of_cuts("UndoAsked", swapped),
    "an undo to which one player didn't agree": Forgery(
        "undone", "UndoAnswered", put_to("seat", 0), at_fact="MovesTakenBack"
    ),
    "a card that pitches and isn't led": of_cuts("TrumpPitched", other_rank, at_fact="CardPlayed"),
    "a card of no deck": of_cuts("CardsDealt", lambda data: data["cards"].__setitem__(0, "1Z")),
    "an end of a ceremony": of_cuts("GameEnded", put_to("n", 1)),
    "a change for no cause": Forgery(WILD, "RulesChanged", put_to("cause", "luck")),
    "a rule that can't change": Forgery(WILD, "RulesChanged", lambda data: data["rules"].update(kept_cards=7)),
    "points of no version": Forgery(WILD, "RulesChanged", lambda data: data["rules"]["points"].pop()),
    "a summary of other rules": Forgery(
        HOST, "RulesChanged", lambda data: data["summary"].update(dirty=not data["summary"]["dirty"])
    ),
    "a delay call on oneself": Forgery("dropped", "DelayCalled", lambda data: data.update(accused=data["seat"])),
}


def nth(events: list[Event], named: str, n: int) -> int:
    """Return the place of the n-th such fact; `Fact:2` is the third."""
    fact, _, of = named.partition(":")
    return [at for at, event in enumerate(events) if event["fact"] == fact][int(of or n)]


def forged(forgery: Forgery) -> tuple[bytes, int]:
    """Return the forged export and the version that must be named."""
    history = game(forgery.game)
    events = events_of(history)
    at = nth(events, forgery.fact, forgery.n)
    forgery.change(events[at]["data"])
    named = nth(events, forgery.at_fact, 0) if forgery.at_fact else at
    return export_bytes(rewritten(history, events)), named + 1
