"""The outbox: nothing is sent twice, nothing is forgotten, and only what its reader wants and doesn't know yet."""

import re

import pytest

from api.delivery.stored.queue import BOARD_MAILS
from api.mail.services.mail_follower import MailFollower
from domain.store.held_clock import machine_time
from tests.conftest import Database
from tests.mail.post_office import PostOffice, Relay, open_office

NAMES = ["ann", "bob", "cat", "dan"]


def in_turn(office: PostOffice) -> str:
    """Return the name of the player in turn."""
    view = office[NAMES[0]].caller.get("/games/1").get_json()
    (seat,) = view["turn"]["seats"]
    return str(view["names"][view["seats"][seat]["player"]])


def after_next(office: PostOffice) -> str:
    """Return the name of the player opposite to the one in turn: a pass doesn't make it their turn."""
    view = office[NAMES[0]].caller.get("/games/1").get_json()
    (seat,) = view["turn"]["seats"]
    return str(view["names"][view["seats"][(seat + 2) % len(NAMES)]["player"]])


def later(office: PostOffice, monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """Let the clock of the accounts be that much later."""
    at = machine_time() + seconds * 1_000_000
    monkeypatch.setattr(office.services.accounts.database, "clock", lambda: at)


def test_the_player_in_turn_gets_one_mail(office: PostOffice) -> None:
    office.challenge(NAMES)
    name = in_turn(office)
    assert (office.send_all(), office.send_all()) == (1, 0)
    [(to, mail)] = office.relay.mails
    assert (to, mail["Auto-Submitted"]) == (office[name].address, "auto-generated")
    assert str(mail["X-Envelope-From"]).startswith("bounce+")
    assert str(mail["List-Unsubscribe"]).startswith("<mailto:unsubscribe+")
    assert office.services.accounts.deliveries.state_of(BOARD_MAILS).waiting == 0


def test_a_log_that_is_read_again_sends_nothing_again(office: PostOffice) -> None:
    office.challenge(NAMES)
    office.send_all()
    office.services.accounts.database.run("UPDATE reader_places SET position = 0, leaf = '' WHERE shard >= 0")
    MailFollower(office.services).run_once()
    assert (office.send_all(), len(office.relay.mails)) == (0, 1)


def test_after_a_crash_the_same_message_goes_again(office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
    office.challenge(NAMES)
    with monkeypatch.context() as patch:
        patch.setattr(type(office.services.accounts.board_mails), "finish", crash)
        with pytest.raises(SystemExit):
            office.send_all()
    assert (len(office.relay.mails), office.send_all()) == (1, 0)
    later(office, monkeypatch, 61)
    assert office.send_all() == 1
    (_, first), (_, second) = office.relay.mails
    assert first["Message-ID"] == second["Message-ID"]
    assert first.get_content() == second.get_content()


def test_a_message_that_may_have_arrived_stays_as_it_is_if_the_relay_refuses_it_later(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = office.challenge(NAMES)
    with monkeypatch.context() as patch:
        patch.setattr(type(office.services.accounts.board_mails), "finish", crash)
        with pytest.raises(SystemExit):
            office.send_all()
    ((to, first),) = office.relay.mails
    office.relay.answer = "451 try later"
    later(office, monkeypatch, 61)
    assert office.send_all() == 0
    other = next(name for name in NAMES if office[name].address != to)
    assert office[other].caller.post(f"/games/{board}/moves", {"type": "propose_draw"}).status_code == 201
    office.relay.answer = "250 OK"
    later(office, monkeypatch, 600)
    office.send_all()
    again = next(mail for address, mail in office.relay.mails[1:] if address == to)
    assert (again["Message-ID"], again.get_content()) == (first["Message-ID"], first.get_content())


def crash(*_values: object, **_more: object) -> None:
    """End as a process does that is killed."""
    raise SystemExit("killed")


def test_a_turn_that_has_passed_needs_no_mail(office: PostOffice) -> None:
    office.challenge(NAMES)
    MailFollower(office.services).run_once()
    name = in_turn(office)
    assert office[name].caller.post("/games/1/moves", {"text": "pass"}).status_code in (200, 201)
    office.send_all()
    assert [to for to, _ in office.relay.mails] == [office[in_turn(office)].address]


@pytest.mark.parametrize(("level", "count"), [("every", 1), ("turn", 0), ("digest", 0), ("none", 0)])
def test_levels_say_who_hears_of_a_move_of_others(level: str, count: int, office: PostOffice) -> None:
    office.challenge(NAMES)
    office.send_all()
    name = in_turn(office)
    reader = after_next(office)
    assert office[reader].caller.ask("PUT", "/me/mail", {"level": level}).get_json()["level"] == level
    office.relay.mails.clear()
    assert office[name].caller.post("/games/1/moves", {"text": "pass"}).status_code in (200, 201)
    office.send_all()
    assert in_turn(office) != reader
    assert len(office.mails_to(reader)) == count


def test_a_digest_names_the_boards_that_wait(office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        office[name].caller.post("/commands", {"line": "set mail digest"})
    office.challenge(NAMES)
    office.services.followers.catch_up()
    assert office.send_all() == 0
    later(office, monkeypatch, 24 * 3600)
    assert office.send_all() == 1
    [(_, mail)] = office.relay.mails
    assert mail["Subject"] == "Your boards today"
    assert "To move on board 1, write the move to:" in mail.get_content()


@pytest.mark.both_stores
def test_an_address_that_does_not_exist_gets_no_more_mail(office: PostOffice) -> None:
    office.challenge(NAMES)
    name = in_turn(office)
    person = office[name]
    office.relay.refused = frozenset([person.address])
    office.send_all()
    stopped = person.caller.get("/me").get_json()["mail"]["stopped"]
    assert (stopped["address"], stopped["reason"][:3]) == (person.address, "550")
    office.relay.refused = frozenset()
    office.confirm(person, person.address)
    assert person.caller.get("/me").get_json()["mail"]["stopped"] is None


def test_a_bounce_stops_mail(office: PostOffice) -> None:
    office.challenge(NAMES)
    office.send_all()
    [(to, mail)] = office.relay.mails
    report = (
        b"From: MAILER-DAEMON@mx.example.net\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b"
        b"\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n\r\n"
        b"Final-Recipient: rfc822; x@example.net\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    path = str(mail["X-Envelope-From"])
    for changed in (report.replace(b"failed", b"delayed"), report):
        office.reader.read(changed, "", path)
    name = to.partition("@")[0]
    assert office[name].caller.get("/me").get_json()["mail"]["stopped"]["reason"] == "mail came back: 5.1.1"


def test_one_request_ends_all_mails(office: PostOffice) -> None:
    person = office["ann"]
    key = office.reader.addresses.key_of("unsubscribe", person.id, person.address)
    assert person.caller.post(f"/mail/unsubscribe/{key[:-1]}", None).status_code == 404
    assert person.caller.post(f"/mail/unsubscribe/{key}", None).status_code == 204
    assert person.caller.get("/me").get_json()["mail"]["level"] == "none"


def test_the_link_of_a_mail_asks_people_and_ends_mails_for_programs(database: Database, relay: Relay) -> None:
    url = "https://example.org/cards"
    with open_office(database, relay, url=url) as office:
        office.challenge(NAMES)
        office.send_all()
        [(to, mail)] = relay.mails
        [link] = re.findall(rf"<({url}/[^>]*)>", str(mail["List-Unsubscribe"]))
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        person, program = office[to.partition("@")[0]], office.app.test_client()
        path = link.removeprefix(url)
        assert program.get(path, headers={"Accept": "text/html"}).status_code == 200
        assert person.caller.get("/me").get_json()["mail"]["level"] == "turn"
        posted = program.post(path, data={"List-Unsubscribe": "One-Click"})
        assert posted.status_code == 204
        assert person.caller.get("/me").get_json()["mail"]["level"] == "none"


@pytest.mark.parametrize("way", ["request", "mail"])
def test_an_end_of_all_mails_counts_for_games_with_a_level_of_their_own(way: str, office: PostOffice) -> None:
    office.challenge(NAMES)
    person, levels = office[in_turn(office)], office.services.accounts.mail_levels
    assert person.caller.ask("PUT", "/me/mail", {"level": "every", "game": "1"}).status_code == 200
    addresses = office.reader.addresses
    if way == "request":
        key = addresses.key_of("unsubscribe", person.id, person.address)
        assert person.caller.post(f"/mail/unsubscribe/{key}", None).status_code == 204
    else:
        office.reader.read(
            b"Subject: x\r\n\r\n", person.address, addresses.about("unsubscribe", person.id, person.address)
        )
    assert (levels.of(person.id, office.services.accounts.boards.game_of(1) or ""), office.send_all()) == ("none", 0)
