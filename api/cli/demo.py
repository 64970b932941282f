"""The command `trickbook demo`: its own server, whole games over HTTP, a scoreboard, one hand replayed and audited."""

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import CannotAnswer
from api.client import Server, Table
from api.ops.files import temporary_folder
from projections.bots import NothingToDo, choose

PROGRAM = (sys.executable, "-P", "-m", "api.cli")
"""The program; with -P, a folder `api` in the current folder isn't mistaken for it."""
LISTENING = "listening on "
PLAYER = "ann"
PAUSE_S = 0.2
DEMO_OPTIONS: Mapping[str, Any] = {"randomizer": {"when": [1, 8], "end": [1, 600]}}
"""Options for the demonstration: rules change often, and a session rarely ends early."""
Print = Callable[[str], None]


class ServerDidNotStart(Exception):
    """The server didn't start; str(error) is its output."""


@contextmanager
def run_server_process(data: Path) -> Iterator[str]:
    """Yield the URL of a server process on a free port with its stores in `data`; stop it at the end."""
    command = [*PROGRAM, "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_environment()) as server:
        try:
            yield _address(server)
        finally:
            server.terminate()


def _address(server: "subprocess.Popen[str]") -> str:
    output = []
    for line in server.stdout or ():
        if line.startswith(LISTENING):
            return line.removeprefix(LISTENING).strip()
        output.append(line)
    raise ServerDidNotStart("".join(output) or "the server ended before it listened")


@dataclass(frozen=True)
class GameSummary:
    """A game played to its end, as seen from the program's seat."""

    board: int
    hands: int
    moves: int
    seconds: float
    view: Mapping[str, Any]
    names: Mapping[str, str]

    def summary(self) -> str:
        """Return the result in one line."""
        seats, result = self.view["seats"], self.view["result"]
        winners = " and ".join(self.names[seats[seat]["player"]] for seat in result["winners"]) or "nobody"
        return (
            f"board {self.board}: {self.view['variant']}, {len(seats)} players, {self.hands} hands,"
            f" {self.view['version']} facts: ended by {result['reason']}, won by {winners} with {max(result['scores'])}"
            f" ({self._pace()})"
        )

    def _pace(self) -> str:
        """Return the time for each move; a session may end before our first turn."""
        if not self.moves:
            return "before any move of ours"
        return f"{self.moves} moves of ours, {1000 * self.seconds / self.moves:.1f} ms each"


def play_game(player: Server, settings: Mapping[str, Any]) -> GameSummary:
    """Open a game and play our seat as bot:simple would, to the end of the game."""
    begun = time.perf_counter()
    table, moves = Table.open(player, **settings), 0
    view = table.view()
    while view["status"] == "active":
        try:
            move = choose("simple", view, secrets.randbelow)
        except NothingToDo:  # the bots have more moves than one request makes: the worker makes the rest
            time.sleep(PAUSE_S)
            view = table.view()
            continue
        view = table.move(move, version=view["version"])["view"]
        moves += 1
    names = table.view()["names"]
    return GameSummary(view["board"], view["hand"]["number"], moves, time.perf_counter() - begun, view, names)


def tables(variants: list[Mapping[str, Any]], name: str) -> Iterator[dict[str, Any]]:
    """Yield a table for every variant, with four players if they can, and default options except `DEMO_OPTIONS`."""
    for variant in variants:
        usual = {option["name"]: option["default"] for option in variant["options"]}
        options = {name: DEMO_OPTIONS.get(name, default) for name, default in usual.items()}
        number = 4 if 4 in variant["seats"] else variant["seats"][0]
        others = [("bot:simple", "bot:random")[seat % 2] for seat in range(number - 1)]
        yield {"variant": variant["name"], "options": options, "seats": [name, *others]}


@dataclass(frozen=True)
class DemoResult:
    """The boards played, and the last scored hand of one of them, with our seat there."""

    board: int
    hand: int
    boards: tuple[int, ...]
    seat: int = 0


def play_tables(url: str, say: Print) -> DemoResult:
    """Play at every table, then print the first one's scoreboard and the transcript of its last hand."""
    with Server(url) as player:
        player.register(PLAYER, secrets.token_hex(8))
        boards = [_play_and_print(player, table, say) for table in tables(player.variants(), PLAYER)]
        scoreboard = player.get(player.after_write(f"/games/{boards[0]}/scoreboard"))
        last = scoreboard["hands"][-1]["hand"]
        say("\n".join([f"\nThe scoreboard of board {boards[0]}:", *_scoreboard_lines(scoreboard)]))
        say(f"\nHand {last} written down:\n{player.text(f'/games/{boards[0]}/hands/{last}/transcript')}")
    return DemoResult(boards[0], last, tuple(boards))


def _play_and_print(player: Server, table: Mapping[str, Any], say: Print) -> int:
    played = play_game(player, table)
    say(played.summary())
    return played.board


def _scoreboard_lines(scoreboard: Mapping[str, Any]) -> Iterator[str]:
    for hand in scoreboard["hands"]:
        player = scoreboard["players"][hand["pitcher"]]
        pitcher = scoreboard["names"].get(player, player)
        yield f"hand {hand['hand']}, {pitcher} pitched for {hand['bid']}"
        yield from (f"  {line['text']}" for line in hand["lines"])


def replay_and_audit(data: Path, result: DemoResult, say: Print) -> bool:
    """Replay the hand from our seat and audit every game with the program; return whether all is well."""
    where = [str(result.board), "--data", str(data)]
    say(f"Replayed as {PLAYER} saw it:")
    replayed = _run("hand", "replay", *where, "--hand", str(result.hand), "--seat", str(result.seat), "--json")
    if replayed.returncode == 0:
        for step in json.loads(replayed.stdout)["steps"]:
            say(f"  {step['version']:>4}  {step['says']}")
    audits = {board: _run("game", "audit", str(board), "--data", str(data)) for board in result.boards}
    say(f"\nAudited:\n{audits[result.board].stdout}")
    for board, audited in audits.items():
        say(f"board {board}: {(audited.stdout.splitlines() or ['no report'])[-1]}")
    return not any(done.returncode for done in (replayed, *audits.values()))


def _run(*command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*PROGRAM, *command], stdout=subprocess.PIPE, text=True, check=False, env=_environment())


def _environment() -> dict[str, str]:
    """Return an environment without settings, in which the server logs no request between the lines of the games."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRICKBOOK_")}
    return clean | {"TRICKBOOK_LOG": "warning"}


NEXT = (
    "\nTo play yourself, run `trickbook serve` and follow docs/tutorial.md. The games of this demonstration are gone."
)


@click.command()
def demo() -> None:
    """Play whole games of every variant through the HTTP API, on a temporary server that is removed afterwards.

    Prints the result of each game, a scoreboard, and one hand as a transcript, replayed step by step and audited.
    Exit code 1 if an audit finds something.
    """
    with temporary_folder() as folder:
        data = folder / "data"
        try:
            with run_server_process(data) as url:
                click.echo(f"a server at {url}, its stores in {data}")
                result = play_tables(url, click.echo)
                well = replay_and_audit(data, result, click.echo)
        except ServerDidNotStart as error:
            raise CannotAnswer(f"The server didn't start: {error}") from None
    click.echo(NEXT)
    sys.exit(0 if well else 1)


commands: list[click.Command] = [demo]
