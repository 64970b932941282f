"""Hands as text: exports are byte-stable, imports lenient, and round trips byte-identical."""

import re

import pytest

from domain.cards import Card
from domain.commands import AskUndo, CallPartner, ChangeRules
from domain.events import (
    Play,
    Timing,
)
from replay.history import History
from replay.text.transcribe import format_transcripts, transcript_of, transcripts
from replay.text.transcript import (
    NotATranscript,
    Row,
    Transcript,
    format_transcript,
    parse_transcript,
    parse_transcripts,
)
from tests.replay.playing import GAME, table, until
from tests.replay.variety import VARIETY, of


def test_a_hand_in_the_format_of_pbn() -> None:
    made = table(5, 4).play(0.3, most=30)
    made.resign(1)
    made.play(0.3, most=10)
    first, *_, last = transcripts(made.seen_by(None))
    written = format_transcript(first)
    assert f'[Game "{GAME}"]\n[Board "7"]\n[Variant "pitch"]\n[Goal "11"]\n[Player0 "ann"]\n' in written
    assert '\n[Auction "0"]\n{seat 0 takes back 2} 2 {seat 1 takes back pass}' in written
    assert '\n[Play "1"]\n1: 6S {seat 2 takes back 2S} 2S 4S JS > 0\n' in written
    assert "{seat 1 resigns}" in written
    assert '[Score "seat bid tricks count change score points"]\n0 2 1 1 +2 2 low,jack\n' in written
    assert (first.tag("Result"), first.tag("Nothing")) == ("set", None)
    assert (last.tag("Result"), last.tag("Seed")) == ("in play", "??")
    assert last.tag("Deal") == "1:" + " / ".join(["?? ?? ?? ?? ?? ??"] * 4)


def test_draws_and_ends_are_inline_notes() -> None:
    made = table(11, 3).play(most=2)
    made.draw(accept=False)
    made.draw(accept=True)
    (broken,) = transcripts(made.history)
    assert "{seat 0 proposes a draw} {seat 1 refuses the draw}" in format_transcript(broken)
    assert "{seat 1 accepts the draw} {seat 2 accepts the draw}" in format_transcript(broken)
    assert broken.tag("Result") == "broken off: draw"


def test_a_hand_not_dealt_has_no_transcript(small: History) -> None:
    with pytest.raises(LookupError, match="no hand 99"):
        transcript_of(small, 99)


LENIENT = """% a comment line
  [Player0 "a"]
[player1 "nobody"]
[Player1 "b \\"the\\" \\\\ bee"]
 [ Auction "1" ]
  P   ; passes
SMUDGE {a long look}
[play "0"]
0: th   5d {hm}
1:
 AC
 ?? > 1
[Score]
0 5 1

1 pass 0
"""


def test_import_is_lenient() -> None:
    read_back = parse_transcript(LENIENT)
    assert read_back.bids == [(1, None), (0, 5)]
    assert read_back.auction == ("pass", "5", "{a long look}")
    assert read_back.play == (Row(0, ("10H", "5D", "{hm}")), Row(1, ("AC", "??"), 1))
    assert read_back.tricks[0] == [Play(0, read_back.tricks[0][0].card), Play(1, read_back.tricks[0][1].card)]
    assert read_back.score == (("0", "5", "1"), ("1", "pass", "0"))
    assert read_back.tag("Player1") == 'b "the" \\ bee'
    assert format_transcript(parse_transcript(format_transcript(read_back))) == format_transcript(read_back)


def test_names_cannot_break_out_of_their_tag() -> None:
    nasty = Transcript((("Player0", 'x"]\n[Seed "\\u{1}\x1b[2J'), ("Player1", "y")), 0)
    written = format_transcript(nasty)
    assert written.count("\n") == 3
    assert "\x1b" not in written
    assert parse_transcript(written) == nasty


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        pytest.param("", "a Player tag for each seat", id="nothing"),
        pytest.param('[Auction "0"]\npass', "a Player tag for each seat", id="no players"),
        pytest.param('[Player0 "a"]\n[Auction "x"]', "'x' is not a seat", id="an invalid seat"),
        pytest.param('[Player0 "a"]\n[Auction "0"]\nknock', "'knock' is not a call", id="an invalid call"),
        pytest.param('[Player0 "a"]\n[Auction "0"]\n[Play "0"]\nAH', "before the leader", id="no leader"),
        pytest.param('[Player0 "a"]\n[Auction "0"]\n[Play "0"]\n0: 1H', "n't a card", id="an invalid card"),
        pytest.param('[Player0 "a"]\n[Auction "0"]\n[Play "0"]\n0: AH >', "not a seat", id="a trick without a taker"),
    ],
)
def test_text_without_a_hand_is_refused(broken: str, says: str) -> None:
    with pytest.raises(NotATranscript, match=says):
        parse_transcript(broken)


@pytest.mark.parametrize("name", VARIETY)
def test_every_kind_of_table_comes_back_byte_for_byte(name: str) -> None:
    made = of(name, 1).play(0.2, 60, 0.2)
    for viewer in (None, 0):
        for transcript in transcripts(made.seen_by(viewer)):
            written = format_transcript(transcript)
            assert parse_transcript(written) == transcript
            assert format_transcript(parse_transcript(written)) == written


@pytest.mark.parametrize(("word", "says"), [("*X", "'*X'"), ("@1C", "'1C'")])
def test_an_unknown_word_of_an_exchange_is_quoted(word: str, says: str) -> None:
    with pytest.raises(NotATranscript, match=re.escape(says)):
        parse_transcript(f'[Player0 "a"]\n[Auction "0"]\n[Exchange "0"]\n0: {word}\n')


def test_a_suit_named_may_be_typed_in_either_case() -> None:
    assert parse_transcript('[Player0 "a"]\n[Auction "0"]\n[Exchange "0"]\n0: *h @kh\n').exchange == (
        Row(0, ("*H", "@KH")),
    )


def test_a_call_between_two_tricks_that_is_taken_back_stands_before_the_next() -> None:
    made = table(3, variant="corellian", randomizer=None, host_changes=True, call="secret")
    until(made, lambda each: each.entries[-1].event.fact == "TrickTaken")
    pitcher = made.game.state.hand.pitcher if made.game.state.hand else None
    assert pitcher is not None
    made.says(ChangeRules(0, "partners:call"))
    made.says(CallPartner(pitcher, Card("2C")))
    made.says(AskUndo(pitcher))
    made.answer(accept=True)
    made.says(CallPartner(pitcher, Card("3C")))
    made.move()
    written = format_transcripts(transcripts(made.history))
    noted = r"^\d: \{host: 10 clean upright call\} \{seat \d takes back 2C\} @3C \w+"
    assert re.search(noted, written, re.MULTILINE), written
    assert format_transcripts(map(parse_transcript, [written])) == written


def test_a_semicolon_in_a_note_is_part_of_it_and_one_outside_begins_a_comment() -> None:
    (hand,) = parse_transcripts('[Player0 "a"] ; who\n[Auction "0"]\n{a; b};c {d}\n2;{e}\n')
    assert (hand.tag("Player0"), hand.auction) == ("a", ("{a; b}", "2"))


def test_RP10_reminders_and_forfeits_are_inline_notes() -> None:
    made = table(4, timing=Timing(nag_days=1, forfeit_days=2)).play(most=6)
    seat = made.game.state.turn[0]
    made.waits(1.5).waits(1)
    written = format_transcripts(transcripts(made.history))
    assert f"{{seat {seat} is reminded}} {{seat {seat} is out of time}}" in written
    assert format_transcripts(parse_transcripts(written)) == written
