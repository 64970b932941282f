"""Cosigned receipts (docs/receipts.md): of two histories a witness signs one, and a server shows what it took."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from api.config.settings import ChosenWitness
from api.evidence.services.witness import Witness, WitnessServer
from domain.protocols.merkle_log import roots
from domain.protocols.proofs import consistency
from domain.protocols.signed_notes import Checkpoint, ConsistencyProof, parse_note
from tests.api.live_server import GameServer, ServedGame, open_server
from tests.api.log_reference import Receipt, check_export
from tests.commands import run
from tests.event_loop import run_coroutine
from tests.replay.signing import SERVER, WITNESS

TEXT = {"Accept": "text/plain"}
LEAVES = [bytes([number]) * 32 for number in range(9)]
FORK = [*LEAVES[:5], b"x" * 32, *LEAVES[6:]]


def growth(game: str, old: int, leaves: Sequence[bytes]) -> str:
    """Return the request for a head of all leaves after one of `old`, signed by its server."""
    head = Checkpoint(f"{SERVER.name}/game/{game}", len(leaves), list(roots(leaves))[-1])
    return ConsistencyProof(old, tuple(consistency(leaves, old, len(leaves))), parse_note(SERVER.sign(head))).text


def send_at_once(server: WitnessServer, bodies: Sequence[str]) -> list[httpx.Response]:
    """Send these requests at the same time."""

    async def post() -> list[httpx.Response]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(server), base_url="http://witness") as client:
            return await asyncio.gather(*(client.post("/add-checkpoint", content=body.encode()) for body in bodies))

    return run_coroutine(post())


def test_of_two_histories_that_come_at_once_a_witness_signs_one(tmp_path: Path) -> None:
    server = WitnessServer(Witness.create(tmp_path / "witness", WITNESS.name), [SERVER.key])
    for game in map(str, range(5)):
        assert send_at_once(server, [growth(game, 0, LEAVES[:4])])[0].status_code == 200
        bodies = [growth(game, 4, leaves) for leaves in (LEAVES, FORK)] * 4
        answers = list(enumerate(send_at_once(server, bodies)))
        assert len({place % 2 for place, answer in answers if answer.status_code == 200}) == 1
        assert {answer.status_code for _, answer in answers} <= {200, 409, 422}
        assert {answer.text for _, answer in answers if answer.status_code == 409} <= {"9\n"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GameServer]:
    """A server that takes the cosignatures of WITNESS."""
    with open_server(tmp_path / "data", witnesses=(ChosenWitness(WITNESS.key),)) as found:
        yield found


def shown(game: ServedGame, path: str) -> str:
    return str(game.server.nobody.get(f"{game.path}/{path}", **TEXT).text)


def test_a_cosignature_is_shown_wherever_the_receipt_is_and_no_fact_is_written(
    server: GameServer, tmp_path: Path
) -> None:
    # given a receipt that a witness signed
    game = server.open(["ann", "bob"])
    plain = game.play_hand()[-1]["receipt"]
    log, export, size = game.log, check_export(game.export()), Receipt.read(plain).size
    note = WITNESS.cosign(plain)
    line = note.removeprefix(plain).rstrip("\n")
    # when anybody gives it to the server
    told = server.nobody.post(f"{game.path}/cosignatures", {"size": size, "lines": [line]}).get_json()
    # then it's in each answer that holds the receipt, and the log stays as it was
    assert told == {"game": game.id, "size": size, "root": export.roots[size].hex(), "note": note}
    after = check_export(game.export())
    assert (game.log, after.lines, after.header) == (log, export.lines, export.header)
    assert after.trailer == export.trailer | {"receipt": note}
    for path in ("receipt", f"receipt?size={size}"):
        assert shown(game, path) == note
    for path in ("proofs/inclusion?version=2", "proofs/consistency?first=3"):
        assert shown(game, path).partition("\n\n")[2] == note
        assert server.nobody.get(f"{game.path}/{path}").get_json()["receipt"] == note
    assert note in json.loads(server.nobody.get("/exports/games").text.splitlines()[-1])["receipt"]
    assert server.command("game", "export", game.id).stdout.encode() == game.export()
    for words in (("print", game.id), ("proof", game.id, "--first", "3")):
        assert server.command("receipt", *words, "--size", str(size)).stdout.endswith(note), words
    # and it's in a backup
    assert server.command("store", "backup", str(tmp_path / "copy")).exit_code == 0
    restored = replace(server.config, data=tmp_path / "restored")
    assert run("store", "restore", str(tmp_path / "copy"), at=restored).exit_code == 0
    exported = run("game", "export", game.id, at=restored).stdout
    assert json.loads(exported.splitlines()[-1])["receipt"] == note
