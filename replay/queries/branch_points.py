"""The events after which a hand can be branched: the last of a commit, while a revealed hand is in play."""

from collections.abc import Iterator

from domain.events.codec import topic
from domain.state import State
from domain.store.aggregate import Game
from replay.history import History


class Unbranchable(LookupError):
    """There's no hand to branch after that event, or it isn't revealed; the message says which."""


def game_at(history: History, at: int) -> Game:
    """Return the game after event `at`, in memory. Raise Unbranchable if events are withheld or no hand is in play."""
    if not 1 <= at <= len(history.lines):
        raise Unbranchable(f"there are events 1 to {len(history.lines)}, no event {at}{_nearest(history, at)}")
    rows, game = list[tuple[int, str, bytes]](), Game(history.header.game)
    for line in history.lines[:at]:
        if line.event is None or line.raw is None:
            hidden = f"event {line.version} is withheld: a hand can be branched once it is revealed"
            raise Unbranchable(f"{hidden}{_nearest(history, at)}")
        rows.append((line.version, topic(line.event), line.prev + line.raw))
    if _is_inside_commit(history, at):
        inside = f"event {at} is inside a commit: branch before or after the events of one move"
        raise Unbranchable(f"{inside}{_nearest(history, at)}")
    game.read(rows)
    if not _is_in_play(game.state):
        raise Unbranchable(f"no hand is in play after event {at}{_nearest(history, at)}")
    return game


def _nearest(history: History, at: int) -> str:
    """Return which event is the next one after `at` that a hand can be branched from, otherwise the last one before."""
    good = list(_good_steps(history))
    later = next((each for each in good if each > at), None)
    if later is not None:
        return f"; the next good step is event {later}"
    return f"; the last good step is event {good[-1]}" if good else "; no hand of this game can be branched yet"


def _good_steps(history: History) -> Iterator[int]:
    """Yield each event that a hand can be branched from: the last of a commit, while the hand is in play."""
    game = Game(history.header.game)
    for line in history.lines:
        if line.event is None or line.raw is None:
            return
        game.read([(line.version, topic(line.event), line.prev + line.raw)])
        if _is_in_play(game.state) and not _is_inside_commit(history, line.version):
            yield line.version


def _is_in_play(state: State) -> bool:
    return state.hand is not None and not state.hand.over and state.result is None


def _is_inside_commit(history: History, at: int) -> bool:
    """Return whether the event after `at` is in the same commit; a withheld event never begins a commit."""
    if at == len(history.lines):
        return False
    event, after = history.lines[at - 1].event, history.lines[at].event
    return event is None or after is None or (event.at, event.command) == (after.at, after.command)
