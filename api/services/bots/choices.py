"""What the strong bot would do: with the ceremony's key for its own moves, with a key of the seat's own for a hint."""

from collections.abc import Callable
from hashlib import sha256

from api.services.container import Services
from domain.decide.randomizer import ceremony_key
from domain.protocols.fairdeal import block
from domain.state import State, current_hand
from projections.bots.strong import Analysis, Knowledge, think
from projections.views.audience import visible


def knowledge(services: Services, state: State, seat: int) -> Knowledge | None:
    """Return what the seat knows at this state; None if the game has gone on since."""
    fold = services.views.fold(state.game, seat)
    if fold.version != state.version:
        return None
    entries = services.games.entries(state.game, current_hand(state).ceremony_version, state.version)
    facts = [entry.event.data for entry in entries if visible(entry.event, seat, ())]
    return Knowledge(fold.state, seat, facts)


def think_for_bot(
    services: Services, state: State, seat: int, worlds: int, is_late: Callable[[], bool] = lambda: False
) -> Analysis | None:
    """Return the strong bot's choice; None if the game has gone on.

    Raise LookupError if it has nothing to do, and OutOfTime once it's late.
    """
    known = knowledge(services, state, seat)
    if known is None:
        return None
    ceremony = next(each for each in state.ceremonies if each.n == current_hand(state).n)
    return think(known, ceremony_key(state.game, ceremony), worlds, is_late)


def think_for_person(services: Services, state: State, seat: int, worlds: int) -> Analysis | None:
    """Return a hint for the seat: the same choice again for the same view, and nothing of the ceremony in it."""
    known = knowledge(services, state, seat)
    if known is None:
        return None
    key = sha256(services.secret + f"hint\n{state.game}\n{state.version}\n{seat}".encode()).digest()
    return think(known, block(key, "hint", 0), worlds)
