"""`decide` judges a command by the rules and says what comes of it as facts, or refuses.

DECISIONS and ANYTIME are the one table of what is heard when, and the one place that raises WrongPhase.
Nothing here is random, timed or networked.
"""

from collections.abc import Callable
from typing import Any

from domain.bidding import make_bid, pass_bid
from domain.commands import (
    AnswerProposal,
    AskUndo,
    Command,
    DealHand,
    EndGame,
    MakeBid,
    OpenCeremony,
    OpenGame,
    PassBid,
    PlayCard,
    ProposeDraw,
    Resign,
    RevealCeremony,
    VoidCeremony,
)
from domain.consent import answer_proposal, ask_undo, propose_draw, resign
from domain.dealing import deal_hand, end_game, open_ceremony, reveal_ceremony, void_ceremony
from domain.events import Fact
from domain.opening import open_game
from domain.playing import play_card
from domain.rejections import GameOver, WrongPhase
from domain.rules import Phase
from domain.state import State

Decision = Callable[[State, Any], tuple[Fact, ...]]

DECISIONS: dict[Phase, dict[type[Any], Decision]] = {
    Phase.UNOPENED: {OpenGame: open_game},
    Phase.WAITING: {OpenCeremony: open_ceremony, DealHand: deal_hand},
    Phase.AUCTION: {MakeBid: make_bid, PassBid: pass_bid},
    Phase.PLAY: {PlayCard: play_card},
    Phase.OVER: {},
}
"""What is heard in each phase."""

ANYTIME: dict[type[Any], Decision] = {
    AskUndo: ask_undo,
    ProposeDraw: propose_draw,
    AnswerProposal: answer_proposal,
    Resign: resign,
    RevealCeremony: reveal_ceremony,
    VoidCeremony: void_ceremony,
    EndGame: end_game,
}
"""What is heard in every phase from the opening to the end."""

SPOKEN: dict[type[Any], str] = {
    OpenGame: "the opening of a game",
    OpenCeremony: "a commitment",
    DealHand: "a deal",
    MakeBid: "a bid",
    PassBid: "a pass",
    PlayCard: "a card",
}
"""What players call each kind of move."""

DURING: dict[Phase, str] = {
    Phase.UNOPENED: "before the game is open",
    Phase.WAITING: "between hands",
    Phase.AUCTION: "during the auction",
    Phase.PLAY: "during the play",
}


def decide(state: State, command: Command) -> tuple[Fact, ...]:
    """The facts `command` brings about in `state`, in order; a refusal raises Rejected and means no facts."""
    phase = state.phase
    if phase is Phase.OVER:
        raise GameOver("the game is over; nothing more is heard")
    decision = DECISIONS[phase].get(type(command))
    if decision is None and phase is not Phase.UNOPENED:
        decision = ANYTIME.get(type(command))
    if decision is None:
        raise WrongPhase(_not_heard(phase, type(command)))
    return decision(state, command)


def _not_heard(phase: Phase, kind: type[Any]) -> str:
    heard = ", ".join(SPOKEN[each] for each in DECISIONS[phase])
    return f"{SPOKEN.get(kind, 'that')} is not heard {DURING[phase]}; heard now: {heard}"
