"""Boards in every state, and everybody who may not move there (docs/security.md)."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from flask import Flask

from api.mail.incoming.callers import run_as
from api.mail.services.addresses import ReplyRight
from domain.cards import DECK_52
from tests.api.conftest import PASSWORD, Caller, services_of
from tests.command_lines.players import Lines, mover, offered
from tests.conduct.conftest import moderator

NAMES = ("ann", "bob", "dan", "sue", "eve", "cat", "fay", "moira")
SEATED = ("ann", "bob", "dan", "sue")
FORMING, LIVE, PRIVATE, LATE, OVER = "forming", "live", "private", "late", "over"
OPTIONS = {LIVE: "", PRIVATE: "--private", LATE: "--delay=40", OVER: ""}
UNTIL = "2035-01-01T00:00:00Z"
WRONG = "wrong-horse-9"
CARD = re.compile(r"\b(?:10|[2-9JQKA])[CDHS]\b")
EXAMPLES = frozenset(("AD", "10C", "KH", "2S", "2C", "3D"))
"""Cards that help, refusals and the lines of the test name."""


@dataclass(frozen=True)
class Outsider:
    """Somebody who may not move: how they send a line, their name and password in it, and what they may do."""

    send: Callable[[str], str]
    login: str = ""
    may: frozenset[str] = frozenset()
    """The commands that may write something for them."""
    seat_of: str | None = None
    """Whose cards they may see; of bob, those seen before the hand-over."""
    not_at: str | None = None
    """The board at which they have rights."""


@dataclass
class World:
    """An app with the boards, by state, and everybody."""

    app: Flask
    boards: dict[str, int] = field(default_factory=dict)
    people: dict[str, Lines] = field(default_factory=dict)
    seen_by_bob: dict[str, frozenset[str]] = field(default_factory=dict)

    def game(self, state: str) -> str:
        """Return the id of the game at a board."""
        game: str = self.people["ann"].done(f"pitch show {self.boards[state]}")["data"]["id"]
        return game

    def visible(self, state: str, outsider: Outsider) -> frozenset[str]:
        """Return the cards that somebody may see at a board: those that lie open, and their own."""
        if state == FORMING:
            return frozenset()
        if state == OVER:
            return frozenset(DECK_52)
        if outsider.seat_of == "bob":
            return self.seen_by_bob[state]
        who = self.people["cat" if outsider.seat_of is None else outsider.seat_of]
        return frozenset(CARD.findall(who.answer(f"pitch showas {self.boards[state]}")["text"]))


def build_world(app: Flask) -> World:
    """Register everybody, and open the boards. Bob has handed all seats over to eve, and sue is suspended."""
    world = World(app)
    world.people = {name: Lines(Caller(app.test_client()).join(name), name) for name in NAMES}
    world.boards = {FORMING: world.people["ann"].done("pitch challenge ann dan eve")["board"]}
    for state, options in OPTIONS.items():
        world.boards[state] = _open(world, options)
        dealt = _cards_of_bob(world, world.boards[state])
        _play(world, world.boards[state])
        world.seen_by_bob[state] = dealt | _cards_of_bob(world, world.boards[state])
        _hand_over(world, world.boards[state])
    for name in ("ann", "dan", "sue", "eve"):
        if not world.people["ann"].done(f"pitch show {world.boards[OVER]}")["text"].startswith("Over"):
            world.people[name].done(f"pitch resign {world.boards[OVER]}")
    _suspend(world)
    world.people["ann"].done("set passwords on")
    assert world.people["ann"].caller.ask("PUT", "/me/blocks/fay").status_code in (200, 201, 204)
    return world


def _open(world: World, options: str) -> int:
    board: int = world.people["ann"].done(f"pitch challenge {options} {' '.join(SEATED)}")["board"]
    for name in SEATED[1:]:
        world.people[name].done(f"pitch join {board}")
    return board


def _cards_of_bob(world: World, board: int) -> frozenset[str]:
    return frozenset(CARD.findall(world.people["bob"].done(f"pitch showas {board}")["text"]))


def _play(world: World, board: int) -> None:
    """Play to the second card of the first trick."""
    players = [world.people[name] for name in SEATED]
    for _ in range(6):
        player = mover(players, board)
        move = offered(player.done(f"pitch showas {board}")["text"])[-1]
        player.done(f"pitch move {board} {move}")


def _hand_over(world: World, board: int) -> None:
    made = world.people["bob"].caller.post(f"/games/{board}/handovers", {"to": "eve"}).get_json()
    accepted = world.people["eve"].caller.post(f"/games/{board}/handovers/{made['id']}/accept", {})
    assert accepted.status_code == 204, accepted.text
    for name in ("ann", "dan", "sue"):
        world.people[name].done(f"pitch move {board} agree")


def _suspend(world: World) -> None:
    """Suspend sue, by a ruling of moira."""
    moira = moderator(world.app, "moira")
    body = {"about": "sue", "kind": "abuse", "text": "insults"}
    report = world.people["ann"].caller.post("/reports", body).get_json()["report"]
    moira.post(f"/moderation/reports/{report}/claim", {})
    ruling = {"step": "suspend", "reason": "Insults aren't welcome.", "until": UNTIL}
    assert moira.post(f"/moderation/reports/{report}/ruling", ruling).status_code == 201


def _reader(lines: Lines) -> Lines:
    """Return somebody with a token of theirs that reads."""
    made = lines.caller.post("/tokens", {"name": lines.name, "password": PASSWORD, "scope": "read"}).get_json()
    return Lines(replace(lines.caller, token=made["token"]), lines.name)


def sender(lines: Lines, status: int = 200) -> Callable[[str], str]:
    """Return a function that sends a line over HTTP and returns the answer, which has this status."""

    def send(line: str) -> str:
        answer = lines.caller.post("/commands", {"line": line})
        assert answer.status_code == status, (line, answer.text)
        return answer.text

    return send


def reply_sender(world: World, name: str, state: str) -> Callable[[str], str]:
    """Return a function that sends a line as a reply to a mail about a board."""
    user = services_of(world.app).accounts.users.by_name(name)
    assert user is not None
    right = ReplyRight(user, world.game(state), "pitch", world.boards[state], 0, 1)
    services, sender = services_of(world.app), f"{name}@example.org"
    return lambda line: json.dumps(run_as(services, right, sender, line, (), f"of {line}")[0].to_json())


def outsiders(world: World) -> dict[str, Outsider]:
    """Return everybody who may not move, and what they may do all the same."""
    own = frozenset(("challenge", "chat", "message", "set"))
    nobody = sender(Lines(Caller(world.app.test_client())))
    cat, fay, bob = (sender(world.people[name]) for name in ("cat", "fay", "bob"))
    return {
        "a stranger": Outsider(nobody),
        "a wrong password": Outsider(nobody, f"ann {WRONG}"),
        "a player without a seat": Outsider(cat, may=own),
        "a player with the name of another": Outsider(cat, f"ann {WRONG}", frozenset(("challenge",))),
        "a blocked player": Outsider(fay, may=own),
        "a token that reads": Outsider(sender(_reader(world.people["ann"])), seat_of="ann"),
        "a reply address of another board": Outsider(reply_sender(world, "ann", LIVE), seat_of="ann", not_at=LIVE),
        "a suspended player": Outsider(sender(world.people["sue"], 403)),
        "a suspended player by password": Outsider(nobody, f"sue {PASSWORD}"),
        "a former holder of a seat": Outsider(bob, may=own, seat_of="bob"),
    }


class Writes:
    """Notices every commit to the log of games and to the accounts."""

    def __init__(self, app: Flask) -> None:
        self._stack = ExitStack()
        folder: Path = services_of(app).config.data
        self._files = [
            self._stack.enter_context(closing(sqlite3.connect(folder / f"{name}.db"))) for name in ("log", "office")
        ]
        self._seen = self._versions()

    def _versions(self) -> list[int]:
        return [file.execute("PRAGMA data_version").fetchone()[0] for file in self._files]

    def take(self) -> bool:
        """Return whether anything was written since the last time."""
        before, self._seen = self._seen, self._versions()
        return before != self._seen

    def close(self) -> None:
        """Close the files."""
        self._stack.close()


def lines_at(board: int, login: str) -> Iterator[tuple[str, str]]:
    """Yield a command and a line of it at a board, for each command about one."""
    rests = {
        **dict.fromkeys(("join", "leave", "cancel"), ("",)),
        "move": ("AD", "0", "resign", "AD#1"),
        "submit": ("AD",),
        "preview": ("AD", "0"),
        "queue": ("", "AD", "if hearts led KH", "off"),
        **dict.fromkeys(("confirm", "undo", "propose", "accept", "reject", "claim", "resign"), ("",)),
        "chat": ("hello",),
        "dispute": ("", "1 deal my cards were bad", "like 1", "withdraw 1", "rule 1 none S34 so it was"),
    }
    for command, texts in rests.items():
        for text in texts:
            yield command, " ".join(f"pitch {command} {board} {login} {text}".split())
    for at in ("", "#12"):
        yield "show", f"pitch show {board}{at}"
        yield "showas", " ".join(f"pitch showas {login} {board}{at}".split())
    for line in (f"hand {board}", f"hand {board} 1", f"transcript {board}", f"transcript {board} 1", f"audit {board}"):
        yield line.split()[0], f"pitch {line}"


def lines_elsewhere(login: str) -> Iterator[tuple[str, str]]:
    """Yield a command and a line of it, for each command about no board."""
    texts = (
        "help", "help move", f"signup ann {WRONG}", "add LOGIN ann@example.org", "change address LOGIN",
        f"change password LOGIN {WRONG} another-one-1", "change address LOGIN ann@example.org",
        "code LOGIN 00000000",
        f"signoff LOGIN {WRONG}", f"delete LOGIN {WRONG}", "list", "all show ann", "set LOGIN",
        "set LOGIN broadcasts off", "set LOGIN passwords on", "set LOGIN mail none", "message LOGIN",
        "message LOGIN dan: hello", "broadcast LOGIN hello", "pitch help", "pitch challenge ann cat", "pitch show ann",
        "pitch showas LOGIN", "pitch games ann all", "pitch standings", "pitch ratings", "pitch ratings ann",
        "pitch set LOGIN weekends on", "pitch history ann",
    )  # fmt: skip
    for text in texts:
        line = " ".join(text.replace("LOGIN", login).split())
        yield line.split()[1 if line.startswith("pitch") else 0], line
