"""Where commits begin, and which facts leave the turn to a later fact of their commit (docs/design.md#commits)."""

from collections.abc import Sequence
from typing import Any

from domain.events import Event, require_every_fact
from domain.rules.choices import Cuts, Sight
from domain.rules.model import Rules
from replay.audit.deals import cuts
from replay.audit.disputes.rulings import DISPUTE_FACTS
from replay.audit.play.deadlines import DEADLINE_FACTS
from replay.audit.play.fact_kinds import CUT_FACTS, MOVE_FACTS, SERVER, TABLE_TALK_FACTS
from replay.fold import Position
from replay.history import LogLine

CHANGES = frozenset({"RulesChanged", "RulesChangeDeferred"})
ENDS = frozenset({"HandThrownIn", "HandScored", "MisdealDeclared", "GameEnded"})
"""What ends a hand or the game, so that nobody is to move."""
_SAID = MOVE_FACTS | CUT_FACTS | DEADLINE_FACTS | DISPUTE_FACTS
_TABLES_OWN = frozenset(
    {
        "GameOpened", "SeatsDrawn", "DealerDrawn", "CeremonyOpened", "SeedKept", "HandDealt", "CardsDealt", "StockLaid",
        "MisdealDeclared", "TrumpTurnedUp", "CeremonyRevealed", "CeremonyVoided", "CoinFlipped", "HandThrownIn",
        "AuctionWon", "PartnerRevealed", "CardsBuried", "CardsDrawn", "StockTaken", "CardsTaken", "TrickTaken",
        "HandScored", "BidScaled", "PartnersChanged", "DelayJudged", "MovesTakenBack", "GameEnded",
    }
)  # fmt: skip
"""Facts by which the table answers a seat, the host, an arbiter or the clock."""
require_every_fact(_SAID | TABLE_TALK_FACTS | CHANGES | _TABLES_OWN, __name__)
_WHILE_CUTTING = TABLE_TALK_FACTS | CUT_FACTS | DISPUTE_FACTS | {"CeremonyOpened", "SeedKept"}
"""What stands last before a deal that waits, as far as it is shown: the seed is not."""


def is_spoken(event: Event[Any], before: str, blind: bool) -> bool:
    """Whether a seat, the host, an arbiter or the clock speaks after the fact `before`; the table answers them."""
    if event.fact in CHANGES:
        return bool(event.data.cause == "host")
    if event.fact == "CardPlayed":
        return before != "TrumpPitched" and not blind
    return event.fact in _SAID or (event.fact in TABLE_TALK_FACTS and (event.fact, event.by) != ("DelayVoted", SERVER))


def begins_commit(position: Position, event: Event[Any], before: str, *, blind: bool, decided: bool) -> bool:
    """Whether a commit begins here: with what somebody says, or when time is up, for the game or for cuts."""
    if is_spoken(event, before, blind):
        return True
    if cuts.promise_waiting_for_cuts(position) is not None and position.opening.fairness.cuts != Cuts.NONE:
        clock_says = event.fact in {"HandDealt", "CeremonyVoided", "CeremonyRevealed"}
        return clock_says and before in _WHILE_CUTTING and not decided
    reveals = event.fact in {"CeremonyRevealed", "GameEnded"} and before != "CeremonyRevealed"
    return bool(reveals and position.turn and not decided)


def turn_follows_flags(lines: Sequence[LogLine]) -> list[bool]:
    """For each line, whether a later fact of its commit carries `next`, or ends the hand or the game."""
    starts = _starts(lines)
    flags, later = [False] * len(lines), False
    for place in range(len(lines) - 1, -1, -1):
        flags[place] = later
        event = lines[place].event
        if starts[place]:
            later = False
        elif event is not None:
            later = later or hasattr(event.data, "next") or event.fact in ENDS
    return flags


def _starts(lines: Sequence[LogLine]) -> list[bool]:
    """For each line, whether a commit begins with it, as far as the events alone tell."""
    starts, blind = list[bool](), False
    rules: Rules | None = None
    before: Event[Any] | None = None
    for line in lines:
        event = line.event
        if event is None:
            starts.append(False)
            continue
        if event.fact == "GameOpened":
            rules = event.data.rules
        if event.fact == "HandDealt":
            blind = rules is not None and _sight(rules, event.data.hand) is Sight.OTHERS
        anew = before is not None and (event.at, event.command) != (before.at, before.command)
        starts.append(anew or is_spoken(event, before.fact if before else "", blind))
        before = event
    return starts


def _sight(rules: Rules, hand: int) -> Sight:
    return rules.sight(max(1, hand)) if rules.sights else Sight.OWN
