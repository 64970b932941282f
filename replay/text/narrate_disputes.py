"""Tells each dispute and ruling in one sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain import events as facts
from replay.text.sanitize import sanitize

STANDARDS = {"recorded": "by the log", "likely": "as is likely"}


def narrate_dispute(fact: Any, who: Mapping[int, str]) -> str | None:
    """Return the sentence for a fact of a dispute, or None for any other fact."""
    match fact:
        case facts.DisputeOpened(dispute, seat, hand, at_version, kind):
            return f"{who[seat]} disputes hand {hand} as of event {at_version}: {sanitize(kind)} (dispute {dispute})"
        case facts.RulingGiven():
            return f"an arbiter rules on dispute {fact.dispute}{_grounds(fact)}: {_ruling(fact, who)}"
        case facts.RulingAppealed(dispute, seat):
            return f"{who[seat]} appeals against the ruling on dispute {dispute}"
        case facts.RulingDecided(dispute, decision, ruled):
            return (
                f"another arbiter decides: the ruling on dispute {dispute} is {sanitize(decision)}{_ruled(ruled, who)}"
            )
        case _:
            return None


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
