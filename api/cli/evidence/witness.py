"""`trickbook witness`: sign receipts as a witness, which signs one history of each game."""

import asyncio
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors
from api.cli.common.evidence_options import key_option
from api.cli.evidence.receipts import load_with_receipt
from api.evidence.services.keys import NoSigningKey
from api.evidence.services.witness import HeadsUnavailable, Witness, WitnessRefuses, WitnessServer
from api.server.listener import ACCEPT_POLL_S, BACKLOG, PARSER_BUFFER, Address, accepts, max_connections
from api.server.stop_signals import on_stop_signals_in_loop
from domain.protocols.proofs import consistency
from domain.protocols.signed_notes import ConsistencyProof, Key, NotANote, Note, parse_checkpoint, parse_note
from replay.audit import WRONG
from replay.history import History
from replay.history.receipt_comparison import compare_receipts, comparison_lines, parse_receipt

HEADER_TIMEOUT_MS = 10_000
"""How long headers may take to arrive, and how long a connection may stay without a request."""
folder_option = click.option(
    "--folder", type=click.Path(path_type=Path), default="witness", show_default=True, help="The folder of the witness."
)


@click.command()
@click.argument("name")
@folder_option
def init(name: str, folder: Path) -> None:
    """Make the key of a witness in a folder. NAME is an address without a scheme, such as ann.example/witness.

    Print the public key: people give it with --key when they check receipts, and a server's host puts it into
    TRICKBOOK_WITNESSES. Keep the folder: it has the private key, and the last head of each log that was signed.
    """
    try:
        witness = Witness.create(folder, name)
    except NotANote as error:
        raise CannotAnswer(f"{name!a}: This can't be the name of a witness: {error}.") from None
    except FileExistsError:
        raise CannotAnswer(f"{folder} has the key of a witness already. Name another --folder.") from None
    except OSError as error:
        raise CannotAnswer(f"{error.filename or folder}: {error.strerror}") from None
    click.echo(witness.key.text)


@click.command()
@click.argument("game")
@folder_option
@key_option
@data_option
def cosign(game: str, folder: Path, keys: list[Key], data: Path | None) -> None:
    """Sign the newest receipt of GAME, a board or an export, and print it with the signature.

    The witness signs only if one of the keys in --key has signed the receipt, and if the log continues the last one of
    this game that it has signed. If not, it says why, and prints both receipts if they prove two histories.

    Exit code 1 if the witness doesn't sign.
    """
    history, text = load_with_receipt(game, None, data)
    note = parse_note(text)
    with _open_witness(folder) as witness:
        try:
            line = witness.cosign(_request(witness, history, note), keys, int(time.time()))
        except WitnessRefuses as refusal:
            click.echo("\n".join(_refusal_lines(game, refusal, text, history, keys)))
            sys.exit(WRONG)
    click.echo(Note(note.body, (*note.signatures, line)).text, nl=False)


def _request(witness: Witness, history: History, note: Note) -> ConsistencyProof:
    """Return the proof that a receipt continues the last head that the witness has signed."""
    head = parse_checkpoint(note.body)
    last = witness.last_head(head.origin)
    old = 0 if last is None else last.head.size
    leaves = [line.leaf for line in history.lines[: head.size]]
    path = consistency(leaves, old, head.size) if old <= head.size == len(leaves) else []
    return ConsistencyProof(min(old, head.size), tuple(path), note)


def _refusal_lines(
    game: str, refusal: WitnessRefuses, text: str, history: History, keys: Sequence[Key]
) -> Iterator[str]:
    """Yield why the witness doesn't sign, and the comparison with the head that it has signed."""
    yield f"{game}: not signed: {refusal}"
    if refusal.earlier is not None:
        notes = (("the receipt that this witness has signed", refusal.earlier.note), (game, text))
        heads = [parse_receipt(name, note, keys) for name, note in notes]
        for each in compare_receipts(heads, history):
            yield from comparison_lines(each)


@click.command()
@folder_option
@key_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8090, show_default=True, help="The port to listen on.")
def serve(folder: Path, keys: list[Key], host: str, port: int) -> None:
    """Sign heads over HTTP until interrupted: `POST /add-checkpoint`, as c2sp.org/tlog-witness describes it.

    --key names the keys of the servers whose games the witness signs. Put HTTPS before it.
    """
    if not keys:
        raise click.UsageError("Name the keys of the servers whose games the witness signs, with --key.")
    with _open_witness(folder) as witness:
        app = WitnessServer(witness, keys)
    with suppress(KeyboardInterrupt):
        asyncio.run(_listen(app, host, port))
    click.echo("stopped")
    sys.stdout.flush()
    os._exit(0)  # granian's threads would abort the process if the interpreter ended while one of them still runs


async def _listen(app: WitnessServer, host: str, port: int) -> None:
    """Answer requests until SIGTERM or SIGINT."""
    server = Server(
        app, address=host, port=port, interface=Interfaces.ASGINL, http=HTTPModes.http1, websockets=False,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT_MS, max_buffer_size=PARSER_BUFFER),
        backlog=BACKLOG, backpressure=max_connections(), log_level=LogLevels.error,
    )  # fmt: skip
    on_stop_signals_in_loop(server.stop)
    serving = asyncio.ensure_future(server.serve())
    while not (serving.done() or await accepts(Address(host, port))):
        await asyncio.sleep(ACCEPT_POLL_S)
    click.echo(f"listening on http://{host}:{port}")
    await serving


@contextmanager
def _open_witness(folder: Path) -> Iterator[Witness]:
    """Open the witness. End the command with a sentence and exit code 2 if its folder can't be used."""
    try:
        with exit_on_store_errors():
            yield Witness(folder)
    except (NoSigningKey, HeadsUnavailable) as error:
        raise CannotAnswer(str(error)) from None


commands: list[click.Command] = [init, cosign, serve]
