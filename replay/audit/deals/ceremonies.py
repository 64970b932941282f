"""Checks of ceremonies, and of FairDeal's other draws, seats, first dealer and coin, drawn again from the seed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from domain.events import (
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    CoinFlipped,
    DealerDrawn,
    SeatsDrawn,
    SeedKept,
)
from domain.protocols import fairdeal
from domain.rules.choices import FirstDealer, Seating
from replay.audit.deals import cuts
from replay.audit.play.checking import checks, game_of, key_of_ceremony, time_of
from replay.audit.play.rule_changes import pick
from replay.audit.scoring.endings import is_coin_due, tied_seats
from replay.fold import CeremonyRead, Position
from replay.fold.validate import is_lower_hex

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
    if fact.seals != (cuts.seals(position) if fact.subject.startswith("deal ") else {}):
        yield "its seals aren't those that the seats still playing gave for this deal"
    if any(not is_lower_hex(seal, 64) for seal in fact.seals.values()):
        yield "a seal isn't 32 bytes in hex"
    yield from cuts.check_named_round(position, fact, at)


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
