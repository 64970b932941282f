"""Cuts: bytes that players and a beacon mix into a shuffle after the commitment, and how long the table waits.

FairDeal calls them fairdeal/1 (docs/fairness.md).
"""

from collections.abc import Iterable
from functools import lru_cache

from domain.engine.timestamps import add_time
from domain.engine.wording import one_of
from domain.events import Fairness, Seats
from domain.protocols import beacon, fairdeal
from domain.rejections import NotOffered
from domain.rules.choices import Cuts
from domain.state import Ceremony, State

DEFAULT_WINDOW_S = 2
"""How many seconds a table waits for cuts if it doesn't set a window."""
MAX_WINDOW_S = 7 * 24 * 3600
BEACON_WINDOW_S = 30
"""How many seconds a table with a beacon waits if it doesn't set a window."""
MIN_BEACON_WINDOW_S = 10
"""The shortest window of a table with a beacon: its round is published up to 6 seconds after the commitment."""
HEX_DIGITS = frozenset("0123456789abcdef")


def validate_fairness(fairness: Fairness) -> Fairness:
    """Return the settings with the default window filled in; raise NotOffered for other cuts, window or beacon."""
    if fairness.cuts not in tuple(Cuts):
        raise NotOffered(f"Set fairness.cuts to {one_of(Cuts)}.")
    if fairness.beacon is not None and fairness.beacon not in beacon.CHAINS:
        raise NotOffered(f"Set fairness.beacon to null or to {one_of(beacon.CHAINS)}.")
    if fairness.cuts == Cuts.NONE:
        if fairness.window_s is not None:
            raise NotOffered("A table without cuts has no window for them. Set fairness.window_s to null.")
        if fairness.beacon is not None:
            raise NotOffered("A beacon comes after the players' cuts. Set fairness.cuts to sealed or open, too.")
        return fairness
    usual, least = (DEFAULT_WINDOW_S, 1) if fairness.beacon is None else (BEACON_WINDOW_S, MIN_BEACON_WINDOW_S)
    window = usual if fairness.window_s is None else fairness.window_s
    if not least <= window <= MAX_WINDOW_S:
        with_beacon = "" if fairness.beacon is None else " at a table with a beacon"
        raise NotOffered(f"Set fairness.window_s to null or to {least} to {MAX_WINDOW_S} seconds{with_beacon}.")
    return Fairness(str(fairness.cuts), window, fairness.beacon)


def cut_mode(state: State) -> str:
    return Cuts.NONE if state.opened is None else state.opened.fairness.cuts


def cutters(state: State) -> Seats:
    """Return the seats that can cut: people still in, except those who once withheld a sealed cut."""
    if cut_mode(state) == Cuts.NONE:
        return ()
    return tuple(seat for seat in state.persons if seat not in state.barred)


def seals_by_seat(state: State) -> dict[str, str]:
    """Return the seals for the next deal by seat, as text, in ascending order."""
    return {str(seat): seal for seat in cutters(state) if (seal := state.next_seals[seat]) is not None}


def missing_cutters(state: State, ceremony: Ceremony) -> Seats:
    """Return the seats whose cut is still missing."""
    seats_with_cuts = {seat for seat, _ in ceremony.cuts}
    return tuple(seat for seat in cutters(state) if seat not in seats_with_cuts)


def cut_deadline(state: State, ceremony: Ceremony) -> str | None:
    """Return when the deal continues without missing cuts and beacon (UTC, six decimals); None without a window."""
    window = None if state.opened is None else state.opened.fairness.window_s
    return None if window is None else add_time(ceremony.at, seconds=window)


def is_beacon_missing(ceremony: Ceremony) -> bool:
    """Return whether the ceremony named a round of a beacon whose signature isn't recorded yet."""
    return ceremony.beacon is not None and ceremony.beacon_cut is None


def beacon_chain(state: State) -> str | None:
    """Return the name of the chain whose rounds the table mixes in, or None."""
    return None if state.opened is None else state.opened.fairness.beacon


def is_incomplete(state: State, ceremony: Ceremony) -> bool:
    """Return whether a cut or the beacon of the ceremony is missing."""
    return bool(missing_cutters(state, ceremony)) or is_beacon_missing(ceremony)


def ceremony_awaiting_cuts(state: State, now: str) -> Ceremony | None:
    """Return the ceremony for which the table waits for cuts or a beacon at `now`; None if the deal can continue."""
    ceremony = state.pending_deal
    if ceremony is None or not is_incomplete(state, ceremony):
        return None
    closes = cut_deadline(state, ceremony)
    return ceremony if closes is not None and now < closes else None


def is_hex(text: str) -> bool:
    """Return whether `text` is 32 bytes in lower-case hex."""
    return len(text) == 64 and HEX_DIGITS.issuperset(text)


def cuts_for_key(ceremony: Ceremony) -> tuple[tuple[str, str], ...]:
    """Return the cuts that go into the key, by seat, then the beacon: (source, hex)."""
    cuts = tuple((str(seat), cut) for seat, cut in sorted(ceremony.cuts))
    if ceremony.beacon is None or ceremony.beacon_cut is None:
        return cuts
    return *cuts, (ceremony.beacon, ceremony.beacon_cut)


@lru_cache(maxsize=64)
def ceremony_key(game: str, ceremony: Ceremony) -> bytes:
    """Return the key that all draws of a ceremony use; it needs the secret seed. A randomizer asks at every turn."""
    if ceremony.seed is None:
        raise LookupError("the seed isn't known, so nothing can be drawn")
    cuts = [(source, bytes.fromhex(cut)) for source, cut in cuts_for_key(ceremony)]
    return fairdeal.key(game, ceremony.n, ceremony.subject, bytes.fromhex(ceremony.seed), cuts)


def seats_withholding_cuts(state: State, ceremony: Ceremony) -> Seats:
    """Return the seats still in that sealed a cut for this deal and didn't open it."""
    seats_with_cuts = {seat for seat, _ in ceremony.cuts}
    return tuple(seat for seat, _ in ceremony.seals if seat not in seats_with_cuts and seat in state.still_in)


def grade(state: State, ceremony: Ceremony) -> str:
    """Grade a deal: F0 has no player's cut; F1 one after the commitment; F2 every person's, sealed before; F3 a beacon.

    A beacon counts only on top of F2.
    """
    if not ceremony.cuts:
        return "F0"
    if not _all_sealed(state.persons, dict(ceremony.seals), {seat for seat, _ in ceremony.cuts}):
        return "F1"
    return "F2" if ceremony.beacon_cut is None else "F3"


def _all_sealed(persons: Iterable[int], seals: dict[int, str], seats_with_cuts: set[int]) -> bool:
    return all(seat in seals and seat in seats_with_cuts for seat in persons)
