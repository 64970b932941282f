"""The audit finds facts that a forger changed with all hashes: those that tests/campaigns/tamper and the lists lack."""

from typing import Any

import pytest

from replay.audit import WRONG, audit
from tests.replay.finding import TIED, Change, Data, Which, any_of_them, find_fact
from tests.replay.forging import forged, in_event

WILD = "Corellian that changes all the time"
ENDED = "Corellian ended by a draw"
HOST = "Corellian with a host who changes rules"
CUTS = "Pitch with open cuts"


def set_to(**fields: Any) -> Change:
    return lambda data: data.update(fields)


def turned(name: str) -> Change:
    return lambda data: data.update({name: data[name][::-1]})


def scored(data: Data, seat: int, by: int) -> None:
    """Give a seat more points and adjust the sums."""
    data["changes"][seat] += by
    data["scores"][seat] += by


def dirtied(data: Data) -> None:
    """Change a rule that no menu changes."""
    data["rules"]["goal"] = 50


def other_of_two(data: Data) -> None:
    data["winner"] = next(seat for seat in data["seats"] if seat != data["winner"])


def outsider(data: Data) -> None:
    """Let a seat win the coin flip that isn't part of it."""
    data["winner"] = next(seat for seat in range(4) if seat not in data["seats"])


FORGERIES: list[tuple[str, str, str, Change, Which]] = [
    ("no pick at all", WILD, "RulesChanged", set_to(pick=None), any_of_them),
    ("a change put down to the host", WILD, "RulesChanged", set_to(cause="host"), any_of_them),
    ("a change put down to a wait", WILD, "RulesChanged", set_to(cause="deferred"), any_of_them),
    ("a rule the host cannot change", HOST, "RulesChanged", dirtied, lambda data: data["cause"] == "host"),
    ("a draw the host never made", HOST, "RulesChanged", set_to(n=1), lambda data: data["cause"] == "host"),
    ("what had waited", WILD, "RulesChanged", set_to(pick=99), lambda data: data["cause"] == "deferred"),
    ("the draw that ended it", ENDED, "GameEnded", set_to(label="randomizer 99 end"), any_of_them),
    ("a session ended by time", ENDED, "GameEnded", set_to(reason="time", n=None, label=None), any_of_them),
    ("who won a session", ENDED, "GameEnded", lambda data: data.update(winners=data["winners"][1:]), any_of_them),
    ("the order of the seats", "Blackout", "SeatsDrawn", turned("order"), any_of_them),
    ("the seat without an honor", WILD, "MisdealDeclared", set_to(seats=[0, 1, 2, 3]), any_of_them),
    ("a redeal's subject", WILD, "CeremonyOpened", set_to(subject="deal hand 2"), lambda d: "redeal" in d["subject"]),
    ("the suit of the upcard", "Blackout", "TrumpTurnedUp", set_to(suit="C"), lambda data: data["suit"] != "C"),
    ("the pitcher as the called partner", WILD, "PartnerRevealed", lambda d: d.update(seat=d["bidder"]), any_of_them),
    ("the sides of a called partner", WILD, "PartnerRevealed", turned("sides"), any_of_them),
    ("cards thrown openly", WILD, "CardsDiscarded", lambda d: d["shown"].append("2C"), any_of_them),
    ("a card kept", WILD, "TrickTaken", set_to(kept=[]), lambda data: bool(data["kept"])),
    ("the seats of a coin", TIED, "CoinFlipped", turned("seats"), any_of_them),
    ("the winner of a coin", TIED, "CoinFlipped", other_of_two, any_of_them),
    ("a winner who has no part in a coin", TIED, "CoinFlipped", outsider, any_of_them),
    ("a game count if none counts", "Blackout", "HandScored", set_to(counts=[0, 0, 0, 0]), any_of_them),
    ("low to the taker", "Setback with three and low as dealt", "HandScored", lambda d: scored(d, 0, 1), any_of_them),
    ("the sides of a pitcher", WILD, "AuctionWon", turned("sides"), any_of_them),
    ("a seal at a table of open cuts", CUTS, "CutOpened", set_to(next_seal="5a" * 32), any_of_them),
]


@pytest.mark.lengthy
@pytest.mark.parametrize(
    ("name", "fact", "change", "which"), [each[1:] for each in FORGERIES], ids=[each[0] for each in FORGERIES]
)
def test_a_changed_fact_is_found_where_it_stands(name: str, fact: str, change: Change, which: Which) -> None:
    history, version = find_fact(name, fact, which)
    report = audit(forged(history, in_event(version, lambda event: change(event["data"]))))
    assert not report.log, "links and leaves are in order again"
    assert report.code(live_is_fine=True) == WRONG
    assert version in {each.version for each in report.findings}, report.findings
