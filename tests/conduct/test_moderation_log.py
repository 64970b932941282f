"""The moderation log: ids and hashes, a signed checkpoint beside each entry, and changes that are found."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from api.conduct.stored.moderation_log import ModerationEntry, copy_findings, log_findings
from domain.protocols.merkle_log import canonical, leaf, root_of
from domain.protocols.signed_notes import Key, parse_checkpoint, parse_key, parse_note
from replay.history.signatures import signing_keys
from tests.api.conftest import check_problem, services_of
from tests.conduct.conftest import Court


def stored(court: Court) -> list[ModerationEntry]:
    """Return the entries of the log."""
    return list(services_of(court.app).accounts.moderation_log.entries())


def keys(court: Court) -> list[Key]:
    """Return the public keys of the server, as it publishes them."""
    return [parse_key(text) for text in court["nobody"].get("/.well-known/trickbook/keys").get_json()["keys"]]


def fill(court: Court) -> None:
    """Let each act happen."""
    step = court.judge("mute")
    court["bob"].post("/me/appeals", {"step": step, "text": "no"})
    court["mateo"].post(f"/moderation/appeals/{step}/decision", {"decision": "reversed", "reason": "a joke"})
    court["moira"].delete(f"{court.chat}/{court.wrote('bob')}")
    court.rule(court.case("bob", "ann"), "none")


def test_each_act_is_an_entry_without_names_and_texts(court: Court) -> None:
    fill(court)
    answer = court["nobody"].get("/moderation/log")
    entries = [each["entry"] for each in answer.get_json()["items"]]
    assert [each["act"] for each in entries] == ["claim", "rule", "appeal", "decide", "erase", "claim", "rule"]
    assert [each["number"] for each in entries] == list(range(1, 8))
    assert all(each["at"].endswith("Z") for each in entries)
    assert (entries[1]["kind"], entries[1]["player"], entries[1]["until"]) == (
        "mute", court.id_of("bob"), "2035-01-01T00:00:00.000000Z",
    )  # fmt: skip
    assert (entries[6]["kind"], entries[6]["player"], entries[6]["step"]) == ("none", None, None)
    for word in ("ann", "bob", "moira", "mateo", "insult", "Insult", "joke", "hello"):
        assert word not in re.sub(r"[A-Za-z0-9+/=]{40,}", "", answer.text), "signatures and hashes left out"
    assert court.game not in answer.text, "a game may be private"
    assert court.id_of("ann") not in answer.text, "no reporter is in the log, nor a player against whom nothing is done"


def test_anybody_can_check_the_log_with_the_public_keys(court: Court) -> None:
    fill(court)
    body = court["nobody"].get("/moderation/log").get_json()
    leaves = []
    for item in body["items"]:
        leaves.append(leaf(canonical(item["entry"])))
        note = parse_note(item["note"])
        head = parse_checkpoint(note.body)
        assert (head.origin, head.size, head.root) == (body["origin"], len(leaves), root_of(leaves))
        assert len(signing_keys(note, keys(court))) == 1
    assert body["origin"] == f"{keys(court)[0].name}/moderation"
    assert list(log_findings(stored(court), keys(court))) == []


def test_the_log_goes_on_after_a_change_of_the_key(court: Court) -> None:
    court.judge("warn")
    services_of(court.app).receipts.keys.rotate()
    court.judge("warn", name="cat")
    assert len(keys(court)) == 2
    assert list(log_findings(stored(court), keys(court))) == []
    assert next(log_findings(stored(court), keys(court)[1:])) == "entry 1: no key of this server signed it"


def test_a_change_is_found_and_named(court: Court) -> None:
    fill(court)
    first, second, third, fourth, *rest = stored(court)
    changed = replace(second, entry=second.entry.replace("mute", "none"))
    swapped = replace(second, note=third.note), replace(third, note=second.note)
    for entries, finding in (
        ([first, changed, third, fourth, *rest], "entry 2: the signed checkpoint isn't that of the log up to here"),
        ([first, second, fourth, *rest], "entry 3 is missing: the next one has the number 4"),
        ([first, *swapped, fourth, *rest], "entry 2: the signed checkpoint isn't that of the log up to here"),
        (
            [replace(first, note="nothing"), second],
            "entry 1: a signed note is a text, an empty line and signatures, each line with a newline",
        ),
        (
            [first, second, third, replace(fourth, entry=fourth.entry.replace(":", ": ", 1))],
            "entry 4 isn't canonical JSON with its number",
        ),
    ):
        assert next(log_findings(entries, keys(court))) == finding


def test_a_log_whose_end_was_cut_off_or_written_again_contradicts_a_copy(court: Court) -> None:
    fill(court)
    copy = stored(court)
    assert list(copy_findings(copy, copy[:3])) == []
    assert list(copy_findings(copy[:-1], copy)) == ["entry 7 of the copy is missing in the log"]
    written_again = [*copy[:-1], replace(copy[-1], entry=copy[-1].entry.replace("none", "warn"))]
    assert list(copy_findings(written_again, copy)) == ["entry 7 isn't the one in the copy"]


def test_acts_at_once_get_numbers_without_gaps(court: Court) -> None:
    messages = [court.wrote("ann", str(number)) for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        erased = pool.map(lambda id_: court["moira"].delete(f"{court.chat}/{id_}").status_code, messages)
        assert set(erased) == {204}
    assert [each.number for each in stored(court)] == list(range(1, 25))
    assert list(log_findings(stored(court), keys(court))) == []


def test_the_log_is_read_in_pages(court: Court) -> None:
    fill(court)
    page = court["nobody"].get("/moderation/log?after=2&limit=3").get_json()
    assert ([each["number"] for each in page["items"]], page["more"]) == ([3, 4, 5], True)
    page = court["nobody"].get("/moderation/log?after=5&limit=2").get_json()
    assert ([each["number"] for each in page["items"]], page["more"]) == ([6, 7], False)
    check_problem(court["nobody"].get("/moderation/log?after=-1"), 400, "malformed")
