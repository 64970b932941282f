"""Golden hands of Corellian Pitch: each is the first hand of a session with a given seed, and the next deal."""

from typing import Any

from tests.games.corellian_sessions import Session
from tests.golden import Golden

FIRST = "deal hand 1"


def _hand(seed: int, *, lively: bool = False, **changes: Any) -> Session:
    """Play the first hand; `lively` adds delay calls and calls out of turn, `changes` the randomizer."""
    session = Session(seed, randomizer={"when": [1, 6], "end": None} | changes if changes else None)
    while not session.hands_scored:
        session.lively(1) if lively else session.turns()
    return session


VERSIONS: dict[str, Any] = {"when": [1, 8], "points": ["4", "7", "10", "14"]}
CALLS: dict[str, Any] = {"points": ["10"], "dirty": False, "reverse": False, "partners": ["across", "call"]}
REVERSED: dict[str, Any] = {"points": ["14", "16"], "dirty": False, "partners": []}
SCALED: dict[str, Any] = {"when": [1, 8], "points": ["4", "7"], "dirty": False, "reverse": False, "partners": []}


def two_changes() -> Session:
    """Before the third card of trick 1 seven points become four, before the fourth the ranks are reversed."""
    return _hand(86, **VERSIONS)


def deferred() -> Session:
    """Delay of game is called in trick 1, judged in trick 3; reverse is drawn in trick 3 and comes after the hand."""
    return _hand(87, lively=True, **VERSIONS)


def called_nobody() -> Session:
    """In trick 2 partners become called ones; the table waits for a call, and no seat has the two of diamonds."""
    return _hand(794, **CALLS)


def called_himself() -> Session:
    """In trick 1 partners become called ones; the bidder calls a six that they hold."""
    return _hand(241, **CALLS)


def reverse() -> Session:
    """Reversed, both jokers, the off jack and the off two are played to trick 1, and the off two takes it."""
    return _hand(398, **REVERSED)


def misdeal() -> Session:
    """A seat without an honour: the same dealer deals again."""
    return Session(25, randomizer=None).turns(2)


def scaled() -> Session:
    """Ten points become seven before the last call: both bids are scaled; four, in trick 2: the bidder's again."""
    return _hand(60, **SCALED)


def everything() -> Session:
    """Ten are bid of ten and not made: twenty are lost."""
    return _hand(225)


HANDS = (
    Golden("corellian_two_changes", "Corellian Pitch: two changes in one trick (C9, R-C19)", two_changes, FIRST),
    Golden("corellian_deferred", "Corellian Pitch: a change deferred by a delay call (C30, R-C64)", deferred, FIRST),
    Golden("corellian_nobody", "Corellian Pitch: nobody has the card that was called (C14)", called_nobody, FIRST),
    Golden("corellian_himself", "Corellian Pitch: the bidder has called their own card (C14)", called_himself, FIRST),
    Golden("corellian_reverse", "Corellian Pitch: reversed, off cards and both jokers (C25, C27, C35)", reverse, FIRST),
    Golden("corellian_misdeal", "Corellian Pitch: a misdeal (C4, C5, R-C4)", misdeal),
    Golden("corellian_scaled", "Corellian Pitch: bids are scaled (C17, R-C23)", scaled, FIRST),
    Golden("corellian_everything", "Corellian Pitch: a bid of everything is lost (C32, C33)", everything, FIRST),
)
