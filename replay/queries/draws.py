"""Every random draw, including those without effect, and whether its recorded result is right (fairdeal/1).

Seats, the first dealer and the coin have ceremonies, separate or shared. The randomizer draws before each turn of a
deal, from the deal's own ceremony, under labels that count the turns.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

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
from domain.protocols import fairdeal
from domain.rules.choices import Stop
from domain.rules.model import Randomizer
from replay.audit.deals.deal_ledger import DealLedger
from replay.audit.ledger import check_events
from replay.audit.play.rule_menu import menu_entries
from replay.fold import Position
from replay.history import History
from replay.history.findings import Finding
from replay.queries.answer import Answer
from replay.queries.reading import Transition, deals, transitions, unrevealed_notes

HEADS = ("event", "ceremony", "label", "odds", "draws", "came true", "recorded", "right")
GAME_DRAWS = (SeatsDrawn, DealerDrawn, CoinFlipped)


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


def draws(history: History, hand: int | None = None) -> Answer:
    """Return each draw of the game or of one hand; a wrong one is a finding. Raise NoSuchHand if it wasn't dealt."""
    asked, shelf = deals(history, hand), check_events(history).deal_ledger
    walk, made = list(transitions(history)), list[Draw]()
    for moved in walk:
        made += _game_draws(moved, shelf) if hand is None else ()
    for each in asked:
        made += _deal_draws(walk, each.dealt.n, shelf.key_of(each.dealt.n))
    made.sort(key=lambda draw: draw.version)
    return Answer(
        history,
        "draws",
        {"hand": hand, "draws": [draw._asdict() for draw in made]},
        HEADS,
        [_row(draw) for draw in made],
        (_count(made),),
        tuple(_finding(draw) for draw in made if draw.right is False),
        unrevealed_notes([each for each in asked if shelf.key_of(each.dealt.n) is None]),
    )


def _count(made: list[Draw]) -> str:
    if not made:
        return "no draws: nothing here was left to chance but the cards"
    return f"{len(made)} draws" if len(made) > 1 else "1 draw"


def _game_draws(moved: Transition, shelf: DealLedger) -> Iterator[Draw]:
    """Yield the draws of seats, the first dealer and the coin."""
    fact, version = moved.event.data, moved.event.version
    if not isinstance(fact, GAME_DRAWS):
        return
    key, seats = shelf.key_of(fact.n), moved.before.seats
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


def _deal_draws(walk: list[Transition], n: int, key: bytes | None) -> list[Draw]:
    """Return the randomizer's draws in the deal of ceremony `n`; without its seed, only the results in the log."""
    own = [moved for moved in walk if moved.before.hand is not None and moved.before.hand.dealt.n == n]
    book = _Randomizer(n, key, {moved.before.live.turns: moved for moved in own if _is_randomizer_change(moved)})
    for moved in own:
        if (chances := moved.before.rules.changes.randomizer) is not None:
            book.reads(moved, chances)
    return book.made


def _ends_with_hand(draw: Draw) -> bool:
    """Return whether the draw says that the session ends with this hand."""
    return draw.recorded == WITH_THE_HAND


def _is_randomizer_change(moved: Transition) -> bool:
    fact = moved.event.data
    return isinstance(fact, RulesChanged | RulesChangeDeferred) and fact.cause == "randomizer"


class _Randomizer:
    """The randomizer's draws in one deal; `changes` are those in the log by turn, `turns` the turns already drawn."""

    def __init__(self, n: int, key: bytes | None, changes: dict[int, Transition]) -> None:
        self.n, self.key, self.changes = n, key, changes
        self.made, self.turns = list[Draw](), set[int]()

    def reads(self, moved: Transition, chances: Randomizer) -> None:
        """Add the draws before this event: of a turn, of a change that leaves no seat to move, or of the game's end."""
        fact, before = moved.event.data, moved.before
        hand = before.hand
        if (
            hand is not None
            and not hand.over
            and (before.turn or _is_randomizer_change(moved))
            and hand.turns not in self.turns
        ):
            self._turn(before, hand.turns, chances)
        if isinstance(fact, GameEnded) and fact.n == self.n and fact.label is not None:
            self._ended(before.version, fact.label, moved.event.version, chances)
        elif isinstance(fact, CeremonyOpened):
            self.made = [each._replace(right=False) if _ends_with_hand(each) else each for each in self.made]

    def _turn(self, position: Position, turn: int, chances: Randomizer) -> None:
        """Add the draws before a turn: whether to end, whether to change, and which change of the menu."""
        self.turns.add(turn)
        if chances.end is not None:
            but = None if position.rules.stop is Stop.AT_ONCE else WITH_THE_HAND
            self._chance(position.version, f"randomizer {turn} end", chances.end, None, but)
        change = self.changes.get(turn)
        came, nothing = change and change.event.version, None if menu_entries(position) else "the menu is empty"
        self._chance(position.version, f"randomizer {turn} when", chances.when, came, nothing)
        if change is not None:
            self._what(position.version, change)

    def _what(self, version: int, change: Transition) -> None:
        """Add the draw of a menu entry: the entry in the log, and the entry that the seed picks."""
        fact, menu = change.event.data, menu_entries(change.before)
        label, many = f"randomizer {change.before.live.turns} what", len(menu)
        pick = fairdeal.pick(self.key, label, many) if self.key is not None and menu else None
        right = None if self.key is None else (fact.label, fact.pick, fact.of) == (label, pick, many)
        word = menu[fact.pick] if fact.pick is not None and fact.pick < many else None
        drawn = None if pick is None else menu[pick]
        self.made.append(Draw(version, self.n, label, None, drawn, None, word, change.event.version, right))

    def _ended(self, version: int, label: str, came: int, chances: Randomizer) -> None:
        """Record the end that a draw brought: a draw that waited for the end of the hand, or one at the end itself."""
        waited = [place for place, each in enumerate(self.made) if each.label == label]
        if not waited:
            self._chance(version, label, chances.end or NEVER, came, None)
        for place in waited:
            draw = self.made[place]
            self.made[place] = draw._replace(recorded=None, came=came, right=draw.fired)

    def _chance(self, version: int, label: str, odds: tuple[int, int], came: int | None, but: str | None) -> None:
        """Add a draw with odds a in b; `but` says why a draw that came true has no effect at once."""
        if self.key is None:
            drawn, fired = None, None if came is None else True
            right = None
        else:
            drawn = fairdeal.pick(self.key, label, odds[1])
            fired = drawn < odds[0]
            right = fired == (came is not None) or (fired and but is not None)
        self.made.append(Draw(version, self.n, label, odds, drawn, fired, but if fired else None, came, right))


WITH_THE_HAND = "it ends with the hand"
NEVER = (0, 1)


def _row(draw: Draw) -> tuple[object, ...]:
    odds = "" if draw.odds is None else f"{draw.odds[0]} in {draw.odds[1]}"
    came = None if draw.came is None else f"event {draw.came}"
    recorded = " ".join(str(each) for each in (draw.recorded, came) if each is not None)
    return draw.version, draw.n, draw.label, odds, draw.drawn, _yes_or_no(draw.fired), recorded, _yes_or_no(draw.right)


def _yes_or_no(said: bool | None) -> str:
    return {True: "yes", False: "no", None: ""}[said]


def _finding(draw: Draw) -> Finding:
    was = draw.drawn if draw.fired is None else "it to come" if draw.fired else "it not to come"
    log = f"the log has {draw.recorded}" if draw.fired is None else f"it {'came' if draw.came else 'did not come'}"
    return Finding(draw.came or draw.version, f"{draw.label} of ceremony {draw.n} draws {was}, and {log}")
