"""Random disputes at the tables of tests.replay.playing: a seat contests, an arbiter rules, another one decides."""

from typing import Any

from domain.commands import AppealRuling, Command, DecideAppeal, GiveRuling, OpenDispute, WithdrawDispute
from domain.events import Evidence
from domain.events.disputes import DisputeKind
from domain.rejections import Rejected
from tests.replay.playing import Table, table

ANN, BEN = "arbiter-ann", "arbiter-ben"
NOTE = "cd" * 32


def contested(made: Table, hands: int, often: float = 0.1, also: float = 0.1) -> Table:
    """Play `hands` hands or the whole game, with disputes at the rate `often` and twelve more attempts at the end."""
    while not made.over and made.scored < hands:
        made.play(0.05, 1, also)
        if made.random.random() < often:
            quarrel(made)
    for _ in range(12):
        quarrel(made)
    return made


def quarrel(made: Table) -> None:
    """Make a random move of a dispute; ignore a refusal."""
    say = made.random.choice((dispute, dispute, ruling, ruling, appeal, verdict))
    command, by = say(made)
    try:
        made.do(command, by)
    except Rejected:
        made.clock += 1


def dispute(made: Table) -> tuple[Command, str]:
    """Contest one of the last hands, or the one that waits for cuts."""
    state, random = made.game.state, made.random
    seat = random.randrange(len(state.seats))
    hand = 1 if state.hand is None else max(1, state.hand.number + random.choice((-1, 0, 0, 1)))
    version = made.game.version - random.randrange(6)
    return OpenDispute(seat, hand, version, random.choice([*DisputeKind]).value, NOTE), state.seats[seat].player


def _some(made: Table) -> int:
    return made.random.randint(1, max(1, len(made.game.state.disputes)))


def ruling(made: Table) -> tuple[Command, str]:
    """Rule as an arbiter on the current log."""
    state, random = made.game.state, made.random
    decision = random.choice(("none", "adjust", "adjust", "void", "void"))
    by_side = {seat: random.randint(-3, 3) for seat in range(len(state.seats))}
    for side in state.rules.sides(len(state.seats)):
        by_side.update(dict.fromkeys(side, by_side[side[0]]))
    changes = tuple(by_side.values()) if decision == "adjust" else ()
    evidence = Evidence(made.game.version, made.game.root)
    by = random.choice((ANN, BEN))
    return GiveRuling(by, _some(made), decision, changes, "S34", "recorded", evidence, NOTE), by


def appeal(made: Table) -> tuple[Command, str]:
    """Appeal for a seat."""
    seat = made.random.randrange(len(made.game.state.seats))
    return AppealRuling(seat, _some(made)), made.game.state.seats[seat].player


def verdict(made: Table) -> tuple[Command, str]:
    """Decide an appeal as an arbiter."""
    by = made.random.choice((ANN, BEN))
    return DecideAppeal(by, _some(made), made.random.choice(("upheld", "reversed"))), by


def settled_game(seed: int = 5, **kind: Any) -> Table:
    """Two hands of Pitch among three: a score adjusted and upheld, a hand voided, one dealt again, one withdrawn."""
    made = table(seed, 3, **kind).hands(1)
    root = made.game.root
    version = made.game.version
    for seat in (0, 1, 2):
        made.says(OpenDispute(seat, 1, version, "revoke", NOTE))
    made.do(GiveRuling(ANN, 1, "adjust", (2, -1, 0), "S34", "likely", Evidence(version, root), NOTE), ANN)
    made.do(AppealRuling(1, 1), "p1")
    made.do(DecideAppeal(BEN, 1, "upheld"), BEN)
    later = Evidence(version + 1, made.entries[version + 1].prev.hex())
    made.do(GiveRuling(BEN, 2, "void", (), None, "recorded", later, NOTE), BEN)
    made.do(AppealRuling(0, 2), "p0")
    made.do(DecideAppeal(ANN, 2, "reversed"), ANN)
    made.play(most=2)
    made.says(OpenDispute(0, 2, made.game.version, "deal", NOTE))
    made.do(GiveRuling(ANN, 4, "void", (), "S20", "recorded", Evidence(made.game.version, made.game.root), NOTE), ANN)
    made.do(GiveRuling(ANN, 3, "none", (), "R-S9", "recorded", Evidence(version, root), NOTE), ANN)
    made.hands(2)
    made.says(OpenDispute(1, 2, made.game.version, "turn", NOTE))
    made.says(WithdrawDispute(1, 5))
    return made
