"""Pairs of games that look the same to a viewer, while hidden cards, seeds and hidden salts differ."""

import random
import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from domain.cards import DECK_54, Card
from domain.commands import (
    AnswerHandover,
    AskHandover,
    CallDelay,
    CallPartner,
    ChangeRules,
    Command,
    Discard,
    OpenGame,
    PassBid,
    SeatCommand,
    VoteDelay,
)
from domain.decide import decide
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.engine.rule_menu import available_changes
from domain.engine.tricks import is_trump
from domain.events import (
    CardsBuried,
    CardsDealt,
    CardsTaken,
    CeremonyOpened,
    Event,
    Fact,
    HandDealt,
    HandScored,
    HandThrownIn,
    Player,
    SeedKept,
    StockLaid,
)
from domain.evolve import evolve
from domain.rejections import Rejected
from domain.rules.choices import Sight
from domain.state import EMPTY_STATE, State
from domain.store.aggregate import Game, Request
from projections.moves.json_moves import move_to_json, parse_move
from projections.moves.text_moves import MalformedMove
from projections.views.audience import Viewer, ceremonies_revealed_in, visible
from tests.games.tables import entropy
from tests.given import AT, GAME
from tests.values import replace

Events = list[Event[Any]]
HELD = (CardsDealt, StockLaid, CardsBuried, CardsTaken)
HASHES = re.compile(
    rb'("(?:root|leaf|prev|commit)": ?")[0-9a-f]{64}"|(\[Commit ")[0-9a-f]{64}"|((?:root|commitment) +)[0-9a-f]{64}'
    rb'|("keys": ?\[)[^\]]*|("receipt": ?)"[^"]*"'
)
"""The differences between two worlds: the values of root, leaf, prev and commit, and what is signed."""
OFFERS: tuple[dict[str, Any], ...] = (
    *({"type": "play", "card": card} for card in DECK_54),
    *({"type": "bid", "bid": bid} for bid in range(-1, 18)),
    *({"type": "name_trump", "suit": suit} for suit in "CDHS"),
    *({"type": "call_partner", "card": card} for card in ("AC", "X1", "2S")),
    *({"type": "discard", "cards": cards} for cards in ([], ["AC"], ["2C", "2D", "2H"], ["2C", "2C"], list(DECK_54))),
    *({"type": "call_delay", "accused": seat} for seat in range(5)),
    *({"type": "vote", "guilty": guilty} for guilty in (True, False)),
    *({"type": "change_rules", "change": change} for change in ("points:7", "dirty:on", "partners:call", "points:3")),
    {"type": "pass"}, {"type": "accept"}, {"type": "reject"}, {"type": "undo"}, {"type": "propose_draw"},
    {"text": "xx"}, {"type": "fly"},
)  # fmt: skip
"""Moves of all kinds, legal or not."""


def time_after(at: str, seconds: int) -> str:
    """Return the time that many seconds after `at`."""
    time = datetime.fromisoformat(at) + timedelta(seconds=seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def play_random_game(
    chance: random.Random,
    people: Sequence[Player],
    variant: str,
    moves: int,
    reveal: str = "hand",
    **options: Any,
) -> Events:
    """Play up to `moves` random commands, 20 seconds apart, in a game hosted by the first player."""
    game = RandomGame(chance, people, variant, reveal, **options)
    for _ in range(moves):
        if game.state.result is not None:
            break
        game.move()
    return game.events


class RandomGame:
    """A game hosted by the first player, in which each move is a random one, 20 seconds after the last."""

    def __init__(
        self, chance: random.Random, people: Sequence[Player], variant: str, reveal: str = "hand", **options: Any
    ) -> None:
        self.chance, self.events = chance, Events()
        self._game, self._draw = Game(GAME), entropy(chance.randrange(2**32))
        self.send(OpenGame(GAME, 1, variant, options, tuple(people), reveal=reveal), people[0].player)

    @property
    def state(self) -> State:
        """The state of the game."""
        return self._game.state

    def send(self, command: Command, by: str) -> None:
        """Send a command that must be legal."""
        request = Request(by, f"c{len(self.events)}", time_after(AT, 20 * len(self.events)))
        draft = self._game.draft(command, request, self._draw)
        self._game.apply_draft(draft)
        self.events.extend(entry.event for entry in draft.entries)

    def move(self) -> None:
        """Send a random command."""
        command = random_command(self.chance, self.state)
        self.send(command, self.state.seats[command.seat].player)

    def hand_over(self, seat: int, player: Player) -> None:
        """Hand a seat over with the consent of all others."""
        self.send(AskHandover(seat, player.player, player.kind, player.bot), self.state.seats[seat].player)
        for other, sitting in enumerate(self.state.seats):
            if other != seat:
                self.send(AnswerHandover(other, accept=True), sitting.player)


def random_command(chance: random.Random, state: State) -> Any:
    """Return a move of the seat to move, or sometimes a delay call, a vote or a rule change."""
    turn, now = state.turn[0], time_after(state.at, 20)
    others: list[Any] = [CallDelay((turn + 1) % len(state.seats), turn, now)]
    others += [VoteDelay(seat, guilty=chance.random() < 0.7) for seat in range(len(state.seats))]
    host = state.seat_of(state.host)
    others += [] if host is None else [ChangeRules(host, change) for change in available_changes(state.rules)]
    command = chance.choice(others)
    if chance.random() < 0.15 and facts_if_legal(state, command) is not None:
        return command
    return random_turn_move(chance, state, turn)


def random_turn_move(chance: random.Random, state: State, seat: int) -> Any:
    """Return a random legal move of the seat to move."""
    moves = legal_moves(state, seat)
    if moves:
        passes = isinstance(moves[0], PassBid) and chance.random() < 0.5
        return moves[0] if passes else chance.choice(moves)
    may = legal_discards(state, seat)
    if may is None:
        return CallPartner(seat, chance.choice(state.rules.deck))
    number = chance.randint(may.minimum, may.maximum)
    return Discard(seat, (*may.required, *chance.sample(may.optional, number - len(may.required))))


def facts_if_legal(state: State, command: Command) -> tuple[Fact, ...] | None:
    """Return the facts that a command brings, or None if it is refused."""
    try:
        return decide(state, command)
    except Rejected:
        return None


def state_of(events: Iterable[Event[Any]]) -> State:
    """Return the state after these events."""
    state = EMPTY_STATE
    for event in events:
        state = evolve(state, event)
    return state


def shows_nothing_new(state: State, command: Command) -> bool:
    """Return whether the rules let the command bring the same facts in both games.

    It does if no card leaves the stock, no hand ends, no cards play themselves and no seed is used for a draw.
    """
    facts = facts_if_legal(state, command)
    hand = state.hand
    if facts is None or hand is None or state.rules.changes.randomizer is not None:
        return False
    blind = state.rules.sight(hand.number) is not Sight.OWN and hand.auction_turns == len(state.seats) - 1
    return not blind and not any(isinstance(fact, CardsTaken | HandScored | HandThrownIn) for fact in facts)


def command_of(offer: dict[str, Any], seat: int, now: str) -> SeatCommand | None:
    """Return the command of an offer, or None."""
    try:
        command = parse_move(offer, seat)
    except MalformedMove:
        return None
    return replace(command, at=now) if isinstance(command, CallDelay) else command


def harmless_move(state: State, seat: int) -> dict[str, Any] | None:
    """Return a move of the turn that shows nothing new, or None."""
    may: list[Any] = list(legal_moves(state, seat)) or [CallPartner(seat, card) for card in DECK_54]
    return next((move_to_json(each) for each in reversed(may) if shows_nothing_new(state, each)), None)


def vary_hidden_facts(events: Events, viewer: Viewer, chance: random.Random, *, alike: bool = True) -> Events:
    """Return other events that look the same to the viewer.

    If `alike`, trumps change places with trumps, so that turns stay as they were. Otherwise the other game may be
    impossible; the viewer must still see the same.
    """
    state = state_of(events)
    revealed = ceremonies_revealed_in(state)
    other: dict[int, dict[Card, Card]] = {
        n: _permutation(state, chance, *_cards(events, n, viewer, revealed), alike=alike)
        for n in _dealt_ceremonies(events) - revealed
    }
    hidden = {each.n for each in state.ceremonies}
    return [_vary_event(event, viewer, revealed, other, hidden, chance) for event in events]


def _dealt_ceremonies(events: Events) -> set[int]:
    return {event.data.n for event in events if isinstance(event.data, HandDealt)}


def _cards(events: Events, n: int, viewer: Viewer, revealed: frozenset[int]) -> tuple[set[Card], set[Card]]:
    """Return the cards of ceremony `n` in facts that the viewer can't see, and those in facts they can see."""
    unseen, seen, now = set[Card](), set[Card](), 0
    for event in events:
        fact = event.data
        now = fact.n if isinstance(fact, HandDealt) else now
        if now == n:
            named = {*getattr(fact, "cards", ()), *getattr(fact, "shown", ()), getattr(fact, "card", "")} - {""}
            (seen if visible(event, viewer, revealed) else unseen).update(named)
    return unseen, seen


def _permutation(
    state: State, chance: random.Random, unseen: set[Card], seen: set[Card], *, alike: bool
) -> dict[Card, Card]:
    trump = state.hand.trump if alike and state.hand is not None else None
    moved: dict[Card, Card] = {}
    for kind in (True, False):
        those = sorted(card for card in unseen - seen if is_trump(state.rules, trump, card) is kind)
        moved |= dict(zip(those, chance.sample(those, len(those)), strict=True))
    return moved


def _vary_event(
    event: Event[Any],
    viewer: Viewer,
    revealed: frozenset[int],
    other: dict[int, dict[Card, Card]],
    hidden: set[int],
    chance: random.Random,
) -> Event[Any]:
    fact = event.data
    if isinstance(fact, CeremonyOpened) and fact.n in hidden:
        return replace(event, data=replace(fact, commit=chance.randbytes(32).hex()))
    if visible(event, viewer, revealed):
        return event
    if isinstance(fact, SeedKept):
        fact = replace(fact, seed=chance.randbytes(32).hex())
    elif isinstance(fact, HELD):
        fact = replace(fact, cards=tuple(other[fact.n].get(card, card) for card in fact.cards))
    return replace(event, data=fact, salt=chance.randbytes(16).hex())
