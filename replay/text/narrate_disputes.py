"""Tells each dispute and ruling in one sentence."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain import events as facts
from replay.text.layout import sanitize

STANDARDS = {"recorded": "by the log", "likely": "as is likely"}


def _grounds(ruling: facts.RulingGiven) -> str:
    return "".join(f", {sanitize(each)}" for each in (ruling.basis, STANDARDS.get(ruling.standard)) if each)


def _ruling(ruling: facts.RulingGiven, who: Mapping[int, str]) -> str:
    match ruling.decision:
        case "none":
            return "it stands as played"
        case "void" if ruling.voids is not None:
            return "the hand is void, and dealt again"
        case "void":
            return f"the hand is void, {score_changes_text(ruling.changes, who)}{_ruled(ruling.ruled, who)}"
        case _:
            return f"{score_changes_text(ruling.changes, who)}{_ruled(ruling.ruled, who)}"


def score_changes_text(by_seat: Sequence[int], who: Mapping[int, str]) -> str:
    """Return the changes that aren't 0: `ann -2, bob +2`."""
    return ", ".join(f"{who[seat]} {change:+}" for seat, change in enumerate(by_seat) if change) or "no change"


def _ruled(ruled: facts.Ruled | None, who: Mapping[int, str]) -> str:
    """Return the scores as ruled, and the winners."""
    if ruled is None:
        return ""
    scores = ", ".join(f"{who[seat]} {score}" for seat, score in enumerate(ruled.scores))
    return f"; as ruled {scores}{ruled_winners(ruled, who)}"


def ruled_winners(ruled: facts.Ruled | None, who: Mapping[int, str]) -> str:
    """Return the winners as ruled; nothing if no ruling counts or the game goes on."""
    if ruled is None or not ruled.winners:
        return ""
    names = " and ".join(who[seat] for seat in ruled.winners)
    return f"; as ruled {names} {'win' if len(ruled.winners) > 1 else 'wins'}"


DISPUTE_SENTENCES: dict[type[Any], Callable[[Any, Mapping[int, str]], str]] = {
    facts.DisputeOpened: lambda fact, who: (
        f"{who[fact.seat]} disputes hand {fact.hand} as of event {fact.at_version}: {sanitize(fact.kind)} "
        f"(dispute {fact.dispute})"
    ),
    facts.DisputeWithdrawn: lambda fact, who: f"{who[fact.seat]} withdraws dispute {fact.dispute}",
    facts.RulingGiven: lambda fact, who: (
        f"an arbiter rules on dispute {fact.dispute}{_grounds(fact)}: {_ruling(fact, who)}"
    ),
    facts.RulingAppealed: lambda fact, who: f"{who[fact.seat]} appeals against the ruling on dispute {fact.dispute}",
    facts.RulingDecided: lambda fact, who: (
        f"another arbiter decides: the ruling on dispute {fact.dispute} is {sanitize(fact.decision)}"
        f"{_ruled(fact.ruled, who)}"
    ),
}
"""The sentence for each fact of a dispute, given the names of the seats."""
