"""The verifier in Go finds the tampering that `trickbook game verify` finds, or says that it doesn't check it."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from replay.history import export_bytes
from tests.beacons.forgeries import FORGERIES as BEACON_FORGERIES
from tests.beacons.forgeries import game as beacon_game
from tests.beacons.forgeries import with_own_signatures
from tests.campaigns.tamper.flips import changes
from tests.campaigns.tamper.kinds import KINDS, Kind
from tests.campaigns.tamper.ledgers import ledger
from tests.campaigns.tamper.papers import PAPERS, Papers, take_home
from tests.campaigns.tamper.places import exports
from tests.campaigns.tamper.test_kinds import LEFT
from tests.replay.audit.test_clock import late
from tests.replay.forging import events_of, rewritten
from tests.replay.forging import forged as forged_log
from tests.replay.line_ends import LINE_ENDS
from tests.replay.playing import long
from tests.replay.signing import cut
from tests.verifiers.go import Answer, Verifier
from tests.web.example import KEY, example, with_receipt
from tests.web.forgeries import FORGERIES, forged

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program
MOVES = (
    "the rules: bids, auction, trump, legal cards, who takes a trick, partners and sides, whose turn it is (next), "
    "verdicts on delay"
)
POINTS = "the rules: pegs, counts, bids and made of HandScored, why a game ended, its winners"
CLOCKS = "the clocks: deadlines, the time that a seat has left, turns and games that end by time"
SERVER = "the server: that a move is its player's, and which events belong to one command"
REDONE = ", all hashes redone"
UNSIGNED = "the file: it's unsigned, and its end can be missing: it holds no receipt"
NOT_CHECKED: dict[str, str] = {
    "the sides of the game": MOVES,
    "a bid": MOVES,
    "the pitcher": MOVES,
    "the bid that won": MOVES,
    "a forced bid": MOVES,
    "whose turn it is": MOVES,
    "who won a point": POINTS,
    "what a point is worth": POINTS,
    "which point it is": POINTS,
    "whether a point counts": POINTS,
    "a point left out": POINTS,
    "a count for game": POINTS,
    "bids as scored": POINTS,
    "whether the bid was made": POINTS,
    "who won the game": POINTS,
    "why it ended": POINTS,
    "the end as ruled": POINTS,
    "the server for a player": SERVER,
    "another command within a commit": SERVER,
}
"""Changes by somebody who recomputes all hashes, and the line in which the program says that it doesn't check them."""
ELSEWHERE = 20
"""At most that many kinds are found, but at another event than the server's own verifier names."""


def in_export(kind: Kind) -> bool:
    """Return whether a change of that kind is possible in an export, and found without a receipt."""
    return "export" in kind.where and not kind.kept


LEFT_TRIED = [kind for kind in KINDS if kind in LEFT][::10]
TRIED = [kind for kind in KINDS if in_export(kind) and (kind not in LEFT or kind in LEFT_TRIED)]
"""The kinds that are tried: few of those in which an event contradicts its leaf, whatever was changed."""


def checked(name: str) -> bool:
    """Return whether the program checks this kind."""
    return name.removesuffix(REDONE) not in NOT_CHECKED or not name.endswith(REDONE)


@pytest.fixture(scope="module")
def answers(verifier: Verifier) -> dict[str, tuple[int | None, Answer]]:
    """For each kind, the version that must be named, and what the program says."""
    versions, exported = dict[str, int | None](), dict[str, bytes]()
    for kind in TRIED:
        written = ledger(kind.game)
        versions[kind.name] = kind.change(written)
        exported[kind.name] = written.export()
    return {name: (versions[name], answer) for name, answer in verifier.verify_each(exported).items()}


def test_every_kind_of_tampering_is_found_or_named_as_not_checked(
    answers: dict[str, tuple[int | None, Answer]],
) -> None:
    assert len(answers) > 160
    missed = {name: answer.text for name, (_, answer) in answers.items() if checked(name) and answer.code != 1}
    assert missed == {}
    for name, line in NOT_CHECKED.items():
        _, answer = answers[name + REDONE]
        assert (answer.lines("undecided"), line in answer.lines("not checked")) == ([UNSIGNED], True), name


def test_the_event_that_was_changed_is_named(answers: dict[str, tuple[int | None, Answer]]) -> None:
    elsewhere = [
        name
        for name, (version, answer) in answers.items()
        if checked(name) and version is not None and not answer.names(version)
    ]
    assert len(elsewhere) <= ELSEWHERE, elsewhere
    assert [name for name in elsewhere if REDONE not in name] == []


def test_a_clock_that_was_changed_is_named_as_not_checked(verifier: Verifier) -> None:
    def with_less_time(event: dict[str, Any]) -> None:
        if event["fact"] == "GameOpened":
            event["data"]["timing"].update(total_days=3, forfeit_days=22)

    answer = verifier.verify(export_bytes(with_receipt(forged_log(late().history, with_less_time))))
    assert (answer.code, CLOCKS in answer.lines("not checked")) == (0, True), answer.text


def missed(answers: dict[str, Answer]) -> dict[str, str]:
    """Return what the program says about exports in which it finds nothing wrong."""
    return {name: answer.text for name, answer in answers.items() if answer.code != 1}


def test_every_forgery_of_the_tests_of_the_javascript_is_found(verifier: Verifier) -> None:
    assert missed(verifier.verify_each({name: forged(each)[0] for name, each in FORGERIES.items()})) == {}


def test_each_tampering_with_a_beacon_is_found_but_a_signature_that_was_made_up(verifier: Verifier) -> None:
    changed = {name: export_bytes(forged_log(beacon_game(), each)) for name, (each, _) in BEACON_FORGERIES.items()}
    assert missed(verifier.verify_each(changed)) == {}
    for history in (beacon_game(), with_own_signatures()):
        answer = verifier.verify(export_bytes(with_receipt(history)))
        unchecked = [line for line in answer.lines("not checked") if line.startswith("the beacon's signature of")]
        assert (answer.code, len(unchecked)) == (0, 2), answer.text


@pytest.mark.parametrize("name", ["a finished export", "a running one, seen by seat 1"])
def test_no_byte_changes_unnoticed(verifier: Verifier, tmp_path: Path, name: str) -> None:
    data = exports(tmp_path)[name]
    changed = {
        f"{at}: {byte}": data[:at] + bytes([byte]) + data[at + 1 :] for at, byte in changes(data, 100, Random(8))
    }
    whole, *answers = verifier.verify_each({"": data} | changed).values()
    assert whole.code == 0
    for place, answer in zip(changed, answers, strict=True):
        assert answer.code in (1, 2), place
        assert "panic" not in answer.text, place


def test_a_line_without_a_leaf_is_named(verifier: Verifier, tmp_path: Path) -> None:
    header, first, *others = exports(tmp_path)["a finished export"].splitlines(keepends=True)
    changed = {}
    for leaf in ('"leag":"', '"leaf":7,"x":"', '"leaf":["', '"leaf": "'):
        line = first.replace(b'"leaf":"', leaf.encode())
        assert line != first
        changed[leaf] = b"".join([header, line, *others])
    for answer in verifier.verify_each(changed).values():
        assert answer.code in (1, 2), answer.text
        assert "panic" not in answer.text


@pytest.mark.parametrize("ends", LINE_ENDS)
def test_a_file_with_other_line_ends_is_right_and_says_so(verifier: Verifier, ends: str) -> None:
    change, how = LINE_ENDS[ends]
    answer = verifier.verify(change(export_bytes(example())))
    assert (answer.code, [line.partition(";")[0] for line in answer.lines("line ends")]) == (0, [how]), answer.text
    assert answer.lines("verdict") == ["right; only line ends differ from the server's file"]
    assert verifier.verify(change(export_bytes(example()).replace(b"9C", b"8C", 1))).code == 1


# Receipts and keys


def test_a_file_that_was_cut_before_its_end_and_has_no_receipt_is_undecided_and_wrong_with_a_key(
    verifier: Verifier,
) -> None:
    data = export_bytes(cut(example(), 60))
    answer = verifier.verify(data)
    assert (answer.code, answer.lines("undecided")) == (2, [UNSIGNED])
    (wrong,) = verifier.answers([(["--key", KEY.text, "-"], data)])
    assert (wrong.code, "its end can be missing" in wrong.text) == (1, True)


def test_a_receipt_contradicts_bytes_that_were_changed_beside_their_old_hash(verifier: Verifier) -> None:
    answer = verifier.verify(export_bytes(example()).replace(b"9C", b"8C", 1))
    assert "the file: receipt (trailer) at 81: the log had another root at that size" in answer.lines("wrong")


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    """A player's papers."""
    return take_home(tmp_path_factory.mktemp("papers"))


def in_go(papers: Papers, command: list[str]) -> list[str]:
    """Return the arguments of the program in Go for a command of ours; those of proofs are left to ours."""
    if command[:2] == ["receipt", "compare"]:
        first, second, *others = command[2:]
        command = ["game", "verify", papers.export(), "--receipt", first, "--receipt", second, *others]
    file, rest = command[2], command[3:]
    given = list(zip(rest[::2], rest[1::2], strict=True))
    keys = [part for option, value in given if option == "--key" for part in (option, value)]
    return [*keys, file, *(value for option, value in given if option == "--receipt")]


def test_true_receipts_are_right(verifier: Verifier, papers: Papers) -> None:
    commands = papers.with_receipt(papers.last), papers.with_receipt(papers.first), papers.in_trailer(papers.last)
    for answer in verifier.answers((in_go(papers, command), b"") for command in commands):
        assert (answer.code, "signed by" in answer.text, "a key that was given" in answer.text) == (0, True, True)


def test_each_forged_paper_is_found(verifier: Verifier, papers: Papers) -> None:
    of_exports = {name: in_go(papers, forge(papers)) for name, forge in PAPERS if "proof" not in name}
    answers = dict(zip(of_exports, verifier.answers((each, b"") for each in of_exports.values()), strict=True))
    assert missed(answers) == {}
    assert "prove a forgery" in answers["two receipts of one size"].text


def test_a_draw_that_no_ceremony_was_opened_for_is_found(verifier: Verifier) -> None:
    opened, second, *others = events_of(long(4))
    draws = {
        "SeatsDrawn": {"n": 1, "order": [1, 0, 2, 3]},
        "DealerDrawn": {"n": 1, "seat": 0},
        "CoinFlipped": {"n": 1, "seats": [0, 1], "winner": 0},
    }
    changed = {}
    for fact, data in draws.items():
        drawn = {**second, "fact": fact, "data": data, "by": "server", "v": 1}
        changed[fact] = export_bytes(rewritten(long(4), [opened, drawn, second, *others]))
    for fact, answer in verifier.verify_each(changed).items():
        assert (answer.code, f"no {fact} belongs here" in answer.text) == (1, True), answer.text
