"""The draws of the randomizer before a turn, from the ceremony of the hand (R-C44 to R-C46, fairdeal/1).

Logical time: `t` is the number of turns taken in the hand, so that nobody can choose the moment.
"""

from functools import lru_cache

from domain.commands import DrawChange, EndSession
from domain.engine.cuts import cuts_for_key
from domain.engine.rule_menu import available_changes
from domain.protocols import fairdeal
from domain.rules.choices import Stop
from domain.rules.model import Randomizer, Rules
from domain.state import Ceremony, Hand, State

_AT_ONCE = Stop.AT_ONCE


@lru_cache(maxsize=64)
def ceremony_key(game: str, ceremony: Ceremony) -> bytes:
    """Return the key that all draws of a ceremony use; it needs the secret seed. A randomizer asks at every turn."""
    if ceremony.seed is None:
        raise LookupError("the seed isn't known, so nothing can be drawn")
    cuts = [(source, bytes.fromhex(cut)) for source, cut in cuts_for_key(ceremony)]
    return fairdeal.key(game, ceremony.n, ceremony.subject, bytes.fromhex(ceremony.seed), cuts)


def next_draw(state: State, rules: Rules) -> DrawChange | EndSession | None:
    """Return what the randomizer draws before the current turn; `rules` are the rules that it would change.

    An end is drawn before a change. A turn has at most one change, and an empty menu has none.
    """
    hand, randomizer = state.hand, state.rules.changes.randomizer
    if randomizer is None or hand is None or (key := _hand_key(state, hand)) is None:
        return None
    if hand.over or state.rules.stop is _AT_ONCE:
        due = range(hand.turns) if hand.over else range(hand.turns, hand.turns + 1)
        ended = _draw_end(key, randomizer, hand, due)
        if ended is not None or hand.over:
            return ended
    return None if hand.last_draw_turn == hand.turns else _draw_change(key, randomizer, hand, rules)


def _hand_key(state: State, hand: Hand) -> bytes | None:
    """Return the key of the current hand, None once its ceremony is revealed."""
    for ceremony in state.ceremonies:
        if ceremony.n == hand.n:
            return ceremony_key(state.game, ceremony)
    return None


def _draw_end(key: bytes, randomizer: Randomizer, hand: Hand, turns: range) -> EndSession | None:
    """Return the end of the session if one of these turns drew it (R-C42, R-C46)."""
    if randomizer.end is None:
        return None
    for t in turns:
        label = f"randomizer {t} end"
        if fairdeal.chance(key, label, *randomizer.end):
            return EndSession(hand.n, label)
    return None


def _draw_change(key: bytes, randomizer: Randomizer, hand: Hand, rules: Rules) -> DrawChange | None:
    if not fairdeal.chance(key, f"randomizer {hand.turns} when", *randomizer.when):
        return None
    if not (menu := available_changes(rules)):
        return None
    label = f"randomizer {hand.turns} what"
    return DrawChange(hand.n, label, fairdeal.pick(key, label, len(menu)), len(menu))
