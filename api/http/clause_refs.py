"""Which clauses of the rule sheets each refusal rests on, in every game that knows it (docs/rules)."""

from collections.abc import Mapping

SHEETS = {"S": "gamerz Pitch", "T": "Setback", "B": "Blackout", "C": "Corellian Pitch", "P": "every game"}
"""Whose clauses begin with which letter, rulings after `R-`."""

CITED: Mapping[str, tuple[str, ...]] = {
    "not-offered": ("S4", "R-S21", "T29", "R-C44"),
    "wrong-number-of-players": ("S2", "T1", "B1", "C37"),
    "same-player-twice": ("R-P1",),
    "no-such-player": ("R-P1",),
    "name-taken": ("R-P12",),
    "stale-version": ("R-P3",),
    "seat-left": ("R-P9",),
    "out-of-turn": ("S7", "T5", "T14", "B5", "R-C5", "R-C53"),
    "wrong-phase": ("S8", "R-C28"),
    "game-over": ("S44", "T41", "T42", "B24", "C6", "R-C42"),
    "not-a-bid": ("S11", "T6", "B6"),
    "bid-too-low": ("S13", "R-S4", "T8", "C1", "R-C5", "R-C6", "R-C51"),
    "bid-too-high": ("T9", "R-T2", "C32", "R-C7"),
    "hooked": ("B3", "B14", "R-B5"),
    "must-bid": ("T10", "R-T3", "B7"),
    "not-in-hand": ("S18", "T19"),
    "must-follow": ("S34", "S35", "T20", "T21", "B20", "R-C9"),
    "not-a-trump": ("R-C9", "R-C10"),
    "must-play-called": ("R-C29",),
    "cannot-discard": ("R-C2", "R-C3", "R-C48"),
    "no-call": ("C13", "R-C28", "R-C31", "R-C62"),
    "too-soon": ("C28", "R-C39"),
    "delay-open": ("R-C40", "R-C63"),
    "no-delay": ("C28", "C29", "R-C39"),
    "nothing-to-undo": ("R-P7",),
    "no-proposal": ("R-P7", "R-P8"),
    "proposal-open": ("R-P7", "R-P8"),
    "no-draw": ("R-P8",),
}
"""By the slug of the problem; a slug that is not here rests on no clause."""


def cited(slug: str) -> list[str]:
    """A line for each game that says no so: `Setback: T20, T21`."""
    by_game = {letter: [each for each in CITED.get(slug, ()) if _letter(each) == letter] for letter in SHEETS}
    return [f"{SHEETS[letter]}: {', '.join(clauses)}" for letter, clauses in by_game.items() if clauses]


def _letter(clause: str) -> str:
    return clause.removeprefix("R-")[0]
