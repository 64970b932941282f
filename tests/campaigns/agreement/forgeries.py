"""Forgeries of random games, as only the owner of the whole store can make them: all hashes and the receipt fit.

A kind is a field of a fact or of its envelope that gets another value, or a change to whole events. Each next forgery
is of a kind that came least often before, as far as the game has it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from domain.cards import SUITS
from replay.history import export_bytes
from tests.agreement.fields import MORE
from tests.campaigns.agreement.random_games import random_game
from tests.replay.forging import Path, events_of, leaves_of, other, put, rewritten
from tests.web.example import with_receipt

Event = dict[str, Any]
HEX = re.compile("[0-9a-f]{24,}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
ENVELOPE = ("at", "by", "command", "seen_by", "salt", "v")


class Forgery(NamedTuple):
    """A forged game: its kind, the version of the event that was changed, and the export."""

    name: str
    kind: str
    version: int
    data: bytes


def _kind_of(fact: str, path: Path) -> str:
    """Return the kind of a change of a value: the fact and its field, whatever the place in it."""
    return f"{fact}.{path[0]}"


def _other_value(value: Any, deck: list[str], chance: Random) -> Any:
    """Return another value that could stand there."""
    match value:
        case str() if value in deck:
            return chance.choice([card for card in deck if card != value])
        case str() if value in SUITS:
            return chance.choice([suit for suit in SUITS if suit != value])
        case str() if HEX.fullmatch(value):
            return ("0" if value[0] != "0" else "1") + value[1:]
        case str() if TIME.fullmatch(value):
            at = chance.choice((3, 12, 18))  # a year, an hour, a second
            return value[:at] + str((int(value[at]) + 1) % (10 if at == 3 else 6 if at != 12 else 4)) + value[at + 1 :]
        case bool():
            return not value
        case int():
            return value + chance.choice((-1, 1)) if value else value + 1
    return other(value)


def _values(events: list[Event]) -> dict[str, list[tuple[int, Path]]]:
    """Return the places of each kind of value in a log, by the index of the event and the path in its data."""
    places = dict[str, list[tuple[int, Path]]]()
    for at, event in enumerate(events):
        for path in leaves_of(event["data"]):
            if path:
                places.setdefault(_kind_of(event["fact"], path), []).append((at, path))
    return places


def _of_envelope(events: list[Event], name: str, chance: Random) -> int:
    """Change a field of an envelope, and return the index of the event."""
    at = chance.randrange(1, len(events))
    event = events[at]
    players = {player["player"] for player in events[0]["data"]["players"]}
    others = [each for each in (*sorted(players), "server", "p_nobody") if each != event["by"]]
    match name:
        case "by":
            event["by"] = chance.choice(others)
        case "salt":
            event["salt"] = events[chance.choice([each for each in range(len(events)) if each != at])]["salt"]
        case "seen_by":
            event["seen_by"] = chance.choice([each for each in (None, [], [0], [1]) if each != event["seen_by"]])
        case "v":
            event["v"] += chance.choice((-1, 1))
        case _:
            event[name] = _other_value(event[name], [], chance)
    return at


def _left_out(events: list[Event], chance: Random) -> int:
    at = chance.randrange(len(events) - 1)
    del events[at]
    return at


def _twice(events: list[Event], chance: Random) -> int:
    at = chance.randrange(len(events))
    events.insert(at + 1, {**events[at], "salt": chance.randbytes(16).hex()})
    return at + 1


def _exchanged(events: list[Event], chance: Random) -> int:
    at = chance.randrange(len(events) - 1)
    events[at], events[at + 1] = events[at + 1], events[at]
    return at


def _field_more(events: list[Event], chance: Random) -> int:
    at = chance.randrange(len(events))
    events[at]["data"] = events[at]["data"] | {MORE: 1}
    return at


def _field_less(events: list[Event], chance: Random) -> int:
    at = chance.randrange(len(events))
    gone = chance.choice(sorted(events[at]["data"]))
    events[at]["data"] = {name: value for name, value in events[at]["data"].items() if name != gone}
    return at


WHOLE: dict[str, Callable[[list[Event], Random], int]] = {
    "an event left out": _left_out,
    "an event twice": _twice,
    "two events exchanged": _exchanged,
    "a field more": _field_more,
    "a field less": _field_less,
}


OURS = "Python"
NAMES = (OURS, "JavaScript", "Go")
"""The readers. The audit has no limits of its own: it misses only what all miss."""


class Limit(NamedTuple):
    """Readers that can't find kinds of forgeries, and why."""

    says: str
    readers: frozenset[str]
    kinds: frozenset[str]


def _limit(says: str, readers: str, kinds: str) -> Limit:
    return Limit(says, frozenset(readers.split()), frozenset(kinds.split()))


LIMITS: tuple[Limit, ...] = (
    _limit(
        "the rules: bids, auction, trump, legal cards, who takes a trick, partners and sides, whose turn it is, "
        "verdicts on delay",
        "JavaScript Go",
        """
        GameOpened.rules GameOpened.sides HandDealt.next BidMade.seat BidMade.bid BidMade.next BidPassed.seat
        BidPassed.next TrumpNamed.seat BidScaled.seat
        BidScaled.before BidScaled.after AuctionWon.seat AuctionWon.bid AuctionWon.forced AuctionWon.max
        AuctionWon.sides AuctionWon.next TrumpNamed.suit TrumpNamed.next PartnerCalled.seat PartnerCalled.card
        PartnerCalled.next PartnerCalled.begins_turn PartnerRevealed.bidder PartnerRevealed.seat
        PartnerRevealed.card PartnerRevealed.sides PartnerRevealed.next PartnersChanged.bidder
        PartnersChanged.partner PartnersChanged.sides CardsDiscarded.next CardsBuried.cards StockTaken.next
        CardPlayed.card CardPlayed.next TrickTaken.seat TrickTaken.kept TrickTaken.next MovesTakenBack.next
        RulesChanged.next DelayCalled.accused DelayVoted.guilty DelayJudged.guilty DelayJudged.scores
        """,
    ),
    _limit(
        "the rules: pegs, counts, bids and made of HandScored, why a game ended, its winners",
        "JavaScript Go",
        """
        HandScored.pegs HandScored.counts HandScored.bids HandScored.made GameEnded.reason GameEnded.winners
        GameEnded.ruled DisputeOpened.hand RulingGiven.dispute RulingGiven.ruled RulingGiven.changes
        RulingDecided.ruled DrawAnswered.accept
        """,
    ),
    _limit(
        "the clocks: deadlines, the time that a seat has left, turns and games that end by time",
        "Go",
        """
        GameOpened.timing GameOpened.autopilot TurnTimed.seat TurnTimed.left_ms TurnTimed.closed TurnTimed.held_ms
        TurnTimed.deadline TurnReminded.seat TurnReminded.held_ms TimeClaimed.late SeatForfeited.seat
        SeatForfeited.reason SeatForfeited.held_ms DelayCalled.waited_ms envelope.at
        """,
    ),
    _limit(
        "the server: that a move is its player's, and which events belong to one command",
        "JavaScript Go",
        """
        HandoverAnswered.accept UndoAnswered.accept SeatHandedOver.to envelope.at envelope.by envelope.command
        an_event_left_out an_event_twice two_events_exchanged
        """,
    ),
    _limit(
        "another game that could have been played: only a receipt or root that somebody kept shows it",
        "Python JavaScript Go",
        """
        GameOpened.fairness GameOpened.limits GameOpened.players GameOpened.timing GameOpened.watch
        CutOpened.cut CutOpened.next_seal BidMade.bid TrumpNamed.suit PartnerCalled.card CardPlayed.card
        UndoAnswered.accept DrawAnswered.accept HandoverAsked.to HandoverAsked.bot HandoverAnswered.accept
        DelayVoted.guilty DisputeOpened.hand DisputeOpened.at_version DisputeOpened.note RulingGiven.basis
        RulingGiven.note SeatForfeited.held_ms TurnReminded.held_ms envelope.at envelope.by envelope.command
        an_event_left_out
        """,
    ),
)
"""Limits of the readers, in the words in which the verifier in Go says what it doesn't check."""


@dataclass
class Forger:
    """Draws forgeries, and remembers how many there are of each kind."""

    seed: int
    kinds: Counter[str] = field(default_factory=Counter)

    def forge(self, number: int) -> Forgery:
        """Play the game of that number, and forge it."""
        chance = Random(f"forgery {self.seed} {number}")
        game = random_game(self.seed, number)
        history = game.table.history
        events = events_of(history)
        values = _values(events)
        possible = sorted([*values, *WHOLE, *(f"envelope.{name}" for name in ENVELOPE)])
        kind = min(possible, key=lambda each: (self.kinds[each], chance.random()))
        self.kinds[kind] += 1
        if kind in WHOLE:
            at = WHOLE[kind](events, chance)
        elif kind in values:
            at, path = chance.choice(values[kind])
            deck = events[0]["data"]["deck"]
            events[at]["data"] = put(events[at]["data"], path, lambda value: _other_value(value, deck, chance))
        else:
            at = _of_envelope(events, kind.removeprefix("envelope."), chance)
        return Forgery(f"{game.name}, {kind} at event {at + 1}", kind, at + 1, self._export(history, events))

    def _export(self, history: Any, events: list[Event]) -> bytes:
        return export_bytes(with_receipt(rewritten(history, events)))


def forgeries(seed: int, many: int, first: int = 1) -> Iterator[Forgery]:
    """Yield that many forgeries of as many games."""
    forger = Forger(seed)
    for number in range(first, first + many):
        yield forger.forge(number)


def limit_of(kind: str, blind: Sequence[str]) -> str | None:
    """Return the limit that explains why these readers find nothing in a forgery of that kind; None if none does."""
    named, ours = kind.replace(" ", "_"), OURS in blind
    if ours and len(blind) < len(NAMES):
        return None
    limits = [limit for limit in LIMITS if set(blind) <= limit.readers and ours is (OURS in limit.readers)]
    return next((limit.says for limit in limits if named in limit.kinds), None)
