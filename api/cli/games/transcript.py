"""`trickbook game transcript`: hands as text, in the style of PBN."""

from pathlib import Path

import click

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.evidence_options import read_text
from api.cli.common.files import game_option
from api.cli.common.histories import load_history, require_consistent
from replay.history import NoSuchHand
from replay.text.transcribe import format_transcripts, transcript_of, transcripts
from replay.text.transcript import NotATranscript, Transcript, parse_transcripts


@click.command()
@click.argument("game")
@click.option("--hand", type=click.IntRange(min=1), help="Only this hand, from 1; by default every deal.")
@click.option(
    "--import-profile", "lenient", is_flag=True, help="GAME is a file of transcripts typed by people; correct it."
)
@game_option
@data_option
def transcript(game: str, hand: int | None, lenient: bool, which: str | None, data: Path | None) -> None:
    """Print hands of GAME as text; `??` stands for hidden cards. The same hand always gives the same bytes.

    With --import-profile, GAME is a file of such text (`-`: standard input), parsed leniently and printed in the
    standard form.
    """
    if lenient:
        written = format_transcripts(
            each for each in _read_typed(game) if hand is None or each.tag("Hand") == str(hand)
        )
        if not written:
            raise CannotAnswer(f"{game}: There is no hand {hand} in it.")
    else:
        history = require_consistent(load_history(game, data, which))
        try:
            written = format_transcripts(transcripts(history) if hand is None else [transcript_of(history, hand)])
        except NoSuchHand as error:
            raise CannotAnswer(str(error)) from None
    click.echo(written, nl=False)


def _read_typed(name: str) -> list[Transcript]:
    try:
        return parse_transcripts(read_text(name))
    except NotATranscript as error:
        raise CannotAnswer(f"{name}: {error}") from None


commands: list[click.Command] = [transcript]
