"""Queued moves: each is judged on its player's own view when the turn comes, and played on the worker's tick (R-P5).

The queue of a player and a board is one move, or up to four lines `if SUIT led CARD`, of which the first that fits is
played. It's emptied by the next deal, an undo and a seat that changes hands, and only its owner sees it.
"""

import hashlib
import hmac
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from api.conduct.stored.conduct_steps import ForbiddenByStep, require_unrestricted
from api.container import Services
from api.play.services.games import receipt_at_end
from api.tables.stored.held_moves import BEGINNING, HeldMove, Place
from domain.cards import SUIT_NAMES, Card, NotACard, parse_card
from domain.engine.tricks import suit_by_card
from domain.events import HandDealt, MovesTakenBack, SeatHandedOver, SeatReturned
from domain.rejections import NotInHand, Rejected, WrongPhase
from domain.rules.choices import Phase
from domain.rules.model import Rules
from domain.state import State
from domain.store import ClockHeld, NoSuchGame, StaleVersion
from domain.store.log import Numbers
from projections.moves.json_moves import parse_move
from projections.moves.text_moves import MalformedMove, move_text, parse_text_move

LOG = logging.getLogger("trickbook.queue")
MAX_CONDITIONS = 4
MAX_NEW, MAX_OTHERS, MAX_EVENTS = 100, 20, 4000
"""The most new queued moves and others that one tick looks at, and the most events of each shard that it reads."""
QUEUED_KINDS = ("bid", "pass", "play", "name_trump", "call_partner", "discard")
CONDITION = re.compile(r"if +(\S+) +led +(?:play +)?(\S+)", re.IGNORECASE)
SUIT_WORDS = {word: suit for suit, name in SUIT_NAMES.items() for word in (name, name[:-1], name[0])} | {
    "♣": "C", "♦": "D", "♥": "H", "♠": "S"
}  # fmt: skip
NO_CONDITION = "A condition is like: if hearts led KH"
NEW_DEAL, TAKEN_BACK, HANDED_OVER, GAME_OVER, NO_LINE = "new-deal", "taken-back", "handed-over", "game-over", "no-line"
DROPPED: Mapping[str, str] = {
    NEW_DEAL: "a new hand was dealt",
    TAKEN_BACK: "moves were taken back",
    HANDED_OVER: "a seat changed hands",
    GAME_OVER: "the game is over",
    NO_LINE: "none of its lines fits what is led",
}
"""Why a queued move isn't played, by the code that its owner's inbox shows; refusals of the rules have their own."""
EMPTIED_BY: Mapping[type[Any], str] = {
    HandDealt: NEW_DEAL,
    MovesTakenBack: TAKEN_BACK,
    SeatHandedOver: HANDED_OVER,
    SeatReturned: HANDED_OVER,
}
"""The facts that empty every queue of a game."""


def parse_queue(lines: Sequence[str], rules: Rules | None = None) -> tuple[dict[str, Any], ...]:
    """Return the moves of a queue at a table with these rules; a condition's move has the suit under `led`.

    Raise MalformedMove.
    """
    moves = [
        _parse_condition(line) if line.lower().startswith("if ") else parse_text_move(line, rules) for line in lines
    ]
    conditions = sum("led" in move for move in moves)
    if len(moves) > 1 and conditions < len(moves):
        raise MalformedMove("a queue holds one move, or only lines with if")
    if conditions > MAX_CONDITIONS:
        raise MalformedMove(f"a queue holds at most {MAX_CONDITIONS} lines with if")
    for move in moves:
        if move["type"] not in QUEUED_KINDS:
            raise MalformedMove("only a bid, a card, a suit, a call or a discard can be kept for later")
    return tuple(moves)


def _parse_condition(line: str) -> dict[str, Any]:
    match = CONDITION.fullmatch(line.strip())
    suit = None if match is None else SUIT_WORDS.get(match[1].lower())
    if match is None or suit is None:
        raise MalformedMove(NO_CONDITION)
    try:
        return {"type": "play", "card": parse_card(match[2]), "led": suit}
    except NotACard as error:
        raise MalformedMove(str(error)) from None


def refuse_by_own_view(moves: Sequence[Mapping[str, Any]], view: Mapping[str, Any]) -> None:
    """Raise Rejected for a move that can't come in this hand: its phase is past, or the card is somebody else's.

    `view` is the player's own. A player who doesn't see their own cards (hand 1 of Blackout) learns nothing about them.
    """
    held = view["you"].get("cards")
    for move in moves:
        if view["phase"] in PAST_PHASES.get(move["type"], ()):
            raise WrongPhase(f"It's too late in this hand for that: {move_text(move, view['rules'].get('moon'))}.")
        if held is not None and move["type"] == "play" and move["card"] not in held:
            raise NotInHand(f"You don't hold {move['card']}.")


PAST_PHASES: Mapping[str, tuple[Phase, ...]] = {
    "bid": (Phase.NAMING, Phase.CALLING, Phase.DISCARDING, Phase.PLAY),
    "pass": (Phase.NAMING, Phase.CALLING, Phase.DISCARDING, Phase.PLAY),
    "name_trump": (Phase.CALLING, Phase.DISCARDING, Phase.PLAY),
    "discard": (Phase.PLAY,),
}
"""The phases in which a hand has no place for a type of move any more."""


class QueueReader:
    """Finds the queued moves that may be due: those in games that changed, new ones, and a few of all others in turn.

    So moves that wait don't delay others, however many they are. The others are looked at for what changes no game,
    such as the end of a moderator's step, and for what the last worker left.
    """

    def __init__(self, services: Services) -> None:
        self._log, self._moves = services.games.log, services.accounts.held_moves
        self._reached: Numbers | None = None
        self._again = frozenset[str]()
        self._newest = self._looked_at = BEGINNING

    def next_by_game(self) -> dict[str, list[HeldMove]]:
        """Return the next queued moves to look at by game, those in games that changed first."""
        reached = self._reached or self._log.last_numbers()
        new = self._moves.find_queued(MAX_NEW, self._newest)
        others = self._moves.find_queued(MAX_OTHERS, self._looked_at)
        if self._looked_at == BEGINNING and not (new or others or self._again):
            self._reached = None  # nothing waits, so no event is read
            return {}
        games, reached = self._log.changed_games(reached, MAX_EVENTS)
        queues: dict[str, dict[Place, HeldMove]] = {}
        for held in (*self._moves.queued_in({*games, *self._again}), *new, *others):
            queues.setdefault(held.game, {})[held.place] = held
        self._reached, self._newest = reached, new[-1].place if new else self._newest
        self._looked_at = others[-1].place if len(others) == MAX_OTHERS else BEGINNING
        self._again = frozenset()
        return {game: list(queue.values()) for game, queue in queues.items()}

    def look_again(self, games: Iterable[str]) -> None:
        """Look at games with the next tick once more: they couldn't be played in, or their clock was held."""
        self._again = frozenset(games)


def play_queued(services: Services, held: HeldMove) -> bool | None:
    """Play or drop one queued move if its turn has come; return whether it was played, or None to look again."""
    try:
        state = services.games.state(held.game)
        why = why_emptied(services, held)
        if why is not None:
            services.accounts.held_moves.remove(held.player, held.game, "submitted")
            return _drop(services, held, why, DROPPED[why])
        seat = state.seat_of(held.player)
        if seat is None or seat not in state.turn:
            return False
        return _play(services, held, state, seat)
    except (NoSuchGame, StaleVersion, ClockHeld):
        LOG.debug("the queued move in game %s waits for the next tick", held.game)
        return None


def why_emptied(services: Services, held: HeldMove) -> str | None:
    """Return the code of why a queued move isn't played any more, or None while it waits."""
    if held.dropped is not None:
        return held.dropped
    state = services.games.state(held.game)
    if state.seat_of(held.player) is None:
        return HANDED_OVER
    if state.version > held.version:
        for entry in services.games.entries(held.game, held.version):
            if type(entry.event.data) in EMPTIED_BY:
                return EMPTIED_BY[type(entry.event.data)]
    return GAME_OVER if state.result is not None else None


def _play(services: Services, held: HeldMove, state: State, seat: int) -> bool:
    try:
        require_unrestricted(services.accounts.steps, held.player, reads=False, own=False)
    except ForbiddenByStep:
        return False  # a moderator's step forbids the move; it may still be played after it
    you = services.views.view(held.game, seat, state.version)["you"]
    if not you["legal"] and you["choose"] is None:
        return False  # the commit isn't complete: wait for its end
    move = choose_move(parse_queue(held.moves, state.rules), state)
    if move is None:
        return _drop(services, held, NO_LINE, DROPPED[NO_LINE])
    command_id = _command_of_queue(services.secret, held)
    try:
        command = parse_move(move, seat)
        commit = services.games.act(held.game, command, by=held.player, command_id=command_id, if_match=state.version)
    except Rejected as refusal:
        return _drop(services, held, refusal.code, str(refusal))
    services.accounts.held_moves.remove(held.player, held.game, held.kind, held.since)
    services.autoplayer.play(commit.state, command_id)
    receipt_at_end(services, held.game, commit.entries)
    return True


def choose_move(moves: Sequence[Mapping[str, Any]], state: State) -> dict[str, Any] | None:
    """Return the first move of a queue that fits the suit led; None if none does."""
    for move in moves:
        if "led" not in move or move["led"] == led_suit(state):
            return {name: value for name, value in move.items() if name != "led"}
    return None


def led_suit(state: State) -> str | None:
    """Return the suit that must be followed; None if no card is led."""
    if state.trick is None or not state.trick.plays or state.hand is None:
        return None
    led: Card = state.trick.plays[0].card
    return suit_by_card(state.rules.off, state.hand.trump)[led]


def _drop(services: Services, held: HeldMove, code: str, why: str) -> bool:
    services.accounts.held_moves.drop(held, code, why)
    return False


def _command_of_queue(secret: bytes, held: HeldMove) -> str:
    """Return the id of the command: the same in every process, so that two of them play the move once."""
    text = f"queue\n{held.player}\n{held.game}\n{held.since}"
    digest = hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()
    return f"{digest[:16]}-{digest[16:32]}"
