"""Receipts and proofs: taken from a stored game or an export, and compared."""

import sys
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.evidence_options import key_option, parse_as, read_receipt, read_text, receipt_head
from api.cli.common.histories import is_stored, json_option, load_history, print_json
from api.cli.sources.selection import open_source
from domain.protocols.proofs import consistency, inclusion
from domain.protocols.signed_notes import (
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
    Key,
    Note,
    parse_checkpoint,
    parse_consistency,
    parse_note,
)
from replay.audit import CANNOT_TELL, GREEN, WRONG
from replay.history import History
from replay.history.receipt_comparison import OPEN_STATES, WRONG_STATES, compare_receipts, comparison_lines
from replay.history.receipts import root_at
from replay.text import terminal

OTHER_HISTORY = 422
ASK_FOR_PROOF = (
    "Ask for the receipt that it signed, or an export of the other history. "
    "`trickbook receipt compare RECEIPT OTHER --key KEYS --key WITNESS` proves that there are two."
)
size_option = click.option("--size", type=click.IntRange(min=1), help="Cover this number of events; by default all.")


@click.command(name="print")
@click.argument("game")
@size_option
@data_option
@json_option
def print_receipt(game: str, size: int | None, data: Path | None, as_json: bool) -> None:
    """Print a receipt of GAME: a signed note with the size of its log and the root.

    For an export, print the receipt in its last line. Keep it: `trickbook game verify --receipt` and
    `trickbook game audit --receipt` check a log against it.
    """
    _, note = load_with_receipt(game, size, data)
    head = parse_checkpoint(parse_note(note).body)
    if as_json:
        print_json({"origin": head.origin, "size": head.size, "root": head.root.hex(), "note": note})
    else:
        click.echo(note, nl=False)


@click.command()
@click.argument("game")
@click.option("--version", type=click.IntRange(min=1), help="Prove that this event is in the log.")
@click.option("--first", type=click.IntRange(min=1), help="Prove that the log begins with this number of events.")
@size_option
@data_option
def proof(game: str, version: int | None, first: int | None, size: int | None, data: Path | None) -> None:
    """Print a proof that an event is in the log of GAME (--version), or that the log grew from a shorter one (--first).

    The first is for a third party, who sees only that event: `trickbook game verify --proof FILE --key VKEY`. The
    second is for two receipts of different sizes: `trickbook receipt compare R1 R2 --proof FILE`.
    """
    if (version is None) == (first is None):
        raise click.UsageError("Say what to prove: --version N or --first N.")
    history, note = load_with_receipt(game, size, data)
    signed = parse_note(note)
    head = parse_checkpoint(signed.body)
    if head.size > len(history.lines) or root_at(history, head.size) != head.root:
        raise CannotAnswer(f"{game}: Its receipt isn't of this log.")
    leaves = [line.leaf for line in history.lines]
    if version is not None:
        path = tuple(inclusion(leaves, _require_within(version, head) - 1, head.size))
        click.echo(InclusionProof(version - 1, path, signed, history.lines[version - 1].raw).text, nl=False)
    elif first is not None:
        path = tuple(consistency(leaves, _require_within(first, head), head.size))
        click.echo(ConsistencyProof(first, path, signed).text, nl=False)


def _require_within(number: int, head: Checkpoint) -> int:
    if number > head.size:
        raise CannotAnswer(f"The receipt covers {head.size} events; {number} isn't one of them.")
    return number


def load_with_receipt(game: str, size: int | None, data: Path | None) -> tuple[History, str]:
    if is_stored(game):
        return open_source(data).receipt(game, size)
    history = load_history(game, data)
    note = history.trailer.receipt if history.trailer is not None else None
    if note is None:
        raise CannotAnswer(f"{game}: The last line has no receipt. Export the game again after the end of a hand.")
    head = parse_as(game, lambda text: parse_checkpoint(parse_note(text).body), note, "receipt")
    if size not in (None, head.size):
        raise CannotAnswer(f"{game}: The receipt in this file covers {head.size} events. A stored game has others.")
    return history, note


@click.command(name="compare")
@click.argument("files", nargs=-1, required=True, metavar="RECEIPT RECEIPT...")
@key_option
@click.option(
    "--log", "logs", metavar="GAME|FILE", help="A log that shows which receipts of different sizes belong together."
)
@click.option("--proof", "proofs", metavar="FILE", help="A proof of consistency that shows the same for two.")
@data_option
@json_option
def compare_command(
    files: tuple[str, ...], keys: list[Key], logs: str | None, proofs: str | None, data: Path | None, as_json: bool
) -> None:
    """Compare receipts of one game: is there one history, or are there two?

    A receipt can be a file of its own, an answer of the server, an export, or a mail from the server.
    Two signed receipts that can't both be of one log are printed in full as PROOF OF FORGERY: their signer has
    shown two histories of one game. Receipts of different sizes need --log or --proof. The receipt of an export given
    as --log counts too. Exit code 1 for two histories, 2 if the receipts can't be compared.
    """
    log = None if logs is None else load_history(logs, data)
    given = [read_receipt(each) for each in files]
    if log is not None and log.trailer is not None and log.trailer.receipt is not None:
        given.append((f"the receipt in {logs}", log.trailer.receipt))
    if len(given) < 2:
        raise click.UsageError("Name at least two receipts, or one and a --log that has another.")
    path = None if proofs is None else parse_as(proofs, parse_consistency, read_text(proofs), "proof of consistency")
    comparisons = compare_receipts([receipt_head(each, keys) for each in given], log, path)
    if as_json:
        print_json([each.to_json() for each in comparisons])
    else:
        for each in comparisons:
            click.echo(
                "\n".join(line if "\n" in line else terminal.text_line(line).plain for line in comparison_lines(each))
            )
    states = {each.state for each in comparisons}
    sys.exit(WRONG if states & WRONG_STATES else CANNOT_TELL if states & OPEN_STATES else GREEN)


@click.command()
@click.argument("game")
@click.argument("file")
@data_option
def submit(game: str, file: str, data: Path | None) -> None:
    """Give the server the cosignatures in FILE, a receipt of GAME that witnesses have signed too.

    The server takes those of the witnesses that its host has chosen (TRICKBOOK_WITNESSES), and shows them with the
    receipt and in exports. Print the receipt with all cosignatures that it has.
    """
    name, text = read_receipt(file)
    note = parse_note(text)
    head = parse_checkpoint(note.body)
    if all(head.is_of(each.name) for each in note.signatures):
        raise CannotAnswer(f"{name}: This receipt of {head.origin} has no signature of a witness.")
    click.echo(open_source(data).add_cosignatures(game, text), nl=False)


@click.command(name="cosign")
@click.argument("game")
@click.argument("url")
@data_option
def ask_for_signature(game: str, url: str, data: Path | None) -> None:
    """Have the witness at URL sign the newest receipt of GAME, and give the server the signature.

    The witness is one of those that the server's host has chosen (TRICKBOOK_WITNESSES). Print the receipt with all
    cosignatures that it has. Exit code 1 if the witness doesn't sign, since it has signed another history.
    """
    from api.evidence.services.witness import WitnessRefuses
    from api.evidence.services.witness_sender import NotAWitness, ask_witness

    history, text = load_with_receipt(game, None, data)
    note = parse_note(text)
    try:
        lines = ask_witness(url, note, [line.leaf for line in history.lines])
    except NotAWitness as error:
        help_text = "Give the address of a witness, as `trickbook witness serve` prints it."
        raise CannotAnswer(f"{url}: {error} {help_text}") from None
    except WitnessRefuses as refusal:
        click.echo(terminal.text_line(f"{url}: not signed: {refusal}").plain)
        if refusal.status == OTHER_HISTORY:
            click.echo(ASK_FOR_PROOF)
        sys.exit(WRONG)
    cosigned = Note(note.body, (*note.signatures, *lines)).text
    click.echo(open_source(data).add_cosignatures(game, cosigned), nl=False)


commands: list[click.Command] = [print_receipt, proof, compare_command, submit, ask_for_signature]
