"""Exports of all four games in JavaScript: sound ones are right, and every change is found and named."""

from collections.abc import Callable
from random import Random
from re import sub

import pytest

from replay.history import History, export_bytes, read_export
from tests.replay.forging import events_of, rewritten
from tests.replay.line_ends import LINE_ENDS
from tests.replay.signing import cut
from tests.web.engines import Engine
from tests.web.example import KEY, receipt, with_receipt
from tests.web.games import game, views
from tests.web.reading import reports, told

# Sound exports


def test_exports_of_all_games_running_and_ended_are_right(engine: Engine) -> None:
    exports = views()
    answers = dict(zip(exports, reports(engine, list(exports.values())), strict=True))
    assert {name: told(report) for name, report in answers.items() if report["ok"] is not True} == {}
    for name, report in answers.items():
        history = read_export(exports[name])
        assert history.trailer is not None
        assert (report["size"], report["root"], report["withheld"]) == (
            history.trailer.size,
            history.trailer.root,
            history.withheld,
        )
        assert [hand["n"] for hand in report["hands"]] == opened(history)


def opened(history: History) -> list[int]:
    return [event.data.n for event in history.events if event.fact == "CeremonyOpened"]


def test_withheld_lines_leave_decks_unrevealed_until_their_reveal(engine: Engine) -> None:
    exports = views()
    running = exports["Blackout in order without a hook, revealed at the end, running, as seat 1 sees it"]
    whole = exports["Blackout in order without a hook, revealed at the end, ended"]
    before, after = reports(engine, [running, whole])
    assert before["withheld"] > 0
    assert {hand["deck"] for hand in before["hands"]} == {"unrevealed"}
    assert {hand["deck"] for hand in after["hands"]} == {"right"}
    assert (before["complete"], after["complete"]) == (False, True)


def test_the_report_on_hands_has_the_recorded_facts(engine: Engine) -> None:
    (report,) = reports(engine, [export_bytes(game("cuts"))])
    first, second, last = report["hands"]
    assert (first["subject"], first["grade"], first["cuts"], first["deck"]) == ("deal hand 1", "F1", [0, 1], "right")
    assert (second["grade"], second["ended"], last["ended"]) == ("F2", "scored", "broken off")
    scored = [event.data for event in game("cuts").events if event.fact == "HandScored"]
    assert second["score"] == {"changes": list(scored[1].changes), "scores": list(scored[1].scores)}
    assert report["receipts"][0]["ok"] is True


def test_a_deal_voided_while_it_waits_is_promised_again_and_the_cut_of_a_seat_that_left_counts(engine: Engine) -> None:
    (report,) = reports(engine, [export_bytes(with_receipt(game("void")))])
    gone, dealt = report["hands"]
    assert (gone["subject"], gone["hand"], gone["grade"], gone["ended"]) == ("deal hand 1", None, None, "voided")
    assert (dealt["subject"], dealt["hand"], dealt["grade"]) == ("deal hand 1", 1, "F1")
    assert (report["ok"], report["findings"]) == (True, [])


def test_any_byte_changed_is_found(engine: Engine) -> None:
    whole, chosen = export_bytes(game("cuts")), Random(2)
    forgeries = []
    for _ in range(60):
        at = chosen.randrange(len(whole))
        forgeries.append(whole[:at] + bytes([whole[at] ^ chosen.choice([1, 2, 32, 128])]) + whole[at + 1 :])
    for report in reports(engine, forgeries):
        assert isinstance(report, str) or report["ok"] is False


def lines_of(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1]


def joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def hidden(line: bytes) -> bytes:
    return b"{" + line[line.index(b'"leaf"') :]


def with_other_root(trailer: bytes) -> bytes:
    return sub(rb'"root":"(.)', lambda found: b'"root":"' + (b"e" if found[1] == b"d" else b"d"), trailer)


FILES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int | None, str]] = {
    "a line doubled": (lambda lines: lines[:9] + lines[8:], 8, "it is in place 9 of the log"),
    "the tail cut": (lambda lines: [*lines[:-3], lines[-1]], None, "the trailer counts 81 events, but"),
    "no trailer": (lambda lines: lines[:-1], None, "the file has no trailer"),
    "a line after the end": (lambda lines: [*lines, lines[-2]], None, "the file has no trailer"),
    "an invalid line": (lambda lines: [*lines[:8], b"{}", *lines[8:]], 8, "isn't a line of an export"),
    "a space": (lambda lines: [*lines[:8], lines[8].replace(b":", b": ", 1), *lines[9:]], 8, "isn't a line of"),
    "another name in the header": (
        lambda lines: [lines[0].replace(b"ann", b"bob"), *lines[1:]],
        None,
        "the header isn't the one that the trailer was written for",
    ),
    "another root": (
        lambda lines: [*lines[:-1], with_other_root(lines[-1])],
        None,
        "the trailer's root isn't the root of these events",
    ),
    "an event withheld": (
        lambda lines: [*lines[:20], hidden(lines[20]), *lines[21:]],
        None,
        "1 events are withheld, but nothing is secret any more",
    ),
}  # fmt: skip


def test_files_with_changed_or_missing_lines_are_found(engine: Engine) -> None:
    whole = lines_of(export_bytes(game("cuts")))
    answers = reports(engine, [joined(change(whole)) for change, *_ in FILES.values()])
    for (name, (_, version, says)), report in zip(FILES.items(), answers, strict=True):
        assert any(at == version and says in text for at, text in told(report)), (name, told(report))


def test_a_file_cut_in_the_middle_of_a_line_is_found(engine: Engine) -> None:
    (report,) = reports(engine, [export_bytes(game("cuts"))[:-2]])
    assert told(report)[0][1] == "the file is cut off in the middle of a line"


def test_a_file_that_is_not_an_export_is_refused(engine: Engine) -> None:
    refused = {
        b"": "its first line isn't the header of an export",
        b"\xef\xbb\xbf{}\n": "its first line doesn't name a format that this program knows",
        b"[]\n": "its first line isn't the header of an export",
        b'{"format":"trickbook-export/9"}\n': "its first line doesn't name a format that this program knows",
        b'{"format": "trickbook-export/1"}\n': "its first line isn't canonical JSON",
        b"\xff\xfe\n": "the file isn't UTF-8 text",
    }
    assert reports(engine, list(refused)) == [f"Error: {says}" for says in refused.values()]


@pytest.mark.parametrize("ends", LINE_ENDS)
def test_a_file_with_other_line_ends_is_right_and_says_so(engine: Engine, ends: str) -> None:
    change, how = LINE_ENDS[ends]
    (report,) = reports(engine, [change(export_bytes(game("cuts")))], keys=[KEY.text])
    assert (report["ok"], report["lineEnds"], report["receipts"][0]["ok"]) == (True, how, True)
    (report,) = reports(engine, [change(export_bytes(game("cuts")).replace(b"9C", b"8C", 1))])
    assert report["ok"] is False


def test_a_file_that_was_cut_before_its_end_and_has_no_receipt_is_undecided_and_wrong_with_a_key_or_a_root(
    engine: Engine,
) -> None:
    data = export_bytes(cut(game("cuts"), 60))
    (report,) = reports(engine, [data])
    assert (report["ok"], told(report), report["noReceipt"]) == (None, [], True)
    for kept in ({"keys": [KEY.text]}, {"roots": [report["root"]]}):
        (wrong,) = reports(engine, [data], **kept)
        assert wrong["ok"] is False
        assert "the file is unsigned, and its end can be missing: it holds no receipt, though" in told(wrong)[0][1]
    note = receipt(game("cuts"), 60, bytes.fromhex(report["root"]))
    (signed,) = reports(engine, [data], receipts=[note], keys=[KEY.text])
    assert (signed["ok"], signed["noReceipt"]) == (True, False)


def test_a_receipt_contradicts_bytes_that_were_changed_beside_their_old_hash(engine: Engine) -> None:
    (report,) = reports(engine, [export_bytes(game("cuts")).replace(b"9C", b"8C", 1)])
    assert [(each["ok"], each["says"].partition(" (")[0]) for each in report["receipts"]] == [
        (False, "the log had another root after event 81")
    ]


def test_a_fact_of_a_later_version_is_undecided_and_what_depends_on_it_not_wrong(engine: Engine) -> None:
    history = game("cuts")
    events = events_of(history)
    first = {event["fact"]: at for at, event in reversed([*enumerate(events)])}
    later = [(name, at, {**events[at], "v": 9}) for name, at in first.items()]
    unknown = [(f"{name}Next", at, {**events[at], "fact": f"{name}Next"}) for name, at in first.items() if at]
    changed = [rewritten(history, [*events[:at], event, *events[at + 1 :]]) for _, at, event in later + unknown]
    answers = reports(engine, [export_bytes(each) for each in changed])
    for (name, at, event), report in zip(later + unknown, answers, strict=True):
        says = f"this program doesn't know {name} of version {event['v']}"
        assert (report["ok"], report["findings"]) == (None, []), name
        assert report["unread"] == [{"version": at + 1, "says": says}]
