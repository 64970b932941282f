"""The answers of the rules to each command at moments of sound games: the facts, or the refusal in its words.

`python -m tests.domain.verdicts` writes the list again. Read the difference before you commit it.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from domain import commands
from domain.commands import Command
from domain.decide import decide
from domain.decide.stand_in import stand_in_move
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.events import Evidence
from domain.evolve import evolve
from domain.rejections import Rejected
from domain.state import State
from replay.history import History
from tests.lists import write_list
from tests.replay.sound_games import GAMES

VERDICTS = Path(__file__).parent / "lists" / "verdicts.txt"
EVERY = 8
"""How many events lie between two moments."""
FIRST = 4
"""How many moments are asked about at the beginning, one after each event."""
NOTE, HEX = "cd" * 32, "ab" * 32
LATE = "2026-12-24T00:00:00.000000Z"


OTHERS = (
    "Corellian with a host who changes rules",
    "Disputes",
    "Seats that change hands",
    "Practice",
    "live clocks, claim",
    "bank clocks, bot:simple",
)
ASKED = [*[*GAMES][::3], *OTHERS]
"""The games that are asked about."""


def states(history: History) -> Iterator[State]:
    """Yield the state after each of the first events, then after every few, and the last one."""
    state = State()
    for at, event in enumerate(history.events, 1):
        state = evolve(state, event)
        if at <= FIRST or at % EVERY == 0 or at == len(history.events):
            yield state


def asked_of(state: State) -> Iterator[Command]:
    for seat in range(len(state.seats)):
        yield from _moves(state, seat)
        yield from _words(state, seat)
    yield from _duties(state)


def _moves(state: State, seat: int) -> Iterator[Command]:
    held = (state.hand.cards[seat] if state.hand is not None else None) or ()
    yield commands.PassBid(seat)
    yield from (commands.MakeBid(seat, bid) for bid in (0, 1, 2, 4, 5, 13))
    yield from (commands.PlayCard(seat, card) for card in dict.fromkeys((*held, *state.rules.deck[:2])))
    yield commands.NameTrump(seat, "H")
    yield from (commands.CallPartner(seat, card) for card in (*held[:1], *state.rules.deck[:3]))
    yield from (commands.Discard(seat, tuple(held[:many])) for many in range(len(held) + 1))
    if (options := legal_discards(state, seat)) is not None:
        yield commands.Discard(seat, (*options.required, *options.optional[: options.maximum - len(options.required)]))


def _words(state: State, seat: int) -> Iterator[Command]:
    n = state.ceremonies[-1].n if state.ceremonies else 0
    yield from (commands.AskUndo(seat), commands.ProposeDraw(seat), commands.Resign(seat))
    yield from (commands.AnswerProposal(seat, accept) for accept in (True, False))
    yield from (commands.CallDelay(seat, accused, LATE) for accused in range(len(state.seats)))
    yield from (commands.VoteDelay(seat, guilty) for guilty in (True, False))
    yield from (commands.ChangeRules(seat, change) for change in ("points 7", "dirty", "reverse", "partners left", "x"))
    yield commands.CutDeck(seat, n, state.ceremonies[-1].commit if state.ceremonies else HEX, HEX)
    yield commands.AskHandover(seat, "p9", "human")
    yield commands.AskHandover(seat, "bot:simple:9", "bot", "simple")
    yield commands.AskHandover(seat, state.seats[0].player, "human")
    yield from (commands.AnswerHandover(seat, accept) for accept in (True, False))
    yield from (commands.ReturnSeat(seat, state.seats[seat].player), commands.ReturnSeat(seat, "p1"))
    yield from (commands.ClaimTime(seat, at) for at in (state.at, LATE))
    if seat < 2:
        yield commands.OpenDispute(seat, seat + 1, state.version, "x" if seat else "revoke", NOTE)
    yield from (commands.WithdrawDispute(seat, dispute) for dispute in (1, 2))
    yield from (commands.AppealRuling(seat, dispute) for dispute in (1, 2))


def _duties(state: State) -> Iterator[Command]:
    n = state.ceremonies[-1].n if state.ceremonies else 0
    evidence = Evidence(state.version, HEX)
    zero = (0,) * len(state.seats)
    for dispute in (1, 2, 3):
        for decision, changes in (("none", ()), ("void", ()), ("adjust", zero), ("adjust", (1, *zero[1:])), ("x", ())):
            yield commands.GiveRuling("ann", dispute, decision, changes, "S34", "recorded", evidence, NOTE)
        yield from (commands.DecideAppeal("ben", dispute, decision) for decision in ("upheld", "reversed", "x"))
    yield from (commands.Tick(at) for at in (state.at, LATE))
    yield from (commands.DealHand(n, state.rules.deck), commands.FlipCoin(n, 0), commands.DrawDealer(n, 1))
    yield from (commands.OpenCeremony(n + 1, f"deal hand {hand}", HEX, state.at) for hand in (1, 2))


def verdict(state: State, command: Command) -> str:
    """Return the facts that a command causes, or the refusal."""
    try:
        return ", ".join(map(repr, decide(state, command))) or "no fact"
    except Rejected as refusal:
        return f"{refusal.code}: {refusal}"


def verdicts(history: History) -> Iterator[str]:
    """Yield each verdict on commands of a kind, with how often it's given, and the legal moves of each moment."""
    found = Counter[str]()
    for state in states(history):
        for command in asked_of(state):
            found[f"{type(command).__name__}: {verdict(state, command)}"] += 1
        found.update(says for seat in state.turn for says in (_moves_text(state, seat), _stand_in_text(state, seat)))
    yield from (f"{times} x {says}" for says, times in found.items())


def _moves_text(state: State, seat: int) -> str:
    moves = " ".join(str(vars(move) if hasattr(move, "__dict__") else move) for move in legal_moves(state, seat))
    return f"legal: {moves}"


def _stand_in_text(state: State, seat: int) -> str:
    return f"in the player's place: {stand_in_move(state, seat)}"


if __name__ == "__main__":
    write_list(VERDICTS, {name: verdicts(GAMES[name]()) for name in ASKED})
