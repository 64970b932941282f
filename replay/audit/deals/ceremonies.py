"""Checks of ceremonies and cuts, and of FairDeal's other draws, seats, first dealer and coin, drawn from the seed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from domain.events import (
    BeaconRecorded,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    CoinFlipped,
    CutOpened,
    DealerDrawn,
    HandDealt,
    Seats,
    SeatsDrawn,
    SeedKept,
)
from domain.protocols import beacon, fairdeal
from domain.rules.choices import Cuts, FirstDealer, Seating
from replay.audit.play.checking import checks, game_of, key_of_ceremony, time_of
from replay.audit.play.deadlines import CLOSING_FACTS, add_time, game_deadline
from replay.audit.play.rule_changes import pick
from replay.audit.scoring.endings import is_coin_due, tied_seats
from replay.fold import CeremonyRead, Position
from replay.fold.validate import is_lower_hex

_ALWAYS_WHILE_CUTTING = frozenset(
    {"CutOpened", "HandDealt", "SeatResigned", "DrawProposed", "DrawAnswered", "HandoverAnswered"}
)


def ceremony_waiting_for_cuts(position: Position) -> tuple[int, CeremonyRead] | None:
    """Return the number and the record of the ceremony whose deal is due, or None."""
    return position.deal_due


def cutters(position: Position) -> Seats:
    """Return the seats of the people still in the game whose cuts count."""
    if position.opening.fairness.cuts == Cuts.NONE:
        return ()
    return tuple(seat for seat in position.persons if seat not in position.barred)


def seats_to_cut(position: Position, ceremony: CeremonyRead) -> Seats:
    """Return the seats that haven't cut yet."""
    return tuple(seat for seat in cutters(position) if seat not in ceremony.cuts)


def seals(position: Position) -> dict[str, str]:
    """Return `{seat: seal}` for the seals that count for the next deal."""
    return {str(seat): seal for seat in cutters(position) if (seal := position.sealed.get(seat)) is not None}


@checks(CutOpened, given=game_of)
def check_cut_opened(position: Position, fact: CutOpened, game: str) -> Iterator[str]:
    """Check that the cut is for the deal that is due, the seat's only one, and the one that it sealed."""
    due = ceremony_waiting_for_cuts(position)
    if due is None or due[0] != fact.n:
        yield f"it cuts for ceremony {fact.n}, whose deal isn't due"
        return
    ceremony = due[1]
    if fact.seat not in seats_to_cut(position, ceremony):
        yield f"seat {fact.seat} cuts, but no cut of this seat is due"
    sealed = ceremony.seals.get(str(fact.seat))
    if sealed is not None and fairdeal.seal(game, str(fact.seat), bytes.fromhex(fact.cut)).hex() != sealed:
        yield f"its cut isn't the one that seat {fact.seat} sealed"
    if fact.next_seal is not None and position.opening.fairness.cuts != Cuts.SEALED:
        yield "it seals a cut, but the cuts of this game are open"


def check_mix(position: Position, fact: HandDealt, at: str) -> Iterator[str]:
    """Check that the deal uses the cuts and the beacon that came, and waited for the others until the window closed."""
    ceremony = position.ceremonies[fact.n]
    cuts = [[str(seat), cut] for seat, cut in sorted(ceremony.cuts.items())]
    if ceremony.beacon_cut is not None:
        cuts.append([str(ceremony.beacon), ceremony.beacon_cut])
    if [list(each) for each in fact.cuts] != cuts:
        yield f"its cuts aren't those that were made for ceremony {fact.n}"
    closes = _window_end(position)
    if closes is None or at >= closes:
        return
    if missing := seats_to_cut(position, ceremony):
        yield f"it deals at {at} without the cuts of seats {list(missing)}, but must wait for them until {closes}"
    if is_beacon_due(ceremony):
        yield f"it deals at {at} without {ceremony.beacon}, but must wait for it until {closes}"


def _window_end(position: Position) -> str | None:
    window = position.opening.fairness.window_s
    return None if window is None else add_time(position.ceremony_at, 0, seconds=window)


def facts_due_while_cutting(position: Position) -> frozenset[str]:
    """Return the facts due while a deal waits: only HandDealt if nothing is missing, none in games without cuts.

    Beside cuts come what needs no turn: talk, votes on a delay call that is still open, and changes by the host.
    """
    waiting = ceremony_waiting_for_cuts(position)
    if waiting is None or position.opening.fairness.cuts == Cuts.NONE:
        return frozenset()
    waits_for_beacon = is_beacon_due(waiting[1])
    if not seats_to_cut(position, waiting[1]) and not waits_for_beacon:
        return frozenset({"HandDealt"})
    beacon = frozenset({"BeaconRecorded"}) if waits_for_beacon else frozenset[str]()
    over = frozenset() if game_deadline(position) is None else CLOSING_FACTS - {"GameEnded"}
    votes = frozenset() if position.delay_call is None else frozenset({"DelayVoted"})
    changes = frozenset({"RulesChanged"}) if position.rules.changes.host else frozenset[str]()
    return over | beacon | votes | changes | _ALWAYS_WHILE_CUTTING


def is_beacon_due(ceremony: CeremonyRead) -> bool:
    """Return whether the ceremony named a round that isn't recorded yet."""
    return ceremony.beacon is not None and ceremony.beacon_cut is None


def check_named_round(position: Position, fact: CeremonyOpened, at: str) -> Iterator[str]:
    """Check that a deal names the first round after the lead if the table has a beacon, and no round otherwise."""
    chain = position.opening.fairness.beacon if fact.subject.startswith("deal ") else None
    due = None if chain is None else beacon.round_to_name(chain, at)
    if chain is not None and due is None:
        yield f"the beacon {chain} of this game isn't known"
    elif fact.beacon != due:
        yield f"it names {fact.beacon or 'no round of a beacon'}, but must name {due or 'none'}"


@checks(BeaconRecorded, given=time_of)
def check_beacon_recorded(position: Position, fact: BeaconRecorded, at: str) -> Iterator[str]:
    """Check that the round is the one named for the deal that is due, published by then, signed, and hashed."""
    due = position.deal_due
    if due is None or due[0] != fact.n:
        yield f"it brings a beacon for ceremony {fact.n}, whose deal isn't due"
    elif not is_beacon_due(due[1]):
        yield f"no beacon of ceremony {fact.n} is due"
    elif fact.source != due[1].beacon:
        yield f"it brings {fact.source}, but ceremony {fact.n} named {due[1].beacon}"
    published = beacon.publication_time(fact.source)
    if published is not None and at < published:
        yield f"it brings {fact.source} at {at}, but this round is published at {published}"
    if not beacon.is_signed(fact.source, fact.signature):
        yield f"its signature isn't that of {fact.source}"
    if not beacon.is_signature(fact.signature) or fact.cut != beacon.cut_of(fact.signature):
        yield "its cut isn't the hash of its signature"


GAME, COIN = "game", "coin"


def matches_commitment(game: str, n: int, ceremony: CeremonyRead, seed: str) -> bool:
    """Whether `seed` is the one that `ceremony` commits to."""
    return _commitment(game, n, ceremony.subject, seed) == ceremony.commit


@lru_cache(4)
def _commitment(game: str, n: int, subject: str, seed: str) -> str | None:
    """Return the commitment to `seed` in hex, or None if it's invalid. Cached: each deal needs it several times."""
    try:
        return fairdeal.commit(game, n, subject, bytes.fromhex(seed)).hex()
    except ValueError:
        return None


def ceremony_key(game: str, n: int, ceremony: CeremonyRead, seed: str, mixed: Sequence[tuple[str, str]] = ()) -> bytes:
    """Return the key of a ceremony; raise ValueError if FairDeal doesn't accept its texts or numbers."""
    cut = [(source, bytes.fromhex(each)) for source, each in mixed]
    return fairdeal.key(game, n, ceremony.subject, bytes.fromhex(seed), cut)


@checks(CeremonyOpened, given=time_of)
def check_ceremony_opened(position: Position, fact: CeremonyOpened, at: str) -> Iterator[str]:
    """Check the ceremony's number, subject, seals and beacon, and that the one before it has dealt."""
    n, subject = next_ceremony(position)
    if fact.n != n:
        yield f"ceremony {fact.n} opens after ceremony {n - 1}"
    if any(not each.dealt and not each.closed for each in position.ceremonies.values()):
        yield f"ceremony {fact.n} opens before another ceremony has dealt"
    if fact.subject != subject:
        yield f'its subject is "{fact.subject}", but "{subject}" is due'
    if fact.seals != (seals(position) if fact.subject.startswith("deal ") else {}):
        yield "its seals aren't those that the seats still playing gave for this deal"
    if any(not is_lower_hex(seal, 64) for seal in fact.seals.values()):
        yield "a seal isn't 32 bytes in hex"
    yield from check_named_round(position, fact, at)


def next_ceremony(position: Position) -> tuple[int, str]:
    """Return the number and the subject of the ceremony that must be opened next."""
    rules = position.opening.rules
    draws = rules.seating is Seating.DRAWN or rules.first_dealer is FirstDealer.DRAWN
    if draws and not position.ceremonies:
        return 0, GAME
    n = max(position.ceremonies, default=0) + 1
    if is_coin_due(position):
        return n, COIN
    hand, redeal = next_hand(position)
    return n, f"deal hand {hand}" + (f" redeal {redeal}" if redeal else "")


def next_hand(position: Position) -> tuple[int, int]:
    """Return the number of the hand to be dealt next, and how often it was dealt before (R-C4)."""
    hand = position.hand
    if hand is None:
        return 1, 0
    return (hand.dealt.hand, hand.dealt.redeal + 1) if hand.misdealt else (hand.dealt.hand + 1, 0)


@checks(SeedKept, given=game_of)
def check_seed_kept(position: Position, fact: SeedKept, game: str) -> Iterator[str]:
    """Check that the seed directly follows its commitment and matches it."""
    if fact.n != max(position.ceremonies, default=0) or fact.n not in position.ceremonies:
        yield f"it keeps a seed for ceremony {fact.n}, which isn't the last one opened"
    elif not matches_commitment(game, fact.n, position.ceremonies[fact.n], fact.seed):
        yield f"its seed doesn't match the commitment of ceremony {fact.n}"


@checks(CeremonyRevealed, given=game_of)
def check_ceremony_revealed(position: Position, fact: CeremonyRevealed, game: str) -> Iterator[str]:
    """Check that the ceremony has dealt, and is revealed once, with the seed that was promised."""
    ceremony = position.ceremonies.get(fact.n)
    if ceremony is None or not ceremony.dealt or ceremony.closed:
        yield f"it reveals ceremony {fact.n}, which can't be revealed here"
    else:
        yield from _check_seed(ceremony, fact.n, fact.seed, game)


@checks(CeremonyVoided, given=game_of)
def check_ceremony_voided(position: Position, fact: CeremonyVoided, game: str) -> Iterator[str]:
    """Check that the ceremony never dealt, and that the right author voids it, with the seed that was promised."""
    ceremony = position.ceremonies.get(fact.n)
    arbiter = voiding_arbiter(position, fact.n)
    if (fact.reason, fact.by) != (("ended", "server") if arbiter is None else ("ruling", arbiter)):
        author = "the server, because the game ended" if arbiter is None else f"{arbiter}, by a ruling"
        yield f'it is voided by {fact.by} for the reason "{fact.reason}", but should be voided by {author}'
    if ceremony is None or ceremony.dealt or ceremony.closed:
        yield f"it voids ceremony {fact.n}, which can't be voided here"
    else:
        yield from _check_seed(ceremony, fact.n, fact.seed, game)


def _check_seed(ceremony: CeremonyRead, n: int, seed: str, game: str) -> Iterator[str]:
    if ceremony.seed is not None and ceremony.seed != seed:
        yield f"its seed isn't the one kept for ceremony {n}"
    if not matches_commitment(game, n, ceremony, seed):
        yield f"its seed doesn't match the commitment of ceremony {n}"


def mix_grade(seals: Mapping[str, str], cuts: Sequence[tuple[str, str]], persons: set[str]) -> str:
    """Return a deal's grade: F0 without cuts, F1 with one, F2 if every person sealed and cut, F3 with a beacon too."""
    sources = {source for source, _ in cuts}
    if not any(source.isdecimal() for source in sources):
        return "F0"
    if not persons <= sources & set(seals):
        return "F1"
    return "F3" if any(not source.isdecimal() for source in sources) else "F2"


def voiding_arbiter(position: Position, n: int) -> str | None:
    """Return the arbiter whose ruling ended the deal of ceremony `n`, or None if no ruling did."""
    rulings = [each.ruling for each in position.disputes if each.ruling is not None]
    return next((position.arbiters.get(ruling.dispute) for ruling in rulings if ruling.voids == n), None)


@checks(SeatsDrawn, given=key_of_ceremony)
def check_seats_drawn(position: Position, fact: SeatsDrawn, key: bytes | None) -> Iterator[str]:
    """Check that the order of the seats is the shuffle of ceremony 0 (R-B1)."""
    yield from _check_ceremony(position, fact.n)
    if key is not None and list(fact.order) != (order := fairdeal.shuffle(key, "seats", position.seats)):
        yield f"its order is {list(fact.order)}, but ceremony {fact.n} draws {order}"


@checks(DealerDrawn, given=key_of_ceremony)
def check_dealer_drawn(position: Position, fact: DealerDrawn, key: bytes | None) -> Iterator[str]:
    """Check that the first dealer is the pick of ceremony 0 (R-T1, R-C8)."""
    yield from _check_ceremony(position, fact.n)
    if key is not None and fact.seat != (seat := fairdeal.pick(key, "dealer", position.seats)):
        yield f"its dealer is seat {fact.seat}, but ceremony {fact.n} draws seat {seat}"


def _check_ceremony(position: Position, n: int) -> Iterator[str]:
    ceremony = position.ceremonies.get(n)
    if ceremony is None or ceremony.subject != "game" or ceremony.closed:
        yield f"it draws from ceremony {n}, which isn't open for seats or dealer"


@checks(CoinFlipped, given=key_of_ceremony)
def check_coin_flipped(position: Position, fact: CoinFlipped, key: bytes | None) -> Iterator[str]:
    """Check that the coin is between the seats still tied, and falls as its ceremony draws it (B26, R-B12)."""
    ceremony, seats = position.ceremonies.get(fact.n), tied_seats(position)
    if ceremony is None or ceremony.subject != "coin" or ceremony.closed:
        yield f"it draws from ceremony {fact.n}, which isn't open for a coin"
    if fact.seats != seats:
        yield f"the coin is between seats {list(fact.seats)}, but seats {list(seats)} are tied"
    if fact.winner not in fact.seats:
        yield f"seat {fact.winner} wins the coin, but isn't one of its seats"
    elif key is not None and fact.winner != (seat := fact.seats[pick(key, "coin", len(fact.seats)) or 0]):
        yield f"the coin goes to seat {fact.winner}, but ceremony {fact.n} draws seat {seat}"
