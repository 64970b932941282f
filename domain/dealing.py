"""The table's own doings: commitments, deals, reveals and the end of a game (fairdeal/1)."""

from collections.abc import Callable
from dataclasses import dataclass

from domain import fairdeal
from domain.cards import Card
from domain.commands import DealHand, EndGame, OpenCeremony, RevealCeremony, VoidCeremony
from domain.endings import verdict
from domain.events import (
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    Fact,
    GameEnded,
    HandDealt,
    SeedKept,
    StockLaid,
)
from domain.rejections import NotDue
from domain.rules import FirstDealer
from domain.state import SERVER, Ceremony, State


@dataclass(frozen=True)
class NextDeal:
    """Which hand is dealt next, how often it was dealt before, and by which seat."""

    hand: int
    redeal: int
    dealer: int

    @property
    def subject(self) -> str:
        """What the table commits itself to before this deal (fairdeal/1)."""
        return f"deal hand {self.hand}" + (f" redeal {self.redeal}" if self.redeal else "")


FIRST_DEALERS: dict[FirstDealer, Callable[[int], int]] = {FirstDealer.LAST_SEAT: lambda seats: seats - 1}
"""Who deals hand 1 at a table of that many seats (R-S2)."""


def next_deal(state: State) -> NextDeal:
    """The deal moves left after every hand (S17, R-S3); hand 1 is dealt by whom the rules name (R-S2)."""
    if state.hand is not None:
        return NextDeal(state.hand.number + 1, 0, (state.hand.dealer + 1) % len(state.seats))
    return NextDeal(1, 0, FIRST_DEALERS[state.rules.first_dealer](len(state.seats)))


def _ceremony(state: State, n: int, *, dealt: bool) -> tuple[Ceremony, str]:
    """Ceremony `n` and its seed; refuses one that is not open, or not at that stage."""
    for ceremony in state.ceremonies:
        if ceremony.n == n and ceremony.dealt is dealt and ceremony.seed is not None:
            return ceremony, ceremony.seed
    raise NotDue(f"ceremony {n} is not open for this")


def open_ceremony(state: State, command: OpenCeremony) -> tuple[Fact, ...]:
    """The commitment for everybody, its seed for nobody."""
    if command.n != state.ceremony_count + 1 or any(not each.dealt for each in state.ceremonies):
        raise NotDue(f"ceremony {command.n} is not due")
    if command.subject != (due := next_deal(state).subject):
        raise NotDue(f"the next commitment is to {due!r}, not to {command.subject!r}")
    commit = fairdeal.commit(state.game, command.n, command.subject, bytes.fromhex(command.seed)).hex()
    return CeremonyOpened(command.n, command.subject, commit, {}), SeedKept(command.n, command.seed)


def deal_hand(state: State, command: DealHand) -> tuple[Fact, ...]:
    """Card i of the deck to seat (eldest + i) mod n until every hand is full (S20); the rest is the stock."""
    ceremony, _ = _ceremony(state, command.n, dealt=False)
    if sorted(command.deck) != sorted(state.rules.deck):
        raise NotDue("that is not the whole deck")
    deal, seats = next_deal(state), len(state.seats)
    eldest, size = (deal.dealer + 1) % seats, state.rules.hand_size(deal.hand)
    dealt, stock = command.deck[: size * seats], command.deck[size * seats :]
    order = [(eldest + turn) % seats for turn in range(seats)]
    hand = HandDealt(
        hand=deal.hand,
        redeal=deal.redeal,
        n=ceremony.n,
        dealer=deal.dealer,
        eldest=eldest,
        counts=(size,) * seats,
        stock=len(stock),
        cuts=(),
        missing=(),
        grade="F0",
        next=(eldest,),
    )
    cards = tuple(CardsDealt(ceremony.n, seat, dealt[turn::seats]) for turn, seat in enumerate(order))
    return hand, *cards, *_stock(ceremony.n, stock)


def _stock(n: int, cards: tuple[Card, ...]) -> tuple[StockLaid, ...]:
    return (StockLaid(n, cards),) if cards else ()


def reveal_ceremony(state: State, command: RevealCeremony) -> tuple[Fact, ...]:
    """The seed of a hand that is over, or of any deal when the game is."""
    ceremony, seed = _ceremony(state, command.n, dealt=True)
    live = state.hand is not None and state.hand.n == ceremony.n and not state.hand.over
    if live and verdict(state) is None:
        raise NotDue("the hand is not over")
    return (CeremonyRevealed(ceremony.n, seed),)


def void_ceremony(state: State, command: VoidCeremony) -> tuple[Fact, ...]:
    """The seed of a ceremony the end of the game overtook."""
    ceremony, seed = _ceremony(state, command.n, dealt=False)
    if verdict(state) is None:
        raise NotDue("the deal is still due")
    return (CeremonyVoided(ceremony.n, "ended", SERVER, seed),)


def end_game(state: State, command: EndGame) -> tuple[Fact, ...]:
    """Declares the verdict of the facts (S21, R-P8, R-P9), once every seed is public."""
    ending = verdict(state)
    if ending is None or state.ceremonies:
        raise NotDue("the game is not over")
    return (GameEnded(ending.reason, ending.winners, state.scores),)
