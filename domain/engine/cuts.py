"""Cuts: bytes that players mix into a shuffle after the commitment, and how long the table waits (fairdeal/1)."""

from collections.abc import Iterable

from domain.engine.timestamps import add_time
from domain.engine.wording import one_of
from domain.events import Fairness, Seats
from domain.rejections import NotOffered
from domain.rules.choices import Cuts
from domain.state import Ceremony, State

DEFAULT_WINDOW_S = 2
"""How many seconds a table waits for cuts if it doesn't set a window."""
MAX_WINDOW_S = 7 * 24 * 3600
HEX_DIGITS = frozenset("0123456789abcdef")


def validate_fairness(fairness: Fairness) -> Fairness:
    """Return the settings with the default window filled in; raise NotOffered for another kind of cut or window."""
    if fairness.cuts not in tuple(Cuts):
        raise NotOffered(f"Set fairness.cuts to {one_of(Cuts)}.")
    if fairness.cuts == Cuts.NONE:
        if fairness.window_s is not None:
            raise NotOffered("A table without cuts has no window for them. Set fairness.window_s to null.")
        return fairness
    window = DEFAULT_WINDOW_S if fairness.window_s is None else fairness.window_s
    if not 1 <= window <= MAX_WINDOW_S:
        raise NotOffered(f"Set fairness.window_s to null or to 1 to {MAX_WINDOW_S} seconds.")
    return Fairness(str(fairness.cuts), window)


def cut_mode(state: State) -> str:
    return Cuts.NONE if state.opened is None else state.opened.fairness.cuts


def pending_deal(state: State) -> Ceremony | None:
    """Return the open ceremony whose deal is due, or None. Coin, seats, and dealer are drawn without cuts."""
    return next((each for each in state.ceremonies if not each.dealt and each.subject.startswith("deal ")), None)


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
    """Return when the deal continues without missing cuts (UTC, six decimals); None if the table takes no cuts."""
    window = None if state.opened is None else state.opened.fairness.window_s
    return None if window is None else add_time(ceremony.at, seconds=window)


def ceremony_awaiting_cuts(state: State, now: str) -> Ceremony | None:
    """Return the ceremony for which the table waits for cuts at `now`; None if the deal can continue."""
    ceremony = pending_deal(state)
    if ceremony is None or not missing_cutters(state, ceremony):
        return None
    closes = cut_deadline(state, ceremony)
    return ceremony if closes is not None and now < closes else None


def is_hex(text: str) -> bool:
    """Return whether `text` is 32 bytes in lower-case hex."""
    return len(text) == 64 and HEX_DIGITS.issuperset(text)


def cuts_for_key(ceremony: Ceremony) -> tuple[tuple[str, str], ...]:
    """Return the cuts that go into the key, by seat: (source, hex)."""
    return tuple((str(seat), cut) for seat, cut in sorted(ceremony.cuts))


def seats_withholding_cuts(state: State, ceremony: Ceremony) -> Seats:
    """Return the seats still in that sealed a cut for this deal and didn't open it."""
    seats_with_cuts = {seat for seat, _ in ceremony.cuts}
    return tuple(seat for seat, _ in ceremony.seals if seat not in seats_with_cuts and seat in state.still_in)


def grade(state: State, ceremony: Ceremony) -> str:
    """Grade a deal: F0 has no cut; F1 at least one after the commitment; F2 every person's, each sealed before it."""
    if not ceremony.cuts:
        return "F0"
    return "F2" if _all_sealed(state.persons, dict(ceremony.seals), {seat for seat, _ in ceremony.cuts}) else "F1"


def _all_sealed(persons: Iterable[int], seals: dict[int, str], seats_with_cuts: set[int]) -> bool:
    return all(seat in seals and seat in seats_with_cuts for seat in persons)
