"""Decide how a game opens: the seats, and the rules they play by."""

import re
from collections.abc import Mapping
from reprlib import repr as shortened
from typing import Any

from domain.commands import OpenGame
from domain.engine.cuts import validate_fairness
from domain.engine.deadlines import BOT_AUTOPILOT, CLAIM, FORFEIT, validate_timing
from domain.engine.wording import one_of
from domain.events import Fact, GameLimits, GameOpened, Player, Rating, Timing, Watch
from domain.rejections import NoPerson, NotOffered, SamePlayerTwice, WrongNumberOfPlayers
from domain.rules.choices import Undo
from domain.rules.consistency import rules_at, rules_fault
from domain.rules.model import Rules
from domain.rules.variants import compose_rules
from domain.rules.variants.house import RULEBOOK
from domain.state import State
from domain.struct import replace

REVEAL_OPTIONS = ("hand", "game")
_BOT = re.compile(rf"{BOT_AUTOPILOT}[a-z]{{1,16}}")
MAX_DELAY = 1000
"""The most facts by which spectators may see a game late."""


def open_game(state: State, command: OpenGame) -> tuple[Fact, ...]:
    """Start a game at once (R-P1); refuse options not offered, and players too few, too many, or named twice."""
    rules, options = _rules_and_options(command)
    ids = [player.player for player in command.players]
    if len(ids) not in rules.seats:  # S2
        raise WrongNumberOfPlayers(
            f"A game of {command.variant} takes {_number_range(rules.seats)} players, not {len(ids)}."
        )
    if len(set(ids)) < len(ids):
        raise SamePlayerTwice("Name each player only once.")
    if all(player.kind != "human" for player in command.players):
        raise NoPerson("A game needs at least one person.")
    if command.reveal not in REVEAL_OPTIONS:
        raise NotOffered(
            f"The value {shortened(command.reveal)} isn't offered for reveal. Choose {one_of(REVEAL_OPTIONS)}."
        )
    opened = GameOpened(
        board=command.board,
        variant=command.variant,
        rules=rules,
        options=options,
        sides=rules.sides(len(ids)),
        players=command.players,
        deck=rules.deck,
        timing=_timing(validate_timing(command.timing), options),
        fairness=validate_fairness(command.fairness),
        reveal=command.reveal,
        limits=_limits(command.limits),
        watch=_watch(command.watch),
        undo=_undo(command.undo, command.players),
        autopilot=_autopilot(command.autopilot, command.players),
        rated=_rated(command),
    )
    return (opened,)


def _rules_and_options(command: OpenGame) -> tuple[Rules, dict[str, Any]]:
    """Return the rules that the options compose, or those of the rulebook that they name, for these players."""
    players = len(command.players)
    rules, options = compose_rules(command.variant, command.options, players)
    if RULEBOOK in options:
        if command.rules is None:
            raise NotOffered("There's no rulebook with this address here.")
        rules = command.rules
    if players in rules.seats and (fault := rules_fault(rules_at(rules, players))):
        raise NotOffered(fault)
    return rules, options


def _limits(limits: GameLimits | None) -> GameLimits | None:
    if limits is not None and (limits.events < 1 or limits.proposals < 0):
        raise NotOffered("A game may have 1 event or more, and 0 proposals of a seat in a hand or more.")
    return limits


def _watch(watch: Watch) -> Watch:
    if not 0 <= watch.delay <= MAX_DELAY:
        raise NotOffered(f"Set watch.delay to 0 to {MAX_DELAY} facts.")
    return watch


def _undo(undo: str, players: tuple[Player, ...]) -> str:
    """Refuse an unknown way to take moves back, and practice with another number of people than one (R-P7)."""
    people = sum(player.kind == "human" for player in players)
    if undo not in tuple(Undo):
        raise NotOffered(f"The value {shortened(undo)} isn't offered for undo. Choose {one_of(Undo)}.")
    if undo == Undo.PRACTICE and people != 1:
        raise NotOffered(f"Practice is for one person and bots, but {people} people would play. Choose another undo.")
    return undo


def _autopilot(autopilot: str, players: tuple[Player, ...]) -> str:
    """Refuse an unknown autopilot, and claims at a table with one person (R-P17)."""
    if autopilot not in (FORFEIT, CLAIM) and not _BOT.fullmatch(autopilot):
        raise NotOffered(f'Set autopilot to {FORFEIT}, {CLAIM}, or "{BOT_AUTOPILOT}" and the name of a strategy.')
    if autopilot == CLAIM and sum(player.kind == "human" for player in players) < 2:
        raise NotOffered("At a table of one person nobody can claim a time. Choose another autopilot.")
    return autopilot


def _rated(command: OpenGame) -> Rating | None:
    """Return the first reason that applies why the game doesn't count for ratings; None if nothing decides that yet."""
    reasons = {
        "practice": command.undo == Undo.PRACTICE,
        "bots": any(player.kind != "human" for player in command.players),
        "guest": command.guests,
        "private": not command.watch.public,
    }
    return next((Rating(counts=False, reason=reason) for reason, applies in reasons.items() if applies), None)


def _timing(timing: Timing, options: Mapping[str, Any]) -> Timing:
    """Set the session's end from the options (C6); if the timing also has one, the earlier of the two."""
    ends = [time for time in (timing.ends_at, options.get("ends_at")) if time is not None]
    return replace(timing, ends_at=min(ends)) if ends else timing


def _number_range(numbers: tuple[int, ...]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
