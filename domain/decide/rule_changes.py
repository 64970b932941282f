"""Decide changes of the rules during a game: by the randomizer, by the host, and deferred ones.

The randomizer draws before a turn, from the ceremony of the hand (R-C44 to R-C46, fairdeal/1). Its time is logical: `t`
is the number of turns taken in the hand, so that nobody can choose the moment.
"""

from reprlib import repr as shortened
from typing import Any

from domain.commands import BringChange, ChangeRules, DrawChange, EndSession
from domain.decide.commits import with_consequences
from domain.engine.auction import scaled_bid
from domain.engine.cuts import ceremony_key
from domain.engine.legal_moves import require_proposals_left
from domain.engine.rule_menu import apply_change, available_changes
from domain.engine.sides import partner_by_position, sides_for_pitcher
from domain.engine.wording import one_of
from domain.events import BidScaled, Fact, PartnersChanged, RulesChanged, RulesChangeDeferred
from domain.protocols import fairdeal
from domain.rejections import NoChange, NotDue, NotHost
from domain.rules.choices import Hold, Partners, Stop
from domain.rules.model import Randomizer, Rules
from domain.state import Hand, State, clockwise, current_hand


def draw_change(state: State, command: DrawChange) -> tuple[Fact, ...]:
    """Apply the change that the randomizer drew for this turn (R-C44, R-C45)."""
    hand, rules = current_hand(state), prospective_rules(state)
    menu = available_changes(rules)
    drawing = (
        rules.changes.randomizer is not None and not hand.over and state.turn and hand.last_draw_turn != hand.turns
    )
    due = (hand.n, f"randomizer {hand.turns} what", len(menu))
    if not drawing or (command.n, command.label, command.of) != due:
        raise NotDue("No rule change is due from the randomizer.")
    drawn = {"cause": "randomizer", "n": command.n, "label": command.label, "pick": command.pick, "of": command.of}
    return _apply_or_defer(state, apply_change(rules, menu[command.pick]), drawn)


def change_rules(state: State, command: ChangeRules) -> tuple[Fact, ...]:
    """Apply the host's change, if the table allows it; refuse one that is in force already or not on the menu."""
    rules = prospective_rules(state)
    if not rules.changes.host or state.seats[command.seat].player != state.host:
        raise NotHost("Only the host can change the rules, and only if the table allows it.")
    if command.change not in (menu := available_changes(rules)):
        advice = f"Choose {one_of(menu)}." if menu else "Nothing can be changed now."
        raise NoChange(f"You can't change the rules to {shortened(command.change)}. {advice}")
    require_proposals_left(state, command.seat)
    by_hand = {"cause": "host", "n": None, "label": None, "pick": None, "of": None}
    return _apply_or_defer(state, apply_change(rules, command.change), by_hand)


def prospective_rules(state: State) -> Rules:
    """Return the rules in force once the deferred changes have come in (R-C44)."""
    waiting = state.hand.deferred if state.hand is not None else ()
    return waiting[-1].rules if waiting else state.rules


def are_changes_held(state: State) -> bool:
    """Return whether a delay call makes changes wait (C30, R-C41)."""
    hand = state.hand
    if hand is None or hand.over or not hand.defers_changes:
        return False
    return not (state.rules.changes.hold is Hold.VERDICT and hand.acquitted)


def _apply_or_defer(state: State, rules: Rules, drawn: dict[str, Any]) -> tuple[Fact, ...]:
    if are_changes_held(state):
        return (RulesChangeDeferred(rules=rules, summary=rules.setting, **drawn),)
    return change_with_effects(state, RulesChanged(rules=rules, summary=rules.setting, next=(), **drawn))


def bring_change(state: State, command: BringChange) -> tuple[Fact, ...]:
    """Apply the first change that no longer has to wait (R-C64)."""
    hand = state.hand
    if hand is None or not is_deferred_change_due(state):
        raise NotDue("No rule change is waiting.")
    first = hand.deferred[0]
    drawn: dict[str, Any] = {"n": first.n, "label": first.label, "pick": first.pick, "of": first.of}
    return change_with_effects(
        state, RulesChanged(rules=first.rules, summary=first.summary, cause="deferred", next=(), **drawn)
    )


def is_deferred_change_due(state: State) -> bool:
    """Return whether a deferred change no longer has to wait."""
    return state.hand is not None and bool(state.hand.deferred) and not are_changes_held(state)


def change_with_effects(state: State, change: RulesChanged) -> tuple[Fact, ...]:
    """Return the change and its immediate effects on bids, partners, trick, and hand (C9, R-C19, R-C54)."""
    hand = state.hand
    if hand is None or hand.over:
        return (change,)
    return with_consequences(
        state, change, *_scaled_bids(state, hand, change.rules), *_new_partners(state, hand, change.rules)
    )


def _scaled_bids(state: State, hand: Hand, rules: Rules) -> list[BidScaled]:
    """Return each bid that changes, from the eldest on; after the auction only the pitcher's (R-C23, R-C24, R-C65)."""
    order = clockwise(hand.eldest, len(hand.counts))
    facts = []
    for seat in order if hand.pitcher is None else [hand.pitcher]:
        before = hand.bid if seat == hand.pitcher else hand.bids[seat]
        after = scaled_bid(state.rules, rules, hand, seat)
        if before is not None and after is not None and before != after:
            facts.append(BidScaled(seat, before, after))
    return facts


def _new_partners(state: State, hand: Hand, rules: Rules) -> list[PartnersChanged]:
    """Return the pitcher's new side if it differs; a call waits to be revealed (C12, R-C61, R-C65)."""
    if hand.pitcher is None or rules.partners in (state.rules.partners, Partners.CALL):
        return []
    seats = len(hand.counts)
    sides = sides_for_pitcher(rules, hand.pitcher, seats)
    if hand.sides == sides:
        return []
    return [PartnersChanged(hand.pitcher, partner_by_position(rules, hand.pitcher, seats), sides)]


def count_effects(state: State, change: RulesChanged) -> int:
    """Count the bids and partnerships that `change` moves at once: the facts that follow it in its commit."""
    hand = state.hand
    if hand is None or hand.over:
        return 0
    return len(_scaled_bids(state, hand, change.rules)) + len(_new_partners(state, hand, change.rules))


_AT_ONCE = Stop.AT_ONCE


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
