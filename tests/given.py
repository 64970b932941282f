"""given(facts).when(command).then(facts): tests that read like the rules.

given(*deal("4 players")).when(MakeBid(0, 3)).then(BidMade(0, 3, next=(1,)))
given(*facts).when(PlayCard(1, "2C")).rejected(MustFollow)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from domain.cards import DECK_52, DECK_54, Card, parse_exact_card
from domain.commands import Command
from domain.decide import decide
from domain.decide.envelope import fact_audience, fact_author
from domain.events import (
    FACT_VERSIONS,
    AuctionWon,
    BidMade,
    BidPassed,
    CardsDealt,
    CeremonyOpened,
    Event,
    Fact,
    Fairness,
    GameLimits,
    GameOpened,
    HandDealt,
    Player,
    Rating,
    SeedKept,
    StockLaid,
    Timing,
)
from domain.evolve import evolve
from domain.protocols import fairdeal
from domain.rejections import Rejected
from domain.rules.model import Rules
from domain.rules.variants import compose_rules
from domain.state import EMPTY_STATE, SERVER, State
from tests.step_limit import check_steps

GAME = "0f8fad5b-d9cb-469f-a165-70867728950e"
AT = "2026-11-21T08:00:00.000000Z"
SEED = "11" * 32


def cards(text: str) -> tuple[Card, ...]:
    """Parse cards: "AD 10C KH"."""
    return tuple(parse_exact_card(each) for each in text.split())


def game_opened(
    players: int = 4,
    *,
    variant: str = "pitch",
    bots: Iterable[int] = (),
    rules: Rules | None = None,
    limits: GameLimits | None = None,
    undo: str = "consent",
    timing: Timing | None = None,
    autopilot: str = "forfeit",
    **options: Any,
) -> GameOpened:
    """Open a game of p0, p1 ...; the seats in `bots` are bots; `rules` replaces the rules that the options compose."""
    composed_rules, chosen = compose_rules(variant, options)
    people = tuple(
        Player(f"bot:random:{seat}", "bot", "random") if seat in tuple(bots) else Player(f"p{seat}", "human")
        for seat in range(players)
    )
    play_by = rules or composed_rules
    sides = play_by.sides(players)
    table = (1, variant, play_by, chosen, sides, people, play_by.deck, timing or Timing(), Fairness(), "hand", limits)
    reason = "practice" if undo == "practice" else "bots" if tuple(bots) else None
    rated = None if reason is None else Rating(counts=False, reason=reason)
    return GameOpened(*table, rated=rated, undo=undo, autopilot=autopilot)


def deal(
    hands: Sequence[str], hand: int = 1, dealer: int | None = None, *, stock: str | None = None, jokers: bool = False
) -> tuple[Fact, ...]:
    """Return the facts of a deal: `hands[seat]` as text, dealt by the last seat by default.

    The stock is `stock` as text, by default the rest of the deck, with or without jokers.
    """
    held, seats = [cards(each) for each in hands], len(hands)
    deck = DECK_54 if jokers else DECK_52
    by = seats - 1 if dealer is None else dealer
    eldest = (by + 1) % seats
    rest = tuple(card for card in deck if not any(card in each for each in held))
    laid = rest if stock is None else cards(stock)
    commit = fairdeal.commit(GAME, hand, f"deal hand {hand}", bytes.fromhex(SEED)).hex()
    counts = tuple(map(len, held))
    return (
        CeremonyOpened(hand, f"deal hand {hand}", commit, {}),
        SeedKept(hand, SEED),
        HandDealt(hand, 0, hand, by, eldest, counts, len(laid), (), (), "F0", (eldest,)),
        *(CardsDealt(hand, seat % seats, held[seat % seats]) for seat in range(eldest, eldest + seats)),
        *((StockLaid(hand, laid),) if laid else ()),
    )


def auction(*bids: int, eldest: int = 0) -> tuple[Fact, ...]:
    """Return the facts of an auction of Pitch from the eldest hand on, 0 for a pass, won by the highest bid."""
    seats, high = len(bids), max(bids)
    order = [(eldest + turn) % seats for turn in range(seats)]
    won = order[bids.index(high)]
    said: list[Fact] = []
    for seat, bid in zip(order, bids, strict=True):
        after: tuple[int, ...] = () if seat == order[-1] else ((seat + 1) % seats,)
        said.append(BidMade(seat, bid, after) if bid else BidPassed(seat, after))
    sides = ((won,), *((seat,) for seat in range(seats) if seat != won))
    return *said, AuctionWon(won, high, forced=False, max=high == 5, sides=sides, next=(won,))


def events(facts: Iterable[Fact]) -> list[Event[Any]]:
    """Return the facts in envelopes, each with its own command id (a pitched trump shares its card's)."""
    folded, state = [], EMPTY_STATE
    for version, fact in enumerate(facts, 1):
        name = type(fact).__name__
        by = fact_author(fact, state, SERVER)
        command = f"c{version + (name == 'TrumpPitched')}"
        v = FACT_VERSIONS[name]
        event = Event(AT, by, command, fact, name, GAME, "00" * 16, fact_audience(fact, state), v, version)
        state = evolve(state, event)
        folded.append(event)
    return folded


def state_of(facts: Iterable[Fact]) -> State:
    """Return the state after `facts`, in order from the opening."""
    state = EMPTY_STATE
    for event in events(facts):
        state = evolve(state, event)
    return state


@dataclass(frozen=True)
class Given:
    """A situation: the facts so far and their state."""

    state: State
    facts: tuple[Fact, ...]

    def when(self, command: Command) -> "When":
        """Send a command in this situation."""
        return When(self, command)


@dataclass(frozen=True)
class When:
    """A command in a situation."""

    given: Given
    command: Command

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return the facts of the command; a refusal raises."""
        return decide(self.given.state, self.command)

    def then(self, *facts: Fact) -> Given:
        """Assert that exactly these facts follow, and return the situation after them."""
        assert self.facts == facts
        return self.happens()

    def happens(self) -> Given:
        """Return the situation after the command's facts."""
        check_steps(len(self.given.facts), 5000)
        return given(*self.given.facts, *self.facts)

    def rejected(self, offence: type[Rejected], *said: str) -> Rejected:
        """Assert that the command is refused with this class and a sentence that holds each of `said`."""
        with pytest.raises(Rejected) as refused:
            decide(self.given.state, self.command)
        assert type(refused.value) is offence, f"refused as {refused.type.__name__}: {refused.value}"
        assert all(each in str(refused.value) for each in said), str(refused.value)
        return refused.value


def given(*facts: Fact) -> Given:
    """Return the situation after `facts`, from the opening of the game."""
    return Given(state_of(facts), facts)
