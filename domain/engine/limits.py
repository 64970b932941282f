"""The limits of a game (GameOpened.limits): proposals of a seat in a hand, and events before a deal."""

from domain.engine.endings import is_coin_due
from domain.engine.wording import count_of
from domain.rejections import TooManyProposals
from domain.state import State


def has_proposals_left(state: State, seat: int) -> bool:
    """Return whether `seat` may still propose something, or change the rules, in this hand."""
    limits = None if state.opened is None else state.opened.limits
    return limits is None or state.proposals[seat] < limits.proposals


def require_proposals_left(state: State, seat: int) -> None:
    """Refuse a proposal, or a change by the host, beyond the limit of this hand."""
    if not has_proposals_left(state, seat):
        raise TooManyProposals(
            f"You have already made {count_of(state.proposals[seat], 'proposal')} in this hand. This game allows no"
            " more of them. You can make others in the next hand."
        )


def is_log_full(state: State) -> bool:
    """Return whether the log has reached its limit, so that the game ends instead of the next deal.

    It's judged once a hand is over and before the table commits to the next deal; a coin is flipped first.
    """
    limits, hand = None if state.opened is None else state.opened.limits, state.hand
    if limits is None or hand is None or not hand.over or state.version < limits.events:
        return False
    return all(each.dealt for each in state.ceremonies) and not is_coin_due(state)
