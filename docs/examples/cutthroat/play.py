"""Bots play a game of Cutthroat Pitch to its end, and the audit reads it (docs/extending.md#a-variant)."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from domain.commands import OpenGame
from domain.events import Player
from domain.store import Games
from projections.bots import choose
from projections.moves.json_moves import parse_move
from projections.views.cache import ViewCache
from replay.audit import GREEN, audit
from replay.history import export_bytes, from_entries, read_export
from replay.rejudge import rejudge

GAME = "6f1d0c1e-0000-4000-8000-000000000005"
PLAYERS = (Player("p_ann", "human"), Player("bot:simple:1", "bot", "simple"), Player("bot:random:2", "bot", "random"))
chance = Random(15)  # a seed, so that each run prints the same

with TemporaryDirectory() as folder, Games(Path(folder), entropy=chance.randbytes) as games:
    opened = games.open(OpenGame(GAME, 1, "cutthroat", {}, PLAYERS), by="p_ann", command_id="0-0")
    print([entry.event.fact for entry in opened.entries])
    views, moves = ViewCache(games), 0
    while (state := games.state(GAME)).result is None:
        (seat,) = state.turn  # a bot sees only the view of its seat, and chooses one of the legal moves in it
        move = choose(state.seats[seat].bot or "simple", views.view(GAME, seat), state.rules, chance.randrange)
        moves += 1
        games.act(GAME, parse_move(move, seat), by=state.seats[seat].player, command_id=f"{moves}-0")
    print(state.result.reason, max(state.scores) >= 15)
    history = read_export(export_bytes(from_entries(games.entries(GAME), {})))

judgement = rejudge(history)  # neither knows Cutthroat by name: both read its value in GameOpened
report = audit(history, judgement)
print(report.code() == GREEN, report.findings, judgement.findings)
