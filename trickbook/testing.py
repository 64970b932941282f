"""Tests of rules: given(facts).when(command).then(facts), for authors of variants and extensions.

    from domain.commands import MakeBid
    from domain.events import BidMade
    from domain.rejections import BidTooLow
    from trickbook.testing import deal, game_opened, given

    HANDS = ["AS KS 2C 3C 4C 5C", "2D 3D 4D 5D 6D 7D", "2H 3H 4H 5H 6H 7H"]
    table = given(game_opened(3), *deal(HANDS))
    table.when(MakeBid(0, 3)).then(BidMade(0, 3, next=(1,))).when(MakeBid(1, 2)).rejected(BidTooLow)

Nothing is stored, and nothing is left to chance: the game's id, the times and the seeds are always the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from domain.cards import DECK_52, DECK_54, Card, parse_exact_card
from domain.commands import Command
from domain.decide import decide
from domain.decide.commits import fact_audience, fact_author
from domain.events import (
    FACT_VERSIONS,
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

__all__ = ["AT", "GAME", "SEED", "Given", "When", "cards", "deal", "events", "game_opened", "given", "state_of"]

GAME = "0f8fad5b-d9cb-469f-a165-70867728950e"
"""The id of the game."""
AT = "2026-11-21T08:00:00.000000Z"
"""The time of every fact."""
SEED = "11" * 32
"""The seed of every deal, in hex."""
MOST_FACTS = 5000
"""More than any game of a test needs."""


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
    composed_rules, chosen = compose_rules(variant, options, players)
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
        found = self.facts
        if found != facts:
            raise AssertionError(f"expected{_lines(facts)}\nbut there followed{_lines(found)}")
        return self.happens()

    def happens(self) -> Given:
        """Return the situation after the command's facts."""
        if len(self.given.facts) >= MOST_FACTS:
            raise AssertionError(f"The game isn't over after {MOST_FACTS} facts. Look for a move that changes nothing.")
        return given(*self.given.facts, *self.facts)

    def rejected(self, offence: type[Rejected], *said: str) -> Rejected:
        """Assert that the command is refused with this class and a sentence that holds each of `said`."""
        try:
            facts = decide(self.given.state, self.command)
        except Rejected as refused:
            if type(refused) is not offence or not all(each in str(refused) for each in said):
                wanted = " and ".join([offence.__name__, *map(repr, said)])
                raise AssertionError(f"expected {wanted}, but it was {type(refused).__name__}: {refused}") from None
            return refused
        raise AssertionError(f"expected {offence.__name__}, but there followed{_lines(facts)}")


def _lines(facts: Iterable[Fact]) -> str:
    return "".join(f"\n  {fact}" for fact in facts) or " nothing"


def given(*facts: Fact) -> Given:
    """Return the situation after `facts`, from the opening of the game."""
    return Given(state_of(facts), facts)
