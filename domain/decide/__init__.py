"""`decide` judges a command by the rules: it returns the resulting facts, or refuses the command.

DECISIONS, ANYTIME, and AFTER_GAME_OVER form one table of which commands are allowed when. Only this module raises
WrongPhase. Nothing here is random, timed, or networked.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any, get_args

from domain.commands import (
    AnswerHandover,
    AnswerProposal,
    AppealRuling,
    AskHandover,
    AskUndo,
    BringChange,
    CallDelay,
    CallPartner,
    ChangeRules,
    ClaimTime,
    Command,
    CutDeck,
    DealHand,
    DecideAppeal,
    Discard,
    DrawChange,
    DrawDealer,
    DrawSeats,
    EndGame,
    EndSession,
    FlipCoin,
    GiveRuling,
    HandOver,
    MakeBid,
    NameTrump,
    OpenCeremony,
    OpenDispute,
    OpenGame,
    PassBid,
    PlayCard,
    ProposeDraw,
    RecordBeacon,
    Resign,
    ReturnSeat,
    RevealCeremony,
    SeatCommand,
    Tick,
    TimeTurn,
    VoidCeremony,
    VoteDelay,
    WithdrawDispute,
    require_every_command,
)
from domain.decide.dealing import (
    cut_deck,
    deal_hand,
    draw_dealer,
    draw_seats,
    flip_coin,
    open_ceremony,
    record_beacon,
    reveal_ceremony,
    void_ceremony,
)
from domain.decide.disputes import appeal_ruling, decide_appeal, give_ruling, open_dispute, withdraw_dispute
from domain.decide.game_end import claim_time, end_game, end_session, tick, time_turn
from domain.decide.opening import open_game
from domain.decide.play import call_partner, discard, make_bid, name_trump, pass_bid, play_card
from domain.decide.rule_changes import bring_change, change_rules, draw_change
from domain.decide.table_talk import (
    answer_handover,
    answer_proposal,
    ask_handover,
    ask_undo,
    call_delay,
    hand_over,
    propose_draw,
    resign,
    return_seat,
    vote_delay,
)
from domain.engine.cuts import beacon_chain, cutters
from domain.engine.wording import one_of
from domain.events import Fact
from domain.rejections import GameOver, WrongPhase
from domain.rules.choices import Phase
from domain.state import State, is_call_due

Decision = Callable[[State, Any], tuple[Fact, ...]]

DECISIONS: dict[Phase, dict[type[Any], Decision]] = {
    Phase.UNOPENED: {OpenGame: open_game},
    Phase.WAITING: {
        OpenCeremony: open_ceremony,
        DrawSeats: draw_seats,
        DrawDealer: draw_dealer,
        DealHand: deal_hand,
        FlipCoin: flip_coin,
        CutDeck: cut_deck,
        RecordBeacon: record_beacon,
        CallPartner: call_partner,
    },
    Phase.AUCTION: {MakeBid: make_bid, PassBid: pass_bid},
    Phase.NAMING: {NameTrump: name_trump},
    Phase.CALLING: {CallPartner: call_partner},
    Phase.DISCARDING: {Discard: discard, CallPartner: call_partner},
    Phase.PLAY: {PlayCard: play_card, CallPartner: call_partner},
    Phase.OVER: {},
}
"""The commands that are allowed in each phase."""

ANYTIME: dict[type[Any], Decision] = {
    AskUndo: ask_undo,
    ProposeDraw: propose_draw,
    AnswerProposal: answer_proposal,
    Resign: resign,
    CallDelay: call_delay,
    VoteDelay: vote_delay,
    ChangeRules: change_rules,
    DrawChange: draw_change,
    BringChange: bring_change,
    RevealCeremony: reveal_ceremony,
    VoidCeremony: void_ceremony,
    EndSession: end_session,
    EndGame: end_game,
    Tick: tick,
    TimeTurn: time_turn,
    ClaimTime: claim_time,
    AskHandover: ask_handover,
    AnswerHandover: answer_handover,
    HandOver: hand_over,
    ReturnSeat: return_seat,
}
"""The commands that are allowed in every phase while the game is open and not over."""

AFTER_GAME_OVER: dict[type[Any], Decision] = {
    OpenDispute: open_dispute,
    WithdrawDispute: withdraw_dispute,
    GiveRuling: give_ruling,
    AppealRuling: appeal_ruling,
    DecideAppeal: decide_appeal,
}
"""The commands that are allowed once the game is open, even when it is over."""

COMMAND_NAMES: dict[type[Any], str] = {
    OpenGame: "open a game",
    OpenCeremony: "commit to a shuffle",
    DrawSeats: "draw seats",
    DrawDealer: "draw the dealer",
    DealHand: "deal",
    FlipCoin: "flip a coin",
    CutDeck: "cut the deck",
    RecordBeacon: "bring the beacon",
    MakeBid: "bid",
    PassBid: "pass",
    NameTrump: "name trump",
    CallPartner: "call a partner",
    Discard: "discard",
    PlayCard: "play a card",
}
"""The act of a player with each command, as a verb phrase."""

require_every_command(get_args(Command), {*chain(*DECISIONS.values()), *ANYTIME, *AFTER_GAME_OVER}, "domain.decide")
require_every_command(chain(*DECISIONS.values()), COMMAND_NAMES, "domain.decide.COMMAND_NAMES")

SEAT_COMMANDS = frozenset(get_args(SeatCommand))
"""The commands that come from a player, not from the table."""

PHASE_NAMES: dict[Phase, str] = {
    Phase.UNOPENED: "before the game is open",
    Phase.WAITING: "while the table waits",
    Phase.AUCTION: "during the auction",
    Phase.NAMING: "while trump is being named",
    Phase.CALLING: "while a partner is being called",
    Phase.DISCARDING: "during the discard",
    Phase.PLAY: "during play",
}
"""Each phase, as it ends a sentence."""


def decide(state: State, command: Command) -> tuple[Fact, ...]:
    """Return the facts that `command` causes in `state`, in order; raise Rejected, without facts, if it is refused."""
    phase = state.phase
    decision = DECISIONS[phase].get(type(command)) or _phase_independent_decision(phase, type(command))
    if decision is None:
        raise WrongPhase(_wrong_phase_message(state, type(command)))
    return decision(state, command)


def _phase_independent_decision(phase: Phase, kind: type[Any]) -> Decision | None:
    """Return the decision for a command that is allowed in every phase of an open game, or None."""
    if phase is Phase.UNOPENED:
        return None
    dispute = AFTER_GAME_OVER.get(kind)
    if dispute is None and phase is Phase.OVER:
        raise GameOver("The game is over; no more moves are accepted.")
    return dispute or ANYTIME.get(kind)


def _wrong_phase_message(state: State, kind: type[Any]) -> str:
    """Name the allowed moves; a call, a pass, or a cut only if this table has them and they are due."""
    hidden = set[type[Any]]()
    if state.hand is None or not is_call_due(state.rules, state.hand):
        hidden.add(CallPartner)
    if state.opened is None or not state.rules.auction.passing:
        hidden.add(PassBid)
    if not cutters(state):
        hidden.add(CutDeck)
    if beacon_chain(state) is None:
        hidden.add(RecordBeacon)
    kinds = [each for each in DECISIONS[state.phase] if each in SEAT_COMMANDS - hidden]
    allowed = one_of(COMMAND_NAMES[each] for each in kinds)
    advice = f"You can {allowed}." if allowed else "No seat is to move now."
    return f"You can't {COMMAND_NAMES.get(kind, 'do that')} {PHASE_NAMES[state.phase]}. {advice}"
