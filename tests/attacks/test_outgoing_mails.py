"""Attacks on the mails that leave the server: slow receivers, players who leave with a mail on its way, and loss."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from api.mail.outgoing import sender
from api.mail.outgoing.sender import Mailer
from api.mail.services import relay as way_out
from api.mail.services.mail_follower import MailFollower
from api.mail.services.relay import Delivery
from api.monitoring.exposition import queue_states
from domain.store.held_clock import machine_time
from tests.api.conftest import config_for
from tests.commands import run
from tests.conduct.conftest import moderator
from tests.conftest import Database
from tests.mail.post_office import LOST, Person, PostOffice, Relay, open_office, open_relay
from tests.mail.test_outbox import in_turn
from tests.ports import free_port

pytestmark = pytest.mark.both_stores
ALONE = {"variant": "pitch", "seats": ["eve", "bot:simple", "bot:random"]}


@pytest.fixture
def office(database: Database) -> Iterator[PostOffice]:
    """A server that sends to a relay, and has read the log."""
    with open_relay() as relay, open_office(database, relay) as opened:
        opened.send_all()
        yield opened


def rows_about(office: PostOffice, *words: str) -> dict[str, list[Any]]:
    """Return the rows of the tables of mails that hold one of these words."""
    found = dict[str, list[Any]]()
    for table in ("emails", "mails", "deliveries", "mail_levels", "mail_stops", "board_mails", "board_mail_places"):
        rows = office.services.accounts.database.run(f"SELECT * FROM {table}")
        about = [row for row in rows if any(word in str(each) for word in words for each in row)]
        found |= {table: about} if about else {}
    return found


def pass_time(office: PostOffice, seconds: int) -> None:
    """Let the clock of the queue stand that much later."""
    office.services.accounts.database.clock = lambda: machine_time() + seconds * 1_000_000


@pytest.mark.parametrize("answered", [False, True])
def test_attack_167_a_player_whose_mail_server_is_slow_delays_no_other(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch, answered: bool
) -> None:
    # given ten games of a player whose mail server answers after nine seconds, and one game of somebody else
    clock, tried = [0.0], list[str]()

    def send(_url: object, _message: str, _sender: str, recipient: str) -> tuple[Delivery, str]:
        tried.append(recipient)
        clock[0] += 9 * recipient.startswith("eve")
        return (Delivery.YES if answered or not recipient.startswith("eve") else Delivery.UNKNOWN), "slow"

    monkeypatch.setattr(sender, "send", send)
    for name in ("eve", "ann", "bob"):
        assert office[name].id
    for _ in range(10):
        assert office["eve"].caller.post("/games", ALONE).status_code == 201
    assert office["ann"].caller.post("/games", {"variant": "pitch", "seats": ["ann", "bob"]}).status_code == 201
    office.services.wakeups.timer = lambda: clock[0]
    mailer = Mailer(office.services)
    mailer.run_once()
    # then the slow server is asked once in a round, and the other mail goes
    assert sorted(tried, key=lambda each: each.startswith("eve")) == ["ann@example.net", "eve@example.net"]
    # and a minute later, those of the player go on, one at a time, or wait for longer and longer
    pass_time(office, 61)
    clock[0] += 61
    mailer.run_once()
    assert tried.count("eve@example.net") == 1
    pass_time(office, 200)
    clock[0] += 139
    mailer.run_once()
    assert tried.count("eve@example.net") == 2
    state = queue_states(office.services)["board-mails"]
    assert (state.waiting, state.failing) == (8 if answered else 10, 0 if answered else 10)


def test_attack_167_a_queue_of_slow_mails_leaves_the_other_queues_their_time(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, tried = [0.0], list[str]()

    def send(_url: object, _message: str, _sender: str, recipient: str) -> tuple[Delivery, str]:
        tried.append(recipient)
        clock[0] += 9
        return Delivery.UNKNOWN, "slow"

    monkeypatch.setattr(sender, "send", send)
    names = "ann", "bob", "cat", "dan", "fay"
    assert all(office[name].id for name in (*names, "eve"))
    for name in names:
        assert office[name].caller.ask("PUT", "/me/email", {"email": f"{name}@slow.example"}).status_code == 202
    assert office["eve"].caller.post("/games", ALONE).status_code == 201
    office.services.wakeups.timer = lambda: clock[0]
    Mailer(office.services).run_once()
    assert (len(tried), tried[-1]) == (3, "eve@example.net"), "two codes, then the board"


class Dripping(Relay):
    """A relay whose answer to a recipient has no end, and comes bit by bit."""

    async def handle_RCPT(
        self, server: SMTP, _session: Session, _envelope: Envelope, _to: str, _more: list[str]
    ) -> str:
        """Write line after line."""
        assert isinstance(server.transport, asyncio.WriteTransport)
        while not server.transport.is_closing():
            server.transport.write(b"250-wait\r\n")
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), 0.05)
        return "250 OK"


@contextmanager
def dripping() -> Iterator[Relay]:
    relay = Dripping(free_port())
    controller = Controller(relay, hostname="127.0.0.1", port=relay.port)
    controller.start()
    yield relay
    controller.stop()


def test_attack_167_a_relay_that_answers_bit_by_bit_is_left(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(way_out, "MOST_S", 0.3)
    with dripping() as relay, open_office(database, relay) as office:
        assert office["ann"].caller.ask("PUT", "/me/email", {"email": "ann@slow.example"}).status_code == 202
        assert Mailer(office.services).run_once() == 0
        assert queue_states(office.services)["account-mails"].why == Delivery.UNKNOWN.value


def test_attack_168_nothing_is_kept_of_an_address_that_is_refused_while_its_player_is_erased(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a mail on its way to a player, whose address the relay refuses
    eve, erasures = office["eve"], office.services.accounts.erasures
    assert eve.caller.post("/games", ALONE).status_code == 201
    real = office.relay.handle_RCPT

    async def refuse(*args: Any) -> str:
        thread = threading.Thread(target=erasures.erase, args=(eve.id,))
        thread.start()
        await asyncio.to_thread(thread.join)
        return "550 5.1.1 No such user"

    # when the player is erased in that moment
    monkeypatch.setattr(office.relay, "handle_RCPT", refuse)
    assert office.send_all() == 0
    # then nothing of the player is left, and nothing comes back with the next page of the log
    monkeypatch.setattr(office.relay, "handle_RCPT", real)
    assert (office.send_all(), rows_about(office, eve.id, eve.address)) == (0, {})


def test_attack_168_a_page_of_the_log_leaves_nothing_of_a_player_who_is_erased_meanwhile(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, follower = office["eve"], MailFollower(office.services)
    assert eve.caller.post("/games", ALONE).status_code == 201
    read = follower._of_notes

    def erase_and_read(notes: Any) -> Any:
        office.services.accounts.erasures.erase(eve.id)
        return read(notes)

    monkeypatch.setattr(follower, "_of_notes", erase_and_read)
    assert follower.run_once() == 1
    assert rows_about(office, eve.id, eve.address) == {}


def test_attack_168_who_deletes_their_address_leaves_none(office: PostOffice) -> None:
    eve = office["eve"]
    office.services.accounts.mail_levels.stop(eve.id, eve.address, "mail came back: 5.1.1")
    assert {"emails", "mail_stops"} <= set(rows_about(office, eve.address))
    assert eve.caller.delete("/me/email").status_code == 204
    assert rows_about(office, eve.address) == {}
    office.services.accounts.mail_levels.stop(eve.id, eve.address, "mail came back late: 5.1.1")
    assert rows_about(office, eve.address) == {}


def test_attack_168_a_mail_that_cannot_be_written_leaves_no_code_when_it_is_given_up(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no such thing")

    ann, eve = office["ann"], office["eve"]
    assert eve.caller.ask("PUT", "/me/email", {"email": "new@slow.example"}).status_code == 202
    assert ann.caller.post("/games", {**ALONE, "seats": ["ann", "bot:simple"]}).status_code == 201
    monkeypatch.setattr(sender, "message_text", fail)
    for day in range(20):
        pass_time(office, day * 24 * 3600)
        assert office.send_all() == 0
    states = queue_states(office.services)
    assert {states[name][:4] for name in ("account-mails", "board-mails")} == {(0, 0, None, 1)}
    assert set(rows_about(office, eve.id, "new@slow.example")) == {"emails", "deliveries"}
    assert set(rows_about(office, ann.id)) - {"mails"} == {"emails", "deliveries", "board_mail_places"}


@pytest.fixture
def asking(database: Database) -> Iterator[PostOffice]:
    """A server that asks players before they sit."""
    with open_relay() as relay, open_office(database, relay, seating="ask") as opened:
        opened.send_all()
        yield opened


def test_attack_169_each_offer_of_a_seat_is_mailed(asking: PostOffice) -> None:
    office = asking
    # given a player who was asked to sit at a table, and has declined
    ann, dan, cat = office["ann"].caller, office["dan"].caller, office["cat"].caller
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "cat", "open"]}).get_json()["id"]
    assert office.send_all() == 1
    assert cat.delete(f"/games/{game}/seats/current").status_code == 204
    invitation = ann.post(f"/games/{game}/invitations", {}).get_json()["token"]
    assert dan.post(f"/games/{game}/seats", {}).status_code == 201
    assert office["bob"].caller.post(f"/games/{game}/seats", {"invitation": invitation}).status_code == 201
    # when somebody there offers them a seat, and again after they have declined that
    for _ in range(2):
        office.send_all()
        office.relay.mails.clear()
        offer = dan.post(f"/games/{game}/handovers", {"to": "cat"}).get_json()["id"]
        assert office.send_all() == 1
        [mail] = office.mails_to("cat")
        assert "dan offers you their seat" in mail.get_content()
        assert cat.post(f"/games/{game}/handovers/{offer}/decline", {}).status_code == 204
    assert office.send_all() == 0


def test_attack_170_a_board_that_goes_on_otherwise_after_a_restore_has_mails_of_its_own(
    database: Database, tmp_path: Path
) -> None:
    """Mail programs show one of two mails with the same Message-ID, so the second one would be lost."""
    known = dict[str, Person]()

    def play(place: Database, bid: str) -> dict[str, str]:
        with open_relay() as relay, open_office(place, relay) as office:
            if known:
                client = office.app.test_client()
                office.people = {
                    name: replace(each, caller=replace(each.caller, client=client)) for name, each in known.items()
                }
            else:
                office.challenge(["ann", "bob"])
                relay.answer = LOST  # the first mail is in doubt
                assert office.send_all() == 0
                known.update(office.people)
                kept = run("store", "backup", str(tmp_path / "backup"), at=office.services.config)
                assert kept.exit_code == 0, kept.output
                relay.answer = "250 OK"
            pass_time(office, 61)
            assert office.send_all() == 1
            assert office[in_turn(office)].caller.post("/games/1/moves", {"text": bid}).status_code == 201
            assert office.send_all() == 1
            return {str(mail["Message-ID"]): str(mail.get_content()) for _, mail in relay.mails}

    first = play(database, "2")
    restored = Database(None, tmp_path / "restored")
    done = run("store", "restore", str(tmp_path / "backup"), at=config_for(restored))
    assert done.exit_code == 0, done.output
    again = play(restored, "3")
    # then the mail that was in doubt goes again as it was, and the one with other news has an id of its own
    assert next(iter(first.items())) == next(iter(again.items()))
    assert (len(first.keys() & again.keys()), len(first.keys() | again.keys())) == (1, 3)


def test_attack_172_a_banned_player_reads_no_board_by_mail(office: PostOffice) -> None:
    # given a player with a mail about their board
    for name in ("ann", "bob", "rhea"):
        assert office[name].id
    office.challenge(["ann", "bob"])
    office.send_all()
    reader = in_turn(office)
    [mail] = office.mails_to(reader)
    other = next(name for name in ("ann", "bob") if name != reader)
    # when they are banned, the other player writes, and the game goes on
    assert run("user", "role", "rhea", "moderator", at=office.services.config).exit_code == 0
    moderates, reports = moderator(office.app, "rhea"), "/moderation/reports"
    body = {"about": reader, "kind": "abuse", "text": "insults"}
    report = office[other].caller.post("/reports", body).get_json()["report"]
    assert moderates.post(f"{reports}/{report}/claim", {}).status_code == 200
    ruling = {"step": "ban", "reason": "Insults aren't welcome.", "until": None}
    assert moderates.post(f"{reports}/{report}/ruling", ruling).status_code == 201
    office.relay.mails.clear()
    assert office[other].caller.post("/games/1/chat", {"text": "He is gone."}).status_code == 201
    assert office[other].caller.post("/games/1/moves", {"type": "resign"}).status_code == 201
    office.send_all()
    # then no news of it goes to them, and a reply is refused, and shows nothing of the board
    assert office.mails_to(reader) == []
    assert office.reply(reader, "showas", mail) == "250"
    office.send_all()
    [answer] = office.mails_to(reader)
    assert "You're banned from this server" in answer.get_content()
    assert [each for each in ("Your cards", "He is gone", "root ") if each in answer.get_content()] == []
