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
    """A change to the n-th `fact` of a game, and the finding on the event, or on the event `shows` events later."""

    game: str
    fact: str
    change: Callable[[Data], object]
    says: str
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
    "a seal the cut does not fit": of_cuts(
        "CeremonyOpened", sealed_otherwise, "the cut of seat 0 doesn't match its seal", 1, "CutOpened:2"
    ),
    "a sealed cut": of_cuts("CutOpened", put_to("cut", ZERO), "the cut of seat 0 doesn't match its seal", 2),
    "a cut of nobody": of_cuts("CutOpened", put_to("n", 9), "ceremony 9, which isn't waiting for a cut"),
    "a cut twice": of_cuts("CutOpened", put_to("seat", 0), "seat 0 cuts ceremony 1 twice", 1),
    "the seat that withheld a cut": Forgery("kept back", "HandDealt", put_to("missing", []), "but these are [1]", 1),
    "why it is voided": Forgery("kept back", "CeremonyVoided", put_to("reason", "luck"), 'unknown reason, "luck"'),
    "what is voided instead": Forgery("kept back", "CeremonyVoided", put_to("n", 1), "which can't be voided here"),
    "a reveal of another": of_cuts("CeremonyRevealed", put_to("n", 2), "can't be revealed here"),
    "a dealer": of_cuts("HandDealt", put_to("dealer", 0), "seat 0 deals, but seat 1 should"),
    "the number of a hand": of_cuts("HandDealt", raised("hand"), "it deals hand 2 redeal 0, but hand 1"),
    "the stock told": of_cuts("HandDealt", raised("stock"), "its stock is 41 cards, but 40 of 52 are left"),
    "cards in another order": of_cuts(
        "CardsDealt", turned("cards"), "seat 0 gets other cards than the seed of ceremony 1 deals"
    ),
    "a card less": of_cuts("CardsDealt", lambda data: data["cards"].pop(), "gets 5 cards, but the deal says 6"),
    "another upcard": Forgery(
        BLACKOUT, "TrumpTurnedUp", put_to("card", "2C"), "2C is turned up, but it isn't the first"
    ),
    "another suit turned up": Forgery(BLACKOUT, "TrumpTurnedUp", put_to("suit", "X"), "makes X trump"),
    "a coin": Forgery(
        "coin",
        "CoinFlipped",
        lambda data: data.update(winner=next(seat for seat in data["seats"] if seat != data["winner"])),
        "the coin goes to seat",
    ),
    "a misdeal that nobody declares": of_cuts(
        "GameOpened",
        lambda data: data["rules"].update(misdeal=["X"]),
        "hand 1 is a misdeal, but it continues",
        at_fact="BidMade",
    ),
    "a misdeal": Forgery(
        "misdeal",
        "MisdealDeclared",
        lambda data: data.update(seats=[3] if data["seats"] != [3] else [2]),
        "have no honor",
    ),
    "a draw's label": Forgery(WILD, "RulesChanged", put_to("label", "randomizer 99 what"), "it is drawn as"),
    "a draw recorded as the host's": Forgery(WILD, "RulesChanged", put_to("cause", "host"), "don't allow it"),
    "a host's change recorded as drawn": Forgery(
        HOST, "RulesChanged", lambda data: data.update(cause="randomizer"), "it is drawn as", -1
    ),
    "a change that waited": Forgery(HELD, "RulesChanged", raised("of"), "another change takes effect", -1),
    "an end that is drawn": Forgery(ENDED, "GameEnded", put_to("label", "randomizer 0 end"), "doesn't end the session"),
    "an end without its draw": Forgery(ENDED, "GameEnded", put_to("label", None), "names no draw"),
    "the odds": Forgery(
        WILD,
        "GameOpened",
        lambda data: data["rules"]["changes"]["randomizer"].update(when=[0, 3]),
        "the randomizer changes no rule at turn",
        at_fact="RulesChanged",
    ),
    "a card played": of_cuts("CardPlayed", put_to("card", "X1"), "plays X1, which it doesn't hold"),
    "cards thrown away": Forgery(
        WILD, "CardsBuried", lambda data: data["cards"].__setitem__(0, "XX"), "discards XX, which it doesn't hold"
    ),
    "a taker": of_cuts("TrickTaken", swapped, "tricks, but", 0, "HandScored"),
    "a trick's number": of_cuts("TrickTaken", raised("trick"), "it is trick 2 of hand 1, but trick 1"),
    "a taker who doesn't exist": of_cuts("TrickTaken", put_to("seat", 7), "there is no seat 7"),
    "a taker who did not play": Forgery(WILD, "TrickTaken", another_taker, "takes a trick without a card in it", -1),
    "the hand scored": of_cuts("HandScored", raised("hand"), "it scores hand 2 during hand 1"),
    "where moves go back to": of_cuts("MovesTakenBack", put_to("to_version", 1), "has no version 1 to return to"),
    "moves taken back past a discard": Forgery(
        "practice", "MovesTakenBack", put_to("to_version", 40), "it goes back past event 41", 2
    ),
    "an undo asked for by a bot": Forgery(
        "practice", "UndoAsked", raised("seat"), "is a bot, but asks to take a move back"
    ),
    "an undo in a game without undos": Forgery(
        "practice", "GameOpened", put_to("undo", "none"), "no move of this game can be taken back", at_fact="UndoAsked"
    ),
    "another kind of undo": of_cuts("GameOpened", put_to("undo", "always"), "must be one of consent"),
    "practice of more than one person": of_cuts("GameOpened", put_to("undo", "practice"), "people play"),
    "what is voided": of_disputes("RulingGiven", put_to("voids", 1), "it voids the hand of ceremony 1", 3),
    "a dispute about luck": of_disputes("DisputeOpened", put_to("kind", "luck"), '"luck" isn\'t a kind of dispute'),
    "grounds that are no hash": of_disputes("DisputeOpened", put_to("note", "x"), "its note isn't 32 bytes in hex"),
    "a decision": of_disputes("RulingGiven", put_to("decision", "maybe"), '"maybe" isn\'t a decision'),
    "a proof": of_disputes("RulingGiven", put_to("standard", "felt"), '"felt" isn\'t a standard of proof'),
    "a ruling that drops a call itself": of_disputes(
        "RulingGiven", put_to("drops_call", True), "as only rulings of version 1 did"
    ),
    "a decision on an appeal": of_disputes("RulingDecided", put_to("decision", "maybe"), 'is decided as "maybe"'),
    "who voids a deal": Forgery("kept back", "CeremonyVoided", put_to("by", "p0"), "is voided by p0"),
    "who voids a deal by a ruling": Forgery("void", "CeremonyVoided", put_to("by", "p0"), "is voided by p0"),
    "the seat that asks for an undo": of_cuts("UndoAsked", swapped, "can't be the author of this UndoAsked"),
    "an undo to which one player didn't agree": Forgery(
        "undone", "UndoAnswered", put_to("seat", 0), "not every player agreed", at_fact="MovesTakenBack"
    ),
    "a card that pitches and isn't led": of_cuts("TrumpPitched", other_rank, "pitched trump", at_fact="CardPlayed"),
    "a card of no deck": of_cuts("CardsDealt", lambda data: data["cards"].__setitem__(0, "1Z"), "1Z isn't a card"),
    "an end of a ceremony": of_cuts("GameEnded", put_to("n", 1), "it names ceremony 1, but no draw of it"),
    "a change for no cause": Forgery(WILD, "RulesChanged", put_to("cause", "luck"), '"luck" changes no rules'),
    "a rule that can't change": Forgery(
        WILD, "RulesChanged", lambda data: data["rules"].update(kept_cards=7), "can't change kept_cards"
    ),
    "points of no version": Forgery(
        WILD, "RulesChanged", lambda data: data["rules"]["points"].pop(), "points and off aren't those of the version"
    ),
    "a summary of other rules": Forgery(
        HOST,
        "RulesChanged",
        lambda data: data["summary"].update(dirty=not data["summary"]["dirty"]),
        "the summary isn't",
    ),
    "a delay call on oneself": Forgery(
        "dropped", "DelayCalled", lambda data: data.update(accused=data["seat"]), "calls delay of game on itself"
    ),
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
