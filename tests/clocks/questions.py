"""Questions about seats in the year: people ask, agree, refuse, or never answer (R-P13)."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from domain.commands import AnswerHandover, AskHandover
from domain.decide.handing_over import has_undealt_ceremony
from domain.state import State, free_bot_id
from domain.store.aggregate import Entry

ENDS_OF_TURNS = ("SeatForfeited", "SeatHandedOver", "GameEnded")
OUTCOMES = {"to a person", "to a bot", "refused", "lapsed"}


def choose_question(state: State, chance: Random, newcomer: str) -> tuple[AskHandover | AnswerHandover, int] | None:
    """Return a question about a seat, or an answer, and the seat that sends it; None if nobody wants to speak."""
    asked = state.handover
    if asked is not None:
        waiting = [seat for seat in state.persons if seat not in asked.accepted]
        if not waiting or chance.random() < 0.7:
            return None
        return AnswerHandover(waiting[0], accept=chance.random() < 0.7), waiting[0]
    if not state.persons or has_undealt_ceremony(state) or chance.random() < 0.93:
        return None
    seat = chance.choice(state.persons)
    if chance.random() < 0.5:
        return AskHandover(seat, newcomer, "human"), seat
    return AskHandover(seat, free_bot_id(state, "simple"), "bot", "simple"), seat


def outcomes(entries: Sequence[Entry]) -> Counter[str]:
    """Count how the questions of a game ended: see OUTCOMES, or `open`."""
    counted, asked = Counter[str](), None
    for entry in entries:
        fact, data = entry.event.fact, entry.event.data
        if fact == "HandoverAsked":
            asked = data
        elif asked is None:
            continue
        elif fact == "HandoverAnswered" and not data.accept:
            counted["refused"], asked = counted["refused"] + 1, None
        elif fact in ENDS_OF_TURNS and (fact == "GameEnded" or data.seat == asked.seat):
            counted[_end_of(fact, asked.to, getattr(data, "to", None))] += 1
            asked = None
    counted["open"] += asked is not None
    return counted


def _end_of(fact: str, asked: str, to: str | None) -> str:
    if fact != "SeatHandedOver" or to != asked:
        return "lapsed"
    return "to a bot" if asked.startswith("bot:") else "to a person"
