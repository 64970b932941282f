"""Decide the table's own commands, commitments, draws, deals and reveals, and the cuts before a deal (fairdeal/1)."""

from functools import cache

from domain.cards import RANK, Card, suit_of
from domain.commands import (
    CutDeck,
    DealHand,
    DrawDealer,
    DrawSeats,
    FlipCoin,
    OpenCeremony,
    RecordBeacon,
    RevealCeremony,
    VoidCeremony,
)
from domain.engine.cuts import (
    beacon_chain,
    cut_mode,
    cuts_for_key,
    grade,
    is_beacon_missing,
    is_hex,
    missing_cutters,
    seals_by_seat,
    seats_withholding_cuts,
)
from domain.engine.endings import is_coin_due, tied_leaders, verdict
from domain.engine.rulings import voiding_dispute
from domain.events import (
    BeaconRecorded,
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    CoinFlipped,
    CutOpened,
    DealerDrawn,
    Fact,
    HandDealt,
    MisdealDeclared,
    Seats,
    SeatsDrawn,
    SeedKept,
    StockLaid,
    TrumpTurnedUp,
)
from domain.protocols import beacon, fairdeal
from domain.rejections import AlreadyCut, NoBeacon, NoCut, NotACut, NotAsSealed, NotDue, WrongBeacon, WrongCommitment
from domain.rules.choices import AllPass, Cuts, FirstDealer, Seating, Trump
from domain.rules.model import Rules
from domain.state import SERVER, Ceremony, State, clockwise, is_in_hand
from domain.struct import Value, replace


class NextDeal(Value, frozen=True):
    """The next deal: its hand, how often that hand was dealt before, and the dealer's seat."""

    hand: int
    redeal: int
    dealer: int

    @property
    def subject(self) -> str:
        """The subject that the table commits to before this deal (fairdeal/1)."""
        return f"deal hand {self.hand}" + (f" redeal {self.redeal}" if self.redeal else "")


def next_deal(state: State) -> NextDeal:
    """Return the next deal. The deal moves left after every hand (S17, R-S3); a misdeal keeps its dealer (C5, R-C4).

    So does a hand that was thrown in, if the rules say so; but its number is used up.

    The last seat deals hand 1 (R-S2), or the seat that was drawn (R-T1, R-C8).
    """
    hand = state.hand
    if hand is None:
        return NextDeal(1, 0, len(state.seats) - 1 if state.dealer is None else state.dealer)
    if hand.misdealt:
        return NextDeal(hand.number, hand.redeal + 1, hand.dealer)
    auction = state.rules.auction
    again = auction.all_pass is AllPass.SAME_DEALER and auction.contract and hand.pitcher is None
    return NextDeal(hand.number + 1, 0, hand.dealer if again else (hand.dealer + 1) % len(state.seats))


GAME_SUBJECT, COIN_SUBJECT = "game", "coin"
"""The commitments of a table besides deals: ceremony 0, and the coin of a tie."""


def is_seat_draw_due(state: State) -> bool:
    """Return whether the players' seats must be drawn."""
    return state.rules.seating is Seating.DRAWN and not state.seats_drawn


def is_dealer_draw_due(state: State) -> bool:
    """Return whether the first dealer must be drawn."""
    return state.rules.first_dealer is FirstDealer.DRAWN and state.dealer is None


def next_ceremony(state: State) -> tuple[int, str]:
    """Return the number and subject of the commitment that is due (fairdeal/1)."""
    if is_seat_draw_due(state) or is_dealer_draw_due(state):
        return 0, GAME_SUBJECT
    return state.ceremony_count + 1, COIN_SUBJECT if is_coin_due(state) else next_deal(state).subject


def _ceremony(state: State, n: int, *, dealt: bool) -> tuple[Ceremony, str]:
    """Return ceremony `n` and its seed; refuse one that isn't open or isn't at that stage."""
    for ceremony in state.ceremonies:
        if ceremony.n == n and ceremony.dealt is dealt and ceremony.seed is not None:
            return ceremony, ceremony.seed
    raise NotDue(f"Ceremony {n} isn't open for this step.")


def open_ceremony(state: State, command: OpenCeremony) -> tuple[Fact, ...]:
    """Publish the commitment to a seed, with the round of a beacon if the table wants one; keep the seed secret."""
    if any(not each.dealt for each in state.ceremonies) or verdict(state) is not None or is_in_hand(state):
        raise NotDue(f"Ceremony {command.n} isn't due.")
    if (command.n, command.subject) != (due := next_ceremony(state)):
        raise NotDue(f"The next commitment is ceremony {due[0]} to {due[1]!r}, not {command.n} to {command.subject!r}.")
    commit = fairdeal.commit(state.game, command.n, command.subject, bytes.fromhex(command.seed)).hex()
    seals = seals_by_seat(state) if command.subject.startswith("deal ") else {}
    opened = CeremonyOpened(command.n, command.subject, commit, seals, _round_to_name(state, command))
    return opened, SeedKept(command.n, command.seed)


def _round_to_name(state: State, command: OpenCeremony) -> str | None:
    """Return the round that the commitment names: the time of the commitment leaves no choice."""
    chain = beacon_chain(state)
    if chain is None or not command.subject.startswith("deal "):
        return None
    named = beacon.round_to_name(chain, command.at)
    if named is None:
        raise NotDue("The commitment to a deal with a beacon needs a time.")
    return named


def draw_seats(state: State, command: DrawSeats) -> tuple[Fact, ...]:
    """Seat the players in the order that ceremony 0 drew (R-B1)."""
    ceremony, _ = _ceremony(state, command.n, dealt=False)
    if (
        not is_seat_draw_due(state)
        or ceremony.subject != GAME_SUBJECT
        or sorted(command.order) != list(range(len(state.seats)))
    ):
        raise NotDue("No draw of seats is due.")
    return (SeatsDrawn(command.n, command.order),)


def draw_dealer(state: State, command: DrawDealer) -> tuple[Fact, ...]:
    """Record the first dealer that ceremony 0 drew (R-T1, R-C8)."""
    ceremony, _ = _ceremony(state, command.n, dealt=False)
    if is_seat_draw_due(state) or not is_dealer_draw_due(state) or ceremony.subject != GAME_SUBJECT:
        raise NotDue("No draw of the dealer is due.")
    return (DealerDrawn(command.n, command.dealer),)


def flip_coin(state: State, command: FlipCoin) -> tuple[Fact, ...]:
    """Record which of the seats that are still tied has won (B26, R-B12)."""
    ceremony, _ = _ceremony(state, command.n, dealt=False)
    if not is_coin_due(state) or ceremony.subject != COIN_SUBJECT:
        raise NotDue("No coin flip is due.")
    seats = tied_leaders(state)
    return (CoinFlipped(command.n, seats, seats[command.pick]),)


def deal_hand(state: State, command: DealHand) -> tuple[Fact, ...]:
    """Deal card i of the deck to seat (eldest + i) mod n until every hand is full (S20); the rest is the stock.

    The stock's first card can turn up trump (B10). A hand without an honor is a misdeal (C4).
    """
    ceremony, _ = _ceremony(state, command.n, dealt=False)
    deal, seats = next_deal(state), len(state.seats)
    if not _is_whole_deck(command.deck, state.rules.deck) or ceremony.subject != deal.subject or is_in_hand(state):
        raise NotDue("These cards aren't the whole deck of the deal that is due.")
    eldest, size = (deal.dealer + 1) % seats, state.rules.hand_size(deal.hand)
    dealt, stock = command.deck[: size * seats], command.deck[size * seats :]
    hand = HandDealt(
        hand=deal.hand,
        redeal=deal.redeal,
        n=ceremony.n,
        dealer=deal.dealer,
        eldest=eldest,
        counts=(size,) * seats,
        stock=len(stock),
        cuts=cuts_for_key(ceremony),
        missing=seats_withholding_cuts(state, ceremony),
        grade=grade(state, ceremony),
        next=(eldest,),
    )
    order = clockwise(eldest, seats)
    cards = tuple([CardsDealt(ceremony.n, seat, dealt[turn::seats]) for turn, seat in enumerate(order)])
    laid = (StockLaid(ceremony.n, stock),) if stock else ()
    if without := _seats_without_honors(state.rules, cards):
        return replace(hand, next=()), *cards, *laid, MisdealDeclared(deal.hand, deal.redeal, without)
    return hand, *cards, *laid, *_upcard(state.rules, deal.hand, stock)


def _is_whole_deck(deck: tuple[Card, ...], canonical: tuple[Card, ...]) -> bool:
    return len(deck) == len(canonical) and _card_set(canonical) == set(deck)


@cache
def _card_set(canonical: tuple[Card, ...]) -> frozenset[Card]:
    return frozenset(canonical)


def _seats_without_honors(rules: Rules, cards: tuple[CardsDealt, ...]) -> Seats:
    """Return the seats that were dealt none of the ranks that every seat must have (C4, R-C4)."""
    if not rules.misdeal:
        return ()
    return tuple(sorted(dealt.seat for dealt in cards if not any(RANK[card] in rules.misdeal for card in dealt.cards)))


def _upcard(rules: Rules, hand: int, stock: tuple[Card, ...]) -> tuple[TrumpTurnedUp, ...]:
    if rules.trump is not Trump.TURNED_UP or not stock:
        return ()
    return (TrumpTurnedUp(hand, stock[0], suit_of(stock[0])),)


def reveal_ceremony(state: State, command: RevealCeremony) -> tuple[Fact, ...]:
    """Reveal the seed of a finished hand, of a completed draw, or of any deal when the game is over."""
    ceremony, seed = _ceremony(state, command.n, dealt=command.n > 0)
    if verdict(state) is None and not _can_reveal_now(state, ceremony):
        raise NotDue(f"Ceremony {ceremony.n} can't be revealed yet.")
    return (CeremonyRevealed(ceremony.n, seed),)


def _can_reveal_now(state: State, ceremony: Ceremony) -> bool:
    """Return whether a ceremony can be revealed during the game: completed draws, and deals if revealed by hand."""
    if ceremony.n == 0:
        return not (is_seat_draw_due(state) or is_dealer_draw_due(state))
    by_hand = state.opened is not None and state.opened.reveal == "hand"
    at_once = by_hand or voiding_dispute(state, ceremony.n) is not None
    return at_once and not (is_in_hand(state) and state.hand is not None and state.hand.n == ceremony.n)


def void_ceremony(state: State, command: VoidCeremony) -> tuple[Fact, ...]:
    """Publish the seed of a ceremony that won't deal anything: a ruling voids it, or the game ended first."""
    ceremony, seed = _ceremony(state, command.n, dealt=False)
    dispute = voiding_dispute(state, ceremony.n)
    if dispute is not None and dispute.ruled_by is not None:
        return (CeremonyVoided(ceremony.n, "ruling", dispute.ruled_by, seed),)
    if verdict(state) is None:
        raise NotDue("The deal is still due.")
    return (CeremonyVoided(ceremony.n, "ended", SERVER, seed),)


def cut_deck(state: State, command: CutDeck) -> tuple[Fact, ...]:
    """Accept one cut per seat and ceremony; it quotes the commitment and matches its seal, if any (fairdeal/1)."""
    ceremony, seat = state.pending_deal, command.seat
    if cut_mode(state) == Cuts.NONE or ceremony is None:
        raise NoCut("No deal is waiting for cuts now.")
    if seat in state.barred:
        raise NoCut("You withheld a cut that you had sealed. Your cuts are ignored for the rest of the game.")
    if (command.n, command.commit) != (ceremony.n, ceremony.commit):
        raise WrongCommitment(f"The waiting deal is ceremony {ceremony.n}, with the commitment {ceremony.commit}.")
    if seat not in missing_cutters(state, ceremony):
        raise AlreadyCut("You have already cut for this deal.")
    _validate_cut(state, command)
    sealed = dict(ceremony.seals).get(seat)
    if sealed is not None and fairdeal.seal(state.game, str(seat), bytes.fromhex(command.cut)).hex() != sealed:
        raise NotAsSealed(f"You sealed a different cut for this deal. Its seal is {sealed}.")
    return (CutOpened(ceremony.n, seat, command.cut, command.next_seal),)


def _validate_cut(state: State, command: CutDeck) -> None:
    if not is_hex(command.cut):
        raise NotACut("A cut is 32 bytes, written as 64 digits 0 to 9 and a to f.")
    if command.next_seal is None:
        return
    if cut_mode(state) != Cuts.SEALED:
        raise NotACut("This table takes open cuts. Set next_seal to null.")
    if not is_hex(command.next_seal):
        raise NotACut("A seal is 32 bytes, written as 64 digits 0 to 9 and a to f.")


def record_beacon(state: State, command: RecordBeacon) -> tuple[Fact, ...]:
    """Accept the signature of the round that the ceremony named, from anybody at the table, once it's published."""
    ceremony = state.pending_deal
    if ceremony is None or not is_beacon_missing(ceremony):
        raise NoBeacon("No deal is waiting for a beacon now.")
    if (command.n, command.source) != (ceremony.n, ceremony.beacon):
        raise WrongBeacon(f"The waiting deal is ceremony {ceremony.n}, and its round is {ceremony.beacon}.")
    published = beacon.publication_time(command.source)
    if published is None or command.at < published:
        raise WrongBeacon(f"The round {command.source} is published at {published}, and not known before.")
    if not beacon.is_signed(command.source, command.signature):
        raise WrongBeacon(f"This isn't the signature of {command.source}.")
    cut = beacon.cut_of(command.signature)
    return (BeaconRecorded(ceremony.n, command.source, command.signature, cut),)
