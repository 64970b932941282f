"""How the strong bots of a revealed hand chose: each choice is worked out again from the log.

    of 100 deals that bot:strong:1 couldn't rule out, KD was best in 71

The seed of the hand gives the key of each choice (fairdeal/1), and the events that the seat saw give what it knew.
"""

from collections.abc import Container, Iterator, Sequence
from typing import Annotated, Any, NamedTuple, TypedDict

from domain.cards import sort_cards
from domain.commands import CallPartner, Discard, MakeBid, NameTrump, PassBid, PlayCard, SeatCommand
from domain.engine.legal_moves import Move
from domain.events import CardPlayed, Event, Fact, GameOpened, HandDealt, SeatHandedOver, TrumpPitched
from domain.json_fields import says
from domain.state import State
from projections.bots import WORLDS, choose, worlds_of
from projections.bots.strong import Analysis, Knowledge, think
from projections.moves.json_moves import MoveJson, move_to_json, parse_move
from projections.moves.text_moves import move_text
from projections.views.seat import View, ViewFold, view_json
from replay.audit.deals.deal_ledger import DealLedger
from replay.audit.ledger import check_events
from replay.audit.play.checking import MOVE_FACTS
from replay.history import History
from replay.history.findings import Finding
from replay.queries.answer import Answer, HandAnswer, findings_json, question_json
from replay.queries.reading import deals, unrevealed_notes
from replay.rejudge.commands import player_command

HEADS = ("event", "seat", "move", "best in", "gain", "")
MOVES = (MakeBid, PassBid, NameTrump, CallPartner, Discard, PlayCard)
DIGITS = 3
"""How many decimals of a gain are shown."""


class ChoiceOption(TypedDict):
    """A move that a strong bot tried."""

    move: MoveJson
    gain: Annotated[float, says("The seat's points less the average of the others', on average.")]
    best: Annotated[int, says("In how many deals no other move came to more.")]


class ChoiceAnalysis(TypedDict):
    """The grounds of a choice."""

    worlds: Annotated[int, says("How many deals were drawn; 0 if there was no choice.")]
    options: list[ChoiceOption]
    chosen: Annotated[MoveJson, says("The move with the highest gain.")]


class StrongChoice(ChoiceAnalysis):
    """A choice of a strong bot, worked out again; for a person, what it would have chosen in their place."""

    seat: int
    version: Annotated[int, says("The event of its move.")]
    label: Annotated[str, says("The label of its draws (fairdeal/1).")]
    played: Annotated[MoveJson, says("The move in the log.")]
    right: Annotated[bool, says("Whether that's the move with the highest gain.")]
    hurried: Annotated[bool, says("Whether the bot had no time, and played the simple bot's move.")]


class StrongChoices(HandAnswer):
    """How the strong bots of a hand chose."""

    choices: list[StrongChoice]


def options_json(thought: Analysis) -> ChoiceAnalysis:
    """Return what a choice rests on as JSON values: the moves tried, and the one with the highest gain."""
    options: list[ChoiceOption] = [
        {"move": move_to_json(each.move), "gain": round(each.gain, DIGITS), "best": each.best}
        for each in thought.options
    ]
    return {"worlds": thought.worlds, "options": options, "chosen": move_to_json(thought.move)}


class Choice(NamedTuple):
    """A move of a strong bot, and its thought worked out again."""

    version: int
    seat: int
    played: Move
    thought: Analysis
    quick: SeatCommand
    """The move of the simple bot there, and of the strong one if its move is due before it has chosen."""

    @property
    def right(self) -> bool:
        """Whether the bot played what it should have chosen."""
        return is_same_move(self.played, self.thought.move)

    @property
    def hurried(self) -> bool:
        """Whether the bot played the simple bot's move instead of its own: it had no time."""
        return not self.right and is_same_move(self.played, self.quick)

    def to_json(self) -> StrongChoice:
        """Return the choice as JSON values; the option with the highest gain was chosen."""
        return {
            "version": self.version,
            "seat": self.seat,
            "label": self.thought.label,
            **options_json(self.thought),
            "played": move_to_json(self.played),
            "right": self.right,
            "hurried": self.hurried,
        }


class Mover(NamedTuple):
    """A person whose moves are compared with the strong bot's choices."""

    seat: int
    player: str


def choices(history: History, hand: int, at: int | None = None, person: Mover | None = None) -> Answer[StrongChoices]:
    """Return the choices of strong bots in a hand, or only the one that event `at` records; a wrong one is a finding.

    The simple bot's move isn't wrong: the strong bot makes it if it has no time. With `person`, return what the strong
    bot would have chosen in their place, move by move; a person may choose otherwise. A deal that isn't revealed can't
    be explained yet. Raise NoSuchHand if the hand wasn't dealt.
    """
    selected = deals(history, hand)
    shown = {each.dealt.n for each in selected if each.revealed}
    found = list(_choices(history, shown, at, person)) if shown else []
    findings = tuple(_finding(each) for each in found if person is None and not each.right and not each.hurried)
    waits = unrevealed_notes(selected)
    body: StrongChoices = {
        **question_json(history, "choices"),
        "hand": hand,
        "choices": [each.to_json() for each in found],
        **findings_json(findings, waits),
    }
    return Answer(
        history,
        body,
        HEADS,
        [row for each in found for row in _rows(each)],
        tuple(_note(each) for each in found) or ("no strong bot had a choice here",),
        findings,
        waits,
    )


def count_choices(history: History, hand: int, at: int | None = None, person: Mover | None = None) -> int:
    """Return how many choices `choices` works out again at most."""
    strong, dealt, found = set[str]() if person is None else {person.player}, 0, 0
    for event in history.events:
        fact = event.data
        if isinstance(fact, GameOpened) and person is None:
            strong |= {player.player for player in fact.players if worlds_of(player.bot) is not None}
        elif isinstance(fact, SeatHandedOver) and person is None and worlds_of(fact.bot) is not None:
            strong.add(fact.to)
        elif isinstance(fact, HandDealt):
            dealt = fact.hand
        elif dealt == hand and event.fact in MOVE_FACTS and event.by in strong:
            found += 1
    return min(found, 1) if at is not None else found


class SeatMemory:
    """The memory of a seat: the facts that it saw, folded, and those of the deal. It saw each event at the time."""

    def __init__(self, seat: int) -> None:
        self._seat, self._fold = seat, ViewFold(seat)
        self._facts: tuple[Fact, ...] = ()

    @property
    def state(self) -> State:
        """The game as the seat knows it."""
        return self._fold.state

    def add(self, event: Event[Any] | None) -> None:
        """Add the game's next event, None for a withheld one."""
        before = self._fold.state
        self._fold.add(event)
        if event is not None and self._fold.state is not before:
            self._facts = () if isinstance(event.data, HandDealt) else (*self._facts, event.data)

    def view(self) -> View:
        """Return the seat's view now, without the root. Raise LookupError before the opening."""
        return view_json(self._fold, "")

    def knowledge(self) -> Knowledge:
        """Return what the seat knows now. Raise LookupError before the first deal."""
        return Knowledge(self._fold.state, self._seat, self._facts)


def _choices(history: History, shown: set[int], at: int | None, person: Mover | None) -> Iterator[Choice]:
    """Yield the choices in the deals of these ceremonies. If `at` is given, think only about that event's."""
    opened = next((event.data for event in history.events if isinstance(event.data, GameOpened)), None)
    strategies = {getattr(event.data, "bot", None) for event in history.events if event.fact == "SeatHandedOver"}
    if opened is None:
        return
    if person is None and not any(map(worlds_of, strategies | {player.bot for player in opened.players})):
        return
    ledger = check_events(history).deal_ledger
    memories = [SeatMemory(seat) for seat in range(len(opened.players))]
    for place, line in enumerate(history.lines):
        following = [each.event for each in history.lines[place : place + 2] if each.event is not None]
        choice = _choice(memories, following, shown, ledger, at, person) if line.event is not None else None
        if choice is not None:
            yield choice
        for memory in memories:
            memory.add(line.event)


def _choice(
    memories: Sequence[SeatMemory],
    following: Sequence[Event[Any]],
    shown: Container[int],
    ledger: DealLedger,
    at: int | None,
    person: Mover | None,
) -> Choice | None:
    """Return the choice that the next events record, or None; with `at`, only if that event records it."""
    event = following[0]
    seat = getattr(event.data, "seat", None)
    if event.fact not in MOVE_FACTS or seat is None or not 0 <= seat < len(memories):
        return None
    state = memories[seat].state
    worlds = worlds_of(state.seats[seat].bot) if person is None else WORLDS if person == (seat, event.by) else None
    if worlds is None or event.by != state.seats[seat].player or state.hand is None or state.hand.n not in shown:
        return None
    key, played = ledger.key_of(state.hand.n), player_command(state, following)
    if key is None or not isinstance(played, MOVES):
        return None
    version = event.version + isinstance(event.data, TrumpPitched)
    if at not in (None, version):
        return None
    if isinstance(event.data, CardPlayed) and state.hand.marker == event.data.card and not state.hand.trick:
        return None  # the card that pitched trump: TrumpPitched has told the choice
    quick = parse_move(choose("simple", memories[seat].view(), state.rules, lambda _: 0), seat)  # it draws nothing
    return Choice(version, seat, played, think(memories[seat].knowledge(), key, worlds), quick)


def _rows(choice: Choice) -> Iterator[tuple[object, ...]]:
    for option in sorted(choice.thought.options, key=lambda each: -each.gain):
        mark = "chosen" if option.move == choice.thought.move else ""
        if choice.hurried and is_same_move(option.move, choice.played):
            mark = "played, for lack of time"
        text = move_text(move_to_json(option.move))
        yield choice.version, f"seat {choice.seat}", text, option.best, f"{option.gain:+.2f}", mark


def _note(choice: Choice) -> str:
    """Say what a choice rests on: "of 100 deals that seat 1 couldn't rule out, play KD was best in 71"."""
    move, worlds = move_text(move_to_json(choice.thought.move)), choice.thought.worlds
    if not worlds:
        return f"event {choice.version}: seat {choice.seat} could only {move}"
    best = next(each.best for each in choice.thought.options if each.move == choice.thought.move)
    said = f"of {worlds} deals that seat {choice.seat} couldn't rule out, {move} was best in {best}"
    if choice.hurried:
        said += f"; it had no time, and played {move_text(move_to_json(choice.played))} as the simple bot would"
    return f"event {choice.version}: {said}"


def _finding(choice: Choice) -> Finding:
    played, chosen = (move_text(move_to_json(each)) for each in (choice.played, choice.thought.move))
    return Finding(choice.version, f"the log has {played}, but the strong bot chooses {chosen}")


def is_same_move(one: SeatCommand, other: SeatCommand) -> bool:
    """Return whether two moves are the same, in whatever order a discard names its cards."""
    if isinstance(one, Discard) and isinstance(other, Discard):
        return (one.seat, sort_cards(one.cards)) == (other.seat, sort_cards(other.cards))
    return one == other
