"""Decide changes of the rules during a game: by the randomizer, by the host, and deferred ones."""

from reprlib import repr as shortened
from typing import Any

from domain.commands import BringChange, ChangeRules, DrawChange
from domain.decide.consequences import with_consequences
from domain.engine.auction import scaled_bid
from domain.engine.limits import require_proposals_left
from domain.engine.rule_menu import apply_change, available_changes
from domain.engine.sides import partner_by_position, sides_for_pitcher
from domain.engine.wording import one_of
from domain.events import BidScaled, Fact, PartnersChanged, RulesChanged, RulesChangeDeferred
from domain.rejections import NoChange, NotDue, NotHost
from domain.rules.choices import Hold, Partners
from domain.rules.model import Rules
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
