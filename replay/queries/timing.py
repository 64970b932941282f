"""How long each turn took by the times in the log, and which limits it exceeded.

A turn begins with the fact that names the seat and ends with the seat's move; the server's own moves count, too. The
cut window of a deal, if the table has one, runs from the commitment to the deal.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple, TypedDict

from msgspec.structs import asdict

from domain.events import CeremonyOpened, CutOpened, DelayCalled, GameOpened, HandDealt, SeatForfeited, TurnReminded
from domain.json_fields import Time, says
from replay.audit.play.checking import MOVE_FACTS
from replay.audit.play.turns import is_blind
from replay.fold import Position
from replay.fold.clocks import elapsed_ms
from replay.history import History
from replay.history.findings import Finding
from replay.queries.answer import Answer, HandAnswer, findings_json, question_json
from replay.queries.reading import Transition, deals, player_names, transitions

HEADS = ("event", "hand", "player", "moves", "turn since", "took s", "too long by s")
DAY_MS = 86_400_000


class TurnTime(TypedDict):
    """A turn and its time."""

    version: int
    hand: int
    seat: int
    fact: str
    since: Annotated[int | None, says("The version at which the turn began.")]
    took_ms: int | None
    limit_ms: int | None
    by_house: bool
    over_ms: int | None


class SeatTime(TypedDict):
    """A seat's turns."""

    seat: int
    turns: int
    took_ms: int
    longest_ms: int
    late: int


class DelayCallTime(TypedDict):
    """A delay call, and the time by the log."""

    version: int
    seat: int
    accused: int
    told_ms: int
    waited_ms: int | None
    limit_ms: int | None


class Reminder(TypedDict):
    """A reminder, or the loss of a seat by time."""

    version: int
    fact: str
    seat: int
    waited_ms: int | None
    held_ms: int


class CutTime(TypedDict):
    """A seat's cut, and how long after the commitment it came."""

    version: int
    seat: int
    after_ms: int | None


class CutWindow(TypedDict):
    """A deal with cuts: the versions of its commitment and of the deal, and the seats without a cut."""

    hand: int
    redeal: int
    n: Annotated[int, says("The number of the ceremony.")]
    opened: int
    cuts: list[CutTime]
    dealt: int
    dealt_after_ms: int | None
    missing: list[int]


class OpenTurn(TypedDict):
    """The turn that isn't over."""

    seats: list[int]
    since: Time
    version: int | None


class Times(HandAnswer):
    """How long each turn took."""

    limits: Annotated[dict[str, Any], says("The table's time limits.")]
    turns: list[TurnTime]
    seats: list[SeatTime]
    delay_calls: list[DelayCallTime]
    reminded: list[Reminder]
    cuts: Annotated[list[CutWindow], says("The deals with cuts.")]
    waiting: OpenTurn | None


class Turn(NamedTuple):
    """A turn from event `since` to event `version`; `limit_ms` is the longest legal time, or None without a limit."""

    version: int
    hand: int
    seat: int
    fact: str
    since: int
    took_ms: int | None
    limit_ms: int | None
    by_house: bool

    @property
    def over_ms(self) -> int | None:
        """The time over the limit, or None."""
        if self.took_ms is None or self.limit_ms is None or self.took_ms <= self.limit_ms:
            return None
        return self.took_ms - self.limit_ms


def turn_times(history: History, hand: int | None = None) -> Answer[Times]:
    """Return each turn, delay call, reminder and cut window of the game, or of one hand.

    A turn that takes too long isn't a fault of the log; a delay call with a time that differs from the log's is a
    finding. Raise NoSuchHand if the hand wasn't dealt.
    """
    deals(history, hand)
    every_transition = list(transitions(history))
    own = [each for each in every_transition if hand in (None, _hand(each.before))]
    end = every_transition[-1].after if every_transition else Position()
    turns = [turn for each in own for turn in _turn(each)]
    calls = [_delay_call(each) for each in own if isinstance(each.event.data, DelayCalled)]
    who = player_names(history, end)
    findings = [Finding(each["version"], _wrong_time(each)) for each in calls if each["told_ms"] != each["waited_ms"]]
    body: Times = {
        **question_json(history, "clock"),
        "hand": hand,
        "limits": _limits(every_transition),
        "turns": [_turn_time(turn) for turn in turns],
        "seats": [_seat_total(seat, turns) for seat in who],
        "delay_calls": calls,
        "reminded": [_reminder(each) for each in own if isinstance(each.event.data, TurnReminded | SeatForfeited)],
        "cuts": [each for each in _cut_windows(every_transition) if hand in (None, each["hand"])],
        "waiting": _open_turn(end),
        **findings_json(findings),
    }
    rows = [_row(turn, who) for turn in turns]
    return Answer(history, body, HEADS, rows, tuple(_notes(body, who)), tuple(findings))


def _hand(position: Position) -> int:
    return position.hand.dealt.hand if position.hand is not None else 0


def _limits(every_transition: list[Transition]) -> dict[str, Any]:
    """Return the table's time limits: its timing, the cut window and delay of game."""
    facts = (each.event.data for each in every_transition)
    opened = next((fact for fact in facts if isinstance(fact, GameOpened)), None)
    if opened is None:
        return {}
    delay, pace = opened.rules.delay, opened.timing.pace
    return {
        **asdict(opened.timing),
        "pace": None if pace is None else asdict(pace),
        "cut_window_s": opened.fairness.window_s,
        "delay_after_ms": None if delay is None else delay.after_ms,
    }


def _turn(transition: Transition) -> Iterator[Turn]:
    """Yield the turn that a move ends; not for calls out of turn or cards that play themselves (B19)."""
    before, event = transition.before, transition.event
    seat = getattr(event.data, "seat", None)
    plays_itself = event.fact == "CardPlayed" and is_blind(before)
    if event.fact not in MOVE_FACTS - {"TrumpPitched"} or seat not in before.awaited or plays_itself:
        return
    took, limit = elapsed_ms(before.since, event.at), _limit(before, event.fact)
    yield Turn(event.version, _hand(before), seat, event.fact, before.began, took, limit, event.by == "server")


def _limit(position: Position, fact: str) -> int | None:
    """Return the limit: for a card that of delay of game, else the time until the deadline (C28, R-P10, R-P15)."""
    delay, days = position.rules.delay, position.opening.timing.forfeit_days
    if fact == "CardPlayed" and delay is not None:
        return delay.after_ms
    if position.clock is not None:
        return elapsed_ms(position.since, position.clock.timed.deadline)
    return None if days is None else days * DAY_MS + position.held_ms


def _turn_time(turn: Turn) -> TurnTime:
    return {
        "version": turn.version,
        "hand": turn.hand,
        "seat": turn.seat,
        "fact": turn.fact,
        "since": turn.since,
        "took_ms": turn.took_ms,
        "limit_ms": turn.limit_ms,
        "by_house": turn.by_house,
        "over_ms": turn.over_ms,
    }


def _seat_total(seat: int, turns: list[Turn]) -> SeatTime:
    took = [turn.took_ms or 0 for turn in turns if turn.seat == seat]
    late = sum(turn.seat == seat and turn.over_ms is not None for turn in turns)
    return {"seat": seat, "turns": len(took), "took_ms": sum(took), "longest_ms": max(took, default=0), "late": late}


def _delay_call(transition: Transition) -> DelayCallTime:
    fact, version = transition.event.data, transition.event.version
    waited, delay = elapsed_ms(transition.before.since, transition.event.at), transition.before.rules.delay
    limit = None if delay is None else delay.after_ms
    return {
        "version": version,
        "seat": fact.seat,
        "accused": fact.accused,
        "told_ms": fact.waited_ms,
        "waited_ms": waited,
        "limit_ms": limit,
    }


def _wrong_time(call: DelayCallTime) -> str:
    took = f"it says that seat {call['accused']} took {call['told_ms']} ms"
    return f"{took}; by the log it's {call['waited_ms']} ms"


def _reminder(transition: Transition) -> Reminder:
    event, waited = transition.event, elapsed_ms(transition.before.since, transition.event.at)
    fact = event.data
    return {
        "version": event.version,
        "fact": event.fact,
        "seat": fact.seat,
        "waited_ms": waited,
        "held_ms": fact.held_ms,
    }


def _cut_windows(every_transition: list[Transition]) -> Iterator[CutWindow]:
    """Yield each deal with cuts: its commitment, each cut, the deal, and the seats without a cut."""
    opened: dict[int, Transition] = {}
    cuts: dict[int, list[CutTime]] = {}
    for transition in every_transition:
        fact, event = transition.event.data, transition.event
        if isinstance(fact, CeremonyOpened):
            opened[fact.n], cuts[fact.n] = transition, []
        elif isinstance(fact, CutOpened):
            after = elapsed_ms(opened[fact.n].event.at, event.at)
            cuts[fact.n].append({"version": event.version, "seat": fact.seat, "after_ms": after})
        elif isinstance(fact, HandDealt) and transition.before.opening.fairness.cuts != "none":
            yield {
                "hand": fact.hand,
                "redeal": fact.redeal,
                "n": fact.n,
                "opened": opened[fact.n].event.version,
                "cuts": cuts[fact.n],
                "dealt": event.version,
                "dealt_after_ms": elapsed_ms(opened[fact.n].event.at, event.at),
                "missing": list(fact.missing),
            }


def _open_turn(end: Position) -> OpenTurn | None:
    """Return the turn that isn't over, or None."""
    if not end.turn:
        return None
    return {"seats": list(end.turn), "since": end.since, "version": end.began}


def _seconds(ms: int | None) -> str:
    return "" if ms is None else f"{ms / 1000:.3f}"


def _row(turn: Turn, who: Mapping[int, str]) -> tuple[object, ...]:
    since = f"event {turn.since}"
    return turn.version, turn.hand, who[turn.seat], turn.fact, since, _seconds(turn.took_ms), _seconds(turn.over_ms)


def _notes(body: Times, who: Mapping[int, str]) -> Iterator[str]:
    for each in body["seats"]:
        longest = f"the longest {_seconds(each['longest_ms'])} s"
        late = f", {each['late']} too long" if each["late"] else ""
        turns = f"{each['turns']} turn{'' if each['turns'] == 1 else 's'}"
        yield f"{who[each['seat']]}: {turns}, {_seconds(each['took_ms'])} s in all, {longest}{late}"
    for call in body["delay_calls"]:
        limit = "" if call["limit_ms"] is None else f", allowed {_seconds(call['limit_ms'])} s"
        waited = f"after {_seconds(call['waited_ms'])} s{limit}"
        yield f"event {call['version']}: {who[call['seat']]} calls delay of game on {who[call['accused']]}, {waited}"
    for reminder in body["reminded"]:
        waited = f"after {_seconds(reminder['waited_ms'])} s"
        yield f"event {reminder['version']}: {reminder['fact']}, {who[reminder['seat']]}, {waited}"
    for window in body["cuts"]:
        made = (f"{who[cut['seat']]} after {_seconds(cut['after_ms'])} s" for cut in window["cuts"])
        dealt = f"dealt after {_seconds(window['dealt_after_ms'])} s"
        yield f"hand {window['hand']}: cut by {', '.join(made) or 'nobody'}; {dealt}"
    if body["waiting"] is not None:
        awaited = " and ".join(who[seat] for seat in body["waiting"]["seats"])
        yield f"{awaited} to move since event {body['waiting']['version']}, {body['waiting']['since']}"
