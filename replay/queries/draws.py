"""Every random draw, including those without effect, and whether its recorded result is right (fairdeal/1).

Seats, the first dealer and the coin have ceremonies, separate or shared. The randomizer draws before each turn of a
deal, from the deal's own ceremony, under labels that count the turns.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple, TypedDict

from domain.events import (
    CeremonyOpened,
    CoinFlipped,
    DealerDrawn,
    GameEnded,
    RulesChanged,
    RulesChangeDeferred,
    Seats,
    SeatsDrawn,
)
from domain.json_fields import says
from domain.protocols import fairdeal
from domain.rules.choices import Stop
from domain.rules.model import Randomizer
from replay.audit.deals.deal_ledger import DealLedger
from replay.audit.ledger import check_events
from replay.audit.play.rule_changes import menu_entries
from replay.fold import Position
from replay.history import History
from replay.history.findings import Finding
from replay.queries.answer import Answer, HandAnswer, findings_json, question_json
from replay.queries.reading import Transition, deals, transitions, unrevealed_notes
from replay.text.layout import names_by_seat

HEADS = ("event", "ceremony", "label", "odds", "draws", "came true", "recorded", "right")
GAME_DRAWS = (SeatsDrawn, DealerDrawn, CoinFlipped)
SEAT_DRAWS = frozenset({"dealer", "coin"})
"""The labels of the draws whose result is a seat."""


class ReportedDraw(TypedDict):
    """A chance drawn."""

    version: int
    n: Annotated[int, says("The number of the ceremony.")]
    label: str
    odds: Annotated[list[int] | None, says("a in b, or null.")]
    drawn: Annotated[
        Any, says("The number, the order of seats or the entry that the seed draws; null if it isn't known.")
    ]
    fired: Annotated[bool | None, says("Whether a draw with odds came true.")]
    recorded: Annotated[Any, says("The value in the log.")]
    came: Annotated[int | None, says("The event that it brought.")]
    right: bool | None


class DrawsAnswer(HandAnswer):
    """Every chance drawn."""

    draws: list[ReportedDraw]


class Draw(NamedTuple):
    """A draw after event `version`: its label and odds, the result, and the result in the log.

    `drawn` is the number, or for seats their order; None if the seed isn't shown. `fired` says whether a draw with
    `odds` came true; None for other draws. `recorded` is the result in the log, `came` the version of its event.
    """

    version: int
    n: int
    label: str
    odds: tuple[int, int] | None
    drawn: object
    fired: bool | None
    recorded: object
    came: int | None
    right: bool | None


def draws(history: History, hand: int | None = None) -> Answer[DrawsAnswer]:
    """Return each draw of the game or of one hand; a wrong one is a finding. Raise NoSuchHand if it wasn't dealt."""
    selected, ledger = deals(history, hand), check_events(history).deal_ledger
    every_transition, all_draws = list(transitions(history)), list[Draw]()
    for transition in every_transition:
        all_draws += _game_draws(transition, ledger) if hand is None else ()
    for each in selected:
        all_draws += _deal_draws(every_transition, each.dealt.n, ledger.key_of(each.dealt.n))
    all_draws.sort(key=lambda draw: draw.version)
    who = names_by_seat(history)
    findings = tuple(_finding(draw) for draw in all_draws if draw.right is False)
    waits = unrevealed_notes([each for each in selected if ledger.key_of(each.dealt.n) is None])
    body: DrawsAnswer = {
        **question_json(history, "draws"),
        "hand": hand,
        "draws": [_json(draw) for draw in all_draws],
        **findings_json(findings, waits),
    }
    return Answer(
        history,
        body,
        HEADS,
        [_row(draw, who) for draw in all_draws],
        (_count(all_draws),),
        findings,
        waits,
    )


def _json(draw: Draw) -> ReportedDraw:
    return {
        "version": draw.version,
        "n": draw.n,
        "label": draw.label,
        "odds": None if draw.odds is None else list(draw.odds),
        "drawn": draw.drawn,
        "fired": draw.fired,
        "recorded": draw.recorded,
        "came": draw.came,
        "right": draw.right,
    }


def _count(all_draws: list[Draw]) -> str:
    if not all_draws:
        return "no draws: only the cards were left to chance"
    return f"{len(all_draws)} draws" if len(all_draws) > 1 else "1 draw"


def _game_draws(transition: Transition, ledger: DealLedger) -> Iterator[Draw]:
    """Yield the draws of seats, the first dealer and the coin."""
    fact, version = transition.event.data, transition.event.version
    if not isinstance(fact, GAME_DRAWS):
        return
    key, seats = ledger.key_of(fact.n), transition.before.seats
    recorded: object
    match fact:
        case SeatsDrawn():
            label, recorded = "seats", list(fact.order)
            drawn = _draw_if_known(key, lambda key: fairdeal.shuffle(key, "seats", seats))
        case DealerDrawn():
            label, recorded = "dealer", fact.seat
            drawn = _draw_if_known(key, lambda key: fairdeal.pick(key, "dealer", seats))
        case _:
            label, recorded = "coin", fact.winner
            drawn = _draw_if_known(key, lambda key: _coin(key, fact.seats))
    yield Draw(version, fact.n, label, None, drawn, None, recorded, version, None if key is None else drawn == recorded)


def _draw_if_known(key: bytes | None, draw: Callable[[bytes], object]) -> object:
    return None if key is None else draw(key)


def _coin(key: bytes, tied: Seats) -> int:
    return tied[fairdeal.pick(key, "coin", len(tied))]


def _deal_draws(every_transition: list[Transition], n: int, key: bytes | None) -> list[Draw]:
    """Return the randomizer's draws in the deal of ceremony `n`; without its seed, only the results in the log."""
    own = [each for each in every_transition if each.before.hand is not None and each.before.hand.dealt.n == n]
    changes = {each.before.live.turns: each for each in own if _is_randomizer_change(each)}
    randomizer = _Randomizer(n, key, changes)
    for transition in own:
        if (chances := transition.before.rules.changes.randomizer) is not None:
            randomizer.add_draws_before(transition, chances)
    return randomizer.draws


def _ends_with_hand(draw: Draw) -> bool:
    """Return whether the draw says that the session ends with this hand."""
    return draw.recorded == WITH_THE_HAND


def _is_randomizer_change(transition: Transition) -> bool:
    fact = transition.event.data
    return isinstance(fact, RulesChanged | RulesChangeDeferred) and fact.cause == "randomizer"


class _Randomizer:
    """The randomizer's draws in one deal; `changes` are those in the log by turn, `turns` the turns already drawn."""

    def __init__(self, n: int, key: bytes | None, changes: dict[int, Transition]) -> None:
        self.n, self.key, self.changes = n, key, changes
        self.draws, self.turns = list[Draw](), set[int]()

    def add_draws_before(self, transition: Transition, chances: Randomizer) -> None:
        """Add the draws before this event: of a turn, of a change that leaves no seat to move, or of the game's end."""
        fact, before = transition.event.data, transition.before
        hand = before.hand
        if (
            hand is not None
            and not hand.over
            and (before.turn or _is_randomizer_change(transition))
            and hand.turns not in self.turns
        ):
            self._add_turn(before, hand.turns, chances)
        if isinstance(fact, GameEnded) and fact.n == self.n and fact.label is not None:
            self._record_end(before.version, fact.label, transition.event.version, chances)
        elif isinstance(fact, CeremonyOpened):
            self.draws = [each._replace(right=False) if _ends_with_hand(each) else each for each in self.draws]

    def _add_turn(self, position: Position, turn: int, chances: Randomizer) -> None:
        """Add the draws before a turn: whether to end, whether to change, and which change of the menu."""
        self.turns.add(turn)
        if chances.end is not None:
            no_effect = None if position.rules.stop is Stop.AT_ONCE else WITH_THE_HAND
            self._add_chance(position.version, f"randomizer {turn} end", chances.end, None, no_effect)
        change = self.changes.get(turn)
        came, no_effect = change and change.event.version, None if menu_entries(position) else "the menu is empty"
        self._add_chance(position.version, f"randomizer {turn} when", chances.when, came, no_effect)
        if change is not None:
            self._add_menu_draw(position.version, change)

    def _add_menu_draw(self, version: int, change: Transition) -> None:
        """Add the draw of a menu entry: the entry in the log, and the entry that the seed picks."""
        fact, menu = change.event.data, menu_entries(change.before)
        label, size = f"randomizer {change.before.live.turns} what", len(menu)
        pick = fairdeal.pick(self.key, label, size) if self.key is not None and menu else None
        right = None if self.key is None else (fact.label, fact.pick, fact.of) == (label, pick, size)
        entry = menu[fact.pick] if fact.pick is not None and fact.pick < size else None
        drawn = None if pick is None else menu[pick]
        self.draws.append(Draw(version, self.n, label, None, drawn, None, entry, change.event.version, right))

    def _record_end(self, version: int, label: str, came: int, chances: Randomizer) -> None:
        """Record the end that a draw brought: a draw that waited for the end of the hand, or one at the end itself."""
        waited = [place for place, each in enumerate(self.draws) if each.label == label]
        if not waited:
            self._add_chance(version, label, chances.end or NEVER, came, None)
        for place in waited:
            draw = self.draws[place]
            self.draws[place] = draw._replace(recorded=None, came=came, right=draw.fired)

    def _add_chance(
        self, version: int, label: str, odds: tuple[int, int], came: int | None, no_effect: str | None
    ) -> None:
        """Add a draw with odds a in b; `no_effect` says why a draw that came true has no effect at once."""
        if self.key is None:
            drawn, fired = None, None if came is None else True
            right = None
        else:
            drawn = fairdeal.pick(self.key, label, odds[1])
            fired = drawn < odds[0]
            right = fired == (came is not None) or (fired and no_effect is not None)
        self.draws.append(Draw(version, self.n, label, odds, drawn, fired, no_effect if fired else None, came, right))


WITH_THE_HAND = "it ends with the hand"
NEVER = (0, 1)


def _row(draw: Draw, who: Mapping[int, str]) -> tuple[object, ...]:
    odds = "" if draw.odds is None else f"{draw.odds[0]} in {draw.odds[1]}"
    came = None if draw.came is None else f"event {draw.came}"
    result = _seat_text(draw.recorded, who) if draw.label in SEAT_DRAWS else draw.recorded
    recorded = " ".join(str(each) for each in (result, came) if each is not None)
    return draw.version, draw.n, draw.label, odds, draw.drawn, _yes_or_no(draw.fired), recorded, _yes_or_no(draw.right)


def _seat_text(recorded: object, who: Mapping[int, str]) -> object:
    return who.get(recorded, recorded) if isinstance(recorded, int) else recorded


def _yes_or_no(said: bool | None) -> str:
    return {True: "yes", False: "no", None: ""}[said]


def _finding(draw: Draw) -> Finding:
    was = draw.drawn if draw.fired is None else "yes" if draw.fired else "no"
    log = f"the log has {draw.recorded}" if draw.fired is None else f"the log has {'one' if draw.came else 'none'}"
    return Finding(draw.came or draw.version, f"{draw.label} of ceremony {draw.n} draws {was}, and {log}")
