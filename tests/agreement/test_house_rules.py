"""All verifiers find games of house rules right, and notice what such rules don't allow."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from domain.rules.choices import AllPass, Moon, OpeningLead, Partners, Quirk, Throw
from domain.rules.model import Rules
from replay.history import export_bytes
from tests.agreement.verdicts import FOUND, RIGHT, unlike, verdicts
from tests.replay.forging import events_of, rewritten
from tests.replay.house import FOUR, HOUSES, TEN, House, house
from tests.verifiers.go import Verifier
from tests.web.engines import Engine

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program

Data = dict[str, Any]
Forge = Callable[[list[Data]], object]


ALONE = replace(TEN, seats=(5,), partners=Partners.ALONE, auction=replace(TEN.auction, moon=Moon.NONE))
TABLES: dict[str, tuple[Rules, int]] = HOUSES | {
    "a stock that runs out": (ALONE, 5),
    "quirks": (replace(ALONE, quirks=tuple(Quirk), opening_lead=OpeningLead.TRUMP, throw=Throw.POINTS_STAY), 5),
    "the same dealer": (replace(FOUR, auction=replace(FOUR.auction, all_pass=AllPass.SAME_DEALER)), 4),
}


ELSEWHERE = {"ten-point", "ten-point-pairs", "seven-point", "thirteen-point", "smear", "pedro", "cinch", "setback-21"}
"""Presets of which tests/campaigns/agreement plays games for all readers, too."""
SEEDS = {"the same dealer": 3}
"""Numbers of games in which a hand is thrown in."""


def opened(name: str, seed: int) -> House:
    """Open a table of one of these kinds."""
    return house(seed, *TABLES[name])


def ended(made: House, hands: int) -> House:
    """Play some hands, then let all seats resign, so that every deal is revealed."""
    made.hands(hands, often=0.05)
    for seat in made.state.persons:
        if not made.over:
            made.resign(seat)
    return made


def test_games_of_house_rules_are_right(engine: Engine, verifier: Verifier) -> None:
    exports = dict[str, bytes]()
    for name in (each for each in TABLES if each not in ELSEWHERE):
        made = opened(name, 2)
        made.hands(1, often=0.05).play(most=12)
        exports[f"{name}, as a seat sees it"] = export_bytes(made.seen_by(1))
        exports[name] = export_bytes(ended(made, 2).history)
    assert unlike(verdicts(exports, engine, verifier), RIGHT) == {}


def nth(events: list[Data], fact: str, n: int = 0) -> int:
    """Return the place of the n-th event with that fact."""
    return [at for at, event in enumerate(events) if event["fact"] == fact][n]


def of(events: list[Data], fact: str, n: int = 0) -> Data:
    """Return the data of the n-th event with that fact."""
    data: Data = events[nth(events, fact, n)]["data"]
    return data


def taken(events: list[Data], fact: str, more: int) -> None:
    """Let a seat take more cards from the front of the stock, or fewer."""
    at, stock = nth(events, fact), of(events, "StockLaid")["cards"]
    events[at]["data"]["count"] += more
    events[at + 1]["data"]["cards"] = stock[: events[at]["data"]["count"]]


def other_kitty_card(events: list[Data]) -> None:
    of(events, "CardsTaken")["cards"][0] = of(events, "StockLaid")["cards"][-1]


def no_exchange(events: list[Data], fact: str) -> None:
    at = nth(events, fact)
    del events[at : at + 2]


def other_taker(events: list[Data]) -> None:
    at = nth(events, "StockTaken")
    for event in events[at : at + 2]:
        event["data"]["seat"] = (event["data"]["seat"] + 1) % 4
        event["by"] = f"p{event['data']['seat']}"
    events[at + 1]["seen_by"] = [events[at]["data"]["seat"]]


def fewer_discards(events: list[Data]) -> None:
    of(events, "CardsDiscarded")["count"] -= 1
    of(events, "CardsBuried")["cards"].pop()


def no_empty_cards(events: list[Data]) -> None:
    empty = [at for at, event in enumerate(events) if event["fact"] == "CardsDrawn" and not event["data"]["count"]]
    del events[empty[0] + 1]


def turned_up(events: list[Data]) -> None:
    at = nth(events, "StockLaid")
    event, card = deepcopy(events[at]), of(events, "StockLaid")["cards"][0]
    data = {"hand": 1, "card": card, "suit": card[-1]}
    events.insert(at + 1, event | {"fact": "TrumpTurnedUp", "data": data, "seen_by": None, "salt": "ab" * 16})


def dealer_of_next(events: list[Data]) -> None:
    assert any(event["fact"] == "HandThrownIn" for event in events)
    of(events, "GameOpened")["rules"]["auction"]["all_pass"] = "throw_in"


def rules(**fields: Any) -> Forge:
    """Return a change of the recorded rules."""
    return lambda events: of(events, "GameOpened")["rules"].update(fields)


FORGED: dict[str, tuple[str, Forge]] = {
    "another card of the kitty": ("four-point-kitty", other_kitty_card),
    "a card more in the kitty": ("four-point-kitty", lambda events: taken(events, "StockTaken", 1)),
    "rules with another kitty": ("four-point-kitty", rules(kitty=2)),
    "no kitty": ("four-point-kitty", lambda events: no_exchange(events, "StockTaken")),
    "a card drawn too many": ("pedro", lambda events: taken(events, "CardsDrawn", 1)),
    "a card drawn too few": ("pedro", lambda events: taken(events, "CardsDrawn", -1)),
    "no draw": ("pedro", lambda events: no_exchange(events, "CardsDrawn")),
    "the stock for another seat than the dealer": ("pedro", other_taker),
    "a removed card dealt": ("smear", lambda events: of(events, "CardsDealt")["cards"].__setitem__(0, "X2")),
    "a removed card drawn": ("smear", lambda events: of(events, "CardsTaken")["cards"].__setitem__(0, "X2")),
    "a removed card in the deck": ("smear", lambda events: of(events, "GameOpened")["deck"].append("X2")),
    "rules that remove another card": ("smear", rules(removed=["X1"])),
    "rules that remove no card": ("smear", rules(removed=[])),
    "another dealer after a hand that was thrown in": ("the same dealer", dealer_of_next),
    "an empty draw without its quirk": ("quirks", rules(quirks=[])),
    "an empty draw without its cards": ("quirks", no_empty_cards),
    "a card kept too many": ("ten-point-teams", fewer_discards),
    "a card turned up though trump is fixed": ("oh-hell-spades", turned_up),
    "trump named though it is fixed": ("four-point-kitty", rules(trump="fixed", fixed_trump="S")),
}


def test_what_house_rules_do_not_allow_is_found(engine: Engine, verifier: Verifier) -> None:
    games = {game for game, _ in FORGED.values()}
    sound = {game: ended(opened(game, SEEDS.get(game, 1)), 2).history for game in games}
    forgeries = dict[str, bytes]()
    for name, (game, forge) in FORGED.items():
        events = events_of(sound[game])
        forge(events)
        forgeries[name] = export_bytes(rewritten(sound[game], events))
    assert unlike(verdicts({game: export_bytes(each) for game, each in sound.items()}, engine, verifier), RIGHT) == {}
    assert unlike(verdicts(forgeries, engine, verifier), FOUND) == {}
